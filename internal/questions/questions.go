// Package questions answers the questions of the adapter protocol with this
// library: for the system of package internal/suite/library, and for programs in
// other languages, which ask a WebAssembly module. It does not use encoding/json,
// to keep that module small.
package questions

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Question is a question with its input already read.
type Question struct {
	Input
	Op     string
	Target Target
	// written means that a person wrote the policy, and that no server listed it. An
	// unknown option is then an error.
	written bool
}

// An Answer is the answer of this library to a question. It is the result Out, unless
// Refusal, Skip or Fault is set.
type Answer struct {
	Out     policy.D // its JSON is canonical Extended JSON
	Refusal *Refusal // set if the database refuses
	Skip    string   // why this library gives no answer
	Fault   string   // what is wrong with the question
	// Rule identifies the rule that decides, or the rule by which a definition is
	// refused or its fate is unspecified. It is "" for an accepted definition, and
	// for a few refusals without a rule.
	Rule string
}

// A Refusal is the answer that the database itself refuses the request.
type Refusal struct {
	Code     int // of MongoDB; 0 where it is unspecified
	CodeName string
	Status   int // of Cosmos DB
	Message  string
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
	answer func(Question) (policy.D, error)
}{
	{Echo, echo},
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

// Ask answers a question. The parameter in holds the question's input: a JSON object,
// which need not be checked before, or nil.
func Ask(op string, t Target, in []byte) Answer {
	for _, a := range answerers {
		if a.op == op {
			return ask(a.answer, op, t, in)
		}
	}
	return Answer{Skip: unknown(op)}
}

func ask(answer func(Question) (policy.D, error), op string, t Target, in []byte) Answer {
	if system := Operations[op].System; system != "" && t.System != system {
		return Answer{Skip: fmt.Sprintf("%s answers for the system %s, not for %q", op, system, members.Clip(t.System))}
	}
	input, err := Read(op, in)
	if err != nil {
		return Answer{Fault: err.Error()}
	}
	out, err := answer(Question{Input: input, Op: op, Target: t})
	if err != nil {
		return t.answerFor(err)
	}
	rule, _ := out.Field("rule").AsString()
	return Answer{Out: out, Rule: rule}
}

// answerFor returns the answer for an error of the library.
func (t Target) answerFor(err error) Answer {
	var byMongo *mongo.SpecError
	var byCosmos *cosmos.SpecError
	switch {
	case errors.Is(err, mongo.ErrUnknownVersion), errors.Is(err, cosmos.ErrUnknownVersion), errors.Is(err, mongo.ErrParameter):
		return Answer{Skip: err.Error()}
	case errors.As(err, &byMongo):
		return refused(err, byMongo.Rule, Refusal{Code: int(byMongo.Code), CodeName: t.codeName(byMongo.Code), Message: byMongo.Reason})
	case errors.As(err, &byCosmos):
		r := Refusal{Status: byCosmos.Status, Code: byCosmos.Code, Message: byCosmos.Reason}
		if r.Code != 0 {
			r.CodeName = codes.Name(int32(r.Code))
		}
		return refused(err, byCosmos.Rule, r)
	}
	return Answer{Fault: err.Error()}
}

// refused returns r, unless the refusal is unspecified.
func refused(err error, rule policy.Rule, r Refusal) Answer {
	if errors.Is(err, policy.ErrUnspecified) {
		return Answer{Skip: "unspecified: " + rule.String(), Rule: rule.String()}
	}
	return Answer{Refusal: &r, Rule: rule.String()}
}

// inputFault returns the fault in a member of the input.
func inputFault(member string, err error) error { return fmt.Errorf("in.%s: %v", member, err) }

// Reply answers a question in JSON. The question is an object with "op", "target"
// and "in"; the answer is an object with one member: "out", "error", "skip" or
// "fault".
func Reply(question []byte) []byte { return reply(question).text() }

// ReplyTo returns the answer in JSON for an error of the library about a target.
func ReplyTo(t Target, err error) []byte { return t.answerFor(err).text() }

func (a Answer) text() []byte {
	switch {
	case a.Fault != "":
		return one("fault", policy.StringValue(a.Fault))
	case a.Skip != "":
		return one("skip", policy.StringValue(a.Skip))
	case a.Refusal != nil:
		return one("error", policy.ObjectValue(a.Refusal.fields()))
	}
	return append(policy.AppendExtJSON([]byte(`{"out":`), policy.ObjectValue(a.Out)), '}')
}

func one(name string, v policy.Value) []byte {
	return plainjson.Append(nil, policy.ObjectValue(policy.D{field(name, v)}))
}

func reply(question []byte) Answer {
	request, err := members.Cut(question)
	if err != nil {
		return Answer{Fault: err.Error()}
	}
	op, err := request.Text("op")
	if err != nil {
		return Answer{Fault: err.Error()}
	}
	t, err := ReadTarget(request)
	if err != nil && Operations[op].System != "" {
		return Answer{Fault: err.Error()}
	}
	return Ask(op, t, request.Raw("in"))
}

// fields are the members of a refusal's JSON.
func (r Refusal) fields() policy.D {
	fields := policy.D{field("class", policy.StringValue("refused"))}
	if r.Code != 0 {
		fields = append(fields, field("code", policy.Int64Value(int64(r.Code))), field("codeName", policy.StringValue(r.CodeName)))
	}
	if r.Status != 0 {
		fields = append(fields, field("status", policy.Int64Value(int64(r.Status))))
	}
	return append(fields, field("message", policy.StringValue(r.Message)))
}

// field is one member of a result.
func field(name string, v policy.Value) policy.E { return policy.E{Key: name, Value: v} }

// echo returns the value that it gets, read and written by the library, so that
// a runner can check that nothing is lost on the way.
func echo(q Question) (policy.D, error) { return policy.D{field("value", q.Value)}, nil }

// decide answers an operation that decides.
func decide(q Question) (policy.D, error) {
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
