// Package vectors shows the questions of a conformance suite to people, and
// helps to write new ones.
package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// Explain writes all that a suite knows about one of its vectors.
func Explain(w io.Writer, style cli.Style, width int, s *conformance.Suite, v *conformance.Vector) error {
	var b bytes.Buffer
	e := explainer{&b, style, width, s}
	name, line := v.File()
	e.printf("%s  %s\n", style.Bold(fmt.Sprintf("%s@%d", v.ID, v.Rev)), v.Title)
	e.printf("  %s\n\n", style.Dim(fmt.Sprintf("%s:%d, %s, %s", name, line, v.Op, v.Status)))
	e.printf("%s\n", indented(v.In))
	for i := range v.Want {
		e.row(&v.Want[i])
	}
	for _, g := range v.Unverified {
		e.gap(g)
	}
	e.about(v)
	_, err := b.WriteTo(w)
	return err
}

type explainer struct {
	w     io.Writer
	style cli.Style
	width int
	suite *conformance.Suite
}

func (e explainer) printf(format string, args ...any) { fmt.Fprintf(e.w, format, args...) }

func (e explainer) row(row *conformance.Row) {
	level := row.Level.String()
	if row.RuleSet != "" {
		level += " " + row.RuleSet
	}
	e.printf("\n  %s  %s\n", e.style.Bold(scope(row.TargetRange)), e.style.Dim(fmt.Sprintf("%s, %s", level, row.Evidence)))
	for _, answer := range row.Answers {
		e.printf("    %s %s\n", answer, answer.Label)
		for _, source := range e.suite.Cited(answer) {
			e.printf("      %s\n      %s\n", source.Title, e.style.Dim(source.Address))
		}
	}
}

func (e explainer) gap(g conformance.Gap) {
	e.printf("\n  %s  %s\n", e.style.Bold(scope(g.TargetRange)), e.style.Pending("not established"))
	cli.Wrap(e.w, g.Note, 4, e.width)
	if g.Rule != nil {
		e.printf("    this library answers by %s\n", g.Rule)
	}
}

// scope names releases, such as "mongodb >=5.0.0 <5.0.14".
func scope(s conformance.TargetRange) string {
	words := []string{s.System}
	if s.Versions != "" && s.Versions != "*" {
		words = append(words, s.Versions)
	}
	return strings.Join(append(words, s.Settings()...), " ")
}

func (e explainer) about(v *conformance.Vector) {
	e.printf("\n")
	for _, r := range v.Rules {
		e.printf("  rule  %s\n", e.style.Bold(r.ID))
		cli.Wrap(e.w, r.Statement, 8, e.width)
	}
	for _, name := range v.Flags {
		e.printf("  flag  %s\n", name)
		cli.Wrap(e.w, e.suite.Flags[name].Why+" If wrong: "+e.suite.Flags[name].IfWrong, 8, e.width)
	}
	for _, need := range v.Needs {
		e.printf("  needs %s: %s\n", need, e.suite.Features[need])
	}
	if v.Twin != "" {
		e.printf("  twin  %s, which differs in one place and is answered otherwise\n", v.Twin)
	}
	if v.Comment != "" {
		cli.Wrap(e.w, v.Comment, 2, e.width)
	}
}

// indented returns JSON as people read it.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "  ", "  ") != nil {
		return string(raw) // the loader lets none through
	}
	return "  " + b.String()
}
