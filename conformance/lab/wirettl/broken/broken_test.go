package broken

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const hour = 3_600_000

// now is the clock of these tests; old is an hour before it, and ahead an hour after it.
const now, old, ahead = policy.Instant(1_700_000_000_000), now - hour, now + hour

var release = mongo.Version{Major: 8, Minor: 0, Patch: 4}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func d(t *testing.T, text string) policy.D {
	t.Helper()
	v, err := policy.ParseExtJSON([]byte(text))
	must(t, err)
	return policy.DOf(v)
}

// rules returns the wrong rules of a name, the right ones for "", and the profile of the release.
func rules(t *testing.T, name string) (*wirettl.Rules, mongo.Profile) {
	t.Helper()
	p, err := mongo.ProfileOf(release)
	must(t, err)
	if name == "" {
		return wirettl.Right(), p
	}
	r, err := Rules(name, release)
	must(t, err)
	return r, p
}

// collection makes a collection by rules, with one index.
func collection(t *testing.T, r *wirettl.Rules, p mongo.Profile, ns, index string) *mongo.Collection {
	t.Helper()
	c, err := r.Create(ns, nil, p, now)
	must(t, err)
	c, _, err = r.CreateIndexes(c, []policy.D{d(t, index)}, now)
	must(t, err)
	return c
}

// bsonOf returns a document.
func bsonOf(t *testing.T, fields ...policy.E) policy.BSON {
	t.Helper()
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D(fields)))
	must(t, err)
	doc, err := policy.ParseBSON(raw)
	must(t, err)
	return doc
}

func date(name string, i policy.Instant) policy.E {
	return policy.E{Key: name, Value: policy.DateValue(i)}
}

// left returns the names of the test's documents that a pass leaves.
func left(t *testing.T, name string) (all []string) {
	t.Helper()
	r, p := rules(t, name)
	const index = `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0,"partialFilterExpression":{"in":true}}`
	a, b := collection(t, r, p, "db.a", index), collection(t, r, p, "db.b", index)
	c, err := r.Create("db.c", d(t, `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":{"$numberLong":"60"}}`), p, now)
	must(t, err)
	isDue := r.Pass(now)
	in := policy.E{Key: "in", Value: policy.BoolValue(true)}
	for _, tt := range []struct {
		name, ns string
		c        *mongo.Collection
		doc      policy.BSON
	}{
		{"a ahead", "db.a", a, bsonOf(t, in, date("t", ahead))},
		{"a array", "db.a", a, bsonOf(t, in, policy.E{Key: "t", Value: policy.ListValue(policy.A{policy.DateValue(old), policy.DateValue(ahead)})})},
		{"a missing", "db.a", a, bsonOf(t, in)},
		{"a old", "db.a", a, bsonOf(t, in, date("t", old))},
		{"a outside", "db.a", a, bsonOf(t, date("t", old))},
		{"a soon", "db.a", a, bsonOf(t, in, date("t", now+30_000))},
		{"a text", "db.a", a, bsonOf(t, in, policy.E{Key: "t", Value: policy.StringValue("2001-01-01T00:00:00Z")})},
		{"b old", "db.b", b, bsonOf(t, in, date("t", old))},
		{"c old", "db.c", c, bsonOf(t, date("_id", old))},
	} {
		if !isDue(tt.ns, tt.c, tt.doc) {
			all = append(all, tt.name)
		}
	}
	return all
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

// TestCollMod: the mistake shows in the stored definition and in the reply.
func TestCollMod(t *testing.T) {
	for name, after := range map[string]int64{"": 2147483647, "collmod-wraps": 0} {
		r, p := rules(t, name)
		c := collection(t, r, p, "db.a", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`)
		c, reply, err := r.CollMod(c, d(t, `{"index":{"keyPattern":{"t":1},"expireAfterSeconds":{"$numberLong":"4294967296"}}}`), now)
		must(t, err)
		if got, _ := c.Spec().Indexes[0].ExpireAfterSeconds.AsInt64(); got != after {
			t.Errorf("%q stores %v and replies %v, want %v", name, got, reply, after)
		}
	}
}

// TestAccepted: the server accepts a definition that MongoDB refuses.
func TestAccepted(t *testing.T) {
	for name, refused := range map[string]bool{"": true, "create-any-granularity": false} {
		r, p := rules(t, name)
		if _, err := r.Create("db.a", d(t, `{"timeseries":{"timeField":"t","granularity":"days"}}`), p, now); (err != nil) != refused {
			t.Errorf("%q: create: %v", name, err)
		}
	}
	for name, refused := range map[string]bool{"": true, "createindexes-forgetful": false} {
		r, p := rules(t, name)
		c := collection(t, r, p, "db.a", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`)
		c, _, err := r.CreateIndexes(c, []policy.D{d(t, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":70}`)}, now)
		if got, _ := c.Spec().Indexes[0].ExpireAfterSeconds.AsInt64(); (err != nil) != refused || got != 60 {
			t.Errorf("%q: createIndexes: %v, %d seconds are stored", name, err, got)
		}
	}
}

// TestSweepStops: eight passes delete correctly, and the ninth deletes nothing.
func TestSweepStops(t *testing.T) {
	r, p := rules(t, "sweep-stops")
	c := collection(t, r, p, "db.a", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`)
	for pass := range 10 {
		if isDue := r.Pass(now)("db.a", c, bsonOf(t, date("t", old))); isDue != (pass < 8) {
			t.Errorf("pass %d deletes: %t", pass, isDue)
		}
	}
}

// TestHistories: the passes go by indexes as they were made, and only history-compiled-once by
// one that was dropped.
func TestHistories(t *testing.T) {
	for name, want := range map[string][3]bool{"": {false, false, false}, "history-compiled-once": {true, true, true}, "history-collmod-ignored": {true, false, false}} {
		r, p := rules(t, name)
		doc := bsonOf(t, date("t", old))
		c := collection(t, r, p, "db.a", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`)
		empty, err := r.Create("db.a", nil, p, now)
		must(t, err)
		changed, _, err := r.CollMod(c, d(t, `{"index":{"name":"t_1","expireAfterSeconds":7200}}`), now)
		must(t, err)
		got := [3]bool{r.Pass(now)("db.a", changed, doc), r.Pass(now)("db.a", empty, doc), false}
		again, _, err := r.CreateIndexes(empty, []policy.D{d(t, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":7200}`)}, now)
		must(t, err)
		if got[2] = r.Pass(now)("db.a", again, doc); got != want {
			t.Errorf("%q deletes after collMod, dropIndexes and createIndexes: %t, want %t", name, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "nothing", "item-minus-one-is-at-once", "collmod-nan-refused"} { // the last two are not about what MongoDB deletes
		if _, err := Rules(name, release); err == nil {
			t.Errorf("Rules(%q) = nil, want an error", name)
		}
	}
}
