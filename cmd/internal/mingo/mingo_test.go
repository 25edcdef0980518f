package mingo

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// pairs is how many (filter, document) pairs each test asks about.
const pairs = 120_000

// TestFiltersAgreeWithMingo compares partial filters with mingo's Query.
func TestFiltersAgreeWithMingo(t *testing.T) {
	r := source(t)
	questions := make([]question, pairs)
	for i := range questions {
		filter := randomFilter(r, 2)
		likely := leavesOf(filter)[0]
		questions[i] = question{filter, documentWith(r, likely.path, likely.operand)}
	}
	profile := latest(t)
	want := []string{"position-or-name", "position-of-array", "array-in-array", "type-of-element", "exists-in-array",
		"collected-as-array", "array-collected", "null-in-array", "null-or-missing"}
	compare(t, questions, want, func(q question) bool {
		f, err := mongo.CompileFilter(q.filter, profile)
		if err != nil {
			t.Fatalf("CompileFilter(%s): %v", q.text(), err)
		}
		return f.Match(q.document) == mongo.Inside
	})
}

// TestKeysAgreeWithMingo compares the deadline by index keys with mingo's
// answer to {path: {$lte: cutoff}}.
func TestKeysAgreeWithMingo(t *testing.T) {
	const now = 1000 // dates are drawn around it
	r := source(t)
	questions := make([]question, pairs)
	for i := range questions {
		path := randomPath(r)
		questions[i] = question{policy.D{{Key: path, Value: operator("$lte", policy.DateValue(now))}}, documentWith(r, path, randomDate(r))}
	}
	profile := latest(t)
	want := []string{"position-or-name", "position-of-array", "array-in-array", "array-collected"}
	compare(t, questions, want, func(q question) bool {
		x, err := mongo.Compile(mongo.IndexSpec{
			Key:                policy.D{{Key: q.filter[0].Key, Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int32Value(0),
		}, profile)
		if err != nil {
			t.Fatalf("Compile(%s): %v", q.filter[0].Key, err)
		}
		return x.Decide(q.document, now).State == policy.Expired
	})
}

// source returns a source of numbers, always the same unless MINGO_SEED is set.
// Without mingo there is nothing to ask.
func source(t *testing.T) *rand.Rand {
	t.Helper()
	if os.Getenv("MINGO") == "" {
		t.Skip("MINGO names no folder with mingo in it")
	}
	seed := uint64(20261121)
	if text, ok := os.LookupEnv("MINGO_SEED"); ok {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("MINGO_SEED: %v", err)
		}
	}
	return rand.New(rand.NewPCG(seed, 1))
}

func latest(t *testing.T) mongo.Profile {
	t.Helper()
	p, err := mongo.ProfileOf(mongo.Latest)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A question is one line for mingo.
type question struct{ filter, document policy.D }

func (q question) text() string {
	return string(policy.AppendExtJSON(nil, policy.ObjectValue(policy.D{
		{Key: "filter", Value: policy.ObjectValue(q.filter)},
		{Key: "document", Value: policy.ObjectValue(q.document)},
	})))
}

// compare asks both sides all questions. Where they disagree about a filter
// they are asked about each of its predicates: those on which they disagree
// must be of classes that docs/mingo.md explains, and must account for the
// whole. Exactly the classes wanted must occur, so that the page does not
// outlive its reasons.
func compare(t *testing.T, questions []question, want []string, ours func(question) bool) {
	t.Helper()
	yes := 0
	var disputed []question
	for i, theirs := range ask(t, questions) {
		us := ours(questions[i])
		if us {
			yes++
		}
		if theirs != answerOf(us) {
			disputed = append(disputed, questions[i])
		}
	}
	found := explain(t, disputed, ours)
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("classes of disagreement %v, want %v", got, want)
	}
	t.Logf("%d pairs, %d matches, %d disagreements: %v", len(questions), yes, len(disputed), found)
	if yes < len(questions)/20 || yes > len(questions)*19/20 {
		t.Errorf("%d of %d pairs match: the generator is lopsided", yes, len(questions))
	}
}

// explain counts the disputed predicates of each class, and fails for what has
// none.
func explain(t *testing.T, disputed []question, ours func(question) bool) map[string]int {
	t.Helper()
	var parts []question
	for _, q := range disputed {
		for _, l := range leavesOf(q.filter) {
			parts = append(parts, question{l.filter(), q.document})
		}
	}
	answers := ask(t, parts)
	found := map[string]int{}
	for _, q := range disputed {
		leaves := leavesOf(q.filter)
		theirs := make([]bool, len(leaves))
		for i, l := range leaves {
			part := question{l.filter(), q.document}
			theirs[i] = answers[0] == "1"
			if answers[0] != answerOf(ours(part)) {
				name := classOf(l, q.document)
				found[name]++
				if name == "" && found[name] <= 12 {
					t.Errorf("ours %v, mingo %s: %s", ours(part), answers[0], part.text())
				}
			}
			answers = answers[1:]
		}
		if whole, _ := combined(q.filter, theirs); whole == ours(q) {
			t.Errorf("the predicates do not account for %s", q.text())
		}
	}
	return found
}

func answerOf(match bool) string {
	if match {
		return "1"
	}
	return "0"
}

// ask returns mingo's answers.
func ask(t *testing.T, questions []question) []string {
	t.Helper()
	var in bytes.Buffer
	for _, q := range questions {
		in.WriteString(q.text())
		in.WriteByte('\n')
	}
	cmd := exec.Command("node", "match.mjs", os.Getenv("MINGO"))
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node match.mjs: %v", err)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != len(questions) {
		t.Fatalf("mingo gave %d answers to %d questions", len(answers), len(questions))
	}
	return answers
}
