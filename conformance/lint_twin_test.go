package conformance

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/jsonfile"
)

func asking(t *testing.T, in string) *Vector {
	t.Helper()
	var found jsonfile.Problems
	n, ok := found.Parse("in", []byte(in))
	if !ok {
		t.Fatal(found)
	}
	return &Vector{question: n}
}

func TestDifferencesCountPlaces(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{`{"a":1}`, `{ "a" : 1 }`, 0},
		{`{"a":1,"b":2}`, `{"a":1}`, 1},
		{`{"a":1}`, `{"a":1,"b":2}`, 1},
		{`{"a":1,"b":2}`, `{"a":3,"b":4}`, 2},
		{`{"a":1}`, `{"b":1}`, 1}, // renamed
		{`{"a":1}`, `{"b":2}`, 2}, // renamed, and another value
		{`{"a":1,"b":1}`, `{"b":1,"c":1}`, 2},
		{`{"a":{"$date":{"$numberLong":"1"}}}`, `{"a":{"$date":{"$numberLong":"2"}}}`, 1},
		{`{"a":{"$date":{"$numberLong":"1"}}}`, `{"a":null}`, 1},
		{`{"a":{"$gt":1}}`, `{"a":{"$lte":2}}`, 1},
		{`{"a":[1,2,3]}`, `{"a":[1,5,4]}`, 2},
		{`{"a":[1,2,3]}`, `{"a":[1]}`, 1},
		{`{"a":[{"b":1},{"b":2}]}`, `{"a":[{"b":1},{"b":3}]}`, 1},
		{`{"a":{"b":{"c":1,"d":2}}}`, `{"a":{"b":{"c":2,"d":2}}}`, 1},
		{`{"a":{}}`, `{"a":[]}`, 1},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, 1},
		{`{"a":1,"a":2}`, `{"a":2}`, 1},
	} {
		if got := differences(asking(t, tt.a), asking(t, tt.b)); got != tt.want {
			t.Errorf("differences(%s, %s) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
	able := asking(t, `{}`)
	able.Want = []Row{{TargetRange: TargetRange{Capabilities: []string{"x"}}}}
	if got := differences(able, asking(t, `{}`)); got != 1 {
		t.Errorf("differences of an account's capabilities = %d, want 1", got)
	}
	set := asking(t, `{}`)
	set.Want = []Row{{TargetRange: TargetRange{Parameters: Parameters{"x": true}}}}
	if got := differences(set, asking(t, `{}`)); got != 1 {
		t.Errorf("differences of a server's parameters = %d, want 1", got)
	}
}
