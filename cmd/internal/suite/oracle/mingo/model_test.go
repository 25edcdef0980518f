package mingo

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A model answers filters as the documentation of MongoDB's queries describes, over Go's
// own maps and slices. It shares no code with package mongo. With habits it answers as
// mingo would with these habits.
type model struct {
	habits habit
	keys   bool // answer for the keys of an index rather than for a query
}

func (m model) has(h habit) bool { return m.habits&h != 0 }

type (
	object map[string]any
	date   policy.Instant
	absent struct{} // the result of a path without a field
)

// plain returns a value of the few kinds that questions hold.
func plain(v policy.Value) any {
	switch v.Kind() {
	case policy.Object:
		o := object{}
		f := v.Fields()
		for f.Next() {
			o[f.Name()] = plain(f.Value())
		}
		return o
	case policy.List:
		list := []any{}
		e := v.Elements()
		for e.Next() {
			list = append(list, plain(e.Value()))
		}
		return list
	}
	return plainScalar(v)
}

func plainScalar(v policy.Value) any {
	if n, ok := v.AsInt64(); ok {
		return float64(n)
	}
	if f, ok := v.AsDouble(); ok {
		return f
	}
	if s, ok := v.AsString(); ok {
		return s
	}
	if b, ok := v.AsBool(); ok {
		return b
	}
	if d, ok := v.AsDate(); ok {
		return date(d)
	}
	return nil
}

// matches answers a filter.
func (m model) matches(filter, document object) bool {
	for name, operand := range filter {
		var holds bool
		switch name {
		case "$and":
			holds = !slices.ContainsFunc(operand.([]any), func(f any) bool { return !m.matches(f.(object), document) })
		case "$or":
			holds = slices.ContainsFunc(operand.([]any), func(f any) bool { return m.matches(f.(object), document) })
		default:
			holds = m.matchesPath(name, operand, document)
		}
		if !holds {
			return false
		}
	}
	return true
}

func (m model) matchesPath(dotted string, operand any, document object) bool {
	path := strings.Split(dotted, ".")
	p := predicate{m, "$eq", operand, path}
	if o, ok := operand.(object); ok {
		for name := range maps.Keys(o) {
			if strings.HasPrefix(name, "$") {
				p.operator, p.operand = name, o[name]
			}
		}
	}
	return p.holds(m.follow(document, path))
}

// A place is the result of following a path: a value, or the values collected from the
// elements of an array on the way.
type place struct {
	value     any
	whole     bool // found by a position: an array is not opened
	collected []place
	isMany    bool
}

func many(places []place) place { return place{collected: places, isMany: true} }

var nowhere = place{value: absent{}}

func (p place) isAbsent() bool { return !p.isMany && p.value == absent{} }

// follow follows a path from a value.
func (m model) follow(v any, path []string) place {
	if len(path) == 0 {
		return place{value: v}
	}
	switch v := v.(type) {
	case object:
		if field, ok := v[path[0]]; ok {
			return m.follow(field, path[1:])
		}
	case []any:
		if _, err := strconv.Atoi(path[0]); err == nil {
			return m.followNumber(v, path)
		}
		return m.followName(v, path)
	}
	return nowhere
}

// followName follows a name into an array: the name is a field of the array's elements.
func (m model) followName(array []any, path []string) place {
	var found []place
	for _, element := range array {
		switch element.(type) {
		case object:
			if p := m.follow(element, path); !p.isAbsent() || !m.has(dropsMissing) {
				found = append(found, p)
			}
		case []any:
			if m.has(takesInnerArray) {
				found = append(found, place{value: element})
			}
		}
	}
	return many(found)
}

// followNumber follows a number into an array: the number is a position and a name. For
// an index it is a name only if the array has no such position. If the array has the
// position and a field of that name, the server refuses the document.
func (m model) followNumber(array []any, path []string) place {
	var found []place
	i, _ := strconv.Atoi(path[0])
	switch {
	case m.has(readsPositionsOnly):
		return m.position(array, i, path[1:])
	case m.keys && i < len(array) && !hasField(array, path[0]):
		return m.position(array, i, path[1:])
	case m.keys && i < len(array):
		return many(nil)
	case i < len(array) || m.has(missesPositions):
		found = append(found, m.position(array, i, path[1:]))
	}
	for _, element := range array {
		if o, ok := element.(object); ok {
			found = append(found, m.follow(o, path))
		}
	}
	return many(found)
}

func hasField(array []any, name string) bool {
	return slices.ContainsFunc(array, func(v any) bool {
		o, _ := v.(object)
		_, ok := o[name]
		return ok
	})
}

// position follows a path into the element at a position. It finds nothing past
// the end of the array, and nothing at a scalar in the middle of the path.
func (m model) position(array []any, i int, rest []string) place {
	p := nowhere
	if i < len(array) && len(rest) == 0 {
		return place{value: array[i], whole: !m.has(opensPositions)}
	}
	if i < len(array) {
		p = m.follow(array[i], rest)
	}
	if p.isAbsent() && !m.has(missesPositions) && !isObjectAt(array, i) {
		return many(nil)
	}
	return p
}

func isObjectAt(array []any, i int) bool {
	if i >= len(array) {
		return false
	}
	_, ok := array[i].(object)
	return ok
}

// values returns the values that a path leads to.
func (p place) values() (all []any) {
	if !p.isMany {
		return []any{p.value}
	}
	for _, one := range p.collected {
		all = append(all, one.values()...)
	}
	return all
}

// candidates returns the values that a predicate is tested on: for an array,
// the array and its elements.
func (p place) candidates() (all []any) {
	if list, ok := p.value.([]any); ok && !p.whole {
		return append([]any{p.value}, list...)
	}
	if !p.isMany {
		return []any{p.value}
	}
	for _, one := range p.collected {
		all = append(all, one.candidates()...)
	}
	return all
}

// A predicate is an operator and its operand on a path.
type predicate struct {
	model
	operator string
	operand  any
	path     []string
}

// holds reports whether the predicate is met by some candidate.
func (p predicate) holds(found place) bool {
	switch {
	case p.operator == "$exists" && p.has(existsIfCollected):
		return p.existsSomehow(found)
	case p.operator == "$type" && p.has(typesArraysOnly):
		return p.test(found.asArray())
	case p.operator != "$exists" && p.operator != "$type" && p.has(collectsArrays):
		found = place{value: found.asArray()}
	}
	candidates := found.candidates()
	if p.operator == "$eq" && p.has(opensForEquality) {
		for _, v := range found.values() {
			candidates = append(candidates, flatten(v, len(p.path)-1)...)
		}
	}
	return slices.ContainsFunc(candidates, p.test)
}

// test applies the predicate to one candidate.
func (p predicate) test(v any) bool {
	switch p.operator {
	case "$exists":
		return v != absent{}
	case "$type":
		return typeOf(v) == p.operand
	case "$in":
		return slices.ContainsFunc(p.operand.([]any), func(w any) bool { return isEqual(v, w) })
	case "$eq":
		return isEqual(v, p.operand)
	}
	equal := p.operator == "$gte" || p.operator == "$lte"
	if p.operand == nil { // null is ordered only with values that equal null
		return equal && (v == nil || v == absent{} && !p.has(knowsNoOrderOfNull))
	}
	switch c := order(v, p.operand); {
	case typeOf(v) != typeOf(p.operand):
		return false
	case p.operator[1] == 'g':
		return c > 0 || equal && c == 0
	default:
		return c < 0 || equal && c == 0
	}
}

// isEqual reports whether v equals w; null equals what is missing, too.
func isEqual(v, w any) bool {
	return reflect.DeepEqual(v, w) || w == nil && v == any(absent{})
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case string:
		return "string"
	case float64:
		return "number"
	case date:
		return "date"
	case object:
		return "object"
	case []any:
		return "array"
	}
	return "missing"
}

// order orders two scalars of one type.
func order(v, w any) int {
	switch v := v.(type) {
	case string:
		w, _ := w.(string)
		return cmp.Compare(v, w)
	case float64:
		w, _ := w.(float64)
		return cmp.Compare(v, w)
	case date:
		w, _ := w.(date)
		return cmp.Compare(v, w)
	case bool:
		switch {
		case v == (w == true):
			return 0
		case v:
			return 1
		}
		return -1
	}
	return 0
}
