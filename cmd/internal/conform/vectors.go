package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A VectorFilter says which vectors are listed. The zero VectorFilter keeps all.
type VectorFilter struct {
	Rule string // the beginning of a rule's identifier
	Op   string // an operation, such as "mongodb.decide"
	Flag string // a flag, such as "Threshold"
}

// Keep reports whether f keeps v.
func (f VectorFilter) Keep(v *conformance.Vector) bool {
	return (f.Op == "" || f.Op == v.Op) &&
		(f.Flag == "" || slices.Contains(v.Flags, f.Flag)) &&
		slices.ContainsFunc(v.Rules, func(r *policy.Rule) bool { return strings.HasPrefix(r.ID, f.Rule) })
}

// WriteVectors writes the identifiers and titles of the vectors of a suite.
func WriteVectors(w io.Writer, style cli.Style, width int, s *conformance.Suite) error {
	p := &printer{w: w, Style: style, width: width}
	for _, v := range s.Vectors {
		p.line("%s", style.Bold(v.ID))
		p.wrap(v.Title, 4)
	}
	return p.err
}

// WriteVector writes all that a suite knows about one of its vectors.
func WriteVector(w io.Writer, style cli.Style, width int, s *conformance.Suite, v *conformance.Vector) error {
	p := &printer{w: w, Style: style, width: width}
	name, line := v.File()
	p.line("%s  %s", style.Bold(fmt.Sprintf("%s@%d", v.ID, v.Rev)), v.Title)
	p.line("  %s\n", style.Dim(fmt.Sprintf("%s:%d, %s, %s", name, line, v.Op, v.Status)))
	p.line("%s", indented(v.In))
	for _, row := range v.Want {
		p.row(s, row)
	}
	for _, g := range v.Unverified {
		p.gap(g)
	}
	p.about(s, v)
	return p.err
}

func (p *printer) row(s *conformance.Suite, row conformance.Row) {
	level := row.Level.String()
	if row.RuleSet != "" {
		level += " " + row.RuleSet
	}
	p.line("\n  %s  %s", p.Bold(scope(row.TargetRange)), p.Dim(fmt.Sprintf("%s, %s", level, row.Evidence)))
	for _, answer := range row.Answers {
		p.line("    %s %s", answer, answer.Label)
		for _, source := range s.Cited(answer) {
			p.line("      %s\n      %s", source.Title, p.Dim(source.Address))
		}
	}
}

func (p *printer) gap(g conformance.Gap) {
	p.line("\n  %s  %s", p.Bold(scope(g.TargetRange)), p.Pending("not established"))
	p.wrap(g.Note, 4)
	if g.Rule != nil {
		p.line("    this library answers by %s", g.Rule)
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

func (p *printer) about(s *conformance.Suite, v *conformance.Vector) {
	p.line("")
	for _, r := range v.Rules {
		p.line("  rule  %s", p.Bold(r.ID))
		p.wrap(r.Statement, 8)
	}
	for _, name := range v.Flags {
		p.line("  flag  %s", name)
		p.wrap(s.Flags[name].Why+" If wrong: "+s.Flags[name].IfWrong, 8)
	}
	for _, need := range v.Needs {
		p.line("  needs %s: %s", need, s.Features[need])
	}
	if v.Twin != "" {
		p.line("  twin  %s, which differs in one place and is answered otherwise", v.Twin)
	}
	if v.Comment != "" {
		p.wrap(v.Comment, 2)
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
