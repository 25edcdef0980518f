package rulebook

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// pages are the pages of this checkout, and book is its book.
var pages, book = mustRead()

func mustRead() (fs.FS, *Book) {
	pages, b, err := Read("../../..")
	if err != nil {
		panic(err)
	}
	return pages, b
}

// all returns the pages in the order of the topics.
func all() []*Page { return slices.Collect(book.Pages()) }

// TestEveryRuleHasAPage: each rule of both catalogues is in one topic.
func TestEveryRuleHasAPage(t *testing.T) {
	found := map[string]int{}
	for _, p := range all() {
		found[p.ID()]++
	}
	for r := range suite.Rules() {
		if found[r.ID()] != 1 || book.Page(r.ID()) == nil || book.Page(r.ID()).Rule != r {
			t.Errorf("%s is in %d topics, want 1: give it one in docs/site/records/rules.json", r, found[r.ID()])
		}
	}
	if len(found) < 200 {
		t.Errorf("%d pages, want one for each of more than 200 rules", len(found))
	}
}

func TestEveryTopicHasPages(t *testing.T) {
	for _, e := range book.Engines {
		anchors := map[string]bool{}
		for _, topic := range e.Topics {
			if len(topic.Pages) == 0 || topic.About == "" || anchors[topic.Anchor()] {
				t.Errorf("%s: topic %q has %d pages, or no text, or an anchor of another", e.Name, topic.Title, len(topic.Pages))
			}
			anchors[topic.Anchor()] = true
		}
	}
}

// TestEveryVectorIsOnAPage: each vector is in full on one page, and is named on the pages
// of its other rules and of the rules that decide it.
func TestEveryVectorIsOnAPage(t *testing.T) {
	home, also := map[string]int{}, map[string]int{}
	for _, p := range all() {
		for _, c := range p.Cases {
			home[c.ID]++
		}
		for _, c := range p.Also {
			also[c.ID+" "+p.ID()]++
		}
	}
	for _, c := range book.Cases {
		if home[c.ID] != 1 {
			t.Errorf("%s stands on %d pages, want 1", c.ID, home[c.ID])
		}
		for _, r := range c.Rules[1:] {
			if also[c.ID+" "+r.ID()] != 1 {
				t.Errorf("%s is not named on the page of %s", c.ID, r)
			}
		}
		for _, a := range c.Answers {
			if a.Rule != "" && a.Rule != c.Home.ID() && also[c.ID+" "+a.Rule] != 1 {
				t.Errorf("%s is not named on the page of %s, which decides it", c.ID, a.Rule)
			}
		}
	}
}

// TestCasesAreReadable: each vector has a question and an answer, and every member of the
// question is shown.
func TestCasesAreReadable(t *testing.T) {
	for _, c := range book.Cases {
		if len(c.Question) == 0 || len(c.Answers) == 0 || len(c.Answers) != len(c.Want)+len(c.Unspecified) {
			t.Errorf("%s: %d lines of question, %d answers", c.ID, len(c.Question), len(c.Answers))
		}
		for _, a := range c.Answers {
			if a.State == "" || a.Releases == "" || a.Evidence == "" || (a.State == "expired" || a.State == "pending") && a.Text == "" {
				t.Errorf("%s: the answer %+v lacks something", c.ID, a)
			}
		}
		shown := map[string]bool{}
		for _, l := range c.Question {
			shown[l.Label] = true
		}
		var asked map[string]json.RawMessage
		if err := json.Unmarshal(c.In, &asked); err != nil {
			t.Fatal(err)
		}
		for name, value := range asked {
			if string(value) != "[]" && !shown[name] && !shown[strings.TrimSuffix(name, "es")] && !shown[strings.TrimSuffix(name, "s")] {
				t.Errorf("%s does not show %q", c.ID, name)
			}
		}
	}
}

// TestReadableForms compares a few vectors with forms that were written by hand.
func TestReadableForms(t *testing.T) {
	for _, tt := range []struct {
		id       string
		question []Line
		answer   Answer // the answer of the first row, without its sources
	}{
		{"mongodb-seconds-nan",
			[]Line{{"index", `{key: {t: 1}, name: "t_1", expireAfterSeconds: NaN}`}, {"document", `{t: ISODate("2023-11-14T22:13:20.000Z")}`}, {"now", "2023-11-14T23:13:20.000Z"}},
			Answer{Releases: "3.4 to 4.2.21, 4.4.0 to 4.4.15", State: "never", Rule: "mongo.nan-aborts", Evidence: "documented"}},
		{"cosmosmongo-default",
			[]Line{{"index", `{key: {_ts: 1}, name: "_ts_1", expireAfterSeconds: 10}`}, {"document", `{_id: 1}`}, {"_ts", "1700000000 (2023-11-14T22:13:20Z)"}, {"now", "2023-11-14T22:13:35.000Z"}},
			Answer{Releases: "all, as of 2024-05-08", State: "expired", Text: "(the first millisecond is unspecified)", Rule: "cosmos.default", Index: "_ts_1", Evidence: "documented"}},
		{"cosmos-default-without-ttl",
			[]Line{{"container", `{"defaultTtl":1000}`}, {"item", `{"id":"1","_ts":1700000000}`}, {"now", "2023-11-15T01:00:00.000Z"}},
			Answer{Releases: "the service, as of 2025-12-05", State: "expired", Text: "since 2023-11-14T22:30:00.000Z", Rule: "cosmos.default", Evidence: "vendor-test"}},
		{"cosmos-write-without-ttl",
			[]Line{{"container", `{"defaultTtl":-1}`}, {"item", `{"id":"1"}`}},
			Answer{Releases: "the service, as of 2025-12-05", State: "accepted", Evidence: "vendor-test"}},
		{"mongodb-collmod-change",
			[]Line{{"existing", `{key: {t: 1}, name: "t_1", expireAfterSeconds: 10}`}, {"command", `{index: {keyPattern: {t: 1}, expireAfterSeconds: 50}}`}, {"now", "2023-11-14T22:13:20.000Z"}},
			Answer{Releases: "8.2.4 and later", State: "accepted", Text: `now NumberLong("50"), was NumberLong("10")`, Evidence: "vendor-test"}},
		{"mongodb-createindexes-below-int32",
			[]Line{{"index", `{key: {t: 1}, name: "t_1", expireAfterSeconds: NumberLong("-2147483649")}`}, {"now", "2023-11-14T22:13:20.000Z"}},
			Answer{Releases: "4.2 and later", State: "refused", Text: "67 CannotCreateIndex", Evidence: "source"}},
	} {
		c := book.cases[tt.id]
		if c == nil {
			t.Errorf("no vector %s", tt.id)
			continue
		}
		got := c.Answers[0]
		if len(got.Cites) == 0 || (got.Decider == nil) != (got.Rule == "") {
			t.Errorf("%s: %d sources, page %v of rule %q", tt.id, len(got.Cites), got.Decider, got.Rule)
		}
		got.Cites, got.Decider, got.Scope, got.Latest, got.Newest = nil, nil, suite.TargetRange{}, "", ""
		if !slices.Equal(c.Question, tt.question) || fmt.Sprint(got) != fmt.Sprint(tt.answer) {
			t.Errorf("%s reads\n%q\n%v, want\n%q\n%v", tt.id, c.Question, got, tt.question, tt.answer)
		}
	}
}

// TestNeighboursAreMutual: each of two easily confused rules links to the other.
func TestNeighboursAreMutual(t *testing.T) {
	n := 0
	for _, p := range all() {
		for _, other := range p.Neighbours {
			n++
			if !slices.ContainsFunc(other.Page.Neighbours, func(back Neighbour) bool { return back.Page == p && back.Why == other.Why }) || other.Page == p || other.Why == "" {
				t.Errorf("%s names %s, which does not name it", p.ID(), other.ID())
			}
		}
	}
	if confused := readRecords().Confused; n != 2*len(confused) || n == 0 {
		t.Errorf("%d neighbours, want two for each of %d pairs", n, len(confused))
	}
}

// TestMutantsAreShown: each mutant is on the page of the rule that it misreads.
func TestMutantsAreShown(t *testing.T) {
	for _, m := range mutants.All() {
		p := book.Page(m.Rule)
		if p == nil || !slices.ContainsFunc(p.Mutants, func(shown mutants.Mutant) bool { return shown.Name == m.Name }) {
			t.Errorf("the mutant %s is not on the page of %s", m.Name, m.Rule)
		}
	}
}

// TestImplementations compares pages with a few findings about other implementations,
// which the pages of their adapters describe.
func TestImplementations(t *testing.T) {
	for _, tt := range []struct{ rule, name, state string }{
		{"mongo.filter-mismatch", "mongomock", "fails, and deletes what must stay"},
		{"mongo.array-earliest", "@seald-io/nedb", "fails"},
		{"mongo.array-empty", "mingo", "conforms"},
		{"cosmos.off", "@zeit/cosmosdb-server", "unproven: conforms as one would that never expires anything"},
		{"mongo.timeseries-bucket", "mongomock", ""},
	} {
		got := ""
		for _, i := range book.Page(tt.rule).Implementations {
			if i.Implementation.Name == tt.name {
				got = i.Verdict
			}
		}
		if got != tt.state {
			t.Errorf("%s of %s: %q, want %q", tt.rule, tt.name, got, tt.state)
		}
	}
}

func TestResultsMustBeResults(t *testing.T) {
	if _, err := ReadResults(fstest.MapFS{"x.json": {Data: []byte("{")}}); err == nil || !strings.Contains(err.Error(), "x.json") {
		t.Errorf("Results = %v, want an error that names the file", err)
	}
}

// TestMentions: the page of a rule has the statements of vendors' pages about the rule,
// each with a link to the guide that lists the statement. The four statements of this
// test were checked by hand.
func TestMentions(t *testing.T) {
	for _, tt := range []struct{ rule, link, text string }{
		{"mongo.seconds-zero", "mongodb-manual.md", "expireAfterSeconds is positive and not zero."},
		{"mongo.seconds-zero", "disagreements.md#x2", "The seconds must be positive, not zero; two sentences later, 0 is in the range, and the recipe for clock times uses it."},
		{"cosmos.mongo-ttl-ignored", "cosmos-pages.md#per-document-ttl-in-the-api-for-mongodb", "The greatest int32 is 2,147,483,648."},
		{"cosmos.indexing-lazy", "disagreements.md#azure-cosmos-db-then-and-now", "lazy indexing"},
	} {
		fits := func(m Mention) bool { return m.Link(".md") == tt.link && m.Text == tt.text && m.Label != "" }
		if !slices.ContainsFunc(book.Page(tt.rule).Mentions, fits) {
			t.Errorf("%s lacks %q of %s: %+v", tt.rule, tt.text, tt.link, book.Page(tt.rule).Mentions)
		}
	}
	if err := new(Book).mentions(fstest.MapFS{}); err == nil {
		t.Error("a guide that is missing is no error")
	}
}

// TestRunOn: a rule counts as run on a server of MongoDB that passed, if the rule holds
// for its release.
func TestRunOn(t *testing.T) {
	for rule, want := range map[string]string{
		"mongo.date":                   "MongoDB 3.6.13, 4.0.10, 4.2.0, 5.0-dev",
		"mongo.nan-aborts":             "MongoDB 3.6.13, 4.0.10",          // the run on 4.2.0 lacks a vector that shows that anything expires
		"mongo.createindexes-wildcard": "MongoDB 4.2.0, 4.4-dev, 5.0-dev", // 4.4-dev by the replay of its corpus
		"mongo.date-strict":            "",                                // up to 3.0
		"mongo.nan-zero":               "",                                // from 5.0 on; the opposite answer of 4.2 does not confirm it
		"mongo.clustered":              "",                                // nothing was asked
		"mongo.seconds-invalid":        "",
		"cosmos.item":                  "",
	} {
		if got := book.Page(rule).RunOn(); got != want {
			t.Errorf("%s: run on %q, want %q", rule, got, want)
		}
	}
}

var server = releases.List(suite.Embedded().Releases(conformance.MongoDB))

// TestByHand: each record has results, which name the tested version and its address.
func TestByHand(t *testing.T) {
	all, err := ReadResults(os.DirFS("../../../conformance/lab/results"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, r := range all {
		if !r.IsByHand() {
			continue
		}
		found++
		if _, err := time.Parse(time.DateOnly, r.ByHand().Day); err != nil {
			t.Errorf("%s: recorded on %v", r.Key, err)
		}
		if u, err := url.Parse(r.Link("")); err != nil || u.Scheme != "https" || r.Implementation.Version == "" {
			t.Errorf("%s: page %q (%v), version %q", r.Key, r.Link(""), err, r.Implementation.Version)
		}
	}
	if found != len(recordsByHand) {
		t.Errorf("%d results were recorded by hand, want those of %d records", found, len(recordsByHand))
	}
}
