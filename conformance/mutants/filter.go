package mutants

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// partial is the name of what makes an index partial.
const partial = "partialFilterExpression"

// refilters decides as if partial filters were others.
func refilters(edit func(filter policy.Value) policy.Value) misreading {
	return rewrites(named(partial), func(x policy.Value) policy.Value { return put(x, edit(x.Field(partial)), partial) })
}

// operators puts another operator in place of each, with another operand.
func operators(change func(operator string, operand policy.Value) (string, policy.Value)) misreading {
	return refilters(func(filter policy.Value) policy.Value {
		return clauses(filter, func(name string, v policy.Value) (string, policy.Value) {
			if strings.HasPrefix(name, "$") {
				return change(name, v)
			}
			return name, v
		})
	})
}

// operator puts one operator in place of another.
func operator(from, to string) misreading {
	return operators(func(name string, operand policy.Value) (string, policy.Value) {
		if name == from {
			name = to
		}
		return name, operand
	})
}

// operand puts another operand in place of that of an operator.
func operand(of string, change func(policy.Value) policy.Value) misreading {
	return operators(func(name string, operand policy.Value) (string, policy.Value) {
		if name == of {
			operand = change(operand)
		}
		return name, operand
	})
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
func facts(such test, change func(policy.Value) policy.Value) misreading {
	return only(decide, such, asks(decide, func(q query) query { return q.withFacts(change) }))
}

func (q query) withFacts(change func(policy.Value) policy.Value) query {
	roots := q.roots()
	d := policy.D{}
	for _, e := range policy.DOf(q.get("document")) {
		if !roots[e.Key] {
			e.Value = change(e.Value)
		}
		if !e.Value.IsMissing() {
			d = append(d, e)
		}
	}
	return q.with(policy.ObjectValue(d), "document")
}

// becomes returns a change of those values at any depth that pass a test.
func becomes(such func(policy.Value) bool, to policy.Value) func(policy.Value) policy.Value {
	return func(v policy.Value) policy.Value {
		return leaves(v, func(v policy.Value) policy.Value {
			if such(v) {
				return to
			}
			return v
		})
	}
}

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
		questions = append(questions, q.with(policy.ListValue(policy.A{put(all[0], f, partial)}), "indexes"))
	}
	return questions
}
