package properties

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An examiner asks one system.
type examiner struct {
	system conformance.System
	claim  *cases.Claim
	grades
}

func newExaminer(system conformance.System) (*examiner, error) {
	claim, err := cases.ClaimOf(conformance.Embedded(), system.Hello())
	if err != nil {
		return nil, err
	}
	g := grades{dated: claim.Knows(conformance.FeatureDeadline), coded: claim.Knows(conformance.FeatureErrorCode)}
	return &examiner{system, claim, g}, nil
}

// examine asks the questions of a trial in order and says what is wrong with
// the answers. Nothing is wrong where the sources leave an answer open.
func (x *examiner) examine(t trial) (answers []answer, trouble string) {
	if slices.ContainsFunc(t.asked, x.isOpen) {
		return nil, ""
	}
	for i, said := range x.ask(t.asked) {
		a, trouble := x.read(said, strings.HasSuffix(t.asked[i].Op, ".decide"))
		answers = append(answers, a)
		if trouble != "" {
			return answers, fmt.Sprintf("answer %d: %s", i+1, trouble)
		}
	}
	return answers, t.law(x.grades, answers)
}

// ask asks questions, at once if the system can be asked so.
func (x *examiner) ask(asked []cases.Case) (said []conformance.Answer) {
	var questions []conformance.Question
	for _, c := range asked {
		questions = append(questions, c.Question())
	}
	if b, ok := x.system.(conformance.Batcher); ok {
		return b.AskAll(questions)
	}
	for _, q := range questions {
		said = append(said, ask(x.system, q))
	}
	return said
}

// isOpen reports whether the sources do not say what the answer is, or the
// question is about a document that the claimed database could not store.
func (x *examiner) isOpen(c cases.Case) bool {
	said := c.Reference()
	return said.Open || said.Rule == "mongo.path-ambiguous" && !x.claim.Knows("any-document")
}

// ask asks one question. A panic is a crash.
func ask(system conformance.System, q conformance.Question) (a conformance.Answer) {
	defer func() {
		if trouble := recover(); trouble != nil {
			a = conformance.Answer{Kind: conformance.KindCrash, Text: fmt.Sprintf("panic: %v", trouble)}
		}
	}()
	return system.Ask(q)
}

// read takes in an answer. What is claimed has a result, or is refused if it
// is a definition.
func (x *examiner) read(said conformance.Answer, decides bool) (a answer, trouble string) {
	a = answer{Answer: said}
	switch {
	case said.Kind == conformance.KindRefused && said.Refusal != nil && !decides:
		return a, ""
	case said.Kind == conformance.KindSkipped:
		return a, "skipped, though it is claimed"
	case said.Kind != conformance.KindOut:
		return a, "no result"
	}
	var err error
	if a.out, err = policy.ParseExtJSONInt32(said.Out); err != nil || a.out.Kind() != policy.Object {
		return a, "out is no object of Extended JSON"
	}
	if decides {
		return x.readDecision(a)
	}
	return a, ""
}

func (x *examiner) readDecision(a answer) (answer, string) {
	text, _ := a.out.Field("state").AsString()
	if err := a.state.UnmarshalText([]byte(text)); err != nil {
		return a, fmt.Sprintf("state is %s", a.out.Field("state"))
	}
	if !x.dated || a.state == policy.Never {
		return a, ""
	}
	var ok bool
	if a.due, ok = a.out.Field("deadline").AsDate(); !ok {
		return a, fmt.Sprintf("deadline is %s, want a date", a.out.Field("deadline"))
	}
	return a, ""
}
