package race

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A Pace is how long and how often the sides run.
type Pace struct {
	// Rounds is how often each side has its turn, in the order A B C B C A C A
	// B: where another process cuts in at regular intervals, it does not meet the
	// same side each time.
	Rounds int
	// Turn is about how long a turn lasts.
	Turn time.Duration
	// Clock reads the time since some fixed instant; nil for the real one.
	Clock func() time.Duration
}

// Run lets all sides of w run in turn and returns the median of each.
func (w Work) Run(p Pace) Medians {
	if p.Clock == nil {
		start := time.Now()
		p.Clock = func() time.Duration { return time.Since(start) }
	}
	var runners []*runner
	for i, s := range w.Sides {
		r := &runner{Side: s, clock: p.Clock}
		if s.Cold > 0 {
			r.at, r.size = s.N/len(w.Sides)*i, s.Cold
		} else {
			r.calibrate(p.Turn)
		}
		runners = append(runners, r)
	}
	for round := range p.Rounds {
		for i := range runners {
			r := runners[(round+i)%len(runners)]
			r.turns = append(r.turns, r.turn())
		}
	}
	m := Medians{}
	for _, r := range runners {
		m[r.Name] = Median(r.turns)
	}
	return m
}

// A runner is a side on its way through its inputs, again and again: a turn
// begins where the one before ended.
type runner struct {
	Side
	clock func() time.Duration
	at    int // the next input
	size  int // inputs per turn
	turns []float64
}

// calibrate settles how many inputs make a turn. It also warms the side up. Of
// three turns the fastest counts: one that another process cut into would make
// all later turns too short to be warm.
func (r *runner) calibrate(turn time.Duration) {
	for r.size = 1; ; r.size *= 2 {
		perInput := min(r.turn(), r.turn(), r.turn())
		took := time.Duration(perInput * float64(r.size))
		if took >= turn || r.size >= 1<<30 {
			return
		}
		if took >= turn/8 {
			r.size = max(1, int(float64(turn)/perInput))
			return
		}
	}
}

// turn does r.size inputs and returns the nanoseconds that each took.
func (r *runner) turn() float64 {
	start := r.clock()
	for left := r.size; left > 0; {
		to := min(r.at+left, r.N)
		r.Do(r.at, to) // a call of a function value is never left out
		left -= to - r.at
		r.at = to % r.N
	}
	return float64(r.clock()-start) / float64(r.size)
}

// Median returns the middle one of the turns, of an even number the mean of
// the middle two. It is NaN for none.
func Median(turns []float64) float64 {
	sorted := slices.Sorted(slices.Values(turns))
	n := len(sorted)
	if n == 0 {
		return Medians{}.Of("")
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Allocations returns how many allocations a side makes per input.
func (s Side) Allocations() float64 {
	n := min(s.N, 1000)
	return testing.AllocsPerRun(3, func() { s.Do(0, n) }) / float64(n)
}

// Spin does the work again and again for about as long as given, for a profile.
func (s Side) Spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
		s.Do(0, min(s.N, 10_000))
	}
}

// Agree asks every side about every input and compares the answers with those
// of the first side. The error says who answers what otherwise, that an exception is
// out of date, or that the sides do not have the same inputs.
func (w Work) Agree() error {
	for _, s := range w.Sides {
		if s.Apart {
			continue
		}
		first := w.Sides[0]
		if s.N != first.N {
			return fmt.Errorf("%s: %s has %d inputs, %s has %d", w.Title(), s.Name, s.N, first.Name, first.N)
		}
		if err := w.agree(first, s); err != nil {
			return err
		}
	}
	return nil
}

func (w Work) agree(first, s Side) error {
	for from, block := 0, max(w.Block, 1); from < s.N; from += block {
		to := min(from+block, s.N)
		got, want := s.Do(from, to), first.Do(from, to)
		switch isException := w.IsException(s.Name, from); {
		case got != want && !isException:
			return fmt.Errorf("%s: %s answers input %d with %d, want %d", w.Title(), s.Name, from, got, want)
		case got == want && isException:
			return fmt.Errorf("%s: %s answers input %d as the others do (%d); the exception is out of date", w.Title(), s.Name, from, got)
		}
	}
	return nil
}

// IsException reports whether a side is known to answer an input differently.
func (w Work) IsException(side string, input int) bool {
	return slices.ContainsFunc(w.Exceptions, func(e Exception) bool { return e.Side == side && e.Input == input })
}

// Title is the row and the name.
func (w Work) Title() string {
	if w.Name == "" {
		return w.Row
	}
	return w.Row + " " + w.Name
}
