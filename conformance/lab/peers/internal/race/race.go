// Package race runs several implementations of the same work side by side, after it has
// checked that they agree.
//
// Nanoseconds of two runs cannot be compared on a machine that does other things too. So
// all sides of a [Work] run in turn, A B C B C A, and medians of one run are compared.
// The measured code is the checked code: [Side.Do] returns the sum of its answers, which
// for a single input is the answer itself.
package race

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// A Pace says how long and how often the sides run.
type Pace struct {
	// Rounds is the number of turns of each side. The order of the sides changes from round
	// to round, as in A B C B C A C A B, so that a process that interrupts at regular
	// intervals does not meet the same side each time.
	Rounds int
	// Turn is the approximate duration of a turn.
	Turn time.Duration
}

// Run lets all sides of w have their turns and returns the median of each. A turn is a
// benchmark of Go. Turns of different sides alternate, whereas go test -bench -count
// repeats one side before it starts the next.
func (w Work) Run(p Pace) Medians {
	turns, allocations := map[string][]float64{}, Medians{}
	runners := w.runners()
	for round := range p.Rounds {
		for i := range runners {
			r := runners[(round+i)%len(runners)]
			result := r.turn(p)
			turns[r.Name] = append(turns[r.Name], float64(result.T)/float64(result.N))
			allocations[r.Name] = float64(result.AllocsPerOp())
		}
	}
	m := Medians{}
	for _, r := range runners {
		m[r.Name], m[r.Name+Allocations] = Median(turns[r.Name]), allocations[r.Name]
	}
	return m
}

// Benchmark runs each side as a benchmark of go test, with names that suit benchstat -col
// /side.
func (w Work) Benchmark(b *testing.B) {
	for _, r := range w.runners() {
		b.Run(strings.ReplaceAll("work="+w.Name, "/", " of ")+"/side="+strings.ReplaceAll(r.Name, "/", "."), r.benchmark)
	}
}

// runners returns a runner for each side. Runners of cold sides begin at different
// inputs.
func (w Work) runners() (all []*runner) {
	for i, s := range w.Sides {
		r := &runner{Side: s}
		if s.Cold > 0 {
			r.at = s.N / len(w.Sides) * i
		}
		all = append(all, r)
	}
	return all
}

// A runner takes a side through its inputs repeatedly. Each turn begins at the input that
// follows the last input of the previous turn.
type runner struct {
	Side
	at int // the next input
}

// benchmark runs the side on b.N inputs.
func (r *runner) benchmark(b *testing.B) {
	b.ReportAllocs()
	for left := b.N; left > 0; {
		to := min(r.at+left, r.N)
		r.Do(r.at, to) // the compiler never omits a call of a function value
		left -= to - r.at
		r.at = to % r.N
	}
}

// turn runs the benchmark for p.Turn, or for Cold inputs if the side is cold.
func (r *runner) turn(p Pace) testing.BenchmarkResult {
	length := p.Turn.String()
	if r.Cold > 0 {
		length = fmt.Sprintf("%dx", r.Cold)
	}
	testing.Init() // defines test flags in a program that is not a test
	if err := flag.Set("test.benchtime", length); err != nil {
		panic(err) // length is malformed: a mistake of this package
	}
	return testing.Benchmark(r.benchmark)
}

// Median returns the median of the turns: the middle one, or the mean of the middle two
// if their number is even. It returns NaN if there are no turns.
func Median(turns []float64) float64 {
	sorted := slices.Sorted(slices.Values(turns))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Agree runs every side on every input and compares the answers with those of the
// first side. The error names a side with a different answer, an exception that is
// out of date, or sides with different inputs.
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

// Title returns the row and the name of the work.
func (w Work) Title() string { return strings.TrimSpace(w.Row + " " + w.Name) }

// A Side is one implementation of a work.
type Side struct {
	// Name is the side's name in goals: [Ours], a peer, or a limit.
	Name string
	// N is the number of inputs.
	N int
	// Do does the work on the inputs from, …, to-1, and returns the sum of the answers.
	Do func(from, to int) int64
	// Apart marks a side whose answers need not agree with the others: it only reads the
	// inputs, for example, or it has inputs of its own.
	Apart bool
	// Cold is the number of inputs in a turn of a side that waits for memory. All such
	// sides of a work have the same number and begin far apart, so that the inputs of each
	// have been unused for equally long.
	Cold int
}

// Ours is the name of the library's side. A work without it compares the library with
// itself.
const Ours = "ttlpolicy"

// A Work is a task, with all sides that can do it.
type Work struct {
	// Row is the goal's row, such as "G3", and About says what the work decides.
	Row, About string
	// Name tells the works of a row apart, such as "1 KB, date last".
	Name string
	// Sides are the implementations of the work, [Ours] first. All sides that are not
	// Apart have the same inputs in the same order.
	Sides []Side
	// Figures compute further numbers from the medians, by name. Goals name figures and
	// sides.
	Figures map[string]Figure
	// Block is the number of inputs whose answers are compared as one sum; 0 means 1. A
	// sum shows less than single answers, but avoids the cost of a call for each input.
	Block int
	// Exceptions are the inputs about which a side is known to be wrong, or
	// to answer another question.
	Exceptions []Exception
}

// An Exception describes an input to which a peer does not give the right answer.
type Exception struct {
	Side  string
	Input int
	Why   string
}

// A Figure computes a number from medians. The result is NaN if a median is missing.
type Figure func(Medians) float64

// Allocations is a suffix: a side's name with this suffix is the key of its allocations
// per input in [Medians].
const Allocations = ", allocations"

// Medians are the sides' nanoseconds per input, by name, and their allocations. A missing
// side is NaN, and so is every ratio with it.
type Medians map[string]float64

// Of returns the median of a side.
func (m Medians) Of(side string) float64 {
	if ns, ok := m[side]; ok {
		return ns
	}
	return math.NaN()
}
