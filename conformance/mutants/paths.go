package mutants

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// paths holds misreadings of dotted paths, positions and field names.
var paths = map[string]misreading{
	"path-not-dotted":              drops(isDotted),
	"path-literal-too":             literal(false),
	"path-literal-first":           literal(true),
	"path-first-part":              rewrites(isDotted, onPath(func(parts []string) []string { return parts[:1] })),
	"path-date-on-the-way":         walker{dateOnTheWay: true}.walks(anyIndex),
	"position-ignored":             walker{noPositions: true}.walks(anyIndex),
	"position-no-name":             walker{noNumberNames: true}.walks(anyIndex),
	"position-no-name-in-elements": walker{noFallback: true}.walks(anyIndex),
	"position-from-one":            walker{positionsFromOne: true}.walks(anyIndex),
	"position-expands":             walker{positionExpands: true}.walks(anyIndex),
	"ambiguous-is-position":        walker{ambiguousPosition: true}.walks(anyIndex),
	"ambiguous-is-both":            walker{ambiguousBoth: true}.walks(anyIndex),
	"path-refused-is-walked":       all(walker{anyPath: true}.walks(anyIndex), renames(createIndex, "index", isRefused)),
	"path-of-dbref-refused":        drops(func(x policy.Value) bool { path, _, _ := keyOf(x); return strings.Contains(path, ".$") }),
	"path-empty-part-is-passed": rewrites(anyIndex, onPath(func(parts []string) []string {
		return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	})),
	"last-field": asks(decide, func(q query) query {
		d := policy.DOf(q.get("document"))
		slices.Reverse(d)
		return q.with(policy.ObjectValue(d), "document")
	}),
}

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
		return q.with(object("renamed", direction), member, "key")
	})
}
