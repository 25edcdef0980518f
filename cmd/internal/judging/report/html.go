package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

//go:embed page.html
var pageText string

var page = cli.NewPage(pageText, template.FuncMap{
	"number": cli.Number, "size": cli.Size, "percent": percent, "documents": cli.Documents,
	"instant": instant, "prose": prose, "reason": Reason,
	"hasUnknown": func(rows []groupRow) bool {
		return slices.ContainsFunc(rows, func(r groupRow) bool { return r.Unknown.Documents > 0 })
	},
	"dict": func(pairs ...any) map[string]any { // the arguments of a template, by their names
		named := map[string]any{}
		for i := 0; i+1 < len(pairs); i += 2 {
			named[fmt.Sprint(pairs[i])] = pairs[i+1]
		}
		return named
	},
})

// HTML writes r as one self-contained page, without scripts and network.
func (r Report) HTML(w io.Writer) error {
	v := pageView{Report: r, Summary: r.summary(), Sizes: remarks(r.Collections)}
	for _, c := range r.shown() {
		v.Sections = append(v.Sections, sectionOf(c, r.Now))
	}
	for _, one := range r.Views() {
		if l := one.load(); l != nil {
			name := ""
			if r.isCompared() {
				name = one.Name()
			}
			v.Loads = append(v.Loads, loadView{name, l.lines(), l.Assumes})
		}
	}
	return page.Write(w, v)
}

type pageView struct {
	Report
	Summary  summary
	Sections []section // one for each row of the summary, in order
	Sizes    string
	Loads    []loadView
}

// A loadView is the load under the present policy or under another time to live, in the
// form that the page shows.
type loadView struct {
	Name    string
	Lines   [][2]string
	Assumes string
}

// Horizons returns the horizons. The summary has a column for each horizon, after the
// column Now.
func (pageView) Horizons() []forecast.Horizon { return forecast.Horizons[:] }

// A section holds what the page shows of a collection.
type section struct {
	Collection
	Share   []slice
	Chart   chart
	Moments []momentView
	// Deciders are empty if there is only one.
	Deciders []decider
	Reasons  []reasonView
	Unknowns []reasonView
	Groups   []groupRow
	// Effects compare the other times to live in Supposed with the present policy.
	Effects     []change.EffectRow
	EffectNotes []string
	Supposed    []supposedView
}

// A supposedView holds what the page shows of another time to live.
type supposedView struct {
	change.WhatIf
	Chart  chart
	Groups []groupRow
}

// A slice is a part of the bar that shows the states.
type slice struct {
	Class   string
	Sum     forecast.Sum
	X, Wide float64 // the left end and the width, in thousandths of the bar
}

type momentView struct {
	Name string
	forecast.Moment
}

type reasonView struct {
	reason
	Why  string
	Wide float64 // the share of all documents with such reasons, in thousandths
}

// viewsOf returns what the page shows of reasons; all is the number of documents with such
// reasons.
func (c Collection) viewsOf(list []reason, all int64) (views []reasonView) {
	for _, one := range list {
		views = append(views, reasonView{one, c.why(one.Finding), 1000 * float64(one.Documents) / float64(all)})
	}
	return views
}

// prose returns text as HTML, with text between backticks as code.
func prose(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			part = "<code>" + template.HTMLEscapeString(part) + "</code>"
		} else {
			part = template.HTMLEscapeString(part)
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

func sectionOf(c Collection, now policy.Instant) section {
	t := c.Tally
	s := section{Collection: c, Groups: c.shownGroups(), Share: shares(t), Chart: chartOf(t.Histogram.View(buckets), now)}
	for _, m := range []momentView{
		{"First deadline", t.First()}, {"Latest of the expired", t.ExpiredSpan.Last}, {"Next to go", t.PendingSpan.First}, {"Last deadline", t.Last()},
	} {
		if m.Known {
			s.Moments = append(s.Moments, m)
		}
	}
	if list := c.deciders(); len(list) > 1 {
		s.Deciders = list
	}
	s.Effects, s.EffectNotes = change.EffectRows(t, c.effects()), change.UnknownNotes(c.effects())
	for i, w := range c.WhatIf {
		c.Tally = t.Others[i]
		s.Supposed = append(s.Supposed, supposedView{w, chartOf(c.Tally.Histogram.View(buckets), now), c.shownGroups()})
	}
	c.Tally = t
	s.Reasons, s.Unknowns = c.viewsOf(c.reasons(), t.Never.Documents), c.viewsOf(c.unknowns(), t.Unknown.Documents)
	return s
}

func shares(t *forecast.Tally) []slice {
	list := []slice{{Class: "expired", Sum: t.Expired}, {Class: "pending", Sum: t.Pending}, {Class: "never", Sum: t.Never}}
	if t.Unknown.Documents > 0 {
		list = append(list, slice{Class: "unknown", Sum: t.Unknown})
	}
	x := 0.0
	for i := range list {
		list[i].X = x
		if t.Total().Documents > 0 {
			list[i].Wide = 1000 * float64(list[i].Sum.Documents) / float64(t.Total().Documents)
		}
		x += list[i].Wide
	}
	return list
}

// Position and size of the chart in the picture, in units of the picture.
const (
	chartLeft, chartTop, chartWide, chartHigh = 64.0, 24.0, 920.0, 212.0
	// labelWide is the width of a label. It keeps the last label within the picture.
	labelWide = 70.0
)

// A chart is the histogram with the positions of its parts in the picture.
type chart struct {
	Width         string
	Before, After int64
	Bars          []barView
	Grid, Ticks   []tick
	Now           float64 // the position of now; -1 if now is outside the chart
	Floor, Below  float64 // the vertical positions of the axis and of the lower ends of its ticks
}

type barView struct {
	forecast.Bucket
	Label              string
	X, Wide            float64
	ExpiredY, ExpiredH float64
	PendingY, PendingH float64
}

type tick struct {
	At    float64
	Label string
}

func chartOf(v forecast.View, now policy.Instant) chart {
	c := chart{Width: span(v.Width), Before: v.Before.Documents(), After: v.After.Documents(), Now: -1,
		Floor: chartTop + chartHigh, Below: chartTop + chartHigh + 5}
	top := ceiling(v)
	for i := range 5 {
		c.Grid = append(c.Grid, tick{chartTop + chartHigh*(1-float64(i)/4), cli.Number(top * int64(i) / 4)})
	}
	step := chartWide / float64(max(len(v.Buckets), 1))
	every := max((len(v.Buckets)+7)/8, 1)
	for i, b := range v.Buckets {
		one := barOf(b, top)
		one.Label, one.X, one.Wide = label(v, b), chartLeft+float64(i)*step, max(step-1.5, 0.5)
		c.Bars = append(c.Bars, one)
		if i%every == 0 && one.X <= chartLeft+chartWide-labelWide {
			c.Ticks = append(c.Ticks, tick{one.X, one.Label})
		}
		if b.Start <= now && now < b.End {
			c.Now = one.X + step*float64(now-b.Start)/float64(b.End-b.Start)
		}
	}
	return c
}

// barOf returns the bar of a bucket, with the pending documents above the expired
// documents.
func barOf(b forecast.Bucket, top int64) barView {
	one := barView{Bucket: b}
	one.ExpiredH = chartHigh * float64(b.Expired) / float64(top)
	one.PendingH = chartHigh * float64(b.Pending) / float64(top)
	one.ExpiredY = chartTop + chartHigh - one.ExpiredH
	one.PendingY = one.ExpiredY - one.PendingH
	return one
}

// ceiling returns a round multiple of 4 that is at least the count of every bucket, or 4e18 if
// a part claims more.
func ceiling(v forecast.View) int64 {
	most := int64(4)
	for _, b := range v.Buckets {
		most = max(most, b.Documents())
	}
	most = min(most, 4e18)
	for scale := int64(1); ; scale *= 10 {
		for _, n := range []int64{4, 8, 12, 20, 40} {
			if n*scale >= most {
				return n * scale
			}
		}
	}
}

// Title returns the title of the page.
func (v pageView) Title() string { return "TTL forecast: " + v.Heading() }

// Heading returns the name of the only collection, or the number of collections.
func (v pageView) Heading() string {
	if len(v.Collections) == 1 {
		return v.Collections[0].Name
	}
	return fmt.Sprintf("%d collections", len(v.Collections))
}
