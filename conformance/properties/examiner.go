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
	if slices.ContainsFunc(t.asked, x.claim.IsOpen) {
		return nil, ""
	}
	for i, said := range cases.Ask(x.system, t.asked...) {
		a, trouble := x.read(said, strings.HasSuffix(t.asked[i].Op, ".decide"))
		answers = append(answers, a)
		if trouble != "" {
			return answers, fmt.Sprintf("answer %d: %s", i+1, trouble)
		}
	}
	return answers, t.law(x.grades, answers)
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
