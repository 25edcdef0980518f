package mingo

import (
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A leaf is one predicate of a filter: an operator on a path.
type leaf struct {
	path, operator string
	operand        policy.Value
}

// leavesOf returns the predicates of a filter.
func leavesOf(filter policy.D) (leaves []leaf) {
	for _, e := range filter {
		if e.Key == "$and" || e.Key == "$or" {
			for _, clause := range clausesOf(e.Value) {
				leaves = append(leaves, leavesOf(clause)...)
			}
			continue
		}
		leaves = append(leaves, leafOf(e))
	}
	return leaves
}

func clausesOf(list policy.Value) (clauses []policy.D) {
	e := list.Elements()
	for e.Next() {
		clauses = append(clauses, fieldsOf(e.Value()))
	}
	return clauses
}

func fieldsOf(v policy.Value) (d policy.D) {
	f := v.Fields()
	for f.Next() {
		d = append(d, policy.E{Key: f.Name(), Value: f.Value()})
	}
	return d
}

func leafOf(e policy.E) leaf {
	f := e.Value.Fields()
	if f.Next() && strings.HasPrefix(f.Name(), "$") {
		return leaf{e.Key, f.Name(), f.Value()}
	}
	return leaf{e.Key, "$eq", e.Value}
}

// filter returns the predicate as a filter.
func (l leaf) filter() policy.D {
	return policy.D{{Key: l.path, Value: operator(l.operator, l.operand)}}
}

// combined evaluates a filter from the answers to its predicates, in their
// order; it returns the answers that are left.
func combined(filter policy.D, answers []bool) (bool, []bool) {
	all := true
	for _, e := range filter {
		var one bool
		switch e.Key {
		case "$and", "$or":
			one = e.Key == "$and"
			for _, clause := range clausesOf(e.Value) {
				var inner bool
				inner, answers = combined(clause, answers)
				one = e.Key == "$and" && one && inner || e.Key == "$or" && (one || inner)
			}
		default:
			one, answers = answers[0], answers[1:]
		}
		all = all && one
	}
	return all, answers
}

// facts are what a path meets in a document.
type facts struct {
	entered      bool // the path goes on where there is an array
	crossed      bool // a name meets an array
	nested       bool // a name meets an array that holds an array
	ambiguous    bool // a position meets an array that holds a document
	endNested    bool // the path ends at an array that holds an array
	endArray     bool // the path ends at an array
	positionList bool // the path ends at a position that holds an array
	absent       bool // the path ends nowhere
}

// meet walks a path as MongoDB's matcher does, and notes what it meets.
func (f *facts) meet(v policy.Value, path []string) {
	if len(path) == 0 {
		f.end(v)
		return
	}
	_, err := strconv.Atoi(path[0])
	isPosition := err == nil
	switch v.Kind() {
	case policy.Object:
		f.meet(v.Field(path[0]), path[1:])
	case policy.List:
		f.enter(v, path, isPosition)
	default:
		f.absent = true
	}
}

func (f *facts) end(v policy.Value) {
	f.absent = f.absent || v.IsMissing()
	if v.Kind() != policy.List {
		return
	}
	f.endArray = true
	e := v.Elements()
	for e.Next() {
		f.endNested = f.endNested || e.Value().Kind() == policy.List
	}
}

func (f *facts) enter(array policy.Value, path []string, isPosition bool) {
	f.entered, f.crossed = true, f.crossed || !isPosition
	i := 0
	e := array.Elements()
	for ; e.Next(); i++ {
		v := e.Value()
		if isPosition && path[0] == strconv.Itoa(i) {
			f.positionList = f.positionList || len(path) == 1 && v.Kind() == policy.List
			f.meet(v, path[1:])
		}
		switch v.Kind() {
		case policy.Object:
			f.ambiguous = f.ambiguous || isPosition
			f.meet(v, path)
		case policy.List:
			f.nested = f.nested || !isPosition
			if !isPosition {
				f.meet(v, path) // as mingo does
			}
		}
	}
	f.absent = f.absent || i == 0
}

// A class is a difference that docs/mingo.md explains.
type class struct {
	name    string
	applies func(l leaf, f facts) bool
}

// classes are tried in their order.
var classes = []class{
	{"position-or-name", func(_ leaf, f facts) bool { return f.ambiguous }},
	{"position-of-array", func(_ leaf, f facts) bool { return f.positionList }},
	{"array-in-array", func(_ leaf, f facts) bool { return f.nested || f.endNested }},
	{"type-of-element", func(l leaf, f facts) bool { return l.operator == "$type" && (f.endArray || f.crossed) }},
	{"exists-in-array", func(l leaf, f facts) bool { return l.operator == "$exists" && f.crossed }},
	{"collected-as-array", func(l leaf, f facts) bool { return l.operator == "$eq" && l.operand.Kind() == policy.List && f.crossed }},
	{"array-collected", func(_ leaf, f facts) bool { return f.crossed && f.endArray }},
	{"null-in-array", func(l leaf, f facts) bool { return holdsNull(l.operand) && f.entered }},
	{"null-or-missing", func(l leaf, f facts) bool {
		return l.operand.Kind() == policy.Null && (l.operator == "$gte" || l.operator == "$lte") && f.absent
	}},
}

// classOf returns the class of a disagreement about one predicate.
func classOf(l leaf, document policy.D) string {
	var f facts
	f.meet(policy.ObjectValue(document), strings.Split(l.path, "."))
	for _, c := range classes {
		if c.applies(l, f) {
			return c.name
		}
	}
	return ""
}

func holdsNull(v policy.Value) bool {
	e := v.Elements()
	for e.Next() {
		if e.Value().Kind() == policy.Null {
			return true
		}
	}
	return v.Kind() == policy.Null
}
