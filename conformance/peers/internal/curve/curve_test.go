package curve

import (
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPoints: every point reaches the date, or the ttl, that it is about; a
// document that is refused at once would make a flattering curve.
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

// TestMeasure: a point has its own time and no other's.
func TestMeasure(t *testing.T) {
	var at time.Duration
	c := Curve{Points: []Point{
		{X: 1, Bytes: 10, Run: func() { at += 5 }},
		{X: 3, Bytes: 40, Run: func() { at += 60 }},
	}}
	got := c.Measure(race.Pace{Rounds: 3, Turn: 1, Clock: func() time.Duration { return at }})
	if got[0] != (Measured{1, 10, 5}) || got[1] != (Measured{3, 40, 60}) {
		t.Errorf("Measure() = %v", got)
	}
	if size, cost := Growth(got); size != 4 || cost != 12 {
		t.Errorf("Growth(%v) = %v, %v, want 4 times the bytes at 12 times the cost", got, size, cost)
	}
	got[1].Bytes = 10
	if size, _ := Growth(got); size != 3 {
		t.Errorf("Growth(%v) = %v, want 3 times the X where the bytes do not grow", got, size)
	}
}
