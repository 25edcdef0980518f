package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

const root = "../../../"

// control is the key of an implementation without TTL, which must not conform.
const control = "cosmosdb-server"

func committed(t *testing.T) []result {
	t.Helper()
	all, err := load(root + folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 4 {
		t.Fatalf("%d results in %s, want those of every adapter", len(all), folder)
	}
	return all
}

// TestPagesAreFresh: the folder holds exactly the pages that the program writes, unchanged.
func TestPagesAreFresh(t *testing.T) {
	all := committed(t)
	reports, err := findings(root+upstreamFolder, all)
	if err != nil {
		t.Fatal(err)
	}
	want := pages(all, reports)
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(root+pagesFolder, name))
		if err != nil || string(got) != text {
			t.Errorf("%s/%s is stale (%v): go run ./docs/site/matrix writes it", pagesFolder, name, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(root+pagesFolder, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, ok := want[filepath.Base(file)]; !ok {
			t.Errorf("%s is written no more", file)
		}
	}
}

// TestSummary: each implementation has one row, which says what it gets wrong unless it is
// MongoDB's server.
func TestSummary(t *testing.T) {
	all := committed(t)
	reports, err := findings(root+upstreamFolder, all)
	if err != nil {
		t.Fatal(err)
	}
	text := pages(all, reports)["README.md"]
	_, rows, _ := strings.Cut(text, "\n## What was counted\n")
	for _, one := range (summary{all, reports}).Of(all) {
		if n := strings.Count(rows, `| <a id="`+one.Key+`"></a>[`); n != 1 {
			t.Errorf("%s has %d rows, want 1", one.Key, n)
		}
		if one.Wrong() == "" {
			t.Errorf("the row of %s says not what it gets wrong", one.Key)
		}
	}
	for _, anchor := range []string{"mongodb", "matchers", "azure-cosmos-db-for-nosql", "who-was-asked-and-how", "what-the-marks-mean"} {
		if !markdown.Anchors([]byte(text))[anchor] {
			t.Errorf("the page lacks the anchor %s, to which others link", anchor)
		}
	}
}

// TestResultsAndAdaptersGoTogether: every adapter has results, the command of every
// adapter exists, and CI leaves out exactly the adapters whose results were recorded by
// hand.
func TestResultsAndAdaptersGoTogether(t *testing.T) {
	adapters, err := filepath.Glob(root + "conformance/lab/adapters/*/adapter.*")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(root + ".ci/thirdparties")
	if err != nil {
		t.Fatal(err)
	}
	var leftOut []string
	if found := regexp.MustCompile(`(?m)^\t(.+)\) continue ;;`).FindSubmatch(script); found != nil {
		leftOut = strings.Split(string(found[1]), " | ")
	}
	all := committed(t)
	for _, adapter := range adapters {
		key := filepath.Base(filepath.Dir(adapter))
		i := slices.IndexFunc(all, func(r result) bool { return r.Key == key })
		if i < 0 {
			t.Errorf("%s has no results", adapter)
		} else if all[i].IsByHand() != slices.Contains(leftOut, key) {
			t.Errorf("%s was asked by hand: %v; .ci/thirdparties leaves out %q", key, all[i].IsByHand(), leftOut)
		}
	}
	for _, r := range asked(all, false) {
		if _, err := os.Stat(r.Link(root)); err != nil {
			t.Errorf("the row of %s leads nowhere: %v", r.Key, err)
		}
	}
}

// TestKnownDivergencesShow: the suite detects divergences of these programs that were
// found without the suite.
func TestKnownDivergencesShow(t *testing.T) {
	tests := []struct {
		name, rule string
		deletes    bool
		why        string
	}{
		{"mongomock", "mongo.filter-mismatch", true, "documents outside the partial filter are removed"},
		{"mongomock", "mongo.date", false, "a dotted path never expires"},
		{"mongomock", "mongo.array-position", false, "nor does a position of an array"},
		{"mongomock", "mongo.index-special", true, "a hashed index lets documents expire"},
		{"mongomock", "mongo.seconds-conversion", false, "a Decimal128 raises a TypeError at each read"},
		{"mongomock", "mongo.createindexes-seconds-type", false, `"10" and true are accepted`},
		{"mongomock", "mongo.createindexes-seconds-negative", false, "-1 is accepted"},
		{"mongomock", "mongo.createindexes-seconds-range", false, "2147483648 and Infinity are accepted"},
		{"mongomock", "mongo.createindexes-seconds-nan", false, "NaN is accepted"},
		{"mongomock", "mongo.createindexes-conversion", false, "20.5 is stored as it is"},
		{"mongomock", "mongo.createindexes-compound", false, "a compound key is accepted"},
		{"mongomock", "mongo.createindexes-id", false, "so is _id"},
		{"mongomock", "mongo.createindexes-wildcard", false, "so is a wildcard"},
		{"mongomock", "mongo.createindexes-conflict", false, "one key may have two TTL indexes"},
		{"nedb", "mongo.date", false, "the threshold is exclusive, and a dotted path never expires"},
		{"nedb", "mongo.seconds-zero", false, "a date of now has not expired"},
		{"nedb", "mongo.array-earliest", false, "arrays never expire"},
		{"nedb", "mongo.array-position", false, "nor does a position of an array"},
		{"nedb", "mongo.seconds-conversion", false, "20.5 is used as it is"},
		{"nedb", "mongo.createindexes-seconds-type", false, `"10", true and null are accepted`},
		{"nedb", "mongo.createindexes-seconds-negative", false, "-1 is accepted"},
		{"nedb", "mongo.createindexes-seconds-range", false, "2147483648 and Infinity are accepted"},
		{"nedb", "mongo.createindexes-seconds-nan", false, "NaN is accepted"},
		{"nedb", "mongo.createindexes-compound", false, "a compound key is accepted"},
		{"nedb", "mongo.createindexes-id", false, "so is _id"},
		{"nedb", "mongo.createindexes-conflict", false, "a second index on a key is dropped in silence"},
		{"mingo", "mongo.array-nested", true, "it goes into an array at a position"},
		{"mingo", "mongo.array-earliest", false, "arrays on two levels are not flattened"},
		{"mingo", "mongo.array-position", true, "a number in a path is a position only"},
		{"tinycoll", "mongo.date", false, "a date never expires"},
		{"tinycoll", "mongo.field-not-date", true, "a number does"},
		{"lungo", "mongo.filter-mismatch", true, "documents outside the partial filter are removed"},
		{"lungo", "mongo.array-nested", true, "it goes into arrays in arrays"},
		{"lungo", "mongo.date", false, "the threshold is exclusive"},
		{"lungo", "mongo.createindexes-seconds-negative", false, "-1 is accepted"},
		{"cloudemu", "cosmos.item", true, "an item's ttl is taken for an instant"},
		{"cloudemu", "cosmos.default", false, "the container's default is not looked at"},
		{control, "cosmos.default", false, "the container's default is not looked at"},
		{control, "cosmos.item", false, "nor is the item's ttl"},
		{control, "cosmos.default-refused", false, "every setting is accepted"},
		{control, "cosmos.item-refused", false, "and every item"},
	}
	all := committed(t)
	for _, tt := range tests {
		i := slices.IndexFunc(all, func(r result) bool { return r.Key == tt.name })
		if i < 0 {
			t.Fatalf("no results of %s", tt.name)
		}
		r := all[i]
		if got := r.rule(tt.rule).Verdict; got != suite.Nonconformant || r.Deletes(tt.rule) != tt.deletes {
			t.Errorf("%s: %s is %v, deletes %v; want nonconformant, %v: %s", tt.name, tt.rule, got, r.Deletes(tt.rule), tt.deletes, tt.why)
		}
	}
}

// TestControlNeverExpires tells a control that fails from one that broke down.
func TestControlNeverExpires(t *testing.T) {
	for _, r := range committed(t) {
		if r.Key != control {
			continue
		}
		if r.Conforms || len(r.Damaged) > 0 {
			t.Errorf("conforms %v, damaged %v", r.Conforms, r.Damaged)
		}
		if got := r.rule("cosmos.off").Verdict; got != suite.Unproven {
			t.Errorf("cosmos.off is %v, want unproven: nothing ever expires", got)
		}
	}
}

func TestCell(t *testing.T) {
	deleting := results.CheckResult{Rules: []string{"mongo.date"}, Outcome: suite.Fail, Detail: "state is expired, want never"}
	keeping := results.CheckResult{Rules: []string{"mongo.date"}, Outcome: suite.Fail, Detail: "state is pending, want expired"}
	tests := []struct {
		verdict suite.Verdict
		checks  []results.CheckResult
		want    string
	}{
		{suite.Untested, nil, ""},
		{suite.Conformant, nil, "[✓ 7/10](../rules/mongodb.md#mongo.date)"},
		{suite.Incomplete, nil, "[◐ 7/10](../rules/mongodb.md#mongo.date)"},
		{suite.Unproven, nil, "[∅ 7/10](../rules/mongodb.md#mongo.date)"},
		{suite.Nonconformant, []results.CheckResult{keeping}, "[✗ 7/10](../rules/mongodb.md#mongo.date)"},
		{suite.Nonconformant, []results.CheckResult{keeping, deleting}, "**[✗ 7/10](../rules/mongodb.md#mongo.date)**"},
	}
	for _, tt := range tests {
		var r result
		r.Rules = []results.RuleResult{{ID: "mongo.date", Verdict: tt.verdict, Checks: map[suite.Outcome]int{suite.Pass: 7, suite.Fail: 2, suite.Broken: 1, suite.Inapplicable: 5}}}
		r.Checks = tt.checks
		got := cell(r, "mongo.date")
		if got != tt.want {
			t.Errorf("cell of %v = %q, want %q", tt.verdict, got, tt.want)
		}
		if bold := strings.HasPrefix(got, "**"); bold != slices.Equal(r.destructive(), []string{"`mongo.date`"}) {
			t.Errorf("bold is %v beside %q", bold, r.destructive())
		}
	}
}

// TestMatchersStandApart: implementations without TTL are not among those with
// TTL.
func TestMatchersStandApart(t *testing.T) {
	keys := func(list []result) (keys []string) {
		for _, r := range list {
			keys = append(keys, r.Key)
		}
		return keys
	}
	mongodb := systems(committed(t))[0]
	want := []string{"mingo", "mongita", "mongo-java-server", "montydb", "sift"}
	if got := keys(mongodb.Matchers); !slices.Equal(got, want) {
		t.Errorf("the matchers are %q, want %q", got, want)
	}
	if got := keys(mongodb.Claiming); slices.Contains(got, "mingo") || !slices.Contains(got, "mongomock") || !slices.Contains(got, "lungo") || !slices.Contains(got, "documentdb") {
		t.Errorf("those with TTL are %q", got)
	}
}

// TestNeeds: each need has checks that were judged, and an implementation is exact only if it
// passes all of them.
func TestNeeds(t *testing.T) {
	all := committed(t)
	at := func(key string) result {
		return all[slices.IndexFunc(all, func(r result) bool { return r.Key == key })]
	}
	for _, n := range needs {
		of := "mongomock"
		if n.System == conformance.CosmosNoSQL {
			of = "cloudemu"
		}
		if _, judged := n.counts(at(of)); judged < 15 {
			t.Errorf("%s: %d checks of %s, want more", n.Name, judged, of)
		}
	}
	r := at("mongomock")
	if pass, judged := needs[0].counts(r); pass != judged {
		t.Fatalf("mongomock passes %d of %d checks of %s, want all", pass, judged, needs[0].Name)
	}
	r.Checks = slices.Clone(r.Checks)
	for i, c := range r.Checks {
		if c.ID == "mongodb-date-on-deadline" {
			r.Checks[i].Outcome = suite.Fail
		}
	}
	if pass, judged := needs[0].counts(r); pass != judged-1 {
		t.Errorf("with a wrong boundary it passes %d of %d, want one less", pass, judged)
	}
}
