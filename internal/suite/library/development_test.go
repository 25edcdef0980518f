package library_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// A developmentSystem answers for a release as a state of the server's main branch does.
type developmentSystem struct{ name, release string }

func (s developmentSystem) Hello() conformance.Hello {
	hello := library.New().Hello()
	hello.Systems, hello.RuleSets = map[string]string{conformance.MongoDB: s.release}, nil
	hello.Ops = slices.DeleteFunc(hello.Ops, func(op string) bool { return conformance.SystemOf(op) != conformance.MongoDB })
	return hello
}

func (s developmentSystem) Ask(q conformance.Question) conformance.Answer {
	q.Target.Version = s.name
	return library.New().Ask(q)
}

// TestSuiteOnDevelopments runs the suite on the two states of the server's main branch, each
// judged as the release after it. Only vectors about the named differences fail.
func TestSuiteOnDevelopments(t *testing.T) {
	for _, tt := range []struct {
		developmentSystem
		differ []string
	}{
		{developmentSystem{"4.4-dev", "4.4.0"}, []string{ // it knows no hidden indexes, and replies only what changes
			"mongodb-collmod-hidden-id", "mongodb-collmod-hidden-other", "mongodb-collmod-same",
			"mongodb-createindexes-exists-as-hidden", "mongodb-createindexes-exists-not-hidden",
			"mongodb-createindexes-hidden-false-in-system", "mongodb-createindexes-hidden-in-system",
			"mongodb-createindexes-not-hidden", "mongodb-createindexes-with-hidden",
		}},
		{developmentSystem{"5.0-dev", "5.0.0"}, []string{}},
	} {
		r, err := suite.Run(suite.Embedded(), tt)
		if err != nil {
			t.Fatal(err)
		}
		differ := []string{}
		for _, c := range r.Failed() {
			differ = append(differ, c.Vector.ID)
		}
		slices.Sort(differ)
		if diff := cmp.Diff(tt.differ, slices.Compact(differ)); diff != "" {
			t.Errorf("%s: the vectors that fail (-want +got):\n%s", tt.name, diff)
		}
		if passed := r.Count()[suite.Pass]; passed < 850 {
			t.Errorf("%s: %d checks pass, want 850 or more: %v", tt.name, passed, r.Count())
		}
	}
}
