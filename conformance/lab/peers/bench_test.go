package peers

import (
	"testing"
)

// BenchmarkPeers runs every side of every row after checking that the sides agree; an
// operation is one input.
func BenchmarkPeers(b *testing.B) {
	for _, row := range All() {
		b.Run(row.Name, func(b *testing.B) {
			for w := range row.Works(Size{Items: 1 << 16, Sweep: 200_000, SweepBytes: 64 << 20}) {
				if err := w.Agree(); err != nil {
					b.Fatal(err)
				}
				w.Benchmark(b)
			}
		})
	}
}
