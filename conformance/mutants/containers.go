package mutants

import (
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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

// takesDefault takes containers with such a default.
func takesDefault(such shape) misreading {
	return accepts(makeContainer, every(has("container", "defaultTtl"), where(such, "container", "defaultTtl")), noWarnings)
}

var indexingMode = []string{"container", "indexingPolicy", "indexingMode"}

// indexed takes containers for such with an index.
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
