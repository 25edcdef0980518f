package cosmos

import (
	"iter"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// RulesVersion is the version of this package's decisions. It increases by one in each
// release of the library that may change an answer. A store that keeps deadlines stores
// the version beside them, and decides anew when the version differs (docs/releasing.md
// says what an update may change).
const RulesVersion = 1

// Rules yields the catalogue: every rule of this package once. The rules that
// decide come first: those of the core, then those of the API for MongoDB, each set in
// the order of consultation, and those about the analytical store. The rules by which
// settings are refused follow, and last those that decide nothing by themselves.
func Rules() iter.Seq[policy.Rule] {
	return func(yield func(policy.Rule) bool) {
		var seen []policy.Rule
		for _, r := range slices.Concat(coreLadder, mongoLadder, fieldLadder, analytical, refusing, statements) {
			if slices.Contains(seen, r) {
				continue
			}
			seen = append(seen, r)
			if !yield(r) {
				return
			}
		}
	}
}

func init() { engine.Register(Rules()) }
