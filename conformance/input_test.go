package conformance

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestClock: the machine's own clock stands in for a now that is absent or null.
func TestClock(t *testing.T) {
	before := policy.InstantOf(time.Now())
	for _, tt := range []struct {
		in   string
		want policy.Instant // -1 for an error, 0 for the machine's
	}{
		{`{}`, 0}, {`{"now":null}`, 0}, {`{"now":{"$date":{"$numberLong":"5"}}}`, 5}, {`{"now":5}`, -1}, {`{"now":{}}`, -1},
	} {
		in, err := members.Parse("in", json.RawMessage(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		got, err := input{in}.clock("now")
		if (err != nil) != (tt.want < 0) || tt.want > 0 && got != tt.want || tt.want == 0 && got < before {
			t.Errorf("clock(%s) = %d, %v, want %d", tt.in, got, err, tt.want)
		}
	}
}
