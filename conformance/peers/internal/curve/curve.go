// Package curve measures how the cost of a decision grows.
package curve

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// A Curve is one decision over inputs that grow.
type Curve struct {
	Name string
	// X is what grows, such as "fields".
	X      string
	Points []Point
}

// A Point is one size.
type Point struct {
	X     int
	Bytes int    // of the document, 0 if it is the policy that grows
	Run   func() // one decision
}

// A Measured point has the median of its nanoseconds.
type Measured struct {
	X, Bytes int
	NS       float64
}

// Measure lets all points of a curve run in turn.
func (c Curve) Measure(p race.Pace) []Measured {
	w := race.Work{}
	for _, point := range c.Points {
		w.Sides = append(w.Sides, race.Side{Name: label(point.X), N: 1, Do: func(int, int) int64 {
			point.Run()
			return 0
		}})
	}
	m := w.Run(p)
	var all []Measured
	for _, point := range c.Points {
		all = append(all, Measured{point.X, point.Bytes, m.Of(label(point.X))})
	}
	return all
}

// Growth compares the last point with the first: how many times as large the
// input is, and how many times as long it takes. What grows is the document's
// bytes or, where they do not grow, X.
func Growth(points []Measured) (size, cost float64) {
	first, last := points[0], points[len(points)-1]
	size = float64(last.X) / float64(first.X)
	if first.Bytes != last.Bytes {
		size = float64(last.Bytes) / float64(first.Bytes)
	}
	return size, last.NS / first.NS
}
