package explain

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestIsMatch: an identifier finds equal numbers of other types, as a server does.
func TestIsMatch(t *testing.T) {
	for _, tt := range []struct {
		id   string
		v    policy.Value
		want bool
	}{
		{"5", policy.Int32Value(5), true}, {"5", policy.Int64Value(5), true}, {"5", policy.DoubleValue(5), true}, {"5", policy.StringValue("5"), true},
		{"NumberInt(5)", policy.DoubleValue(5), true}, {"NumberLong(5)", policy.Int32Value(5), true}, {`{"$numberLong":"5"}`, policy.DoubleValue(5), true},
		{"5.5", policy.DoubleValue(5.5), true}, {"1e300", policy.DoubleValue(1e300), true},
		{"5", policy.DoubleValue(5.5), false}, {"5.5", policy.Int32Value(5), false}, {"6", policy.DoubleValue(5), false}, {"5", policy.Value{}, false},
	} {
		if got := NewSearch(tt.id, "_id", 0).isMatch(tt.v); got != tt.want {
			t.Errorf("NewSearch(%q).isMatch(%v) = %t, want %t", tt.id, tt.v, got, tt.want)
		}
	}
}
