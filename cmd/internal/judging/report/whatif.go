package report

import (
	"fmt"

	"github.com/rivo/uniseg"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// A View is a report under the present policies, or under policies with another time to
// live.
type View struct {
	Report
	// Seconds is the other time to live; nil for the present policies.
	Seconds *int64
}

// Name returns the name of the view: "stands" for the present policies, or the other time
// to live.
func (v View) Name() string {
	if v.Seconds == nil {
		return "stands"
	}
	return change.WhatIf{Seconds: *v.Seconds}.Name()
}

// Views returns the view of the present policies, followed by a view of each of
// [Report.Seconds].
func (r Report) Views() []View {
	list := []View{{Report: r}}
	for i := range r.Seconds {
		one := r
		one.Seconds, one.Loads, one.Load, one.Collections = nil, nil, r.Loads[i], nil
		for _, c := range r.Collections {
			t := *c.Tally.Others[i]
			t.Bad, t.FirstBad = c.Tally.Bad, c.Tally.FirstBad
			c.Policy, c.Tally, c.WhatIf = c.WhatIf[i].After, &t, nil
			one.Collections = append(one.Collections, c)
		}
		list = append(list, View{one, &r.Seconds[i]})
	}
	return list
}

// Supposed returns the views of [Report.Seconds], or the view of the present
// policies if there are none.
func (r Report) Supposed() []View {
	if views := r.Views(); len(views) > 1 {
		return views[1:]
	}
	return r.Views()
}

// isCompared reports whether the report compares other times to live with the present
// policies.
func (r Report) isCompared() bool { return len(r.Seconds) > 0 }

// effects returns the effect of each change to another time to live.
func (c Collection) effects() (list []change.Column) {
	for i, w := range c.WhatIf {
		list = append(list, change.Column{Name: w.Name(), Effect: &c.Tally.Others[i].Effect})
	}
	return list
}

// compared writes the effect of other times to live on each collection.
func (t textWriter) compared(r Report) {
	several := len(r.Collections) > 1
	if several {
		t.Line("%s  %s\n", t.Bold(fmt.Sprintf("%d collections", len(r.Collections))), t.Dim("judged at "+t.now.String()))
	}
	for _, c := range r.Collections {
		t.head(c, several)
		t.whatIf(c)
	}
}

// whatIf writes the effect of other times to live on a collection, and the
// commands.
func (t textWriter) whatIf(c Collection) {
	if len(c.WhatIf) == 1 {
		t.supposed(c.WhatIf[0])
		change.WriteEffect(t.Printer, c.Tally.Total().Documents, c.effects()[0].Effect)
		change.WriteSteps(t.Printer, c.WhatIf[0].Steps())
	} else {
		change.WriteEffects(t.Printer, c.Tally, c.effects())
		for _, w := range c.WhatIf {
			t.Line("")
			t.Line("  %s", t.Bold("What if "+w.Name()+"?"))
			t.supposed(w)
			change.WriteSteps(t.Printer, w.Steps())
		}
	}
	t.Line("")
	for i, one := range append([]*forecast.Tally{c.Tally}, c.Tally.Others...) {
		of, name := c, "stands"
		if of.Tally = one; i > 0 {
			name = c.WhatIf[i-1].Name()
		}
		isGiven := one.Histogram.IsGiven()
		if isGiven || t.by != "" {
			t.Line("%s", t.Bold(name))
		}
		if isGiven {
			t.histogram(one.Histogram.View(rows))
		}
		t.groups(of)
	}
}

// supposed writes the changes that set another time to live.
func (t textWriter) supposed(w change.WhatIf) {
	if !w.Differs() {
		t.Line("  %s", t.Dim("This is the present policy."))
	}
	for i := range w.Items {
		if w.Items[i].Action != change.Nothing {
			w.Items[i].Show(t.Printer)
		}
	}
}

// A grid is a table. Each row has a name and numbers, of which those without a heading are
// not shown.
type grid struct {
	head   []string
	rows   [][]string
	styles []func(any) cli.Safe // of the numbers; nil for plain text
}

// grid writes a table whose first column is aligned to the left. The other columns have a
// minimum width.
func (t textWriter) grid(g grid, least int) {
	wide, others := make([]int, len(g.head)), 0
	for i := range wide {
		for _, row := range append(g.rows, g.head) {
			wide[i] = max(wide[i], uniseg.StringWidth(row[i]), min(i, 1)*least)
		}
		others += min(i, 1) * (2 + wide[i])
	}
	wide[0] = max(min(wide[0], t.Width-2-others), 8)
	for n, row := range append([][]string{g.head}, g.rows...) {
		line := cli.SafeText("  " + pad(row[0], wide[0]))
		for i, w := range wide[1:] {
			style := cli.SafeText
			if n > 0 && g.styles != nil {
				style = g.styles[i]
			}
			line += "  " + style(fmt.Sprintf("%*s", w, row[1+i]))
		}
		t.Line("%s", line)
	}
	t.Line("")
}
