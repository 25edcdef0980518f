package command

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var update = flag.Bool("update", false, "write the counts of rules of the corpora")

// developmentAsked is the day on which the states of the main branch were asked.
const developmentAsked policy.Instant = 1795824000000 // 2026-11-28

// A corpusDifference says why a release, or the library, answers otherwise than a state of
// the main branch.
type corpusDifference struct {
	why     string
	applies func(line policy.Value, release string) bool
	lines   int // how many there are
}

// corpusExceptions are the lines that a state of the main branch answers otherwise than the
// library does for this state.
var corpusExceptions = map[string][]corpusDifference{
	"collmod-dev.jsonl.gz 5.0-dev": {{
		"5.0-dev sets a collection's own expireAfterSeconds within clusteredIndex, so that it does not know the option at the top",
		func(line policy.Value, _ string) bool {
			return !line.Field("command").Field("expireAfterSeconds").IsMissing()
		}, 3,
	}},
}

// releaseExceptions are the lines that a release answers otherwise than the state of the
// main branch before it, beyond corpusExceptions.
var releaseExceptions = map[string][]corpusDifference{
	"createindexes-dev.jsonl.gz 4.4.0": {{
		"hidden indexes came to 4.4 by a backport",
		func(line policy.Value, _ string) bool { return !line.Field("index").Field("hidden").IsMissing() }, 163,
	}},
	"collmod-dev.jsonl.gz 4.4.0": {{
		"hidden came to 4.4 by a backport, which also lets the reply have equal numbers",
		func(line policy.Value, _ string) bool {
			return !line.Field("command").Field("index").Field("hidden").IsMissing() || line.Field("reply").Field("expireAfterSeconds_new").IsMissing()
		}, 41,
	}},
	"collmod-dev.jsonl.gz 5.0.0": {{
		"no file of 5.0.0 shows the range of collMod, so that numbers below 0 and beyond 1970 are unspecified",
		func(line policy.Value, release string) bool {
			return release == "unspecified mongo.command-unspecified"
		}, 132,
	}},
}

// TestCorpusDevelopment replays the answers of two states of the server's main branch:
// codes, replies of collMod, and the index as listIndexes shows it. The library answers as
// each state, except for named lines. It also answers as the release after the state, which
// differs in named behaviours.
func TestCorpusDevelopment(t *testing.T) {
	ask := map[string]func(policy.Value, mongo.Profile) string{
		"createindexes-dev.jsonl.gz": differenceOfCreateIndexes, "collmod-dev.jsonl.gz": differenceOfCollMod,
	}
	confirmed := map[string]map[string]int{"4.4-dev": {}, "5.0-dev": {}} // by server and rule
	for file, lines := range map[string]map[string]int{
		"createindexes-dev.jsonl.gz": {"4.4-dev": 3000, "5.0-dev": 3000},
		"collmod-dev.jsonl.gz":       {"4.4-dev": 890, "5.0-dev": 1000},
	} {
		asked := map[string]int{}
		counts := map[string]int{}
		corpusLines(t, file, func(number int, line policy.Value) {
			corpusServers(t, line, func(p mongo.Profile, server string) {
				asked[server]++
				d := ask[file](line, p)
				if rule := refusingRule(line, p); d == "" && rule != "" {
					confirmed[server][rule]++
				}
				if d != "" {
					key := file + " " + server
					if !isException(corpusExceptions[key], line, d) {
						t.Errorf("%s:%d: %s: %s: %v", file, number, server, d, line)
					}
					counts[key]++
				}
				release := server[:3] + ".0"
				if d := ask[file](line, fixture.Profile(t, release)); d != "" {
					key := file + " " + release
					if !isException(releaseExceptions[key], line, d) && !isException(corpusExceptions[file+" "+server], line, d) {
						t.Errorf("%s:%d: %s: %s: %v", file, number, release, d, line)
					}
					counts[key]++
				}
			})
		})
		for server, n := range lines {
			if asked[server] != n {
				t.Errorf("%s: %d lines of %s, want %d", file, asked[server], server, n)
			}
			release := server[:3] + ".0"
			for _, key := range []string{file + " " + server, file + " " + release} {
				want := 0
				for _, d := range append(append([]corpusDifference{}, corpusExceptions[file+" "+server]...), releaseExceptions[key]...) {
					want += d.lines
				}
				if counts[key] != want {
					t.Errorf("%s: %d lines are answered otherwise, want %d", key, counts[key], want)
				}
				t.Logf("%s: %d of %d lines are answered alike", key, asked[server]-counts[key], asked[server])
			}
		}
	}
	checkConfirmed(t, confirmed)
}

// checkConfirmed compares how often a state refused by each rule, as the library does, with
// the counts from which the pages of rules say "run on 4.4-dev".
func checkConfirmed(t *testing.T, confirmed map[string]map[string]int) {
	t.Helper()
	const file = "../../testdata/corpus/rules.json"
	if *update {
		text, err := json.MarshalIndent(confirmed, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var listed map[string]map[string]int
	if err := json.Unmarshal(text, &listed); err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(listed, confirmed, maps.Equal[map[string]int, map[string]int]) {
		t.Errorf("%s has other counts than the replay; go test ./mongo/command -run CorpusDevelopment -update writes it", file)
	}
}

// refusingRule returns the rule by which the library refuses a line, or "".
func refusingRule(line policy.Value, p mongo.Profile) string {
	c, err := corpusCollection("fz.m", line, p)
	if err != nil {
		return ""
	}
	if command := line.Field("command"); command.IsMissing() {
		_, err = hidden.ValidateCreateIndexes(c, policy.DOf(line.Field("index")), p, developmentAsked)
	} else {
		_, err = hidden.ValidateCollMod(c, policy.DOf(command), p, developmentAsked)
	}
	var refused *mongo.SpecError
	if !errors.As(err, &refused) {
		return ""
	}
	return refused.Rule.ID()
}

func isException(all []corpusDifference, line policy.Value, difference string) bool {
	for _, d := range all {
		if d.applies(line, difference) {
			return true
		}
	}
	return false
}

// corpusCollection returns a collection with the index that a line has made before.
func corpusCollection(namespace string, line policy.Value, p mongo.Profile) (mongo.CollectionSpec, error) {
	c := mongo.CollectionSpec{Namespace: namespace}
	existing := line.Field("existing")
	if existing.IsMissing() {
		return c, nil
	}
	made, err := hidden.ValidateCreateIndexes(c, policy.DOf(existing), p, developmentAsked)
	c.Indexes = []mongo.IndexSpec{made.Index}
	return c, err
}

// differenceOfCreateIndexes returns how the library's answer to a line differs, or "".
func differenceOfCreateIndexes(line policy.Value, p mongo.Profile) string {
	code, _ := line.Field("code").AsInt64()
	c, err := corpusCollection("fz.c", line, p)
	if err != nil {
		return err.Error()
	}
	made, err := hidden.ValidateCreateIndexes(c, policy.DOf(line.Field("index")), p, developmentAsked)
	if got := corpusCode(err); got != fmt.Sprint(code) {
		return unlessUnspecified(got, code)
	}
	if code == 0 && made.Created {
		return differenceOfListed(made.Index, line.Field("listed"), p)
	}
	return ""
}

// differenceOfCollMod is differenceOfCreateIndexes for collMod.
func differenceOfCollMod(line policy.Value, p mongo.Profile) string {
	code, _ := line.Field("code").AsInt64()
	c, err := corpusCollection("fz.m", line, p)
	if err != nil {
		return err.Error()
	}
	done, err := hidden.ValidateCollMod(c, policy.DOf(line.Field("command")), p, developmentAsked)
	if got := corpusCode(err); got != fmt.Sprint(code) {
		return unlessUnspecified(got, code)
	}
	if code != 0 {
		return ""
	}
	for name, got := range map[string]policy.Value{"expireAfterSeconds_old": done.Old, "expireAfterSeconds_new": done.New} {
		if want := line.Field("reply").Field(name); got.Kind() != want.Kind() || !value.Equal(got, want) {
			return fmt.Sprintf("replies %s %v, want %v", name, got, want)
		}
	}
	return differenceOfListed(done.Collection.Indexes[0], line.Field("listed"), p)
}

func unlessUnspecified(got string, code int64) string {
	if got == "unspecified mongo.command-unspecified" {
		return got
	}
	return fmt.Sprintf("answers %s, want %d", got, code)
}

// differenceOfListed returns how an index differs from the one that listIndexes shows. The
// library does not keep v, the versions of special indexes and background.
func differenceOfListed(stored mongo.IndexSpec, listed policy.Value, p mongo.Profile) string {
	shown, err := mongofunc.F.ListIndex(p, policy.ObjectValue(stored.Document()))
	if err != nil {
		return err.Error()
	}
	kept := func(name string) bool {
		return name != "v" && name != "background" && name != "textIndexVersion" && name != "2dsphereIndexVersion"
	}
	names := map[string]bool{}
	for _, d := range []policy.Value{shown, listed} {
		for f := d.Fields(); f.Next(); {
			names[f.Name()] = kept(f.Name())
		}
	}
	for name, compared := range names {
		got, want := shown.Field(name), listed.Field(name)
		if compared && (got.Kind() != want.Kind() || !value.Equal(got, want)) {
			return fmt.Sprintf("lists %s %v, want %v", name, got, want)
		}
	}
	return ""
}
