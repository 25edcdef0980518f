package engine

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestConsulted(t *testing.T) {
	one, two, three := policy.NewRule("test.one", ""), policy.NewRule("test.two", ""), policy.NewRule("test.three", "")
	ladder := []policy.Rule{one, two, three}
	for _, test := range []struct {
		decided policy.Rule
		want    []policy.Rule
	}{{one, ladder[:1]}, {two, ladder[:2]}, {three, ladder}, {policy.Rule{}, nil}, {policy.NewRule("test.one", ""), nil}} {
		got := Consulted(ladder, test.decided)
		if !slices.Equal(got, test.want) || (got == nil) != (test.want == nil) {
			t.Errorf("Consulted(%s) = %v, want %v", test.decided, got, test.want)
		}
	}
	if _ = append(Consulted(ladder, one), three); ladder[1] != two {
		t.Error("appending to what was consulted changes the ladder")
	}
}

func TestRegister(t *testing.T) {
	one, two := policy.NewRule("test.one", ""), policy.NewRule("test.two", "")
	Register(slices.Values([]policy.Rule{one, two}))
	for _, want := range []policy.Rule{one, two} {
		if got, ok := policy.Private(private.Key{}).RuleByID(want.ID()); !ok || got != want {
			t.Errorf("RuleByID(%s) = %v, %v", want.ID(), got, ok)
		}
	}
}
