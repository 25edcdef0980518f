package mutants

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// partial is the name of what makes an index partial.
const partial = "partialFilterExpression"

// refilters decides as if partial filters were others.
func refilters(edit func(filter policy.Value) policy.Value) misreading {
	return rewrites(named(partial), func(x policy.Value) policy.Value { return cases.Put(x, edit(x.Field(partial)), partial) })
}

// operator puts one operator in place of another.
func operator(from, to string) misreading {
	return refilters(func(filter policy.Value) policy.Value {
		return clauses(filter, func(name string, v policy.Value) (string, policy.Value) {
			if name == from {
				name = to
			}
			return name, v
		})
	})
}

// operand puts another operand in place of that of an operator.
func operand(of string, edit change) misreading {
	return refilters(func(filter policy.Value) policy.Value { return operands(filter, of, edit) })
}

// operands returns a filter with the operands of an operator changed, renameFields
// with parts of names replaced.
func operands(filter policy.Value, of string, edit change) policy.Value {
	return clauses(filter, func(name string, v policy.Value) (string, policy.Value) {
		if name == of {
			v = edit(v)
		}
		return name, v
	})
}

func renameFields(filter policy.Value, part, by string) policy.Value {
	return clauses(filter, func(name string, v policy.Value) (string, policy.Value) { return strings.ReplaceAll(name, part, by), v })
}

// clauses returns a filter with every name and what stands behind it changed,
// the innermost first.
func clauses(filter policy.Value, change func(name string, v policy.Value) (string, policy.Value)) policy.Value {
	switch filter.Kind() {
	case policy.Object:
		d := policy.D{}
		for _, e := range policy.DOf(filter) {
			name, v := change(e.Key, clauses(e.Value, change))
			d = append(d, policy.E{Key: name, Value: v})
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for _, v := range policy.AOf(filter) {
			a = append(a, clauses(v, change))
		}
		return policy.ListValue(a)
	}
	return filter
}

// facts decides as if the document held other values in the fields that no
// index is on; what becomes Missing is not there.
func facts(such test, edit change) misreading {
	return only(decide, such, asks(decide, func(q query) query { return q.withFacts(edit) }))
}

func (q query) withFacts(edit change) query { return q.withFields(false, edit) }

// filters returns the partial filters of the question.
func (q query) filters() (all []policy.Value) {
	for _, x := range policy.AOf(q.get("indexes")) {
		if f := x.Field(partial); f.Kind() == policy.Object {
			all = append(all, f)
		}
	}
	return all
}

// isPartial tests for a partial filter.
func isPartial(q query) bool { return len(q.filters()) > 0 }

// says tests for an operator, with such an operand.
func says(operator string, such func(policy.Value) bool) test {
	return func(q query) (found bool) {
		for _, f := range q.filters() {
			clauses(f, func(name string, v policy.Value) (string, policy.Value) {
				found = found || name == operator && such(v)
				return name, v
			})
		}
		return found
	}
}

func anyValue(policy.Value) bool { return true }

func isText(s string) func(policy.Value) bool {
	return func(v policy.Value) bool { have, ok := v.AsString(); return ok && have == s }
}

// withFilters returns q once for each partial filter that choices makes of its
// first index's.
func (q query) withFilters(choices func(filter policy.Value) []policy.Value) (questions []query) {
	all := policy.AOf(q.get("indexes"))
	if len(all) != 1 || !isPartial(q) {
		return []query{q}
	}
	for _, f := range choices(all[0].Field(partial)) {
		questions = append(questions, q.with(policy.ListValue(policy.A{cases.Put(all[0], f, partial)}), "indexes"))
	}
	return questions
}
