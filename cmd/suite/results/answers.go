package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// Answers are the recorded answers of a system in a run. Their text is a line of JSON
// that names the system, and then a line for each answer in the order of arrival. A run
// that ended early can be continued with its Answers. The zero Answers hold no answer.
type Answers struct {
	implementation conformance.Hello
	byQuestion     map[string]conformance.Answer
}

// An answersHead is the first line of recorded answers.
type answersHead struct {
	Format         string             `json:"format"`
	Implementation *conformance.Hello `json:"implementation"`
}

// An answerLine is any later line of recorded answers.
type answerLine struct {
	In     string              `json:"in"` // a digest, as in CheckResult
	Target conformance.Target  `json:"target"`
	Answer *conformance.Answer `json:"answer"`
}

// ParseAnswers reads the lines of [HeadLine] and [AnswerLine]. A line that was cut, as
// the last one may be, holds no answer. ParseAnswers returns an error if the first line
// is not a head.
func ParseAnswers(text []byte) (a Answers, err error) {
	a.byQuestion = map[string]conformance.Answer{}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var head answersHead
	if err := json.Unmarshal(first, &head); err != nil || head.Format != format || head.Implementation == nil {
		return a, errors.New("not the answers of a run: the first line does not name the implementation")
	}
	a.implementation = *head.Implementation
	for line := range bytes.Lines(rest) {
		var l answerLine
		if json.Unmarshal(line, &l) == nil && l.Answer != nil {
			a.byQuestion[l.In+l.Target.String()] = *l.Answer
		}
	}
	return a, nil
}

// CheckSystem returns an error unless the answers came from a system with the claims h.
func (a Answers) CheckSystem(h conformance.Hello) error {
	if was := a.implementation; was.Name != h.Name || was.Version != h.Version || !maps.Equal(was.Systems, h.Systems) {
		return fmt.Errorf("holds answers of %s %s with the systems %v, and not of %s %s with the systems %v", was.Name, was.Version, was.Systems, h.Name, h.Version, h.Systems)
	}
	return nil
}

// Answer returns the answer to a question; false if there is none.
func (a Answers) Answer(q conformance.Question) (conformance.Answer, bool) {
	answer, ok := a.byQuestion[digestOf(q.Op, q.In)+q.Target.String()]
	return answer, ok
}

// HeadLine returns the first line of the answers of a system with the claims h.
func HeadLine(h conformance.Hello) ([]byte, error) {
	text, err := json.Marshal(answersHead{format, &h})
	return append(text, '\n'), err
}

// AnswerLine returns the line for an answer. It returns nil for a question to be asked
// again, because the program broke or was no longer asked.
func AnswerLine(q conformance.Question, a conformance.Answer) ([]byte, error) {
	if a.Kind == conformance.KindNone || a.Kind > conformance.KindFault {
		return nil, nil
	}
	text, err := json.Marshal(answerLine{digestOf(q.Op, q.In), q.Target, &a})
	return append(text, '\n'), err
}
