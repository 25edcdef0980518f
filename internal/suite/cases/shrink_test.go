package cases

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestShrink: only the parts that matter remain, and the result is a valid
// question.
func TestShrink(t *testing.T) {
	claim := everything(t)
	c := Case{"mongodb.decide", conformance.Target{System: conformance.MongoDB, Version: "6.0.3"}, policy.DOf(parsed(`{
		"now": {"$date": {"$numberLong": "1712345678901"}},
		"indexes": [
			{"key": {"a": 1}, "name": "a_1", "expireAfterSeconds": 34567, "hidden": true},
			{"key": {"b": -1}, "name": "b_-1", "expireAfterSeconds": {"$numberLong": "777"}}
		],
		"document": {"x": {"y": ["z", {}]}, "b": "text", "a": [5, {"$date": {"$numberLong": "1612345678901"}}, null, {"$date": {"$numberLong": "1698765432109"}}]}
	}`))}
	asked := 0
	got := claim.Shrink(c, 1000, func(c Case) bool {
		asked++
		return c.Reference().Rule == "mongo.array-earliest"
	})
	want := `mongodb.decide mongodb@` + fixture.Latest + ` {"now":{"$date":{"$numberLong":"1700000000000"}},"indexes":[{"key":{"a":{"$numberInt":"1"}},"expireAfterSeconds":{"$numberInt":"0"}}],"document":{"a":[{"$date":{"$numberLong":"0"}}]}}`
	if got.GoString() != want || asked > 300 {
		t.Errorf("after %d questions Shrink = %#v, want %s", asked, got, want)
	}
	if got := claim.Shrink(c, 3, func(Case) bool { return false }); got.GoString() != c.GoString() {
		t.Errorf("Shrink without anything simpler = %#v, want what it was", got)
	}
	asked = 0
	claim.Shrink(c, 10, func(Case) bool { asked++; return false })
	if asked > 11 {
		t.Errorf("asked %d times, want the newest release and 10 times more", asked)
	}
}

// TestShrinkNeedsNoMore: a shrunk question needs no feature that the original question
// did not need.
func TestShrinkNeedsNoMore(t *testing.T) {
	claim := everything(t)
	for seed := range uint64(30) {
		c := Draw(claim, "mongodb.decide", seed)
		rule := c.Reference().Rule
		small := claim.Shrink(c, 200, func(c Case) bool { return c.Reference().Rule == rule })
		if more := len(small.Needs()) - len(common(small.Needs(), c.Needs())); more > 0 || small.Weight() > c.Weight() {
			t.Errorf("%#v became %#v, which needs %s, not %s", c, small, strings.Join(small.Needs(), ", "), strings.Join(c.Needs(), ", "))
		}
	}
}

func TestReplacementsAreSimpler(t *testing.T) {
	for _, tt := range []struct {
		v    policy.Value
		want string // one of the replacements
	}{
		{policy.DateValue(1_712_345_678_901), `{"$date":{"$numberLong":"1712345678000"}}`},
		{policy.Int64Value(5), `{"$numberInt":"1"}`},
		{policy.Int64Value(1 << 40), `{"$numberLong":"549755813888"}`},
		{policy.DoubleValue(0.5), `{"$numberInt":"0"}`},
		{policy.StringValue("text"), `""`},
		{policy.ListValue(policy.A{policy.NullValue(), policy.BoolValue(true)}), `[true]`},
	} {
		found := false
		for _, r := range replacements(tt.v) {
			found = found || string(policy.AppendExtJSON(nil, r)) == tt.want
		}
		if !found {
			t.Errorf("%s is not tried instead of %s", tt.want, tt.v)
		}
	}
}
