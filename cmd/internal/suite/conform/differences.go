package conform

import (
	"fmt"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/differ"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// WriteDifferencesAsVectors writes the disagreements as vectors that lack their answers,
// to be put into a file of vectors once somebody has worked out the answers.
func WriteDifferencesAsVectors(w io.Writer, r *differ.Report) error {
	var all []string
	for _, rule := range r.Rules {
		for _, d := range rule.Examples {
			all = append(all, d.Vector)
		}
	}
	p := cli.NewJSON(w)
	p.Lines(strings.Join(all, ",\n"), 0)
	return p.Err()
}

// WriteDifferences writes a report for people.
func WriteDifferences(to *cli.Printer, r *differ.Report) error {
	p := printer{to}
	p.Line("%s and %s   seed %d", p.Bold(nameOf(r.First)), p.Bold(nameOf(r.Second)), r.Seed)
	for _, op := range r.Ops {
		p.Line("  %-26s %s asked%s, %s answered differently", op.Op, number(op.Asked), p.Dim(unanswered(op)), number(op.Different))
	}
	for _, rule := range r.Rules {
		p.disagreements(rule)
	}
	if r.Agree() {
		p.Line("\nboth systems agree on all questions")
	}
	return p.Err()
}

func nameOf(p differ.Party) string { return p.Name + " " + p.Version }

func number(n int) string { return cli.Number(int64(n)) }

// unanswered counts the questions that were not compared.
func unanswered(op differ.Operation) (s string) {
	if op.Unspecified > 0 {
		s += fmt.Sprintf(", %s unspecified", number(op.Unspecified))
	}
	if op.Unasked > 0 {
		s += fmt.Sprintf(", %s not answered", number(op.Unasked))
	}
	return s
}

func (p printer) disagreements(rule differ.Rule) {
	p.Line("\n%s  %s  %s", p.Expired("DIFFER"), p.Bold(rule.Rule), statement(rule.Rule))
	for _, d := range rule.Examples {
		p.Line("  %s at %s; the second answer compared with the first: %s", d.Op, d.Target, d.Difference)
		p.Line("    in     %s", []byte(d.In))
		p.Line("    first  %s", d.First)
		p.Line("    second %s", d.Second)
		p.Line("    %s", p.Dim("this library "+agrees(d)))
	}
	if more := rule.Count - len(rule.Examples); more > 0 {
		p.Line("  %s", p.Dim(fmt.Sprintf("and %s more about this", number(more))))
	}
}

// statement returns the statement of a rule, or an explanation if the name is that of an
// operation.
func statement(id string) string {
	if r, ok := suite.RuleByID(id); ok {
		return r.Statement()
	}
	return "accepted by this library"
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
