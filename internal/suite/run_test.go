package suite

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

func always(a conformance.Answer) func(conformance.Question) conformance.Answer {
	return func(conformance.Question) conformance.Answer { return a }
}

// claims are the claims of a system that claims everything in the small suite without
// conforming.
func claims() conformance.Hello {
	return conformance.Hello{Name: "liar", Ops: []string{"mongodb.decide"}, Systems: map[string]string{conformance.MongoDB: "*"}, Features: []string{"far-dates", conformance.FeatureDeadline}}
}

// outcomes runs the small suite, changed in one place, and counts how the checks
// of its first vector ended.
func outcomes(t *testing.T, l conformance.System, old, replacement string) string {
	t.Helper()
	s, err := Load(small(t, "vectors/a.json", "", ""))
	if old != "" {
		files := small(t, "vectors/a.json", old, replacement)
		loader := newLoader(files)
		loader.load() // fails only because of the lock
		s, err = loader.suite, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, l)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range r.Checks {
		if c.Vector.ID == "date-past" {
			fmt.Fprintf(&b, "%s:%s ", c.Target.Version, c.Outcome)
		}
	}
	return strings.TrimSpace(b.String())
}

func TestRunOutcomes(t *testing.T) {
	const (
		expired = `{"state":"expired","deadline":{"$date":{"$numberLong":"1000"}}}`
		never   = `{"state":"never","deadline":null}`
	)
	right, wrong := always(answerOut(expired)), always(answerOut(never))
	all := func(outcome string) string {
		return fmt.Sprintf("3.2.0:%s 3.2.22:%[1]s 5.0.31:%[1]s 3.0.0:observed 3.0.15:observed", outcome)
	}
	modest, narrow, silent := claims(), claims(), claims()
	modest.Features = []string{conformance.FeatureDeadline}
	narrow.Systems = map[string]string{conformance.MongoDB: ">=5.0.0"}
	silent.Ops = nil

	for _, tt := range []struct {
		why    string
		system conformance.System
		want   string
	}{
		{"right", conformance.NewSystem(claims(), right), all("pass")},
		{"wrong", conformance.NewSystem(claims(), wrong), all("fail")},
		{"over-claimed", conformance.NewSystem(claims(), always(conformance.Skipped("not yet"))), all("fail")},
		{"a fault", conformance.NewSystem(claims(), always(conformance.Fault("oh"))), all("broken")},
		{"nobody can know", conformance.NewSystem(claims(), always(conformance.Unknown("the clock cannot be set"))), "3.2.0:unaskable 3.2.22:unaskable 5.0.31:unaskable 3.0.0:unaskable 3.0.15:unaskable"},
		{"too near", conformance.NewSystem(claims(), always(conformance.OnBoundary("within a second"))), "3.2.0:boundary 3.2.22:boundary 5.0.31:boundary 3.0.0:boundary 3.0.15:boundary"},
		{"an empty result", conformance.NewSystem(claims(), always(conformance.Answer{Kind: conformance.KindOut})), all("fail")},
		{"no answer", conformance.NewSystem(claims(), always(conformance.Answer{})), "3.2.0:broken 3.2.22:broken 5.0.31:broken 3.0.0:broken 3.0.15:broken"},
		{"a panic", conformance.NewSystem(claims(), func(conformance.Question) conformance.Answer { panic("oh") }), "3.2.0:broken 3.2.22:broken 5.0.31:broken 3.0.0:broken 3.0.15:broken"},
		{"a feature that is not claimed is not asked for", conformance.NewSystem(modest, func(conformance.Question) conformance.Answer { panic("asked") }), ":inapplicable"},
		{"releases not claimed are not asked about", conformance.NewSystem(narrow, wrong), "5.0.0:fail 5.0.31:fail"},
		{"an operation not claimed is not asked", conformance.NewSystem(silent, func(conformance.Question) conformance.Answer { panic("asked") }), ":inapplicable"},
	} {
		if got := outcomes(t, tt.system, "", ""); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

func TestRunLevels(t *testing.T) {
	const (
		row   = `"level": "must", "evidence": "vendor-test",`
		out   = `"out": {"state": "expired", "deadline": {"$date": {"$numberLong": "1000"}}, "rule": "mongo.date"},` + "\n" + `     "cites": ["page#top"]`
		anyOf = `"anyOf": [{"label": "one", "out": {"state": "expired"}, "cites": ["page"]}, {"label": "other", "out": {"state": "never", "deadline": null}, "cites": ["page"]}]`
	)
	expired := always(answerOut(`{"state":"expired","deadline":{"$date":{"$numberLong":"1000"}}}`))
	never := always(answerOut(`{"state":"never","deadline":null}`))
	pending := always(answerOut(`{"state":"pending","deadline":{"$date":{"$numberLong":"2000"}}}`))
	profiled := claims()
	profiled.RuleSets = []string{"core"}
	for _, tt := range []struct {
		why              string
		system           conformance.System
		old, replacement string
		want             string
	}{
		{"optional, one of them", conformance.NewSystem(claims(), expired), row + "\n     " + out, `"level": "optional", "evidence": "vendor-test", ` + anyOf, "observed"},
		{"optional, the other", conformance.NewSystem(claims(), never), row + "\n     " + out, `"level": "optional", "evidence": "vendor-test", ` + anyOf, "observed"},
		{"optional, neither", conformance.NewSystem(claims(), pending), row + "\n     " + out, `"level": "optional", "evidence": "vendor-test", ` + anyOf, "fail"},
		{"disputed, neither", conformance.NewSystem(claims(), pending), row + "\n     " + out, `"level": "disputed", "evidence": "disputed", ` + anyOf, "observed"},
		{"of a rule set that is not claimed", conformance.NewSystem(claims(), never), row, `"level": "profile", "profile": "core", "evidence": "vendor-test",`, "observed"},
		{"of a rule set that is claimed", conformance.NewSystem(profiled, never), row, `"level": "profile", "profile": "core", "evidence": "vendor-test",`, "fail"},
		{"proposed", conformance.NewSystem(claims(), never), `"title": "past",`, `"title": "past", "status": "proposed",`, "observed"},
		{"retired", conformance.NewSystem(claims(), never), `"title": "past",`, `"title": "past", "status": "retired",`, ""},
	} {
		got := outcomes(t, tt.system, tt.old, tt.replacement)
		first, _, _ := strings.Cut(got, " ")
		_, outcome, _ := strings.Cut(first, ":")
		if outcome != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

func TestRunRefusesClaims(t *testing.T) {
	for name, h := range map[string]conformance.Hello{
		"versions": {Systems: map[string]string{conformance.MongoDB: "newest"}},
		"profile":  {RuleSets: []string{"mongodb-all"}},
	} {
		if _, err := Run(Embedded(), conformance.NewSystem(h, nil)); err == nil {
			t.Errorf("Run accepts a hello with a wrong %s", name)
		}
	}
}

// TestExplainSaysWhatToDo: a failure names the rule and its source and shows
// both answers.
func TestExplainSaysWhatToDo(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, conformance.NewSystem(claims(), always(answerOut(`{"state":"never","deadline":null}`))))
	if err != nil {
		t.Fatal(err)
	}
	groups := alike(r.Failed())
	if len(groups) != 1 {
		t.Fatalf("%d groups of failures, want 1", len(groups))
	}
	got := s.Explain(groups[0])
	for _, want := range []string{
		"past\n", "at    mongodb@3.2.0 … mongodb@5.0.31", "fail  state is never, want expired", `got   {"out":{"state":"never","deadline":null}}`,
		"rule  mongo.date: A document expires in", `want  {"state":"expired"`, "see   t (top), a (vendor-test)", `in    {"now":{"$date"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("explain says\n%s\nwhich lacks %q", got, want)
		}
	}
	broken := []Check{{Vector: s.Vector("date-past"), Outcome: Broken, Answer: conformance.Answer{Kind: conformance.KindCrash, Text: "panic: oh"}}}
	if got := s.Explain(broken); !strings.Contains(got, `got   {"crash":"panic: oh"}`) {
		t.Errorf("explain says of a crash in a gap\n%s", got)
	}
}

// A batch answers a batch as f does.
type batch struct {
	conformance.System
	f func([]conformance.Question) []conformance.Answer
}

func (b batch) AskAll(questions []conformance.Question) iter.Seq2[int, conformance.Answer] {
	return slices.All(b.f(questions))
}

// TestAskAll: each question has an answer, whatever the system returns.
func TestAskAll(t *testing.T) {
	one := answerOut(`{}`)
	for _, tt := range []struct {
		why  string
		f    func([]conformance.Question) []conformance.Answer
		want []conformance.Kind
	}{
		{"too few", func([]conformance.Question) []conformance.Answer { return []conformance.Answer{one} }, []conformance.Kind{conformance.KindOut, conformance.KindNone}},
		{"too many", func([]conformance.Question) []conformance.Answer { return []conformance.Answer{one, one, one} }, []conformance.Kind{conformance.KindOut, conformance.KindOut}},
		{"a panic", func([]conformance.Question) []conformance.Answer { panic("oh") }, []conformance.Kind{conformance.KindCrash, conformance.KindCrash}},
	} {
		var kinds []conformance.Kind
		for _, a := range conformance.AskAll(batch{f: tt.f}, make([]conformance.Question, 2)) {
			kinds = append(kinds, a.Kind)
		}
		if !slices.Equal(kinds, tt.want) {
			t.Errorf("%s: %v, want %v", tt.why, kinds, tt.want)
		}
	}
}
