package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// A Row is the effect of a change up to one horizon.
type Row struct {
	Within string `json:"within"` // "at once", "within 24 h" and so on, or "ever"
	forecast.Difference
}

// RowsOf returns the rows of an effect, one for each horizon; nil if e is nil.
func RowsOf(e *forecast.Effect) (rows []Row) {
	if e == nil {
		return nil
	}
	rows = append(rows, Row{"at once", e.Now})
	for i, h := range forecast.Horizons {
		rows = append(rows, Row{"within " + h.Name, e.Within[i]})
	}
	return append(rows, Row{"ever", e.Ever})
}

// Cells returns the number and the size of the documents that a change deletes in
// addition, and of those that it no longer deletes, as text for a table.
func (r Row) Cells() (more, moreSize, fewer, fewerSize string) {
	return signed("+", r.More.Documents), size(r.More), signed("-", r.Less.Documents), size(r.Less)
}

func signed(sign string, n int64) string {
	if n == 0 {
		return "0"
	}
	return sign + cli.Number(n)
}

func size(s forecast.Sum) string {
	if s.Documents == 0 {
		return ""
	}
	return cli.Size(s.Bytes)
}

// UnknownNote returns a sentence about the documents of which it is unknown what a change
// does to them; "" if there are none.
func UnknownNote(e *forecast.Effect) string {
	if e == nil || e.Unknown.Documents == 0 {
		return ""
	}
	return fmt.Sprintf("Unknown for %s, %s, which are in no number: when they expire, before or after the change, depends on a value that they lack here.",
		cli.Documents(e.Unknown.Documents), cli.Size(e.Unknown.Bytes))
}

// UnknownNotes returns [UnknownNote] for several changes, after the name of each, and
// without a name if all notes are the same.
func UnknownNotes(columns []Column) (list []string) {
	for _, c := range columns {
		if note := UnknownNote(c.Effect); note != "" {
			list = append(list, c.Name+": "+note)
		}
	}
	if len(columns) > 0 && len(list) == len(columns) && !slices.ContainsFunc(columns, func(c Column) bool { return c.Unknown != columns[0].Unknown }) {
		return []string{UnknownNote(columns[0].Effect)}
	}
	return list
}

// WriteEffect writes a table of the documents that a change deletes in addition and no
// longer deletes, up to each horizon.
func WriteEffect(out *cli.Printer, documents int64, e *forecast.Effect) {
	format := "  %-13s %12s %10s %13s %10s"
	if out.Width < 64 {
		format = "  %-13s %10s%.0s %10s%.0s" // a narrow table has no sizes
	}
	line := func(cells ...any) { out.Line("%s", strings.TrimRight(fmt.Sprintf(format, cells...), " ")) }
	line("of "+cli.Number(documents), "more go", "", "fewer go", "")
	for _, r := range RowsOf(e) {
		more, moreSize, fewer, fewerSize := r.Cells()
		line(r.Within, more, moreSize, fewer, fewerSize)
	}
	if note := UnknownNote(e); note != "" {
		out.Wrap(note, 2)
	}
}

// A Column is a column of a table of several changes: the effect of one change.
type Column struct {
	Name string
	*forecast.Effect
}

// An EffectRow is a row of a table of several changes: the number of documents that the
// present policy deletes, and the additional and fewer deletions by each change.
type EffectRow struct {
	Within string
	Stands string
	Cells  []string
}

// EffectRows returns the rows of a table of effects. stands is the tally of the present
// policy.
func EffectRows(stands *forecast.Tally, columns []Column) (rows []EffectRow) {
	goes := []int64{stands.Expired.Documents}
	for _, s := range stands.Within {
		goes = append(goes, stands.Expired.Documents+s.Documents)
	}
	goes = append(goes, stands.Expired.Documents+stands.Pending.Documents)
	for i, n := range goes {
		row := EffectRow{Stands: cli.Number(n)}
		for _, c := range columns {
			r := RowsOf(c.Effect)[i]
			more, _, fewer, _ := r.Cells()
			row.Within, row.Cells = r.Within, append(row.Cells, more, fewer)
		}
		rows = append(rows, row)
	}
	return rows
}

// WriteEffects is [WriteEffect] for several changes. The table also has the documents
// that the present policy deletes. A table that is too wide is divided into several
// tables.
func WriteEffects(out *cli.Printer, stands *forecast.Tally, columns []Column) {
	documents := stands.Total().Documents
	wide := max(len("fewer go"), len(signed("+", documents)))
	fits := max((out.Width-2-13-2-wide)/(2*(wide+2)), 1)
	for part := range slices.Chunk(columns, fits) {
		head, below := fmt.Sprintf("  %-13s  %*s", "of "+cli.Number(documents), wide, "stands"), fmt.Sprintf("  %-13s  %*s", "", wide, "go")
		for _, c := range part {
			head += fmt.Sprintf("  %*s", 2*wide+2, c.Name)
			below += fmt.Sprintf("  %*s  %*s", wide, "more go", wide, "fewer go")
		}
		out.Line("%s", head)
		out.Line("%s", below)
		for _, row := range EffectRows(stands, part) {
			line := fmt.Sprintf("  %-13s  %*s", row.Within, wide, row.Stands)
			for _, cell := range row.Cells {
				line += fmt.Sprintf("  %*s", wide, cell)
			}
			out.Line("%s", line)
		}
	}
	for _, note := range UnknownNotes(columns) {
		out.Wrap(note, 2)
	}
}

// Comments returns the comments on a step: the number of documents that have expired
// before it, its time, the number of documents that it deletes, its warning, and the
// placeholders. The list may be empty.
func (s *Step) Comments() (list []string) {
	if s.Expired != nil {
		list = append(list, cli.Count(*s.Expired, "document has expired already by the times that stand, and counts", "documents have expired already by the times that stand, and count")+" for the first day.")
	}
	text := join(s.Warning, FillIn(s.Placeholders))
	if s.At != nil {
		text = strings.TrimSpace(fmt.Sprintf("%s: %s in 24 h. %s", s.At.Time, cli.Count(*s.Deletes, "document goes", "documents go"), text))
	}
	if text != "" {
		list = append(list, text)
	}
	return list
}

// FillIn returns a sentence about the placeholders in a command; "" if the command has
// none.
func FillIn(placeholders []string) string {
	switch len(placeholders) {
	case 0:
		return ""
	case 1:
		return "Put the name in the place of " + placeholders[0] + ", which is not known here."
	}
	return "Put the names in the place of " + cli.And(placeholders) + ", which are not known here."
}

// WriteSteps writes the commands of steps for copying. Before each command, it writes the
// step's comments as comments of the shell.
func WriteSteps(out *cli.Printer, steps []Step) {
	for _, s := range steps {
		var text strings.Builder
		lines := cli.Printer{W: &text, Width: cmp.Or(out.Width, 80) - len("    // ")}
		for _, comment := range s.Comments() {
			lines.Wrap(comment, 0)
		}
		for line := range strings.Lines(text.String()) {
			out.Line("    %s", out.Dim("// "+strings.TrimSuffix(line, "\n")))
		}
		out.Line("    %s", out.Bold(s.Command))
	}
}

var signs = map[Action]string{ToCreate: "+", ToChange: "~", ToDrop: "-", Nothing: " "}

// Sign returns the mark of an action in a plan.
func (a Action) Sign() string { return signs[a] }

// Show writes i for people.
func (i *Item) Show(out *cli.Printer) {
	style := map[Action]func(any) cli.Safe{ToCreate: out.Never, ToChange: out.Pending, ToDrop: out.Expired}[i.Action]
	out.Line("  %s %s", style(i.Action.Sign()), out.Bold(i.Name))
	if i.Before != "" {
		out.Wrap("stands: "+i.Before, 6)
	}
	if i.After != "" {
		out.Wrap("wanted: "+i.After, 6)
	}
	if i.Refused != "" {
		out.Styled("No command of this release makes this change: "+i.Refused, 6, out.Expired)
	}
}
