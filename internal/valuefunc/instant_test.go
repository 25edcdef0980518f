package valuefunc

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestPropertyInstantOfUnix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sec := rapid.OneOf(draw.Int64s, draw.Near(2, -9223372036854775, 9223372036854775)).Draw(t, "seconds")
		want := new(big.Int).Mul(big.NewInt(sec), big.NewInt(1000))
		got, ok := InstantOfUnix(sec)
		if ok != want.IsInt64() || ok && int64(got) != want.Int64() || !ok && got != policy.MaxInstant {
			t.Fatalf("InstantOfUnix(%d) = %d, %t, want %d", sec, got, ok, want)
		}
	})
}
