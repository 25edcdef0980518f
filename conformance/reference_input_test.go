package conformance

import (
	"encoding/json"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestInstantOr: the own clock stands in for a now that is absent or null.
func TestInstantOr(t *testing.T) {
	otherwise := func() policy.Instant { return 7 }
	for _, tt := range []struct {
		in   string
		want policy.Instant // -1 for an error
	}{
		{`{}`, 7}, {`{"now":null}`, 7}, {`{"now":{"$date":{"$numberLong":"5"}}}`, 5}, {`{"now":5}`, -1}, {`{"now":{}}`, -1},
	} {
		in, err := members.Parse("in", json.RawMessage(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		got, err := input{in}.instantOr("now", otherwise)
		if (err != nil) != (tt.want < 0) || err == nil && got != tt.want {
			t.Errorf("instantOr(%s) = %d, %v, want %d", tt.in, got, err, tt.want)
		}
	}
	hold(t, "mongodb.create", []question{
		{"no clock stands before 1970", "mongodb 8.2.4", `"command":{"timeseries":{"timeField":"t"},"expireAfterSeconds":0}`, `{}`},
	})
}
