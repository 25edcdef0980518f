package mongo

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestIndexSpecDocument(t *testing.T) {
	for _, tt := range []struct{ index, want string }{
		{`{"key":{"t":1}}`, `{"key":{"t":1},"name":"t_1"}`},
		{`{"key":{"t":1},"name":"n","sparse":false,"unique":0,"hidden":null}`, `{"key":{"t":1},"name":"n","sparse":false}`},
		{`{"key":{"a":"2d"},"name":"n","bits":20,"dropDups":true,"sparse":1,"storageEngine":{"wiredTiger":{}}}`, `{"key":{"a":"2d"},"name":"n","bits":20,"sparse":1,"storageEngine":{"wiredTiger":{}}}`},
		{`{"clustered":true,"unique":1,"name":"_id_","key":{"_id":1},"v":2,"expireAfterSeconds":{"$numberLong":"5"}}`,
			`{"v":2,"key":{"_id":1},"name":"_id_","expireAfterSeconds":{"$numberLong":"5"},"unique":true,"clustered":true}`},
		{`{"key":{"a":-1},"name":"a_-1","collation":{"locale":"simple"},"partialFilterExpression":{"b":1},"prepareUnique":true,"hidden":true,"sparse":true,"ns":"d.c","background":true}`,
			`{"key":{"a":-1},"name":"a_-1","partialFilterExpression":{"b":1},"sparse":true,"hidden":true,"prepareUnique":true}`},
		{`{"key":{"a":1},"name":"a_1","collation":{"locale":"de"},"expireAfterSeconds":null}`, `{"key":{"a":1},"name":"a_1","expireAfterSeconds":null,"collation":{"locale":"de"}}`},
	} {
		x, err := ParseIndexSpec(drawn.Value(t, tt.index))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := policy.ObjectValue(x.Document()), drawn.Value(t, tt.want); !got.Equal(want) {
			t.Errorf("ParseIndexSpec(%s).Document() = %s, want %s", tt.index, got, want)
		}
	}
}

func TestCollectionSpecDocuments(t *testing.T) {
	for _, tt := range []struct{ options, indexes, wantOptions, wantIndexes string }{
		{`{}`, `[]`, `{}`, `[]`},
		{`null`, `null`, `{}`, `[]`},
		{`{"capped":{"$numberDecimal":"1"},"size":4096,"uuid":1,"ns":"d.c"}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`,
			`{"ns":"d.c","capped":true}`, `[{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}]`},
		{`{"clusteredIndex":true,"expireAfterSeconds":{"$numberLong":"5"}}`, `[]`,
			`{"clusteredIndex":{"v":2,"key":{"_id":1},"name":"_id_","unique":true},"expireAfterSeconds":{"$numberLong":"5"}}`, `[]`},
		{`{"timeseries":{"timeField":"t","granularity":"hours"},"requiresExtendedRangeSupport":true}`, `[]`,
			`{"timeseries":{"timeField":"t","granularity":"hours"},"requiresExtendedRangeSupport":true}`, `[]`},
		{`{"viewOn":"c","pipeline":[]}`, `[]`, `{"viewOn":""}`, `[]`},
	} {
		c, err := ParseCollectionSpec(drawn.Value(t, tt.options), drawn.Value(t, tt.indexes))
		if err != nil {
			t.Fatal(err)
		}
		options, indexes := c.Documents()
		if want := drawn.Value(t, tt.wantOptions); !options.Equal(want) {
			t.Errorf("the options of ParseCollectionSpec(%s, %s) are written as %s, want %s", tt.options, tt.indexes, options, want)
		}
		if want := drawn.Value(t, tt.wantIndexes); !indexes.Equal(want) {
			t.Errorf("the indexes of ParseCollectionSpec(%s, %s) are written as %s, want %s", tt.options, tt.indexes, indexes, want)
		}
	}
}

// values draws values that an option may have in a catalog.
func values() *rapid.Generator[policy.Value] {
	return rapid.OneOf(
		rapid.Map(drawn.StoredOptions(), func(m drawn.Stored) policy.Value { return m.Value }),
		rapid.SampledFrom([]policy.Value{{}, {}, policy.NullValue(), policy.BoolValue(true), policy.BoolValue(false), policy.ListValue(policy.A{}),
			policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("simple")}}), policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("fr")}})}))
}

// drawnFields returns a document with some of the fields.
func drawnFields(t *rapid.T, names ...string) policy.D {
	var d policy.D
	for _, name := range names {
		if v := values().Draw(t, name); !v.IsMissing() {
			d = append(d, policy.E{Key: name, Value: v})
		}
	}
	return d
}

// TestLawSpecsRoundTrip: a specification that is written as documents, encoded in BSON and
// read back is unchanged.
func TestLawSpecsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		options := drawnFields(t, "capped", "timeseries", "clusteredIndex", "viewOn", "expireAfterSeconds", "requiresExtendedRangeSupport")
		var indexes policy.A
		for range rapid.IntRange(0, 3).Draw(t, "indexes") {
			x := drawnFields(t, "v", "expireAfterSeconds", "partialFilterExpression", "collation", "sparse", "unique", "hidden", "prepareUnique", "clustered", "other")
			indexes = append(indexes, policy.ObjectValue(append(x, policy.E{Key: "key", Value: policy.ObjectValue(drawnFields(t, "a", "b.c"))})))
		}
		c, err := ParseListedCollection(policy.ObjectValue(options), policy.ListValue(indexes))
		if err != nil {
			t.Fatal(err)
		}
		writtenOptions, writtenIndexes := c.Documents()
		read := drawn.BSONOf(t, policy.D{{Key: "options", Value: writtenOptions}, {Key: "indexes", Value: writtenIndexes}})
		again, err := ParseListedCollection(read.Field("options"), read.Field("indexes"))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := plainSpec(c), plainSpec(again); a != b {
			t.Fatalf("%s is read back as %s", a, b)
		}
	})
}

// plainSpec returns a text with all fields of a specification.
func plainSpec(c CollectionSpec) string {
	text := fmt.Sprint(c.Namespace, c.Capped, c.Clustered, c.View, c.Encrypted, c.ExtendedRange, c.TimeSeries, c.ExpireAfterSeconds)
	for _, x := range c.Indexes {
		text += fmt.Sprint("\n", x.Name, policy.ObjectValue(x.Key), x.Version, x.ExpireAfterSeconds, x.PartialFilterExpression, x.Collation,
			x.Sparse, x.Unique, x.Hidden, x.PrepareUnique, x.Clustered, policy.ObjectValue(x.Options))
	}
	return text
}
