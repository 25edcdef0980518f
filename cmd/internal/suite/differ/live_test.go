package differ

import (
	"bytes"
	"flag"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var update = flag.Bool("update", false, "write testdata/live.tsv again")

// liveTable lists every mutant about MongoDB. It says whether the questions to a running
// server show the mutant, or why not.
const liveTable = "testdata/live.tsv"

// notShown are the reasons why questions to a running server do not show mutants, by the
// beginning of their names; the first entry that fits counts.
var notShown = []struct {
	names string
	why   string
}{
	{"namespace-", "a run keeps to ordinary names in a database of its own"},
	{"timeseries-", "a measurement has a bucket of its own, and is due days before the clock or after it"},
	{"date-exclusive date-inclusive zero-is-", "it differs within 100 seconds of a deadline"},
	{"nan- seconds-", "only an older release makes such an index"},
	{"", "none of the questions drawn here happens to show it"},
}

func whyNotShown(name string) string {
	i := slices.IndexFunc(notShown, func(r struct{ names, why string }) bool {
		return r.names == "" || slices.ContainsFunc(strings.Fields(r.names), func(begin string) bool { return strings.HasPrefix(name, begin) })
	})
	return notShown[i].why
}

// TestLiveQuestionsFind: the table names the misreadings that questions to a
// running server show.
func TestLiveQuestionsFind(t *testing.T) {
	all := slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool { return !strings.HasPrefix(m.Rule, "mongo.") })
	whole := string(bytes.TrimSpace(read(t)))
	if testing.Short() && !*update { // a short run tests only some mutants
		all = slices.DeleteFunc(all, func(m mutants.Mutant) bool { return len(m.Name)%4 != 1 })
	}
	questions := liveQuestions()
	lines := make([]string, len(all))
	each(len(all), func(i int) {
		word, why := "found", ""
		if !shows(questions, all[i]) {
			word, why = "missed", "\t"+whyNotShown(all[i].Name)
		}
		lines[i] = all[i].Name + "\t" + word + why
	})
	if *update {
		if err := os.WriteFile(liveTable, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept := strings.Split(whole, "\n")
	for _, line := range lines {
		if !slices.Contains(kept, line) {
			t.Errorf("%q is no line of %s; go test -run LiveQuestionsFind ./cmd/internal/suite/differ -update writes it again", line, liveTable)
		}
	}
	if found := strings.Count(whole, "\tfound"); found < 45 {
		t.Errorf("%d misreadings are found, want 45 or more", found)
	}
}

func read(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(liveTable)
	if err != nil && !*update {
		t.Fatal(err)
	}
	return text
}

// each calls do with each number from 0 to n-1, a few at a time.
func each(n int, do func(int)) {
	var running errgroup.Group
	running.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		running.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = running.Wait() // no call returns an error
}

type answered struct {
	conformance.Question
	right   conformance.Answer
	answers func(mutants.Mutant) conformance.Answer
}

// liveQuestions are questions for a running server: some about the newest release, and
// some about all releases.
var liveQuestions = sync.OnceValue(func() (all []answered) {
	for _, asked := range []struct {
		op, releases string
		n            int
	}{
		{"mongodb.decide", fixture.Latest, 1600}, {"mongodb.decide", "*", 640}, {"mongodb.createIndexes", fixture.Latest, 400}, {"mongodb.createIndexes", "*", 600},
		{"mongodb.collMod", fixture.Latest, 300}, {"mongodb.collMod", "*", 300}, {"mongodb.create", fixture.Latest, 300}, {"mongodb.create", "*", 200},
	} {
		hello := library.New().Hello()
		hello.Systems = map[string]string{conformance.MongoDB: asked.releases}
		hello.Features = slices.DeleteFunc(slices.Clone(hello.Features), func(s string) bool { return slices.Contains(notLive, s) })
		claim, err := cases.ClaimOf(suite.Embedded(), hello)
		if err != nil {
			panic(err)
		}
		r := &run{claim: claim, options: Options{Live: true, Seed: 1}}
		for _, c := range r.draw(asked.op, 0, asked.n) {
			if !claim.IsUnspecified(c) {
				q := c.Question()
				all = append(all, answered{q, library.New().Ask(q), mutants.Answers(q)})
			}
		}
	}
	return all
})

// shows reports whether a mutant and the reference answer some question differently, in
// the parts of an answer that are compared for a running server.
func shows(questions []answered, m mutants.Mutant) bool {
	features := []string{conformance.FeatureNever, conformance.FeatureErrorCode, conformance.FeatureTypes}
	return slices.ContainsFunc(questions, func(q answered) bool {
		a := q.answers(m)
		isSame := a.Kind == conformance.KindOut && q.right.Kind == conformance.KindOut && bytes.Equal(a.Out, q.right.Out)
		return !isSame && suite.Difference(q.Question, features, a, q.right) != ""
	})
}

// TestLiveQuestionsAreClear: every date of a document lies 100 seconds or more from its
// deadline, the documents of a collection share its indexes, and enough of them expire.
func TestLiveQuestionsAreClear(t *testing.T) {
	states := map[string]int{}
	for _, q := range liveQuestions() {
		in, err := q.Input()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(q.Op, ".decide") {
			continue
		}
		out, err := policy.ParseExtJSON(q.right.Out)
		if err != nil {
			t.Fatal(err)
		}
		state, _ := out.Field("state").AsString()
		states[state]++
		if due, ok := out.Field("deadline").AsDate(); ok && -100_000 < due-in.Now && due-in.Now < 100_000 {
			t.Errorf("%s is due %d ms from its clock", q.In, due-in.Now)
		}
	}
	for _, state := range []string{"expired", "pending", "never"} {
		if states[state] < 100 {
			t.Errorf("the states are %v, want 100 of each or more", states)
		}
	}
}

// TestLiveTakesWhatIsRefused: a server differs if it takes a document that servers refuse
// according to the library.
func TestLiveTakesWhatIsRefused(t *testing.T) {
	for _, tt := range []struct {
		takes bool
		want  int // the number of rules
	}{{true, 1}, {false, 0}} {
		system := conformance.NewSystem(library.New().Hello(), func(q conformance.Question) conformance.Answer {
			if library.RuleOf(q) == cases.Ambiguous && !tt.takes {
				return conformance.Unknown("the server refuses the document (16746)")
			}
			return library.New().Ask(q)
		})
		r, err := Run(t.Context(), system, library.New(), Options{Live: true, Seed: 1, N: 1600, Ops: []string{"mongodb.decide"}})
		if err != nil || len(r.Rules) != tt.want || tt.takes && r.Rules[0].Rule != cases.Ambiguous {
			t.Errorf("takes %t: %v, %+v", tt.takes, err, r.Rules)
		}
	}
}

// TestLiveNames: the name of an error code is compared only if this library's answer has
// a name.
func TestLiveNames(t *testing.T) {
	renames := conformance.NewSystem(library.New().Hello(), func(q conformance.Question) conformance.Answer {
		a := library.New().Ask(q)
		if a.Kind == conformance.KindRefused && a.Refusal.CodeName == "" {
			named := *a.Refusal
			named.CodeName = "AnyName"
			a.Refusal = &named
		}
		return a
	})
	hasNone := func(q answered) bool {
		return q.right.Kind == conformance.KindRefused && q.right.Refusal.CodeName == ""
	}
	if !slices.ContainsFunc(liveQuestions(), hasNone) {
		t.Fatal("no refusal lacks a name")
	}
	r, err := Run(t.Context(), renames, library.New(), Options{Live: true, Seed: 1, N: 600, Ops: []string{"mongodb.create", "mongodb.createIndexes"}})
	if err != nil || !r.Agree() {
		t.Errorf("%v, %+v", err, r.Rules)
	}
}

// TestLiveShrinks: questions that a live system answers differently are shrunk with a
// limited number of further questions, and progress is reported.
func TestLiveShrinks(t *testing.T) {
	batches, told := 0, 0
	system := conformance.NewSystem(library.New().Hello(), func(q conformance.Question) conformance.Answer {
		batches++
		if library.RuleOf(q) == cases.Ambiguous {
			return conformance.Unknown("refused")
		}
		in, _ := policy.ParseExtJSON(q.In)
		if strings.Contains(in.Field("document").String(), `"D":`) {
			return conformance.Result(map[string]string{"state": "expired"})
		}
		return library.New().Ask(q)
	})
	r, err := Run(t.Context(), system, library.New(), Options{Live: true, Seed: 1, N: 400, Ops: []string{"mongodb.decide"}, Told: func(Operation) { told++ }})
	if err != nil || told != 1 || len(r.Rules) < 3 {
		t.Fatalf("Run = %v, told %d times, rules %v", err, told, r.Rules)
	}
	if most := 400 + rounds*len(r.Rules)*(candidates+8); batches > most {
		t.Errorf("%d questions are asked, want %d at most", batches, most)
	}
	for _, rule := range r.Rules {
		d := rule.Examples[0]
		if len(d.In) > 500 || !bytes.Contains(d.In, []byte(`"D":`)) || d.Difference == "" {
			t.Errorf("%s is shrunk to %s", rule.Rule, d.In)
		}
	}
}
