// Package reference is the system that answers the questions of the conformance
// suite with this library. `ttl adapter` serves it, drawn questions are held
// against it, and it is held to the suite like anybody else.
//
// [New] returns it, [RuleOf] says by which rule it answers a question, and
// [CheckPrecondition] whether commands can bring about what a question presumes:
// whoever draws questions for systems that create what they are asked about draws
// only such.
package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// New returns the system that answers with this library. It claims everything.
// Questions may come from anywhere: what of one is malformed is a fault that
// names the member.
func New() conformance.System { return system{} }

type system struct{}

// A question is one whose input has been read.
type question struct {
	conformance.Input
	op     string
	target conformance.Target
}

// answerers are the operations of the reference, in the order of its hello. An
// error is a fault, unless answerFor knows it better.
var answerers = []struct {
	op     string
	answer func(question) (conformance.Answer, error)
}{
	{"self.echo", echo},
	{"mongodb.decide", decideMongoDB},
	{"mongodb.createIndexes", createIndexes},
	{"mongodb.collMod", collMod},
	{"mongodb.create", create},
	{"cosmos.decide", decideCosmos},
	{"cosmos.validateContainer", validateContainer},
	{"cosmos.validateItem", validateItem},
	{"cosmosmongo.decide", decideCosmosMongo},
	{"cosmosmongo.createIndexes", createCosmosMongoIndexes},
}

// Hello claims everything.
func (system) Hello() conformance.Hello {
	h := conformance.Hello{
		Protocol: 1, Name: "ttlpolicy", Version: "0.1.0", Language: "go",
		Homepage: "https://github.com/ttlpolicy/ttlpolicy",
		Issues:   "https://github.com/ttlpolicy/ttlpolicy/issues",
		Systems:  map[string]string{conformance.MongoDB: ">=2.2.0", conformance.CosmosNoSQL: "*", conformance.CosmosMongo: "*"},
		Features: append(slices.Sorted(maps.Keys(conformance.Embedded().Features)),
			conformance.FeatureDeadline, conformance.FeatureRule, conformance.FeatureIndex,
			conformance.FeatureErrorCode, conformance.FeatureErrorStatus, conformance.FeatureTypes),
		MaxInFlight: 1,
	}
	for _, a := range answerers {
		h.Ops = append(h.Ops, a.op)
	}
	for _, set := range conformance.Embedded().RuleSets {
		h.RuleSets = append(h.RuleSets, set.Name)
	}
	return h
}

// Ask answers one question.
func (system) Ask(q conformance.Question) conformance.Answer {
	a, err := answerTo(q)
	if err != nil {
		return answerFor(err, q.Target)
	}
	return a
}

// answerTo answers a question, or returns the library's error.
func answerTo(q conformance.Question) (conformance.Answer, error) {
	for _, a := range answerers {
		if a.op != q.Op {
			continue
		}
		if system := conformance.SystemOf(q.Op); system != "" && q.Target.System != system {
			return conformance.Skipped(fmt.Sprintf("%s answers for the system %s, not for %q", q.Op, system, members.Clip(q.Target.System))), nil
		}
		in, err := q.Input()
		if err != nil {
			return conformance.Answer{}, err
		}
		return a.answer(question{in, q.Op, q.Target})
	}
	return conformance.Skipped(fmt.Sprintf("no operation %q", members.Clip(q.Op))), nil
}

// RuleOf returns the identifier of the rule by which this library answers a
// question: the one that decides, or by which a definition is refused or its
// fate is open. It is "" for a definition that is accepted, and for a few refusals
// that no rule is about.
func RuleOf(q conformance.Question) string {
	a, err := answerTo(q)
	var byMongo *mongo.SpecError
	var byCosmos *cosmos.SpecError
	switch {
	case errors.As(err, &byMongo):
		return byMongo.Rule.String()
	case errors.As(err, &byCosmos):
		return byCosmos.Rule.String()
	}
	var out struct{ Rule string }
	json.Unmarshal(a.Out, &out) // of no result, nothing
	return out.Rule
}

// answerFor returns the answer that an error of the library stands for.
func answerFor(err error, t conformance.Target) conformance.Answer {
	var byMongo *mongo.SpecError
	var byCosmos *cosmos.SpecError
	isOpen := errors.Is(err, policy.ErrUnspecified)
	switch {
	case errors.Is(err, mongo.ErrUnknownVersion), errors.Is(err, mongo.ErrParameter):
		return conformance.Skipped(err.Error())
	case errors.As(err, &byMongo) && isOpen:
		return conformance.Skipped("unspecified: " + byMongo.Rule.String())
	case errors.As(err, &byMongo):
		return conformance.Refused(conformance.Refusal{Code: int(byMongo.Code), CodeName: codeName(t, byMongo.Code), Message: byMongo.Reason})
	case errors.As(err, &byCosmos) && isOpen:
		return conformance.Skipped("unspecified: " + byCosmos.Rule.String())
	case errors.As(err, &byCosmos):
		return refusedByCosmos(byCosmos)
	}
	return conformance.Fault(err.Error())
}

// inputFault is the fault that a member of the input is to blame for.
func inputFault(member string, err error) error { return fmt.Errorf("in.%s: %v", member, err) }

// echo returns the value that it gets, read and written by the library, so that
// a runner sees what is lost on the way: nothing.
func echo(q question) (conformance.Answer, error) {
	return conformance.Result(map[string]json.RawMessage{"value": policy.AppendExtJSON(nil, q.Value)}), nil
}

// sourceName names the source that gave a deadline, as far as it has a name.
func sourceName(names []string, d policy.Decision) string {
	if int(d.Source) < len(names) {
		return names[d.Source]
	}
	return ""
}
