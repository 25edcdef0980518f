//go:build !race

package columns

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
)

func TestAllocs(t *testing.T) {
	c, x := container(t, `{"defaultTtl":10}`), index(t, "8.0.4", `{"key":{"t":1},"expireAfterSeconds":5}`)
	var items Items
	for range 1000 {
		items.Append(cosmos.Item{TS: cosmos.TimestampSeconds(0)})
	}
	dates := make(Dates, 1000)
	b, err := NewBuckets(0, 60, 100)
	if err != nil {
		t.Fatal(err)
	}
	bitmap, counts := make([]uint64, 0, 16), make([]uint64, b.Len())
	for name, pass := range map[string]func(){
		"items": func() { bitmap = items.AppendExpired(bitmap[:0], c, 10_000); items.CountDeadlines(counts, b, c) },
		"dates": func() { bitmap = dates.AppendExpired(bitmap[:0], x, 5000); dates.CountDeadlines(counts, b, x) },
	} {
		clear(counts)
		if n := testing.AllocsPerRun(20, pass); n != 0 {
			t.Errorf("a pass over %s: %v allocations, want 0", name, n)
		}
		if bitmap[0] != math.MaxUint64 || counts[1] == 0 {
			t.Errorf("the bitmap of %s begins with %x, %d in the first bucket; want all expired", name, bitmap[0], counts[1])
		}
	}
}
