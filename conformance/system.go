package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A System is an implementation under test. A System in Go answers in process;
// the protocol of docs/adapter.md carries the same questions and answers to
// programs in any language.
type System interface {
	// Hello describes the system and its claims.
	Hello() Hello
	// Ask answers one question. It is not called concurrently.
	Ask(Question) Answer
}

// NewSystem returns a system that has this Hello and answers each question with ask.
func NewSystem(hello Hello, ask func(Question) Answer) System { return system{hello, ask} }

type system struct {
	hello Hello
	ask   func(Question) Answer
}

func (s system) Hello() Hello          { return s.hello }
func (s system) Ask(q Question) Answer { return s.ask(q) }

// A Batcher is a System that answers many questions at once.
type Batcher interface {
	System
	// AskAll yields answers as they come, each with the position of its question,
	// in any order. A caller that stops ranging over them ends the batch.
	AskAll([]Question) iter.Seq2[int, Answer]
}

// Hello is the description of a system and its claims. Its JSON is the protocol's answer to
// hello.
type Hello struct {
	Protocol int    `json:"protocol"` // 1
	Name     string `json:"name"`
	Version  string `json:"version"` // a release or a commit
	Language string `json:"language,omitempty"`
	Homepage string `json:"homepage,omitempty"`
	Issues   string `json:"issues,omitempty"`
	// Ops are the operations that the system answers.
	Ops []string `json:"ops"`
	// Systems are the databases that the system implements, each with its releases as in
	// a vector, such as ">=5.0.0", or "*" for all.
	Systems map[string]string `json:"systems"`
	// RuleSets are the rule sets of the suite that the system claims.
	RuleSets []string `json:"profiles,omitempty"`
	// Features are the features of the suite that the system claims. They determine how
	// much of an answer is compared; see the constants.
	Features []string `json:"features,omitempty"`
}

// The features that determine how much of an answer is compared. If a system claims
// none of them, the suite compares only whether a document is expired, and whether a
// definition is refused.
const (
	FeatureDeadline    = "deadline"     // the deadline, and the difference between pending and never
	FeatureNever       = "never"        // the difference between pending and never, without the deadline
	FeatureRule        = "rule"         // the identifier of the rule
	FeatureIndex       = "index"        // the index that decided
	FeatureErrorCode   = "error.code"   // code and codeName of a refusal
	FeatureErrorStatus = "error.status" // the HTTP status of a refusal
	FeatureTypes       = "types"        // the types of numbers in results
)

// A Question is a question to a system, without the identifier and the expectation of its
// vector.
type Question struct {
	Op     string          `json:"op"`
	Target Target          `json:"target"`
	In     json.RawMessage `json:"in"`
}

// A Refusal is the answer for a request that the database itself refuses.
type Refusal struct {
	Class    string `json:"class"`              // "refused"
	Code     int    `json:"code,omitempty"`     // of MongoDB
	CodeName string `json:"codeName,omitempty"` // of MongoDB
	Status   int    `json:"status,omitempty"`   // of Cosmos DB
	Message  string `json:"message,omitempty"`  // never compared
}

// String returns the parts of a refusal that are compared.
func (r *Refusal) String() string {
	switch {
	case r == nil:
		return "no refusal"
	case r.Status != 0:
		return fmt.Sprintf("%s with status %d", r.Class, r.Status)
	case r.Code != 0 && r.CodeName == "":
		return fmt.Sprintf("%s with %d", r.Class, r.Code)
	case r.Code != 0:
		return fmt.Sprintf("%s with %s (%d)", r.Class, r.CodeName, r.Code)
	}
	return r.Class
}

// A Kind is the kind of an [Answer].
type Kind uint8

// The kinds. A system gives none of the last four: a runner notes them
// instead of an answer.
const (
	KindNone     Kind = iota // nothing; the zero Answer
	KindOut                  // a result
	KindRefused              // the database refuses
	KindSkipped              // not supported
	KindUnknown              // the answer cannot be found out by asking this system
	KindBoundary             // the outcome is too near a boundary to be told from the observation
	KindFault                // the implementation broke, and noticed
	KindCrash                // the implementation ended, or panicked
	KindTimeout              // no answer came in time
	KindBreach               // the output breaches the protocol
	KindAborted              // not asked: too many questions failed before
)

var kindNames = []string{"none", "out", "error", "skip", "unknown", "boundary", "fault", "crash", "timeout", "protocol", "aborted"}

// String returns the kind's name, such as "out".
func (k Kind) String() string { return enum.String(k, kindNames) }

// An Answer is a system's answer to one question. Make one with [Result], [Decided],
// [Refused], [Skipped], [Unknown], [OnBoundary] or [Fault].
type Answer struct {
	Kind    Kind
	Out     json.RawMessage // of KindOut
	Refusal *Refusal        // of KindRefused
	Text    string          // of the other kinds: the reason
}

// Result returns the answer whose result is v, a value that encoding/json writes as an
// object. The list gives the members for each operation, as in docs/adapter.md. For an
// operation that decides, use [Decided].
//
//   - mongodb.createIndexes: created, false if the very index exists already; and
//     expireAfterSeconds as the catalog stores it, which need not be what listIndexes
//     shows, left out if it is no TTL index.
//   - mongodb.collMod: expireAfterSeconds_old and expireAfterSeconds_new, of 64 bits, each
//     left out where the server does not report it.
//   - mongodb.history, cosmos.history: looks, an array with the identifiers that each look
//     found, in the order in which the documents were first stored.
//   - cosmos.validateContainer: warnings, an array of texts, left out if there are none.
//   - mongodb.create, cosmos.validateItem, cosmosmongo.createIndexes: none.
//
// Values of MongoDB are canonical Extended JSON, which [policy.AppendExtJSON] writes.
func Result(v any) Answer {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return Fault(err.Error())
	}
	return Answer{Kind: KindOut, Out: bytes.TrimSpace(out.Bytes())}
}

// Decided returns the answer to an operation that decides. index is the name of
// the index that gave the deadline, or "" if none did.
func Decided(d policy.Decision, index string) Answer {
	out := struct {
		State    policy.State    `json:"state"`
		Deadline json.RawMessage `json:"deadline"`
		Index    string          `json:"index,omitempty"`
		Rule     string          `json:"rule,omitempty"`
	}{d.State, json.RawMessage("null"), "", d.Rule.String()}
	if deadline, ok := d.Deadline(); ok {
		out.Deadline = policy.AppendExtJSON(nil, policy.DateValue(deadline))
		out.Index = index
	}
	return Result(out)
}

// Refused returns the answer for a request that the database refuses.
func Refused(r Refusal) Answer {
	if r.Class == "" {
		r.Class = refusedClass
	}
	return Answer{Kind: KindRefused, Refusal: &r}
}

const refusedClass = "refused"

// Skipped returns the answer for a question that the system does not support.
func Skipped(reason string) Answer { return Answer{Kind: KindSkipped, Text: reason} }

// Unknown returns the answer for a question that this system cannot be asked, although
// it may implement the behaviour, such as a server whose clock cannot be set.
func Unknown(reason string) Answer { return Answer{Kind: KindUnknown, Text: reason} }

// OnBoundary returns the answer for an outcome that is too near a boundary to be told from
// the observation.
func OnBoundary(reason string) Answer { return Answer{Kind: KindBoundary, Text: reason} }

// Fault returns the answer for an error of the implementation itself.
func Fault(text string) Answer { return Answer{Kind: KindFault, Text: text} }

// MarshalJSON returns the answer in the form of the protocol, without seq. The member is
// named after the kind, such as "crash" for a kind that only a runner notes.
func (a Answer) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// String returns the answer in the form of the protocol. It does without encoding/json, which
// would take the WebAssembly module over its limit.
func (a Answer) String() string {
	value := policy.StringValue(a.Text)
	switch {
	case a.Out != nil && a.Kind == KindOut:
		return `{"out":` + string(a.Out) + `}`
	case a.Refusal != nil && a.Kind == KindRefused:
		value = policy.ObjectValue(a.Refusal.fields())
	case a.Kind == KindOut, a.Kind == KindRefused:
		value = policy.NullValue()
	}
	return string(plainjson.Append(nil, policy.ObjectValue(policy.D{{Key: a.Kind.String(), Value: value}})))
}

// fields returns the members that are set.
func (r *Refusal) fields() (d policy.D) {
	add := func(name string, v policy.Value, isSet bool) {
		if isSet {
			d = append(d, policy.E{Key: name, Value: v})
		}
	}
	add("class", policy.StringValue(r.Class), true)
	add("code", policy.Int64Value(int64(r.Code)), r.Code != 0)
	add("codeName", policy.StringValue(r.CodeName), r.CodeName != "")
	add("status", policy.Int64Value(int64(r.Status)), r.Status != 0)
	add("message", policy.StringValue(r.Message), r.Message != "")
	return d
}

// UnmarshalJSON reads the output of MarshalJSON. It ignores other members, and members that
// are null.
func (a *Answer) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	*a = Answer{}
	for k := KindOut; k <= KindAborted; k++ {
		raw, ok := members[k.String()]
		if !ok || string(raw) == "null" {
			continue
		}
		a.Kind = k
		switch k {
		case KindOut:
			var compact bytes.Buffer
			err := json.Compact(&compact, raw)
			a.Out = compact.Bytes()
			return err
		case KindRefused:
			return json.Unmarshal(raw, &a.Refusal)
		default:
			return json.Unmarshal(raw, &a.Text)
		}
	}
	return nil
}

// AskAll asks a system many questions, all at once if it is a [Batcher]. It
// returns one answer for each question, in the order of the questions; a missing
// answer is the zero Answer. A panic counts as a crash.
func AskAll(system System, questions []Question) (answers []Answer) {
	answers = make([]Answer, len(questions))
	if b, ok := system.(Batcher); ok {
		guard(answers, func() {
			for i, a := range b.AskAll(questions) {
				if 0 <= i && i < len(answers) {
					answers[i] = a
				}
			}
		})
		return answers
	}
	for i, q := range questions {
		guard(answers[i:i+1], func() { answers[i] = system.Ask(q) })
	}
	return answers
}

// guard calls ask. A panic does not show which question caused it, so every question
// without an answer then counts as crashed.
func guard(answers []Answer, ask func()) {
	defer func() {
		if trouble := recover(); trouble != nil {
			for i := range answers {
				if answers[i].Kind == KindNone {
					answers[i] = Answer{Kind: KindCrash, Text: fmt.Sprintf("panic: %v", trouble)}
				}
			}
		}
	}()
	ask()
}
