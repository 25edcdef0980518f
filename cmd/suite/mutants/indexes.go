package mutants

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// indexes holds misreadings of the shape of an index: its key, its type, its
// options, and its collection if that is capped.
var indexes = []Mutant{
	{Name: "hashed-deletes", Rule: "mongo.index-special", Text: "A hashed index deletes like any other.",
		Wild:    "mongomock 4.1.2",
		misread: ascends("hashed")},
}

// ascends treats an index of a special type as an ascending one.
func ascends(kind string) misreading {
	return rewrites(isOfType(kind), func(x policy.Value) policy.Value {
		return cases.Put(x, object(pathOf(x), policy.Int32Value(1)), "key")
	})
}

// option is the name of the option that makes a TTL index or an expiring
// collection.
const option = "expireAfterSeconds"

// rewrites returns the misreading that decides as if edit had changed the indexes of a
// shape. An index that becomes Missing is left out.
func rewrites(when shape, edit change) misreading {
	return alters(decide, "indexes", given(when, edit))
}

// drops returns the misreading that decides as if the indexes of a shape did not exist.
func drops(when shape) misreading { return rewrites(when, drop) }

// sets returns the misreading that decides as if the indexes of a shape had the value v
// at a path; Missing removes the value.
func sets(when shape, v policy.Value, path ...string) misreading {
	return rewrites(when, put(v, path...))
}

// reads returns the misreading that decides as if edit had changed each
// expireAfterSeconds of a shape.
func reads(when shape, edit change) misreading {
	return rewrites(delayed(when), func(x policy.Value) policy.Value { return cases.Put(x, edit(x.Field(option)), option) })
}

// named returns the shape of indexes that have a field. delayed returns the shape of
// indexes whose expireAfterSeconds has a shape.
func named(path ...string) shape { return at(isThere, path...) }
func delayed(such shape) shape   { return at(such, option) }

// nanSeconds is the shape of indexes whose expireAfterSeconds is NaN.
var nanSeconds = delayed(policy.Value.IsNaN)

// keyOf returns the path and the direction of an index of one field.
func keyOf(index policy.Value) (path string, direction policy.Value, ok bool) {
	key := policy.DOf(index.Field("key"))
	if len(key) != 1 {
		return "", missing, false
	}
	return key[0].Key, key[0].Value, true
}

// pathOf returns the path of an index of one field, "" for other indexes.
func pathOf(index policy.Value) string { path, _, _ := keyOf(index); return path }

// isPlainIndex is the shape of ascending and descending indexes of one field.
func isPlainIndex(x policy.Value) bool {
	path, direction, ok := keyOf(x)
	return ok && direction.Kind().IsNumber() && !strings.HasPrefix(path, "$") && !strings.HasSuffix(path, "$**")
}

// isOfType is the shape of indexes of one field that are of a special type.
func isOfType(kind string) shape {
	return func(x policy.Value) bool {
		_, direction, _ := keyOf(x)
		return isText(kind)(direction)
	}
}

// isCompound is the shape of indexes of several fields.
func isCompound(x policy.Value) bool { return len(policy.DOf(x.Field("key"))) > 1 }

// ordinary tests for a document of an ordinary collection.
func ordinary(q query) bool { return q.get("collection").IsMissing() }

// single tests for one TTL index, with a whole number of seconds that fits.
func single(q query) bool {
	_, ok := q.seconds()
	return ok && ordinary(q)
}

// seconds returns the option of the only index, if it is a delay that can be
// converted to milliseconds.
func (q query) seconds() (int64, bool) {
	all := policy.AOf(q.get("indexes"))
	if len(all) != 1 || !isPlainIndex(all[0]) {
		return 0, false
	}
	s, ok := all[0].Field(option).AsInt64()
	return s, ok && s > -math.MaxInt32 && s <= math.MaxInt32
}

// roots returns the top-level fields that indexes of one field read.
func (q query) roots() map[string]bool {
	found := map[string]bool{}
	for _, x := range policy.AOf(q.get("indexes")) {
		path, _, ok := keyOf(x)
		if root, _, _ := strings.Cut(path, "."); ok {
			found[root] = true
		}
	}
	return found
}

// stores returns the misreading that decides as if edit had changed the top-level fields
// that indexes read.
func stores(edit change) misreading {
	return asks(decide, func(q query) query {
		roots, d := q.roots(), policy.D{}
		for _, e := range policy.DOf(q.get("document")) {
			if roots[e.Key] {
				e.Value = edit(e.Value)
			}
			d = append(d, e)
		}
		return q.with(policy.ObjectValue(d), "document")
	})
}

// takes returns the misreading that decides as if a field that an index reads held dates
// in place of all values, at any depth, that the function date can convert.
func takes(date func(policy.Value) (policy.Instant, bool)) misreading {
	return stores(leaves(dateBy(date)))
}

// several holds misreadings of several TTL indexes together.
var several = []Mutant{
	{Name: "several-shortest-delay", Rule: "mongo.earliest-source", Text: "The index with the shortest delay decides, whatever the dates are.",
		Wild: "a report about an index that was left behind (Automattic/mongoose#6633)",
		misread: asks(decide, func(q query) query {
			all := q.ttlIndexes()
			if len(all) == 0 {
				return q
			}
			return q.with(policy.ListValue(policy.A{slices.MinFunc(all, byDelay)}), "indexes")
		})},
}

// byDelay compares indexes by their expireAfterSeconds.
func byDelay(x, y policy.Value) int {
	return cmp.Compare(number(x.Field(option)), number(y.Field(option)))
}

// ttlIndexes returns the question's indexes with an expireAfterSeconds.
func (q query) ttlIndexes() policy.A {
	return slices.DeleteFunc(policy.AOf(q.get("indexes")), not(named(option)))
}

// filters holds misreadings of partial filters.
var filters = []Mutant{
	{Name: "filter-ignored", Rule: "mongo.filter-mismatch", Text: "The partial filter bears on queries, not on what expires.",
		Wild:    "mongomock 4.1.2 and 256dpi/lungo, which delete documents outside of it",
		misread: sets(named(partial), missing, partial)},
}

// partial is the name of the option that makes an index partial.
const partial = "partialFilterExpression"
