package mutants

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// containers holds misreadings of which settings of a container are refused.
var containers = []entry{
	{"container-zero-accepted", "cosmos.default-refused", "A defaultTtl of 0 is taken.", "@zeit/cosmosdb-server 0.13.4 and pikami/cosmium, which take anything",
		takesDefault(func(v policy.Value) bool { return v.Kind() == policy.Int32 && number(v) == 0 })},
	{"container-null-accepted", "cosmos.default-refused", "A defaultTtl of null is taken as off.", "a sample on the service's how-to page",
		takesDefault(isNull)},
	{"container-negative-accepted", "cosmos.default-refused", "Whatever is below 0 is -1.", "lemonlion/CosmosDB.InMemoryEmulator 4.0.8, for -2",
		takesDefault(func(v policy.Value) bool { return number(v) < -1 })},
	{"container-large-accepted", "cosmos.default-refused", "A defaultTtl may be beyond 2147483647.", "",
		takesDefault(func(v policy.Value) bool { return number(v) > 2147483647 })},
	{"container-minus-one-refused", "cosmos.default-refused", "A defaultTtl must be above 0.", "",
		refuses(makeContainer, func(q query) bool { return q.defaultTTL() == -1 }, 400)},
	{"container-longest-refused", "cosmos.default-refused", "2147483647 is the first defaultTtl that is too long.", "",
		refuses(makeContainer, func(q query) bool { return q.defaultTTL() == 2147483647 }, 400)},
	{"container-bad-is-a-conflict", "cosmos.default-refused", "A defaultTtl that is wrong is refused with status 409.", "",
		confuses(makeContainer, has("container", "defaultTtl"), 400, 409)},
	{"container-null-written-out", "cosmos.sdk-null", "null written out is a property that is left out.", "what users expected (MicrosoftDocs/azure-docs#107151)",
		all(takesDefault(isNull), edits(writeItem, func(d policy.D) policy.D {
			if isNull(policy.ObjectValue(d).Field("ttl")) {
				return without(d, "ttl")
			}
			return d
		}))},
	{"container-index-not-needed", "cosmos.indexing-none", "TTL needs no index.", "",
		indexed(always)},
	{"container-index-not-needed-for-minus-one", "cosmos.indexing-none", "-1 without an index is taken, as it expires nothing by itself.", "",
		indexed(func(q query) bool { return q.defaultTTL() == -1 })},
	{"container-index-looked-at-when-ttl-is-set", "cosmos.indexing-none", "Only who switches TTL on needs an index; it can be taken away later.", "",
		indexed(has("previous", "defaultTtl"))},
	{"container-index-looked-at-later", "cosmos.indexing-none", "Only who takes the index away is refused.", "",
		indexed(test(has("previous")).and(not(has("previous", "defaultTtl"))))},
	{"container-index-always-needed", "cosmos.indexing-none", "Indexing mode none is refused without TTL too.", "",
		refuses(makeContainer, func(q query) bool { return isText("none")(q.get("container", "indexingPolicy", "indexingMode")) }, 400)},
	{"container-lazy-refused", "cosmos.indexing-lazy", "Indexing mode lazy is refused.", "",
		refuses(makeContainer, func(q query) bool { return isText("lazy")(q.get("container", "indexingPolicy", "indexingMode")) }, 400)},
	{"container-excluded-is-none", "cosmos.indexing-consistent", "Where every path is excluded there is no index for TTL.", "",
		refuses(makeContainer, has("container", "indexingPolicy", "excludedPaths"), 400)},
	{"container-excluded-suffices", "cosmos.indexing-consistent", "Indexing mode none with every path excluded is indexing enough for TTL.", "",
		indexed(has("container", "indexingPolicy", "excludedPaths"))},
	{"container-path-alone", "cosmos.path-without-default", "ttlPropertyPath is taken without defaultTtl.", "",
		accepts(makeContainer, has("container", "ttlPropertyPath"), noWarnings)},
	{"container-path-refused", "cosmos.path-without-default", "ttlPropertyPath is refused with defaultTtl.", "",
		refuses(makeContainer, test(has("container", "ttlPropertyPath")).and(has("container", "defaultTtl")), 400)},
	{"container-never-switched-off", "cosmos.setting-off", "TTL cannot be switched off once it is on.", "",
		refuses(makeContainer, func(q query) bool { return has("previous", "defaultTtl")(q) && q.isOff() }, 400)},
}

// noWarnings is the result of a container that is taken.
var noWarnings = map[string][]string{"warnings": {}}

// takesDefault takes containers with such a default.
func takesDefault(such func(policy.Value) bool) misreading {
	return accepts(makeContainer, func(q query) bool {
		v := q.get("container", "defaultTtl")
		return !v.IsMissing() && such(v)
	}, noWarnings)
}

// indexed takes containers for such with an index.
func indexed(when test) misreading {
	return only(makeContainer, when, func(q query) conformance.Answer {
		if !isText("none")(q.get("container", "indexingPolicy", "indexingMode")) {
			return q.ask()
		}
		return q.with(policy.StringValue("consistent"), "container", "indexingPolicy", "indexingMode").ask()
	})
}

// itemWrites holds misreadings of which items are refused.
var itemWrites = []entry{
	{"write-null-accepted", "cosmos.item-refused", "An item's ttl of null is taken as none.", "floci-io/floci-az 0.11.0 and lemonlion/CosmosDB.InMemoryEmulator 4.0.8",
		takesTTL(isNull)},
	{"write-negative-accepted", "cosmos.item-refused", "An item's ttl below -1 is taken.", "floci-io/floci-az 0.11.0, where it never expires, and lemonlion/CosmosDB.InMemoryEmulator 4.0.8, where it does at once",
		takesTTL(func(v policy.Value) bool { return number(v) < -1 })},
	{"write-minus-two-accepted", "cosmos.item-refused", "-2 on an item is taken.", "",
		takesTTL(func(v policy.Value) bool { return number(v) == -2 })},
	{"write-large-accepted", "cosmos.item-refused", "An item's ttl may be beyond 2147483647.", "floci-io/floci-az 0.11.0",
		takesTTL(func(v policy.Value) bool { return number(v) > 2147483647 })},
	{"write-minus-one-refused", "cosmos.item-refused", "An item's ttl must be above 0.", "",
		refusesTTL(func(v policy.Value) bool { return number(v) == -1 })},
	{"write-longest-refused", "cosmos.item-refused", "2147483647 is the first ttl that is too long.", "",
		refusesTTL(func(v policy.Value) bool { return number(v) == 2147483647 })},
	{"write-below-default-refused", "cosmos.item-refused", "An item needs a ttl where the container has no default.", "",
		refuses(writeItem, func(q query) bool { return q.defaultTTL() == -1 && !has("item", "ttl")(q) }, 400)},
	{"write-while-off-refused", "cosmos.item-refused", "While TTL is off an item must have no ttl.", "",
		refuses(writeItem, func(q query) bool { return q.isOff() && has("item", "ttl")(q) }, 400)},
	{"write-looked-at-under-default-only", "cosmos.item-refused", "An item's ttl is looked at where the container has a default.", "",
		accepts(writeItem, func(q query) bool { return q.defaultTTL() == -1 }, struct{}{})},
	{"write-bad-is-unprocessable", "cosmos.item-refused", "An item whose ttl is wrong is refused with status 422.", "",
		confuses(writeItem, always, 400, 422)},
}

func takesTTL(such func(policy.Value) bool) misreading {
	return accepts(writeItem, func(q query) bool { return such(q.get("item", "ttl")) }, struct{}{})
}

func refusesTTL(such func(policy.Value) bool) misreading {
	return refuses(writeItem, func(q query) bool { return such(q.get("item", "ttl")) }, 400)
}
