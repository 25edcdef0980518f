package cosmos

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestAnalyticalStore(t *testing.T) {
	tests := []struct {
		why      string
		setting  policy.Value
		rule     string
		deadline policy.Instant
	}{
		{"absent", policy.Value{}, "cosmos.analytical-off", never},
		{"null", policy.NullValue(), "cosmos.analytical-off", never},
		{"zero", policy.Int32Value(0), "cosmos.analytical-off", never},
		{"without limit", policy.Int32Value(-1), "cosmos.analytical-never", never},
		{"one second", policy.Int32Value(1), "cosmos.analytical", 101_000},
		{"the longest", policy.Int64Value(2147483647), "cosmos.analytical", 2147483747_000},
		{"too long", policy.Int64Value(2147483648), "cosmos.analytical-unspecified", never},
		{"-2", policy.Int32Value(-2), "cosmos.analytical-unspecified", never},
		{"a string", policy.StringValue("5"), "cosmos.analytical-unspecified", never},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			s := CompileAnalytical(tt.setting)
			check(t, func(now policy.Instant) policy.Decision { return s.DecideAt(TimestampSeconds(100), now) }, tt.rule, tt.deadline)
		})
	}
	var zero AnalyticalStore
	if d := zero.DecideAt(TimestampSeconds(0), policy.MaxInstant); d.State != policy.Never || d.Rule != ruleAnalyticalOff {
		t.Errorf("the zero store: %v by %s, want never by cosmos.analytical-off", d.State, d.Rule)
	}
}

// TestAnalyticalRevives: a longer setting shows hidden rows again.
func TestAnalyticalRevives(t *testing.T) {
	hour, ever := CompileAnalytical(policy.Int32Value(3600)), CompileAnalytical(policy.Int32Value(-1))
	if before, after := hour.DecideAt(TimestampSeconds(0), 3_600_000), ever.DecideAt(TimestampSeconds(0), 3_600_000); before.State != policy.Expired || after.State != policy.Never {
		t.Errorf("an hour: %v, without limit: %v, want expired, never", before.State, after.State)
	}
}

func TestUpdateAnalytical(t *testing.T) {
	absent, null := policy.Value{}, policy.NullValue()
	n := func(n int32) policy.Value { return policy.Int32Value(n) }
	tests := []struct {
		why               string
		previous, setting policy.Value
		want              policy.Value
		outcome           string
	}{
		{"absent keeps", n(5), absent, n(5), "ok"},
		{"null", n(-1), null, n(-1), "unspecified cosmos.analytical-null-unspecified"},
		{"null while off", n(0), null, n(0), "ok"},
		{"null at creation", absent, null, absent, "ok"},
		{"absent at creation", absent, absent, absent, "ok"},
		{"zero at creation", absent, n(0), n(0), "ok"},
		{"zero after zero", n(0), n(0), n(0), "ok"},
		{"on", n(0), n(-1), n(-1), "ok"},
		{"longer", n(5), n(7), n(7), "ok"},
		{"without limit", n(5), n(-1), n(-1), "ok"},
		{"off", n(5), n(0), n(5), "unspecified cosmos.analytical-disable-unspecified"},
		{"out of range", n(5), n(-2), n(5), "unspecified cosmos.analytical-unspecified"},
		{"a string at creation", absent, policy.StringValue("5"), absent, "unspecified cosmos.analytical-unspecified"},
	}
	for _, tt := range tests {
		got, err := updateAnalytical(tt.previous, tt.setting)
		if got.String() != tt.want.String() || outcome(t, err) != tt.outcome {
			t.Errorf("%s: updateAnalytical(%s, %s) = %s, %v, want %s, %s", tt.why, tt.previous, tt.setting, got, err, tt.want, tt.outcome)
		}
	}
}
