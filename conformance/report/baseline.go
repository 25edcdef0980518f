package report

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// A Baseline is how far a system gets that answers without looking. A suite's
// number of passes means nothing without it.
type Baseline struct {
	Name  string // what the system does, such as "always never"
	Pass  int    // the checks that it passes
	Total int    // the checks that are judged
}

// Baselines asks trivial systems whatever h claims to decide.
func Baselines(s *conformance.Suite, h conformance.Hello) ([]Baseline, error) {
	h.Ops = slices.DeleteFunc(slices.Clone(h.Ops), func(op string) bool { return !strings.HasSuffix(op, ".decide") })
	h.RuleSets = nil
	h.Features = slices.DeleteFunc(slices.Clone(h.Features), func(f string) bool {
		return f == conformance.FeatureDeadline || f == conformance.FeatureRule || f == conformance.FeatureIndex
	})
	var all []Baseline
	for _, trivial := range []constant{
		{"always never", `{"state":"never","deadline":null}`, h},
		{"always expired", `{"state":"expired"}`, h},
	} {
		r, err := conformance.Run(s, trivial)
		if err != nil {
			return nil, err
		}
		all = append(all, trivial.baseline(r))
	}
	return all, nil
}

// A constant is a system that always gives the same answer.
type constant struct {
	name, out string
	hello     conformance.Hello
}

// baseline counts the rows that must hold; for others several answers conform.
func (c constant) baseline(r *conformance.Report) Baseline {
	b := Baseline{Name: c.name}
	for _, check := range r.Checks {
		if check.Row != nil && check.Row.Level == "must" && check.Counts() {
			b.Total++
		}
		if check.Outcome == conformance.Pass {
			b.Pass++
		}
	}
	return b
}

func (c constant) Hello() conformance.Hello { return c.hello }

func (c constant) Ask(conformance.Question) conformance.Answer {
	return conformance.Answer{Kind: conformance.KindOut, Out: []byte(c.out)}
}
