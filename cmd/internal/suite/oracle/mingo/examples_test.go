package mingo

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// examples are the examples of docs/mingo.md. In each example, one habit makes mingo give
// another answer than MongoDB.
var examples = []struct {
	habit            habit
	filter, document string
	ours             bool
}{
	{readsPositionsOnly, `{"a.1":5}`, `{"a":[{"1":5}]}`, true},
	{takesInnerArray, `{"a.b":{"$lte":5}}`, `{"a":[[5]]}`, false},
	{dropsMissing, `{"a.b":null}`, `{"a":[{"b":1},{}]}`, true},
	{missesPositions, `{"a.0":null}`, `{"a":[]}`, false},
	{missesPositions, `{"a.0.b":null}`, `{"a":[7]}`, false},
	{opensPositions, `{"a.0":5}`, `{"a":[[5]]}`, false},
	{collectsArrays, `{"a.b":{"$lte":5}}`, `{"a":[{"b":[5]},{"b":"x"}]}`, true},
	{collectsArrays, `{"a.b":[1,2]}`, `{"a":[{"b":1},{"b":2}]}`, false},
	{collectsArrays, `{"a.b":[]}`, `{"a":[]}`, false},
	{opensForEquality, `{"a.b":5}`, `{"a":{"b":[[5]]}}`, false},
	{typesArraysOnly, `{"a":{"$type":"date"}}`, `{"a":[{"$date":{"$numberLong":"5"}}]}`, true},
	{typesArraysOnly, `{"a.b":{"$type":"array"}}`, `{"a":[{"b":1}]}`, false},
	{existsIfCollected, `{"a.b.0":{"$exists":true}}`, `{"a":[]}`, false},
	{existsIfCollected, `{"a.b.a":{"$exists":true}}`, `{"a":[{"b":[]}]}`, false},
	{knowsNoOrderOfNull, `{"a":{"$gte":null}}`, `{}`, true},
}

func questionOf(t *testing.T, filter, document string) question {
	t.Helper()
	return question{parse(t, filter), parse(t, document)}
}

func parse(t *testing.T, text string) policy.D {
	t.Helper()
	return policy.DOf(fixture.Value(t, text))
}

func TestExamplesHere(t *testing.T) {
	for _, x := range examples {
		q := questionOf(t, x.filter, x.document)
		if got := takesIn(t, q, imitated(t)); got != x.ours {
			t.Errorf("%s matches %s: %v, want %v", x.filter, x.document, got, x.ours)
		}
		filter, document := q.plain()
		if got := (model{}).matches(filter, document); got != x.ours {
			t.Errorf("%s matches %s in the model: %v, want %v", x.filter, x.document, got, x.ours)
		}
		if got, ok := explain(model{}, filter, document, !x.ours); !ok || got != x.habit {
			t.Errorf("%s on %s is due to %s, want %s", x.filter, x.document, got, x.habit)
		}
	}
}

func TestExamplesThere(t *testing.T) {
	needMingo(t)
	var questions []question
	for _, x := range examples {
		questions = append(questions, questionOf(t, x.filter, x.document))
	}
	for i, theirs := range ask(t, questions) {
		if x := examples[i]; theirs != answerOf(!x.ours) {
			t.Errorf("mingo answers %s to %s on %s", theirs, x.filter, x.document)
		}
	}
}

// TestPageNamesHabits compares docs/mingo.md with the habits and their examples.
func TestPageNamesHabits(t *testing.T) {
	page, err := os.ReadFile("../../../../../docs/mingo.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range examples {
		example := fmt.Sprintf("| `%s` | `%s` | `%s` | %s |", x.habit, x.filter, x.document, map[bool]string{true: "yes | no", false: "no | yes"}[x.ours])
		if !strings.Contains(string(page), example) {
			t.Errorf("docs/mingo.md lacks %s", example)
		}
	}
}
