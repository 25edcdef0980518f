// Package library is the system that answers the questions of the conformance
// suite with this library. `ttl adapter` serves it, and drawn questions are
// compared with its answers. It is tested by the suite like every system.
//
// [New] returns it, and [RuleOf] says by which rule it answers a question.
package library

import (
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
)

// New returns the system that answers with this library. It claims everything. Questions
// may come from anywhere: a malformed question gets a fault that names the member.
func New() conformance.System { return system{} }

type system struct{}

// Hello claims everything.
func (system) Hello() conformance.Hello { return Claims(suite.Embedded()) }

// Claims returns what this library claims to a suite: everything in it.
func Claims(s *suite.Suite) conformance.Hello {
	h := conformance.Hello{
		Protocol: 1, Name: "ttlpolicy", Version: "0.1.0", Language: "go",
		Homepage: published.Repository,
		Issues:   published.Repository + "/issues",
		Systems:  map[string]string{conformance.MongoDB: ">=2.2.0", conformance.DocumentDB: "*", conformance.CosmosNoSQL: "*", conformance.CosmosMongo: "*"},
		Features: append(slices.Sorted(maps.Keys(s.Features)),
			conformance.FeatureDeadline, conformance.FeatureRule, conformance.FeatureIndex,
			conformance.FeatureErrorCode, conformance.FeatureErrorStatus, conformance.FeatureTypes),
		Ops: answers.Names(),
	}
	for _, set := range s.RuleSets {
		h.RuleSets = append(h.RuleSets, set.Name)
	}
	return h
}

// Ask answers one question.
func (system) Ask(q conformance.Question) conformance.Answer {
	a, _ := answers.Ask(q)
	return a
}

// RuleOf returns the identifier of the rule by which this library answers a question, as
// [answers.Ask] returns it.
func RuleOf(q conformance.Question) string {
	_, rule := answers.Ask(q)
	return rule
}
