package mongo

import (
	"iter"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// RulesVersion is the version of this package's decisions. It increases by one in each
// release of the library that may change an answer. A store that keeps deadlines stores
// the version beside them, and decides anew when the version differs (docs/releasing.md
// says what an update may change).
const RulesVersion = 1

// Rules yields the catalogue in this order: rules that decide about documents by ordinary
// indexes, and then by a collection's own option, each in the order of consultation;
// rules by which commands are refused; rules of a move to another release; and last the
// rules that never decide.
func Rules() iter.Seq[policy.Rule] { return rules.All() }
