package columns

import (
	"math/rand/v2"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
)

// BenchmarkItems decides a million items in columns. It also measures reading the
// columns, which is a lower bound of the time.
func BenchmarkItems(b *testing.B) {
	const n = 1_000_000
	c := container(b, `{"defaultTtl":2592000}`)
	var items Items
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		item := cosmos.Item{TS: cosmos.TimestampSeconds(1_700_000_000 + random.Int64N(90*86400))}
		if random.IntN(4) == 0 {
			item.TTL = cosmos.TTLSeconds(random.Int64N(90*86400) - 10*86400)
		}
		items.Append(item)
	}
	hours, err := NewBuckets(1_704_000_000_000, 3600, 2160)
	if err != nil {
		b.Fatal(err)
	}
	bitmap, counts := make([]uint64, 0, n/64+1), make([]uint64, hours.Len())
	each := func(name string, pass func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(8 * n)
			for b.Loop() {
				pass()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/item")
		})
	}
	each("read", func() {
		sum := uint64(0)
		for i := range items.ts {
			sum += uint64(items.ts[i]) + uint64(items.ttl[i])
		}
		columnSink = sum
	})
	each("histogram", func() { columnSink = items.CountDeadlines(counts, hours, c) })
	each("bitmap", func() { bitmap = items.AppendExpired(bitmap[:0], c, 1_704_000_000_000) })
}

var columnSink uint64
