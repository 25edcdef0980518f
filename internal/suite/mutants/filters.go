package mutants

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// filters holds misreadings of partial filters.
var filters = of("filters", []Mutant{
	{Name: "filter-ignored", Rule: "mongo.filter-mismatch", Text: "The partial filter bears on queries, not on what expires.",
		Wild:    "mongomock 4.1.2 and 256dpi/lungo, which delete documents outside of it",
		misread: sets(named(partial), missing, partial)},
})

// partial is the name of the option that makes an index partial.
const partial = "partialFilterExpression"

// uses is the shape of filters with one of the operators and an operand of a shape.
func uses(such shape, operators ...string) shape {
	return func(filter policy.Value) (found bool) {
		clauses(func(name string, v policy.Value) (string, policy.Value) {
			found = found || slices.Contains(operators, name) && such(v)
			return name, v
		})(filter)
		return found
	}
}
