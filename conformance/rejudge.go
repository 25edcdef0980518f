package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ParseResults reads what encoding/json writes of [Results]. It does not take
// the verdicts in it on trust: [Suite.Rejudge] makes them anew.
func ParseResults(text []byte) (r Results, err error) {
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("no results: %w", err)
	}
	if major, _, _ := strings.Cut(r.Format, "."); major != "1" {
		return r, fmt.Errorf("no results: format is %q, want %q", r.Format, format)
	}
	return r, nil
}

// Rejudge judges by s what a system answered when old was made, and applies the
// ledger in it. What s asks now and was not asked then has not been run.
func (s *Suite) Rejudge(old Results) (*Report, error) {
	session, err := open(s, newReplay(old))
	if err != nil {
		return nil, err
	}
	r := session.report(old.Damaged)
	r.Apply(old.Known)
	return r, nil
}

// A replay is a system that gives the answers of earlier results again.
type replay struct {
	hello   Hello
	answers map[string]Answer
}

func newReplay(old Results) replay {
	r := replay{old.Implementation, map[string]Answer{}}
	for _, c := range old.Checks {
		if c.Answer != nil {
			r.answers[c.In+c.Target.String()] = *c.Answer
		}
	}
	return r
}

func (r replay) Hello() Hello { return r.hello }

func (r replay) Ask(q Question) Answer {
	if a, ok := r.answers[digestOf(q.Op, q.In)+q.Target.String()]; ok {
		return a
	}
	return Answer{Kind: KindAborted, Text: "was not asked"}
}
