package mutants

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// containers holds misreadings of which settings of a container are refused.
var containers = map[string]misreading{
	"container-zero-accepted":     takesDefault(func(v policy.Value) bool { return v.Kind() == policy.Int32 && number(v) == 0 }),
	"container-null-accepted":     takesDefault(isNull),
	"container-negative-accepted": takesDefault(func(v policy.Value) bool { return number(v) < -1 }),
	"container-large-accepted":    takesDefault(func(v policy.Value) bool { return number(v) > 2147483647 }),
	"container-minus-one-refused": refuses(makeContainer, func(q query) bool { return q.defaultTTL() == -1 }, 400),
	"container-longest-refused":   refuses(makeContainer, func(q query) bool { return q.defaultTTL() == 2147483647 }, 400),
	"container-bad-is-a-conflict": confuses(makeContainer, has("container", "defaultTtl"), 400, 409),
	"container-null-written-out": all(takesDefault(isNull), edits(writeItem, func(d policy.D) policy.D {
		if isNull(policy.ObjectValue(d).Field("ttl")) {
			return without(d, "ttl")
		}
		return d
	})),
	"container-index-not-needed":                indexed(always),
	"container-index-not-needed-for-minus-one":  indexed(func(q query) bool { return q.defaultTTL() == -1 }),
	"container-index-looked-at-when-ttl-is-set": indexed(has("previous", "defaultTtl")),
	"container-index-looked-at-later":           indexed(test(has("previous")).and(not(has("previous", "defaultTtl")))),
	"container-index-always-needed":             refuses(makeContainer, func(q query) bool { return isText("none")(q.get("container", "indexingPolicy", "indexingMode")) }, 400),
	"container-lazy-refused":                    refuses(makeContainer, func(q query) bool { return isText("lazy")(q.get("container", "indexingPolicy", "indexingMode")) }, 400),
	"container-excluded-is-none":                refuses(makeContainer, has("container", "indexingPolicy", "excludedPaths"), 400),
	"container-excluded-suffices":               indexed(has("container", "indexingPolicy", "excludedPaths")),
	"container-path-alone":                      accepts(makeContainer, has("container", "ttlPropertyPath"), noWarnings),
	"container-path-refused":                    refuses(makeContainer, test(has("container", "ttlPropertyPath")).and(has("container", "defaultTtl")), 400),
	"container-never-switched-off":              refuses(makeContainer, func(q query) bool { return has("previous", "defaultTtl")(q) && q.isOff() }, 400),
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
var itemWrites = map[string]misreading{
	"write-null-accepted":                takesTTL(isNull),
	"write-negative-accepted":            takesTTL(func(v policy.Value) bool { return number(v) < -1 }),
	"write-minus-two-accepted":           takesTTL(func(v policy.Value) bool { return number(v) == -2 }),
	"write-large-accepted":               takesTTL(func(v policy.Value) bool { return number(v) > 2147483647 }),
	"write-minus-one-refused":            refusesTTL(func(v policy.Value) bool { return number(v) == -1 }),
	"write-longest-refused":              refusesTTL(func(v policy.Value) bool { return number(v) == 2147483647 }),
	"write-below-default-refused":        refuses(writeItem, func(q query) bool { return q.defaultTTL() == -1 && !has("item", "ttl")(q) }, 400),
	"write-while-off-refused":            refuses(writeItem, func(q query) bool { return q.isOff() && has("item", "ttl")(q) }, 400),
	"write-looked-at-under-default-only": accepts(writeItem, func(q query) bool { return q.defaultTTL() == -1 }, struct{}{}),
	"write-bad-is-unprocessable":         confuses(writeItem, always, 400, 422),
}

func takesTTL(such func(policy.Value) bool) misreading {
	return accepts(writeItem, func(q query) bool { return such(q.get("item", "ttl")) }, struct{}{})
}

func refusesTTL(such func(policy.Value) bool) misreading {
	return refuses(writeItem, func(q query) bool { return such(q.get("item", "ttl")) }, 400)
}
