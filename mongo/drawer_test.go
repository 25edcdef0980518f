package mongo

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A drawer draws documents, and policies that its release can have.
type drawer struct {
	fuzzing.Random
	Release  behaviour.Version
	Profile  behaviour.Profile
	decimals bool      // the release knows decimal128
	operands *policy.D // the operands of drawn filters, by path
}

// newDrawer returns a drawer for a drawn release.
func newDrawer(r fuzzing.Random) drawer {
	return drawerOf(r, fuzzing.Pick(r, drawn.Releases...))
}

func drawerOf(r fuzzing.Random, release behaviour.Version) drawer {
	p, _ := behaviour.Of(release)
	return drawer{r, release, p, !drawn.Before(release, 3, 4, 0), new(policy.D)}
}

// WithFilters returns d, or a drawer for the newest release if the release of d has no
// partial indexes.
func (d drawer) WithFilters() drawer {
	if d.Profile.Filters == behaviour.FiltersNone {
		return drawerOf(d.Random, behaviour.Latest)
	}
	return d
}

var pathNames = []string{"a", "a", "a", "t", "b", "a.b", "a.b", "a.0", "a.a", "a.b.a", "0.a", "_id"}

// option draws an expireAfterSeconds: a number of any kind, or another value.
func (d drawer) option() policy.Value {
	switch n := d.IntN(16); {
	case n < 7:
		return policy.Int32Value(int32(d.Seconds()))
	case n < 10:
		return policy.Int64Value(d.Seconds())
	case n < 13:
		return policy.DoubleValue(fuzzing.Pick(d.Random, float64(d.Seconds()), d.Double()))
	case n < 15 && d.decimals:
		return policy.DecimalValue(d.Decimal())
	}
	return fuzzing.Pick(d.Random, policy.StringValue("5"), policy.NullValue(), policy.BoolValue(true), policy.Int32Value(1))
}

// Index draws an index as listIndexes shows it. The index is named after its position i.
func (d drawer) Index(i int) policy.D {
	x := policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: fuzzing.Pick(d.Random, pathNames...), Value: policy.Int32Value(fuzzing.Pick(d.Random, int32(1), -1))}})},
		{Key: "name", Value: policy.StringValue(string(rune('x' + i)))},
		{Key: "expireAfterSeconds", Value: d.option()},
		{Key: "sparse", Value: policy.BoolValue(d.Percent(10))},
	}
	if d.Profile.Filters != behaviour.FiltersNone && d.Percent(40) {
		x = append(x, policy.E{Key: "partialFilterExpression", Value: policy.ObjectValue(d.Filter())})
	}
	if !drawn.Before(d.Release, 3, 4, 0) && d.Percent(10) {
		x = append(x, policy.E{Key: "collation", Value: policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("en")}})})
	}
	return x
}

// Filter draws a partialFilterExpression that the release accepts.
func (d drawer) Filter() policy.D {
	if d.Profile.Filters == behaviour.FiltersNested {
		return d.clause(2)
	}
	return d.clause(0)
}

func (d drawer) clause(depth int) policy.D {
	if depth == 0 || d.Percent(60) {
		var all policy.D
		for range 1 + d.IntN(2) {
			path := fuzzing.Pick(d.Random, pathNames...)
			all = append(all, policy.E{Key: path, Value: d.predicates(path)})
		}
		return all
	}
	var parts policy.A
	for range 1 + d.IntN(3) {
		parts = append(parts, policy.ObjectValue(d.clause(depth-1)))
	}
	return policy.D{{Key: fuzzing.Pick(d.Random, "$and", "$or"), Value: policy.ListValue(parts)}}
}

func (d drawer) predicates(path string) policy.Value {
	if d.Percent(30) {
		return d.operand(path)
	}
	ops := []string{"$eq", "$gt", "$gte", "$lt", "$lte", "$exists", "$type", "$in"}
	if d.Profile.Filters != behaviour.FiltersNested {
		ops = ops[:7]
	}
	op := fuzzing.Pick(d.Random, ops...)
	v := d.operand(path)
	switch op {
	case "$exists":
		v = policy.BoolValue(true)
	case "$type":
		v = policy.StringValue(fuzzing.Pick(d.Random, "date", "array", "object", "null", "int", "string", "long", "double"))
	case "$in":
		v = policy.ListValue(policy.A{v, d.operand(path), d.operand(path)}[:1+d.IntN(3)])
	}
	return policy.ObjectValue(policy.D{{Key: op, Value: v}})
}

// operand draws a value of the kinds that occur in the documents, except a regular
// expression, which would be another predicate.
func (d drawer) operand(path string) policy.Value {
	for {
		for _, f := range fieldsOf(d.Random.Document(1, "x", "a")) {
			if d.isOperand(f.Value) {
				*d.operands = append(*d.operands, policy.E{Key: path, Value: f.Value})
				return f.Value
			}
		}
	}
}

// Document draws a document of BSON. Half of the documents have an operand of a drawn
// filter at its path, so that values of all types are compared with equal values.
func (d drawer) Document(depth int, names ...string) []byte {
	raw := d.Random.Document(depth, names...)
	if len(*d.operands) == 0 || d.Percent(50) {
		return raw
	}
	held := fuzzing.Pick(d.Random, *d.operands...)
	path := strings.Split(held.Key, ".")
	for _, name := range slices.Backward(path[1:]) {
		held.Value = policy.ObjectValue(policy.D{{Key: name, Value: held.Value}})
	}
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(append(fieldsOf(raw), policy.E{Key: path[0], Value: held.Value})))
	if err != nil {
		panic(err)
	}
	return raw
}

func fieldsOf(raw []byte) policy.D {
	doc, err := policy.ParseBSON(raw)
	if err != nil {
		panic(err)
	}
	return policy.DOf(doc.Value())
}

func (d drawer) isOperand(v policy.Value) bool {
	text := v.String()
	return v.Kind() != policy.Undefined && !strings.Contains(text, "$regularExpression") && (d.decimals || !strings.Contains(text, "$numberDecimal"))
}

// Collection draws a collection as listCollections and listIndexes show it.
func (d drawer) Collection() (options, indexes policy.Value) {
	var c policy.D
	switch n := d.IntN(16); {
	case n < 3 && !drawn.Before(d.Release, 5, 0, 0):
		return policy.ObjectValue(policy.D{
			{Key: "timeseries", Value: policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("t")}, {Key: "metaField", Value: policy.StringValue("m")},
				{Key: "granularity", Value: policy.StringValue(fuzzing.Pick(d.Random, "seconds", "minutes", "hours"))}})},
			{Key: "expireAfterSeconds", Value: policy.Int64Value(max(0, d.Seconds()))},
			{Key: "requiresExtendedRangeSupport", Value: policy.BoolValue(d.Percent(10))},
		}), policy.ListValue(nil)
	case n < 5 && !drawn.Before(d.Release, 5, 3, 0):
		c = policy.D{{Key: "clusteredIndex", Value: policy.BoolValue(true)}, {Key: "expireAfterSeconds", Value: policy.Int64Value(max(0, d.Seconds()))}}
	}
	var list policy.A
	for i := range 1 + d.IntN(3) {
		list = append(list, policy.ObjectValue(d.Index(i)))
	}
	return policy.ObjectValue(c), policy.ListValue(list)
}
