package mongo

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestReads(t *testing.T) {
	const at = `{"key":{"at":1},"expireAfterSeconds":1}`
	for _, tt := range []struct{ why, version, options, indexes, want string }{
		{"no index", "8.0.4", `{}`, `[]`, ""},
		{"no TTL index", "8.0.4", `{}`, `[{"key":{"a":1}}]`, ""},
		{"a field", "8.0.4", `{}`, `[` + at + `]`, "at"},
		{"a path", "8.0.4", `{}`, `[{"key":{"a.b.c":1},"expireAfterSeconds":1}]`, "a"},
		{"a path and a filter in DocumentDB", "documentdb@0.112", `{}`, `[{"key":{"a.b.c":1},"name":"x","expireAfterSeconds":1,"partialFilterExpression":{"d.e":{"$exists":true}}}]`, "a a.b a.b.c d d.e"},
		{"two indexes", "8.0.4", `{}`, `[` + at + `,{"key":{"a":1},"expireAfterSeconds":1},{"key":{"a.b":1},"expireAfterSeconds":1}]`, "a at"},
		{"a filter", "8.0.4", `{}`, `[{"key":{"at":1},"expireAfterSeconds":1,"partialFilterExpression":{"z":{"$exists":true},"$or":[{"b.c":1},{"b.d":{"$in":[1,2]}},{"y":{"$type":"date"}}]}}]`, "at b y z"},
		{"a filter that is not looked at", "3.0.15", `{}`, `[{"key":{"at":1},"expireAfterSeconds":1,"partialFilterExpression":{"z":1}}]`, "at"},
		{"an option that is skipped, of which Key is asked", "8.0.4", `{}`, `[{"key":{"at":1},"expireAfterSeconds":"1"}]`, "at"},
		{"a compound index", "8.0.4", `{}`, `[{"key":{"at":1,"b":1},"expireAfterSeconds":1}]`, ""},
		{"clustered", "8.0.4", `{"clusteredIndex":true,"expireAfterSeconds":1}`, `[` + at + `]`, "_id at"},
		{"a time-series collection", "8.0.4", `{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":1}`, `[]`, "_id control t"},
		{"a time-series collection with an index", "8.0.4", `{"timeseries":{"timeField":"t","metaField":"m"}}`, `[{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"m.a":1}}]`, "_id control m meta t"},
	} {
		c := vectorCollection(t, tt.version, tt.options, tt.indexes)
		if got := strings.Join(c.Reads(), " "); got != tt.want {
			t.Errorf("%s: Reads() = %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestReadsDecideAlone draws policies and documents; see checkReads.
func TestReadsDecideAlone(t *testing.T) {
	shorter, expired := 0, 0
	for seed := range uint64(20_000) {
		r := fuzzing.NewRandom(binary.LittleEndian.AppendUint64(nil, seed))
		draw := newDrawer(r)
		c := drawnCollection(t, draw)
		raw := draw.Document(3, "a", "b", "t", "m", "meta", "control", "_id", "0", "other")
		d, less := checkReads(t, c, raw, policy.Instant(r.Instant()))
		if less {
			shorter++
		}
		if less && d.State == policy.Expired {
			expired++
		}
	}
	if shorter < 5000 || expired < 500 {
		t.Errorf("%d documents were cut, and %d of these had expired, want 5000 and 500", shorter, expired)
	}
}

// checkReads checks that a document with only the fields that Reads names has the same
// decision and the same keys as the whole document. It returns this decision, and reports
// whether the document has other fields.
func checkReads(t testing.TB, c *Collection, raw []byte, now policy.Instant) (want policy.Decision, less bool) {
	t.Helper()
	whole, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	some, names := policy.D{}, c.Reads()
	for f := whole.Value().Fields(); f.Next(); {
		if slices.Contains(names, f.Name()) {
			some = append(some, policy.E{Key: f.Name(), Value: f.Value()})
			continue
		}
		less = true
	}
	part := drawn.BSONOf(t, some)
	want = c.DecideBSON(raw, now)
	for how, got := range map[string]policy.Decision{"BSON": c.DecideBSON(part.Bytes(), now), "in memory": c.Decide(some, now)} {
		if got != want {
			t.Fatalf("%s: %v is decided %+v, and its fields %q %+v", how, whole.Value(), want, names, got)
		}
	}
	for i := range c.Sources() {
		key, ok := c.Key(i, &whole)
		if got, found := c.Key(i, &part); got != key || found != ok {
			t.Fatalf("%v has the key %d, %v, and its fields %q %d, %v", whole.Value(), key, ok, names, got, found)
		}
	}
	return want, less
}

// TestReadsOfBuckets: the decision about a stored bucket reads its identifier, bounds and
// metadata, but not its measurements.
func TestReadsOfBuckets(t *testing.T) {
	const bucket = `{"_id":{"$oid":"65536f000000000000000000"},"control":{"version":1,"min":{"t":D(1700000000000)},"max":{"t":D(1700000060000)}},"meta":{"a":1},"data":{"t":{"0":D(1700000000000)}}}`
	raw := drawn.BSONOf(t, drawn.Value(t, dates(bucket))).Bytes()
	const options = `"timeseries":{"timeField":"t","metaField":"m"}`
	for _, c := range []*Collection{
		vectorCollection(t, "8.0.4", `{`+options+`,"expireAfterSeconds":1}`, `[]`),
		vectorCollection(t, "8.0.4", `{`+options+`}`, `[{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"m.a":1}}]`),
	} {
		if d, less := checkReads(t, c, raw, 1_800_000_000_000); d.State != policy.Expired || !less {
			t.Errorf("a bucket is %v by %v, want it expired", d.State, d.Rule)
		}
	}
}

// TestCollectionKey: the key of a source is the key of its index, and of no other index.
func TestCollectionKey(t *testing.T) {
	c := vectorCollection(t, "8.0.4", `{"clusteredIndex":true,"expireAfterSeconds":1}`, `[{"key":{"a":1},"expireAfterSeconds":1},{"key":{"b":1},"expireAfterSeconds":"x"},{"key":{"c":1}}]`)
	doc := drawn.Value(t, dates(`{"_id":D(1),"a":[D(9),D(2)],"b":D(3),"c":D(4)}`))
	for source, want := range map[int]policy.Instant{0: 1, 1: 2, 2: 3} {
		if got, ok := c.Key(source, doc); got != want || !ok {
			t.Errorf("Key(%d) = %d, %v, want %d", source, got, ok, want)
		}
		if got, ok := c.Key(source, policy.D{}); ok {
			t.Errorf("Key(%d) of no date = %d", source, got)
		}
	}
	series := vectorCollection(t, "8.0.4", `{"timeseries":{"timeField":"a"},"expireAfterSeconds":1}`, `[]`)
	for _, none := range []struct {
		c      *Collection
		source int
	}{{c, -1}, {c, 3}, {series, 0}, {&Collection{}, 0}} {
		if got, ok := none.c.Key(none.source, doc); ok {
			t.Errorf("Key(%d) = %d, want none", none.source, got)
		}
	}
	own := &drawn.Row{Columns: policy.D{{Key: "a", Value: policy.DateValue(1)}}}
	if n := testing.AllocsPerRun(10, func() { c.Key(1, own) }); n != 0 {
		t.Errorf("Key allocates %v times, want 0", n)
	}
}
