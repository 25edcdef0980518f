package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// ParseResults reads what encoding/json writes of [Results]. It does not trust
// the verdicts in it: [Rejudge] makes them anew.
func ParseResults(text []byte) (r Results, err error) {
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("no results: %w", err)
	}
	if major, _, _ := strings.Cut(r.Format, "."); major != "1" {
		return r, fmt.Errorf("no results: format is %q, want %q", r.Format, format)
	}
	return r, nil
}

// Rejudge judges by s what a system answered when old was made, with the known
// failures in it. What s asks now and was not asked then has not been run.
func Rejudge(s *conformance.Suite, old Results) (*Report, error) {
	r, err := conformance.Run(s, newReplay(old))
	if err != nil {
		return nil, err
	}
	r.Hello, r.Damaged = old.Implementation, old.Damaged
	return New(r, old.Known), nil
}

// A replay is a system that gives the answers of earlier results again. Values
// are not sent again: it does not claim to echo them.
type replay struct {
	hello   conformance.Hello
	answers map[string]conformance.Answer
}

func newReplay(old Results) replay {
	r := replay{old.Implementation, map[string]conformance.Answer{}}
	r.hello.Ops = slices.DeleteFunc(slices.Clone(r.hello.Ops), func(op string) bool { return conformance.SystemOf(op) == "" })
	for _, c := range old.Checks {
		if c.Answer != nil {
			r.answers[c.In+c.Target.String()] = *c.Answer
		}
	}
	return r
}

func (r replay) Hello() conformance.Hello { return r.hello }

func (r replay) Ask(q conformance.Question) conformance.Answer {
	if a, ok := r.answers[digestOf(q.Op, q.In)+q.Target.String()]; ok {
		return a
	}
	return conformance.Answer{Kind: conformance.KindAborted, Text: "was not asked"}
}
