package cases

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Source draws parts of questions from rapid, within a claim. Shrinking ends
// at the simplest value: the first of a list.
type Source struct {
	*Claim
	t *rapid.T
}

// From returns a source that draws from t.
func (c *Claim) From(t *rapid.T) Source { return Source{c, t} }

// Of returns a generator of the values that draw makes from a source.
func Of[T any](c *Claim, draw func(Source) T) *rapid.Generator[T] {
	return rapid.Custom(func(t *rapid.T) T { return draw(c.From(t)) })
}

// Pick draws one element of the list.
func Pick[T any](s Source, list ...T) T { return rapid.SampledFrom(list).Draw(s.t, "pick") }

// Either draws true or false.
func (s Source) Either() bool { return rapid.Bool().Draw(s.t, "either") }

// Range draws a number from a range, both ends included.
func (s Source) Range(low, high int64) int64 { return rapid.Int64Range(low, high).Draw(s.t, "range") }

// Shuffled draws another order of a list.
func Shuffled[T any](s Source, list []T) []T { return rapid.Permutation(list).Draw(s.t, "order") }

// sometimes draws true one time in n.
func (s Source) sometimes(n int) bool { return s.Range(0, int64(n)-1) == int64(n)-1 }

// Target draws a claimed release for an operation, not earlier than the given one; ""
// allows any. There must be such a release: see [Claim.Asks].
func (s Source) Target(op, from string) conformance.Target {
	system := conformance.SystemOf(op)
	t := conformance.Target{System: system, Version: Pick(s, s.since(system, from)...)}
	if system == conformance.CosmosMongo && s.Knows("custom-path") && s.Either() {
		t.Capabilities = []string{customPath}
	}
	return t
}

// customPath is the capability of an account whose TTL index may be on any
// field.
const customPath = "EnableTtlOnCustomPath"

// Said holds the parts of the reference's answer that are not compared with the answers
// of systems.
type Said struct {
	// Rule is the rule that decides, or by which a definition is refused; "" if
	// there is none.
	Rule     string
	Deadline policy.Value // the deadline of a document that expires
	// Unspecified means that no source establishes the right answer.
	Unspecified bool
}

// Reference returns the reference's rule, deadline and certainty for a question.
func (c Case) Reference() Said {
	q := c.Question()
	a := library.New().Ask(q)
	out, _ := policy.ParseExtJSON(a.Out) // Missing if the answer is not a result
	rule, _ := out.Field("rule").AsString()
	if a.Kind != conformance.KindOut {
		rule = library.RuleOf(q)
	}
	r, known := suite.RuleByID(rule)
	return Said{rule, out.Field("deadline"), a.Kind == conformance.KindSkipped || known && r.IsUnspecified()}
}

// Ask asks a system questions, all at once if it supports that.
func Ask(s conformance.System, list ...Case) []conformance.Answer {
	var questions []conformance.Question
	for _, c := range list {
		questions = append(questions, c.Question())
	}
	return conformance.AskAll(s, questions)
}

// Ambiguous is the rule about documents that a server refuses to store, so that its
// answer about them does not count.
const Ambiguous = "mongo.path-ambiguous"

// IsUnspecified reports whether answers cannot be compared: the sources do not establish
// the right answer, or the claimed database could not store the document.
func (c *Claim) IsUnspecified(asked Case) bool {
	said := asked.Reference()
	return said.Unspecified || said.Rule == Ambiguous && !c.Knows("any-document")
}

// decimal returns a decimal128 from its text.
func decimal(text string) policy.Value { return parsed(`{"$numberDecimal": "` + text + `"}`) }

// Date draws a date.
func (s Source) Date() policy.Value { return policy.DateValue(s.Instant()) }

// NonDate draws a value that is neither a date nor an array. It looks like a
// date if possible.
func (s Source) NonDate(release string) policy.Value {
	list := []policy.Value{
		policy.NullValue(), policy.StringValue("2001-09-09T01:46:40.000Z"), policy.Int64Value(1_000_000_000_000), policy.Int32Value(1_000_000_000),
		policy.DoubleValue(1e12), policy.BoolValue(true), policy.StringValue(""), policy.Int32Value(0), policy.Int64Value(math.MinInt64),
		policy.DoubleValue(math.NaN()), policy.DoubleValue(math.Inf(-1)), policy.DoubleValue(math.Copysign(0, -1)),
		object(), object("z", policy.Instant(0)), object("0", policy.Instant(0)),
	}
	if s.Knows("decimal128") && !Before(release, "3.4.0") {
		list = append(list, decimal("1000000000000"), decimal("NaN"), decimal("Infinity"))
	}
	if s.Knows("bson-types") && !Before(release, "3.2.0") {
		list = append(list, rareValues...)
	}
	return Pick(s, list...)
}

// rareValues are of the types that only BSON has.
var rareValues = []policy.Value{
	policy.ObjectIDValue([12]byte{0x3B, 0x9A, 0xCA}), policy.TimestampValue(1_000_000_000, 1), policy.TimestampValue(math.MaxUint32, 0),
	policy.BinaryValue(0, []byte{0, 0, 0, 0, 0, 0, 0, 0}), policy.RegexValue("^2001", ""), valuefunc.F.RareValue(policy.Code, "new Date(0)"), valuefunc.F.RareValue(policy.Symbol, "2001-09-09"),
	valuefunc.F.RareValue(policy.Undefined, ""), valuefunc.F.RareValue(policy.MinKey, ""), valuefunc.F.RareValue(policy.MaxKey, ""), valuefunc.F.DBPointerValue("db.c", [12]byte{}),
}

// NonDates draws the content of a field that holds no date: a value, an array whose
// elements are not dates, or Missing.
func (s Source) NonDates(release string) policy.Value {
	switch s.Range(0, 5) {
	case 0:
		return policy.Value{}
	case 1:
		return policy.ListValue(policy.A{})
	case 2:
		return policy.ListValue(policy.A{s.NonDate(release), s.Nested()})
	}
	return s.NonDate(release)
}

// Nested draws an array for a place within an array: its dates do not count.
func (s Source) Nested() policy.Value {
	v := policy.ListValue(Pick(s, policy.A{policy.DateValue(0)}, policy.A{}, policy.A{policy.DateValue(policy.MinInstant)}))
	for range s.Range(0, 2) {
		v = policy.ListValue(policy.A{v})
	}
	if !s.Knows("far-dates") {
		v = MapDates(v, func(policy.Instant) policy.Instant { return 0 })
	}
	return v
}

// Element draws an element of an array that is not a date.
func (s Source) Element(release string) policy.Value {
	if s.sometimes(3) {
		return s.Nested()
	}
	return s.NonDate(release)
}

// A Draft holds the members of a vector beside its question.
type Draft struct {
	Prefix  string // the start of the vector's identifier
	Title   string // a sentence
	Comment string
}

// Vector writes the question as a vector without its answers, about the rule by which
// this library answers. Somebody has to work out the right answer from a source and fill
// in "want", as in the files of testdata/vectors. The identifier is the same for the
// same question.
func (c Case) Vector(d Draft) string {
	sum := sha256.Sum256([]byte(c.GoString()))
	said := c.Reference()
	rules := []string{}
	if said.Rule != "" {
		rules = append(rules, said.Rule)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  {\n   \"id\": %s, \"rev\": 1,\n", quoted(d.Prefix+"-"+hex.EncodeToString(sum[:3])))
	fmt.Fprintf(&b, "   \"title\": %s,\n", quoted(strings.TrimSuffix(d.Title, ".")))
	fmt.Fprintf(&b, "   \"rules\": %s, \"op\": %s,\n", quoted(rules), quoted(c.Op))
	if c.isBoundary(said) {
		b.WriteString("   \"flags\": [\"Threshold\"],\n")
	}
	if needs := c.Needs(); len(needs) > 0 {
		fmt.Fprintf(&b, "   \"needs\": %s,\n", quoted(needs))
	}
	fmt.Fprintf(&b, "   \"comment\": %s,\n   \"in\": %s,\n   \"want\": []\n  }", quoted(d.Comment), c.text())
	return b.String()
}

// quoted writes texts as JSON.
func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return `""` // strings and lists of strings always have a form in JSON
	}
	return string(text)
}

// isBoundary reports whether the clock is on the deadline, or a millisecond
// from it.
func (c Case) isBoundary(said Said) bool {
	due, ok := said.Deadline.AsDate()
	distance := due - c.Now()
	return ok && -1 <= distance && distance <= 1
}
