package rulebook

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// A Record describes the test of an implementation that CI does not install.
type Record struct {
	Day  string // the day of the test, in ISO 8601
	On   string // the software under the implementation, "" if there is none
	Page string // the page of the implementation, "" for the homepage that it names
	How  string // a description of the test, in Markdown
	// Itself means that the implementation is MongoDB's own server.
	Itself bool
	// State means that the server is a state of the main branch, which is no release.
	State bool
}

// recordsByHand holds the records, by the names of the files with the results.
var recordsByHand = map[string]Record{
	"cloudemu": {Day: "2026-11-22", How: "in process, by `suite.Run`. Containers and items go through its HTTP handler, `UpdateTTL` switches TTL on with the property `ttl`, and the clock is its `FakeClock`."},
	"documentdb": {
		Day: "2026-11-22", On: "documentdb 0.108-0", Page: "https://github.com/FerretDB/FerretDB",
		How: "by `ttl conform run --mongodb-uri`, on PostgreSQL 15, with `--sweep-command` calling `documentdb_api_internal.delete_expired_rows()`. Where a session's `search_path` does not hold `documentdb_core`, as here, collMod finds no index by its key pattern; a second run with it set showed what collMod stores.",
	},
	"mongod-3.6.13": mongod("compiled from the tag r3.6.13"),
	"mongod-4.0.10": mongod("compiled from the tag r4.0.10"),
	"mongod-4.2.0":  mongod("compiled from branch v4.2 of June 2019, which names itself 4.2.0"),
	"mongod-5.0-dev": {
		Day: "2026-11-28", On: "WiredTiger, x86-64", Page: "https://github.com/mongodb/mongo/commit/5c9288ff2d32ef9b24625883e6f67d279f344356", Itself: true, State: true,
		How: "by `ttl conform run --mongodb-uri` with `--all`, of a server compiled from commit 5c9288ff2d32 of the main branch, of 2021-05-18, some weeks before 5.0.0, by which it is judged. All checks that fail are about a collection's own expireAfterSeconds: 5.0-dev has it within `timeseries` and `clusteredIndex`, and 5.0.0 at the top of the command.",
	},
	"mongita": {
		Day: "2026-11-24",
		How: "by [its adapter](../../conformance/lab/adapters/mongita/adapter.py), with `PYTHONPATH` at a checkout of abda34e.",
	},
	"mongo-java-server": {
		Day: "2026-11-24", On: "OpenJDK 17, Netty 4.1.48",
		How: "by [its adapter](../../conformance/lab/adapters/mongo-java-server/adapter.py). A checkout of e09dcfb was compiled by `javac` with Debian's Netty and SLF4J, and its `InMemoryMongoServer` was running.",
	},
	"montydb": {
		Day: "2026-11-24",
		How: "by [its adapter](../../conformance/lab/adapters/montydb/adapter.py), with `PYTHONPATH` at a checkout of ece1935.",
	},
	"lungo": {Day: "2026-11-22", How: "in process, by `suite.Run`. The clock is that of `testing/synctest`, and the sweep is called."},
}

// mongod is the record of a server of MongoDB.
func mongod(compiled string) Record {
	return Record{
		Day: "2026-11-23", On: "WiredTiger, x86-64", Page: "https://github.com/mongodb/mongo", Itself: true,
		How: "by `ttl conform run --mongodb-uri` with `--all`, of a server " + compiled + ", with `ttlMonitorSleepSecs=1`. Two things were changed in the asking program: a write error counts as the refusal of a document, and the driver's lowest wire version is that of 3.6. The check that fails is the program's own fault: it sent `maxTimeMS` twice with `create`.",
	}
}

// ByHand returns the record of the test of r by hand; the zero Record if an adapter tests
// r.
func (r Result) ByHand() Record { return recordsByHand[r.Key] }

// IsRelease reports whether r is a release of MongoDB's own server.
func (r Result) IsRelease() bool { return r.ByHand().Itself && !r.ByHand().State }

// IsByHand reports whether r was recorded by hand.
func (r Result) IsByHand() bool { return r.ByHand() != Record{} }

// Name returns the name of the implementation. The name of a server of MongoDB has
// its release, because the servers differ in nothing else.
func (r Result) Name() string {
	if r.ByHand().Itself {
		return r.Implementation.Name + " " + r.Implementation.Version
	}
	return r.Implementation.Name
}

// Link returns the link to the description of the implementation: the page of its adapter
// below root, which is the repository and ends in a slash, or the implementation's own
// page.
func (r Result) Link(root string) string {
	if r.IsByHand() {
		return cmp.Or(r.ByHand().Page, r.Implementation.Homepage)
	}
	return root + path.Join("conformance/lab/adapters", r.Key, "README.md")
}

// A Result is the recorded result of one implementation.
type Result struct {
	// Key is the name of the results file without its ending, and of the adapter's
	// folder: "nedb".
	Key string
	results.Results
}

// ReadResults reads the results in a folder, in the order of their names.
func ReadResults(folder fs.FS) (all []Result, err error) {
	names, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		r, err := results.ParseResults(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, Result{strings.TrimSuffix(name, ".json"), r})
	}
	return all, nil
}

// Deletes reports whether r expires a document that must stay, in a check that bears on a
// rule.
func (r Result) Deletes(rule string) bool {
	return slices.ContainsFunc(r.Checks, func(c results.CheckResult) bool {
		return c.DeletesLive() && slices.Contains(c.Rules, rule)
	})
}

// Replayed returns the results of replaying the corpora of states of MongoDB's main branch:
// the rules by which a state refuses random definitions and commands, as the library does.
// The replay covers no rule as a whole. The results have no file and no checks.
func Replayed() (all []Result) {
	var counts map[string]map[string]int
	if err := json.Unmarshal(testdata.ReplayedRules, &counts); err != nil {
		panic(err) // the file is embedded, and a test reads it
	}
	for _, state := range slices.Sorted(maps.Keys(counts)) {
		release := strings.TrimSuffix(state, "-dev") + ".0"
		r := Result{Key: "replay-" + state}
		r.Implementation = conformance.Hello{Name: "MongoDB", Version: state, Systems: map[string]string{conformance.MongoDB: release}}
		for _, id := range slices.Sorted(maps.Keys(counts[state])) {
			r.Rules = append(r.Rules, results.RuleResult{ID: id, Verdict: suite.Incomplete, Checks: map[suite.Outcome]int{suite.Pass: counts[state][id]}})
		}
		all = append(all, r)
	}
	return all
}

// IsReplayed reports whether r is one of [Replayed].
func (r Result) IsReplayed() bool { return strings.HasPrefix(r.Key, "replay-") }

// An Implementation is the verdict on another implementation's handling of a rule.
type Implementation struct {
	Result
	Verdict string // "conforms", "fails", "deletes what must stay", …
}

// implementations fills in the verdicts on other implementations.
func (b *Book) implementations(results []Result) {
	for _, r := range results {
		for _, rule := range r.Rules {
			p := b.pages[rule.ID]
			if p == nil || rule.Verdict == suite.Untested {
				continue
			}
			p.Implementations = append(p.Implementations, Implementation{r, r.verdict(rule)})
			if p.wasRun(r, rule) {
				p.runOn = append(p.runOn, r.Implementation.Version)
			}
		}
	}
	for _, r := range Replayed() {
		for _, rule := range r.Rules {
			failed := slices.ContainsFunc(results, func(of Result) bool { return of.fails(r.Implementation.Version, rule.ID) })
			if p := b.pages[rule.ID]; p != nil && !failed {
				p.runOn = append(p.runOn, r.Implementation.Version)
			}
		}
	}
}

// fails reports whether r is about a version and fails a rule.
func (r Result) fails(version, rule string) bool {
	return r.Implementation.Version == version && slices.ContainsFunc(r.Rules, func(one results.RuleResult) bool {
		return one.ID == rule && one.Verdict == suite.Nonconformant
	})
}

// wasRun reports whether r is MongoDB's own server, the rule of p holds for its release,
// and some check of the rule passed and none failed.
func (p *Page) wasRun(r Result, rule results.RuleResult) bool {
	return r.ByHand().Itself && rule.Checks[suite.Pass] > 0 &&
		(rule.Verdict == suite.Conformant || rule.Verdict == suite.Incomplete) &&
		p.HoldsAt(conformance.MongoDB, r.Implementation.Systems[conformance.MongoDB])
}

// RunOn returns the MongoDB servers that confirmed the rule, such as "MongoDB 3.6.13,
// 4.0.10"; "" if there is none.
func (p *Page) RunOn() string {
	if len(p.runOn) == 0 {
		return ""
	}
	return "MongoDB " + strings.Join(slices.Compact(slices.Sorted(slices.Values(p.runOn))), ", ")
}

// verdict puts the verdict on a rule into words.
func (r Result) verdict(rule results.RuleResult) string {
	switch rule.Verdict {
	case suite.Conformant:
		return "conforms"
	case suite.Incomplete:
		return "conforms in what applies to it"
	case suite.Unproven:
		return "unproven: conforms as one would that never expires anything"
	}
	if r.Deletes(rule.ID) {
		return "fails, and deletes what must stay"
	}
	return "fails"
}

// State returns the kind of the verdict: "conforms", "unproven", "fails".
func (i Implementation) State() string {
	word, _, _ := strings.Cut(i.Verdict, " ")
	return strings.Trim(word, ":,")
}
