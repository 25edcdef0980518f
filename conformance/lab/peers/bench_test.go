package main

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/curve"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/rows"
)

// BenchmarkPeers runs every side of every row after checking that the sides agree; an
// operation is one input.
func BenchmarkPeers(b *testing.B) {
	for _, row := range rows.All() {
		b.Run(row.Name, func(b *testing.B) {
			for w := range row.Works(options{quick: true}.size()) {
				if err := w.Agree(); err != nil {
					b.Fatal(err)
				}
				w.Benchmark(b)
			}
		})
	}
}

// BenchmarkGrowth runs the points of every curve.
func BenchmarkGrowth(b *testing.B) {
	for _, c := range curve.All() {
		c.Work().Benchmark(b)
	}
}
