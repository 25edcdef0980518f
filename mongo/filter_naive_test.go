package mongo

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The naive matcher is the prose about query predicates over Go's own maps and
// slices. It first lists every value that a path leads to, and then asks the
// predicate about each.

// absent is what a path leads to where a field is missing.
type absent struct{}

// A naiveMatcher tells releases apart: since 9.0 what an array breaks off is
// absent.
type naiveMatcher struct{ brokenIsAbsent bool }

// candidates returns what a predicate on path is asked about.
func (m naiveMatcher) candidates(v any, path []string) []any {
	if len(path) == 0 {
		if list, ok := v.([]any); ok {
			return append([]any{v}, list...) // each element, and the array itself
		}
		return []any{v}
	}
	switch v := v.(type) {
	case object:
		if field, ok := v[path[0]]; ok {
			return m.candidates(field, path[1:])
		}
		return m.candidates(absent{}, path[1:])
	case []any:
		found, deadEnd := m.through(v, path)
		if deadEnd && m.brokenIsAbsent {
			found = append(found, absent{})
		}
		return found
	}
	return []any{absent{}}
}

// through returns what the elements of an array lead to. The array is a dead
// end if there is no subdocument in it, and nothing at the position that the
// path names but a scalar with some of the path left.
func (m naiveMatcher) through(list []any, path []string) (found []any, deadEnd bool) {
	_, err := strconv.ParseUint(path[0], 10, 64)
	deadEnd = true
	for i, e := range list {
		subdocument, isObject := e.(object)
		inner, isList := e.([]any)
		chosen := strconv.Itoa(i) == path[0]
		if isObject {
			found = append(found, m.candidates(subdocument, path)...)
			deadEnd = false
		}
		switch {
		case chosen && len(path) == 1:
			found = append(found, e) // at the end of the path: as it is
			deadEnd = false
		case chosen && isObject:
			found = append(found, m.candidates(subdocument, path[1:])...)
		case chosen && isList:
			beyond, _ := m.through(inner, path[1:])
			found = append(found, beyond...)
			deadEnd = false
		case !isObject && err != nil && m.brokenIsAbsent: // a name leads into subdocuments only
			found = append(found, absent{})
		}
	}
	return found, deadEnd
}

// A predicate is one operator and its operand.
type predicate struct {
	op      string
	operand any
}

func (p predicate) holds(v any) bool {
	switch p.op {
	case "$exists":
		return v != absent{}
	case "$type":
		return naiveType(v) == p.operand
	}
	if p.operand == nil { // null takes in what is missing
		isNull := v == nil || v == absent{}
		return isNull && (p.op == "$eq" || strings.HasSuffix(p.op, "e"))
	}
	if naiveType(v) != naiveType(p.operand) {
		return false
	}
	return map[string]bool{
		"$eq": naiveLess(v, p.operand) == 0, "$lt": naiveLess(v, p.operand) < 0, "$lte": naiveLess(v, p.operand) <= 0,
		"$gt": naiveLess(v, p.operand) > 0, "$gte": naiveLess(v, p.operand) >= 0,
	}[p.op]
}

func naiveType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case int64:
		return "long"
	case policy.Instant:
		return "date"
	case object:
		return "object"
	case []any:
		return "array"
	}
	return fmt.Sprintf("%T", v)
}

// naiveLess orders two scalars of one type.
func naiveLess(v, w any) int {
	switch v := v.(type) {
	case string:
		return strings.Compare(v, w.(string))
	case int64:
		return compareInts(int(v), int(w.(int64)))
	case policy.Instant:
		return compareInts(int(v), int(w.(policy.Instant)))
	}
	panic("only scalars are operands")
}

// matches reports whether every predicate is met by some candidate.
func (m naiveMatcher) matches(doc object, clauses map[string][]predicate) bool {
	for path, predicates := range clauses {
		for _, p := range predicates {
			met := false
			for _, v := range m.candidates(doc, strings.Split(path, ".")) {
				met = met || p.holds(v)
			}
			if !met {
				return false
			}
		}
	}
	return true
}

// scalarValue is valueOf with null for nil, which in the documents of the keys'
// model stands for undefined.
func scalarValue(v any) policy.Value {
	if v == nil {
		return policy.NullValue()
	}
	return valueOf(v)
}

var naiveScalars = rapid.SampledFrom([]any{"", "a", "b", int64(-1), int64(5), int64(6), policy.Instant(0), policy.Instant(1), nil})

// filterValue draws small documents without undefined.
func filterValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		if depth == 0 || kind == 0 {
			return naiveScalars.Filter(func(v any) bool { return v != nil }).Draw(t, "scalar")
		}
		if kind == 1 {
			o := object{}
			for _, name := range naiveNames {
				if rapid.Bool().Draw(t, name) {
					o[name] = filterValue(depth-1).Draw(t, "value")
				}
			}
			return o
		}
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			list = append(list, filterValue(depth-1).Draw(t, "element"))
		}
		return list
	})
}

func TestModelNaiveFilter(t *testing.T) {
	for version, m := range map[string]naiveMatcher{"8.3.13": {}, latest: {brokenIsAbsent: true}} {
		t.Run(version, func(t *testing.T) { checkNaiveFilter(t, vectorProfile(t, version), m) })
	}
}

func checkNaiveFilter(t *testing.T, profile Profile, m naiveMatcher) {
	rapid.Check(t, func(t *rapid.T) {
		doc := object{}
		for _, name := range naiveNames {
			if rapid.Bool().Draw(t, name) {
				doc[name] = filterValue(3).Draw(t, "value")
			}
		}
		clauses := map[string][]predicate{}
		var both policy.A
		for range rapid.IntRange(1, 3).Draw(t, "clauses") {
			path := naivePaths.Draw(t, "path")
			p := predicate{op: rapid.SampledFrom([]string{"$eq", "$lt", "$lte", "$gt", "$gte", "$exists", "$type"}).Draw(t, "op")}
			operand := policy.BoolValue(true)
			switch p.op {
			case "$type":
				p.operand = rapid.SampledFrom([]any{"string", "long", "date", "object", "array"}).Draw(t, "type")
				operand = policy.StringValue(p.operand.(string))
			case "$exists":
			default:
				p.operand = naiveScalars.Draw(t, "operand")
				operand = scalarValue(p.operand)
			}
			clauses[path] = append(clauses[path], p)
			one := policy.ObjectValue(policy.D{{Key: p.op, Value: operand}})
			both = append(both, policy.ObjectValue(policy.D{{Key: path, Value: one}}))
		}
		f, err := compileClauses(policy.D{{Key: "$and", Value: policy.ListValue(both)}}, profile)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := f.matchDocument(valueOf(doc)), m.matches(doc, clauses); (got == inside) != want {
			t.Fatalf("%v takes %v: %v, the model says %v", clauses, doc, got, want)
		}
	})
}
