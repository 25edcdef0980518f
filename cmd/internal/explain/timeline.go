package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/term"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A mark is one instant on the timeline.
type mark struct {
	at    policy.Instant
	sign  string
	label string
}

// marks returns the instants worth showing, in order.
func (e Explanation) marks() []mark {
	var list []mark
	for i, at := range shown(e.Dates) {
		label := e.Source.Field
		if i > 0 {
			label += ", later date"
		}
		list = append(list, mark{at, "●", label})
	}
	if e.Decision.State != policy.Never {
		list = append(list, mark{e.Decision.Deadline, "◆", "deadline"})
	}
	list = append(list, mark{e.Now, "│", "now"})
	slices.SortStableFunc(list, func(a, b mark) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	return list
}

// shown returns the dates that are drawn: the first few of many.
func shown(dates []policy.Instant) []policy.Instant { return dates[:min(len(dates), 4)] }

// timeline draws the document's dates, its time to live, the deadline and now:
// one line to scale, and a line for each instant.
func (e Explanation) timeline(w io.Writer, s term.Style, width int) {
	marks := e.marks()
	line := e.scale(marks, max(width-4, 10))
	fmt.Fprintf(w, "  %s\n", line)
	for _, m := range marks {
		label := m.label
		if m.label != "now" {
			label += ", " + distance(m.at, e.Now)
		}
		fmt.Fprintf(w, "  %s %-24s  %s\n", m.sign, m.at, label)
	}
	if n := len(e.Dates) - len(shown(e.Dates)); n > 0 {
		fmt.Fprintf(w, "  %s\n", s.Dim(fmt.Sprintf("and %d more dates in %s", n, e.Source.Field)))
	}
}

// scale draws marks on a line of n columns, with the time to live as a bar.
func (e Explanation) scale(marks []mark, n int) string {
	columns := slices.Repeat([]string{"─"}, n)
	first, last := marks[0].at, marks[len(marks)-1].at
	if start, ok := e.start(); ok {
		for i := share(start, first, last, n); i <= share(e.Decision.Deadline, first, last, n); i++ {
			columns[i] = "━"
		}
	}
	for _, m := range marks {
		columns[share(m.at, first, last, n)] = m.sign
	}
	return strings.Join(columns, "")
}
