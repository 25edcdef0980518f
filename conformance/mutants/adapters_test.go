package mutants

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// TestNoBrokenAdapterConforms: the harness finds each of them out, and says in
// which way it is broken.
func TestNoBrokenAdapterConforms(t *testing.T) {
	outcomes := map[string]conformance.Outcome{
		"always-fault": conformance.Broken, "no-answer": conformance.Broken, "crash": conformance.Broken,
		"too-few-answers": conformance.Broken,
	}
	damaged := map[string]bool{
		"through-doubles": true, "int32-is-int64": true, "too-many-answers": true, "disordered-answers": true, "too-few-answers": true,
	}
	n := 0
	some := conformance.Embedded().Only(func(v *conformance.Vector) bool { // which is enough
		n++
		return n%4 == 0 || slices.Contains(v.Needs, "parameters")
	})
	for _, a := range adapters() {
		r, err := conformance.Run(some, a.System)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		want, ok := outcomes[a.Name]
		if !ok {
			want = conformance.Fail
		}
		if got := len(r.Damaged) > 0; got != damaged[a.Name] {
			t.Errorf("%s: damaged values are %q, damaged should be %t", a.Name, r.Damaged, damaged[a.Name])
		}
		if r.Conforms() || r.Count()[want] == 0 && !damaged[a.Name] {
			t.Errorf("%s: conforms %t, %v: want some %s", a.Name, r.Conforms(), r.Count(), want)
		}
	}
}
