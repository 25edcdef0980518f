package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/timeline"
)

// signs stand for the marks of a timeline.
var signs = [...]string{timeline.Date: "●", timeline.Deadline: "◆", timeline.Now: "│"}

// timeline draws the document's dates, its time to live, the deadline and now:
// one line to scale, and a line for each instant.
func (e Explanation) timeline(p *cli.Printer) {
	t := timeline.Of(e.Explanation)
	marks := t.Marks()
	line := e.scale(marks, max(p.Width-4, 10))
	p.Line("  %s", line)
	for _, m := range marks {
		label := m.Label
		if m.Kind != timeline.Now {
			label += ", " + reasons.Distance(m.At, e.Now)
		}
		p.Line("  %s %-24s  %s", signs[m.Kind], m.At, label)
	}
	if n := t.Unmarked(); n > 0 {
		p.Line("  %s", p.Dim(fmt.Sprintf("and %d more dates in %s", n, e.Source.Field)))
	}
}

// scale draws marks on a line of n columns, with the time to live as a bar.
func (e Explanation) scale(marks []timeline.Mark, n int) string {
	columns := slices.Repeat([]string{"─"}, n)
	scale := timeline.Scale{First: marks[0].At, Last: marks[len(marks)-1].At}
	if start, ok := e.Start(); ok {
		for i := scale.Column(start, n); i <= scale.Column(e.Decision.Deadline(), n); i++ {
			columns[i] = "━"
		}
	}
	for _, m := range marks {
		columns[scale.Column(m.At, n)] = signs[m.Kind]
	}
	return strings.Join(columns, "")
}
