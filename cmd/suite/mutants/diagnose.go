package mutants

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Diagnosis is a misreading that an implementation probably has.
type Diagnosis struct {
	Mutant
	// Explained are the failed checks that this misreading is the first to explain,
	// in the order of the suite.
	Explained []suite.Check
	// Likeness is the agreement, from 0 to 1, between the checks that the mutant fails
	// and the checks that failed: the number of checks in both sets, divided by the
	// number in either (Jaccard index).
	Likeness float64
}

// Diagnose returns the misreadings that explain the failures of an
// implementation: the one that explains most, then the one that explains most
// of the rest, and so on. The report must cover the claims of the matrix's
// mutants; see [JudgeAs].
//
// Diagnose names a misreading if the implementation fails nine in ten of the judged
// checks that the mutant fails, and with answers like those of the mutant. Failures alone
// are not enough: an adapter that writes every deadline in seconds, or a millisecond
// late, fails all these checks, although it misreads no rule. An implementation with
// several misreadings fails many more checks than each misreading causes, so likeness
// alone would find none. If several misreadings explain equally many checks, Diagnose
// names the one with the greatest likeness.
func (m *Matrix) Diagnose(r *suite.Report) (found []Diagnosis) {
	s := symptoms{make([]outcome, len(m.checks)), 0}
	for _, c := range r.Checks {
		if i, ok := m.index[nameOf(c)]; ok {
			s.note(i, c)
		}
	}
	for {
		best := m.likeliest(s)
		if len(best.Explained) == 0 {
			return found
		}
		found = append(found, best)
		for _, c := range best.Explained {
			s.outcomes[m.index[nameOf(c)]].open = false
		}
	}
}

// symptoms are the observed answers of an implementation, check by check.
type symptoms struct {
	outcomes []outcome
	failed   int // number of failed checks
}

type outcome struct {
	judged, failed bool
	open           bool // the check failed, and no misreading explains it so far
	content        content
}

// A content is the part of an answer by which misreadings differ.
type content struct {
	kind     conformance.Kind
	expired  bool
	deadline string // "" without one
}

func contentOf(a conformance.Answer) content {
	out, _ := policy.ParseExtJSON(a.Out) // text that is not JSON has no members
	state, _ := out.Field("state").AsString()
	m := content{kind: a.Kind, expired: state == "expired"}
	if deadline := out.Field("deadline"); !deadline.IsMissing() {
		m.deadline = deadline.String()
	}
	return m
}

// isLike reports whether an answer with the content c is like the answer of a mutant. A
// missing deadline is like every deadline, because not every system reports deadlines.
func (c content) isLike(mutant content) bool {
	return c.kind == mutant.kind && c.expired == mutant.expired && (c.deadline == "" || mutant.deadline == "" || c.deadline == mutant.deadline)
}

// note records a check. A known failure needs no explanation, but is evidence for a
// misreading. A check without an answer does not show how a rule is read.
func (s *symptoms) note(i int, c suite.Check) {
	if !isAnswer(c) {
		return
	}
	known := c.Outcome == suite.Known
	s.outcomes[i] = outcome{judged: c.Counts() || known, failed: c.Failed() || known, open: c.Failed()}
	if s.outcomes[i].failed {
		s.outcomes[i].content = contentOf(c.Answer)
		s.failed++
	}
}

// isAnswer reports whether a check ended with an answer.
func isAnswer(c suite.Check) bool {
	return c.Answer.Kind == conformance.KindOut || c.Answer.Kind == conformance.KindRefused
}

// A key names a check.
type key struct{ vector, target string }

func nameOf(c suite.Check) key { return key{c.Vector.ID, c.Target.String()} }

// likeliest returns the misreading that explains most of the unexplained
// checks.
func (m *Matrix) likeliest(s symptoms) (best Diagnosis) {
	for _, r := range m.Rows {
		d := r.explain(s)
		if n := len(d.Explained) - len(best.Explained); n > 0 || n == 0 && d.Likeness > best.Likeness {
			best = d
		}
	}
	return best
}

// explain returns the failed checks that the misreading of r explains. It returns none
// unless the implementation fails, in the same way, nine in ten of the judged checks that
// the mutant fails.
func (r Row) explain(s symptoms) Diagnosis {
	d := Diagnosis{Mutant: r.Mutant}
	judged, common := 0, 0
	for i, c := range r.Failed {
		outcome := s.outcomes[r.at[i]]
		if outcome.judged {
			judged++
		}
		if !outcome.failed || !outcome.content.isLike(r.contents[i]) {
			continue
		}
		common++
		if outcome.open {
			d.Explained = append(d.Explained, c)
		}
	}
	if 10*common < 9*judged {
		return Diagnosis{}
	}
	d.Likeness = float64(common) / float64(max(1, judged+s.failed-common))
	return d
}
