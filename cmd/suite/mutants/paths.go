package mutants

import (
	"slices"
	"strconv"
	"strings"
	"time"

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

// types holds misreadings about which values are dates.
var types = []Mutant{
	{Name: "missing-is-1970", Rule: "mongo.field-missing", Text: "A missing field reads as the date 0.",
		misread: walker{choose: missingIs1970}.misreads()},
	{Name: "int64-is-a-date", Rule: "mongo.field-not-date", Text: "An int64 is milliseconds since 1970.",
		Wild:    "tinycoll 1.3.0, which takes numbers and nothing else",
		misread: takes(integerTime(1, policy.Int64))},
	{Name: "int32-is-a-date", Rule: "mongo.field-not-date", Text: "An int32 is seconds since 1970.",
		Wild:    "ArangoDB's own TTL index, by its documentation",
		misread: takes(integerTime(1000, policy.Int32))},
	{Name: "numbers-in-place-of-dates", Rule: "mongo.date", Text: "A date is a number of milliseconds, and a value of type Date is not one.",
		Wild: "tinycoll 1.3.0",
		misread: stores(func(v policy.Value) policy.Value {
			texts := given(ofType(policy.Date), func(v policy.Value) policy.Value { i, _ := v.AsDate(); return policy.StringValue(i.String()) })
			return leaves(dateBy(integerTime(1)))(leaves(texts)(v))
		})},
	{Name: "double-is-a-date", Rule: "mongo.field-not-date", Text: "A double is milliseconds since 1970.",
		Wild: "tinycoll 1.3.0",
		misread: takes(func(v policy.Value) (policy.Instant, bool) {
			f, ok := v.AsDouble()
			return policy.Instant(f), ok && f == f
		})},
	{Name: "string-is-a-date", Rule: "mongo.field-not-date", Text: "A text that is an ISO 8601 date is a date.",
		Wild:    "ArangoDB's own TTL index, by its documentation",
		misread: takes(textTime)},
}

// missingIs1970 puts the date 0 in place of keys that are missing.
func missingIs1970(keys []policy.Value) (all []policy.Value) {
	for _, k := range keys {
		all = append(all, turns(policy.Value.IsMissing, policy.DateValue(0))(k))
	}
	return all
}

// integerTime reads integers as numbers of a unit, in milliseconds, since 1970. It reads
// only the given kinds of integers, or all kinds if none is given.
func integerTime(unit policy.Instant, kinds ...policy.Kind) func(policy.Value) (policy.Instant, bool) {
	return func(v policy.Value) (policy.Instant, bool) {
		n, ok := v.AsInt64()
		return policy.Instant(n) * unit, ok && (len(kinds) == 0 || slices.Contains(kinds, v.Kind()))
	}
}

// textTime returns the instant that a text spells in ISO 8601.
func textTime(v policy.Value) (policy.Instant, bool) {
	s, _ := v.AsString()
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return policy.InstantOf(t), true
		}
	}
	return 0, false
}

// arrays holds misreadings of arrays of dates.
var arrays = []Mutant{
	{Name: "array-latest", Rule: "mongo.array-earliest", Text: "An array expires by its latest date, when all of them are due.",
		misread: walker{choose: latestDate}.misreads()},
	{Name: "array-ignored", Rule: "mongo.array-earliest", Text: "An array is no date and never expires.",
		Wild:    "@seald-io/nedb 4.1.2",
		misread: walker{noArrays: true}.misreads()},
	{Name: "array-on-the-way-ignored", Rule: "mongo.array-earliest", Text: "A path ends at an array of subdocuments.",
		Wild:    "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		misread: walker{noArraysOnTheWay: true}.misreads()},
	{Name: "array-nested-expands", Rule: "mongo.array-nested", Text: "An array in an array at the end of the path gives its elements too.",
		Wild:    "256dpi/lungo",
		misread: walker{arraysInArraysExpand: true}.misreads()},
	{Name: "array-nested-entered", Rule: "mongo.array-nested", Text: "A name enters arrays that stand in arrays.",
		Wild:    "256dpi/lungo",
		misread: walker{arraysInArraysEnter: true}.misreads()},
}

// latestDate chooses the latest of the keys that are dates.
func latestDate(keys []policy.Value) (latest []policy.Value) {
	var last policy.Instant
	for _, k := range keys {
		i, ok := k.AsDate()
		if ok && (latest == nil || i > last) {
			latest, last = []policy.Value{k}, i
		}
	}
	return latest
}
