package mutants

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// indexes holds misreadings of the shape of an index: its key, its type, its
// options, and the capped collection that it may be on.
var indexes = map[string]misreading{
	"index-v0-is-v1":       sets(isVersionZero, policy.Int32Value(1), "v"),
	"index-v0-stops":       drops(isVersionZero),
	"index-v0-earliest":    keeps(decide, every(where(holdsBefore1970, "document", "t"), some("indexes", isVersionZero))),
	"descending-never":     drops(isDescending),
	"descending-latest":    walker{choose: latestDate}.walks(isDescending),
	"direction-int32-only": drops(func(x policy.Value) bool { _, d, _ := keyOf(x); return d.Kind() == policy.Double }),
	"hidden-stops":         drops(named("hidden")),
	"sparse-stops":         drops(named("sparse")),
	"unique-stops":         drops(named("unique")),
	"collation-stops":      drops(func(x policy.Value) bool { return named("collation")(x) && !named("partialFilterExpression")(x) }),
	"compound-by-first-field": rewrites(isCompound, func(x policy.Value) policy.Value {
		return cases.Put(x, policy.ObjectValue(policy.DOf(x.Field("key"))[:1]), "key")
	}),
	"compound-by-last-field": rewrites(isCompound, func(x policy.Value) policy.Value { return cases.Put(x, policy.ObjectValue(lastField(x)), "key") }),
	"hashed-deletes":         ascends("hashed"),
	"text-deletes":           ascends("text"),
	"2d-deletes":             ascends("2d"),
	"2dsphere-deletes":       ascends("2dsphere"),
	"wildcard-deletes": asks(decide, func(q query) query {
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
	}),
	"capped-deletes":           uncapped(decide, until("7.1.0")),
	"capped-deletes-since-5.0": uncapped(decide, every(since("5.0.0"), until("7.1.0"))),
	"capped-never":             atRelease(decide, "4.4.29", every(has("collection", "capped"), since("7.1.0"))),
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
		return cases.Put(x, object(path, policy.Int32Value(1)), "key")
	})
}

// uncapped takes capped collections for others.
func uncapped(op string, when test) misreading {
	return forgets(op, every(when, has("collection", "capped")), "collection", "capped")
}

// holdsBefore1970 reports whether a value is an array with a date before 1970.
func holdsBefore1970(v policy.Value) bool {
	return slices.ContainsFunc(datesOf(policy.AOf(v)), func(v policy.Value) bool { i, _ := v.AsDate(); return i < 0 })
}

// isVersionZero reports whether an index is of version 0.
func isVersionZero(x policy.Value) bool {
	n, ok := x.Field("v").AsInt64()
	return ok && n == 0
}
