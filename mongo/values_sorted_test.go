package mongo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestTimeSeriesSortedMetadata: a filter compares the metadata of a measurement with the
// fields of its documents sorted, as the server stores it; it compares the metadata of a
// stored bucket unchanged.
func TestTimeSeriesSortedMetadata(t *testing.T) {
	in, out, unspecified := rules.SeriesBucket.ID(), rules.FilterMismatch.ID(), rules.FilterUnspecified.ID()
	const due = policy.Instant(1699999980+3600+10) * 1000
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"f%03d":1`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	tests := []struct{ why, filter, meta, rule string }{
		{"a filter that is not sorted takes in nothing", `{"m":{"b":1,"a":2}}`, `{"b":1,"a":2}`, out},
		{"nor the sorted document", `{"m":{"b":1,"a":2}}`, `{"a":2,"b":1}`, out},
		{"a sorted one takes in what is not", `{"m":{"a":2,"b":1}}`, `{"b":1,"a":2}`, in},
		{"and what is", `{"m":{"a":2,"b":1}}`, `{"a":2,"b":1}`, in},
		{"a field more", `{"m":{"a":2,"b":1}}`, `{"b":1,"a":2,"c":3}`, out},
		{"a field less", `{"m":{"a":2,"b":1,"c":3}}`, `{"b":1,"a":2}`, out},
		{"capitals come first", `{"m":{"B":1,"a":2}}`, `{"a":2,"B":1}`, in},
		{"a name comes before those that it begins", `{"m":{"a":2,"ab":1}}`, `{"ab":1,"a":2}`, in},
		{"digits are text", `{"m":{"10":1,"9":2}}`, `{"9":2,"10":1}`, in},
		{"documents within", `{"m":{"a":{"x":1,"y":2},"b":1}}`, `{"b":1,"a":{"y":2,"x":1}}`, in},
		{"documents at the end of a path", `{"m.a":{"x":1,"y":2}}`, `{"a":{"y":2,"x":1}}`, in},
		{"documents in arrays", `{"m":[{"x":1,"y":2},3]}`, `[{"y":2,"x":1},3]`, in},
		{"an element of an array", `{"m":{"x":1,"y":2}}`, `[{"y":2,"x":1},3]`, in},
		{"arrays keep their order", `{"m":{"a":[1,2]}}`, `{"a":[2,1]}`, out},
		{"$in", `{"m":{"$in":[5,{"x":1,"y":2}]}}`, `{"y":2,"x":1}`, in},
		{"within $and and $or", `{"$or":[{"m":5},{"$and":[{"m":{"x":1,"y":2}},{"m.x":1}]}]}`, `{"y":2,"x":1}`, in},
		{"order: the least name decides", `{"m":{"$lt":{"a":3}}}`, `{"b":9,"a":2}`, in},
		{"order: the least name decides", `{"m":{"$gt":{"a":3}}}`, `{"b":9,"a":2}`, out},
		{"order: types before names", `{"m":{"$lt":{"a":"x"}}}`, `{"b":"y","a":2}`, in},
		{"a name twice is left to chance", `{"m":{"a":1,"b":2}}`, `{"a":1,"b":2,"a":1}`, unspecified},
		{"behind a difference it does not matter", `{"m":{"a":1,"b":2}}`, `{"b":1,"a":2,"b":1}`, out},
		{"code with scope is none", `{"m":{"$code":"f","$scope":{"b":1,"a":2}}}`, `{"$code":"f","$scope":{"b":1,"a":2}}`, in},
		{"as many fields as are compared", `{"m":` + many(256) + `}`, many(256), in},
		{"a field too many", `{"m":` + many(257) + `}`, many(257), unspecified},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := vectorCollection(t, "8.2.0", `{"timeseries":{"timeField":"ts","metaField":"m"}}`,
				`[{"key":{"ts":1},"expireAfterSeconds":10,"partialFilterExpression":`+tt.filter+`}]`)
			deadline := due
			if tt.rule != in {
				deadline = kept
			}
			checkVector(t, c, dates(`{"m":`+tt.meta+`,"ts":`+someTime+`}`), tt.rule, deadline)
		})
	}
	c := vectorCollection(t, "6.3.0", `{"timeseries":{"timeField":"ts","metaField":"m"}}`,
		`[{"key":{"ts":1},"expireAfterSeconds":10,"partialFilterExpression":{"m":{"a":2,"b":1}}}]`)
	checkVector(t, c, storedBucket(1699999980, 1699999980_000, 1700000000_000, `{"a":2,"b":1}`), in, due)
	checkVector(t, c, storedBucket(1699999980, 1699999980_000, 1700000000_000, `{"b":1,"a":2}`), out, kept)
	listless := &drawn.Row{Columns: policy.D{{Key: "ts", Value: policy.DateValue(5)}, {Key: "m", Value: policy.ObjectValue(&drawn.Row{})}}}
	if d := c.Decide(listless, 0); d.State != policy.Never || d.Rule.ID() != unspecified {
		t.Errorf("metadata that cannot list its fields: %v by %s, want never by %s", d.State, d.Rule, unspecified)
	}
}
