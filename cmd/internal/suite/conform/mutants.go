package conform

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// WriteScores writes the number of detected mutants of a matrix, by rule, and the
// undetected mutants.
func WriteScores(to *cli.Printer, m *mutants.Matrix) error {
	p := printer{to}
	s := m.Score()
	p.Line("%s implementations that misread one rule each, of %d rules", p.Bold(fmt.Sprint(s.Total)), len(m.ByRule()))
	p.Line("  %5d  are detected", s.Killed)
	p.Line("  %5d  are detected by a vector that bears on the rule they misread", s.Attributed)
	p.Line("  %5d  are detected by one vector alone", foundOnce(m))
	p.Line("  %5d  are detected by a vector on their rule if only the newest releases are asked about", m.ScoreAtNewest().Attributed)
	p.Line("  %5d  vectors of %d suffice to detect all of them", len(m.Smoke()), len(m.Suite.Vectors))
	p.Line("\nDetected, by rule")
	for _, rule := range m.ByRule() {
		p.Line("  %-46s %s", rule.Rule, p.score(rule.Score))
	}
	p.survivors(m)
	return p.Err()
}

// WriteMutants describes the mutants of a matrix one by one.
func WriteMutants(to *cli.Printer, m *mutants.Matrix) error {
	p := printer{to}
	for _, r := range m.Rows {
		p.mutant(r)
	}
	return p.Err()
}

// foundOnce counts the mutants that only one vector detects. Without that vector they
// would survive.
func foundOnce(m *mutants.Matrix) (n int) {
	for _, r := range m.Rows {
		if len(r.Attributed()) == 1 {
			n++
		}
	}
	return n
}

// score returns the number of detected mutants and of all mutants, in red if a mutant
// survives.
func (p printer) score(s mutants.Score) cli.Safe {
	text := fmt.Sprintf("%3d of %3d", s.Attributed, s.Total)
	if len(s.Survivors) > 0 {
		return p.Expired(text)
	}
	return cli.SafeText(text)
}

func (p printer) survivors(m *mutants.Matrix) {
	names := m.Score().Survivors
	if len(names) == 0 {
		p.Line("\nNo mutant survives.")
		return
	}
	p.Line("\n%s", p.Expired("Survivors"))
	for _, name := range names {
		if r, ok := m.Row(name); ok {
			p.mutant(r)
		}
	}
}

// vectorsShown is the maximum number of vectors shown for a mutant.
const vectorsShown = 5

func (p printer) mutant(r mutants.Row) {
	p.Line("%s  %s", p.Bold(r.Name), p.Dim(r.Rule))
	text := r.Text
	if r.Wild != "" {
		text += " Seen in " + strings.ReplaceAll(r.Wild, "`", "") + "."
	}
	p.Wrap(text, 4)
	ids := idsOf(r.Attributed())
	switch {
	case len(ids) == 0 && len(r.Failed) > 0:
		p.Line("    %s", p.Expired("found out by vectors of other rules alone: "+r.Vectors()[0].ID))
	case len(ids) == 0:
		p.Line("    %s", p.Expired("found out by nothing"))
	}
	for _, id := range ids[:min(vectorsShown, len(ids))] {
		p.Line("    %s", p.Dim(id))
	}
	if more := len(ids) - vectorsShown; more > 0 {
		p.Line("    %s", p.Dim(fmt.Sprintf("and %d more", more)))
	}
}

// A MatrixJSON is a matrix as a program reads it.
type MatrixJSON struct {
	mutants.Score
	// Newest is the score for questions about the newest releases alone.
	Newest mutants.Score       `json:"newest"`
	Areas  []mutants.AreaScore `json:"areas"`
	Rules  []mutants.RuleScore `json:"rules"`
	// Smoke are vectors that together detect all mutants.
	Smoke   []string     `json:"smoke"`
	Mutants []MutantJSON `json:"mutants"`
}

// A MutantJSON is a mutant, and the vectors that detect it.
type MutantJSON struct {
	mutants.Mutant
	// Attributed are the vectors that bear on the rule and detect the mutant.
	// Others are the other vectors that detect it.
	Attributed []string `json:"attributed"`
	Others     []string `json:"others"`
}

// MatrixJSONOf returns a matrix as a program reads it.
func MatrixJSONOf(m *mutants.Matrix) MatrixJSON {
	j := MatrixJSON{
		Score: m.Score(), Newest: m.ScoreAtNewest(), Areas: m.ByArea(), Rules: m.ByRule(),
		Smoke: idsOf(m.Smoke()), Mutants: []MutantJSON{},
	}
	for _, r := range m.Rows {
		attributed := idsOf(r.Attributed())
		others := slices.DeleteFunc(idsOf(r.Vectors()), func(id string) bool { return slices.Contains(attributed, id) })
		j.Mutants = append(j.Mutants, MutantJSON{r.Mutant, attributed, others})
	}
	return j
}

func idsOf(vectors []*suite.Vector) []string {
	ids := []string{}
	for _, v := range vectors {
		ids = append(ids, v.ID)
	}
	return ids
}

// diagnoses are computed once for a report, and only if something fails, because the
// computation takes seconds.
var diagnoses sync.Map // maps *suite.Report to func() ([]mutants.Diagnosis, error)

// diagnose returns the misreadings that an implementation probably has: those of the
// mutants that fail the same checks. The mutants have the claims of the implementation, so
// that they are asked the same questions.
func (r Run) diagnose() ([]mutants.Diagnosis, error) {
	once, _ := diagnoses.LoadOrStore(r.Report, sync.OnceValues(func() ([]mutants.Diagnosis, error) {
		if len(r.Failed()) == 0 {
			return nil, nil
		}
		matrix, err := mutants.JudgeAs(r.judgedPart(), mutants.All(), r.Hello)
		if err != nil {
			return nil, err
		}
		return matrix.Diagnose(r.Report.Report), nil
	}))
	return once.(func() ([]mutants.Diagnosis, error))()
}

// judgedPart returns the vectors with some judged outcome. Mutants need not be asked
// about other vectors.
func (r Run) judgedPart() *suite.Suite {
	judged := map[*suite.Vector]bool{}
	for _, c := range r.Checks {
		judged[c.Vector] = judged[c.Vector] || c.Counts() || c.Outcome == suite.Known
	}
	return r.Suite.Only(func(v *suite.Vector) bool { return judged[v] })
}

// misreadings returns a function that describes the misreadings that explain some of the
// given findings.
func (r Run) misreadings() (func([]suite.Finding) []string, error) {
	found, err := r.diagnose()
	if err != nil {
		return nil, err
	}
	return func(findings []suite.Finding) (texts []string) {
		for _, d := range found {
			if slices.ContainsFunc(findings, func(f suite.Finding) bool { return explains(d, f) }) {
				texts = append(texts, describe(d))
			}
		}
		return texts
	}, nil
}

// explains reports whether a misreading explains the first of the checks of a
// finding.
func explains(d mutants.Diagnosis, f suite.Finding) bool {
	first := f.First()
	return slices.ContainsFunc(d.Explained, func(c suite.Check) bool {
		return c.Vector == first.Vector && c.Target.String() == first.Target.String()
	})
}

func describe(d mutants.Diagnosis) string {
	text := d.Text + " (" + d.Name
	if d.Wild != "" {
		text += "; " + strings.ReplaceAll(d.Wild, "`", "")
	}
	return text + ")"
}
