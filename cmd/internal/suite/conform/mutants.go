package conform

import (
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

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
