package cosmos

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

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
		{"null", n(-1), null, n(-1), "unspecified " + ruleAnalyticalNullUnspecified.ID()},
		{"null while off", n(0), null, n(0), "ok"},
		{"null at creation", absent, null, absent, "ok"},
		{"absent at creation", absent, absent, absent, "ok"},
		{"zero at creation", absent, n(0), n(0), "ok"},
		{"zero after zero", n(0), n(0), n(0), "ok"},
		{"on", n(0), n(-1), n(-1), "ok"},
		{"longer", n(5), n(7), n(7), "ok"},
		{"without limit", n(5), n(-1), n(-1), "ok"},
		{"off", n(5), n(0), n(5), "unspecified " + ruleAnalyticalDisableUnspecified.ID()},
		{"out of range", n(5), n(-2), n(5), "unspecified " + ruleAnalyticalUnspecified.ID()},
		{"a string at creation", absent, policy.StringValue("5"), absent, "unspecified " + ruleAnalyticalUnspecified.ID()},
	}
	for _, tt := range tests {
		got, err := updateAnalytical(tt.previous, tt.setting)
		if got.String() != tt.want.String() || outcome(t, err) != tt.outcome {
			t.Errorf("%s: updateAnalytical(%s, %s) = %s, %v, want %s, %s", tt.why, tt.previous, tt.setting, got, err, tt.want, tt.outcome)
		}
	}
}
