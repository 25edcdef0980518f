package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
)

// A Report holds the answers of one system to a suite.
type Report struct {
	Suite *Suite
	Hello conformance.Hello
	// Damaged names the values that the system did not echo unchanged.
	Damaged []string
	// Checks are in the order of the suite's vectors, then of the releases.
	Checks []Check
}

// Run asks a system all questions of a suite within its claims. The error is
// for claims that cannot be read. A panic of the system counts as a crash,
// which is an outcome like others.
func Run(s *Suite, system conformance.System) (*Report, error) {
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

// Plan returns the checks that a run makes of a system with the hello h: not
// asked yet, or not applicable. The error is for claims that cannot be read.
func (suite *Suite) Plan(h conformance.Hello) (checks []Check, err error) {
	session, err := open(suite, h, nil)
	if err != nil {
		return nil, err
	}
	for _, v := range suite.Vectors {
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
	system conformance.System
	hello  conformance.Hello
	grades
	claims map[string]claim
}

func open(s *Suite, hello conformance.Hello, system conformance.System) (*session, error) {
	claims, err := s.claimsOf(hello)
	if err != nil {
		return nil, err
	}
	unknown := slices.DeleteFunc(slices.Clone(hello.RuleSets), func(name string) bool {
		return slices.ContainsFunc(s.RuleSets, func(known RuleSet) bool { return known.Name == name })
	})
	if len(unknown) > 0 {
		return nil, fmt.Errorf("hello: profiles: this suite has no rule set %q", strings.Join(unknown, ", "))
	}
	return &session{s, system, hello, hello.Features, claims}, nil
}

// make asks the questions that are not answered yet, and judges the answers.
func (s *session) make(checks []Check) {
	var open []*Check
	var questions []conformance.Question
	for i := range checks {
		if c := &checks[i]; c.Outcome == NotRun {
			open = append(open, c)
			questions = append(questions, conformance.Question{Op: c.Vector.Op, Target: c.Target, In: c.Vector.In})
		}
	}
	for i, a := range conformance.AskAll(s.system, questions) {
		open[i].Answer = a
		s.judge(open[i])
	}
}

// plan returns the checks of v, not yet answered: one for each release that v is asked
// about, or a single one that says why v is not asked. A retired vector has none.
func (s *session) plan(v *Vector) (checks []Check) {
	system := conformance.SystemOf(v.Op)
	switch why := v.unclaimed(s.hello); {
	case v.Status == retired:
		return nil
	case why != "":
		return []Check{{Vector: v, Target: conformance.Target{System: system}, Outcome: Inapplicable, Detail: why}}
	}
	for _, p := range s.suite.probes(v, s.claims[system]) {
		checks = append(checks, Check{Vector: v, Target: p.Target, Row: p.row})
	}
	return checks
}

// judge sets the outcome of a check that was answered.
func (s *session) judge(c *Check) {
	var d difference
	c.Label, d = s.difference(c)
	c.Detail, c.cause = d.detail, d.cause
	switch {
	case c.Answer.Kind == conformance.KindAborted:
		c.Outcome = NotRun
	case c.Answer.Kind == conformance.KindCrash, c.Answer.Kind == conformance.KindTimeout, c.Answer.Kind == conformance.KindBreach, c.Answer.Kind == conformance.KindNone:
		c.Outcome = Broken
	case c.Answer.Kind == conformance.KindUnknown:
		c.Outcome, c.Detail = Unaskable, c.Answer.Text
	case c.Answer.Kind == conformance.KindBoundary:
		c.Outcome, c.Detail = Boundary, c.Answer.Text
	case s.isObserved(c):
		c.Outcome = Observed
	case c.Answer.Kind == conformance.KindFault:
		c.Outcome = Broken
	case c.Detail == "":
		c.Outcome = Pass
	default:
		c.Outcome = Fail
	}
}

// Judge returns a check of r with another answer, and the outcome that it has then.
func (r *Report) Judge(c Check, a conformance.Answer) Check {
	c.Answer = a
	s := session{suite: r.Suite, hello: r.Hello, grades: r.Hello.Features}
	s.judge(&c)
	return c
}

// isObserved reports whether an answer is only recorded, not judged. An answer to an
// optional row is judged unless it is one of the row's answers.
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

// difference describes the difference of an answer from all conforming answers. For a
// conforming answer it returns the answer's label.
func (s *session) difference(c *Check) (label string, d difference) {
	if c.Row == nil {
		return "", d
	}
	now, _ := c.Vector.Clock()
	j := s.judgeOf(c.Vector.Op, now)
	for _, e := range c.Row.Answers {
		if d = j.compare(e, c.Answer); d.detail == "" {
			return e.Label, d
		}
	}
	return "", d
}

// An Outcome is the result of one check.
type Outcome uint8

// The outcomes. The zero Outcome is a check that was not made.
const (
	NotRun       Outcome = iota
	Pass                 // the answer is the wanted one
	Fail                 // the answer is another one, or missing although claimed
	Observed             // the answer is recorded and not judged
	Inapplicable         // not claimed, and so not asked
	Broken               // the implementation broke: fault, crash, timeout or breach of protocol
	Known                // it failed or broke, and is listed as a known failure
	Unaskable            // this system cannot be asked, such as a server whose clock cannot be set
	Boundary             // the answer is too near a boundary to be read from the observation
)

var outcomeNames = []string{"not-run", "pass", "fail", "observed", "inapplicable", "broken", "known-failure", "unaskable", "boundary"}

// String returns the outcome's name, such as "pass".
func (o Outcome) String() string { return enum.String(o, outcomeNames) }

// MarshalText returns the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads an outcome's name. It reads "unclaimed" as
// [Inapplicable]: earlier builds wrote it for questions beyond the claims.
func (o *Outcome) UnmarshalText(name []byte) error {
	if string(name) == "unclaimed" {
		*o = Inapplicable
		return nil
	}
	return enum.UnmarshalText(o, outcomeNames, name)
}

// A Check is the question of a vector about one release.
type Check struct {
	Vector *Vector
	Target conformance.Target
	// Row is the expectation; nil if the expectation is unspecified.
	Row     *Row
	Outcome Outcome
	Answer  conformance.Answer
	// Label names the given answer, if several conform.
	Label string
	// Detail says how the answer differs from the wanted answer, or why there is no
	// answer.
	Detail string

	cause string // the cause of the difference, see difference
}

// Failed reports whether the check shows that the system does not conform.
func (c Check) Failed() bool { return c.Outcome == Fail || c.Outcome == Broken }

// DeletesLive reports whether the answer expires a document that must stay: the
// failure that costs data.
func (c Check) DeletesLive() bool {
	return c.Outcome == Fail && strings.HasPrefix(c.Detail, "state is expired")
}

// Counts reports whether the outcome counts for a verdict.
func (c Check) Counts() bool { return c.Outcome == Pass || c.Failed() }

// roundTrip sends values that are easily damaged on the way, and returns those
// that came back changed. It does not ask a system that does not claim self.echo.
func (s *session) roundTrip() (troubles []string) {
	if !slices.Contains(s.hello.Ops, questions.Echo) {
		return nil
	}
	var asked []conformance.Question
	for _, p := range s.suite.echoed {
		asked = append(asked, conformance.Question{Op: questions.Echo, In: fmt.Appendf(nil, `{"value":%s}`, p.Value)})
	}
	for i, a := range conformance.AskAll(s.system, asked) {
		p := s.suite.echoed[i]
		if trouble := p.compare(a); trouble != "" {
			troubles = append(troubles, fmt.Sprintf("%s (%s): %s", p.ID, p.Title, trouble))
		}
	}
	return troubles
}

// compare returns how an echo differs from the sent value, "" if it does not.
func (p echoedValue) compare(a conformance.Answer) string {
	if a.Kind != conformance.KindOut {
		return a.String()
	}
	want, err := valuefunc.F.ParseExtJSONInt32(p.Value)
	if err != nil {
		return err.Error() // the loader refuses such a value
	}
	out, err := valuefunc.F.ParseExtJSONInt32(a.Out)
	if err != nil {
		return err.Error()
	}
	if got := out.Field("value"); !Same(want, got) {
		return fmt.Sprintf("%s came back as %s", want, got)
	}
	return ""
}
