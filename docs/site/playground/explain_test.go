package playground

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestExplain: an explanation agrees with the answer, and text that cannot be read has no
// explanation.
func TestExplain(t *testing.T) {
	s := onMongo("8.0.4", `{key: {a: 1}, expireAfterSeconds: 10}`, `{a: ISODate("2026-11-20T12:00:00Z")}`, "2026-11-20T12:00:10Z")
	e, ok := Explain(s)
	if !ok || e.Decision.State != policy.Expired || e.Decision.Rule.ID() != Of(s, View{}).Rule {
		t.Errorf("Explain = %v, %v, want what Of answers, %s", e.Decision, ok, Of(s, View{}).Rule)
	}
	for why, broken := range map[string]func(*State){
		"policy": func(s *State) { s.Policy = "{" }, "document": func(s *State) { s.Document = "[" }, "now": func(s *State) { s.Now = "soon" },
		"no key": func(s *State) { s.Policy = `{key: 5, expireAfterSeconds: 1}` },
	} {
		wrong := s
		broken(&wrong)
		if e, ok := Explain(wrong); ok {
			t.Errorf("%s: Explain = %v, want none", why, e.Decision)
		}
	}
}
