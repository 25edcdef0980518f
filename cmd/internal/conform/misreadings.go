package conform

import (
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/mutants"
)

// diagnoses are worked out once for a report, and only where something fails: it
// takes seconds.
var diagnoses sync.Map // of *conformance.Report to func() ([]mutants.Diagnosis, error)

// diagnose works out which misreadings an implementation probably has: the kill
// matrix of package mutants, read backwards. The mutants claim what the
// implementation does, so that they are asked the same.
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

// judgedPart returns the vectors that some outcome stands for. The others explain
// nothing, so that no mutant needs to be asked about them.
func (r Run) judgedPart() *conformance.Suite {
	judged := map[*conformance.Vector]bool{}
	for _, c := range r.Checks {
		judged[c.Vector] = judged[c.Vector] || c.Counts() || c.Outcome == conformance.Known
	}
	return r.Suite.Only(func(v *conformance.Vector) bool { return judged[v] })
}

// misreadings returns a function that returns the misreadings which explain some
// of the findings it is given, in words.
func (r Run) misreadings() (func([]conformance.Finding) []string, error) {
	found, err := r.diagnose()
	if err != nil {
		return nil, err
	}
	return func(findings []conformance.Finding) (texts []string) {
		for _, d := range found {
			if slices.ContainsFunc(findings, func(f conformance.Finding) bool { return explains(d, f) }) {
				texts = append(texts, describe(d))
			}
		}
		return texts
	}, nil
}

// explains reports whether a misreading explains the first of the checks of a
// finding.
func explains(d mutants.Diagnosis, f conformance.Finding) bool {
	first := f.First()
	return slices.ContainsFunc(d.Explained, func(c conformance.Check) bool {
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
