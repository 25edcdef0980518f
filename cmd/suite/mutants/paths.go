package mutants

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// paths holds misreadings of dotted paths, positions and field names.
var paths = []Mutant{
	{Name: "path-not-dotted", Rule: "mongo.date", Text: "A path with a dot leads nowhere.",
		Wild:    "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		misread: drops(isDotted)},
	{Name: "path-literal-too", Rule: "mongo.field-missing", Text: "A field whose name is the whole path, with its dots, is found too.",
		Wild:    "documentdb 0.108 and mongomock at ff5186f",
		misread: asks(decide, query.withPathsAsNames)},
	{Name: "position-ignored", Rule: "mongo.array-position", Text: "A number in a path is a field name and nothing else.",
		Wild:    "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		misread: walker{noPositions: true}.misreads()},
	{Name: "last-field", Rule: "mongo.first-field", Text: "If a field name is repeated, its last occurrence counts.",
		Wild: "readers that fill a map",
		misread: asks(decide, func(q query) query {
			d := policy.DOf(q.get("document"))
			slices.Reverse(d)
			return q.with(policy.ObjectValue(d), "document")
		})},
}

// isDotted is the shape of indexes with a path of several parts.
func isDotted(x policy.Value) bool {
	path, _, ok := keyOf(x)
	return ok && strings.Contains(path, ".") && isPlainIndex(x)
}

// withPathsAsNames adds fields whose name is a whole path if the path leads to nothing.
func (q query) withPathsAsNames() query {
	for _, x := range policy.AOf(q.get("indexes")) {
		path := pathOf(x)
		v := q.get("document", path)
		inside := append([]string{"document"}, strings.Split(path, ".")...)
		if isDotted(x) && !v.IsMissing() && q.get(inside...).IsMissing() {
			q = q.with(v, inside...)
		}
	}
	return q
}

// renames returns the misreading that answers as if an index whose path meets a condition
// were on the field "renamed".
func renames(op, member string, such func(parts []string) bool) misreading {
	return asks(op, func(q query) query {
		path, direction, ok := keyOf(q.get(member))
		if !ok || !such(strings.Split(path, ".")) {
			return q
		}
		q = q.with(missing, member, "name")
		return q.with(object("renamed", direction), member, "key")
	})
}

// A walker finds the keys that an index has for a document, with the misreadings that are
// switched on. Without misreadings it finds the same keys as MongoDB (`mongodb/mongo:
// src/mongo/db/index/btree_key_generator.cpp`).
type walker struct {
	arraysInArraysExpand bool // an array in an array at the end of a path gives keys
	arraysInArraysEnter  bool // a name enters an array in an array
	noArrays             bool // an array at the end gives no key
	noArraysOnTheWay     bool
	noPositions          bool // a number is never a position
	choose               func(keys []policy.Value) []policy.Value
}

// misreads returns the misreading that decides by the keys that w finds. It puts the keys
// as an array into a new field, and defines the index on that field.
func (w walker) misreads() misreading {
	return only(decide, ordinary, asks(decide, func(q query) query {
		doc := policy.DOf(q.get("document"))
		keyed := slices.Clone(doc)
		q = q.each("indexes", func(x policy.Value) policy.Value {
			path, direction, ok := keyOf(x)
			parts := strings.Split(path, ".")
			if !ok || !direction.Kind().IsNumber() || isRefused(parts) {
				return x
			}
			name := "keys of " + strings.ReplaceAll(path, ".", " in ")
			keyed = append(keyed, policy.E{Key: name, Value: w.list(doc, parts)})
			return cases.Put(x, object(name, direction), "key")
		})
		return q.with(policy.ObjectValue(keyed), "document")
	}))
}

// isRefused reports whether MongoDB refuses to index a path.
func isRefused(parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || part[0] == '$' && part != "$id" && part != "$ref" && part != "$db"
	})
}

// list returns the keys as an array.
func (w walker) list(doc policy.D, path []string) policy.Value {
	keys := w.keys(policy.ObjectValue(doc), path)
	if w.choose != nil {
		keys = w.choose(keys)
	}
	a := policy.A{}
	for _, k := range keys {
		if k.IsMissing() {
			k = policy.NullValue()
		}
		a = append(a, k)
	}
	return policy.ListValue(a)
}

// keys returns the index keys that a path finds, starting at v. Missing counts as a key.
func (w walker) keys(v policy.Value, path []string) []policy.Value {
	switch {
	case len(path) == 0:
		return w.end(v)
	case v.Kind() == policy.Object:
		return w.keys(v.Field(path[0]), path[1:])
	case v.Kind() == policy.List && !w.noArraysOnTheWay:
		return w.through(policy.AOf(v), path)
	case v.IsMissing():
		return []policy.Value{v}
	}
	return []policy.Value{policy.NullValue()}
}

// end returns the keys of the value at the end of a path.
func (w walker) end(v policy.Value) (keys []policy.Value) {
	switch {
	case v.Kind() != policy.List:
		return []policy.Value{v}
	case w.noArrays:
		return nil
	}
	for _, e := range policy.AOf(v) {
		if e.Kind() == policy.List && w.arraysInArraysExpand {
			keys = append(keys, w.end(e)...)
		} else {
			keys = append(keys, e)
		}
	}
	return keys
}

// through returns the keys of an array in the middle of a path. A number that is both a
// position and a name gives no keys.
func (w walker) through(a policy.A, path []string) []policy.Value {
	i, err := strconv.Atoi(path[0])
	isPosition := err == nil && strconv.Itoa(i) == path[0] && !w.noPositions && i >= 0 && i < len(a)
	isName := slices.ContainsFunc(a, func(v policy.Value) bool { return !v.Field(path[0]).IsMissing() })
	switch {
	case isPosition && isName:
		return nil
	case isPosition && len(path) == 1:
		return []policy.Value{a[i]}
	case isPosition:
		return w.keys(a[i], path[1:])
	}
	return w.names(a, path)
}

// names returns the keys of the subdocuments in an array.
func (w walker) names(a policy.A, path []string) (keys []policy.Value) {
	for _, v := range a {
		switch {
		case v.Kind() == policy.Object:
			keys = append(keys, w.keys(v, path)...)
		case v.Kind() == policy.List && w.arraysInArraysEnter:
			keys = append(keys, w.names(policy.AOf(v), path)...)
		}
	}
	return keys
}
