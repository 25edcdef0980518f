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
		want string // the text of the error; empty if the sides agree
	}{
		{"the same answers", Work{Sides: []Side{ours, answers("peer", 1, 0, 1, 0)}}, ""},
		{"one answer differs", Work{Row: "G9", Name: "x", Sides: []Side{ours, answers("peer", 1, 0, 0, 0)}},
			"G9 x: peer answers input 2 with 0, want 1"},
		{"two answers differ and their sum does not", Work{Sides: []Side{ours, answers("peer", 1, 1, 0, 0)}},
			"peer answers input 1 with 1, want 0"},
		{"the third side is asked too", Work{Sides: []Side{ours, answers("peer", 1, 0, 1, 0), answers("other", 0, 0, 1, 0)}},
			"other answers input 0 with 0, want 1"},
		{"a side apart is not asked", Work{Sides: []Side{ours, limit}}, ""},
		{"blocks of three, the last is short", Work{Block: 3, Sides: []Side{ours, answers("peer", 1, 0, 1, 1)}},
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

// TestAgreeInputs: a side with fewer inputs does not count as agreeing.
func TestAgreeInputs(t *testing.T) {
	w := Work{Sides: []Side{answers(Ours, 1, 1), answers("peer", 1)}}
	if err := w.Agree(); err == nil || !strings.Contains(err.Error(), "1 inputs") {
		t.Errorf("Agree() = %v, want an error about the number of inputs", err)
	}
}

// TestRun: the sides have their turns in the order A B B A A B. Each turn continues where
// the side's previous turn ended. The turns of a cold side have a constant size, and cold
// sides begin at different inputs.
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

// TestRunPassesOverAllInputs: after the last input a turn goes on with the first.
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

var boxed []*int64

func TestAllocations(t *testing.T) {
	boxing := Side{Name: "boxing", N: 10, Do: func(from, to int) int64 {
		for range to - from {
			boxed = []*int64{new(int64)} // allocates the number, and the slice
		}
		return 0
	}}
	m := Work{Sides: []Side{boxing, answers("adding", 1, 2)}}.Run(Pace{Rounds: 1, Turn: time.Millisecond})
	if got, none := m.Of("boxing"+Allocations), m.Of("adding"+Allocations); got != 2 || none != 0 {
		t.Errorf("allocations %v and %v, want 2 and 0", got, none)
	}
}
