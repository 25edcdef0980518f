package mutants

import (
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// items holds misreadings of when an item of Azure Cosmos DB expires.
var items = of("cosmos-items", []Mutant{
	{Name: "off-item-wins", Rule: "cosmos.off", Text: "An item's ttl works although the container has no defaultTtl.",
		Wild:    "what users expected (MicrosoftDocs/azure-docs#40984, Azure/Microsoft.Extensions.Caching.Cosmos#64)",
		misread: defaults(policy.Value.IsMissing, policy.Int32Value(-1))},
	{Name: "off-null-is-on", Rule: "cosmos.off", Text: "defaultTtl null is on, without a default.",
		misread: defaults(isNull, policy.Int32Value(-1))},
	{Name: "off-is-at-once", Rule: "cosmos.off", Text: "A container without defaultTtl has one of 0.",
		misread: only(decideItem, every(query.isOff, lacksTTL), fromWrite(0))},
	{Name: "default-ignored", Rule: "cosmos.default", Text: "The default is what clients fill in; an item without ttl has none.",
		misread: keeps(decideItem, byDefault)},
	{Name: "default-exclusive", Rule: "cosmos.default", Text: "An item in the second of its default deadline has not expired yet.",
		misread: shifts(decideItem, byDefault, 1)},
	{Name: "default-a-second-late", Rule: "cosmos.default", Text: "The second _ts + defaultTtl is the last one in which an item exists.",
		misread: shifts(decideItem, byDefault, 1000)},
	{Name: "default-wins", Rule: "cosmos.item", Text: "The container's default wins over an item's ttl.",
		misread: only(decideItem, where(above(0), "container", "defaultTtl"), withoutTTL)},
	{Name: "item-ignored", Rule: "cosmos.item", Text: "An item's ttl is data like any other.",
		misread: withoutTTL},
	{Name: "item-only-shortens", Rule: "cosmos.item", Text: "The shorter of an item's ttl and the default counts.",
		misread: only(decideItem, func(q query) bool { return q.ttl() > q.defaultTTL() && q.defaultTTL() > 0 }, withoutTTL)},
	{Name: "item-only-lengthens", Rule: "cosmos.item", Text: "The longer of an item's ttl and the default counts.",
		misread: only(decideItem, func(q query) bool { return q.ttl() > 0 && q.ttl() < q.defaultTTL() }, withoutTTL)},
	{Name: "item-exclusive", Rule: "cosmos.item", Text: "An item in the second of its own deadline has not expired yet.",
		misread: shifts(decideItem, not(byDefault), 1)},
	{Name: "item-minus-one-is-default", Rule: "cosmos.item-never", Text: "-1 on an item stands for the container's default.",
		misread: only(decideItem, minusOne, withoutTTL)},
	{Name: "item-minus-one-is-at-once", Rule: "cosmos.item-never", Text: "-1 on an item is a deadline before its last write.",
		Wild:    "lemonlion/CosmosDB.InMemoryEmulator 4.0.8, for -2",
		misread: only(decideItem, every(minusOne, not(query.isOff)), fromWrite(-1000))},
	{Name: "minus-one-is-off", Rule: "cosmos.setting-off", Text: "-1 on the container switches TTL off.",
		Wild:    "older releases of spring-data-cosmosdb, for which -1 left the container as it was",
		misread: defaults(equals(-1), missing)},
	{Name: "minus-one-is-at-once", Rule: "cosmos.no-default", Text: "-1 on the container is a deadline before the last write.",
		misread: only(decideItem, every(defaultMinusOne, lacksTTL), fromWrite(-1000))},
	{Name: "minus-one-is-the-longest", Rule: "cosmos.no-default", Text: "-1 on the container is the longest default there is.",
		misread: only(decideItem, lacksTTL, defaults(equals(-1), policy.Int32Value(math.MaxInt32)))},
	{Name: "setting-of-the-write", Rule: "cosmos.setting-now", Text: "The default is written into an item with the item: one without ttl has none.",
		misread: all(keeps(decideItem, byDefault), refuses(makeContainer, every(has("previous", "defaultTtl"), where(ofType(policy.Int32), "container", "defaultTtl")), 400))},
	{Name: "never-revived", Rule: "cosmos.revived", Text: "What has expired once stays so: without a default now, an item has the shortest that there may have been.",
		misread: only(decideItem, every(lacksTTL, func(q query) bool { return q.defaultTTL() <= 0 }), fromWrite(1000))},
	{Name: "reads-restart", Rule: "cosmos.write-restarts", Text: "Reading an item restarts its clock.",
		misread: moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return due + max(0, q.now()-q.written()) })},
	{Name: "ttl-adds-to-default", Rule: "cosmos.ttl-update", Text: "A ttl that an item gets later is added to the default.",
		misread: moves(decideItem, every(where(above(0), "item", "ttl"), where(above(0), "container", "defaultTtl")), func(q query, due policy.Instant) policy.Instant {
			return due + 1000*policy.Instant(q.defaultTTL())
		})},
	{Name: "ttl-in-milliseconds", Rule: "cosmos.seconds", Text: "A time to live is milliseconds.",
		Wild:    "a client whose setting was in milliseconds (Azure/Microsoft.Extensions.Caching.Cosmos#51)",
		misread: spans(func(ms policy.Instant) policy.Instant { return ms / 1000 })},
	{Name: "ttl-in-minutes", Rule: "cosmos.seconds", Text: "A time to live is minutes.",
		misread: spans(func(ms policy.Instant) policy.Instant { return 60 * ms })},
	{Name: "ttl-is-a-date", Rule: "cosmos.seconds", Text: "A time to live is the second since 1970 at which the item expires.",
		Wild:    "DynamoDB, where it is so",
		misread: moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return due - q.counted() })},
	{Name: "ttl-sum-of-32-bits", Rule: "cosmos.seconds", Text: "_ts + ttl is a number of 32 bits.",
		misread: moves(decideItem, always, func(_ query, due policy.Instant) policy.Instant { return 1000 * policy.Instant(int32(due/1000)) })},
	{Name: "ttl-milliseconds-of-32-bits", Rule: "cosmos.seconds", Text: "The milliseconds of a time to live are a number of 32 bits.",
		misread: spans(func(ms policy.Instant) policy.Instant { return policy.Instant(int32(ms)) })},
	{Name: "ts-in-milliseconds", Rule: "cosmos.timestamp", Text: "_ts is milliseconds since 1970.",
		misread: moves(decideItem, always, countedInMilliseconds)},
	{Name: "ts-rounded-up", Rule: "cosmos.timestamp", Text: "_ts is the second after the write.",
		misread: shifts(decideItem, always, 1000)},
	{Name: "ts-zero-is-none", Rule: "cosmos.timestamp", Text: "_ts 0 is no time.",
		misread: keeps(decideItem, func(q query) bool { return q.counted() == 0 })},
	{Name: "clock-rounded", Rule: "cosmos.timestamp", Text: "The clock is rounded to the nearest second.",
		misread: shifts(decideItem, always, -500)},
	{Name: "clock-behind-write", Rule: "cosmos.server-clock", Text: "A write in the clock's future lies as far in its past.",
		misread: moves(decideItem, inFuture, func(q query, due policy.Instant) policy.Instant {
			if 2*q.written()-due >= q.now() {
				return q.now()
			}
			return due
		})},
	{Name: "clock-behind-write-at-once", Rule: "cosmos.server-clock", Text: "An item that was written in the clock's future is gone.",
		misread: only(decideItem, inFuture, func(q query) conformance.Answer { return q.expire(q.now()) })},
	{Name: "no-timestamp-is-1970", Rule: "cosmos.no-timestamp", Text: "An item without _ts was written in 1970.",
		misread: only(decideItem, not(hasTimestamp), itemsAre(func(d policy.D) policy.D { return replaced(d, "_ts", policy.Int32Value(0)) }))},
	{Name: "no-timestamp-is-now", Rule: "cosmos.no-timestamp", Text: "An item without _ts is written now.",
		misread: only(decideItem, not(hasTimestamp), func(q query) conformance.Answer { return q.expire(q.now() + 1000*policy.Instant(q.defaultTTL())) })},
	{Name: "ts-may-have-a-fraction", Rule: "cosmos.no-timestamp", Text: "_ts may have a fraction.",
		misread: changes(decideItem, always, given(ofType(policy.Double), func(v policy.Value) policy.Value { return policy.Int64Value(int64(number(v))) }), "item", "_ts")},
	{Name: "item-unreachable-wraps", Rule: "cosmos.unreachable", Text: "Milliseconds wrap around in 64 bits.",
		misread: only(decideItem, func(q query) bool { return q.counted() < q.written() }, atOnce)},
	{Name: "item-reachable-never", Rule: "cosmos.unreachable", Text: "A deadline in the last second of the clock is never reached.",
		misread: keeps(decideItem, between(query.due, policy.MaxInstant-999, policy.MaxInstant))},
	{Name: "name-in-any-case", Rule: "cosmos.property-name", Text: "The property ttl may be written in any case.",
		misread: all(names(strings.ToLower), writeNames(strings.ToLower))},
	{Name: "name-with-underscore", Rule: "cosmos.property-name", Text: "_ttl is ttl.",
		Wild:    "lemonlion/CosmosDB.InMemoryEmulator 4.0.8",
		misread: all(names(asTTL("_ttl")), writeNames(asTTL("_ttl")))},
	{Name: "name-of-the-sdk", Rule: "cosmos.property-name", Text: "TimeToLive is ttl.",
		Wild:    "the service's page of November 2018 (MicrosoftDocs/azure-docs#23692)",
		misread: names(asTTL("TimeToLive"))},
	{Name: "name-of-the-container", Rule: "cosmos.property-name", Text: "defaultTtl on an item is its ttl, and ttl on a container its default.",
		misread: all(names(asTTL("defaultTtl")), only(decideItem, has("container", "ttl"), asks(decideItem, func(q query) query {
			return q.with(q.get("container", "ttl"), "container", "defaultTtl")
		})))},
	{Name: "name-at-any-depth", Rule: "cosmos.property-name", Text: "A ttl within another property counts.",
		misread: itemsAre(func(d policy.D) policy.D {
			for _, e := range d {
				if v := e.Value.Field("ttl"); !v.IsMissing() {
					return replaced(d, "ttl", v)
				}
			}
			return d
		})},
	{Name: "path-ignored", Rule: "cosmos.path", Text: "ttlPropertyPath has no effect.",
		misread: forgets(decideItem, always, "container", "ttlPropertyPath")},
	{Name: "path-in-milliseconds", Rule: "cosmos.path", Text: "The property at ttlPropertyPath is milliseconds.",
		misread: moves(decideItem, has("container", "ttlPropertyPath"), countedInMilliseconds)},
	{Name: "path-or-write", Rule: "cosmos.path", Text: "The later of the property at ttlPropertyPath and _ts counts.",
		misread: moves(decideItem, has("container", "ttlPropertyPath"), func(q query, due policy.Instant) policy.Instant {
			return due + max(0, q.written()-q.counted())
		})},
	{Name: "path-is-the-deadline", Rule: "cosmos.path", Text: "The property at ttlPropertyPath is the deadline itself.",
		misread: moves(decideItem, has("container", "ttlPropertyPath"), func(q query, _ policy.Instant) policy.Instant { return q.counted() })},
})

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
var containers = of("cosmos-containers", []Mutant{
	{Name: "container-zero-accepted", Rule: "cosmos.default-refused", Text: "A defaultTtl of 0 is accepted.",
		Wild:    "@zeit/cosmosdb-server 0.13.4 and pikami/cosmium, which take anything",
		misread: takesDefault(isInt32Of(0))},
	{Name: "container-null-accepted", Rule: "cosmos.default-refused", Text: "A defaultTtl of null is accepted as off.",
		Wild:    "a sample on the service's how-to page",
		misread: takesDefault(isNull)},
	{Name: "container-negative-accepted", Rule: "cosmos.default-refused", Text: "Whatever is below 0 is -1.",
		Wild:    "lemonlion/CosmosDB.InMemoryEmulator 4.0.8, for -2",
		misread: takesDefault(below(-1))},
	{Name: "container-large-accepted", Rule: "cosmos.default-range", Text: "A defaultTtl may be beyond 2147483647.",
		misread: takesDefault(above(2147483647))},
	{Name: "container-minus-one-refused", Rule: "cosmos.default-refused", Text: "A defaultTtl must be above 0.",
		misread: refuses(makeContainer, defaultMinusOne, 400)},
	{Name: "container-longest-refused", Rule: "cosmos.default-refused", Text: "2147483647 is the first defaultTtl that is too long.",
		misread: refuses(makeContainer, where(equals(2147483647), "container", "defaultTtl"), 400)},
	{Name: "container-bad-is-a-conflict", Rule: "cosmos.default-refused", Text: "A defaultTtl that is wrong is refused with status 409.",
		misread: confuses(makeContainer, has("container", "defaultTtl"), 400, 409)},
	{Name: "container-null-written-out", Rule: "cosmos.sdk-null", Text: "null written out is a property that is left out.",
		Wild:    "what users expected (MicrosoftDocs/azure-docs#107151)",
		misread: all(takesDefault(isNull), forgets(writeItem, where(isNull, "item", "ttl"), "item", "ttl"))},
	{Name: "container-index-not-needed", Rule: "cosmos.indexing-none", Text: "TTL needs no index.",
		misread: indexed(always)},
	{Name: "container-index-not-needed-for-minus-one", Rule: "cosmos.indexing-none", Text: "-1 without an index is accepted, as it expires nothing by itself.",
		misread: indexed(defaultMinusOne)},
	{Name: "container-index-looked-at-when-ttl-is-set", Rule: "cosmos.indexing-none", Text: "Only who switches TTL on needs an index; it can be taken away later.",
		misread: indexed(has("previous", "defaultTtl"))},
	{Name: "container-index-looked-at-later", Rule: "cosmos.indexing-none", Text: "Only who takes the index away is refused.",
		misread: indexed(every(has("previous"), not(has("previous", "defaultTtl"))))},
	{Name: "container-index-always-needed", Rule: "cosmos.indexing-none", Text: "Indexing mode none is refused without TTL too.",
		misread: refuses(makeContainer, where(isText("none"), indexingMode...), 400)},
	{Name: "container-lazy-refused", Rule: "cosmos.indexing-lazy", Text: "Indexing mode lazy is refused.",
		misread: refuses(makeContainer, where(isText("lazy"), indexingMode...), 400)},
	{Name: "container-excluded-is-none", Rule: "cosmos.indexing-consistent", Text: "Where every path is excluded there is no index for TTL.",
		misread: refuses(makeContainer, has("container", "indexingPolicy", "excludedPaths"), 400)},
	{Name: "container-excluded-suffices", Rule: "cosmos.indexing-consistent", Text: "Indexing mode none with every path excluded is indexing enough for TTL.",
		misread: indexed(has("container", "indexingPolicy", "excludedPaths"))},
	{Name: "container-path-alone", Rule: "cosmos.path-without-default", Text: "ttlPropertyPath is accepted without defaultTtl.",
		misread: accepts(makeContainer, has("container", "ttlPropertyPath"), noWarnings)},
	{Name: "container-path-refused", Rule: "cosmos.path-without-default", Text: "ttlPropertyPath is refused with defaultTtl.",
		misread: refuses(makeContainer, every(has("container", "ttlPropertyPath"), has("container", "defaultTtl")), 400)},
	{Name: "container-never-switched-off", Rule: "cosmos.setting-off", Text: "TTL cannot be switched off once it is on.",
		misread: refuses(makeContainer, every(has("previous", "defaultTtl"), query.isOff), 400)},
})

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
var itemWrites = of("cosmos-item-writes", []Mutant{
	{Name: "write-null-accepted", Rule: "cosmos.item-refused", Text: "An item's ttl of null is accepted as none.",
		Wild:    "floci-io/floci-az 0.11.0 and lemonlion/CosmosDB.InMemoryEmulator 4.0.8",
		misread: takesTTL(isNull)},
	{Name: "write-negative-accepted", Rule: "cosmos.item-refused", Text: "An item's ttl below -1 is accepted.",
		Wild:    "floci-io/floci-az 0.11.0, where it never expires, and lemonlion/CosmosDB.InMemoryEmulator 4.0.8, where it does at once",
		misread: takesTTL(below(-1))},
	{Name: "write-minus-two-accepted", Rule: "cosmos.item-refused", Text: "-2 on an item is accepted.",
		misread: takesTTL(equals(-2))},
	{Name: "write-large-accepted", Rule: "cosmos.item-range", Text: "An item's ttl may be beyond 2147483647.",
		Wild:    "floci-io/floci-az 0.11.0",
		misread: takesTTL(above(2147483647))},
	{Name: "write-minus-one-refused", Rule: "cosmos.item-refused", Text: "An item's ttl must be above 0.",
		misread: refusesTTL(equals(-1))},
	{Name: "write-longest-refused", Rule: "cosmos.item-refused", Text: "2147483647 is the first ttl that is too long.",
		misread: refusesTTL(equals(2147483647))},
	{Name: "write-below-default-refused", Rule: "cosmos.item-refused", Text: "An item needs a ttl where the container has no default.",
		misread: refuses(writeItem, every(defaultMinusOne, lacksTTL), 400)},
	{Name: "write-while-off-refused", Rule: "cosmos.item-refused", Text: "While TTL is off an item must have no ttl.",
		misread: refuses(writeItem, every(query.isOff, has("item", "ttl")), 400)},
	{Name: "write-looked-at-under-default-only", Rule: "cosmos.item-refused", Text: "An item's ttl is looked at where the container has a default.",
		misread: accepts(writeItem, defaultMinusOne, struct{}{})},
	{Name: "write-bad-is-unprocessable", Rule: "cosmos.item-refused", Text: "An item whose ttl is wrong is refused with status 422.",
		misread: confuses(writeItem, always, 400, 422)},
})

func takesTTL(such shape) misreading {
	return accepts(writeItem, where(such, "item", "ttl"), struct{}{})
}

func refusesTTL(such shape) misreading { return refuses(writeItem, where(such, "item", "ttl"), 400) }
