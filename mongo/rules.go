package mongo

import (
	"iter"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// RulesVersion is the version of this package's decisions. It increases by one in each
// release of the library that may change an answer. A store that keeps deadlines stores
// the version beside them, and decides anew when the version differs (docs/releasing.md
// says what an update may change).
const RulesVersion = 1

// Rules yields the catalogue in this order: the rules that decide, those of
// ordinary indexes before those of collections with their own option, each set
// in the order of consultation; the rules by which commands are refused; those
// of a move to another release; and last the rules that decide nothing by
// themselves.
func Rules() iter.Seq[*policy.Rule] { return rules.All() }

// RuleByID returns the rule of the catalogue with an identifier. It reports false
// if there is none: another version of the library may know it.
func RuleByID(id string) (*policy.Rule, bool) { return rules.ByID(id) }
