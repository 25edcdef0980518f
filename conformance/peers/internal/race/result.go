// Package race runs several ways of doing the same work side by side, after it
// has checked that they agree.
//
// Nanoseconds of two runs cannot be compared on a machine that does other
// things too. So all sides of a [Work] run in turn, A B C B C A, and what is
// reported is the ratio of two medians of one run. The code that is measured is
// the code that is checked: [Side.Do] returns the sum of its answers, and asked
// about one input, the answer to it.
package race

import "math"

// A Result is what came of a work.
type Result struct {
	Row, About, Name string
	Medians          Medians
	// Allocations is how many the library makes per input.
	Allocations float64
	Outcomes    []Outcome
}

// An Outcome is a goal and the ratio that was measured.
type Outcome struct {
	Goal  Goal
	Ratio float64
	Met   bool
}

// Hold checks that the sides agree, lets them run, and holds the medians to the
// goals.
func (w Work) Hold(p Pace) (Result, error) {
	r := Result{Row: w.Row, About: w.About, Name: w.Name, Allocations: math.NaN()}
	if err := w.Agree(); err != nil {
		return r, err
	}
	r.Medians = w.Run(p)
	r.Allocations = r.Medians.Of(Ours + Allocations)
	for _, g := range w.Goals {
		ratio := g.Ratio(r.Medians)
		r.Outcomes = append(r.Outcomes, Outcome{Goal: g, Ratio: ratio, Met: g.IsMet(ratio)})
	}
	return r, nil
}

// Label is the outcome's name among all: the row, the peer and the work.
func (r Result) Label(o Outcome) string {
	label := r.Row + " " + o.Goal.Name
	if r.Name != "" {
		label += ", " + r.Name
	}
	if o.Goal.AtMost {
		label += " (at most)"
	}
	return label
}
