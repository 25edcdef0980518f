// Package differences shows where two implementations disagree.
package differences

import (
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/differ"
)

// JSON writes a report for programs.
func JSON(w io.Writer, r *differ.Report) error {
	return cli.WriteJSON(w, r)
}

// Vectors writes the disagreements as vectors that lack their answers, to be
// put into a file of vectors once somebody has worked them out.
func Vectors(w io.Writer, r *differ.Report) error {
	var all []string
	for _, rule := range r.Rules {
		for _, d := range rule.Examples {
			all = append(all, d.Vector)
		}
	}
	_, err := fmt.Fprintln(w, strings.Join(all, ",\n"))
	return err
}

// Text writes a report for people.
func Text(w io.Writer, r *differ.Report, style cli.Style) error {
	t := text{w: w, style: style, first: name(r.First), second: name(r.Second)}
	t.line("%s and %s   seed %d", style.Bold(t.first), style.Bold(t.second), r.Seed)
	for _, op := range r.Ops {
		t.line("  %-26s %s asked%s, %s answered differently", op.Op, number(op.Asked), t.rest(op), number(op.Different))
	}
	for _, rule := range r.Rules {
		t.rule(rule)
	}
	if r.Agree() {
		t.line("\nthey agree about all that was asked")
	}
	return t.err
}

// A text writes lines until one cannot be written.
type text struct {
	w             io.Writer
	err           error
	style         cli.Style
	first, second string
}

func (t *text) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

func name(p differ.Party) string { return cli.Visible(p.Name + " " + p.Version) }

func number(n int) string { return cli.Number(int64(n)) }

// rest names the questions that were not asked.
func (t *text) rest(op differ.Operation) (s string) {
	if op.Open > 0 {
		s += fmt.Sprintf(", %s open", number(op.Open))
	}
	if op.Unasked > 0 {
		s += fmt.Sprintf(", %s not answered", number(op.Unasked))
	}
	return t.style.Dim(s)
}

func (t *text) rule(rule differ.Rule) {
	t.line("\n%s  %s  %s", t.style.Expired("DIFFER"), t.style.Bold(rule.Rule), statement(rule.Rule))
	for _, d := range rule.Examples {
		t.line("  %s at %s; the second beside the first: %s", d.Op, d.Target, cli.Visible(d.Difference))
		t.line("    in     %s", cli.Visible(string(d.In)))
		t.line("    first  %s", cli.Visible(d.First.String()))
		t.line("    second %s", cli.Visible(d.Second.String()))
		t.line("    %s", t.style.Dim("this library "+agrees(d)))
	}
	if more := rule.Count - len(rule.Examples); more > 0 {
		t.line("  %s", t.style.Dim(fmt.Sprintf("and %s more about this", number(more))))
	}
}

// statement returns what a rule says, "" for an operation.
func statement(id string) string {
	for r := range conformance.Rules() {
		if r.ID == id {
			return r.Statement
		}
	}
	return "taken by this library"
}

func agrees(d differ.Disagreement) string {
	switch d.Agrees {
	case "both":
		return "agrees with both, as far as it can tell"
	case "neither":
		return "agrees with neither: " + d.Reference.String()
	}
	return "agrees with the " + d.Agrees
}
