package goals

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/race"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Goal
	}{
		{"≥ 2.2x", Goal{Want: 2.2, Unit: "x"}},
		{"≤ 1.25x", Goal{Want: 1.25, AtMost: true, Unit: "x"}},
		{"≤ 14 ns", Goal{Want: 14, AtMost: true, Unit: "ns"}},
		{"≤ 0 allocations", Goal{AtMost: true, Unit: "allocations"}},
		{"none", Goal{Open: true, Unit: "x"}},
	} {
		want := tt.want
		want.Row, want.Work, want.Against, want.Text = "G1", "work", "peer", tt.text
		if diff := cmp.Diff(want, parse([]string{"G1", "work", "peer", tt.text})); diff != "" {
			t.Errorf("parse(%q) (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestLine(t *testing.T) {
	m := race.Medians{race.Ours: 10, "peer": 25, "limit": 4}
	w := race.Work{Figures: map[string]race.Figure{"more": func(m race.Medians) float64 { return m.Of("peer") - m.Of(race.Ours) }}}
	for _, tt := range []struct {
		why, against, text string
		want               float64
		met, isPeer        bool
	}{
		{"the peer takes 2.5 times as long", "peer", "≥ 2x", 2.5, true, true},
		{"exactly the goal", "peer", "≥ 2.5x", 2.5, true, true},
		{"not enough", "peer", "≥ 3x", 2.5, false, true},
		{"2.5 times the limit's time", "limit", "≤ 3x", 2.5, true, false},
		{"too long", "limit", "≤ 2x", 2.5, false, false},
		{"0.4 of the limit's speed", "limit", "≥ 0.4x", 0.4, true, false},
		{"not enough of it", "limit", "≥ 0.5x", 0.4, false, false},
		{"15 ns more", "more", "≤ 15 ns", 15, true, false},
		{"more than that", "more", "≤ 14 ns", 15, false, false},
		{"no goal", "peer", "none", 2.5, true, false},
		{"nobody of that name", "other", "≥ 1x", math.NaN(), false, true},
	} {
		got := parse([]string{"", "", tt.against, tt.text}).line(w, m)
		same := got.Ratio == tt.want || math.IsNaN(got.Ratio) && math.IsNaN(tt.want)
		if !same || got.Met() != tt.met || got.IsPeer != tt.isPeer {
			t.Errorf("%s: %v, met %v, beside a peer %v, want %v, %v, %v", tt.why, got.Ratio, got.Met(), got.IsPeer, tt.want, tt.met, tt.isPeer)
		}
	}
}

// TestMeasure: sides that disagree are not measured at all.
func TestMeasure(t *testing.T) {
	answers := func(name string, answer int64) race.Side {
		return race.Side{Name: name, N: 1, Do: func(int, int) int64 { return answer }}
	}
	pace := race.Pace{Rounds: 1, Turn: time.Millisecond}
	w := race.Work{Row: "G1", About: "items", Name: "items in memory", Sides: []race.Side{answers(race.Ours, 1), answers("expr", 1)}}
	lines, err := Measure(w, pace)
	if err != nil || len(lines) != 8 || lines[1].Name() != "G1 expr, items in memory" || lines[1].About != "items" || !(lines[1].Ratio > 0) {
		t.Errorf("Measure() = %+v, %v, want the eight lines of the work", lines, err)
	}
	w.Sides[1] = answers("expr", 2)
	if lines, err := Measure(w, pace); err == nil || lines != nil {
		t.Errorf("Measure() of sides that disagree = %+v, %v, want an error alone", lines, err)
	}
}
