package peers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Benchmark runs each side as a benchmark of go test, with names that suit benchstat -col
// /side. An operation is one input.
func (w Work) Benchmark(b *testing.B) {
	for i, s := range w.Sides {
		at := 0
		if s.Cold {
			at = s.N / len(w.Sides) * i
		}
		b.Run(strings.ReplaceAll("work="+w.Name, "/", " of ")+"/side="+strings.ReplaceAll(s.Name, "/", "."), func(b *testing.B) {
			b.ReportAllocs()
			for left := b.N; left > 0; {
				to := min(at+left, s.N)
				s.Do(at, to) // the compiler never omits a call of a function value
				left -= to - at
				at = to % s.N
			}
		})
	}
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
	// Name is the side's name: [Ours], a peer, or a limit.
	Name string
	// N is the number of inputs.
	N int
	// Do does the work on the inputs from, …, to-1, and returns the sum of the answers.
	Do func(from, to int) int64
	// Apart marks a side whose answers need not agree with the others: it only reads the
	// inputs, for example, or it has inputs of its own.
	Apart bool
	// Cold marks a side that waits for memory. Such sides of a work begin far apart.
	Cold bool
}

// Ours is the name of the library's side. A work without it compares the library with
// itself.
const Ours = "ttlpolicy"

// A Work is a task, with all sides that can do it.
type Work struct {
	// Row is the name of the row, such as "G3".
	Row string
	// Name tells the works of a row apart, such as "1 KB, date last".
	Name string
	// Sides are the implementations of the work, [Ours] first. All sides that are not
	// Apart have the same inputs in the same order.
	Sides []Side
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
