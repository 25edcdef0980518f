package command

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A faultyField is a field of an index with the code by which releases since 3.4 refuse
// its value, read in their sources.
type faultyField struct {
	name  string
	value policy.Value
	// code returns the code in release 3.4, 3.6, 4.0 or 4.2, given as 304, 306, 400 or 402;
	// 0 means that the value is valid.
	code func(minor int) int32
}

func faulty(name string, value policy.Value, code int32) faultyField {
	return faultyField{name, value, func(int) int32 { return code }}
}

func since(first int, code int32) func(int) int32 {
	return func(minor int) int32 {
		if minor >= first {
			return code
		}
		return 0
	}
}

// faultyFields holds the values of each field, the valid value first.
var faultyFields = [][]faultyField{
	{
		faulty("key", policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}}), 0),
		faulty("key", policy.StringValue("a"), 14),
		faulty("key", policy.ObjectValue(policy.D{}), 67),
		faulty("key", policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(0)}}), 67),
		faulty("key", policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}, {Key: "a", Value: policy.Int32Value(0)}}), 2),
		faulty("key", policy.ObjectValue(policy.D{{Key: "a.", Value: policy.Int32Value(1)}}), 67),
	},
	{
		faulty("name", policy.StringValue("n"), 0),
		faulty("name", policy.NullValue(), 14),
	},
	{
		faulty("v", policy.Int32Value(2), 0),
		faulty("v", policy.StringValue("2"), 14),
		faulty("v", policy.DoubleValue(1.5), 2),
		faulty("v", policy.Int32Value(3), 67),
	},
	{
		faulty("collation", policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("simple")}}), 0),
		faulty("collation", policy.StringValue("fr"), 14),
		faulty("collation", policy.ObjectValue(policy.D{}), 2),
	},
	{
		faulty("ns", policy.StringValue("d.c"), 0),
		faulty("ns", policy.Int32Value(1), 14),
		faulty("ns", policy.StringValue("d.d"), 2),
	},
	{
		faulty("partialFilterExpression", policy.ObjectValue(policy.D{{Key: "b", Value: policy.Int32Value(1)}}), 0),
		{"partialFilterExpression", policy.Int32Value(1), since(306, 14)},
		{"partialFilterExpression", policy.ObjectValue(policy.D{{Key: "$foo", Value: policy.Int32Value(1)}}), since(306, 2)},
	},
	{
		faulty("background", policy.StringValue("x"), 0),
	},
}

func TestModelSpecificationOrder(t *testing.T) { rapid.Check(t, checkSpecificationOrder) }

// checkSpecificationOrder shuffles the fields of a specification. The first fault in that
// order decides, except that a field with an unknown name comes before all others, and
// missing fields come last.
func checkSpecificationOrder(t *rapid.T) {
	release := rapid.SampledFrom([]behaviour.Version{drawn.Release(3, 4, 0), drawn.Release(3, 6, 0), drawn.Release(4, 0, 0), drawn.Release(4, 2, 0)}).Draw(t, "release")
	minor := int(release.Major)*100 + int(release.Minor)
	var fields []faultyField
	missing := false
	for _, values := range faultyFields {
		left := rapid.IntRange(0, 9).Draw(t, "left out") == 0
		required := values[0].name == "key" || values[0].name == "name"
		missing = missing || left && required
		if !left {
			fields = append(fields, rapid.SampledFrom(values).Draw(t, "value"))
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "unknown") == 0 {
		fields = append(fields, faulty("foo", policy.Int32Value(1), 0))
	}
	fields = rapid.Permutation(fields).Draw(t, "order")
	var index policy.D
	var want int32
	unknown := false
	for _, f := range fields {
		index = append(index, policy.E{Key: f.name, Value: f.value})
		unknown = unknown || f.name == "foo"
		if want == 0 {
			want = f.code(minor)
		}
	}
	switch {
	case unknown:
		want = 197
	case want == 0 && missing:
		want = 9
	case want == 0 && minor == 304:
		return // a later check may refuse the filter
	}
	p := fixture.Profile(t, release.String())
	_, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{Namespace: "d.c"}, index, p, 0)
	var got int32
	if refused, ok := err.(*mongo.SpecError); ok {
		got = refused.Code
	}
	if got != want {
		t.Fatalf("createIndexes(%v) on %v: %v, want code %d", policy.ObjectValue(index), release, err, want)
	}
}
