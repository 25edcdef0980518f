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
	"off-is-at-once":            only(decideItem, func(q query) bool { return q.isOff() && !has("item", "ttl")(q) }, func(q query) conformance.Answer { return q.expire(q.written()) }),
	"default-ignored":           keeps(decideItem, byDefault),
	"default-exclusive":         shifts(decideItem, byDefault, 1),
	"default-a-second-late":     shifts(decideItem, byDefault, 1000),
	"default-wins":              only(decideItem, func(q query) bool { return number(q.get("container", "defaultTtl")) > 0 }, itemsAre(func(d policy.D) policy.D { return without(d, "ttl") })),
	"item-ignored":              itemsAre(func(d policy.D) policy.D { return without(d, "ttl") }),
	"item-only-shortens":        only(decideItem, func(q query) bool { return q.ttl() > q.defaultTTL() && q.defaultTTL() > 0 }, itemsAre(func(d policy.D) policy.D { return without(d, "ttl") })),
	"item-only-lengthens":       only(decideItem, func(q query) bool { return q.ttl() > 0 && q.ttl() < q.defaultTTL() }, itemsAre(func(d policy.D) policy.D { return without(d, "ttl") })),
	"item-exclusive":            shifts(decideItem, not(byDefault), 1),
	"item-minus-one-is-default": only(decideItem, minusOne, itemsAre(func(d policy.D) policy.D { return without(d, "ttl") })),
	"item-minus-one-is-at-once": only(decideItem, test(minusOne).and(not(query.isOff)), func(q query) conformance.Answer { return q.expire(q.written() - 1000) }),
	"minus-one-is-off":          defaults(func(v policy.Value) bool { return number(v) == -1 }, policy.Value{}),
	"minus-one-is-at-once":      only(decideItem, func(q query) bool { return q.defaultTTL() == -1 && !has("item", "ttl")(q) }, func(q query) conformance.Answer { return q.expire(q.written() - 1000) }),
	"minus-one-is-the-longest":  only(decideItem, func(q query) bool { return !has("item", "ttl")(q) }, defaults(func(v policy.Value) bool { return number(v) == -1 }, policy.Int32Value(math.MaxInt32))),
	"setting-of-the-write": all(keeps(decideItem, byDefault), refuses(makeContainer, func(q query) bool {
		return has("previous", "defaultTtl")(q) && q.get("container", "defaultTtl").Kind() == policy.Int32
	}, 400)),
	"never-revived": only(decideItem, func(q query) bool { return q.defaultTTL() <= 0 && !has("item", "ttl")(q) }, func(q query) conformance.Answer { return q.expire(q.written() + 1000) }),
	"reads-restart": moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return due + max(0, q.now()-q.written()) }),
	"ttl-adds-to-default": moves(decideItem, func(q query) bool { return q.ttl() > 0 && q.defaultTTL() > 0 }, func(q query, due policy.Instant) policy.Instant {
		return due + 1000*policy.Instant(q.defaultTTL())
	}),
	"ttl-in-milliseconds": moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return q.counted() + (due-q.counted())/1000 }),
	"ttl-in-minutes":      moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return q.counted() + 60*(due-q.counted()) }),
	"ttl-is-a-date":       moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return due - q.counted() }),
	"ttl-sum-of-32-bits":  moves(decideItem, always, func(_ query, due policy.Instant) policy.Instant { return 1000 * policy.Instant(int32(due/1000)) }),
	"ttl-milliseconds-of-32-bits": moves(decideItem, always, func(q query, due policy.Instant) policy.Instant {
		return q.counted() + policy.Instant(int32(due-q.counted()))
	}),
	"ts-in-milliseconds": moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return due - q.counted() + q.counted()/1000 }),
	"ts-rounded-up":      shifts(decideItem, always, 1000),
	"ts-zero-is-none":    keeps(decideItem, func(q query) bool { return q.counted() == 0 }),
	"clock-rounded":      shifts(decideItem, always, -500),
	"clock-behind-write": moves(decideItem, inFuture, func(q query, due policy.Instant) policy.Instant {
		if 2*q.written()-due >= q.now() {
			return q.now()
		}
		return due
	}),
	"clock-behind-write-at-once": only(decideItem, inFuture, func(q query) conformance.Answer { return q.expire(q.now()) }),
	"no-timestamp-is-1970": only(decideItem, not(hasTimestamp), itemsAre(func(d policy.D) policy.D {
		return append(without(d, "_ts"), policy.E{Key: "_ts", Value: policy.Int32Value(0)})
	})),
	"no-timestamp-is-now": only(decideItem, not(hasTimestamp), func(q query) conformance.Answer { return q.expire(q.now() + 1000*policy.Instant(q.defaultTTL())) }),
	"ts-may-have-a-fraction": itemsAre(func(d policy.D) policy.D {
		ts := policy.ObjectValue(d).Field("_ts")
		if ts.Kind() != policy.Double {
			return d
		}
		return append(without(d, "_ts"), policy.E{Key: "_ts", Value: policy.Int64Value(int64(number(ts)))})
	}),
	"item-unreachable-wraps": only(decideItem, func(q query) bool { return q.counted() < q.written() }, atOnce),
	"item-reachable-never":   only(decideItem, func(q query) bool { v, ok := q.verdict(); return ok && !v.never && v.due > policy.MaxInstant-1000 }, keep),
	"name-in-any-case":       all(names(strings.ToLower), writeNames(strings.ToLower)),
	"name-with-underscore":   all(names(func(name string) string { return strings.Replace(name, "_ttl", "ttl", 1) }), writeNames(func(name string) string { return strings.Replace(name, "_ttl", "ttl", 1) })),
	"name-of-the-sdk":        names(func(name string) string { return strings.Replace(name, "TimeToLive", "ttl", 1) }),
	"name-of-the-container": all(names(func(name string) string { return strings.Replace(name, "defaultTtl", "ttl", 1) }),
		asks(decideItem, func(q query) query {
			if v := q.get("container", "ttl"); !v.IsMissing() {
				return q.with(v, "container", "defaultTtl")
			}
			return q
		})),
	"name-at-any-depth": itemsAre(func(d policy.D) policy.D {
		for _, e := range d {
			if v := e.Value.Field("ttl"); !v.IsMissing() {
				return append(without(d, "ttl"), policy.E{Key: "ttl", Value: v})
			}
		}
		return d
	}),
	"path-ignored": asks(decideItem, func(q query) query { return q.with(policy.Value{}, "container", "ttlPropertyPath") }),
	"path-in-milliseconds": moves(decideItem, has("container", "ttlPropertyPath"), func(q query, due policy.Instant) policy.Instant {
		return due - q.counted() + q.counted()/1000
	}),
	"path-or-write": moves(decideItem, has("container", "ttlPropertyPath"), func(q query, due policy.Instant) policy.Instant {
		return due + max(0, q.written()-q.counted())
	}),
	"path-is-the-deadline": moves(decideItem, has("container", "ttlPropertyPath"), func(q query, _ policy.Instant) policy.Instant { return q.counted() }),
}

// defaults decides as if defaultTtl were another where it is such.
func defaults(such func(policy.Value) bool, to policy.Value) misreading {
	return asks(decideItem, func(q query) query {
		if !such(q.get("container", "defaultTtl")) {
			return q
		}
		return q.with(to, "container", "defaultTtl")
	})
}

// itemsAre decides about other items.
func itemsAre(edit func(policy.D) policy.D) misreading { return edits(decideItem, edit) }

func edits(op string, edit func(policy.D) policy.D) misreading {
	return asks(op, func(q query) query { return q.with(policy.ObjectValue(edit(policy.DOf(q.get("item")))), "item") })
}

// names decides about items whose properties have other names.
func names(rename func(string) string) misreading { return itemsAre(renamed(rename)) }

// writeNames writes items whose properties have other names.
func writeNames(rename func(string) string) misreading { return edits(writeItem, renamed(rename)) }

func renamed(rename func(string) string) func(policy.D) policy.D {
	return func(d policy.D) policy.D {
		d = slices.Clone(d)
		for i := range d {
			d[i].Key = rename(d[i].Key)
		}
		return d
	}
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

func minusOne(q query) bool { return q.ttl() == -1 }

func (q query) ttl() float64        { return number(q.get("item", "ttl")) }
func (q query) defaultTTL() float64 { return number(q.get("container", "defaultTtl")) }

// hasTimestamp tests for an item with a whole _ts.
func hasTimestamp(q query) bool { return isOf(q.get("item", "_ts"), policy.Int32, policy.Int64) }

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
