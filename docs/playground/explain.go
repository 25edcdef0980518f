package playground

import (
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A question is a State, read.
type question struct {
	definition
	document document
	now      policy.Instant
	policy   *reasons.Policy
}

// read reads all of s, or says what is wrong with each part of it.
func (s State) read() (q question, problems []Problem) {
	note := func(editor, text string, err error) {
		if err != nil {
			problems = append(problems, problemOf(editor, text, err))
		}
	}
	var err error
	q.now, err = readNow(s.Now)
	note("now", s.Now, err)
	q.definition, err = readDefinition(s, q.now)
	note("policy", s.Policy, err)
	q.document, err = readDocument(s, q.now)
	note("document", s.Document, err)
	if len(problems) == 0 {
		q.policy, err = q.compile(s)
		note("policy", s.Policy, err)
	}
	if len(problems) == 0 {
		note("document", s.Document, q.explain().Check())
	}
	return q, problems
}

func (q question) explain() reasons.Explanation {
	return reasons.Of(q.policy, q.document.Document, q.now)
}

// Explain returns why s is answered as [Of] answers it, for who draws or words
// it otherwise. It reports false if something in s cannot be read.
func Explain(s State) (e reasons.Explanation, ok bool) {
	q, problems := s.normal().read()
	if len(problems) > 0 {
		return e, false
	}
	return q.explain(), true
}
