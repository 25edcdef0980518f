package suite

import (
	"maps"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestVerdictOf(t *testing.T) {
	for _, tt := range []struct {
		count  map[Outcome]int
		proven bool
		want   Verdict
	}{
		{nil, true, Untested},
		{map[Outcome]int{Observed: 5, Inapplicable: 3}, true, Untested},
		{map[Outcome]int{Pass: 5, Observed: 5}, true, Conformant},
		{map[Outcome]int{Pass: 5, Fail: 1}, true, Nonconformant},
		{map[Outcome]int{Pass: 5, Broken: 1}, true, Nonconformant},
		{map[Outcome]int{Fail: 1}, false, Nonconformant},
		{map[Outcome]int{Pass: 5}, false, Unproven},
		{map[Outcome]int{Pass: 5, Inapplicable: 1}, true, Incomplete},
		{map[Outcome]int{Pass: 5, NotRun: 1}, true, Incomplete},
		{map[Outcome]int{Pass: 5, Inapplicable: 1}, false, Unproven},
		{map[Outcome]int{Pass: 5, Unaskable: 1}, true, Incomplete},
		{map[Outcome]int{Pass: 5, Boundary: 1}, true, Incomplete},
		{map[Outcome]int{Unaskable: 5, Boundary: 1}, true, Untested},
	} {
		if got := verdictOf(tt.count, tt.proven); got != tt.want {
			t.Errorf("verdictOf(%v, %t) = %s, want %s", tt.count, tt.proven, got, tt.want)
		}
	}
}

func TestWorstVerdict(t *testing.T) {
	for _, tt := range []struct {
		count map[Verdict]int
		want  Verdict
	}{
		{nil, Untested},
		{map[Verdict]int{Untested: 3}, Untested},
		{map[Verdict]int{Conformant: 3}, Conformant},
		{map[Verdict]int{Conformant: 3, Untested: 1}, Incomplete},
		{map[Verdict]int{Conformant: 3, Incomplete: 1}, Incomplete},
		{map[Verdict]int{Conformant: 3, Incomplete: 1, Unproven: 1}, Unproven},
		{map[Verdict]int{Conformant: 3, Unproven: 1, Nonconformant: 1}, Nonconformant},
	} {
		if got := worst(tt.count); got != tt.want {
			t.Errorf("worst(%v) = %s, want %s", tt.count, got, tt.want)
		}
	}
}

// TestCauses: failures of several rules with one cause are reported once, and
// failures of one rule stay with the rule.
func TestCauses(t *testing.T) {
	rules := slices.Collect(mongo.Rules())
	one, other := rules[0], rules[1]
	finding := func(rule policy.Rule, op, cause string, checks int) Finding {
		v := &Vector{Op: op, Rules: []policy.Rule{rule}}
		return slices.Repeat(Finding{{Vector: v, Outcome: Fail, cause: cause}}, checks)
	}
	findings := []Finding{
		finding(one, "mongodb.decide", "", 1),
		finding(one, "mongodb.decide", "deadline is off by +1 ms", 3),
		finding(one, "mongodb.collMod", "deadline is off by +1 ms", 1),
		finding(other, "mongodb.decide", "", 1),
		finding(other, "mongodb.decide", "deadline is off by +1 ms", 2),
		finding(other, "mongodb.decide", "crash: oh", 1),
		finding(other, "mongodb.decide", "crash: oh", 1),
	}
	causes, others := Causes(findings)
	if len(causes) != 1 || causes[0].Count() != 5 || causes[0].Op != "mongodb.decide" || causes[0].Text != "deadline is off by +1 ms" {
		t.Errorf("Causes() = %v, want one, of 5 checks", causes)
	}
	want := []Finding{findings[0], findings[2], findings[3], findings[5], findings[6]}
	if !slices.EqualFunc(others, want, func(f, g Finding) bool { return f.First().Vector == g.First().Vector }) {
		t.Errorf("Causes() leaves %d findings, want %d", len(others), len(want))
	}
}

// TestCauseOfADifference checks the causes that answers to several questions
// can share.
func TestCauseOfADifference(t *testing.T) {
	for _, tt := range []struct{ why, want, got, cause string }{
		{"another type", `{"expireAfterSeconds_new":{"$numberLong":"5"}}`, `{"expireAfterSeconds_new":{"$numberDouble":"5.0"}}`, "expireAfterSeconds_new is double, want long"},
		{"another number", `{"expireAfterSeconds_new":{"$numberLong":"5"}}`, `{"expireAfterSeconds_new":{"$numberLong":"6"}}`, ""},
		{"late", `{"state":"expired","deadline":{"$date":{"$numberLong":"5"}}}`, `{"state":"expired","deadline":{"$date":{"$numberLong":"6"}}}`, "deadline is off by +1 ms"},
		{"another state", `{"state":"never"}`, `{"state":"expired"}`, ""},
	} {
		j := judge{grades: gradings, decides: true, now: 100}
		if got := j.compare(expectOut(t, tt.want), answerOut(tt.got)); got.cause != tt.cause || got.detail == "" {
			t.Errorf("%s: cause %q of %q, want %q", tt.why, got.cause, got.detail, tt.cause)
		}
	}
}

// TestRuleNeedsItsTwin: a vector in which nothing happens proves a rule only if
// its twin passes.
func TestRuleNeedsItsTwin(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, conformance.NewSystem(claims(), always(answerOut(`{"state":"never","deadline":null}`))))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Verdict{}
	for _, report := range r.Rules() {
		got[report.Rule.ID()] = report.Verdict
	}
	if got["mongo.field-null"] != Unproven || got["mongo.date"] != Nonconformant || len(got) != 2 {
		t.Errorf("verdicts of a system that never deletes: %v", got)
	}
	if r.Conforms() {
		t.Error("it conforms")
	}
}

// TestRuleOfOtherReleases: a failure in today's releases shows nothing about the rule of
// older releases.
func TestRuleOfOtherReleases(t *testing.T) {
	hello := conformance.Hello{Name: "x", Version: "1", Ops: []string{"mongodb.decide"}, Systems: map[string]string{conformance.MongoDB: "8.0.4"}}
	r, err := Run(Embedded(), conformance.NewSystem(hello, always(answerOut(`{"state":"never","deadline":null}`))))
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]Verdict{}
	for _, report := range r.Rules() {
		verdicts[report.Rule.ID()] = report.Verdict
	}
	if verdicts["mongo.date"] != Nonconformant || verdicts["mongo.date-strict"] != Untested {
		t.Errorf("mongo.date is %s, mongo.date-strict of releases up to 3.0 is %s", verdicts["mongo.date"], verdicts["mongo.date-strict"])
	}
}

func TestConforms(t *testing.T) {
	s := Embedded()
	v := s.Vectors[0]
	for _, tt := range []struct {
		why    string
		report Report
		want   bool
	}{
		{"all passes", Report{Checks: []Check{{Vector: v, Outcome: Pass}, {Vector: v, Outcome: Observed}}}, true},
		{"nothing asked", Report{}, false},
		{"nothing judged", Report{Checks: []Check{{Vector: v, Outcome: Observed}, {Vector: v, Outcome: Inapplicable}}}, false},
		{"a failure", Report{Checks: []Check{{Vector: v, Outcome: Pass}, {Vector: v, Outcome: Fail}}}, false},
		{"a breakage", Report{Checks: []Check{{Vector: v, Outcome: Pass}, {Vector: v, Outcome: Broken}}}, false},
		{"given up", Report{Checks: []Check{{Vector: v, Outcome: Pass}, {Vector: v, Outcome: NotRun}}}, false},
		{"values damaged on the way", Report{Damaged: []string{"nan"}, Checks: []Check{{Vector: v, Outcome: Pass}}}, false},
		{"a rule set that is claimed and not tested", Report{Hello: conformance.Hello{RuleSets: []string{"mongodb-core"}}, Checks: []Check{{Vector: v, Outcome: Pass}}}, false},
	} {
		tt.report.Suite = s
		if got := tt.report.Conforms(); got != tt.want {
			t.Errorf("%s: conforms %t, want %t", tt.why, got, tt.want)
		}
	}
}

// TestOutcomeNames: an outcome is read as it was written, and as earlier builds
// wrote it.
func TestOutcomeNames(t *testing.T) {
	for o := NotRun; o <= Known; o++ {
		name, err := o.MarshalText()
		var got Outcome
		if err != nil || got.UnmarshalText(name) != nil || got != o {
			t.Errorf("%d is written %q, %v, and read as %d", o, name, err, got)
		}
	}
	var got Outcome
	if err := got.UnmarshalText([]byte("unclaimed")); err != nil || got != Inapplicable {
		t.Errorf("UnmarshalText(unclaimed) = %s, %v, want %s, nil", got, err, Inapplicable)
	}
	if err := got.UnmarshalText([]byte("claimed")); err == nil {
		t.Error("UnmarshalText(claimed) = nil, want an error")
	}
}

// A system that always gives one trivial answer must conform to no rule.
func TestTrivialAnswersFail(t *testing.T) {
	modest := conformance.Hello{Ops: conformance.Operations(), Systems: map[string]string{conformance.MongoDB: "*", conformance.CosmosNoSQL: "*", conformance.CosmosMongo: "*"}}
	modest.Features = slices.Collect(maps.Keys(Embedded().Features)) // no grades: only expired or not
	for _, set := range Embedded().RuleSets {
		modest.RuleSets = append(modest.RuleSets, set.Name)
	}
	for _, answer := range []string{`{"state":"never"}`, `{"state":"pending"}`, `{"state":"expired"}`, `{}`} {
		r, err := Run(Embedded(), conformance.NewSystem(modest, always(answerOut(answer))))
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range r.Rules() {
			if rule.Verdict >= Incomplete {
				t.Errorf("%s: %s to %s (%v)", answer, rule.Verdict, rule.Rule, rule.Count)
			}
		}
		if r.Conforms() {
			t.Errorf("%s conforms", answer)
		}
	}
}

// TestRulesOfFindings: a finding about a release of today does not name a rule that decides in
// old releases alone.
func TestRulesOfFindings(t *testing.T) {
	v := Embedded().Vector("mongodb-date-on-deadline")
	for i, want := range map[string][]string{">=3.2.0": {"mongo.date"}, "<3.2.0": {"mongo.date-strict"}} {
		at := slices.IndexFunc(v.Want, func(row Row) bool { return row.Versions == i })
		if at < 0 {
			t.Fatalf("the vector has no row for %s", i)
		}
		var got []string
		for _, r := range (Finding{{Vector: v, Row: &v.Want[at]}}).Rules() {
			got = append(got, r.ID())
		}
		if !slices.Equal(got, want) {
			t.Errorf("the rules at %s are %q, want %q", i, got, want)
		}
	}
}
