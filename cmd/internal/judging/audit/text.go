package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
)

// Text writes r for people: a summary, a line for each finding if there are several, and
// then the findings of each collection and container. Each command is on one line, so
// that it can be copied.
func (r Report) Text(p *cli.Printer) error {
	p.Width = max(p.Width, 40)
	out := writer{p}
	out.Styled(r.Summary(), 0, p.Bold)
	out.table(r)
	out.unlimited(r)
	isAssumed, others := false, 0
	for i := range r.Results {
		x := &r.Results[i]
		if len(r.Results) > 1 && !x.isNotable() {
			continue
		}
		if others++; x.isGrave() {
			others--
		} else if others > sections && !r.All {
			continue
		}
		out.Line("")
		out.result(x)
		isAssumed = isAssumed || x.IsAssumed
	}
	if more := others - sections; more > 0 && !r.All {
		out.Line("")
		out.Wrap(fmt.Sprintf("Not described here: the findings of %s, none of which may delete. --all describes them, and --ns selects some.", cli.Count(int64(more), "more collection or container", "more collections and containers")), 0)
	}
	if isAssumed {
		out.Line("")
		out.Wrap(reasons.AssumedNote, 0)
	}
	return p.Err()
}

const (
	sections = 10 // maximum number of collections with less than grave findings that the text describes
	lines    = 50 // maximum number of lines with a finding each
)

func (f *Finding) isGrave() bool { return f.Severity >= Unspecified }

// isGrave reports whether a finding about the target is grave, or whether the target was not
// read to its end.
func (r *Result) isGrave() bool {
	return r.Failed != nil || slices.ContainsFunc(r.shown(), (*Finding).isGrave)
}

// isNotable reports whether the text of the report has a section about the target.
func (r *Result) isNotable() bool {
	return len(r.shown()) > 0 || r.Bad > 0 || r.Failed != nil
}

type writer struct{ *cli.Printer }

// table writes a line for each finding if there are several, the most severe first, and
// the number of targets that are not shown.
func (t writer) table(r Report) {
	type place struct {
		*Finding
		in string
	}
	var all []place
	quiet := 0
	for i := range r.Results {
		for _, f := range r.Results[i].shown() {
			all = append(all, place{f, r.Results[i].placeOf(f)})
		}
		if len(r.Results) > 1 && !r.Results[i].isNotable() {
			quiet++
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return compareFindings(a.Finding, b.Finding) })
	if len(all) > 1 {
		t.Line("")
		column := 0
		for _, f := range all {
			column = max(column, len(f.Rule.String()))
		}
		last := len(all)
		for !r.All && last > lines && !all[last-1].isGrave() {
			last--
		}
		for _, f := range all[:last] {
			severity, rule, in := fmt.Sprintf("  %-11s  ", f.Severity), fmt.Sprintf("%-*s  ", column, f.Rule), cli.Visible(f.in)
			if t.Width < 80 {
				rule = "" // the rule is in the section below
			}
			if cli.IsTerminal(t.W) {
				in = cli.Clip(in, t.Width-len(severity)-len(rule))
			}
			t.Line("%s%s%s", t.colour(f.Severity)(severity), rule, in)
		}
		if last < len(all) {
			t.Wrap(fmt.Sprintf("and %s more, none of which may delete; --all shows them", cli.Number(int64(len(all)-last))), 2)
		}
	}
	if quiet > 0 {
		t.Line("")
		t.Wrap(fmt.Sprintf("Without findings, and not shown: %d of %d collections and containers.", quiet, len(r.Results)), 0)
	}
}

// placeOf returns the place of a finding: the collection or container, the index, and the
// line of a program.
func (r *Result) placeOf(f *Finding) string {
	if f.Line == 0 {
		return strings.TrimSpace(r.Target.Title() + " " + f.Index)
	}
	place := fmt.Sprintf("%s:%d", r.Target.File, f.Line)
	if r.Target.Name != "" {
		place += " " + r.Target.Title()
	}
	return strings.TrimSpace(place + " " + f.Index)
}

func (t writer) result(r *Result) {
	title := r.Target.Title()
	if file := r.Target.File; file != title {
		t.Line("%s  %s", t.Bold(title), t.Dim(file))
	} else {
		t.Line("%s", t.Bold(title))
	}
	if r.System != "" {
		t.Wrap(r.System+", "+r.scope(), 0)
	}
	for _, note := range r.Notes {
		t.Wrap("Note: "+note, 0)
	}
	if r.Bad > 0 {
		t.Styled(cli.Documents(r.Bad)+" could not be read and are not in the findings", 0, t.Expired)
	}
	if r.Failed != nil {
		t.Styled("Not read to its end: "+cli.ErrorLine(r.Failed), 0, t.Expired)
	}
	shown := r.shown()
	for i, f := range shown {
		t.Line("")
		t.finding(r, f)
		t.repairs(f, shown[:i])
	}
}

func (t writer) colour(s Severity) func(any) cli.Safe {
	switch s {
	case Deletes:
		return t.Expired
	case Keeps, Unspecified:
		return t.Pending
	}
	return t.Never
}

func (t writer) finding(r *Result, f *Finding) {
	head := t.Bold(t.colour(f.Severity)(f.phrase()))
	if f.Index != "" {
		head += "  " + t.Bold(f.Index)
	}
	if f.Line > 0 {
		head += "  " + t.Dim(fmt.Sprintf("line %d", f.Line))
	}
	t.Line("  %s", head)
	t.Wrap(f.Text, 4)
	if f.Advice != "" {
		t.Wrap(f.Advice, 4)
	}
	if !f.Rule.IsZero() {
		t.Line("    %s", t.Dim("rule "+f.Rule.ID()))
	}
	if len(f.Samples) > 0 {
		t.samples(r, f.Samples)
	}
}

// repairs writes the repairs of a finding, or names an earlier finding about the same index
// that has the same.
func (t writer) repairs(f *Finding, earlier []*Finding) {
	same := func(g *Finding) bool {
		return g.Index == f.Index && g.Line == f.Line && !g.Rule.IsZero() && slices.EqualFunc(g.Repairs, f.Repairs, Repair.isSame)
	}
	if i := slices.IndexFunc(earlier, same); i >= 0 && len(f.Repairs) > 0 {
		t.Wrap("The repair is that of "+earlier[i].Rule.ID()+" above.", 4)
		return
	}
	for _, repair := range f.Repairs {
		if repair.Count != "" {
			t.Wrap("To "+repair.Purpose+", count first:", 4)
			t.Line("      %s", t.Bold(repair.Count))
			t.Wrap(repair.AtOnce, 4)
		} else {
			t.Wrap(strings.TrimSpace("To "+repair.Purpose+": "+repair.AtOnce), 4)
		}
		for _, c := range repair.Commands {
			t.Line("      %s", t.Bold(c))
		}
		t.Wrap(change.FillIn(repair.Placeholders), 6)
	}
}

func (t writer) samples(r *Result, list []dump.Sample) {
	var ids []string
	for _, s := range list {
		if s.ID != "" {
			ids = append(ids, clip(s.ID.Short()))
		}
	}
	named := ""
	if len(ids) > 0 {
		named = " such as " + strings.Join(ids, ", ")
	}
	place := fmt.Sprintf("; the first at byte %d of %s", list[0].Offset, list[0].File)
	if len(r.Target.Documents) > 0 && r.Target.Documents[0].Input.IsFeed { // documents from a server have no position
		place = " of " + list[0].File
	}
	t.Styled("seen in documents"+named+place, 4, t.Dim)
}

func clip(s string) string { return cli.Clip(s, 80) }
