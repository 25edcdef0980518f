package cases

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func everything(t *testing.T) *Claim {
	t.Helper()
	c, err := ClaimOf(suite.Embedded(), library.New().Hello())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDrawIsTheSameForTheSameSeed(t *testing.T) {
	claim := everything(t)
	for _, op := range conformance.Operations() {
		texts := map[string]bool{}
		for seed := range uint64(50) {
			first, again := Draw(claim, op, seed).GoString(), Draw(claim, op, seed).GoString()
			if first != again {
				t.Errorf("seed %d of %s: %s, then %s", seed, op, first, again)
			}
			texts[first] = true
		}
		if len(texts) < 5 {
			t.Errorf("50 seeds make %d different questions to %s", len(texts), op)
		}
	}
}

// TestDrawFindsRules: the questions are about many rules, and few are about
// what the sources leave unspecified. A fault would mean that the question is malformed.
func TestDrawFindsRules(t *testing.T) {
	claim := everything(t)
	n := uint64(2000)
	if testing.Short() {
		n = 1000 // enough questions for the more common rules
	}
	for op, want := range map[string]int{"mongodb.decide": 25, "cosmos.decide": 7, "cosmosmongo.decide": 8} {
		rules, unspecified := map[string]int{}, 0
		for seed := range n {
			c := Draw(claim, op, seed)
			a := library.New().Ask(c.Question())
			out, err := policy.ParseExtJSON(a.Out)
			if err != nil || a.Kind != conformance.KindOut {
				t.Fatalf("%#v is answered %s", c, a)
			}
			rule, _ := out.Field("rule").AsString()
			rules[rule]++
			if strings.HasSuffix(rule, "-unspecified") {
				unspecified++
			}
		}
		if len(rules) < want || unspecified > 100 {
			t.Errorf("%d questions to %s find %d rules and %d unspecified answers, want %d and 100 at most: %v", n, op, len(rules), unspecified, want, rules)
		}
	}
}

func TestDrawOfDefinitions(t *testing.T) {
	claim := everything(t)
	n := 1000
	if testing.Short() {
		n = 300 // fewer questions show the same kinds of answers
	}
	for _, op := range conformance.Operations() {
		kinds := map[conformance.Kind]int{}
		for seed := range uint64(n) {
			kinds[library.New().Ask(Draw(claim, op, seed).Question()).Kind]++
		}
		decides := strings.HasSuffix(op, ".decide") || strings.HasSuffix(op, ".history")
		if kinds[conformance.KindFault] > 0 || !decides && (kinds[conformance.KindOut] < n/10 || kinds[conformance.KindRefused] < n/10) {
			t.Errorf("%d questions to %s are answered %v, want no faults, and many of both for definitions", n, op, kinds)
		}
	}
}
