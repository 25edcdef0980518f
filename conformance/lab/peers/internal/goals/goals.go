// Package goals holds the library's goal beside each peer and each limit, one line of
// goals.tsv each, and compares measurements with the goals.
package goals

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/shapes"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/race"
)

// A Goal is one line of the table.
type Goal struct {
	Row, Work string
	// Against is a peer or a limit among the sides of the work, or one of its figures.
	Against string
	// Text is the goal as the table has it, such as "≥ 2.2x", "≤ 14 ns" or "none".
	Text string
	// Want is the least ratio that meets the goal, or the greatest if AtMost is set.
	Want   float64
	AtMost bool
	// Unit is "x" for a ratio, or the unit of a figure, such as "ns".
	Unit string
	// Open means that there is no goal: the ratio is reported for information.
	Open bool
}

//go:embed goals.tsv
var table string

// All returns the goals in the order of the table.
func All() (all []Goal) {
	for cells := range shapes.Rows(table) {
		if len(cells) != 4 {
			panic(fmt.Sprintf("goals.tsv: a line of %d cells, want 4: %q", len(cells), cells))
		}
		all = append(all, parse(cells))
	}
	return all
}

func parse(column []string) Goal {
	g := Goal{Row: column[0], Work: column[1], Against: column[2], Text: column[3], Unit: "x", Open: column[3] == "none"}
	if g.Open {
		return g
	}
	var sign string
	if _, err := fmt.Sscanf(g.Text, "%s %g%s", &sign, &g.Want, &g.Unit); err != nil || sign != "≥" && sign != "≤" {
		panic(fmt.Sprintf("goals.tsv: %q is not a goal; want one such as ≥ 2x, ≤ 14 ns or none", g.Text))
	}
	g.AtMost = sign == "≤"
	return g
}

// A Line is a goal and what was measured.
type Line struct {
	Goal
	// About says what the row decides or reads.
	About string
	// Ratio is the peer's time divided by the library's, or the reverse if the goal is
	// AtMost. For a figure of the work, it is the figure itself.
	Ratio float64
	// NS is the library's median time per input, and Allocations is its number of
	// allocations per input.
	NS, Allocations float64
	// IsPeer means that Against is a peer, and neither a limit nor another way of the
	// library.
	IsPeer bool
}

// Measure checks that the sides of a work agree, lets them run, and returns a line for each
// goal of the work.
func Measure(w race.Work, p race.Pace) (lines []Line, err error) {
	if err := w.Agree(); err != nil {
		return nil, err
	}
	m := w.Run(p)
	for _, g := range All() {
		if g.Row == w.Row && g.Work == w.Name {
			lines = append(lines, g.line(w, m))
		}
	}
	return lines, nil
}

// line calculates the ratio of a goal. A missing side counts as NaN.
func (g Goal) line(w race.Work, m race.Medians) Line {
	l := Line{Goal: g, About: w.About, NS: m.Of(race.Ours), Allocations: m.Of(race.Ours + race.Allocations)}
	figure, isFigure := w.Figures[g.Against]
	switch {
	case isFigure:
		l.Ratio = figure(m)
	case g.AtMost:
		l.Ratio = l.NS / m.Of(g.Against)
	default:
		l.Ratio = m.Of(g.Against) / l.NS
	}
	l.IsPeer = !isFigure && !g.AtMost && !g.Open && g.Want >= 1
	return l
}

// Met reports whether the ratio meets the goal. NaN never does.
func (l Line) Met() bool {
	switch {
	case l.Open:
		return !math.IsNaN(l.Ratio)
	case l.AtMost:
		return l.Ratio <= l.Want
	}
	return l.Ratio >= l.Want
}

// Name returns the goal's name, which is unique: the row, the peer and the work.
func (g Goal) Name() string {
	name := g.Row + " " + g.Against
	if g.Work != "" {
		name += ", " + g.Work
	}
	if g.AtMost {
		name += " (at most)"
	}
	return name
}

// Rows returns the lines of each row.
func Rows(lines []Line) (rows [][]Line) {
	for len(lines) > 0 {
		n := slices.IndexFunc(lines, func(l Line) bool { return l.Row != lines[0].Row })
		if n < 0 {
			n = len(lines)
		}
		rows, lines = append(rows, lines[:n]), lines[n:]
	}
	return rows
}
