package conformance

import (
	"fmt"
	"slices"
)

// A Report is what one system answered to a suite.
type Report struct {
	Suite *Suite
	Hello Hello
	// Damaged says which values did not come back as they were sent.
	Damaged []string
	// Checks are in the order of the suite's vectors, then of the releases.
	Checks []Check
}

// Run asks a system everything that a suite has to ask about what it claims.
// The error is for claims that cannot be read. A system that panics has
// crashed, which is an outcome like others.
func Run(s *Suite, system System) (*Report, error) {
	session, err := open(s, system.Hello(), system)
	if err != nil {
		return nil, err
	}
	r := &Report{Suite: s, Hello: session.hello, Damaged: session.roundTrip()}
	for _, v := range s.Vectors {
		r.Checks = append(r.Checks, session.plan(v)...)
	}
	session.make(r.Checks)
	return r, nil
}

// Plan returns the checks that a run makes of a system that says h: not asked
// yet, or not applicable. The error is for claims that cannot be read.
func (s *Suite) Plan(h Hello) (checks []Check, err error) {
	session, err := open(s, h, nil)
	if err != nil {
		return nil, err
	}
	for _, v := range s.Vectors {
		checks = append(checks, session.plan(v)...)
	}
	return checks, nil
}

// Failed returns the checks by which the system does not conform.
func (r *Report) Failed() (failed []Check) {
	for _, c := range r.Checks {
		if c.Failed() {
			failed = append(failed, c)
		}
	}
	return failed
}

// A session is a suite and a system that said hello.
type session struct {
	suite  *Suite
	system System
	hello  Hello
	grades
	claims map[string]claim
}

func open(s *Suite, hello Hello, system System) (*session, error) {
	claims, err := s.claimsOf(hello)
	if err != nil {
		return nil, err
	}
	for _, p := range hello.RuleSets {
		if !slices.ContainsFunc(s.RuleSets, func(known RuleSet) bool { return known.Name == p }) {
			return nil, fmt.Errorf("hello: profiles: %q is not one of this suite", p)
		}
	}
	return &session{s, system, hello, gradesOf(hello.Features), claims}, nil
}

// make asks what is not answered yet, and judges it.
func (s *session) make(checks []Check) {
	var open []*Check
	var questions []Question
	for i := range checks {
		if c := &checks[i]; c.Outcome == NotRun {
			open = append(open, c)
			questions = append(questions, Question{c.Vector.Op, c.Target, c.Vector.In})
		}
	}
	for i, a := range AskAll(s.system, questions) {
		open[i].Answer = a
		s.judge(open[i])
	}
}

// plan returns the checks that v makes, not yet answered.
func (s *session) plan(v *Vector) (checks []Check) {
	system := SystemOf(v.Op)
	switch why := v.unclaimed(s.hello); {
	case v.Status == retired:
		return nil
	case why != "":
		return []Check{{Vector: v, Target: Target{System: system}, Outcome: Inapplicable, Detail: why}}
	}
	for _, p := range s.suite.probes(v, s.claims[system]) {
		checks = append(checks, Check{Vector: v, Target: p.Target, Row: p.row})
	}
	return checks
}

// AskAll asks a system many questions, at once if it can be asked so. The answers
// are in the order of the questions, one for each: one that did not come is the
// zero Answer. A panic is a crash.
func AskAll(system System, questions []Question) (answers []Answer) {
	answers = make([]Answer, len(questions))
	if b, ok := system.(Batcher); ok {
		guard(answers, func() { copy(answers, b.AskAll(questions)) })
		return answers
	}
	for i, q := range questions {
		guard(answers[i:i+1], func() { answers[i] = system.Ask(q) })
	}
	return answers
}

// guard asks for answers. After a panic nobody knows which question caused it, so
// each of them crashed.
func guard(answers []Answer, ask func()) {
	defer func() {
		if trouble := recover(); trouble != nil {
			for i := range answers {
				answers[i] = Answer{Kind: KindCrash, Text: fmt.Sprintf("panic: %v", trouble)}
			}
		}
	}()
	ask()
}

// judge sets the outcome of a check that was answered.
func (s *session) judge(c *Check) {
	c.Label, c.Detail = s.difference(c)
	switch {
	case c.Answer.Kind == KindAborted:
		c.Outcome = NotRun
	case c.Answer.Kind == KindCrash, c.Answer.Kind == KindTimeout, c.Answer.Kind == KindBreach, c.Answer.Kind == KindNone:
		c.Outcome = Broken
	case s.isObserved(c):
		c.Outcome = Observed
	case c.Answer.Kind == KindFault:
		c.Outcome = Broken
	case c.Detail == "":
		c.Outcome = Pass
	default:
		c.Outcome = Fail
	}
}

// isObserved reports whether an answer is recorded and not judged. An optional
// row is judged unless an answer of it was given.
func (s *session) isObserved(c *Check) bool {
	switch {
	case c.Row == nil, c.Row.Level == levelDisputed, c.Vector.Status == proposed:
		return true
	case c.Row.Level == levelRuleSet:
		return !slices.Contains(s.hello.RuleSets, c.Row.RuleSet)
	case c.Row.Level == levelOptional:
		return c.Detail == ""
	}
	return false
}

// difference returns how an answer differs from all that conform. If it is one
// of them it returns that one's label.
func (s *session) difference(c *Check) (label, detail string) {
	if c.Row == nil {
		return "", ""
	}
	j := s.judgeOf(c.Vector)
	for _, e := range c.Row.Answers {
		if detail = j.compare(e, c.Answer); detail == "" {
			return e.Label, ""
		}
	}
	return "", detail
}
