package mongo

import (
	"iter"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// RulesVersion numbers what this package decides. It is greater by one in a release
// of the library in which an answer may be another than in the one before. A
// store that keeps deadlines keeps it beside them, and decides anew when it is
// another (docs/releasing.md says what an update may change).
const RulesVersion = 1

// Rules yields the catalogue: first the rules that decide, those of ordinary
// indexes before those of collections that carry the option themselves, each
// set in the order it is consulted; then those by which commands are refused,
// those of a move to another release, and last what holds beside them and
// decides nothing by itself.
func Rules() iter.Seq[*policy.Rule] { return rules.All() }

// RuleByID returns the rule of the catalogue with an identifier. It reports false
// if there is none: another version of the library may know it.
func RuleByID(id string) (*policy.Rule, bool) { return rules.ByID(id) }
