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

// A Work is something to do, with all who can do it and the goals.
type Work struct {
	// Row is the goal's row, such as "G3", and About what is decided in it.
	Row, About string
	// Name tells the works of a row apart, such as "1 KB, date last". It is
	// empty in a row of one work.
	Name string
	// Sides do it, [Ours] first. All but those that are
	// Apart have the same inputs in the same order.
	Sides []Side
	// Goals are what the medians are held to.
	Goals []Goal
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

// Side returns the side of that name, and whether there is one.
func (w Work) Side(name string) (Side, bool) {
	for _, s := range w.Sides {
		if s.Name == name {
			return s, true
		}
	}
	return Side{}, false
}

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

// A Goal is one ratio of medians and what is wanted of it.
type Goal struct {
	// Name is the peer or the limit.
	Name string
	// Ratio is worked out from the medians.
	Ratio func(Medians) float64
	// Want is the least ratio that meets the goal, the greatest if AtMost.
	Want   float64
	AtMost bool
	// Unit is empty for a ratio, "ns" for a difference.
	Unit string
	// Open means that nothing is wanted: the ratio is there to be known.
	Open bool
}

// IsMet reports whether a ratio is what the goal wants. What is not a number
// never is.
func (g Goal) IsMet(ratio float64) bool {
	if g.Open {
		return !math.IsNaN(ratio)
	}
	if g.AtMost {
		return ratio <= g.Want
	}
	return ratio >= g.Want
}

// Ahead is the goal to be want times as fast as a peer.
func Ahead(peer string, want float64) Goal {
	return Goal{Name: peer, Want: want, Ratio: func(m Medians) float64 { return m.Of(peer) / m.Of(Ours) }}
}

// Beside is the ratio to a peer for information, without a goal.
func Beside(peer string) Goal {
	g := Ahead(peer, 0)
	g.Open = true
	return g
}

// Within is the goal to take at most want times as long as a peer or a limit.
func Within(limit string, want float64) Goal {
	return Goal{Name: limit, Want: want, AtMost: true, Ratio: func(m Medians) float64 { return m.Of(Ours) / m.Of(limit) }}
}

// Share is the goal to reach a share of a limit's speed.
func Share(limit string, want float64) Goal {
	return Goal{Name: limit, Want: want, Ratio: func(m Medians) float64 { return m.Of(limit) / m.Of(Ours) }}
}

// More is the goal that one side take at most want nanoseconds more than
// another.
func More(side, than string, want float64) Goal {
	return Goal{Name: side, Want: want, AtMost: true, Unit: "ns", Ratio: func(m Medians) float64 { return m.Of(side) - m.Of(than) }}
}
