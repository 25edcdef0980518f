package suite

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
)

func expectOut(t *testing.T, out string) Expectation {
	t.Helper()
	e := Expectation{Out: json.RawMessage(out)}
	var err error
	if e.fields, err = valuefunc.F.ParseExtJSONInt32(e.Out); err != nil {
		t.Fatal(err)
	}
	return e
}

func answerOut(out string) conformance.Answer {
	return conformance.Answer{Kind: conformance.KindOut, Out: json.RawMessage(out)}
}

// everything is the judge of a system that claims all grades, at the clock 1000.
var everything = judge{grades: gradings, decides: true, now: 1000}

const expired1000 = `{"state":"expired","deadline":{"$date":{"$numberLong":"1000"}},"rule":"mongo.date","index":"t_1"}`

func TestJudgeTakes(t *testing.T) {
	modest := judge{decides: true, now: 1000}
	for _, tt := range []struct {
		why       string
		judge     judge
		want, got string
	}{
		{"the same", everything, expired1000, expired1000},
		{"another order", everything, expired1000, `{"index":"t_1","rule":"mongo.date","deadline":{"$date":{"$numberLong":"1000"}},"state":"expired"}`},
		{"more members", everything, `{"state":"never","deadline":null}`, `{"state":"never","deadline":null,"rule":"x","took":5}`},
		{"an instant in words", everything, expired1000, strings.Replace(expired1000, `{"$numberLong":"1000"}`, `"1970-01-01T00:00:01Z"`, 1)},
		{"a row that names no deadline", everything, `{"state":"expired"}`, expired1000},
		{"no deadline claimed: none is compared", modest, expired1000, `{"state":"expired"}`},
		{"no deadline claimed: a wrong one is not looked at", modest, expired1000, `{"state":"expired","deadline":5}`},
		{"no deadline claimed: never is as good as pending", modest, `{"state":"pending","deadline":{"$date":{"$numberLong":"2000"}}}`, `{"state":"never"}`},
		{"no deadline claimed: pending is as good as never", modest, `{"state":"never","deadline":null}`, `{"state":"pending"}`},
		{"no types claimed", judge{}, `{"expireAfterSeconds_new":{"$numberLong":"5"}}`, `{"expireAfterSeconds_new":5}`},
		{"no types claimed: a double", judge{}, `{"expireAfterSeconds_new":{"$numberLong":"5"}}`, `{"expireAfterSeconds_new":5.0}`},
		{"a delay that must be absent", judge{}, `{"expireAfterSeconds_old":null,"expireAfterSeconds_new":5}`, `{"expireAfterSeconds_new":5}`},
		{"no rule claimed", judge{grades: grades{conformance.FeatureDeadline}, decides: true, now: 1000}, expired1000, `{"state":"expired","deadline":{"$date":{"$numberLong":"1000"}},"rule":"other"}`},
	} {
		if got := tt.judge.compare(expectOut(t, tt.want), answerOut(tt.got)).detail; got != "" {
			t.Errorf("%s: compare(%s, %s) = %q, want nothing", tt.why, tt.want, tt.got, got)
		}
	}
}

func TestJudgeRefuses(t *testing.T) {
	modest := judge{decides: true, now: 1000}
	typed := judge{grades: grades{conformance.FeatureTypes}}
	never := `{"state":"never","deadline":null}`
	for _, tt := range []struct {
		judge     judge
		want, got string
		text      string
	}{
		{everything, expired1000, never, "state is never, want expired"},
		{everything, expired1000, `{}`, "state is missing, want"},
		{everything, expired1000, `{"state":"Expired"}`, `state is "Expired", want`},
		{everything, expired1000, `{"state":true}`, "state is true, want"},
		{everything, expired1000, `[]`, "out is not an object: []"},
		{everything, expired1000, `{"state":}`, `out is not Extended JSON: malformed Extended JSON at byte 9, field "state"`},
		{everything, expired1000, `{"deadline":{"$date":{"$numberLong":"-9223372036854776500"}}}`, `field "deadline.$date.$numberLong": want an integer in the range of long`},
		{everything, expired1000, ``, "out is not Extended JSON: "},
		{everything, expired1000, strings.Replace(expired1000, `"1000"`, `"1001"`, 1), "deadline is 1970-01-01T00:00:01.001Z, want 1970-01-01T00:00:01.000Z (+1 ms)"},
		{everything, expired1000, strings.Replace(expired1000, `"1000"`, `"999"`, 1), "(-1 ms)"},
		{everything, expired1000, strings.Replace(expired1000, `"1000"`, `"-9223372036854775808"`, 1), "deadline is -9223372036854775808ms, want"},
		{everything, expired1000, strings.Replace(expired1000, `{"$date":{"$numberLong":"1000"}}`, `1000`, 1), "deadline is {\"$numberInt\":\"1000\"}, want"},
		{everything, expired1000, strings.Replace(expired1000, `{"$date":{"$numberLong":"1000"}}`, `null`, 1), "deadline is null, want"},
		{everything, expired1000, `{"state":"expired"}`, "deadline is missing, want"},
		{everything, expired1000, strings.Replace(expired1000, `mongo.date`, `mongo.dates`, 1), `rule is "mongo.dates", want "mongo.date"`},
		{everything, expired1000, strings.Replace(expired1000, `t_1`, `t_-1`, 1), `index is "t_-1", want "t_1"`},
		{everything, never, `{"state":"pending","deadline":{"$date":{"$numberLong":"2000"}}}`, "state is pending, want never"},
		{everything, never, `{"state":"never"}`, "deadline is missing, want null"},
		{everything, `{"state":"expired"}`, `{"state":"expired","deadline":null}`, "state expired does not go with the deadline null"},
		{everything, `{"state":"expired"}`, `{"state":"expired","deadline":{"$date":{"$numberLong":"1001"}}}`, "state expired does not go with the deadline"},
		{everything, `{"state":"expired"}`, `{"state":"expired","deadline":5}`, "deadline is {\"$numberInt\":\"5\"}, want a date or null"},
		{modest, expired1000, `{"state":"pending"}`, "state is pending, want expired"},
		{modest, never, `{"state":"expired"}`, "state is expired, want never"},
		{typed, `{"expireAfterSeconds":{"$numberInt":"5"}}`, `{"expireAfterSeconds":{"$numberLong":"5"}}`, `expireAfterSeconds is {"$numberLong":"5"}, want`},
		{typed, `{"expireAfterSeconds":{"$numberInt":"5"}}`, `{"expireAfterSeconds":{"$numberDouble":"5.0"}}`, `expireAfterSeconds is`},
		{typed, `{"expireAfterSeconds":{"$numberDouble":"0.0"}}`, `{"expireAfterSeconds":{"$numberDouble":"-0.0"}}`, `expireAfterSeconds is`},
		{judge{}, `{"expireAfterSeconds":{"$numberInt":"5"}}`, `{"expireAfterSeconds":{"$numberLong":"6"}}`, `expireAfterSeconds is`},
		{judge{}, `{"expireAfterSeconds":{"$numberInt":"5"}}`, `{"expireAfterSeconds":{"$numberDouble":"5.5"}}`, `expireAfterSeconds is`},
		{judge{}, `{"expireAfterSeconds":{"$numberInt":"1"}}`, `{"expireAfterSeconds":true}`, `expireAfterSeconds is`},
		{judge{}, `{"expireAfterSeconds":{"$numberInt":"0"}}`, `{}`, `expireAfterSeconds is`},
		{judge{}, `{"expireAfterSeconds":null}`, `{}`, `expireAfterSeconds is missing, want null`},
		{judge{}, `{"expireAfterSeconds_old":null}`, `{"expireAfterSeconds_old":0}`, `expireAfterSeconds_old is {"$numberInt":"0"}, want null`},
		{judge{}, `{"created":true}`, `{"created":false}`, `created is false, want true`},
		{judge{}, `{"created":true}`, `{"created":1}`, `created is`},
		{judge{}, `{"warned":true}`, `{}`, `warned is false, want true`},
		{judge{}, `{"warned":true}`, `{"warnings":[]}`, `warned is false, want true`},
		{judge{}, `{"warned":false}`, `{"warnings":["x"]}`, `warned is true, want false`},
	} {
		if got := tt.judge.compare(expectOut(t, tt.want), answerOut(tt.got)).detail; !strings.Contains(got, tt.text) || got == "" {
			t.Errorf("compare(%s, %s) = %q, want %q", tt.want, tt.got, got, tt.text)
		}
	}
}

func TestJudgeOfRefusals(t *testing.T) {
	coded := Expectation{Refusal: &conformance.Refusal{Class: "refused", Code: 67, CodeName: "CannotCreateIndex"}}
	bare := Expectation{Refusal: &conformance.Refusal{Class: "refused"}}
	status := Expectation{Refusal: &conformance.Refusal{Class: "refused", Status: 400}}
	nameless := Expectation{Refusal: &conformance.Refusal{Class: "refused", Code: 12523}}
	out := expectOut(t, `{"created":true}`)
	for _, tt := range []struct {
		judge judge
		want  Expectation
		got   conformance.Answer
		text  string // "" if it is taken
	}{
		{everything, coded, conformance.Refused(conformance.Refusal{Code: 67, CodeName: "CannotCreateIndex", Message: "any words"}), ""},
		{judge{}, coded, conformance.Refused(conformance.Refusal{Code: 72}), ""},
		{judge{}, coded, conformance.Refused(conformance.Refusal{}), ""},
		{everything, bare, conformance.Refused(conformance.Refusal{Code: 72}), ""},
		{everything, status, conformance.Refused(conformance.Refusal{Status: 400}), ""},
		{judge{}, status, conformance.Refused(conformance.Refusal{Status: 500}), ""},
		{everything, coded, conformance.Refused(conformance.Refusal{Code: 72, CodeName: "CannotCreateIndex"}), "refused with CannotCreateIndex (72), want refused with CannotCreateIndex (67)"},
		{everything, coded, conformance.Refused(conformance.Refusal{Code: 67, CodeName: "Other"}), "Other (67), want"},
		{everything, coded, conformance.Refused(conformance.Refusal{Code: 67}), "want refused with CannotCreateIndex (67)"},
		{everything, coded, conformance.Refused(conformance.Refusal{Class: "failed", Code: 67, CodeName: "CannotCreateIndex"}), `class "failed", want "refused"`},
		{everything, status, conformance.Refused(conformance.Refusal{Status: 404}), "refused with status 404, want refused with status 400"},
		{everything, coded, answerOut(`{}`), "accepted, want refused"},
		{everything, nameless, answerOut(`{}`), "accepted, want refused with 12523"},
		{everything, out, conformance.Refused(conformance.Refusal{Code: 67}), "want {\"created\":true}"},
		{everything, coded, conformance.Answer{Kind: conformance.KindRefused}, `want "refused"`},
		{everything, coded, conformance.Skipped("no such thing"), "skip: no such thing"},
		{everything, coded, conformance.Fault("oh"), "fault: oh"},
		{everything, coded, conformance.Answer{}, "none: "},
		{everything, out, conformance.Answer{Kind: conformance.KindTimeout, Text: "2 s"}, "timeout: 2 s"},
	} {
		got := tt.judge.compare(tt.want, tt.got).detail
		if (got == "") != (tt.text == "") || !strings.Contains(got, tt.text) {
			t.Errorf("compare(%s, %s) = %q, want %q", tt.want, tt.got, got, tt.text)
		}
	}
}

func TestRoundTripNoticesWhatIsLost(t *testing.T) {
	for _, tt := range []struct{ sent, back string }{
		{`{"$numberDouble":"NaN"}`, `null`},
		{`{"$numberDouble":"-0.0"}`, `{"$numberDouble":"0.0"}`},
		{`{"$numberLong":"1"}`, `{"$numberInt":"1"}`},
		{`{"$numberLong":"9007199254740993"}`, `{"$numberLong":"9007199254740992"}`},
		{`{"$numberDecimal":"1.10"}`, `{"$numberDecimal":"1.1"}`},
		{`{"$date":{"$numberLong":"-1"}}`, `{"$date":{"$numberLong":"0"}}`},
		{`{"b":1,"a":2}`, `{"a":2,"b":1}`},
		{`{"null":null}`, `{}`},
		{`[]`, `{}`},
	} {
		p := echoedValue{Value: json.RawMessage(tt.sent)}
		if got := p.compare(answerOut(`{"value":` + tt.back + `}`)); got == "" {
			t.Errorf("%s came back as %s, and nothing was said", tt.sent, tt.back)
		}
		if got := p.compare(answerOut(`{"value":` + tt.sent + `}`)); got != "" {
			t.Errorf("%s came back as it was: %s", tt.sent, got)
		}
		for _, a := range []conformance.Answer{{}, conformance.Fault("oh"), answerOut(`{}`), answerOut(`{`)} {
			if got := p.compare(a); got == "" {
				t.Errorf("%s was answered %s, and nothing was said", tt.sent, a)
			}
		}
	}
}
