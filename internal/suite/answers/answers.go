// Package answers answers the questions of the adapter protocol with this library: for the
// system of package library, and for programs in other languages, which ask a WebAssembly
// module.
package answers

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A question is a question with its input already read.
type question struct {
	conformance.Input
	Op     string
	Target conformance.Target
	// written means that a person wrote the policy, and that no server listed it. An
	// unknown option is then an error.
	written bool
}

// Names returns the names of the operations, in their order in the protocol's hello.
func Names() (names []string) {
	for _, a := range answerers {
		names = append(names, a.op)
	}
	return names
}

var answerers = []struct {
	op     string
	answer func(question) (policy.D, error)
}{
	{questions.Echo, echo},
	{"mongodb.decide", decide},
	{"mongodb.createIndexes", createIndexes},
	{"mongodb.collMod", collMod},
	{"mongodb.create", create},
	{"mongodb.history", mongoHistory},
	{"documentdb.decide", decide},
	{"documentdb.createIndexes", createIndexes},
	{"documentdb.collMod", collMod},
	{"documentdb.create", create},
	{"cosmos.decide", decide},
	{"cosmos.validateContainer", validateContainer},
	{"cosmos.validateItem", validateItem},
	{"cosmos.history", cosmosHistory},
	{"cosmosmongo.decide", decide},
	{"cosmosmongo.createIndexes", createCosmosMongoIndexes},
}

// Ask answers a question, whose input need not be checked before. The rule is the one that
// decides, or the one by which a definition is refused or its fate is unspecified. It is ""
// for an accepted definition, and for a few refusals without a rule.
func Ask(q conformance.Question) (a conformance.Answer, rule string) {
	for _, a := range answerers {
		if a.op == q.Op {
			return ask(a.answer, q)
		}
	}
	return conformance.Skipped(questions.Unknown(q.Op)), ""
}

func ask(answer func(question) (policy.D, error), q conformance.Question) (a conformance.Answer, rule string) {
	if system := conformance.SystemOf(q.Op); system != "" && q.Target.System != system {
		return conformance.Skipped(fmt.Sprintf("%s answers for the system %s, not for %q", q.Op, system, members.Clip(q.Target.System))), ""
	}
	input, err := q.Input()
	if err != nil {
		return conformance.Fault(err.Error()), ""
	}
	out, err := answer(question{Input: input, Op: q.Op, Target: q.Target})
	if err != nil {
		return answerFor(err)
	}
	rule, _ = out.Field("rule").AsString()
	return conformance.Answer{Kind: conformance.KindOut, Out: policy.AppendExtJSON(nil, policy.ObjectValue(out))}, rule
}

// answerFor returns the answer for an error of the library. A refusal of MongoDB has the name
// that the release of the profile sends with the code, "" if that is unspecified.
func answerFor(err error) (a conformance.Answer, rule string) {
	var byMongo *mongo.SpecError
	var byCosmos *cosmos.SpecError
	switch {
	case errors.Is(err, mongo.ErrUnknownVersion), errors.Is(err, cosmos.ErrUnknownVersion), errors.Is(err, mongo.ErrParameter):
		return conformance.Skipped(err.Error()), ""
	case errors.As(err, &byMongo):
		return refused(err, byMongo.Rule, conformance.Refusal{Code: int(byMongo.Code), CodeName: byMongo.CodeName, Message: byMongo.Reason})
	case errors.As(err, &byCosmos):
		r := conformance.Refusal{Status: byCosmos.Status, Code: byCosmos.Code, Message: byCosmos.Reason}
		if r.Code != 0 {
			r.CodeName = codes.Name(int32(r.Code))
		}
		return refused(err, byCosmos.Rule, r)
	}
	return conformance.Fault(err.Error()), ""
}

// refused returns r, unless the refusal is unspecified.
func refused(err error, rule policy.Rule, r conformance.Refusal) (conformance.Answer, string) {
	if errors.Is(err, policy.ErrUnspecified) {
		return conformance.Skipped("unspecified: " + rule.String()), rule.String()
	}
	return conformance.Refused(r), rule.String()
}

// inputFault returns the fault in a member of the input.
func inputFault(member string, err error) error { return fmt.Errorf("in.%s: %v", member, err) }

// Reply answers a question in JSON. The question is an object with "op", "target"
// and "in"; the answer is an object with one member: "out", "error", "skip" or
// "fault".
func Reply(question []byte) []byte {
	request, err := members.Cut(question)
	if err != nil {
		return []byte(conformance.Fault(err.Error()).String())
	}
	q, err := Read(request)
	if err != nil {
		return []byte(conformance.Fault(err.Error()).String())
	}
	a, _ := Ask(q)
	return []byte(a.String())
}

// ReplyTo returns the answer in JSON for an error of the library about a policy.
func ReplyTo(err error) []byte {
	a, _ := answerFor(err)
	return []byte(a.String())
}

// Read reads the question of a request. Only the operations that are about a system need a
// target. The question shares the memory of the request.
func Read(request members.Object) (q conformance.Question, err error) {
	if q.Op, err = request.Text("op"); err != nil {
		return q, err
	}
	q.In = request.Raw("in")
	if q.Target, err = readTarget(request); conformance.SystemOf(q.Op) == "" {
		err = nil
	}
	return q, err
}

// field is one member of a result.
func field(name string, v policy.Value) policy.E { return policy.E{Key: name, Value: v} }

// echo returns the value that it gets, read and written by the library, so that
// a runner can check that nothing is lost on the way.
func echo(q question) (policy.D, error) { return policy.D{field("value", q.Value)}, nil }

// decide answers an operation that decides.
func decide(q question) (policy.D, error) {
	p, err := q.compile()
	if err != nil {
		return nil, err
	}
	var doc policy.Document = q.Document
	if p.System == definition.CosmosNoSQL {
		doc = &q.Item
	}
	d := p.Decide(doc, q.Now)
	if c, ok := p.Evaluator.(*cosmos.Collection); ok && q.TS != nil {
		d = c.DecideAt(doc, cosmos.TimestampSeconds(*q.TS), q.Now)
	}
	return decided(d, p.SourceNames), nil
}

// decided returns the result of an operation that decides. Sources are the
// names of the sources that can give a deadline.
func decided(d policy.Decision, sources []string) policy.D {
	out := policy.D{field("state", policy.StringValue(d.State.String())), field("deadline", policy.NullValue())}
	if deadline, ok := d.Deadline(); ok {
		out[1].Value = policy.DateValue(deadline)
		if i := int(d.Source); i < len(sources) && sources[i] != "" {
			out = append(out, field("index", policy.StringValue(sources[i])))
		}
	}
	if !d.Rule.IsZero() {
		out = append(out, field("rule", policy.StringValue(d.Rule.ID())))
	}
	return out
}
