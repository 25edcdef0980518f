package suite

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

func TestDifference(t *testing.T) {
	decide := conformance.Question{Op: "mongodb.decide", In: json.RawMessage(`{"now": {"$date": {"$numberLong": "1000"}}}`)}
	change := conformance.Question{Op: "mongodb.collMod", In: json.RawMessage(`{"now": {"$date": {"$numberLong": "1000"}}}`)}
	container := conformance.Question{Op: "cosmos.validateContainer", In: json.RawMessage(`{"container": {}}`)}
	const (
		expired = `{"state":"expired","deadline":{"$date":{"$numberLong":"1000"}},"rule":"mongo.date"}`
		earlier = `{"state":"expired","deadline":{"$date":{"$numberLong":"999"}}}`
		pending = `{"state":"pending","deadline":{"$date":{"$numberLong":"1001"}}}`
		never   = `{"state":"never","deadline":null}`
	)
	refused := conformance.Refused(conformance.Refusal{Code: 67, CodeName: "CannotCreateIndex"})
	dated, coded := []string{conformance.FeatureDeadline}, []string{conformance.FeatureErrorCode}
	for _, tt := range []struct {
		why           string
		q             conformance.Question
		features      []string
		first, second conformance.Answer
		want          string // "" if they do not differ
	}{
		{"the same", decide, dated, answerOut(expired), answerOut(expired), ""},
		{"a rule of its own", decide, dated, answerOut(expired), answerOut(strings.Replace(expired, "mongo.date", "mine", 1)), ""},
		{"another deadline", decide, dated, answerOut(expired), answerOut(earlier), "(-1 ms)"},
		{"another deadline, and none is claimed", decide, nil, answerOut(expired), answerOut(earlier), ""},
		{"pending and never", decide, dated, answerOut(pending), answerOut(never), "state is never, want pending"},
		{"pending and never, and no deadline is claimed", decide, nil, answerOut(pending), answerOut(never), ""},
		{"another state", decide, nil, answerOut(expired), answerOut(never), "state is never, want expired"},
		{"a state that does not go with the deadline", decide, dated, answerOut(expired), answerOut(strings.Replace(expired, "expired", "pending", 1)), "state is pending, want expired"},
		{"no state in the second", decide, nil, answerOut(expired), answerOut(`{}`), "state is missing"},
		{"no state in the first", decide, nil, answerOut(`{}`), answerOut(expired), "state is missing"},
		{"no object", decide, nil, answerOut(`[]`), answerOut(expired), "out is not an object: []"},
		{"refused and not", change, coded, refused, answerOut(`{}`), "accepted, want refused"},
		{"not refused and refused", change, coded, answerOut(`{}`), refused, "want {}"},
		{"another code", change, coded, refused, conformance.Refused(conformance.Refusal{Code: 72, CodeName: "InvalidOptions"}), "InvalidOptions (72), want refused with CannotCreateIndex (67)"},
		{"another code, and none is claimed", change, nil, refused, conformance.Refused(conformance.Refusal{Code: 72}), ""},
		{"a code in the second alone", change, coded, conformance.Refused(conformance.Refusal{}), refused, "want refused with CannotCreateIndex (67)"},
		{"a number in the first alone", change, nil, answerOut(`{"expireAfterSeconds_old":5}`), answerOut(`{}`), "expireAfterSeconds_old is missing"},
		{"a number in the second alone", change, nil, answerOut(`{}`), answerOut(`{"expireAfterSeconds_old":5}`), "expireAfterSeconds_old is missing"},
		{"a member that nobody compares", change, nil, answerOut(`{}`), answerOut(`{"ok":1}`), ""},
		{"a warning", container, nil, answerOut(`{}`), answerOut(`{"warnings":["x"]}`), "warned is true, want false"},
		{"no warning", container, nil, answerOut(`{}`), answerOut(`{"warnings":[]}`), ""},
		{"both skipped", change, nil, conformance.Skipped("x"), conformance.Skipped("y"), ""},
		{"one skipped", change, nil, answerOut(`{}`), conformance.Skipped("y"), "out, then skip"},
		{"a crash", change, nil, conformance.Answer{Kind: conformance.KindCrash}, refused, "crash, then error"},
	} {
		got := Difference(tt.q, tt.features, tt.first, tt.second)
		if !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: Difference(%s, %s) = %q, want %q", tt.why, tt.first, tt.second, got, tt.want)
		}
	}
}
