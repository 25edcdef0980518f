package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Reference returns the system that answers with this library. Questions may
// come from anywhere: what of one is malformed is a fault that names the
// member.
func Reference() System { return reference{} }

type reference struct{}

// answerers are the operations of the reference, in the order of its hello. An
// error is a fault, unless answerFor knows it better.
var answerers = []struct {
	op     string
	answer func(Question) (Answer, error)
}{
	{echoOp, echo},
	{"mongodb.decide", decideMongoDB},
	{"mongodb.createIndexes", createIndexes},
	{"mongodb.collMod", collMod},
	{"mongodb.create", create},
	{"cosmos.decide", decideCosmos},
	{"cosmos.validateContainer", validateContainer},
	{"cosmos.validateItem", validateItem},
	{"cosmosmongo.decide", decideCosmosMongo},
	{"cosmosmongo.createIndexes", createCosmosIndexes},
}

// Hello claims everything.
func (reference) Hello() Hello {
	h := Hello{
		Protocol: 1, Name: "ttlpolicy", Version: "0.1.0", Language: "go",
		Homepage: "https://github.com/ttlpolicy/ttlpolicy",
		Issues:   "https://github.com/ttlpolicy/ttlpolicy/issues",
		Systems:  map[string]string{MongoDB: ">=2.2.0", CosmosNoSQL: "*", CosmosMongo: "*"},
		Features: append(slices.Sorted(maps.Keys(Embedded().Features)),
			FeatureDeadline, FeatureRule, FeatureIndex, FeatureErrorCode, FeatureErrorStatus, FeatureTypes),
		MaxInFlight: 1,
	}
	for _, a := range answerers {
		h.Ops = append(h.Ops, a.op)
	}
	for _, p := range Embedded().RuleSets {
		h.RuleSets = append(h.RuleSets, p.Name)
	}
	return h
}

// Ask answers one question.
func (reference) Ask(q Question) Answer {
	a, err := answerTo(q)
	if err != nil {
		return answerFor(err, q.Target)
	}
	return a
}

// answerTo answers a question, or returns the library's error.
func answerTo(q Question) (Answer, error) {
	for _, a := range answerers {
		if a.op != q.Op {
			continue
		}
		if system := SystemOf(q.Op); system != "" && q.Target.System != system {
			return Skipped(fmt.Sprintf("%s answers for the system %s, not for %q", q.Op, system, members.Clip(q.Target.System))), nil
		}
		return a.answer(q)
	}
	return Skipped(fmt.Sprintf("no operation %q", members.Clip(q.Op))), nil
}

// RuleOf returns the identifier of the rule by which this library answers a
// question: the one that decides, or by which a definition is refused or its
// fate is open. It is "" for a definition that is taken, and for a few refusals
// that no rule is about.
func RuleOf(q Question) string {
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
func answerFor(err error, t Target) Answer {
	var byMongo *mongo.SpecError
	var byCosmos *cosmos.SpecError
	switch {
	case errors.Is(err, mongo.ErrUnknownVersion), errors.Is(err, mongo.ErrParameter):
		return Skipped(err.Error())
	case errors.As(err, &byMongo) && errors.Is(err, policy.ErrUnspecified):
		return Skipped("unspecified: " + byMongo.Rule.String())
	case errors.As(err, &byMongo):
		return Refused(Refusal{Code: int(byMongo.Code), CodeName: t.codeName(byMongo.Code), Message: byMongo.Reason})
	case errors.As(err, &byCosmos) && errors.Is(err, policy.ErrUnspecified):
		return Skipped("unspecified: " + byCosmos.Rule.String())
	case errors.As(err, &byCosmos):
		return refusedByCosmos(byCosmos)
	}
	return Fault(err.Error())
}

func refusedByCosmos(err *cosmos.SpecError) Answer {
	r := Refusal{Status: int(err.Status), Code: int(err.Code), Message: err.Reason}
	if err.Code != 0 {
		r.CodeName = err.Code.Name()
	}
	return Refused(r)
}

// echo returns the value that it gets, read and written by the library, so that
// a runner sees what is lost on the way: nothing.
func echo(q Question) (Answer, error) {
	v, err := q.Echo()
	if err != nil {
		return Answer{}, err
	}
	return Result(map[string]json.RawMessage{"value": policy.AppendExtJSON(nil, v)}), nil
}
