package cosmos

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestTimestamp(t *testing.T) {
	tests := []struct {
		why     string
		ts      Timestamp
		seconds int64
		ok      bool
		text    string
	}{
		{"the zero Timestamp", Timestamp{}, 0, false, "absent"},
		{"1970 is a second like any other", TimestampSeconds(0), 0, true, "0"},
		{"before", TimestampSeconds(-1), -1, true, "-1"},
		{"the last", TimestampSeconds(math.MaxInt64), math.MaxInt64, true, "9223372036854775807"},
		{"the first is never taken for none", TimestampSeconds(math.MinInt64), math.MinInt64 + 1, true, "-9223372036854775807"},
		{"an int32", timestampOf(policy.Int32Value(7).AsInt64()), 7, true, "7"},
		{"an int64", timestampOf(policy.Int64Value(1 << 40).AsInt64()), 1 << 40, true, "1099511627776"},
		{"a double is none", timestampOf(policy.DoubleValue(7).AsInt64()), 0, false, "absent"},
		{"a date is none", timestampOf(policy.DateValue(7000).AsInt64()), 0, false, "absent"},
		{"missing", timestampOf(policy.Value{}.AsInt64()), 0, false, "absent"},
		{"null", timestampOf(policy.NullValue().AsInt64()), 0, false, "absent"},
		{"the second of an instant", TimestampAt(7999), 7, true, "7"},
		{"before 1970", TimestampAt(-1), -1, true, "-1"},
		{"a whole second before 1970", TimestampAt(-7000), -7, true, "-7"},
	}
	for _, tt := range tests {
		if n, ok := tt.ts.Seconds(); n != tt.seconds || ok != tt.ok || tt.ts.isAbsent() == tt.ok {
			t.Errorf("%s: Seconds() = %d, %v, IsAbsent() = %v; want %d, %v", tt.why, n, ok, tt.ts.isAbsent(), tt.seconds, tt.ok)
		}
		if got, err := tt.ts.MarshalText(); string(got) != tt.text || err != nil {
			t.Errorf("%s: MarshalText() = %q, %v, want %q", tt.why, got, err, tt.text)
		}
	}
}

// TestWithoutTimestamp: a Timestamp that was not set is not 1970.
func TestWithoutTimestamp(t *testing.T) {
	tests := []struct {
		why, setting string
		ttl          TTL
		rule         policy.Rule
	}{
		{"by the default", `{"defaultTtl":10}`, TTL{}, ruleNoTimestamp},
		{"by its own ttl", `{"defaultTtl":10}`, TTLSeconds(5), ruleNoTimestamp},
		{"by the longest", `{"defaultTtl":-1}`, TTLSeconds(math.MaxInt32), ruleNoTimestamp},
		{"by a path", `{"defaultTtl":10,"ttlPropertyPath":"/at"}`, TTL{}, rulePathUnspecified},
		{"what keeps it anyway comes first", `{"defaultTtl":10}`, TTLSeconds(-1), ruleItemNever},
		{"off", `{}`, TTLSeconds(5), ruleOff},
	}
	for _, tt := range tests {
		c, item := container(t, tt.setting), Item{TTL: tt.ttl}
		if d := c.DecideItem(item, policy.MaxInstant); d.State != policy.Never || d.Rule != tt.rule {
			t.Errorf("%s: DecideItem = %v by %s, want never by %s", tt.why, d.State, d.Rule, tt.rule)
		}
		if d := c.Decide(&typedItem{item}, policy.MaxInstant); c.path == nil && (d.State != policy.Never || d.Rule != tt.rule) {
			t.Errorf("%s: Decide = %v by %s, want never by %s", tt.why, d.State, d.Rule, tt.rule)
		}
	}
	account := collection(t, `[{"key":{"_ts":1},"expireAfterSeconds":10}]`, CollectionSpec{})
	if d := account.DecideAt(policy.D{}, Timestamp{}, policy.MaxInstant); d.State != policy.Never || d.Rule != ruleNoTimestamp {
		t.Errorf("DecideAt = %v by %s, want never by %s", d.State, d.Rule, ruleNoTimestamp)
	}
}
