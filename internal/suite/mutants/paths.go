package mutants

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// paths holds misreadings of dotted paths, positions and field names.
var paths = of("paths", []Mutant{
	{Name: "path-not-dotted", Rule: "mongo.date", Text: "A path with a dot leads nowhere.",
		Wild:    "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		misread: drops(isDotted)},
	{Name: "path-literal-too", Rule: "mongo.field-missing", Text: "A field whose name is the whole path, with its dots, is found too.",
		Wild:    "documentdb 0.108 and mongomock at ff5186f",
		misread: literal(false)},
	{Name: "path-literal-first", Rule: "mongo.date", Text: "A field whose name is the whole path, with its dots, comes before what the path leads to.",
		misread: literal(true)},
	{Name: "path-first-part", Rule: "mongo.date", Text: "A path leads to the field of its first part.",
		misread: rewrites(isDotted, onPath(func(parts []string) []string { return parts[:1] }))},
	{Name: "path-date-on-the-way", Rule: "mongo.field-null", Text: "A date counts where the path goes on.",
		misread: walker{dateOnTheWay: true}.walks(anyIndex)},
	{Name: "position-ignored", Rule: "mongo.array-position", Text: "A number in a path is a field name and nothing else.",
		Wild:    "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		misread: walker{noPositions: true}.walks(anyIndex)},
	{Name: "position-no-name", Rule: "mongo.array-position", Text: "A number in a path is a position and nothing else.",
		misread: walker{noNumberNames: true}.walks(anyIndex)},
	{Name: "position-no-name-in-elements", Rule: "mongo.array-position", Text: "Where an array has no such position the path ends.",
		misread: walker{noFallback: true}.walks(anyIndex)},
	{Name: "position-from-one", Rule: "mongo.array-position", Text: "Positions count from 1.",
		misread: walker{positionsFromOne: true}.walks(anyIndex)},
	{Name: "position-expands", Rule: "mongo.array-position", Text: "An array at a position at the end of the path gives its elements.",
		misread: walker{positionExpands: true}.walks(anyIndex)},
	{Name: "ambiguous-is-position", Rule: "mongo.path-ambiguous", Text: "Where a number is a position and a name, the position counts.",
		misread: walker{ambiguousPosition: true}.walks(anyIndex)},
	{Name: "ambiguous-is-both", Rule: "mongo.path-ambiguous", Text: "Where a number is a position and a name, both count.",
		misread: walker{ambiguousBoth: true}.walks(anyIndex)},
	{Name: "path-refused-is-walked", Rule: "mongo.path-refused", Text: "Any name can be indexed, empty ones and those with a dollar too.",
		misread: all(walker{anyPath: true}.walks(anyIndex), renames(createIndex, "index", isRefused))},
	{Name: "path-of-dbref-refused", Rule: "mongo.path-refused", Text: "The fields of a DBRef cannot be indexed either.",
		misread: drops(func(x policy.Value) bool { return strings.Contains(pathOf(x), ".$") })},
	{Name: "path-empty-part-is-passed", Rule: "mongo.path-refused", Text: "Empty parts of a path are passed over.",
		misread: rewrites(anyIndex, onPath(func(parts []string) []string {
			return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		}))},
	{Name: "last-field", Rule: "mongo.first-field", Text: "If a field name is repeated, its last occurrence counts.",
		Wild: "readers that fill a map",
		misread: asks(decide, func(q query) query {
			d := policy.DOf(q.get("document"))
			slices.Reverse(d)
			return q.with(policy.ObjectValue(d), "document")
		})},
})

// onPath puts an index of one field on another path.
func onPath(edit func(parts []string) []string) change {
	return func(x policy.Value) policy.Value {
		path, direction, ok := keyOf(x)
		parts := edit(strings.Split(path, "."))
		if !ok || len(parts) == 0 {
			return x
		}
		return cases.Put(x, object(strings.Join(parts, "."), direction), "key")
	}
}

// isDotted is the shape of indexes with a path of several parts.
func isDotted(x policy.Value) bool {
	path, _, ok := keyOf(x)
	return ok && strings.Contains(path, ".") && isPlainIndex(x)
}

// literal finds fields whose name is the whole path, wherever it has parts of
// its own too or only where it leads to nothing.
func literal(first bool) misreading {
	return asks(decide, func(q query) query {
		for _, x := range policy.AOf(q.get("indexes")) {
			path := pathOf(x)
			v := q.get("document", path)
			parts := strings.Split(path, ".")
			inside := append([]string{"document"}, parts...)
			if isDotted(x) && !v.IsMissing() && (first || q.get(inside...).IsMissing()) {
				q = q.with(v, inside...)
			}
		}
		return q
	})
}

// renames asks about indexes as if those paths for which a condition holds were another.
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

// A walker finds the keys that an index has for a document, with the
// misreadings that are switched on. With none it finds what MongoDB does
// (`mongodb/mongo: src/mongo/db/index/btree_key_generator.cpp`).
type walker struct {
	arraysInArraysExpand bool // at the end of a path
	arraysInArraysEnter  bool // before a name
	noArrays             bool // an array at the end gives no key
	noArraysOnTheWay     bool
	firstOnTheWay        bool // only the first element is entered
	noPositions          bool // a number is never a position
	noNumberNames        bool // a number is never a name
	noFallback           bool // a number is no name where the position is absent
	positionsFromOne     bool
	positionExpands      bool // an array at a position at the end gives its elements
	ambiguousPosition    bool // a position wins over a name
	ambiguousBoth        bool // both count
	dateOnTheWay         bool // a date counts where the path goes on
	lookInside           bool // a document or an element of one is searched for dates
	anyPath              bool // paths that MongoDB refuses are walked too
	choose               func(keys []policy.Value) []policy.Value
}

// walks decides by the keys that w finds. They become an array in a field of
// its own, and the index is on that.
func (w walker) walks(when shape) misreading {
	return only(decide, ordinary, asks(decide, func(q query) query {
		doc := policy.DOf(q.get("document"))
		keyed := slices.Clone(doc)
		q = q.each("indexes", func(x policy.Value) policy.Value {
			path, direction, ok := keyOf(x)
			parts := strings.Split(path, ".")
			if !ok || !direction.Kind().IsNumber() || !when(x) || !w.anyPath && isRefused(parts) {
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

// keys returns the keys that a path gives from v on. Missing is one of them.
func (w walker) keys(v policy.Value, path []string) []policy.Value {
	switch {
	case len(path) == 0:
		return w.end(v)
	case v.Kind() == policy.Object && !(w.noNumberNames && isNumber(path[0])):
		return w.keys(v.Field(path[0]), path[1:])
	case v.Kind() == policy.List && !w.noArraysOnTheWay:
		return w.through(policy.AOf(v), path)
	case v.Kind() == policy.Date && w.dateOnTheWay, v.IsMissing():
		return []policy.Value{v}
	}
	return []policy.Value{policy.NullValue()}
}

// end returns the keys of what stands at the end of a path.
func (w walker) end(v policy.Value) (keys []policy.Value) {
	switch {
	case v.Kind() == policy.Object && w.lookInside:
		for _, e := range policy.DOf(v) {
			keys = append(keys, w.end(e.Value)...)
		}
		return keys
	case v.Kind() != policy.List:
		return []policy.Value{v}
	case w.noArrays:
		return nil
	}
	for _, e := range policy.AOf(v) {
		if e.Kind() == policy.List && w.arraysInArraysExpand || w.lookInside {
			keys = append(keys, w.end(e)...)
		} else {
			keys = append(keys, e)
		}
	}
	return keys
}

// through returns the keys of an array where the path goes on.
func (w walker) through(a policy.A, path []string) []policy.Value {
	i, isPosition := position(path[0], w)
	switch isPosition = isPosition && i >= 0 && i < len(a); {
	case isPosition && hasField(a, path[0]) && w.ambiguousBoth:
		return append(w.position(a[i], path[1:]), w.names(a, path)...)
	case isPosition && hasField(a, path[0]) && !w.ambiguousPosition:
		return nil
	case isPosition:
		return w.position(a[i], path[1:])
	case isNumber(path[0]) && (w.noFallback || w.noNumberNames):
		return nil
	}
	return w.names(a, path)
}

func isNumber(part string) bool {
	n, err := strconv.Atoi(part)
	return err == nil && strconv.Itoa(n) == part && n >= 0
}

func position(part string, w walker) (i int, ok bool) {
	if !isNumber(part) || w.noPositions {
		return 0, false
	}
	i, _ = strconv.Atoi(part)
	if w.positionsFromOne {
		i--
	}
	return i, true
}

func hasField(a policy.A, name string) bool {
	return slices.ContainsFunc(a, func(v policy.Value) bool { return !v.Field(name).IsMissing() })
}

// position returns the keys of the element at a position.
func (w walker) position(v policy.Value, rest []string) []policy.Value {
	if len(rest) == 0 && !w.positionExpands {
		return []policy.Value{v}
	}
	return w.keys(v, rest)
}

// names returns the keys of the subdocuments in an array.
func (w walker) names(a policy.A, path []string) (keys []policy.Value) {
	for i, v := range a {
		switch {
		case i > 0 && w.firstOnTheWay:
		case v.Kind() == policy.Object:
			keys = append(keys, w.keys(v, path)...)
		case v.Kind() == policy.List && w.arraysInArraysEnter:
			keys = append(keys, w.names(policy.AOf(v), path)...)
		}
	}
	return keys
}
