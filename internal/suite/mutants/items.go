package mutants

import (
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// items holds misreadings of when an item of Azure Cosmos DB expires.
var items = map[string]misreading{
	"off-item-wins":             defaults(policy.Value.IsMissing, policy.Int32Value(-1)),
	"off-null-is-on":            defaults(isNull, policy.Int32Value(-1)),
	"off-is-at-once":            only(decideItem, every(query.isOff, lacksTTL), fromWrite(0)),
	"default-ignored":           keeps(decideItem, byDefault),
	"default-exclusive":         shifts(decideItem, byDefault, 1),
	"default-a-second-late":     shifts(decideItem, byDefault, 1000),
	"default-wins":              only(decideItem, where(above(0), "container", "defaultTtl"), withoutTTL),
	"item-ignored":              withoutTTL,
	"item-only-shortens":        only(decideItem, func(q query) bool { return q.ttl() > q.defaultTTL() && q.defaultTTL() > 0 }, withoutTTL),
	"item-only-lengthens":       only(decideItem, func(q query) bool { return q.ttl() > 0 && q.ttl() < q.defaultTTL() }, withoutTTL),
	"item-exclusive":            shifts(decideItem, not(byDefault), 1),
	"item-minus-one-is-default": only(decideItem, minusOne, withoutTTL),
	"item-minus-one-is-at-once": only(decideItem, every(minusOne, not(query.isOff)), fromWrite(-1000)),
	"minus-one-is-off":          defaults(equals(-1), missing),
	"minus-one-is-at-once":      only(decideItem, every(defaultMinusOne, lacksTTL), fromWrite(-1000)),
	"minus-one-is-the-longest":  only(decideItem, lacksTTL, defaults(equals(-1), policy.Int32Value(math.MaxInt32))),
	"setting-of-the-write":      all(keeps(decideItem, byDefault), refuses(makeContainer, every(has("previous", "defaultTtl"), where(ofType(policy.Int32), "container", "defaultTtl")), 400)),
	"never-revived":             only(decideItem, every(lacksTTL, func(q query) bool { return q.defaultTTL() <= 0 }), fromWrite(1000)),
	"reads-restart":             moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return due + max(0, q.now()-q.written()) }),
	"ttl-adds-to-default": moves(decideItem, every(where(above(0), "item", "ttl"), where(above(0), "container", "defaultTtl")), func(q query, due policy.Instant) policy.Instant {
		return due + 1000*policy.Instant(q.defaultTTL())
	}),
	"ttl-in-milliseconds":         spans(func(ms policy.Instant) policy.Instant { return ms / 1000 }),
	"ttl-in-minutes":              spans(func(ms policy.Instant) policy.Instant { return 60 * ms }),
	"ttl-is-a-date":               moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return due - q.counted() }),
	"ttl-sum-of-32-bits":          moves(decideItem, always, func(_ query, due policy.Instant) policy.Instant { return 1000 * policy.Instant(int32(due/1000)) }),
	"ttl-milliseconds-of-32-bits": spans(func(ms policy.Instant) policy.Instant { return policy.Instant(int32(ms)) }),
	"ts-in-milliseconds":          moves(decideItem, always, countedInMilliseconds),
	"ts-rounded-up":               shifts(decideItem, always, 1000),
	"ts-zero-is-none":             keeps(decideItem, func(q query) bool { return q.counted() == 0 }),
	"clock-rounded":               shifts(decideItem, always, -500),
	"clock-behind-write": moves(decideItem, inFuture, func(q query, due policy.Instant) policy.Instant {
		if 2*q.written()-due >= q.now() {
			return q.now()
		}
		return due
	}),
	"clock-behind-write-at-once": only(decideItem, inFuture, func(q query) conformance.Answer { return q.expire(q.now()) }),
	"no-timestamp-is-1970":       only(decideItem, not(hasTimestamp), itemsAre(func(d policy.D) policy.D { return replaced(d, "_ts", policy.Int32Value(0)) })),
	"no-timestamp-is-now":        only(decideItem, not(hasTimestamp), func(q query) conformance.Answer { return q.expire(q.now() + 1000*policy.Instant(q.defaultTTL())) }),
	"ts-may-have-a-fraction":     changes(decideItem, always, given(ofType(policy.Double), func(v policy.Value) policy.Value { return policy.Int64Value(int64(number(v))) }), "item", "_ts"),
	"item-unreachable-wraps":     only(decideItem, func(q query) bool { return q.counted() < q.written() }, atOnce),
	"item-reachable-never":       keeps(decideItem, between(query.due, policy.MaxInstant-999, policy.MaxInstant)),
	"name-in-any-case":           all(names(strings.ToLower), writeNames(strings.ToLower)),
	"name-with-underscore":       all(names(asTTL("_ttl")), writeNames(asTTL("_ttl"))),
	"name-of-the-sdk":            names(asTTL("TimeToLive")),
	"name-of-the-container": all(names(asTTL("defaultTtl")), only(decideItem, has("container", "ttl"), asks(decideItem, func(q query) query {
		return q.with(q.get("container", "ttl"), "container", "defaultTtl")
	}))),
	"name-at-any-depth": itemsAre(func(d policy.D) policy.D {
		for _, e := range d {
			if v := e.Value.Field("ttl"); !v.IsMissing() {
				return replaced(d, "ttl", v)
			}
		}
		return d
	}),
	"path-ignored":         forgets(decideItem, always, "container", "ttlPropertyPath"),
	"path-in-milliseconds": moves(decideItem, has("container", "ttlPropertyPath"), countedInMilliseconds),
	"path-or-write": moves(decideItem, has("container", "ttlPropertyPath"), func(q query, due policy.Instant) policy.Instant {
		return due + max(0, q.written()-q.counted())
	}),
	"path-is-the-deadline": moves(decideItem, has("container", "ttlPropertyPath"), func(q query, _ policy.Instant) policy.Instant { return q.counted() }),
}

// itemsAre decides about other items.
func itemsAre(edit func(policy.D) policy.D) misreading { return edits(decideItem, edit) }

func edits(op string, edit func(policy.D) policy.D) misreading {
	return asks(op, func(q query) query { return q.with(policy.ObjectValue(edit(policy.DOf(q.get("item")))), "item") })
}

// names decides about items whose properties have other names.
func names(rename func(string) string) misreading { return itemsAre(properties(rename)) }

// writeNames writes items whose properties have other names.
func writeNames(rename func(string) string) misreading { return edits(writeItem, properties(rename)) }

// properties changes the names of properties.
func properties(rename func(string) string) func(policy.D) policy.D {
	return func(d policy.D) policy.D {
		d = slices.Clone(d)
		for i := range d {
			d[i].Key = rename(d[i].Key)
		}
		return d
	}
}

// withoutTTL decides as if items had no ttl.
var withoutTTL = itemsAre(func(d policy.D) policy.D { return without(d, "ttl") })

// replaced returns a document with another value in a field, at its end.
func replaced(d policy.D, name string, v policy.Value) policy.D {
	return append(without(d, name), policy.E{Key: name, Value: v})
}

// asTTL takes a name for that of the property.
func asTTL(name string) func(string) string {
	return func(have string) string { return strings.Replace(have, name, "ttl", 1) }
}

// fromWrite expires items so many milliseconds after their last write.
func fromWrite(ms policy.Instant) misreading {
	return func(q query) conformance.Answer { return q.expire(q.written() + ms) }
}

// spans decides by other times to live, in milliseconds.
func spans(edit func(ms policy.Instant) policy.Instant) misreading {
	return moves(decideItem, always, func(q query, due policy.Instant) policy.Instant {
		return q.counted() + edit(due-q.counted())
	})
}

func countedInMilliseconds(q query, due policy.Instant) policy.Instant {
	return due - q.counted() + q.counted()/1000
}

// defaults decides as if a defaultTtl of a shape were another.
func defaults(such shape, to policy.Value) misreading {
	return puts(decideItem, where(such, "container", "defaultTtl"), to, "container", "defaultTtl")
}

// without returns a document without a field.
func without(d policy.D, name string) policy.D {
	return slices.DeleteFunc(slices.Clone(d), func(e policy.E) bool { return e.Key == name })
}

// isOff tests for a container without defaultTtl.
func (q query) isOff() bool {
	v := q.get("container", "defaultTtl")
	return v.IsMissing() || isNull(v)
}

// byDefault tests for an item that the default decides about.
func byDefault(q query) bool {
	return !has("item", "ttl")(q) && q.defaultTTL() > 0 && !has("container", "ttlPropertyPath")(q)
}

var (
	lacksTTL        = not(has("item", "ttl"))
	minusOne        = where(equals(-1), "item", "ttl")
	defaultMinusOne = where(equals(-1), "container", "defaultTtl")
)

func (q query) ttl() float64        { return number(q.get("item", "ttl")) }
func (q query) defaultTTL() float64 { return number(q.get("container", "defaultTtl")) }

// hasTimestamp tests for an item with a whole _ts.
var hasTimestamp = where(ofType(policy.Int32, policy.Int64), "item", "_ts")

// written returns the time in _ts, in milliseconds, as far as that goes.
func (q query) written() policy.Instant {
	return policy.Instant(min(number(q.get("item", "_ts")), math.MaxInt64/1000-1) * 1000)
}

// inFuture tests for an item that was written in the clock's future, but within
// the range of clocks.
func inFuture(q query) bool { return q.now() < q.written() && q.written() < policy.MaxInstant/2 }

// counted returns the time from which the item's time to live counts, in
// milliseconds of 64 bits.
func (q query) counted() policy.Instant {
	from := q.get("item", "_ts")
	if path, ok := q.get("container", "ttlPropertyPath").AsString(); ok {
		from = q.get("item", strings.TrimPrefix(path, "/"))
	}
	n, _ := from.AsInt64()
	return policy.Instant(n * 1000)
}

// containers holds misreadings of which settings of a container are refused.
var containers = map[string]misreading{
	"container-zero-accepted":                   takesDefault(isInt32Of(0)),
	"container-null-accepted":                   takesDefault(isNull),
	"container-negative-accepted":               takesDefault(below(-1)),
	"container-large-accepted":                  takesDefault(above(2147483647)),
	"container-minus-one-refused":               refuses(makeContainer, defaultMinusOne, 400),
	"container-longest-refused":                 refuses(makeContainer, where(equals(2147483647), "container", "defaultTtl"), 400),
	"container-bad-is-a-conflict":               confuses(makeContainer, has("container", "defaultTtl"), 400, 409),
	"container-null-written-out":                all(takesDefault(isNull), forgets(writeItem, where(isNull, "item", "ttl"), "item", "ttl")),
	"container-index-not-needed":                indexed(always),
	"container-index-not-needed-for-minus-one":  indexed(defaultMinusOne),
	"container-index-looked-at-when-ttl-is-set": indexed(has("previous", "defaultTtl")),
	"container-index-looked-at-later":           indexed(every(has("previous"), not(has("previous", "defaultTtl")))),
	"container-index-always-needed":             refuses(makeContainer, where(isText("none"), indexingMode...), 400),
	"container-lazy-refused":                    refuses(makeContainer, where(isText("lazy"), indexingMode...), 400),
	"container-excluded-is-none":                refuses(makeContainer, has("container", "indexingPolicy", "excludedPaths"), 400),
	"container-excluded-suffices":               indexed(has("container", "indexingPolicy", "excludedPaths")),
	"container-path-alone":                      accepts(makeContainer, has("container", "ttlPropertyPath"), noWarnings),
	"container-path-refused":                    refuses(makeContainer, every(has("container", "ttlPropertyPath"), has("container", "defaultTtl")), 400),
	"container-never-switched-off":              refuses(makeContainer, every(has("previous", "defaultTtl"), query.isOff), 400),
}

// noWarnings is the result of a container that is taken.
var noWarnings = map[string][]string{"warnings": {}}

// takesDefault accepts containers whose default has a shape.
func takesDefault(such shape) misreading {
	return accepts(makeContainer, every(has("container", "defaultTtl"), where(such, "container", "defaultTtl")), noWarnings)
}

var indexingMode = []string{"container", "indexingPolicy", "indexingMode"}

// indexed takes containers without an index for containers with one.
func indexed(when test) misreading {
	return puts(makeContainer, every(when, where(isText("none"), indexingMode...)), policy.StringValue("consistent"), indexingMode...)
}

// itemWrites holds misreadings of which items are refused.
var itemWrites = map[string]misreading{
	"write-null-accepted":                takesTTL(isNull),
	"write-negative-accepted":            takesTTL(below(-1)),
	"write-minus-two-accepted":           takesTTL(equals(-2)),
	"write-large-accepted":               takesTTL(above(2147483647)),
	"write-minus-one-refused":            refusesTTL(equals(-1)),
	"write-longest-refused":              refusesTTL(equals(2147483647)),
	"write-below-default-refused":        refuses(writeItem, every(defaultMinusOne, lacksTTL), 400),
	"write-while-off-refused":            refuses(writeItem, every(query.isOff, has("item", "ttl")), 400),
	"write-looked-at-under-default-only": accepts(writeItem, defaultMinusOne, struct{}{}),
	"write-bad-is-unprocessable":         confuses(writeItem, always, 400, 422),
}

func takesTTL(such shape) misreading {
	return accepts(writeItem, where(such, "item", "ttl"), struct{}{})
}

func refusesTTL(such shape) misreading { return refuses(writeItem, where(such, "item", "ttl"), 400) }
