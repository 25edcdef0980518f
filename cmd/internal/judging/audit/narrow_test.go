package audit

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestNarrowFilter(t *testing.T) {
	tests := []struct {
		filter string
		every  bool
		want   string // the narrowed filter; empty if there is none
	}{
		{`{"a.b":null}`, false, `{"a.b":{"$type":"null"}}`},
		{`{"a.b":{"$eq":null}}`, false, `{"a.b":{"$type":"null"}}`},
		{`{"a.b":{"$gte":null}}`, false, `{"a.b":{"$type":"null"}}`},
		{`{"a.b":{"$lte":null,"$exists":true}}`, false, `{"a.b":{"$type":"null","$exists":true}}`},
		{`{"a.b":{"$lt":null}}`, false, `{"a.b":{"$lt":null}}`}, // the filter matches no document
		{`{"a.b":{"$gt":null}}`, false, `{"a.b":{"$gt":null}}`},
		{`{"k":"guest","a.b":null}`, false, `{"k":"guest","a.b":{"$type":"null"}}`},
		{`{"a":null}`, false, `{"a":null}`},
		{`{"a":null}`, true, `{"a":{"$type":"null"}}`},
		{`{"a":{"b":null}}`, true, `{"a":{"b":null}}`}, // the filter compares with a whole document
		{`{"$and":[{"a.b":null},{"$or":[{"c.d":null},{"e":1}]}]}`, false, `{"$and":[{"a.b":{"$type":"null"}},{"$or":[{"c.d":{"$type":"null"}},{"e":{"$numberInt":"1"}}]}]}`},
		{`{"$comment":"x","a.b":1}`, true, `{"$comment":"x","a.b":{"$numberInt":"1"}}`},
		{`{"a.b":{"$in":[1,2]}}`, false, `{"a.b":{"$in":[{"$numberInt":"1"},{"$numberInt":"2"}]}}`},
		{`{"a.b":{"$in":[1,null]}}`, false, ``},
		{`{"a.b":{"$all":[null]}}`, false, ``},
		{`{"$or":[{"a.b":{"$in":[null]}},{"c":1}]}`, false, ``},
		{`{"a.b":{"$gte":null,"$lte":null}}`, false, ``},
		{`{"a.b":{"$type":"date","$eq":null}}`, false, ``},
	}
	for _, tt := range tests {
		got, ok := narrowFilter(fixture.Value(t, tt.filter), tt.every)
		if ok != (tt.want != "") || ok && got.String() != tt.want {
			t.Errorf("narrowFilter(%s, %v) = %s, %v, want %s", tt.filter, tt.every, got, ok, tt.want)
		}
	}
	if got, ok := narrowFilter(policy.Value{}, true); ok {
		t.Errorf("narrowFilter(Missing) = %s, want none", got)
	}
}

// TestPropertyNarrowFilter: a narrowed filter matches the same documents in every
// release. In each release, the given filter matches all of these documents.
func TestPropertyNarrowFilter(t *testing.T) {
	releases := []string{"3.2.0", "3.6.0", "7.0.0", "8.0.4", "8.3.0", fixture.Latest}
	rapid.Check(t, func(rt *rapid.T) {
		filter := rapid.SampledFrom([]string{
			`{"a.b":null}`, `{"a":null}`, `{"a.b":{"$gte":null}}`, `{"a.0":null}`, `{"a.0.b":{"$lte":null}}`, `{"a.b":{"$eq":null,"$exists":true}}`, `{"c":1,"a.b.0":null}`,
		}).Draw(rt, "filter")
		whole := fixture.Value(t, filter)
		narrow, ok := narrowFilter(whole, true)
		if !ok {
			rt.Fatalf("%s has no narrower form", filter)
		}
		doc := policy.D{{Key: "a", Value: shapes.Values(3).Draw(rt, "a")}, {Key: "c", Value: policy.Int32Value(1)}}
		first := matches(t, narrow, releases[0], doc)
		for _, release := range releases {
			got, whole := matches(t, narrow, release, doc), matches(t, whole, release, doc)
			if got != first || got == inside && whole != inside {
				rt.Fatalf("%s takes %v: %s in %s, %s in %s, where %s takes it: %s", narrow, policy.ObjectValue(doc), got, release, first, releases[0], filter, whole)
			}
		}
	})
}

// inside is the result of matches if the index holds the document.
const inside = "mongo.field-missing"

// matches returns the identifier of the rule by which an index with the filter keeps a
// document without a date.
func matches(t testing.TB, filter policy.Value, release string, doc policy.Document) string {
	t.Helper()
	x, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                     policy.D{{Key: "createdAt", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(0),
		PartialFilterExpression: filter,
	}}}, fixture.Profile(t, release))
	if err != nil {
		t.Fatal(err)
	}
	return x.Decide(doc, 0).Rule.ID()
}

// shapes draws values that differ in nulls and arrays, because releases differ in nothing
// else when they match the filter.
var shapes = drawn.Kinds{
	Scalars: rapid.SampledFrom([]policy.Value{policy.NullValue(), valuefunc.F.RareValue(policy.Undefined, ""), policy.Int32Value(1)}), Names: rapid.SampledFrom([]string{"b", "0"}),
}
