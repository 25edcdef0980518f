package mingo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// pairs returns the number of (filter, document) pairs in each test.
func pairs() int {
	if testing.Short() {
		return 30_000
	}
	return 120_000
}

// TestFiltersAgreeWithMingo compares partial filters with mingo's Query.
func TestFiltersAgreeWithMingo(t *testing.T) {
	needMingo(t)
	r := source(t)
	questions := make([]question, pairs())
	for i := range questions {
		questions[i] = randomQuestion(r)
	}
	profile := imitated(t)
	compare(t, model{}, questions, allHabits, func(q question) bool {
		return takesIn(t, q, profile)
	})
}

// takesIn reports whether an index with the question's filter holds the
// question's document.
func takesIn(t *testing.T, q question, profile mongo.Profile) bool {
	t.Helper()
	x, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                     policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(0),
		PartialFilterExpression: policy.ObjectValue(q.filter),
	}}}, profile)
	if err != nil {
		t.Fatalf("CompileIndex with %s: %v", q.text(), err)
	}
	rule := x.Decide(q.document, 0).Rule.ID()
	return rule != "mongo.filter-mismatch" && rule != "mongo.filter-unspecified"
}

// TestKeysAgreeWithMingo compares the deadline by index keys with mingo's
// answer to {path: {$lte: cutoff}}.
func TestKeysAgreeWithMingo(t *testing.T) {
	const now = 1000 // dates are drawn around it
	needMingo(t)
	r := source(t)
	questions := make([]question, pairs())
	for i := range questions {
		path := randomPath(r)
		questions[i] = question{policy.D{{Key: path, Value: operator("$lte", policy.DateValue(now))}}, documentWith(r, path, randomDate(r))}
	}
	profile := imitated(t)
	habits := readsPositionsOnly | takesInnerArray | opensPositions | collectsArrays
	compare(t, model{keys: true}, questions, habits, func(q question) bool {
		x, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
			Key:                policy.D{{Key: q.filter[0].Key, Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int32Value(0),
		}}}, profile)
		if err != nil {
			t.Fatalf("Compile(%s): %v", q.filter[0].Key, err)
		}
		return x.Decide(q.document, now).State == policy.Expired
	})
}

// needMingo skips a test if MINGO names no folder with mingo.
func needMingo(t *testing.T) {
	t.Helper()
	if os.Getenv("MINGO") == "" {
		t.Skip("MINGO does not name a folder with mingo in it: nothing to compare with (see this package's comment)")
	}
}

// source returns a source of random numbers. Each run draws the same numbers, so that no
// run fails by chance, unless MINGO_SEED holds another seed.
func source(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if text, ok := os.LookupEnv("MINGO_SEED"); ok {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("MINGO_SEED: %v", err)
		}
	}
	return rand.New(rand.NewPCG(seed, 1))
}

// imitatedRelease is a release of 8.3, because mingo, the model and the tables treat null on
// dotted paths as MongoDB did before 9.0.
const imitatedRelease = "8.3.13"

// imitated returns the profile of imitatedRelease.
func imitated(t *testing.T) mongo.Profile {
	t.Helper()
	return fixture.Profile(t, imitatedRelease)
}

// A question is a line of input for mingo.
type question struct{ filter, document policy.D }

func (q question) text() string {
	return string(policy.AppendExtJSON(nil, policy.ObjectValue(policy.D{
		{Key: "filter", Value: policy.ObjectValue(q.filter)},
		{Key: "document", Value: policy.ObjectValue(q.document)},
	})))
}

// ask returns the model's answer.
func (m model) ask(q question) bool {
	return m.matches(q.plain())
}

func (q question) plain() (filter, document object) {
	return plain(policy.ObjectValue(q.filter)).(object), plain(policy.ObjectValue(q.document)).(object)
}

// compare asks this library, mingo and the model all questions. The model without habits
// must answer as this library does, and the model with all habits as mingo does. So
// habits cause each disagreement, and the smallest set of habits that explains it is
// counted. Each given habit must explain some disagreement alone; otherwise it should be
// removed.
func compare(t *testing.T, m model, questions []question, habits habit, ours func(question) bool) {
	t.Helper()
	with := model{allHabits, m.keys}
	classes := map[habit]int{}
	yes, agreed, wrong := 0, 0, 0
	for i, theirs := range ask(t, questions) {
		q := questions[i]
		us := ours(q)
		if us {
			yes++
		}
		if us != m.ask(q) || theirs != answerOf(with.ask(q)) {
			if wrong++; wrong <= 12 {
				t.Errorf("ours %v, the model %v; mingo %s, the model with its habits %v: %s", us, m.ask(q), theirs, with.ask(q), q.text())
			}
			continue
		}
		if theirs == answerOf(us) {
			agreed++
			continue
		}
		filter, document := q.plain()
		why, _ := explain(m, filter, document, !us)
		classes[why]++
	}
	t.Logf("%d pairs: %.1f %% match, %.2f %% agreed; the others by habit: %s", len(questions), percent(yes, len(questions)), percent(agreed, len(questions)), counted(classes))
	if wrong > 0 {
		t.Errorf("%d answers that nothing explains", wrong)
	}
	if yes < len(questions)*3/10 || yes > len(questions)*6/10 {
		t.Errorf("%d of %d pairs match: the generator is lopsided", yes, len(questions))
	}
	for one := habit(1); one <= allHabits; one <<= 1 {
		if (classes[one] > 0) != (habits&one != 0) {
			t.Errorf("%s alone accounts for %d disagreements", one, classes[one])
		}
	}
}

// counted lists the disagreements by habit, and those that only several habits together
// explain.
func counted(classes map[habit]int) string {
	var list strings.Builder
	several := 0
	for h, n := range classes {
		if _, isOne := habitNames[h]; !isOne {
			several += n
		}
	}
	for one := habit(1); one <= allHabits; one <<= 1 {
		fmt.Fprintf(&list, "%s %d, ", one, classes[one])
	}
	fmt.Fprintf(&list, "several at once %d", several)
	return list.String()
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

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
