// Package library is the system that answers the questions of the conformance
// suite with this library. `ttl adapter` serves it, and drawn questions are
// compared with its answers. It is tested by the suite like every system.
//
// [New] returns it, [RuleOf] says by which rule it answers a question, and
// [CheckPrecondition] whether commands can bring about the state that a question
// presumes. Questions for systems that create their state by commands must pass
// that check.
package library

import (
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
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
		Ops: questions.Names(),
	}
	for _, set := range s.RuleSets {
		h.RuleSets = append(h.RuleSets, set.Name)
	}
	return h
}

// Ask answers one question.
func (system) Ask(q conformance.Question) conformance.Answer {
	a := answerTo(q)
	switch {
	case a.Fault != "":
		return conformance.Fault(a.Fault)
	case a.Skip != "":
		return conformance.Skipped(a.Skip)
	case a.Refusal != nil:
		r := a.Refusal
		return conformance.Refused(conformance.Refusal{Code: r.Code, CodeName: r.CodeName, Status: r.Status, Message: r.Message})
	}
	return conformance.Answer{Kind: conformance.KindOut, Out: policy.AppendExtJSON(nil, policy.ObjectValue(a.Out))}
}

func answerTo(q conformance.Question) questions.Answer {
	return questions.Ask(q.Op, targetOf(q.Target), q.In)
}

// targetOf returns a target in the form of package questions.
func targetOf(t conformance.Target) questions.Target {
	target := questions.Target{System: t.System, Version: t.Version, Capabilities: t.Capabilities}
	for name, v := range t.Parameters {
		target.Parameters = append(target.Parameters, policy.E{Key: name, Value: parameterValue(v)})
	}
	return target
}

// parameterValue returns a server parameter's value, Missing if it is of no type
// that [conformance.Parameters] may hold.
func parameterValue(v any) policy.Value {
	switch v := v.(type) {
	case bool:
		return policy.BoolValue(v)
	case float64:
		return policy.DoubleValue(v)
	case string:
		return policy.StringValue(v)
	}
	return policy.Value{}
}

// RuleOf returns the identifier of the rule by which this library answers a question: the
// rule that decides, or the rule by which a definition is refused or its fate is
// unspecified. It is "" for an accepted definition, and for a few refusals without a
// rule.
func RuleOf(q conformance.Question) string { return answerTo(q).Rule }
