package policyflags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestInstant(t *testing.T) {
	clock := time.Date(2026, 11, 20, 8, 0, 0, 999_999_999, time.UTC)
	for _, tc := range []struct {
		now  string
		want policy.Instant
	}{
		{"", 1_795_161_600_999}, // the clock's millisecond, never a later one
		{"2026-11-20", 1_795_132_800_000},
		{"2026-11-20T08:00:00Z", 1_795_161_600_000},
		{"2026-11-20T08:00:00.5+08:00", 1_795_132_800_500},
		{"@1795132800", 1_795_132_800_000},
		{"@-1", -1000},
		{"1969-12-31", -86_400_000},
		{"9223372036854775807ms", policy.MaxInstant}, // the form of an instant that is no date
		{"-9223372036854775808ms", policy.MinInstant},
		{"now", 1_795_161_600_999},
		{"+30d", 1_795_161_600_999 + 30*86_400_000},
		{"-1h", 1_795_161_600_999 - 3_600_000},
		{"+90", 1_795_161_690_999},
		{"2026-11-20 08:00:00", 1_795_161_600_000},
		{"2026-11-20 08:00", 1_795_161_600_000},
		{"2026-11-20T08:00:00", 1_795_161_600_000},
		{"2026-11-20T08:00", 1_795_161_600_000},
		{"2026-11-20T08:00Z", 1_795_161_600_000},
		{"2026-11-20T09:00+01:00", 1_795_161_600_000},
		{"2026-11-20 08:00:00.25Z", 1_795_161_600_250},
		{"2026-11-20 07:00-01:00", 1_795_161_600_000},
	} {
		f := Flags{Now: tc.now}
		if got, err := f.Instant(clock); err != nil || got != tc.want {
			t.Errorf("--now %q = %d, %v, want %d", tc.now, got, err, tc.want)
		}
	}
	for _, now := range []string{"yesterday", "1795132800", "2026-11-20 08", "2026-11-20T08", "2026-11-20T08:00+1", "+", "-", "+1mo", "--1d", "+9223372036854775807", "@", "@9223372036854775807", "9223372036854775808ms", "ms", "2026-02-30"} {
		f := Flags{Now: now}
		if got, err := f.Instant(clock); cli.ExitCodeOf(err) != cli.ExitUsage {
			t.Errorf("--now %q = %d, %v, want a usage error", now, got, err)
		}
	}
}

func TestSeconds(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "3600": 3600, "-1": -1, "90s": 90, "90m": 5400, "12h": 43200, "30d": 2592000, "2w": 1209600, "1y": 31536000,
		"9223372036854775807": 9223372036854775807,
	} {
		if got, err := ParseSeconds(text); err != nil || got != want {
			t.Errorf("ParseSeconds(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "1.5h", "1 d", "9223372036854775807s1", "9223372036854775807m", "3600x", "1d2h", "1mo", "y"} {
		if got, err := ParseSeconds(text); err == nil {
			t.Errorf("ParseSeconds(%q) = %d, want an error", text, got)
		}
	}
}

func TestParseWhatIf(t *testing.T) {
	for text, want := range map[string]string{
		"90d, 1y": "", "90d,off": "--what-if off: want a time to live", "90d, off": "--what-if off: want a time to live", "soon": `--what-if: cannot read "soon"`,
		"1d,24h": "86400 s is given twice", "-2": "-2 s is not from 0 to", "1,2,3,4,5,6,7,8,9": "at most 8",
	} {
		list, err := ParseWhatIf([]string{text})
		if (err == nil) != (want == "") || err != nil && (cli.ExitCodeOf(err) != cli.ExitUsage || !strings.Contains(err.Error(), want)) {
			t.Errorf("ParseWhatIf(%q) = %d, %v, want %q", text, list, err, want)
		}
	}
	if list, err := ParseWhatIf(nil); list != nil || err != nil {
		t.Errorf("ParseWhatIf() = %d, %v, want none", list, err)
	}
}

// file writes text to a file and returns its name.
func file(t *testing.T, text string) string {
	t.Helper()
	return filepath.Join(fixture.Files(t, map[string]string{"file.json": text}), "file.json")
}

func TestCompile(t *testing.T) {
	metadata := file(t, `{"indexes":[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},
		{"key":{"at":{"$numberInt":"1"}},"name":"at_1","expireAfterSeconds":{"$numberInt":"3600"}},
		{"key":{"till":{"$numberInt":"1"}},"name":"till_1","expireAfterSeconds":{"$numberInt":"0"}}],
		"uuid":"0","collectionName":"c","type":"collection"}`)
	series := file(t, `{"options":{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"600"}},"indexes":[]}`)
	for _, tc := range []struct {
		flags Flags
		want  string
		from  []reasons.Source
	}{
		{Flags{Index: []string{`{"at":1}`}, ExpireAfter: "30d"},
			"MongoDB " + fixture.Latest + " (assumed), at_1 (30 d after at)", []reasons.Source{{Name: "at_1", Field: "at", About: "30 d after at"}}},
		{Flags{Index: []string{`{"a.b":-1}`}, ExpireAfter: "90", Partial: `{"k":{"$gt":5}}`, Server: "5.0.13"},
			`MongoDB 5.0.13, a.b_-1 (90 s after a.b where {"k":{"$gt":{"$numberInt":"5"}}})`, []reasons.Source{{Name: "a.b_-1", Field: "a.b", About: `90 s after a.b where {"k":{"$gt":{"$numberInt":"5"}}}`}}},
		{Flags{Index: []string{`{"v":2,"key":{"at":1},"name":"n","expireAfterSeconds":{"$numberDouble":"NaN"}}`}},
			`MongoDB ` + fixture.Latest + ` (assumed), n (expireAfterSeconds NaN after at)`, []reasons.Source{{Name: "n", Field: "at", About: `expireAfterSeconds NaN after at`, NaN: true}}},
		{Flags{Index: []string{`{"at":1}`}, ExpireAfter: "90", Partial: `{"k.l":null}`, Parameter: []string{"internalQueryLegacyDottedPathNullSemantics=true"}},
			`MongoDB ` + fixture.Latest + ` (assumed) with internalQueryLegacyDottedPathNullSemantics=true, at_1 (90 s after at where {"k.l":null})`, []reasons.Source{{Name: "at_1", Field: "at", About: `90 s after at where {"k.l":null}`}}},
		{Flags{Metadata: metadata},
			"MongoDB " + fixture.Latest + " (assumed), at_1 (1 h after at), till_1 (0 s after till)", []reasons.Source{{Name: "at_1", Field: "at", About: "1 h after at"}, {Name: "till_1", Field: "till", About: "0 s after till"}}},
		{Flags{Metadata: series},
			"MongoDB " + fixture.Latest + " (assumed), collection (10 min after t)", []reasons.Source{{Name: "collection", Field: "t", About: "10 min after t"}}},
		{Flags{Index: []string{`{"_ts":1}`}, ExpireAfter: "10", CosmosMongo: true},
			"Azure Cosmos DB for MongoDB, _ts_1 (10 s after _ts)", []reasons.Source{{Name: "_ts_1", Field: "_ts", About: "10 s after _ts"}}},
		{Flags{Container: `{"defaultTtl":3600}`},
			"Azure Cosmos DB for NoSQL, defaultTtl 3600", []reasons.Source{{Name: "container", Field: "_ts", About: "defaultTtl 3600"}}},
		{Flags{Container: file(t, `{"id":"c"}`)},
			"Azure Cosmos DB for NoSQL, defaultTtl absent", []reasons.Source{{Name: "container", Field: "_ts", About: "defaultTtl absent"}}},
		{Flags{Container: `{"defaultTtl":5,"ttlPropertyPath":"/meta/at"}`},
			"Azure Cosmos DB for NoSQL, defaultTtl 5 from /meta/at", []reasons.Source{{Name: "container", Field: "meta.at", About: "defaultTtl 5 from /meta/at"}}},
		{Flags{Index: []string{`{"key":{"at":1}}`}},
			"MongoDB " + fixture.Latest + " (assumed), no TTL index", nil},
	} {
		p, err := tc.flags.Compile()
		if err != nil {
			t.Errorf("%+v: %v", tc.flags, err)
			continue
		}
		if p.Description != tc.want {
			t.Errorf("%+v is described as\n%s\nwant\n%s", tc.flags, p.Description, tc.want)
		}
		if diff := cmp.Diff(tc.from, p.Sources, cmpopts.IgnoreFields(reasons.Source{}, "Option")); diff != "" {
			t.Errorf("%+v: sources (-want +got):\n%s", tc.flags, diff)
		}
	}
}

// TestMetadataForms: --metadata accepts every form in which tools show indexes.
func TestMetadataForms(t *testing.T) {
	const index = `{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":3600}`
	for name, text := range map[string]string{
		"mongodump":               `{"options":{},"indexes":[` + index + `]}`,
		"version 1":               `{"options":{},"indexes":[{"v":{"$numberLong":2},"key":{"at":{"$numberInt":1}},"name":"at_1","expireAfterSeconds":{"$numberLong":3600}}]}`,
		"getIndexes":              "[" + index + "]",
		"an index a line":         index + "\n" + `{"v":2,"key":{"_id":1},"name":"_id_"}`,
		"listIndexes":             `{"cursor":{"id":{"$numberLong":"0"},"ns":"shop.logs","firstBatch":[` + index + `]},"ok":1}`,
		"getIndexes of mongosh":   "[\n  { v: 2, key: { _id: 1 }, name: '_id_' },\n  { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 3600 }\n]",
		"listIndexes of mongosh":  "{\n  cursor: {\n    id: Long('0'),\n    ns: 'shop.logs',\n    firstBatch: [ { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 3600 } ]\n  },\n  ok: 1\n}",
		"getIndexes of the shell": `[ { "v" : 1, "key" : { "at" : 1 }, "ns" : "shop.logs", "name" : "at_1", "expireAfterSeconds" : NumberLong(3600) } ]`,
	} {
		f := Flags{Metadata: file(t, text)}
		p, err := f.Compile()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := p.Decide(policy.D{{Key: "at", Value: policy.DateValue(0)}}, 0); fixture.Deadline(d) != 3_600_000 {
			t.Errorf("%s: the deadline is %v, want an hour after 1970", name, fixture.Deadline(d))
		}
	}
	f := Flags{Metadata: file(t, `{"cursor":{"id":5,"firstBatch":[`+index+`]}}`)}
	if _, err := f.Compile(); err == nil || !strings.Contains(err.Error(), "only the first batch") {
		t.Errorf("the first batch of several: %v, want that it is not all", err)
	}
}

// TestNamespaceFlag: a collection's name comes from a flag, or from the path of its
// metadata.
func TestNamespaceFlag(t *testing.T) {
	const name = "shop/system.profile.metadata.json"
	profile := filepath.Join(fixture.Files(t, map[string]string{name: `{"indexes":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":0}]}`}), name)
	typed := []string{`{"at":1}`}
	for _, tc := range []struct {
		flags Flags
		want  string
	}{
		{Flags{Index: typed, ExpireAfter: "0"}, "mongo.date"},
		{Flags{Index: typed, ExpireAfter: "0", Namespace: "shop.logs"}, "mongo.date"},
		{Flags{Index: typed, ExpireAfter: "0", Namespace: "shop.system.profile"}, "mongo.namespace-excluded"},
		{Flags{Metadata: profile}, "mongo.namespace-excluded"},
		{Flags{Metadata: profile, Namespace: "shop.logs"}, "mongo.date"},
	} {
		p, err := tc.flags.Compile()
		if err != nil {
			t.Errorf("%+v: %v", tc.flags, err)
			continue
		}
		if d := p.Decide(policy.D{{Key: "at", Value: policy.DateValue(0)}}, 0); d.Rule.ID() != tc.want {
			t.Errorf("%+v: decided by %s, want %s", tc.flags, d.Rule, tc.want)
		}
	}
	for _, f := range []Flags{
		{Index: typed, ExpireAfter: "0", Namespace: "logs"},
		{Index: typed, ExpireAfter: "0", Namespace: "shop."},
		{Container: `{}`, Namespace: "shop.logs"},
		{Index: []string{`{"_ts":1}`}, ExpireAfter: "10", CosmosMongo: true, Namespace: "shop.logs"},
	} {
		if _, err := f.Compile(); cli.ExitCodeOf(err) != cli.ExitUsage || !strings.Contains(err.Error(), "--namespace") {
			t.Errorf("%+v: %v, want a usage error about --namespace", f, err)
		}
	}
}

// TestRefused: a proposed index that the release would refuse is an error with
// the server's words; an existing index is judged as it is.
func TestRefused(t *testing.T) {
	const exists = "; to judge an index that exists, give it as listIndexes shows it, with its v"
	for _, tc := range []struct {
		flags Flags
		want  string // "" if it is judged
	}{
		{Flags{Index: []string{`{"a":1,"b":1}`}, ExpireAfter: "5"},
			"MongoDB " + fixture.Latest + " refuses this index: key: TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: " + `{"key":{"a":{"$numberInt":"1"},"b":{"$numberInt":"1"}},"name":"a_1_b_1","expireAfterSeconds":{"$numberInt":"5"}}` + ": CannotCreateIndex (67)" + exists},
		{Flags{Index: []string{`{"v":2,"key":{"a":1,"b":1},"expireAfterSeconds":5}`}}, ""},
		{Flags{Index: []string{`{"a":1}`}, ExpireAfter: "-1"},
			"MongoDB " + fixture.Latest + " refuses this index: expireAfterSeconds: TTL index 'expireAfterSeconds' option cannot be less than 0: CannotCreateIndex (67)" + exists},
		{Flags{Index: []string{`{"v":2,"key":{"a":1},"expireAfterSeconds":-1}`}}, ""},
		{Flags{Index: []string{`{"_id":1}`}, ExpireAfter: "5"}, "The field 'expireAfterSeconds' is not valid for an _id index specification."},
		{Flags{Index: []string{`{"key":{"a":1},"expireAfterSecond":5}`}}, "InvalidIndexSpecificationOption (197). expireAfterSecond is not an option of an index; expireAfterSeconds is."},
		{Flags{Index: []string{`{"key":{"a":1},"name":"n","expireAfterSeconds":5}`, `{"key":{"a":1},"name":"n","expireAfterSeconds":6}`}}, "IndexOptionsConflict (85)"},
		{Flags{Index: []string{`db.createCollection("c", {capped: true})`}}, "MongoDB " + fixture.Latest + " refuses this collection: "},
		{Flags{Index: []string{`{"a":1}`}, ExpireAfter: "5", CosmosMongo: true},
			"Azure Cosmos DB for MongoDB refuses this index: key: The 'expireAfterSeconds' option is supported on '_ts' field only.: BadValue (2)"},
		{Flags{Index: []string{`{"a":1}`}, ExpireAfter: "5", CosmosMongo: true, Capability: []string{"EnableTtlOnCustomPath"}}, ""},
		{Flags{Index: []string{`{"_ts":1}`}, ExpireAfter: "0", CosmosMongo: true},
			"refuses this index: expireAfterSeconds: 0 is no time to live on _ts (the service's own words are not known)" + exists},
		{Flags{Index: []string{`{"v":1,"key":{"_ts":1},"expireAfterSeconds":0}`}, CosmosMongo: true}, ""},
		{Flags{Index: []string{`{"_ts":-1}`}, ExpireAfter: "5", CosmosMongo: true, Server: "3.2", Capability: []string{"mongoEnableDocLevelTTL"}}, ""},
		{Flags{Index: []string{`{"key":{"_ts":1},"expireAfterSeconds":5}`, `{"key":{"_ts":1},"expireAfterSeconds":6}`}, CosmosMongo: true}, "Index with name _ts_1 already exists with different options.: IndexOptionsConflict (85)"},
		{Flags{Container: `{"defaultTtl":0}`}, "--container: Azure Cosmos DB refuses this container: defaultTtl: "},
		{Flags{Container: `{"defaultTtl":null,"analyticalStorageTtl":null}`}, ""}, // az shows settings that are not set as null
		{Flags{Metadata: file(t, `{"indexes":[{"key":{"a":1,"b":1},"expireAfterSeconds":5}]}`)}, ""},
	} {
		_, err := tc.flags.Compile()
		if (err == nil) != (tc.want == "") || err != nil && (cli.ExitCodeOf(err) != cli.ExitInput || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%+v: exit %d, %v; want %d and %q", tc.flags, cli.ExitCodeOf(err), err, cli.ExitInput, tc.want)
		}
	}
}

// TestDelayInWords: the description shows the delay as given, and NaN only for
// a NaN.
func TestDelayInWords(t *testing.T) {
	for delay, want := range map[string]string{
		"-1": "-1 s after a", "-86400": "-1 d after a", "-1.5": `expireAfterSeconds {"$numberDouble":"-1.5"} after a`, "0": "0 s after a",
		`{"$numberDouble":"-Infinity"}`: `expireAfterSeconds {"$numberDouble":"-Infinity"} after a`, `{"$numberDouble":"NaN"}`: "expireAfterSeconds NaN after a",
	} {
		f := Flags{Index: []string{`{"v":2,"key":{"a":1},"name":"a_1","expireAfterSeconds":` + delay + `}`}}
		p, err := f.Compile()
		if err != nil || p.Sources[0].About != want {
			t.Errorf("expireAfterSeconds %s is %+v, %v, want %q", delay, p, err, want)
		}
	}
}

// TestAlone: Alone holds a policy with a single source for each source, in the order of
// Sources.
func TestAlone(t *testing.T) {
	f := Flags{Metadata: file(t, `{"options":{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":7},"indexes":[
		{"key":{"x":1},"name":"x_1"},{"key":{"a":1},"name":"a_1","expireAfterSeconds":1},{"key":{"b":1},"name":"b_1","expireAfterSeconds":2}]}`)}
	p, err := f.Compile()
	if err != nil {
		t.Fatal(err)
	}
	doc := policy.D{{Key: "_id", Value: policy.DateValue(0)}, {Key: "a", Value: policy.DateValue(0)}, {Key: "b", Value: policy.DateValue(0)}}
	for i, want := range []struct {
		name     string
		deadline policy.Instant
	}{{"collection", 7000}, {"a_1", 1000}, {"b_1", 2000}} {
		if got := fixture.Deadline(p.Alone[i].Decide(doc, 0)); p.Sources[i].Name != want.name || got != want.deadline {
			t.Errorf("source %d is %s with deadline %d, want %s with %d", i, p.Sources[i].Name, got, want.name, want.deadline)
		}
	}
	if d := p.Decide(doc, 0); p.Source(d).Name != "a_1" {
		t.Errorf("the earliest deadline is of %q, want a_1", p.Source(d).Name)
	}
	if got := p.Source(policy.Decision{Source: 3}); got.Name != "" {
		t.Errorf("source 3 of 3 = %v, want none", got)
	}
}

// TestNotes: the form of a pasted policy is recognised, and the description names
// parts without effect.
func TestNotes(t *testing.T) {
	for _, tc := range []struct {
		flags Flags
		want  string // the description
		note  string // "" for none
	}{
		{Flags{Index: []string{`{at: 1}`}, ExpireAfter: "1h"}, "at_1 (1 h after at)", ""},
		{Flags{Index: []string{`db.c.createIndex({at: 1}, {expireAfterSeconds: 60 * 60})`}}, "at_1 (1 h after at)", ""},
		{Flags{Index: []string{`c.create_index("at", expireAfterSeconds=3600)`}}, "at_1 (1 h after at)", ""},
		{Flags{Index: []string{`{ at: { type: Date, expires: '1h' } }`}}, "at_1 (1 h after at)", "Read as mongoose reads it"},
		{Flags{Index: []string{`{"key": {"at": 1}, "fields": [], "extra": {"expireAfterSeconds": 3600}}`}}, "at_1 (1 h after at)", "Read as an index of Compass"},
		{Flags{Index: []string{`[{"key":{"_id":1}},{"key":{"at":1},"expireAfterSeconds":3600}]`}}, "at_1 (1 h after at)", ""},
		{Flags{Index: []string{`db.createCollection("c", {timeseries: {timeField: "t"}, expireAfterSeconds: 3600})`}}, "collection (1 h after t)", "A measurement is judged as the first of a bucket of its own"},
		{Flags{Index: []string{`{"v":2,"key":{"at":1},"expireAfterSecond":3600}`}}, "no TTL index", "expireAfterSecond is not an option of an index; expireAfterSeconds is."},
		{Flags{Index: []string{`db.c.createIndex({at: 1, expireAfterSeconds: 3600})`}}, "no TTL index", "expireAfterSeconds stands within the key"},
		{Flags{Index: []string{`{"v":2,"key":{"at":1},"expireAfterSeconds":60,"partialFilter":{"a":1}}`}}, "at_1 (1 min after at)", "Without partialFilterExpression the index is not partial, and holds every document."},
		{Flags{Metadata: file(t, `{"indexes":[{"key":{"at":1},"expireafterseconds":60,"extra":{"expireAfterSeconds":5}}]}`)}, "no TTL index", "expireafterseconds is not an option of an index"},
		{Flags{Metadata: file(t, `{"options":{"expireAfterSeconds":60},"indexes":[]}`)}, "no TTL index", "counts only where it is a time-series or a clustered collection"},
		{Flags{Metadata: file(t, `[{"key":{"at":1},"expireAfterSeconds":60}]`)}, "at_1 (1 min after at)", ""},
		{Flags{Metadata: file(t, `{"cursor":{"id":0,"ns":"shop.logs","firstBatch":[{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":60}]},"ok":1}`)}, "at_1 (1 min after at)", ""},
		{Flags{Container: `{"resource":{"defaultTtl":60}}`}, "defaultTtl 60", "Read as the container under resource."},
		{Flags{Container: `{"defaultTTL":60,"_rid":"x"}`}, "defaultTtl absent", "The property defaultTTL is not defaultTtl."},
		{Flags{Container: file(t, "{id: 'c', defaultTtl: 60}")}, "defaultTtl 60", ""},
		{Flags{Container: `[{"defaultTtl":60}]`}, "defaultTtl 60", ""},
	} {
		p, err := tc.flags.Compile()
		if err != nil {
			t.Errorf("%+v: %v", tc.flags, err)
			continue
		}
		notes := strings.Join(p.Notes, "\n")
		if !strings.HasSuffix(p.Description, ", "+tc.want) || (tc.note == "") != (notes == "") || !strings.Contains(notes, tc.note) {
			t.Errorf("%+v: %s, notes %q, want %s and %q", tc.flags, p.Description, notes, tc.want, tc.note)
		}
	}
}

func TestCompileMistakes(t *testing.T) {
	at := []string{`{"at":1}`}
	for _, tc := range []struct {
		flags Flags
		code  cli.ExitCode
		want  string
	}{
		{Flags{}, cli.ExitUsage, "no policy"},
		{Flags{Index: at}, cli.ExitUsage, "add --expire-after"},
		{Flags{Index: at, ExpireAfter: "soon"}, cli.ExitUsage, "soon"},
		{Flags{Index: []string{`{at:`}, ExpireAfter: "1"}, cli.ExitUsage, "--index {at:: at byte 4: the text ends here"},
		{Flags{Index: []string{`{"at":1,"expireAfterSeconds":5}`}, ExpireAfter: "1"}, cli.ExitUsage, "write {key: {at: 1}, expireAfterSeconds: 5}"},
		{Flags{Index: []string{`{"at":1,"ttl":5}`}}, cli.ExitUsage, "write {key: {at: 1}, expireAfterSeconds: 5}"},
		{Flags{Index: []string{`{key: {at: 1}, expireAfterSeconds: 5, partialFilterExpresion: {k: 1}}`}, Server: "2.6"}, cli.ExitUsage, `--index: partialFilterExpresion: "partialFilterExpresion" is not an option of an index in any release; did you mean "partialFilterExpression"?`},
		{Flags{Index: []string{`{key: {_ts: 1}, expireAfterSeconds: 5, expireAfterSecond: 5}`}, CosmosMongo: true}, cli.ExitUsage, `did you mean "expireAfterSeconds"?`},
		{Flags{Index: []string{`db.createCollection("a", {timeseries: {timeField: "t", bucketMaxSpanSecond: 5}, expireAfterSeconds: 5})`}, Server: "4.2"}, cli.ExitInput, "timeseries"},
		{Flags{Index: []string{`schema.index({at: 1}, {expires: TTL})`}}, cli.ExitUsage, "expires is TTL, which is not evaluated here"},
		{Flags{Index: []string{`db.c.createIndex({at: 1}, {expireAfterSeconds: 5})`}, ExpireAfter: "1"}, cli.ExitUsage, "whole index"},
		{Flags{Index: []string{`db.createCollection("a", {capped: true})`, `db.createCollection("b", {})`}}, cli.ExitUsage, "two collections"},
		{Flags{Index: []string{`{"key": {"at": 1}, "options": {"expireAfterSeconds": 3600}}`}}, cli.ExitInput, "expireAfterSeconds stands within options, where a server does not look; it belongs beside the key"},
		{Flags{Index: []string{`{"fields": {"at": 1}, "options": {"expireAfterSeconds": 3600}}`}}, cli.ExitInput, "key: is missing"},
		{Flags{Container: `[{"id":"a","defaultTtl":5},{"id":"b","defaultTtl":5}]`}, cli.ExitInput, "2 containers are written here"},
		{Flags{Container: `{"defaultTTL":60}`}, cli.ExitInput, "The property defaultTTL is not defaultTtl. As it stands time to live is off"},
		{Flags{Container: `{"DefaultTimeToLive":60}`}, cli.ExitInput, "The property DefaultTimeToLive is not defaultTtl but its name in .NET"},
		{Flags{Container: `{"defaultTtl":60,"ttlPropertypath":"/a"}`}, cli.ExitInput, "The property ttlPropertypath is not ttlPropertyPath"},
		{Flags{Container: `default_ttl = var.ttl`}, cli.ExitInput, "default_ttl mentions a time to live and is not evaluated here"},
		{Flags{Container: file(t, `default_ttl = 60`)}, cli.ExitInput, "default_ttl mentions a time to live and is not evaluated here"},
		{Flags{Metadata: file(t, "f(db.collection('c').createIndex({ at: 1 }, { expireAfterSeconds: 60 }));\nf(c.createIndex({ at: 1 }, { expireAfterSeconds: ttl }));\n")}, cli.ExitInput, ":2: expireAfterSeconds mentions a time to live, but no policy could be read there"},
		{Flags{Index: []string{`index({ created_at: 1 }, { expire_after_seconds: 60 })`}}, cli.ExitUsage, "expire_after_seconds mentions a time to live and is not evaluated here"},
		{Flags{Index: []string{`{key: {created_at: 1}, expire_after_seconds: 60}`}}, cli.ExitUsage, "expire_after_seconds is the option's name in another language"},
		{Flags{Index: []string{`db.c.create_index("at", expireAfterSeconds=timedelta(days=30).seconds)`}}, cli.ExitUsage, "which is not evaluated here"},
		{Flags{Index: []string{`[1]`}, ExpireAfter: "1"}, cli.ExitUsage, "want a document"},
		{Flags{Index: []string{`{"key":{"at":1}}`}, ExpireAfter: "1"}, cli.ExitUsage, "whole index"},
		{Flags{Index: []string{`{"key":{"at":1}}`}, Partial: "{}"}, cli.ExitUsage, "whole index"},
		{Flags{Index: at, ExpireAfter: "1", Partial: `{"k":`}, cli.ExitUsage, "--partial"},
		{Flags{Index: at, ExpireAfter: "1", Partial: `{"k":{"$ne":1}}`}, cli.ExitInput, "$ne"},
		{Flags{Index: at, ExpireAfter: "1", Server: "8"}, cli.ExitUsage, "--server"},
		{Flags{Index: at, ExpireAfter: "1", Server: "99.0"}, cli.ExitUsage, "--server"},
		{Flags{Index: at, ExpireAfter: "1", Parameter: []string{"x"}}, cli.ExitUsage, "NAME=VALUE"},
		{Flags{Index: at, ExpireAfter: "1", Parameter: []string{"=true"}}, cli.ExitUsage, "NAME=VALUE"},
		{Flags{Index: at, ExpireAfter: "1", Parameter: []string{"ttlMonitorEnabled=true"}}, cli.ExitUsage, "ttlMonitorEnabled"},
		{Flags{Index: at, ExpireAfter: "1", Parameter: []string{behaviour.LegacyNullParameter + "=on"}}, cli.ExitUsage, "must be a bool, not string"},
		{Flags{Index: at, ExpireAfter: "1", Server: "8.0.4", Parameter: []string{behaviour.LegacyNullParameter + "=true"}}, cli.ExitUsage, "8.0.4"},
		{Flags{Container: `{}`, Parameter: []string{behaviour.LegacyNullParameter + "=true"}}, cli.ExitUsage, "for MongoDB"},
		{Flags{Index: at, ExpireAfter: "1", CosmosMongo: true, Parameter: []string{behaviour.LegacyNullParameter + "=true"}}, cli.ExitUsage, "for MongoDB"},
		{Flags{Index: at, ExpireAfter: "1", Metadata: "x"}, cli.ExitUsage, "both"},
		{Flags{Index: at, ExpireAfter: "1", Capability: []string{"x"}}, cli.ExitUsage, "--cosmos-mongo"},
		{Flags{Index: at, ExpireAfter: "1", CosmosMongo: true, Capability: []string{"EnableMongo"}}, cli.ExitUsage, "--capability EnableMongo does not affect TTL; only EnableTtlOnCustomPath and mongoEnableDocLevelTTL do"},
		{Flags{Index: at, ExpireAfter: "1", CosmosMongo: true, Server: "8.0"}, cli.ExitUsage, "--server: server version 8.0: no account of Azure Cosmos DB for MongoDB has this version"},
		{Flags{Index: []string{`{}`}, ExpireAfter: "1", CosmosMongo: true}, cli.ExitInput, "no key"},
		{Flags{ExpireAfter: "1", Metadata: "x"}, cli.ExitUsage, "without an --index that is a key"},
		{Flags{Container: `{}`, Server: "8.0"}, cli.ExitUsage, "--container"},
		{Flags{Container: `{}`, Index: at}, cli.ExitUsage, "--container"},
		{Flags{Container: `{"defaultTtl":`}, cli.ExitInput, "byte 14"},
		{Flags{Container: `{"ttlPropertyPath":1}`}, cli.ExitInput, "ttlPropertyPath"},
		{Flags{Container: `/no/such/file`}, cli.ExitInput, "neither JSON nor a file"},
		{Flags{Metadata: `/no/such/file`}, cli.ExitInput, "--metadata"},
		{Flags{Metadata: file(t, `{"a":1}`)}, cli.ExitInput, "mongodump"},
		{Flags{Metadata: file(t, `{"id":"c","defaultTtl":5}`)}, cli.ExitInput, "a container of Cosmos DB; give it with --container"},
		{Flags{Metadata: file(t, `[{"ns":"a.b","key":{"t":1},"name":"t_1"},{"ns":"a.c","key":{"t":1},"name":"t_1"}]`)}, cli.ExitInput, "indexes of 2 collections; give the indexes of one"},
		{Flags{Metadata: file(t, `{"indexes":[1]}`)}, cli.ExitInput, "indexes[0]"},
		{Flags{Metadata: file(t, `{`)}, cli.ExitInput, "byte 1"},
	} {
		_, err := tc.flags.Compile()
		if cli.ExitCodeOf(err) != tc.code || err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: exit %d, %v; want %d and %q", tc.flags, cli.ExitCodeOf(err), err, tc.code, tc.want)
		}
	}
}

// TestLoad: after Load, the flags work even if their files no longer exist.
func TestLoad(t *testing.T) {
	metadata, container := file(t, `{"indexes":[{"key":{"at":1},"expireAfterSeconds":60}]}`), file(t, `{"defaultTtl": 60}`)
	for _, tc := range []struct {
		flags Flags
		want  string // the end of the description
	}{
		{Flags{Metadata: metadata}, "at_1 (1 min after at)"},
		{Flags{Container: container}, "defaultTtl 60"},
		{Flags{Container: `{"defaultTtl":5}`}, "defaultTtl 5"},
	} {
		if err := tc.flags.Load(); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(tc.flags.Metadata + tc.flags.Container); err != nil {
			t.Fatal(err)
		}
		p, err := tc.flags.Compile()
		if err != nil || !strings.HasSuffix(p.Description, tc.want) {
			t.Errorf("%+v: %v, %v, want %s", tc.flags, p, err, tc.want)
		}
	}
	if err := (&Flags{Metadata: metadata}).Load(); err == nil {
		t.Error("Load of a file that is not there has no error")
	}
}
