package mutants

import (
	"fmt"
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
// The reference is asked each question once.
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
		m.Rows = append(m.Rows, m.judge(report, mutant))
	}
	return m, nil
}

// judge returns a mutant with the checks that it fails. Only answers that differ from those of
// the reference are judged.
func (m *Matrix) judge(r *suite.Report, mutant Mutant) Row {
	row := Row{Mutant: mutant}
	for i, c := range m.checks {
		if c.Outcome == suite.Inapplicable && c.Answer.Kind == conformance.KindNone {
			continue // the check was not asked
		}
		a := mutant.misread(m.queries[i])
		if same(c.Answer, a) {
			continue
		}
		if c = r.Judge(c, a); c.Failed() {
			row.Failed, row.at, row.contents = append(row.Failed, c), append(row.at, i), append(row.contents, contentOf(a))
		}
	}
	return row
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
