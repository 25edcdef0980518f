package command

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// corpusLines calls line for each line of a file of servers' answers
// (testdata/corpus/README.md). A line is Extended JSON and holds one question with its
// answer.
func corpusLines(t *testing.T, name string, line func(number int, v policy.Value)) {
	t.Helper()
	file, err := os.Open("../../testdata/corpus/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	number := 0
	for lines.Scan() {
		number++
		v, err := policy.ParseExtJSON(lines.Bytes())
		if err != nil {
			t.Fatalf("%s:%d: %v", name, number, err)
		}
		line(number, v)
	}
	if err := lines.Err(); err != nil || number == 0 {
		t.Fatalf("%s: %d lines, %v", name, number, err)
	}
}

// corpusServers calls ask for each server that gave a line's answer.
func corpusServers(t *testing.T, line policy.Value, ask func(p mongo.Profile, server string)) {
	t.Helper()
	for e := line.Field("servers").Elements(); e.Next(); {
		server, _ := e.Value().AsString()
		ask(fixture.Profile(t, server), server)
	}
}

// corpusAsked is the day on which servers were asked about the definitions. It matters
// for bounds that depend on the seconds since 1970.
const corpusAsked policy.Instant = 1795392000000 // 2026-11-23

// TestCorpusCreateIndexes replays servers' answers to index definitions.
func TestCorpusCreateIndexes(t *testing.T) {
	answers := 0
	corpusLines(t, "createindexes.jsonl.gz", func(number int, line policy.Value) {
		code, _ := line.Field("code").AsInt64()
		var c mongo.CollectionSpec
		corpusServers(t, line, func(p mongo.Profile, server string) {
			answers++
			if existing := line.Field("existing"); !existing.IsMissing() {
				made, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{Namespace: "fz.c"}, policy.DOf(existing), p, corpusAsked)
				if err != nil {
					t.Errorf("line %d: %s: existing %v: %v", number, server, existing, err)
					return
				}
				c.Indexes = []mongo.IndexSpec{made.Index}
			}
			made, err := hidden.ValidateCreateIndexes(c, policy.DOf(line.Field("index")), p, corpusAsked)
			if got := corpusCode(err); got != fmt.Sprint(code) {
				t.Errorf("line %d: %s: createIndexes(%v) beside %v: %s, the server says %d", number, server, line.Field("index"), line.Field("existing"), got, code)
				return
			}
			if listed := line.Field("listed"); code == 0 && made.Created {
				checkListed(t, fmt.Sprintf("line %d: %s: %v", number, server, line.Field("index")), made.Index, listed)
			}
		})
	})
	if answers < 4500 {
		t.Errorf("%d answers replayed, want 4500", answers)
	}
}

// corpusCode returns the server's code of the refusal err as text, and "0" if err is nil.
func corpusCode(err error) string {
	switch refused, ok := err.(*mongo.SpecError); {
	case err == nil:
		return "0"
	case !ok:
		return err.Error()
	case refused.Code == 0:
		return "unspecified " + refused.Rule.ID()
	default:
		return fmt.Sprint(int(refused.Code))
	}
}

// checkListed compares the predicted catalog entry with the reply of listIndexes.
func checkListed(t *testing.T, at string, stored mongo.IndexSpec, listed policy.Value) {
	t.Helper()
	shown := policy.ObjectValue(stored.Document())
	for _, name := range []string{"key", "name", "expireAfterSeconds", "partialFilterExpression", "collation", "sparse", "unique", "weights",
		"default_language", "language_override", "bits", "min", "max", "bucketSize", "wildcardProjection", "storageEngine"} {
		got, want := shown.Field(name), listed.Field(name)
		if got.IsMissing() != want.IsMissing() || got.Kind() != want.Kind() || !got.IsMissing() && !value.Equal(got, want) {
			t.Errorf("%s: the catalog holds %s %v, listIndexes shows %v", at, name, got, want)
		}
	}
}

// TestCorpusDecide replays servers' deletions: it decides about each document at the
// instant at which the server was queried. All dates lie at least 100 seconds from every
// deadline.
func TestCorpusDecide(t *testing.T) {
	documents := 0
	corpusLines(t, "decide.jsonl.gz", func(number int, line policy.Value) {
		now, ok := line.Field("now").AsDate()
		if !ok {
			t.Fatalf("line %d has no instant", number)
		}
		spec, err := mongo.ParseIndexSpec(line.Field("index"))
		if err != nil {
			t.Fatalf("line %d: %v", number, err)
		}
		corpusServers(t, line, func(p mongo.Profile, server string) {
			c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec}}, p)
			if err != nil {
				t.Errorf("line %d: %s: %v", number, server, err)
				return
			}
			for field, want := range map[string]bool{"deleted": true, "kept": false} {
				for e := line.Field(field).Elements(); e.Next(); {
					documents++
					raw := drawn.BSONOf(t, e.Value()).Bytes()
					for _, d := range []policy.Decision{c.Decide(e.Value(), now), c.DecideBSON(raw, now)} {
						if (d.State == policy.Expired) != want {
							t.Errorf("line %d: %s: %v under %v is %v by %s, the server says %s", number, server, e.Value(), line.Field("index"), d.State, d.Rule, field)
						}
					}
				}
			}
		})
	})
	if documents != 10454 {
		t.Errorf("%d documents replayed, want 10454", documents)
	}
}
