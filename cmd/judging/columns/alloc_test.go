//go:build !race

package columns

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
)

func TestAllocs(t *testing.T) {
	c := container(t, `{"defaultTtl":10}`)
	var items Items
	for range 1000 {
		items.Append(cosmos.Item{TS: cosmos.TimestampSeconds(0)})
	}
	b, err := NewBuckets(0, 60, 100)
	if err != nil {
		t.Fatal(err)
	}
	bitmap, counts := make([]uint64, 0, 16), make([]uint64, b.Len())
	pass := func() { bitmap = items.AppendExpired(bitmap[:0], c, 10_000); items.CountDeadlines(counts, b, c) }
	if n := testing.AllocsPerRun(20, pass); n != 0 {
		t.Errorf("a pass over items: %v allocations, want 0", n)
	}
	if bitmap[0] != math.MaxUint64 || counts[1] == 0 {
		t.Errorf("the bitmap begins with %x, %d in the first bucket; want all expired", bitmap[0], counts[1])
	}
}
