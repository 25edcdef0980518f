package filter

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestElementNamesInFilters: digits in a filter's path match the name of an array's
// element too, other components do not, and the comparison of arrays includes the names
// of their elements (mongodb/mongo: path.cpp, isArrayOffsetMatch; bsonelement.cpp).
func TestElementNamesInFilters(t *testing.T) {
	for _, tt := range []struct {
		why, filter, document string
		want                  Membership
	}{
		{"an element by its position", `{"-a.0":1}`, `{"#a":{"0":1}}`, Inside},
		{"another name at that position", `{"-a.0":1}`, `{"#a":{"1":1}}`, Outside},
		{"the name at another position", `{"-a.1":1}`, `{"#a":{"1":1}}`, Inside},
		{"digits that are no position", `{"-a.01":1}`, `{"#a":{"01":1}}`, Inside},
		{"a name that is no number", `{"-a.b":1}`, `{"#a":{"b":1}}`, Outside},
		{"every element of the name", `{"-a.0":2}`, `{"#a":{"0":1,"0":2}}`, Inside},
		{"an array of other names", `{"-a":[1]}`, `{"#a":{"5":1}}`, Outside},
		{"it is greater", `{"-a":{"$gt":[1]}}`, `{"#a":{"5":1}}`, Inside},
		{"by its first name, whatever the value", `{"-a":{"$lte":[1,2]}}`, `{"#a":{"2":0,"2":0}}`, Outside},
		{"after the types", `{"-a":{"$lt":["x"]}}`, `{"#a":{"5":1}}`, Inside},
		{"its own names", `{"-a":[1]}`, `{"#a":{"0":1}}`, Inside},
	} {
		f := mustFilter(t, "8.0.4", tt.filter, "")
		raw := drawn.OddNames(t, tt.document)
		parsed, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		if got := f.matchDocument(&parsed); got != tt.want {
			t.Errorf("%s: %s takes %s: %v, want %v", tt.why, tt.filter, tt.document, got, tt.want)
		}
		if got := f.matchDocument(parsed.Value()); got != tt.want {
			t.Errorf("%s: %s takes the value %s: %v, want %v", tt.why, tt.filter, tt.document, got, tt.want)
		}
	}
	// In an operand that comes from a catalog, elements of arrays have names too.
	operand, err := policy.ParseBSON(drawn.OddNames(t, `{"#a":{"5":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	f, refused := compileClauses(policy.DOf(operand.Value()), drawn.Behaviour(t, "8.0.4"))
	if refused != nil {
		t.Fatal(refused)
	}
	if got := f.matchDocument(&operand); got != Inside {
		t.Errorf("an array takes in itself: %v, want inside", got)
	}
	if got := f.matchDocument(drawn.Value(t, `{"-a":[1]}`)); got != Outside {
		t.Errorf("an array takes in one of other names: %v, want outside", got)
	}
}
