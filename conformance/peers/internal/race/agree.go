package race

import (
	"fmt"
	"slices"
)

// A Disagreement says that two sides of a work answer one input differently,
// or that an exception is out of date.
type Disagreement struct {
	Work  string
	Side  string
	Input int   // the first of its block
	Got   int64 // the side's answer
	Want  int64 // the first side's
	// Stale tells that the side agrees where an exception says that it does
	// not.
	Stale bool
}

// Error names the work, the side and the input.
func (d *Disagreement) Error() string {
	if d.Stale {
		return fmt.Sprintf("%s: %s answers input %d as the others do (%d); the exception is out of date", d.Work, d.Side, d.Input, d.Got)
	}
	return fmt.Sprintf("%s: %s answers input %d with %d, want %d", d.Work, d.Side, d.Input, d.Got, d.Want)
}

// Agree asks every side about every input and compares the answers with those
// of the first side. The error is a [*Disagreement], or says that the sides do
// not have the same inputs.
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
		if stale := w.IsException(s.Name, from); (got == want) == stale {
			return &Disagreement{Work: w.Title(), Side: s.Name, Input: from, Got: got, Want: want, Stale: stale}
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
