package library

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

func TestReferenceConforms(t *testing.T) { suite.Test(t, 1, suite.Embedded(), New()) }

// TestReferenceKeepsWhatIsOpen: a document whose fate is unspecified is kept, by the rule
// that the gap names.
func TestReferenceKeepsWhatIsOpen(t *testing.T) {
	s := suite.Embedded()
	asked := 0
	for _, v := range s.Vectors {
		for i, g := range v.Unspecified {
			if !strings.HasSuffix(v.Op, ".decide") {
				continue
			}
			only := *v
			only.Want, only.Unspecified = nil, v.Unspecified[i:i+1]
			part := s.Only(func(*suite.Vector) bool { return false })
			part.Vectors = []*suite.Vector{&only}
			r, err := suite.Run(part, New())
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Checks {
				asked++
				var out struct{ State, Rule string }
				err := json.Unmarshal(c.Answer.Out, &out)
				if out.Rule == "mongo.timeseries-rounding-unspecified" {
					out.State = "never" // until the later of the two deadlines, of which the vectors do not tell
				}
				if err != nil || out.State != "never" || out.Rule != g.Rule.ID() {
					t.Errorf("%s at %s is answered %s, want never by %s", v.ID, c.Target, c.Answer, g.Rule)
				}
			}
		}
	}
	if asked < 100 {
		t.Errorf("%d questions are unspecified, want more", asked)
	}
}

// An asking is a question to the reference, with the answer from the vendor's sources.
type asking struct {
	why    string
	target string // "mongodb 6.0.1", "cosmos-mongo 4.2+aCapability", or a system alone
	in     string // without the braces; $n stands for a date of n milliseconds
	want   string // "expired 1700003600000 mongo.date index", "never mongo.field-null", the whole result of what does not decide, "error code name", "skip …", "fault …"
}

// dates replaces each $n by a date of n milliseconds.
func dates(in string) string {
	parts := strings.Split(in, "$")
	for i, p := range parts[1:] {
		n := len(p) - len(strings.TrimLeft(p, "-0123456789"))
		if n == 0 {
			parts[i+1] = "$" + p // an operator or a wrapper
			continue
		}
		parts[i+1] = `{"$date":{"$numberLong":"` + p[:n] + `"}}` + p[n:]
	}
	return strings.Join(parts, "")
}

// put returns q as a question to an operation.
func (q asking) put(op string) conformance.Question {
	system, version, _ := strings.Cut(q.target, " ")
	version, capability, _ := strings.Cut(version, "+")
	asked := conformance.Question{Op: op, Target: conformance.Target{System: system, Version: version}, In: json.RawMessage("{" + dates(q.in) + "}")}
	if capability != "" {
		asked.Target.Capabilities = []string{capability}
	}
	return asked
}

// brief returns an answer in the form of asking.want.
func brief(t *testing.T, a conformance.Answer) string {
	t.Helper()
	switch {
	case a.Kind == conformance.KindRefused && (a.Refusal.Class != "refused" || a.Refusal.Message == ""):
		t.Errorf("the refusal %s lacks its class or message", a)
	case a.Kind == conformance.KindRefused && a.Refusal.Status != 0:
		return fmt.Sprintf("error %d", a.Refusal.Status)
	case a.Kind == conformance.KindRefused:
		return fmt.Sprintf("error %d %s", a.Refusal.Code, a.Refusal.CodeName)
	case a.Kind != conformance.KindOut:
		return a.Kind.String() + " " + a.Text
	}
	var out struct {
		State    string
		Deadline *struct {
			Date struct {
				Long string `json:"$numberLong"`
			} `json:"$date"`
		}
		Index, Rule string
	}
	if err := json.Unmarshal(a.Out, &out); err != nil || out.State == "" {
		return string(a.Out)
	}
	words := []string{out.State}
	if out.Deadline != nil {
		words = append(words, out.Deadline.Date.Long)
	}
	words = append(words, out.Rule)
	if out.Index != "" {
		words = append(words, out.Index)
	}
	return strings.Join(words, " ")
}

// hold compares the reference with the wanted answers.
func hold(t *testing.T, op string, questions []asking) {
	t.Helper()
	for _, q := range questions {
		asked := q.put(op)
		if got := brief(t, New().Ask(asked)); got != q.want {
			t.Errorf("%s: %s about %s:\n%s\nis answered %q, want %q", q.why, op, asked.Target, asked.In, got, q.want)
		}
	}
}

// TestReferenceAnswersNonsense asks malformed and unexpected questions.
func TestReferenceAnswersNonsense(t *testing.T) {
	for _, tt := range []struct{ op, in, want string }{
		{"mongodb.delete", `5`, `skip unknown operation "mongodb.delete"; want one of `},
		{strings.Repeat("x", 100), `{}`, `skip unknown operation "` + strings.Repeat("x", 64) + `…"; want one of `},
		{"mongodb.decide", ``, `fault in: missing; want an object`},
		{"mongodb.decide", `null`, `fault in: want an object, got null`},
		{"mongodb.decide", `[]`, `fault in: want an object, got []`},
		{"mongodb.decide", `{"now"`, `fault in: malformed JSON at byte 6: the input ends inside the document: want a colon`},
		{"mongodb.decide", `{"now":{"$date":5}}`, `fault in.now: malformed Extended JSON at byte 9`},
		{"mongodb.decide", `{"now":{"$date":{"$numberLong":"0"}},"document":{"a":{"$date":5}}}`, `fault in.document: malformed Extended JSON`},
		{"cosmos.decide", `{"now":{"$date":{"$numberLong":"0"}},"container":{},"item":{"a":}}`, `fault in.item: malformed JSON`},
		{"cosmosmongo.decide", `{"now":{"$date":{"$numberLong":"0"}},"indexes":[],"document":{},"_ts":1700000000000}`, `never cosmos.mongo-off`},
	} {
		q := conformance.Question{Op: tt.op, Target: conformance.Target{System: conformance.SystemOf(tt.op)}, In: json.RawMessage(tt.in)}
		if got := brief(t, New().Ask(q)); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s asked %s answers %s, want %s", tt.op, tt.in, got, tt.want)
		}
	}
}

func TestReferenceHasEveryVerdict(t *testing.T) {
	r, err := suite.Run(suite.Embedded(), New())
	if err != nil {
		t.Fatal(err)
	}
	if !r.Conforms() {
		t.Error("the reference does not conform")
	}
	for _, p := range r.RuleSets() {
		if p.Verdict != suite.Conformant {
			t.Errorf("profile %s is %s (%v), want conformant", p.Name, p.Verdict, p.Count)
		}
	}
}

// TestRuleSetsAlone: a system can claim each rule set alone, and a system that always
// gives the same answer does not conform to it.
func TestRuleSetsAlone(t *testing.T) {
	for i, set := range suite.Embedded().RuleSets {
		if testing.Short() && i%4 != 0 {
			continue
		}
		hello := conformance.Hello{Name: "modest", Systems: map[string]string{set.System: "*"}, RuleSets: []string{set.Name}, Features: set.Features}
		for _, op := range conformance.Operations() {
			if conformance.SystemOf(op) == set.System {
				hello.Ops = append(hello.Ops, op)
			}
		}
		for name, ask := range map[string]func(conformance.Question) conformance.Answer{
			"reference": New().Ask,
			"never": func(conformance.Question) conformance.Answer {
				return conformance.Result(map[string]any{"state": "never"})
			},
			"expired": func(conformance.Question) conformance.Answer {
				return conformance.Result(map[string]any{"state": "expired"})
			},
		} {
			if testing.Short() && name != "reference" {
				continue
			}
			r, err := suite.Run(suite.Embedded(), conformance.NewSystem(hello, echoing(ask)))
			if err != nil {
				t.Fatal(err)
			}
			for _, report := range r.RuleSets() {
				if report.Name == set.Name && (report.Verdict == suite.Conformant) != (name == "reference") {
					t.Errorf("%s alone, with the features %q, by %s: %s, %v", set.Name, set.Features, name, report.Verdict, report.Count)
				}
			}
		}
	}
}

// TestTwinsOfARuleSet: a rule set is not conformant while a twin that is part of it has no
// checks.
func TestTwinsOfARuleSet(t *testing.T) {
	r, err := suite.Run(suite.Embedded(), New())
	if err != nil {
		t.Fatal(err)
	}
	const twin = "mongodb-type-date"
	if !slices.ContainsFunc(r.Suite.Vectors, func(v *suite.Vector) bool { return v.Twin == twin }) {
		t.Fatalf("%s is no twin any more", twin)
	}
	r.Checks = slices.DeleteFunc(r.Checks, func(c suite.Check) bool { return c.Vector.ID == twin })
	all := r.RuleSets()
	core := slices.IndexFunc(all, func(set suite.RuleSetReport) bool { return set.Name == "mongodb-core" })
	if core < 0 || all[core].Verdict != suite.Unproven {
		t.Errorf("without checks of %s the rule sets are %+v, want mongodb-core among them and %s", twin, all, suite.Unproven)
	}
}

// echoing answers as ask does, and echoes values.
func echoing(ask func(conformance.Question) conformance.Answer) func(conformance.Question) conformance.Answer {
	return func(q conformance.Question) conformance.Answer {
		if q.Op == "self.echo" {
			return New().Ask(q)
		}
		return ask(q)
	}
}

// TestEcho: the reference echoes a value of every type unchanged, in canonical form.
func TestEcho(t *testing.T) {
	for _, value := range []string{
		`null`, `true`, `false`, `""`, `"\u0000"`, `"𝄞 <&>\"\\"`, `[]`, `{}`, `{"":{"":[[[]],{}]}}`,
		`{"b":{"$numberInt":"1"},"a":{"$numberInt":"2"}}`,
		`{"$numberInt":"-2147483648"}`, `{"$numberInt":"2147483647"}`,
		`{"$numberLong":"-9223372036854775808"}`, `{"$numberLong":"9223372036854775807"}`, `{"$numberLong":"1"}`,
		`{"$numberDouble":"NaN"}`, `{"$numberDouble":"Infinity"}`, `{"$numberDouble":"-Infinity"}`,
		`{"$numberDouble":"-0.0"}`, `{"$numberDouble":"0.0"}`, `{"$numberDouble":"0.1"}`,
		`{"$numberDouble":"1.7976931348623157E+308"}`, `{"$numberDouble":"5E-324"}`,
		`{"$numberDecimal":"NaN"}`, `{"$numberDecimal":"-Infinity"}`, `{"$numberDecimal":"-0"}`, `{"$numberDecimal":"1.10"}`,
		`{"$numberDecimal":"9.999999999999999999999999999999999E+6144"}`, `{"$numberDecimal":"1E-6176"}`,
		`{"$date":{"$numberLong":"-9223372036854775808"}}`, `{"$date":{"$numberLong":"-1"}}`,
		`{"$date":{"$numberLong":"253402300800000"}}`, `{"$date":{"$numberLong":"9223372036854775807"}}`,
		`{"$oid":"5d0c1b9a7e9f4c0f9a3b6f2d"}`, `{"$timestamp":{"t":4294967295,"i":1}}`,
		`{"$binary":{"base64":"AAEC","subType":"80"}}`, `{"$regularExpression":{"pattern":"a\"b","options":"im"}}`,
		`{"$undefined":true}`, `{"$minKey":1}`, `{"$maxKey":1}`, `{"$symbol":"s"}`, `{"$code":"f"}`,
		`{"$code":"f","$scope":{"a":{"$numberInt":"1"}}}`, `{"$dbPointer":{"$ref":"db.c","$id":{"$oid":"5d0c1b9a7e9f4c0f9a3b6f2d"}}}`,
	} {
		for _, v := range []string{value, "[" + value + "]", `{"x":{"y":` + value + `}}`} {
			got := string(New().Ask(conformance.Question{Op: "self.echo", In: json.RawMessage(`{"value":` + v + `}`)}).Out)
			if want := `{"value":` + v + `}`; got != want && unescaped(t, got) != unescaped(t, want) {
				t.Errorf("the echo of %s is %s", v, got)
			}
		}
	}
}

// unescaped returns the tokens of JSON, because escapes may be written in several ways.
// Numbers are in quotes here, so no number is rounded. The order of members counts.
func unescaped(t *testing.T, text string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	var b strings.Builder
	for d.More() {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%T %v\n", token, token)
	}
	return b.String()
}

// TestEchoPlainNumbers: integers that fit are int32, all others doubles.
func TestEchoPlainNumbers(t *testing.T) {
	for plain, want := range map[string]string{
		`0`: `{"$numberInt":"0"}`, `2147483647`: `{"$numberInt":"2147483647"}`, `-2147483648`: `{"$numberInt":"-2147483648"}`,
		`2147483648`: `{"$numberDouble":"2.147483648E+09"}`, `1.0`: `{"$numberDouble":"1.0"}`, `1e0`: `{"$numberDouble":"1.0"}`, `-0.0`: `{"$numberDouble":"-0.0"}`,
	} {
		got := New().Ask(conformance.Question{Op: "self.echo", In: json.RawMessage(`{"value":` + plain + `}`)})
		if want := `{"value":` + want + `}`; string(got.Out) != want {
			t.Errorf("the echo of %s is %s, want %s", plain, got, want)
		}
	}
}

func TestRuleOf(t *testing.T) {
	now := `"now": {"$date": {"$numberLong": "1700000000000"}}`
	for _, tt := range []struct{ op, system, in, want string }{
		{"mongodb.decide", conformance.MongoDB, `{` + now + `, "indexes": [], "document": {}}`, "mongo.no-ttl"},
		{"mongodb.createIndexes", conformance.MongoDB, `{` + now + `, "index": {"key": {"a": 1}, "name": "a", "expireAfterSeconds": -1}}`, "mongo.createindexes-seconds-negative"},
		{"mongodb.createIndexes", conformance.MongoDB, `{` + now + `, "index": {"key": {"a": 1}, "name": "a", "expireAfterSeconds": 1}}`, ""},
		{"cosmos.validateContainer", conformance.CosmosNoSQL, `{"container": {"defaultTtl": 0}}`, "cosmos.default-refused"},
		{"cosmos.validateContainer", conformance.CosmosNoSQL, `{"container": {"defaultTtl": true}}`, "cosmos.default-type-unspecified"},
		{"cosmos.validateContainer", conformance.CosmosNoSQL, `nonsense`, ""},
		{"no.such", conformance.CosmosNoSQL, `{}`, ""},
	} {
		if got := RuleOf(conformance.Question{Op: tt.op, Target: conformance.Target{System: tt.system}, In: json.RawMessage(tt.in)}); got != tt.want {
			t.Errorf("RuleOf(%s %s) = %q, want %q", tt.op, tt.in, got, tt.want)
		}
	}
}

// TestEverythingThatIsClaimedIsAskedAbout: the suite has questions about each claim of
// the reference.
func TestEverythingThatIsClaimedIsAskedAbout(t *testing.T) {
	if got := suite.Embedded().Unknown(New().Hello()); len(got) != 0 {
		t.Errorf("the reference claims what the suite does not know: %q", got)
	}
}
