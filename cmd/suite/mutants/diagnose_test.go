package mutants

import (
	"regexp"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// TestDiagnoseFindsEveryMutant: for a system that fails the vectors of a mutant, Diagnose
// names that mutant, or one that fails the same vectors. Skipped vectors do not count.
func TestDiagnoseFindsEveryMutant(t *testing.T) {
	m := judged(t)
	for _, r := range m.Rows {
		found := m.Diagnose(m.report(r.Failed))
		answered := 0
		for _, c := range r.Failed {
			if isAnswer(c) {
				answered++
			}
		}
		if answered == 0 || len(found) == 0 || found[0].Likeness != 1 || len(found[0].Explained) != answered {
			t.Errorf("%s is taken for %v", r.Name, found)
		}
	}
}

// TestDiagnoseSeveral: Diagnose names all three misreadings of an implementation, though
// the implementation claims less than the mutants did.
func TestDiagnoseSeveral(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a matrix of its own")
	}
	claims := conformance.Hello{
		Protocol: 1, Name: "several", Version: "1", Ops: []string{decide}, Systems: map[string]string{conformance.MongoDB: ">=7.0.0"},
		Features: []string{"partial-index", "dotted-path", "several-indexes", "far-dates"},
	}
	want := map[string]bool{"filter-ignored": true, "path-not-dotted": true, "string-is-a-date": true}
	var misread []misreading
	for _, mutant := range All() {
		if want[mutant.Name] {
			misread = append(misread, mutant.misread)
		}
	}
	r, err := suite.Run(suite.Embedded(), system{Mutant{Name: "several", misread: all(misread...)}, library.New().Ask, claims})
	if err != nil {
		t.Fatal(err)
	}
	deciding := slices.Concat(arrays, types, paths, filters)
	m, err := JudgeAs(suite.Embedded(), deciding, claims)
	if err != nil {
		t.Fatal(err)
	}
	found := m.Diagnose(r)
	for _, d := range found[:min(len(want), len(found))] {
		if !want[d.Name] {
			t.Errorf("named %s, which explains %d checks", d.Name, len(d.Explained))
		}
		delete(want, d.Name)
	}
	for name := range want {
		t.Errorf("%s is not among the first", name)
	}
}

// TestDiagnoseNothing: a system that fails like no mutant gets no diagnosis.
func TestDiagnoseNothing(t *testing.T) {
	m := wholeMatrix(t)
	r, ok := m.row("array-ignored")
	if !ok {
		t.Fatal("no such mutant")
	}
	half := r.Failed[:len(r.Failed)/2]
	for _, d := range m.Diagnose(m.report(half)) {
		if d.Name == r.Name {
			t.Errorf("half of what it fails is explained by %s", d.Name)
		}
	}
	if found := m.Diagnose(m.report(nil)); len(found) > 0 {
		t.Errorf("nothing is explained by %s", found[0].Name)
	}
}

// TestDiagnoseForm: Diagnose finds no misreading in a system whose deadlines are all
// milliseconds off, or are plain numbers instead of dates.
func TestDiagnoseForm(t *testing.T) {
	m := wholeMatrix(t)
	for why, replacement := range map[string]string{
		"off by milliseconds": `"deadline":{"$$date":{"$$numberLong":"${1}7"}}`, "numbers": `"deadline":$1`,
	} {
		r, err := suite.Run(suite.Embedded(), changing(func(_ conformance.Question, a conformance.Answer) conformance.Answer {
			a.Out = told.ReplaceAll(a.Out, []byte(replacement))
			return a
		}))
		if err != nil {
			t.Fatal(err)
		}
		if failed := len(r.Failed()); failed < 1000 {
			t.Errorf("%s: %d checks fail; are no deadlines told?", why, failed)
		}
		if found := m.Diagnose(r); len(found) > 0 {
			t.Errorf("%s: taken for %s, which explains %d checks", why, found[0].Name, len(found[0].Explained))
		}
	}
}

// told matches deadlines, and the text before their last digit.
var told = regexp.MustCompile(`"deadline":\{"\$date":\{"\$numberLong":"(-?\d*)\d"\}\}`)

// TestDiagnoseSilence: a system without answers misreads nothing.
func TestDiagnoseSilence(t *testing.T) {
	m := wholeMatrix(t)
	r, ok := m.row("array-ignored")
	if !ok {
		t.Fatal("no such mutant")
	}
	for _, kind := range []conformance.Kind{conformance.KindSkipped, conformance.KindFault, conformance.KindTimeout, conformance.KindCrash, conformance.KindUnknown} {
		silent := slices.Clone(r.Failed)
		for i := range silent {
			silent[i].Answer = conformance.Answer{Kind: kind}
		}
		if found := m.Diagnose(m.report(silent)); len(found) > 0 {
			t.Errorf("%s: taken for %s", kind, found[0].Name)
		}
	}
}

// TestDiagnoseKnown: known failures count as symptoms like other failures, and checks
// that were not judged do not count.
func TestDiagnoseKnown(t *testing.T) {
	m := wholeMatrix(t)
	r, _ := m.row("array-ignored")
	report := m.report(r.Failed)
	half := 0
	for i, c := range report.Checks {
		switch {
		case c.Outcome == suite.Fail && half < len(r.Failed)/2:
			report.Checks[i].Outcome = suite.Known
			half++
		case c.Vector.Op != decide:
			report.Checks[i].Outcome = suite.NotRun
		}
	}
	found := m.Diagnose(report)
	if len(found) != 1 || found[0].Name != r.Name || found[0].Likeness != 1 || len(found[0].Explained) != len(r.Failed)-half {
		t.Errorf("found %v, want %s alone", found, r.Name)
	}
}

// report returns the report of a system that fails these checks and no others.
func (m *Matrix) report(failed []suite.Check) *suite.Report {
	r := &suite.Report{Suite: m.Suite, Checks: slices.Clone(m.checks)}
	for _, c := range failed {
		r.Checks[m.index[nameOf(c)]] = c
	}
	return r
}
