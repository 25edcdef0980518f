package mingo

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The values of each kind are drawn from a short list, so that equal values and
// boundaries are frequent. Only kinds that JavaScript can hold are drawn.

func randomScalar(r *rand.Rand) policy.Value {
	switch r.IntN(7) {
	case 0:
		return policy.NullValue()
	case 1:
		return policy.BoolValue(r.IntN(2) == 0)
	case 2:
		return policy.StringValue([]string{"", "a", "b", "5"}[r.IntN(4)])
	case 3:
		return policy.DoubleValue([]float64{-1.5, 4.5, 5, 6}[r.IntN(4)])
	case 4, 5:
		return randomDate(r)
	}
	return policy.Int32Value(int32([]int{-1, 0, 5, 6}[r.IntN(4)]))
}

func randomValue(r *rand.Rand, depth int) policy.Value {
	switch n := r.IntN(10); {
	case depth == 0 || n < 4:
		return randomScalar(r)
	case n < 7:
		a := make(policy.A, r.IntN(4))
		for i := range a {
			a[i] = randomValue(r, depth-1)
		}
		return policy.ListValue(a)
	}
	return policy.ObjectValue(randomFields(r, depth-1))
}

func randomFields(r *rand.Rand, depth int) policy.D {
	d := policy.D{}
	for _, name := range []string{"a", "b", "0", "1"} {
		if r.IntN(2) == 0 {
			d = append(d, policy.E{Key: name, Value: randomValue(r, depth)})
		}
	}
	return d
}

func randomDate(r *rand.Rand) policy.Value {
	return policy.DateValue(policy.Instant([]int64{-1, 999, 1000, 1001}[r.IntN(4)]))
}

// documentWith returns a document that often has a value at a path, with
// arrays on the way and at its end.
func documentWith(r *rand.Rand, path string, v policy.Value) policy.D {
	d := randomFields(r, 3)
	if r.IntN(4) == 0 {
		return d
	}
	names := strings.Split(path, ".")
	switch r.IntN(12) {
	case 0:
		v = policy.ListValue(policy.A{policy.ListValue(policy.A{v})})
	case 1, 2, 3, 4:
		v = policy.ListValue(policy.A{randomScalar(r), v})
	}
	for i := len(names) - 1; i > 0; i-- {
		v = holding(r, names[i], v)
	}
	others := slices.DeleteFunc(d, func(e policy.E) bool { return e.Key == names[0] })
	return append(policy.D{{Key: names[0], Value: v}}, others...)
}

// holding returns a document or an array with a value under a name.
func holding(r *rand.Rand, name string, v policy.Value) policy.Value {
	if i, err := strconv.Atoi(name); err == nil && r.IntN(2) == 0 {
		array := policy.A{randomScalar(r), randomScalar(r)}
		array[i] = v
		return policy.ListValue(array)
	}
	v = policy.ObjectValue(policy.D{{Key: name, Value: v}})
	if r.IntN(3) == 0 {
		return policy.ListValue(policy.A{randomScalar(r), v, randomValue(r, 1)})
	}
	return v
}

func randomPath(r *rand.Rand) string {
	return []string{"a", "b", "a.b", "a.a", "a.0", "a.1", "a.0.b", "a.b.a", "a.b.0", "b.1.a"}[r.IntN(10)]
}

// randomQuestion draws a filter and a document that is likely related to it.
func randomQuestion(r *rand.Rand) question {
	filter := randomFilter(r, 2)
	path, operand := likely(filter[0])
	return question{filter, documentWith(r, path, operand)}
}

// likely returns the path of a term's first predicate and a value that may
// meet it.
func likely(term policy.E) (string, policy.Value) {
	if strings.HasPrefix(term.Key, "$") {
		e := term.Value.Elements()
		e.Next()
		f := e.Value().Fields()
		f.Next()
		return likely(policy.E{Key: f.Name(), Value: f.Value()})
	}
	f := term.Value.Fields()
	if f.Next() && strings.HasPrefix(f.Name(), "$") {
		return term.Key, meeting(f.Name(), f.Value())
	}
	return term.Key, term.Value
}

// meeting returns a value that meets a predicate or is next to the values that do.
func meeting(operator string, operand policy.Value) policy.Value {
	switch operator {
	case "$type":
		name, _ := operand.AsString()
		return ofType[name]
	case "$in":
		e := operand.Elements()
		e.Next()
		return e.Value()
	}
	return operand
}

// ofType holds a value of each type that the filters test with $type.
var ofType = map[string]policy.Value{
	"date": policy.DateValue(1000), "string": policy.StringValue("a"), "number": policy.Int32Value(5), "bool": policy.BoolValue(true),
	"null": policy.NullValue(), "array": policy.ListValue(policy.A{policy.Int32Value(6)}), "object": policy.ObjectValue(policy.D{}),
}

// randomFilter draws a partial filter that MongoDB 6.0 and later accept.
func randomFilter(r *rand.Rand, depth int) policy.D {
	d := policy.D{randomTerm(r, depth)}
	if second := randomTerm(r, depth); r.IntN(3) == 0 && second.Key != d[0].Key { // a JavaScript object holds a name once
		d = append(d, second)
	}
	return d
}

func randomTerm(r *rand.Rand, depth int) policy.E {
	if depth == 0 || r.IntN(4) > 0 {
		return policy.E{Key: randomPath(r), Value: randomPredicate(r)}
	}
	clauses := policy.A{}
	for range 1 + r.IntN(2) {
		clauses = append(clauses, policy.ObjectValue(policy.D{randomTerm(r, depth-1)}))
	}
	return policy.E{Key: []string{"$and", "$or"}[r.IntN(2)], Value: policy.ListValue(clauses)}
}

func randomPredicate(r *rand.Rand) policy.Value {
	switch r.IntN(6) {
	case 0:
		return randomScalar(r)
	case 1:
		return operator("$exists", policy.BoolValue(true))
	case 2:
		names := slices.Sorted(maps.Keys(ofType))
		return operator("$type", policy.StringValue(names[r.IntN(len(names))]))
	case 3:
		return operator("$in", policy.ListValue(policy.A{randomScalar(r), randomScalar(r)}))
	case 4:
		return operator("$eq", randomValue(r, 2))
	}
	return operator([]string{"$gt", "$gte", "$lt", "$lte"}[r.IntN(4)], randomScalar(r))
}

func operator(name string, v policy.Value) policy.Value {
	return policy.ObjectValue(policy.D{{Key: name, Value: v}})
}
