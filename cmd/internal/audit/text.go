package audit

import (
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
)

// Text writes r for people, in lines of at most width columns where words
// allow it. Commands stand in one line, to be copied.
func (r Report) Text(w io.Writer, s cli.Style, width int) error {
	out := &writer{w: w, Style: s, width: max(width, 40)}
	for i := range r.Results {
		out.result(&r.Results[i])
	}
	out.styled(r.Summary(), 0, s.Bold)
	return out.err
}

type writer struct {
	cli.Style
	w     io.Writer
	width int
	err   error // the first
}

func (t *writer) line(format string, args ...any) {
	if _, err := fmt.Fprintf(t.w, format+"\n", args...); t.err == nil {
		t.err = err
	}
}

// wrap writes text behind indent spaces.
func (t *writer) wrap(text string, indent int) {
	t.styled(text, indent, func(s string) string { return s })
}

// styled is wrap with a style for each line.
func (t *writer) styled(text string, indent int, style func(string) string) {
	var b strings.Builder
	cli.Wrap(&b, text, indent, t.width)
	for line := range strings.Lines(b.String()) {
		t.line("%s", style(strings.TrimSuffix(line, "\n")))
	}
}

func (t *writer) result(r *Result) {
	title := cli.Visible(r.Target.Title())
	if file := cli.Visible(r.Target.File); file != title {
		t.line("%s  %s", t.Bold(title), t.Dim(file))
	} else {
		t.line("%s", t.Bold(title))
	}
	t.wrap(r.Judged+", "+r.scope(), 0)
	for _, note := range r.Notes {
		t.wrap("Note: "+note, 0)
	}
	if r.Bad > 0 {
		t.styled(cli.Documents(r.Bad)+" could not be read and are not in the findings", 0, t.Expired)
	}
	t.line("")
	for i := range r.Findings {
		t.finding(&r.Findings[i])
	}
	if len(r.Findings) == 0 {
		t.line("  %s\n", t.Never("nothing found"))
	}
}

// colour returns the style for a severity.
func (t *writer) colour(s Severity) func(string) string {
	switch s {
	case Deletes:
		return t.Expired
	case Keeps, Unspecified:
		return t.Pending
	}
	return t.Never
}

func (t *writer) finding(f *Finding) {
	head := t.Bold(t.colour(f.Severity)(severities[f.Severity].phrase))
	if f.Index != "" {
		head += "  " + t.Bold(cli.Visible(f.Index))
	}
	t.line("  %s", head)
	t.wrap(f.Text, 4)
	if f.Advice != "" {
		t.wrap(f.Advice, 4)
	}
	if f.Rule != nil {
		t.line("    %s", t.Dim("rule "+f.Rule.ID))
	}
	if len(f.Samples) > 0 {
		t.samples(f.Samples)
	}
	for _, r := range f.Repairs {
		t.wrap("To "+r.Purpose+":", 4)
		for _, c := range r.Commands {
			t.line("      %s", t.Bold(c))
		}
	}
	t.line("")
}

// samples names documents, and where the first is.
func (t *writer) samples(list []dump.Sample) {
	var ids []string
	for _, s := range list {
		ids = append(ids, clip(s.ID.Short()))
	}
	t.styled(cli.Visible(fmt.Sprintf("seen in %s; the first at byte %d of %s", strings.Join(ids, ", "), list[0].Offset, list[0].File)), 4, t.Dim)
}
