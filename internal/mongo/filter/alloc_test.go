//go:build !race

package filter

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
)

func TestAllocFilter(t *testing.T) {
	doc := drawn.BSONOf(t, drawn.Value(t, `{"s":"text","n":{"$numberDecimal":"7.25"},"d":{"$numberDouble":"0.5"},
		"o":{"x":"y","z":[1,{"w":"v"}]},"a":[{"b":[1,2]},{"b":"c"}],"c":{"$code":"f"},"i":{"$numberLong":"9007199254740993"}}`))
	for _, filter := range []string{
		`{"s":{"$gte":"t"}}`, `{"n":{"$gt":7}}`, `{"n":{"$lt":{"$numberDouble":"7.5"}}}`, `{"d":{"$lt":{"$numberDecimal":"0.6"}}}`,
		`{"i":{"$gt":{"$numberDouble":"9007199254740992"}}}`, `{"i":{"$lt":{"$numberDecimal":"9E+30"}}}`,
		`{"o":{"x":"y","z":[1,{"w":"v"}]}}`, `{"a.b":{"$all":[2,"c"]}}`, `{"a.1.b":{"$in":["x","c"]}}`, `{"c":{"$code":"f"}}`,
		`{"$or":[{"s":5},{"none":null}],"a":{"$type":["array"]}}`,
	} {
		f := mustFilter(t, "8.0.4", filter, "")
		if n := testing.AllocsPerRun(100, func() { f.matchDocument(&doc) }); n != 0 {
			t.Errorf("%s: %v allocations, want 0", filter, n)
		}
		if got := f.matchDocument(&doc); got != Inside {
			t.Errorf("%s: %v, want %v", filter, got, Inside)
		}
	}
}
