package conformance

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// roundTrip sends values that are easily damaged on the way and says which of them
// did not come back as they were. A system that does not claim self.echo is not
// asked.
func (s *session) roundTrip() (troubles []string) {
	if !slices.Contains(s.hello.Ops, echoOp) {
		return nil
	}
	var questions []Question
	for _, p := range s.suite.echoed {
		questions = append(questions, Question{Op: echoOp, In: fmt.Appendf(nil, `{"value":%s}`, p.text)})
	}
	for i, a := range AskAll(s.system, questions) {
		p := s.suite.echoed[i]
		if trouble := p.compare(a); trouble != "" {
			troubles = append(troubles, fmt.Sprintf("%s (%s): %s", p.id, p.title, trouble))
		}
	}
	return troubles
}

// compare returns how an echo differs from what was sent, "" if it does not.
func (p echoedValue) compare(a Answer) string {
	if a.Kind != KindOut {
		return a.String()
	}
	want, err := policy.ParseExtJSONInt32(p.text)
	if err != nil {
		return err.Error() // the loader lets none through
	}
	out, err := policy.ParseExtJSONInt32(a.Out)
	if err != nil {
		return err.Error()
	}
	if got := out.Field("value"); !same(want, got) {
		return fmt.Sprintf("%s came back as %s", want, got)
	}
	return ""
}
