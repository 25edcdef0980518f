// Package race runs several ways of doing the same work side by side, after it
// has checked that they agree.
//
// Nanoseconds of two runs cannot be compared on a machine that does other
// things too. So all sides of a [Work] run in turn, A B C B C A, and what is
// compared are medians of one run. The code that is measured is
// the code that is checked: [Side.Do] returns the sum of its answers, and asked
// about one input, the answer to it.
package race

import "math"

// A Side is one way of doing a work.
type Side struct {
	// Name is what goals call it: [Ours], a peer, or a limit.
	Name string
	// N is the number of inputs.
	N int
	// Do does the work on the inputs from, from+1, up to but without to, and
	// returns the sum of the answers.
	Do func(from, to int) int64
	// Apart marks a side that answers nothing, such as reading the inputs, or
	// that has inputs of its own: it need not agree.
	Apart bool
	// Cold is for a side that waits for memory: how many inputs a turn has. All
	// such sides of a work have the same and begin far apart, so that each finds
	// its inputs equally long unused.
	Cold int
}

// Ours is the name of the library's side. A work without it compares the library with
// itself.
const Ours = "ttlpolicy"

// A Work is something to do, with all who can do it.
type Work struct {
	// Row is the goal's row, such as "G3", and About what is decided in it.
	Row, About string
	// Name tells the works of a row apart, such as "1 KB, date last".
	Name string
	// Sides do it, [Ours] first. All but those that are
	// Apart have the same inputs in the same order.
	Sides []Side
	// Figures are what goals name beside sides, worked out of the medians.
	Figures map[string]Figure
	// Block is how many inputs are compared at a time; 0 stands for 1. A sum
	// over a block says less than single answers do, but a side may have a
	// cost per call.
	Block int
	// Exceptions are the inputs about which a side is known to be wrong, or
	// to answer another question.
	Exceptions []Exception
}

// An Exception is data about a peer: it does not give the right answer.
type Exception struct {
	Side  string
	Input int
	Why   string
}

// A Figure is worked out of medians. What lacks a median is not a number.
type Figure func(Medians) float64

// Allocations behind a side's name names its allocations per input among the medians.
const Allocations = ", allocations"

// Medians are the sides' nanoseconds per input, by name, and their allocations. A side that is not
// there is not a number, and so is every ratio with it.
type Medians map[string]float64

// Of returns the median of a side.
func (m Medians) Of(side string) float64 {
	if ns, ok := m[side]; ok {
		return ns
	}
	return math.NaN()
}
