// Package engine holds the common code of packages mongo and cosmos: rules by their
// identifiers, the rules that were consulted, and fingerprints of policies.
package engine

import (
	"iter"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Entry holds the texts of a rule; the methods of policy.Rule describe them.
type Entry struct {
	ID, Statement, Versions, Confidence string
	Citations                           []policy.Citation
}

// Rule returns a rule with the texts of e.
func Rule(e Entry) policy.Rule {
	return policy.Private(private.Key{}).NewRule(e.ID, e.Statement, e.Versions, e.Confidence, e.Citations)
}

// ByID returns rules by their identifiers, and makes them known to Decision.UnmarshalJSON of
// package policy.
func ByID(rules iter.Seq[policy.Rule]) map[string]policy.Rule {
	index := map[string]policy.Rule{}
	for r := range rules {
		index[r.ID()] = r
	}
	policy.Private(private.Key{}).AddRules(index)
	return index
}

// Consulted returns the rules of ladder up to and including decided, in the order in
// which an evaluator consulted them. It returns nil if decided is not on the ladder.
func Consulted(ladder []policy.Rule, decided policy.Rule) []policy.Rule {
	n := slices.Index(ladder, decided) + 1
	if n == 0 {
		return nil
	}
	return ladder[:n:n] // appending to the result must not write to the ladder
}
