package mingo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// examples are those of docs/mingo.md: mingo answers each the other way.
var examples = []struct {
	class, filter, document string
	ours                    bool
}{
	{"array-in-array", `{"a.b":5}`, `{"a":{"b":[[5]]}}`, false},
	{"array-in-array", `{"a.b":{"$lte":5}}`, `{"a":[[5]]}`, false},
	{"position-or-name", `{"a.1":5}`, `{"a":[{"1":5}]}`, true},
	{"position-of-array", `{"a.0":5}`, `{"a":[[5]]}`, false},
	{"array-collected", `{"a.b":{"$lte":5}}`, `{"a":[{"b":[5]},{"b":"x"}]}`, true},
	{"collected-as-array", `{"a.b":[1,2]}`, `{"a":[{"b":1},{"b":2}]}`, false},
	{"collected-as-array", `{"a.b":[]}`, `{"a":[]}`, false},
	{"type-of-element", `{"a":{"$type":"date"}}`, `{"a":[{"$date":{"$numberLong":"5"}}]}`, true},
	{"exists-in-array", `{"a.b.0":{"$exists":true}}`, `{"a":[]}`, false},
	{"null-in-array", `{"a.b":null}`, `{"a":[{"b":1},{}]}`, true},
	{"null-in-array", `{"a.0.b":null}`, `{"a":[]}`, false},
	{"null-or-missing", `{"a":{"$gte":null}}`, `{}`, true},
}

func document(t *testing.T, text string) policy.D {
	t.Helper()
	v, err := policy.ParseExtJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return fieldsOf(v)
}

func TestExamplesHere(t *testing.T) {
	for _, x := range examples {
		q := question{document(t, x.filter), document(t, x.document)}
		f, err := mongo.CompileFilter(q.filter, latest(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Match(q.document) == mongo.Inside; got != x.ours {
			t.Errorf("%s matches %s: %v, want %v", x.filter, x.document, got, x.ours)
		}
		if got := classOf(leavesOf(q.filter)[0], q.document); got != x.class {
			t.Errorf("%s on %s is of class %q, want %s", x.filter, x.document, got, x.class)
		}
	}
}

func TestExamplesThere(t *testing.T) {
	source(t)
	var questions []question
	for _, x := range examples {
		questions = append(questions, question{document(t, x.filter), document(t, x.document)})
	}
	for i, theirs := range ask(t, questions) {
		if x := examples[i]; theirs != answerOf(!x.ours) {
			t.Errorf("mingo answers %s to %s on %s", theirs, x.filter, x.document)
		}
	}
}
