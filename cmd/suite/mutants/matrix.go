package mutants

import (
	"fmt"
	"iter"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// A Matrix tells which checks of a suite each mutant fails.
type Matrix struct {
	Suite *suite.Suite
	// Rows are in the order of the mutants.
	Rows []Row

	checks []suite.Check // the reference's checks
	index  map[key]int   // position of each check in checks
	// queries are the questions of the checks, with the reference's answers.
	queries []query
}

// A Row is one mutant with the checks that kill it.
type Row struct {
	Mutant
	// Failed are the checks that the mutant fails, in the order of the suite.
	Failed []suite.Check

	at       []int     // their positions in the matrix's checks
	contents []content // contents of the mutant's answers in these checks
}

// JudgeAs runs a suite on mutants with the claims of some implementation, so that they are
// asked the same questions, and the same parts of their answers are compared. It returns an
// error if the reference does not conform, because then a failure shows nothing.
//
// The reference is asked each question once. A mutant is judged only by vectors that it
// answers differently from the reference.
func JudgeAs(s *suite.Suite, all []Mutant, claims conformance.Hello) (*Matrix, error) {
	base, members := remembering(library.New().Ask), remembering(read)
	report, err := suite.Run(s, system{Mutant{Name: "reference", misread: query.ask}, base, claims})
	if err != nil {
		return nil, err
	}
	if failed := report.Failed(); len(failed) > 0 {
		return nil, fmt.Errorf("mutants: the reference fails %s: %s", failed[0].Vector.ID, failed[0].Detail)
	}
	m := &Matrix{Suite: s, checks: report.Checks, index: map[key]int{}}
	for i, c := range m.checks {
		m.index[nameOf(c)] = i
		q := conformance.Question{Op: c.Vector.Op, Target: c.Target, In: c.Vector.In}
		m.queries = append(m.queries, query{Question: q, base: base, known: &m.checks[i].Answer, read: members(conformance.Question{Op: q.Op, In: q.In})})
	}
	for _, mutant := range all {
		row := Row{Mutant: mutant}
		if row.Failed, err = m.failures(system{mutant, base, claims}); err != nil {
			return nil, err
		}
		for _, c := range row.Failed {
			row.at = append(row.at, m.index[nameOf(c)])
			row.contents = append(row.contents, contentOf(c.Answer))
		}
		m.Rows = append(m.Rows, row)
	}
	return m, nil
}

// failures returns the checks that a mutant fails.
func (m *Matrix) failures(mutant system) ([]suite.Check, error) {
	suspects := *m.Suite
	suspects.Vectors = nil
	asked := answered{system: mutant}
	asked.claims.Ops = slices.DeleteFunc(slices.Clone(asked.claims.Ops), func(op string) bool { return op == "self.echo" })
	for i := 0; i < len(m.checks); {
		before, isSuspect := len(asked.answers), false
		v := m.checks[i].Vector
		for ; i < len(m.checks) && m.checks[i].Vector == v; i++ {
			c := &m.checks[i]
			if c.Outcome == suite.Inapplicable && c.Answer.Kind == conformance.KindNone {
				continue // the check was not asked
			}
			a := mutant.misread(m.queries[i])
			asked.answers = append(asked.answers, a)
			isSuspect = isSuspect || !same(c.Answer, a)
		}
		if isSuspect {
			suspects.Vectors = append(suspects.Vectors, v)
		} else {
			asked.answers = asked.answers[:before]
		}
	}
	report, err := suite.Run(&suspects, asked)
	if err != nil {
		return nil, err
	}
	return report.Failed(), nil
}

// An answered system replays answers that were collected before, in the same
// order.
type answered struct {
	system
	answers []conformance.Answer
}

// AskAll returns the collected answers.
func (a answered) AskAll([]conformance.Question) iter.Seq2[int, conformance.Answer] {
	return slices.All(a.answers)
}

// A Mutant is the reference with one rule misread.
type Mutant struct {
	// Name is the mutant's permanent name, such as "date-exclusive".
	Name string
	// Rule is the identifier of the rule.
	Rule string
	// Text describes the misreading in one sentence.
	Text string
	// Wild says where the misreading was seen, as the rest of "seen in …", with a
	// reference; "" for the few mutants that other tests need.
	Wild string

	misread misreading
}

// A misreading answers a question, like the reference or differently.
type misreading func(query) conformance.Answer

// All returns every mutant, area by area.
func All() []Mutant {
	return slices.Concat(threshold, arrays, types, paths, filters, seconds, several, indexes, clustered, timeseries, namespaces,
		createIndexes, collMod, create, documentDB, items, containers, itemWrites, histories)
}

// System returns the mutant as a system for the suite. It has the claims of the
// reference, except the names of rules and indexes.
func (m Mutant) System() conformance.System {
	return system{m, library.New().Ask, library.New().Hello()}
}

type system struct {
	Mutant
	base   asker
	claims conformance.Hello
}

// Hello returns the claims by which mutants are judged.
func (s system) Hello() conformance.Hello {
	hello := s.claims
	hello.Name, hello.Homepage, hello.Issues = s.Name, "", ""
	hello.Features = slices.DeleteFunc(slices.Clone(hello.Features), func(feature string) bool {
		return feature == conformance.FeatureRule || feature == conformance.FeatureIndex
	})
	return hello
}

// Ask answers one question.
func (s system) Ask(q conformance.Question) conformance.Answer {
	return s.misread(query{Question: q, base: s.base})
}
