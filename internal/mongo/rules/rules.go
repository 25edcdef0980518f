// Package rules is the catalogue of rules about MongoDB, with their statements and
// sources.
package rules

import (
	"iter"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// All yields the catalogue in the order that mongo.Rules describes.
func All() iter.Seq[policy.Rule] {
	return slices.Values(slices.Concat(Deciding, createIndexRules, CollModRules, documentDBCommandRules, MoveRules, Statements, createIndexStatements, collModStatements, documentDBStatements))
}

func init() { engine.Register(All()) }
