package judged

import (
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/mutants"
)

// matrix is worked out once, and only where something fails: it takes seconds.
var matrix = sync.OnceValues(func() (*mutants.Matrix, error) {
	return mutants.Judge(conformance.Embedded(), mutants.All())
})

// misreadings works out which misreadings an implementation probably has: the
// kill matrix of package mutants, read backwards. The function returns those
// that explain some of the findings it is given, in words.
func (r Run) misreadings() (func([]conformance.Finding) []string, error) {
	if len(r.Failed()) == 0 {
		return func([]conformance.Finding) []string { return nil }, nil
	}
	matrix, err := matrix()
	if err != nil {
		return nil, err
	}
	diagnoses := matrix.Diagnose(r.counted(conformance.Check.Counts), r.counted(conformance.Check.Failed))
	return func(findings []conformance.Finding) (texts []string) {
		for _, d := range diagnoses {
			explains := func(f conformance.Finding) bool { return slices.Contains(d.Explained, f.First().Vector.ID) }
			if slices.ContainsFunc(findings, explains) {
				texts = append(texts, describe(d))
			}
		}
		return texts
	}, nil
}

// counted returns the identifiers of the vectors that have a check like that.
func (r Run) counted(keep func(conformance.Check) bool) (ids []string) {
	for _, c := range r.Checks {
		if n := len(ids); keep(c) && (n == 0 || ids[n-1] != c.Vector.ID) {
			ids = append(ids, c.Vector.ID)
		}
	}
	return ids
}

func describe(d mutants.Diagnosis) string {
	text := d.Text + " (" + d.Name
	if d.Wild != "" {
		text += "; " + strings.ReplaceAll(d.Wild, "`", "")
	}
	return text + ")"
}
