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
		{"absent", policy.Value{}, ruleAnalyticalOff.ID, never},
		{"null", policy.NullValue(), ruleAnalyticalOff.ID, never},
		{"zero", policy.Int32Value(0), ruleAnalyticalOff.ID, never},
		{"without limit", policy.Int32Value(-1), ruleAnalyticalNever.ID, never},
		{"one second", policy.Int32Value(1), ruleAnalytical.ID, 101_000},
		{"the longest", policy.Int64Value(2147483647), ruleAnalytical.ID, 2147483747_000},
		{"too long", policy.Int64Value(2147483648), ruleAnalyticalUnspecified.ID, never},
		{"-2", policy.Int32Value(-2), ruleAnalyticalUnspecified.ID, never},
		{"a string", policy.StringValue("5"), ruleAnalyticalUnspecified.ID, never},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			s := CompileAnalytical(tt.setting)
			check(t, func(now policy.Instant) policy.Decision { return s.DecideAt(TimestampSeconds(100), now) }, tt.rule, tt.deadline)
		})
	}
	var zero AnalyticalStore
	if d := zero.DecideAt(TimestampSeconds(0), policy.MaxInstant); d.State != policy.Never || d.Rule != ruleAnalyticalOff {
		t.Errorf("the zero store: %v by %s, want never by %s", d.State, d.Rule, ruleAnalyticalOff)
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
	n := policy.Int32Value
	tests := []struct {
		why               string
		previous, setting policy.Value
		want              policy.Value
		outcome           string
	}{
		{"absent keeps", n(5), absent, n(5), "ok"},
		{"null", n(-1), null, n(-1), "unspecified " + ruleAnalyticalNullUnspecified.ID},
		{"null while off", n(0), null, n(0), "ok"},
		{"null at creation", absent, null, absent, "ok"},
		{"absent at creation", absent, absent, absent, "ok"},
		{"zero at creation", absent, n(0), n(0), "ok"},
		{"zero after zero", n(0), n(0), n(0), "ok"},
		{"on", n(0), n(-1), n(-1), "ok"},
		{"longer", n(5), n(7), n(7), "ok"},
		{"without limit", n(5), n(-1), n(-1), "ok"},
		{"off", n(5), n(0), n(5), "unspecified " + ruleAnalyticalDisableUnspecified.ID},
		{"out of range", n(5), n(-2), n(5), "unspecified " + ruleAnalyticalUnspecified.ID},
		{"a string at creation", absent, policy.StringValue("5"), absent, "unspecified " + ruleAnalyticalUnspecified.ID},
	}
	for _, tt := range tests {
		got, err := updateAnalytical(tt.previous, tt.setting)
		if got.String() != tt.want.String() || outcome(t, err) != tt.outcome {
			t.Errorf("%s: updateAnalytical(%s, %s) = %s, %v, want %s, %s", tt.why, tt.previous, tt.setting, got, err, tt.want, tt.outcome)
		}
	}
}
