package curve

import (
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/race"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPoints: every point reads its document up to the date or the ttl. A document that
// is refused early would flatter the curve.
func TestPoints(t *testing.T) {
	for _, c := range All() {
		for _, p := range c.Points {
			p.Run()
			if c.X == "digits" {
				if sink.State != policy.Never || sink.Rule.ID != "cosmos.item-unspecified" {
					t.Errorf("%s, %d: %v by %s", c.Name, p.X, sink.State, sink.Rule)
				}
				continue
			}
			if sink.State == policy.Never {
				t.Errorf("%s, %d: %v by %s, want a deadline", c.Name, p.X, sink.State, sink.Rule)
			}
		}
	}
}

// TestMeasure: a point is run, and has a time.
func TestMeasure(t *testing.T) {
	runs := 0
	c := Curve{Points: []Point{{X: 1, Bytes: 10, Run: func() {}}, {X: 3, Bytes: 40, Run: func() { runs++ }}}}
	got := c.Measure(race.Pace{Rounds: 1, Turn: time.Millisecond}).Points
	if runs == 0 || got[0].NS <= 0 || got[1].NS <= 0 || got[1].X != 3 || got[1].Bytes != 40 {
		t.Errorf("Measure() = %v after %d runs", got, runs)
	}
}

func TestGrowth(t *testing.T) {
	c := Curve{Points: []Point{{X: 1, Bytes: 10, NS: 5}, {X: 3, Bytes: 40, NS: 60}}}
	if size, cost := c.Growth(); size != 4 || cost != 12 {
		t.Errorf("Growth(%v) = %v, %v, want 4 times the bytes at 12 times the cost", c.Points, size, cost)
	}
	c.Points[1].Bytes = 10
	if size, _ := c.Growth(); size != 3 {
		t.Errorf("Growth(%v) = %v, want 3 times the X where the bytes do not grow", c.Points, size)
	}
}
