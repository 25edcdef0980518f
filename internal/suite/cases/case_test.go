package cases

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestCaseWith(t *testing.T) {
	c := Case{"mongodb.decide", conformance.Target{System: conformance.MongoDB, Version: "8.0.4"}, policy.DOf(parsed(`{"a": 1, "list": [{"b": 2}, 3]}`))}
	five := policy.StringValue("five")
	for _, tt := range []struct {
		why  string
		v    policy.Value
		path []string
		want string
	}{
		{"another value", five, []string{"a"}, `{"a":"five","list":[{"b":{"$numberInt":"2"}},{"$numberInt":"3"}]}`},
		{"in an array", five, []string{"list", "0", "b"}, `{"a":{"$numberInt":"1"},"list":[{"b":"five"},{"$numberInt":"3"}]}`},
		{"an element", five, []string{"list", "1"}, `{"a":{"$numberInt":"1"},"list":[{"b":{"$numberInt":"2"}},"five"]}`},
		{"no such element", five, []string{"list", "2"}, `{"a":{"$numberInt":"1"},"list":[{"b":{"$numberInt":"2"}},{"$numberInt":"3"}]}`},
		{"a new name", five, []string{"x", "y"}, `{"a":{"$numberInt":"1"},"list":[{"b":{"$numberInt":"2"}},{"$numberInt":"3"}],"x":{"y":"five"}}`},
		{"taken away", policy.Value{}, []string{"list"}, `{"a":{"$numberInt":"1"}}`},
		{"taken away where it is not", policy.Value{}, []string{"x"}, `{"a":{"$numberInt":"1"},"list":[{"b":{"$numberInt":"2"}},{"$numberInt":"3"}]}`},
	} {
		if got := string(c.With(tt.v, tt.path...).Question().In); got != tt.want {
			t.Errorf("%s: With(%s, %v) = %s, want %s", tt.why, tt.v, tt.path, got, tt.want)
		}
	}
	if got, want := string(c.Question().In), `{"a":{"$numberInt":"1"},"list":[{"b":{"$numberInt":"2"}},{"$numberInt":"3"}]}`; got != want {
		t.Errorf("afterwards the case is %s, want %s as before", got, want)
	}
}

// TestCaseIsPlainForCosmos: values that the REST API takes are plain JSON, but instants are
// dates; 20.0 keeps its point.
func TestCaseIsPlainForCosmos(t *testing.T) {
	item := parsed(`{"ttl": {"$numberDouble": "20.0"}, "half": 0.5, "n": {"$numberLong": "5"}, "s": "a\"b", "l": [true, null, {}], "nan": {"$numberDouble": "NaN"}}`)
	c := Case{"cosmos.decide", conformance.Target{System: conformance.CosmosNoSQL}, policy.D{{Key: "now", Value: policy.DateValue(5)}, {Key: "item", Value: item}}}
	const want = `{"now":{"$date":{"$numberLong":"5"}},"item":{"ttl":20.0,"half":0.5,"n":5,"s":"a\"b","l":[true,null,{}],"nan":{"$numberDouble":"NaN"}}}`
	if got := string(c.Question().In); got != want {
		t.Errorf("the question is %s, want %s", got, want)
	}
}

func TestPlaceHolds(t *testing.T) {
	one, two := policy.Int32Value(1), policy.Int32Value(2)
	path := Path{"a", "b"}
	for _, tt := range []struct {
		got  policy.Value
		want string
	}{
		{path.Hold(one), `{"b":{"$numberInt":"1"}}`},
		{path.Hold(policy.Value{}), `{}`},
		{Place{path, 1}.Hold(one, two), `{"b":[{"$numberInt":"1"},{"$numberInt":"2"}]}`},
		{Place{path, 0}.Hold(one, two), `[{"b":{"$numberInt":"1"}},{"b":{"$numberInt":"2"}}]`},
		{Place{path, 0}.Hold(), `[]`},
	} {
		if got := string(policy.AppendExtJSON(nil, tt.got)); got != tt.want {
			t.Errorf("Hold = %s, want %s", got, tt.want)
		}
	}
}

func TestPlusEndsAtTheEnds(t *testing.T) {
	for _, tt := range []struct {
		i    policy.Instant
		ms   int64
		want policy.Instant
	}{
		{5, 3, 8}, {5, -8, -3}, {policy.MaxInstant - 1, 1, policy.MaxInstant}, {policy.MaxInstant - 1, 2, policy.MaxInstant},
		{policy.MinInstant + 1, -2, policy.MinInstant}, {policy.MinInstant, 1 << 62, policy.MinInstant + 1<<62},
	} {
		if got := Plus(tt.i, tt.ms); got != tt.want {
			t.Errorf("Plus(%d, %d) = %d, want %d", tt.i, tt.ms, got, tt.want)
		}
	}
}
