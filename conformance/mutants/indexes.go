package mutants

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// indexes holds misreadings of the shape of an index: its key, its type, its
// options, and the capped collection that it may be on.
var indexes = []entry{
	{"index-v0-is-v1", "mongo.index-v0", "The version of an index changes nothing.", "",
		sets(isVersionZero, policy.Int32Value(1), "v")},
	{"index-v0-stops", "mongo.index-v0", "An index of version 0 deletes nothing.", "",
		drops(isVersionZero)},
	{"index-v0-earliest", "mongo.index-v0", "Of an array in an index of version 0 the earliest date decides, and is before 1970.", "",
		keeps(decide, test(func(q query) bool {
			return slices.ContainsFunc(policy.AOf(q.get("document", "t")), func(v policy.Value) bool {
				date, ok := v.AsDate()
				return ok && date < 0
			}) && slices.ContainsFunc(policy.AOf(q.get("indexes")), isVersionZero)
		}))},
	{"descending-never", "mongo.index-options", "A descending index does not expire documents.", "",
		drops(isDescending)},
	{"descending-latest", "mongo.index-options", "A descending index begins with the latest date of an array.", "",
		walker{choose: bestDate(func(a, b policy.Instant) bool { return a > b })}.walks(isDescending)},
	{"direction-int32-only", "mongo.index-options", "The direction of an index is an int32.", "",
		drops(func(x policy.Value) bool { _, d, _ := keyOf(x); return d.Kind() == policy.Double })},
	{"hidden-stops", "mongo.index-options", "A hidden index deletes nothing.", "a note in a fork of mongodb/mongo, against the test that it cites (ttl_hidden_index.js)",
		drops(named("hidden"))},
	{"sparse-stops", "mongo.index-options", "A sparse index deletes nothing.", "",
		drops(named("sparse"))},
	{"unique-stops", "mongo.index-options", "A unique index deletes nothing.", "",
		drops(named("unique"))},
	{"collation-stops", "mongo.index-options", "An index with a collation deletes nothing.", "",
		drops(func(x policy.Value) bool { return named("collation")(x) && !named("partialFilterExpression")(x) })},
	{"compound-by-first-field", "mongo.index-compound", "An index of several fields deletes by its first one.", "",
		rewrites(isCompound, func(x policy.Value) policy.Value {
			return put(x, policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "key")
		})},
	{"compound-by-last-field", "mongo.index-compound", "An index of several fields deletes by its last one.", "",
		rewrites(isCompound, func(x policy.Value) policy.Value { return put(x, policy.ObjectValue(lastField(x)), "key") })},
	{"hashed-deletes", "mongo.index-special", "A hashed index deletes like any other.", "mongomock 4.1.2",
		ascends("hashed")},
	{"text-deletes", "mongo.index-special", "A text index of one field deletes like any other.", "",
		ascends("text")},
	{"2d-deletes", "mongo.index-special", "A 2d index deletes like any other.", "",
		ascends("2d")},
	{"2dsphere-deletes", "mongo.index-special", "A 2dsphere index deletes like any other.", "",
		ascends("2dsphere")},
	{"wildcard-deletes", "mongo.index-special", "A wildcard index deletes by the dates of the fields that it takes in.", "256dpi/lungo and mongomock 4.1.2, which take such an index",
		asks(decide, func(q query) query {
			return q.each("indexes", func(x policy.Value) policy.Value {
				path, direction, ok := keyOf(x)
				root, wild := strings.CutSuffix(path, "$**")
				if !ok || !wild {
					return x
				}
				root = strings.TrimSuffix(root, ".")
				for _, e := range policy.DOf(q.get("document")) {
					if e.Value.Kind() == policy.Date && (root == "" || root == e.Key) {
						return put(x, policy.ObjectValue(policy.D{{Key: e.Key, Value: direction}}), "key")
					}
				}
				return x
			})
		})},
	{"capped-deletes", "mongo.capped", "A capped collection expires like any other in every release.", "",
		only(decide, until("7.1.0"), asks(decide, uncapped))},
	{"capped-deletes-since-5.0", "mongo.capped", "A capped collection expires like any other since 5.0, which knows no failing delete.", "",
		only(decide, test(since("5.0.0")).and(until("7.1.0")), asks(decide, uncapped))},
	{"capped-never", "mongo.capped", "A TTL index deletes nothing from a capped collection, in whatever release.", "the MongoDB manual of 4.x, by which such an index cannot be made",
		atRelease(decide, "4.4.29", test(has("collection", "capped")).and(since("7.1.0")))},
}

func isDescending(x policy.Value) bool { _, d, _ := keyOf(x); return number(d) < 0 }

func lastField(x policy.Value) policy.D {
	key := policy.DOf(x.Field("key"))
	return key[len(key)-1:]
}

// ascends takes an index of a special type for an ascending one.
func ascends(kind string) misreading {
	return rewrites(anyIndex, func(x policy.Value) policy.Value {
		path, direction, ok := keyOf(x)
		if s, _ := direction.AsString(); !ok || s != kind {
			return x
		}
		return put(x, policy.ObjectValue(policy.D{{Key: path, Value: policy.Int32Value(1)}}), "key")
	})
}

func uncapped(q query) query {
	if !has("collection", "capped")(q) {
		return q
	}
	return q.with(policy.Value{}, "collection", "capped")
}

// isVersionZero reports whether an index is of version 0.
func isVersionZero(x policy.Value) bool {
	n, ok := x.Field("v").AsInt64()
	return ok && n == 0
}
