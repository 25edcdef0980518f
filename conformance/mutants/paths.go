package mutants

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// paths holds misreadings of dotted paths, positions and field names.
var paths = []entry{
	{"path-not-dotted", "mongo.date", "A path with a dot leads nowhere.", "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		drops(isDotted)},
	{"path-literal-too", "mongo.field-missing", "A field whose name is the whole path, with its dots, is found too.",
		"documentdb 0.108 and mongomock at ff5186f",
		literal(false)},
	{"path-literal-first", "mongo.date", "A field whose name is the whole path, with its dots, comes before what the path leads to.", "",
		literal(true)},
	{"path-first-part", "mongo.date", "A path leads to the field of its first part.", "",
		rewrites(isDotted, func(x policy.Value) policy.Value {
			path, direction, _ := keyOf(x)
			root, _, _ := strings.Cut(path, ".")
			return put(x, policy.ObjectValue(policy.D{{Key: root, Value: direction}}), "key")
		})},
	{"path-date-on-the-way", "mongo.field-null", "A date counts where the path goes on.", "",
		walker{dateOnTheWay: true}.walks(anyIndex)},
	{"position-ignored", "mongo.array-position", "A number in a path is a field name and nothing else.", "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		walker{noPositions: true}.walks(anyIndex)},
	{"position-no-name", "mongo.array-position", "A number in a path is a position and nothing else.", "",
		walker{noNumberNames: true}.walks(anyIndex)},
	{"position-no-name-in-elements", "mongo.array-position", "Where an array has no such position the path ends.", "",
		walker{noFallback: true}.walks(anyIndex)},
	{"position-from-one", "mongo.array-position", "Positions count from 1.", "",
		walker{positionsFromOne: true}.walks(anyIndex)},
	{"position-expands", "mongo.array-position", "An array at a position at the end of the path gives its elements.", "",
		walker{positionExpands: true}.walks(anyIndex)},
	{"ambiguous-is-position", "mongo.path-ambiguous", "Where a number is a position and a name, the position counts.", "",
		walker{ambiguousPosition: true}.walks(anyIndex)},
	{"ambiguous-is-both", "mongo.path-ambiguous", "Where a number is a position and a name, both count.", "",
		walker{ambiguousBoth: true}.walks(anyIndex)},
	{"path-refused-is-walked", "mongo.path-refused", "Any name can be indexed, empty ones and those with a dollar too.", "",
		all(walker{anyPath: true}.walks(anyIndex), renames(createIndex, "index", isRefused))},
	{"path-of-dbref-refused", "mongo.path-refused", "The fields of a DBRef cannot be indexed either.", "",
		drops(func(x policy.Value) bool { path, _, _ := keyOf(x); return strings.Contains(path, ".$") })},
	{"path-empty-part-is-passed", "mongo.path-refused", "Empty parts of a path are passed over.", "",
		rewrites(anyIndex, func(x policy.Value) policy.Value {
			path, direction, ok := keyOf(x)
			parts := slices.DeleteFunc(strings.Split(path, "."), func(part string) bool { return part == "" })
			if !ok || len(parts) == 0 {
				return x
			}
			return put(x, policy.ObjectValue(policy.D{{Key: strings.Join(parts, "."), Value: direction}}), "key")
		})},
	{"last-field", "mongo.first-field", "Of a repeated field name the last occurrence counts.", "readers that fill a map",
		asks(decide, func(q query) query {
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

// literal finds fields whose name is the whole path, wherever it has parts of
// its own too or only where it leads to nothing.
func literal(first bool) misreading {
	return asks(decide, func(q query) query {
		for _, x := range policy.AOf(q.get("indexes")) {
			path, _, _ := keyOf(x)
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

// renames asks about indexes with such a path as if it were another.
func renames(op, member string, such func(parts []string) bool) misreading {
	return asks(op, func(q query) query {
		path, direction, ok := keyOf(q.get(member))
		if !ok || !such(strings.Split(path, ".")) {
			return q
		}
		q = q.with(policy.Value{}, member, "name")
		return q.with(policy.ObjectValue(policy.D{{Key: "renamed", Value: direction}}), member, "key")
	})
}
