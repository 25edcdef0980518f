package mutants

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// TestNoBrokenAdapterConforms: the harness detects each broken adapter, and
// says how it is broken.
func TestNoBrokenAdapterConforms(t *testing.T) {
	outcomes := map[string]suite.Outcome{
		"always-fault": suite.Broken, "no-answer": suite.Broken, "crash": suite.Broken,
		"too-few-answers": suite.Broken,
	}
	damaged := map[string]bool{
		"through-doubles": true, "int32-is-int64": true, "too-many-answers": true, "disordered-answers": true, "too-few-answers": true,
	}
	some := everyNth(4) // which is enough
	if testing.Short() {
		some = everyNth(12)
	}
	for _, a := range adapters() {
		r, err := suite.Run(some, a.System)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		want, ok := outcomes[a.Name]
		if !ok {
			want = suite.Fail
		}
		if got := len(r.Damaged) > 0; got != damaged[a.Name] {
			t.Errorf("%s: damaged values are %q, damaged should be %t", a.Name, r.Damaged, damaged[a.Name])
		}
		if r.Conforms() || r.Count()[want] == 0 && !damaged[a.Name] {
			t.Errorf("%s: conforms %t, %v: want some %s", a.Name, r.Conforms(), r.Count(), want)
		}
	}
}

// everyNth returns a part of the embedded suite: each n-th vector, and those
// that need server parameters, of which there are few.
func everyNth(n int) *suite.Suite {
	i := 0
	return suite.Embedded().Only(func(v *suite.Vector) bool {
		i++
		return i%n == 0 || slices.Contains(v.Needs, "parameters")
	})
}
