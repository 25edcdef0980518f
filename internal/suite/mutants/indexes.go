package mutants

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// indexes holds misreadings of the shape of an index: its key, its type, its
// options, and the capped collection that it may be on.
var indexes = of("indexes", []Mutant{
	{Name: "index-v0-is-v1", Rule: "mongo.index-v0", Text: "The version of an index changes nothing.",
		misread: sets(isVersionZero, policy.Int32Value(1), "v")},
	{Name: "index-v0-stops", Rule: "mongo.index-v0", Text: "An index of version 0 deletes nothing.",
		misread: drops(isVersionZero)},
	{Name: "index-v0-earliest", Rule: "mongo.index-v0", Text: "Of an array in an index of version 0 the earliest date decides, and is before 1970.",
		misread: keeps(decide, every(where(holds(isBefore1970), "document", "t"), some("indexes", isVersionZero)))},
	{Name: "descending-never", Rule: "mongo.index-options", Text: "A descending index does not expire documents.",
		misread: drops(isDescending)},
	{Name: "descending-latest", Rule: "mongo.index-options", Text: "A descending index begins with the latest date of an array.",
		misread: walker{choose: latestDate}.walks(isDescending)},
	{Name: "direction-int32-only", Rule: "mongo.index-options", Text: "The direction of an index is an int32.",
		misread: drops(func(x policy.Value) bool { return directionOf(x).Kind() == policy.Double })},
	{Name: "hidden-stops", Rule: "mongo.index-options", Text: "A hidden index deletes nothing.",
		Wild:    "a note in a fork of mongodb/mongo, against the test that it cites (ttl_hidden_index.js)",
		misread: drops(named("hidden"))},
	{Name: "sparse-stops", Rule: "mongo.index-options", Text: "A sparse index deletes nothing.",
		misread: drops(named("sparse"))},
	{Name: "unique-stops", Rule: "mongo.index-options", Text: "A unique index deletes nothing.",
		misread: drops(named("unique"))},
	{Name: "collation-stops", Rule: "mongo.index-options", Text: "An index with a collation deletes nothing.",
		misread: drops(every(named("collation"), not(named(partial))))},
	{Name: "compound-by-first-field", Rule: "mongo.index-compound", Text: "An index of several fields deletes by its first one.",
		misread: rewrites(isCompound, firstOfKey)},
	{Name: "compound-by-last-field", Rule: "mongo.index-compound", Text: "An index of several fields deletes by its last one.",
		misread: rewrites(isCompound, func(x policy.Value) policy.Value { return cases.Put(x, policy.ObjectValue(lastField(x)), "key") })},
	{Name: "hashed-deletes", Rule: "mongo.index-special", Text: "A hashed index deletes like any other.",
		Wild:    "mongomock 4.1.2",
		misread: ascends("hashed")},
	{Name: "hashed-never", Rule: "mongo.index-hashed-deletes", Text: "A hashed index has never deleted anything.",
		misread: drops(isOfType("hashed"))},
	{Name: "unknown-type-never", Rule: "mongo.index-type-unknown", Text: "An index of a type that a release does not know deletes nothing.",
		misread: keeps(decide, every(until("2.4.0"), some("indexes", isOfType("2dsphere"))))},
	{Name: "direction-nan-ascends", Rule: "mongo.index-direction-nan", Text: "NaN is a direction like 1.",
		misread: rewrites(func(x policy.Value) bool { return directionOf(x).IsNaN() }, func(x policy.Value) policy.Value { return cases.Put(x, object(pathOf(x), policy.Int32Value(1)), "key") })},
	{Name: "text-deletes", Rule: "mongo.index-special", Text: "A text index of one field deletes like any other.",
		misread: ascends("text")},
	{Name: "2d-deletes", Rule: "mongo.index-special", Text: "A 2d index deletes like any other.",
		misread: ascends("2d")},
	{Name: "2dsphere-deletes", Rule: "mongo.index-special", Text: "A 2dsphere index deletes like any other.",
		misread: ascends("2dsphere")},
	{Name: "wildcard-deletes", Rule: "mongo.index-special", Text: "A wildcard index deletes by the dates of the fields that it covers.",
		Wild: "256dpi/lungo and mongomock 4.1.2, which take such an index",
		misread: asks(decide, func(q query) query {
			return q.each("indexes", func(x policy.Value) policy.Value {
				path, direction, ok := keyOf(x)
				root, wild := strings.CutSuffix(path, "$**")
				if !ok || !wild {
					return x
				}
				root = strings.TrimSuffix(root, ".")
				for _, e := range policy.DOf(q.get("document")) {
					if e.Value.Kind() == policy.Date && (root == "" || root == e.Key) {
						return cases.Put(x, object(e.Key, direction), "key")
					}
				}
				return x
			})
		})},
	{Name: "capped-deletes", Rule: "mongo.capped", Text: "A capped collection expires like any other in every release.",
		misread: uncapped(decide, until("7.1.0"))},
	{Name: "capped-deletes-since-5.0", Rule: "mongo.capped", Text: "A capped collection expires like any other since 5.0, which knows no failing delete.",
		misread: uncapped(decide, every(since("5.0.0"), until("7.1.0")))},
	{Name: "capped-never", Rule: "mongo.capped", Text: "A TTL index deletes nothing from a capped collection, in whatever release.",
		Wild:    "the MongoDB manual of 4.x, by which such an index cannot be made",
		misread: atRelease(decide, "4.4.29", every(has("collection", "capped"), since("7.1.0")))},
})

func isDescending(x policy.Value) bool { return number(directionOf(x)) < 0 }

func lastField(x policy.Value) policy.D {
	key := policy.DOf(x.Field("key"))
	return key[len(key)-1:]
}

// ascends takes an index of a special type for an ascending one.
func ascends(kind string) misreading {
	return rewrites(isOfType(kind), func(x policy.Value) policy.Value {
		return cases.Put(x, object(pathOf(x), policy.Int32Value(1)), "key")
	})
}

// uncapped takes capped collections for others.
func uncapped(op string, when test) misreading { return forgets(op, when, "collection", "capped") }

// isBefore1970 is the shape of dates before 1970.
func isBefore1970(v policy.Value) bool { i, ok := v.AsDate(); return ok && i < 0 }

// isVersionZero reports whether an index is of version 0.
var isVersionZero = at(every(ofType(policy.Int32, policy.Int64), equals(0)), "v")

// option is the name of what makes a TTL index, and a collection that expires.
const option = "expireAfterSeconds"

func anyIndex(policy.Value) bool { return true }

// rewrites decides as if indexes were others. An index that becomes Missing is
// none.
func rewrites(when shape, edit change) misreading {
	return alters(decide, "indexes", given(when, edit))
}

// drops takes indexes for ones that delete nothing.
func drops(when shape) misreading { return rewrites(when, drop) }

// sets takes indexes for such with another value; Missing takes it away.
func sets(when shape, v policy.Value, path ...string) misreading {
	return rewrites(when, put(v, path...))
}

// reads takes the option of indexes for another number.
func reads(when shape, edit change) misreading { return rewrites(delayed(when), within(edit, option)) }

// named is the shape of indexes that have a field, delayed of those whose option has a shape.
func named(path ...string) shape { return at(isThere, path...) }
func delayed(such shape) shape   { return at(such, option) }

// nanSeconds is the shape of indexes whose option is NaN.
var nanSeconds = delayed(policy.Value.IsNaN)

// keyOf returns the path and the direction of an index of one field.
func keyOf(index policy.Value) (path string, direction policy.Value, ok bool) {
	key := policy.DOf(index.Field("key"))
	if len(key) != 1 {
		return "", missing, false
	}
	return key[0].Key, key[0].Value, true
}

// pathOf and directionOf return one of the two, "" and Missing for other indexes.
func pathOf(index policy.Value) string            { path, _, _ := keyOf(index); return path }
func directionOf(index policy.Value) policy.Value { _, direction, _ := keyOf(index); return direction }

// isPlainIndex is the shape of ascending and descending indexes of one field.
func isPlainIndex(x policy.Value) bool {
	path, direction, ok := keyOf(x)
	return ok && direction.Kind().IsNumber() && !strings.HasPrefix(path, "$") && !strings.HasSuffix(path, "$**")
}

// isOfType is the shape of indexes of one field that are of a special type.
func isOfType(kind string) shape {
	return func(x policy.Value) bool { return isText(kind)(directionOf(x)) }
}

// isCompound is the shape of indexes of several fields.
func isCompound(x policy.Value) bool { return len(policy.DOf(x.Field("key"))) > 1 }

// ordinary tests for documents of collections without a TTL of their own.
func ordinary(q query) bool { return q.get("collection").IsMissing() }

// single tests for one TTL index, with a whole number of seconds that fits.
func single(q query) bool {
	_, ok := q.seconds()
	return ok && ordinary(q)
}

// seconds returns the option of the only index, if it is a delay that milliseconds
// can be made of.
func (q query) seconds() (int64, bool) {
	all := policy.AOf(q.get("indexes"))
	if len(all) != 1 || !isPlainIndex(all[0]) {
		return 0, false
	}
	s, ok := all[0].Field(option).AsInt64()
	return s, ok && s > -math.MaxInt32 && s <= math.MaxInt32
}

// date returns the value at the top of the document that the only index is on.
func (q query) date() (policy.Instant, bool) {
	all := policy.AOf(q.get("indexes"))
	if len(all) != 1 {
		return 0, false
	}
	return q.get("document", pathOf(all[0])).AsDate()
}

// roots returns the top-level fields that TTL indexes look at.
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

// stores decides as if the document held other values where indexes look.
func stores(edit change) misreading {
	return asks(decide, func(q query) query { return q.withFields(true, edit) })
}

// withFields returns q with other values in the fields that indexes look at, or in
// those that none does; what becomes Missing is not there.
func (q query) withFields(indexed bool, edit change) query {
	roots := q.roots()
	d := policy.D{}
	for _, e := range policy.DOf(q.get("document")) {
		if roots[e.Key] == indexed {
			e.Value = edit(e.Value)
		}
		if !e.Value.IsMissing() {
			d = append(d, e)
		}
	}
	return q.with(policy.ObjectValue(d), "document")
}

// takes stores a date in place of each value for which there is one, at any
// depth.
func takes(date func(policy.Value) (policy.Instant, bool)) misreading {
	return stores(leaves(dateBy(date)))
}

// several holds misreadings of what several TTL indexes do together.
var several = of("several", []Mutant{
	{Name: "several-latest", Rule: "mongo.earliest-source", Text: "A document expires when all TTL indexes agree: the latest deadline wins.",
		misread: only(decide, always, func(q query) conformance.Answer { return latest(q.apart()...) })},
	{Name: "several-first", Rule: "mongo.earliest-source", Text: "Only the first TTL index of a collection works.",
		misread: keepOne(func(a policy.A) policy.Value { return a[0] })},
	{Name: "several-last", Rule: "mongo.earliest-source", Text: "Only the last TTL index of a collection works.",
		misread: keepOne(func(a policy.A) policy.Value { return a[len(a)-1] })},
	{Name: "several-shortest-delay", Rule: "mongo.earliest-source", Text: "The index with the shortest delay decides, whatever the dates are.",
		Wild:    "a report about an index that was left behind (Automattic/mongoose#6633)",
		misread: keepOne(func(a policy.A) policy.Value { return slices.MinFunc(a, byDelay) })},
	{Name: "several-all-or-none", Rule: "mongo.earliest-source", Text: "A document that some TTL index does not expire is protected from the others.",
		misread: keeps(decide, func(q query) bool { return slices.ContainsFunc(q.apart(), neverExpires) })},
	{Name: "several-collection-wins", Rule: "mongo.earliest-source", Text: "The collection's own option switches TTL indexes off.",
		misread: puts(decide, has("collection", option), noElements, "indexes")},
	{Name: "several-index-wins", Rule: "mongo.earliest-source", Text: "A TTL index takes the place of the collection's own option.",
		misread: forgets(decide, every(hasTTLIndex, has("collection", option)), "collection", option)},
})

// byDelay orders indexes by their option.
func byDelay(x, y policy.Value) int {
	return cmp.Compare(number(x.Field(option)), number(y.Field(option)))
}

func neverExpires(q query) bool { v, ok := q.verdict(); return ok && v.never }

func hasTTLIndex(q query) bool { return len(q.ttlIndexes()) > 0 }

// ttlIndexes returns the indexes that have the option.
func (q query) ttlIndexes() policy.A {
	return slices.DeleteFunc(policy.AOf(q.get("indexes")), not(named(option)))
}

// keepOne decides by one of the TTL indexes, if there are any.
func keepOne(choose func(policy.A) policy.Value) misreading {
	return only(decide, hasTTLIndex, asks(decide, func(q query) query {
		return q.with(policy.ListValue(policy.A{choose(q.ttlIndexes())}), "indexes")
	}))
}

// apart returns q once for each TTL index, with that alone, and once for the
// collection's own option.
func (q query) apart() (questions []query) {
	for _, x := range q.ttlIndexes() {
		questions = append(questions, q.with(policy.ListValue(policy.A{x}), "indexes").with(missing, "collection", option))
	}
	if has("collection", option)(q) {
		questions = append(questions, q.with(noElements, "indexes"))
	}
	return questions
}
