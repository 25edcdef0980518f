package boltttl

import (
	"bytes"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// TestCatalogKeepsEverything: a stored option is read back unchanged, the type
// of its number included.
func TestCatalogKeepsEverything(t *testing.T) {
	for _, tt := range []struct{ options, indexes string }{
		{`{}`, `[]`},
		{`{"capped":true}`, `[{"name":"n","key":{"a.b":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}]`},
		{`{"clusteredIndex":true,"expireAfterSeconds":{"$numberLong":"5"}}`, `[{"name":"_id_","key":{"_id":1},"clustered":true}]`},
		{`{"viewOn":""}`, `[]`},
		{`{"timeseries":{"timeField":"t"},"expireAfterSeconds":"off","requiresExtendedRangeSupport":true}`, `[]`},
		{`{}`, `[{"name":"a","key":{"a":-1},"expireAfterSeconds":null,"sparse":true},
			{"name":"b","key":{"b":1.0,"c":"hashed"},"expireAfterSeconds":"60","unique":true,"prepareUnique":true},
			{"name":"c","key":{"c":1},"expireAfterSeconds":{"$numberDecimal":"1.50"},"hidden":true,
				"partialFilterExpression":{"a":{"$gt":5}},"collation":{"locale":"de"}}]`},
	} {
		want, err := mongo.ParseListedCollection(value(tt.options), value(tt.indexes))
		must(t, err)
		raw, err := encodeSpec(want)
		must(t, err)
		got, err := decodeSpec(raw)
		must(t, err)
		checkSameSpec(t, got, want)
		again, err := encodeSpec(got)
		must(t, err)
		if !bytes.Equal(again, raw) {
			t.Errorf("%s %s is not encoded alike twice", tt.options, tt.indexes)
		}
	}
}

// checkSameSpec compares two specifications.
func checkSameSpec(t *testing.T, got, want mongo.CollectionSpec) {
	t.Helper()
	if got.Capped != want.Capped || got.Clustered != want.Clustered || got.View != want.View || got.ExtendedRange != want.ExtendedRange ||
		got.TimeSeries.String() != want.TimeSeries.String() || got.ExpireAfterSeconds.String() != want.ExpireAfterSeconds.String() ||
		len(got.Indexes) != len(want.Indexes) {
		t.Fatalf("decodeSpec(encodeSpec(%+v)) = %+v", want, got)
	}
	for i, w := range want.Indexes {
		g := got.Indexes[i]
		if text(g) != text(w) || g.Sparse != w.Sparse || g.Unique != w.Unique || g.Hidden != w.Hidden ||
			g.PrepareUnique != w.PrepareUnique || g.Clustered != w.Clustered {
			t.Errorf("index %d comes back as %+v, want %+v", i, g, w)
		}
	}
}

// text returns the properties of an index that are not flags.
func text(x mongo.IndexSpec) string {
	key := ""
	for _, e := range x.Key {
		key += e.Key + ":" + e.Value.String() + " "
	}
	return x.Name + " " + key + x.ExpireAfterSeconds.String() + x.PartialFilterExpression.String() + x.Collation.String()
}
