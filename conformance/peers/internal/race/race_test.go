package race

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// answers is a side that gives these answers.
func answers(name string, all ...int64) Side {
	return Side{Name: name, N: len(all), Do: func(from, to int) (sum int64) {
		for _, a := range all[from:to] {
			sum += a
		}
		return sum
	}}
}

func TestAgree(t *testing.T) {
	ours := answers(Ours, 1, 0, 1, 0)
	limit := answers("limit", 7)
	limit.Apart = true
	excuse := []Exception{{Side: "peer", Input: 1, Why: "rounds"}}
	tests := []struct {
		why  string
		work Work
		want string // of the error, empty for agreement
	}{
		{"the same answers", Work{Sides: []Side{ours, answers("peer", 1, 0, 1, 0)}}, ""},
		{"one answer differs", Work{Row: "G9", Name: "x", Sides: []Side{ours, answers("peer", 1, 0, 0, 0)}},
			"G9 x: peer answers input 2 with 0, want 1"},
		{"two answers differ and their sum does not", Work{Sides: []Side{ours, answers("peer", 1, 1, 0, 0)}},
			"peer answers input 1 with 1, want 0"},
		{"the third side is asked too", Work{Sides: []Side{ours, answers("peer", 1, 0, 1, 0), answers("other", 0, 0, 1, 0)}},
			"other answers input 0 with 0, want 1"},
		{"a side apart is not asked", Work{Sides: []Side{ours, limit}}, ""},
		{"blocks of two, the last is short", Work{Block: 3, Sides: []Side{ours, answers("peer", 1, 0, 1, 1)}},
			"peer answers input 3 with 1, want 0"},
		{"an exception excuses one input", Work{Exceptions: excuse, Sides: []Side{ours, answers("peer", 1, 9, 1, 0)}}, ""},
		{"and no other", Work{Exceptions: excuse, Sides: []Side{ours, answers("peer", 1, 9, 1, 5)}},
			"peer answers input 3 with 5, want 0"},
		{"and no other side", Work{Exceptions: excuse, Sides: []Side{ours, answers("other", 1, 9, 1, 0)}},
			"other answers input 1 with 9, want 0"},
		{"an exception that is not one", Work{Exceptions: excuse, Sides: []Side{ours, answers("peer", 1, 0, 1, 0)}},
			"peer answers input 1 as the others do (0); the exception is out of date"},
	}
	for _, tt := range tests {
		err := tt.work.Agree()
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s: Agree() = %v, want %q", tt.why, err, tt.want)
		}
	}
}

// TestAgreeInputs: a side with fewer inputs could agree by not being asked.
func TestAgreeInputs(t *testing.T) {
	w := Work{Sides: []Side{answers(Ours, 1, 1), answers("peer", 1)}}
	if err := w.Agree(); err == nil || !strings.Contains(err.Error(), "1 inputs") {
		t.Errorf("Agree() = %v, want an error about the number of inputs", err)
	}
}

// TestRun: the sides have their turns in the order A B B A A B, each goes on where its
// turn before ended, and a cold side has turns of one size and begins elsewhere.
func TestRun(t *testing.T) {
	var log []string
	cold := func(name string) Side {
		return Side{Name: name, N: 640, Cold: 10, Do: func(from, to int) int64 {
			if to-from > 1 { // testing begins with one input
				log = append(log, fmt.Sprint(name, from, "-", to))
			}
			return 0
		}}
	}
	m := Work{Sides: []Side{cold("a"), cold("b")}}.Run(Pace{Rounds: 3, Turn: time.Millisecond})
	if got, want := strings.Join(log, " "), "a1-11 b321-331 b332-342 a12-22 a23-33 b343-353"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
	if m["a"] <= 0 || m["b"] <= 0 {
		t.Errorf("medians %v, want those of a and b", m)
	}
}

// TestRunPassesOverAllInputs: a turn begins again at the first input after the last.
func TestRunPassesOverAllInputs(t *testing.T) {
	var seen []int
	r := runner{Side: Side{N: 5, Do: func(from, to int) int64 {
		for i := from; i < to; i++ {
			seen = append(seen, i)
		}
		return 0
	}}}
	r.benchmark(&testing.B{N: 3})
	r.benchmark(&testing.B{N: 9})
	if got, want := fmt.Sprint(seen), "[0 1 2 3 4 0 1 2 3 4 0 1]"; got != want {
		t.Errorf("inputs %s, want %s", got, want)
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		turns []float64
		want  float64
	}{
		{[]float64{3}, 3},
		{[]float64{9, 1, 5}, 5},
		{[]float64{1, 1000, 2, 4}, 3},
	} {
		if got := Median(tt.turns); got != tt.want {
			t.Errorf("Median(%v) = %v, want %v", tt.turns, got, tt.want)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("Median(nil) = %v, want NaN", got)
	}
}

func TestGoals(t *testing.T) {
	m := Medians{Ours: 10, "peer": 25, "limit": 4, "two": 5}
	for _, tt := range []struct {
		why  string
		goal Goal
		want float64
		met  bool
	}{
		{"the peer takes 2.5 times as long", Ahead("peer", 2), 2.5, true},
		{"exactly the goal", Ahead("peer", 2.5), 2.5, true},
		{"not enough", Ahead("peer", 3), 2.5, false},
		{"2.5 times the limit's time", Within("limit", 3), 2.5, true},
		{"too long", Within("limit", 2), 2.5, false},
		{"0.4 of the limit's speed", Share("limit", 0.4), 0.4, true},
		{"not enough of it", Share("limit", 0.5), 0.4, false},
		{"15 ns more", More("peer", Ours, 15), 15, true},
		{"more than that", More("peer", Ours, 14), 15, false},
		{"no goal", Beside("peer"), 2.5, true},
	} {
		got := tt.goal.Ratio(m)
		if got != tt.want || tt.goal.IsMet(got) != tt.met {
			t.Errorf("%s: %v, met %v, want %v, %v", tt.why, got, tt.goal.IsMet(got), tt.want, tt.met)
		}
	}
}

// TestGoalsWithoutOurs: what is not offered is not met, either way.
func TestGoalsWithoutOurs(t *testing.T) {
	m := Medians{"peer": 25}
	for _, g := range []Goal{Ahead("peer", 2), Within("peer", 2), Share("peer", 0.1)} {
		if got := g.Ratio(m); !math.IsNaN(got) || g.IsMet(got) {
			t.Errorf("without our side: %v, met %v, want NaN, false", got, g.IsMet(got))
		}
	}
}

// TestHold: sides that disagree are not measured at all.
func TestHold(t *testing.T) {
	w := Work{Row: "G1", Sides: []Side{answers(Ours, 1), answers("peer", 1)}, Goals: []Goal{Ahead("peer", 0)}}
	r, err := w.Hold(Pace{Rounds: 1, Turn: time.Millisecond})
	if err != nil || len(r.Outcomes) != 1 || !r.Outcomes[0].Met || r.Allocations != 0 {
		t.Errorf("Hold() = %+v, %v, want one goal met without allocations", r, err)
	}
	w.Sides[1] = answers("peer", 2)
	if r, err := w.Hold(Pace{Rounds: 1, Turn: time.Millisecond}); err == nil || len(r.Outcomes) != 0 {
		t.Errorf("Hold() of sides that disagree = %+v, %v, want an error alone", r, err)
	}
}

var boxed []*int64

func TestAllocations(t *testing.T) {
	boxing := Side{Name: "boxing", N: 10, Do: func(from, to int) int64 {
		for range to - from {
			boxed = []*int64{new(int64)} // one for the number, one for the slice
		}
		return 0
	}}
	m := Work{Sides: []Side{boxing, answers("adding", 1, 2)}}.Run(Pace{Rounds: 1, Turn: time.Millisecond})
	if got, none := m.Of("boxing"+Allocations), m.Of("adding"+Allocations); got != 2 || none != 0 {
		t.Errorf("allocations %v and %v, want 2 and 0", got, none)
	}
}
