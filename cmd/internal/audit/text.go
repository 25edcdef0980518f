package audit

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Text writes r for people. Commands stand in one line, to be copied.
func (r Report) Text(p *cli.Printer) error {
	p.Width = max(p.Width, 40)
	out := writer{p}
	for i := range r.Results {
		out.result(&r.Results[i])
	}
	out.Styled(r.Summary(), 0, p.Bold)
	return p.Err()
}

type writer struct{ *cli.Printer }

func (t writer) result(r *Result) {
	title := r.Target.Title()
	if file := r.Target.File; file != title {
		t.Line("%s  %s", t.Bold(title), t.Dim(file))
	} else {
		t.Line("%s", t.Bold(title))
	}
	t.Wrap(r.System+", "+r.scope(), 0)
	for _, note := range r.Notes {
		t.Wrap("Note: "+note, 0)
	}
	if r.Bad > 0 {
		t.Styled(cli.Documents(r.Bad)+" could not be read and are not in the findings", 0, t.Expired)
	}
	t.Line("")
	for i := range r.Findings {
		t.finding(&r.Findings[i])
	}
	if len(r.Findings) == 0 {
		t.Line("  %s\n", t.Never("nothing found"))
	}
}

// colour returns the style for a severity.
func (t writer) colour(s Severity) func(any) cli.Safe {
	switch s {
	case Deletes:
		return t.Expired
	case Keeps, Unspecified:
		return t.Pending
	}
	return t.Never
}

func (t writer) finding(f *Finding) {
	head := t.Bold(t.colour(f.Severity)(severities[f.Severity].phrase))
	if f.Index != "" {
		head += "  " + t.Bold(f.Index)
	}
	t.Line("  %s", head)
	t.Wrap(f.Text, 4)
	if f.Advice != "" {
		t.Wrap(f.Advice, 4)
	}
	if f.Rule != nil {
		t.Line("    %s", t.Dim("rule "+f.Rule.ID))
	}
	if len(f.Samples) > 0 {
		t.samples(f.Samples)
	}
	for _, r := range f.Repairs {
		t.Wrap("To "+r.Purpose+":", 4)
		for _, c := range r.Commands {
			t.Line("      %s", t.Bold(c))
		}
	}
	t.Line("")
}

// samples names documents, and where the first is.
func (t writer) samples(list []dump.Sample) {
	var ids []string
	for _, s := range list {
		ids = append(ids, clip(s.ID.Short()))
	}
	t.Styled(fmt.Sprintf("seen in %s; the first at byte %d of %s", strings.Join(ids, ", "), list[0].Offset, list[0].File), 4, t.Dim)
}

// plain writes an option for people: a number without its type, anything else as
// Extended JSON.
func plain(v policy.Value) string {
	text := v.String()
	for _, wrapper := range []string{`{"$numberInt":"`, `{"$numberLong":"`, `{"$numberDouble":"`, `{"$numberDecimal":"`} {
		if number, ok := strings.CutPrefix(text, wrapper); ok {
			return strings.TrimSuffix(number, `"}`)
		}
	}
	return clip(text)
}

// clip keeps a value or a name short enough for a sentence.
func clip(s string) string { return cli.Clip(s, 80) }
