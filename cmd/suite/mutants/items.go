package mutants

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// items holds misreadings of when an item of Azure Cosmos DB expires.
var items = []Mutant{
	{Name: "off-item-wins", Rule: "cosmos.off", Text: "An item's ttl works although the container has no defaultTtl.",
		Wild:    "what users expected (MicrosoftDocs/azure-docs#40984, Azure/Microsoft.Extensions.Caching.Cosmos#64)",
		misread: defaults(policy.Value.IsMissing, policy.Int32Value(-1))},
	{Name: "item-minus-one-is-at-once", Rule: "cosmos.item-never", Text: "-1 on an item is a deadline before its last write.",
		Wild:    "lemonlion/CosmosDB.InMemoryEmulator 4.0.8, for -2",
		misread: only(decideItem, every(minusOne, not(query.isOff)), func(q query) conformance.Answer { return q.expire(q.written() - 1000) })},
	{Name: "minus-one-is-off", Rule: "cosmos.setting-off", Text: "-1 on the container switches TTL off.",
		Wild:    "older releases of spring-data-cosmosdb, for which -1 left the container as it was",
		misread: defaults(equals(-1), missing)},
	{Name: "ttl-in-milliseconds", Rule: "cosmos.seconds", Text: "A time to live is milliseconds.",
		Wild:    "a client whose setting was in milliseconds (Azure/Microsoft.Extensions.Caching.Cosmos#51)",
		misread: moves(decideItem, always, func(q query, due policy.Instant) policy.Instant { return q.counted() + (due-q.counted())/1000 })},
	{Name: "name-with-underscore", Rule: "cosmos.property-name", Text: "_ttl is ttl.",
		Wild:    "lemonlion/CosmosDB.InMemoryEmulator 4.0.8",
		misread: all(ttlNamed(decideItem, "_ttl"), ttlNamed(writeItem, "_ttl"))},
}

// ttlNamed returns the misreading that reads the property of this name as the item's ttl.
func ttlNamed(op, name string) misreading {
	return asks(op, func(q query) query {
		d := policy.DOf(q.get("item"))
		for i := range d {
			d[i].Key = strings.Replace(d[i].Key, name, "ttl", 1)
		}
		return q.with(policy.ObjectValue(d), "item")
	})
}

// defaults returns the misreading that decides as if a defaultTtl of the given shape had
// another value.
func defaults(such shape, to policy.Value) misreading {
	return puts(decideItem, where(such, "container", "defaultTtl"), to, "container", "defaultTtl")
}

// isOff tests for a container without defaultTtl.
func (q query) isOff() bool {
	v := q.get("container", "defaultTtl")
	return v.IsMissing() || isNull(v)
}

var minusOne = where(equals(-1), "item", "ttl")

// written returns the time in _ts in milliseconds, within the range of an
// instant.
func (q query) written() policy.Instant {
	return policy.Instant(min(number(q.get("item", "_ts")), math.MaxInt64/1000-1) * 1000)
}

// counted returns the time from which the item's time to live counts, in milliseconds. A
// time beyond 64 bits wraps around.
func (q query) counted() policy.Instant {
	from := q.get("item", "_ts")
	if path, ok := q.get("container", "ttlPropertyPath").AsString(); ok {
		from = q.get("item", strings.TrimPrefix(path, "/"))
	}
	n, _ := from.AsInt64()
	return policy.Instant(n * 1000)
}

// containers holds misreadings of the refusals of container settings.
var containers = []Mutant{
	{Name: "container-zero-accepted", Rule: "cosmos.default-refused", Text: "A defaultTtl of 0 is accepted.",
		Wild:    "@zeit/cosmosdb-server 0.13.4 and pikami/cosmium, which take anything",
		misread: takesDefault(isInt32Of(0))},
	{Name: "container-negative-accepted", Rule: "cosmos.default-refused", Text: "Whatever is below 0 is -1.",
		Wild:    "lemonlion/CosmosDB.InMemoryEmulator 4.0.8, for -2",
		misread: takesDefault(below(-1))},
	{Name: "container-null-written-out", Rule: "cosmos.sdk-null", Text: "null written out is a property that is left out.",
		Wild:    "what users expected (MicrosoftDocs/azure-docs#107151)",
		misread: all(takesDefault(isNull), forgets(writeItem, where(isNull, "item", "ttl"), "item", "ttl"))},
}

// noWarnings is the result of an accepted container.
var noWarnings = map[string][]string{"warnings": {}}

// takesDefault accepts containers whose default has a shape.
func takesDefault(such shape) misreading {
	return accepts(makeContainer, where(such, "container", "defaultTtl"), noWarnings)
}

// itemWrites holds misreadings of the refusals of items.
var itemWrites = []Mutant{
	{Name: "write-null-accepted", Rule: "cosmos.item-refused", Text: "An item's ttl of null is accepted as none.",
		Wild:    "floci-io/floci-az 0.11.0 and lemonlion/CosmosDB.InMemoryEmulator 4.0.8",
		misread: takesTTL(isNull)},
	{Name: "write-negative-accepted", Rule: "cosmos.item-refused", Text: "An item's ttl below -1 is accepted.",
		Wild:    "floci-io/floci-az 0.11.0, where it never expires, and lemonlion/CosmosDB.InMemoryEmulator 4.0.8, where it does at once",
		misread: takesTTL(below(-1))},
	{Name: "write-large-accepted", Rule: "cosmos.item-range", Text: "An item's ttl may be beyond 2147483647.",
		Wild:    "floci-io/floci-az 0.11.0",
		misread: takesTTL(above(2147483647))},
}

func takesTTL(such shape) misreading {
	return accepts(writeItem, where(such, "item", "ttl"), struct{}{})
}
