package boltttl

import (
	"bytes"
	"fmt"
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
		raw, err := want.MarshalBSON()
		must(t, err)
		var got mongo.CollectionSpec
		err = got.UnmarshalBSON(raw)
		must(t, err)
		if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
			t.Errorf("%s %s is read back as\n%s, want\n%s", tt.options, tt.indexes, g, w)
		}
		again, err := got.MarshalBSON()
		must(t, err)
		if !bytes.Equal(again, raw) {
			t.Errorf("%s %s is not encoded alike twice", tt.options, tt.indexes)
		}
	}
}
