package explain

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestIsMatch: an identifier finds equal integers and doubles of other types, and an
// ObjectId by its digits in upper or lower case.
func TestIsMatch(t *testing.T) {
	oid := policy.ObjectIDValue([12]byte{0x6a, 0xc5, 0xfd, 0x0d, 0x5f, 0x3a, 0x91, 0xc2})
	for _, tt := range []struct {
		id   string
		v    policy.Value
		want bool
	}{
		{"5", policy.Int32Value(5), true}, {"5", policy.Int64Value(5), true}, {"5", policy.DoubleValue(5), true}, {"5", policy.StringValue("5"), true}, {"a", valuefunc.F.RareValue(policy.Symbol, "a"), true},
		{"NumberInt(5)", policy.DoubleValue(5), true}, {"NumberLong(5)", policy.Int32Value(5), true}, {`{"$numberLong":"5"}`, policy.DoubleValue(5), true},
		{"5.5", policy.DoubleValue(5.5), true}, {"1e300", policy.DoubleValue(1e300), true},
		{"6AC5FD0D5F3A91C200000000", oid, true}, {"6ac5fd0d5f3a91c200000000", oid, true}, {`ObjectId("6ac5fd0d5f3a91c200000000")`, oid, true}, {"{k: 1}", policy.ObjectValue(policy.D{{Key: "k", Value: policy.Int32Value(1)}}), true},
		{"5", policy.DoubleValue(5.5), false}, {"5.5", policy.Int32Value(5), false}, {"6", policy.DoubleValue(5), false}, {"5", policy.Value{}, false},
	} {
		if got := NewSearch(tt.id, "_id", 0).isMatch(tt.v); got != tt.want {
			t.Errorf("NewSearch(%q).isMatch(%v) = %t, want %t", tt.id, tt.v, got, tt.want)
		}
	}
}
