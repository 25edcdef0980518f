package broken

import (
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const hour = 3_600_000

// now is the clock of these tests; old is an hour before it, and ahead an hour after it.
const now, old, ahead = policy.Instant(1_700_000_000_000), now - hour, now + hour

func newStore(t *testing.T) *boltttl.Store {
	t.Helper()
	db, err := bbolt.Open(filepath.Join(t.TempDir(), "store"), 0o600, &bbolt.Options{NoSync: true, NoFreelistSync: true})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	store, err := boltttl.Open(db, mongo.Version{Major: 8, Minor: 0, Patch: 4})
	must(t, err)
	return store
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func d(t *testing.T, text string) policy.D {
	t.Helper()
	return policy.DOf(value(t, text))
}

// left returns the _ids of the test's documents that are left after a sweep, by the wrong
// rules of that name or, if name is "", by the right rules.
func left(t *testing.T, name string) (all []string) {
	t.Helper()
	store := newStore(t)
	r := wirettl.NewRules(store)
	if name != "" {
		var err error
		r, err = Rules(name, store)
		must(t, err)
	}
	must(t, r.Create("db.a", nil, now))
	must(t, r.Create("db.b", nil, now))
	must(t, r.Create("db.c", d(t, `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":{"$numberLong":"60"}}`), now))
	index := []policy.D{d(t, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0,"partialFilterExpression":{"in":true}}`)}
	must(t, r.CreateIndexes("db.a", index, now))
	must(t, r.CreateIndexes("db.b", index, now))
	in := policy.E{Key: "in", Value: policy.BoolValue(true)}
	date := func(i policy.Instant) policy.E { return policy.E{Key: "t", Value: policy.DateValue(i)} }
	for id, fields := range map[string]policy.D{
		"old":     {in, date(old)},
		"soon":    {in, date(now + 30_000)},
		"ahead":   {in, date(ahead)},
		"outside": {date(old)},
		"array":   {in, {Key: "t", Value: policy.ListValue(policy.A{policy.DateValue(old), policy.DateValue(ahead)})}},
		"text":    {in, {Key: "t", Value: policy.StringValue("2001-01-01T00:00:00Z")}},
		"missing": {in},
	} {
		insert(t, store, "db.a", policy.StringValue("a "+id), fields)
	}
	insert(t, store, "db.b", policy.StringValue("b old"), policy.D{in, date(old)})
	insert(t, store, "db.c", policy.DateValue(old), nil)
	_, err := r.Sweep(t.Context(), now)
	must(t, err)
	for _, ns := range []string{"db.a", "db.b", "db.c"} {
		_, err := store.Scan(ns, nil, func(raw []byte) bool {
			doc, err := policy.ParseBSON(raw)
			must(t, err)
			id, ok := doc.Field("_id").AsString()
			if !ok {
				id = "c old"
			}
			all = append(all, id)
			return true
		})
		must(t, err)
	}
	slices.Sort(all)
	return all
}

func insert(t *testing.T, store *boltttl.Store, ns string, id policy.Value, fields policy.D) {
	t.Helper()
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(append(policy.D{{Key: "_id", Value: id}}, fields...)))
	must(t, err)
	must(t, store.Insert(ns, raw))
}

// TestSweeps: each mistake deletes a document that the right rules keep, or keeps one that
// they delete, and changes nothing else.
func TestSweeps(t *testing.T) {
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"", []string{"a ahead", "a missing", "a outside", "a soon", "a text"}},
		{"array-latest", []string{"a ahead", "a array", "a missing", "a outside", "a soon", "a text"}},
		{"filter-ignored", []string{"a ahead", "a missing", "a soon", "a text"}},
		{"string-is-a-date", []string{"a ahead", "a missing", "a outside", "a soon"}},
		{"missing-is-1970", []string{"a ahead", "a outside", "a soon", "a text"}},
		{"clustered-ignored", []string{"a ahead", "a missing", "a outside", "a soon", "a text", "c old"}},
		{"sweep-early", []string{"a ahead", "a missing", "a outside", "a text"}},
		{"sweep-first-collection", []string{"a ahead", "a missing", "a outside", "a soon", "a text", "b old", "c old"}},
	} {
		if got := left(t, tt.name); !slices.Equal(got, tt.want) {
			t.Errorf("%q leaves %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestDefinitions: a wrong rule about a command shows in the stored definition, in the
// reply, or in a refusal.
func TestDefinitions(t *testing.T) {
	const (
		right  = `{"index":{"keyPattern":{"t":1},"expireAfterSeconds":{"$numberLong":"4294967296"}}}`
		option = `{"$numberInt":"60"}`
	)
	for _, tt := range []struct{ name, after string }{
		{"", `{"$numberInt":"2147483647"}`},
		{"collmod-wraps", `{"$numberInt":"0"}`},
		{"collmod-large-refused", option},
	} {
		store := newStore(t)
		r := wirettl.NewRules(store)
		if tt.name != "" {
			var err error
			r, err = Rules(tt.name, store)
			must(t, err)
		}
		must(t, r.Create("db.a", nil, now))
		must(t, r.CreateIndexes("db.a", []policy.D{d(t, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`)}, now))
		_, after, err := r.CollMod("db.a", d(t, right), now)
		spec, specErr := store.Spec("db.a")
		must(t, specErr)
		got, _ := spec.Indexes[0].ExpireAfterSeconds.AsInt64()
		want, _ := value(t, tt.after).AsInt64()
		if reply, _ := after.AsInt64(); got != want || err == nil && reply != want {
			t.Errorf("%q stores %v and replies %v, %v, want %v", tt.name, got, reply, err, want)
		}
	}
}

// TestAcceptedBeyondUse: the server accepts a definition that a mutant accepts, even if
// no catalog can hold the definition.
func TestAcceptedBeyondUse(t *testing.T) {
	store := newStore(t)
	days, err := Rules("create-granularity-of-days", store)
	must(t, err)
	must(t, days.Create("db.a", d(t, `{"timeseries":{"timeField":"t","granularity":"days"}}`), now))
	empty, err := Rules("createindexes-filter-and-of-nothing", store)
	must(t, err)
	must(t, empty.CreateIndexes("db.a", []policy.D{d(t, `{"key":{"u":1},"name":"u_1","partialFilterExpression":{"$and":[]}}`)}, now))
	spec, err := store.Spec("db.a")
	must(t, err)
	if len(spec.Indexes) != 1 {
		t.Errorf("the collection has the indexes %v, want one", spec.Indexes)
	}
}

func value(t *testing.T, text string) policy.Value {
	t.Helper()
	v, err := policy.ParseExtJSON([]byte(text))
	must(t, err)
	return v
}

// TestSweepStops: eight passes delete correctly, and the ninth deletes nothing.
func TestSweepStops(t *testing.T) {
	store := newStore(t)
	r, err := Rules("sweep-stops", store)
	must(t, err)
	must(t, r.Create("db.a", nil, now))
	must(t, r.CreateIndexes("db.a", []policy.D{d(t, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`)}, now))
	for pass := range 10 {
		insert(t, store, "db.a", policy.Int32Value(int32(pass)), policy.D{{Key: "t", Value: policy.DateValue(old)}})
		n, err := r.Sweep(t.Context(), now)
		must(t, err)
		if deletes := pass < 8; deletes != (n == 1) {
			t.Errorf("pass %d deletes %d documents, want some: %t", pass, n, deletes)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "nothing", "item-ttl-of-zero"} { // the last is not about MongoDB
		if _, err := Rules(name, newStore(t)); err == nil {
			t.Errorf("Rules(%q) = nil, want an error", name)
		}
	}
}
