package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A VectorFilter selects the vectors to list. The zero VectorFilter keeps all.
type VectorFilter struct {
	Rule string // the beginning of a rule's identifier
	Op   string // an operation, such as "mongodb.decide"
	Flag string // a flag, such as "Threshold"
}

// Keep reports whether f keeps v.
func (f VectorFilter) Keep(v *suite.Vector) bool {
	return (f.Op == "" || f.Op == v.Op) &&
		(f.Flag == "" || slices.Contains(v.Flags, f.Flag)) &&
		slices.ContainsFunc(v.Rules, func(r policy.Rule) bool { return strings.HasPrefix(r.ID(), f.Rule) })
}

// WriteVectors writes the identifiers and titles of the vectors of a suite.
func WriteVectors(to *cli.Printer, s *suite.Suite) error {
	p := printer{to}
	for _, v := range s.Vectors {
		p.Line("%s", p.Bold(v.ID))
		p.Wrap(v.Title, 4)
	}
	return p.Err()
}

// WriteVector writes everything that a suite holds about one of its vectors.
func WriteVector(to *cli.Printer, s *suite.Suite, v *suite.Vector) error {
	p := printer{to}
	p.Line("%s  %s", p.Bold(fmt.Sprintf("%s@%d", v.ID, v.Rev)), v.Title)
	p.Line("  %s\n", p.Dim(fmt.Sprintf("%s:%d, %s, %s", v.At.File, v.At.Line, v.Op, v.Status)))
	p.Lines(indented(v.In), 0)
	for _, row := range v.Want {
		p.row(s, row)
	}
	for _, g := range v.Unspecified {
		p.gap(g)
	}
	p.about(s, v)
	return p.Err()
}

func (p printer) row(s *suite.Suite, row suite.Row) {
	level := row.Level
	if row.RuleSet != "" {
		level = "rule set " + row.RuleSet
	}
	p.Line("\n  %s  %s", p.Bold(scope(row.TargetRange)), p.Dim(fmt.Sprintf("%s, %s", level, row.Evidence)))
	for _, answer := range row.Answers {
		p.Line("    %s %s", answer, answer.Label)
		for _, source := range s.Cited(answer) {
			p.Line("      %s\n      %s", source.Title, p.Dim(source.Address))
		}
	}
}

func (p printer) gap(g suite.Gap) {
	p.Line("\n  %s  %s", p.Bold(scope(g.TargetRange)), p.Pending("unspecified"))
	p.Wrap(g.Note, 4)
	if !g.Rule.IsZero() {
		p.Line("    this library answers by the rule %s", g.Rule)
	}
}

// scope names releases, such as "mongodb >=5.0.0 <5.0.14".
func scope(s suite.TargetRange) string {
	words := []string{s.System}
	if s.Versions != "" && s.Versions != "*" {
		words = append(words, s.Versions)
	}
	return strings.Join(append(words, s.Settings()...), " ")
}

func (p printer) about(s *suite.Suite, v *suite.Vector) {
	p.Line("")
	for _, r := range v.Rules {
		p.Line("  rule  %s", p.Bold(r.ID()))
		p.Wrap(r.Statement(), 8)
	}
	for _, name := range v.Flags {
		p.Line("  flag  %s", name)
		p.Wrap(s.Flags[name].Why+" If wrong: "+s.Flags[name].IfWrong, 8)
	}
	for _, need := range v.Needs {
		p.Line("  needs %s: %s", need, s.Features[need])
	}
	if v.Twin != "" {
		p.Line("  twin  %s, which differs in one place and has another answer", v.Twin)
	}
	if v.Comment != "" {
		p.Wrap(v.Comment, 2)
	}
}

// indented returns JSON as people read it.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "  ", "  ") != nil {
		return string(raw) // the loader refuses text that is not JSON
	}
	return "  " + b.String()
}
