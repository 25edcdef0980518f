package independent

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A cosmosValue is a property of the small scope as JSON, and what the vendor's page says of
// it (https://learn.microsoft.com/azure/cosmos-db/time-to-live).
type cosmosValue struct {
	json string // empty for an absent property
	// seconds is the time to live. It is 0 for a value that the page does not list.
	seconds int64
}

// cosmosSettings are the values of defaultTtl. A stored null is off, as an absent one.
var cosmosSettings = []cosmosValue{
	{"", 0}, {"null", 0}, {"-1", -1}, {"1", 1}, {"60", 60}, {"2147483647", 1<<31 - 1},
}

// cosmosTTLs are the values of an item's ttl.
var cosmosTTLs = []cosmosValue{
	{"", 0}, {"-1", -1}, {"1", 1}, {"60", 60}, {"100", 100}, {"2147483647", 1<<31 - 1},
	{"null", 0}, {"0", 0}, {"-2", 0}, {"2147483648", 0}, {"1.5", 0}, {"60.0", 0}, {`"60"`, 0}, {"true", 0}, {"[60]", 0}, {`{"a":60}`, 0},
}

// cosmosWrites are the values of _ts. Only whole seconds occur, because the service sets it.
var cosmosWrites = []cosmosValue{{"", 0}, {"1", 1}, {"1700000000", 1_700_000_000}, {"4294967295", 1<<32 - 1}}

// cosmosPaths are the values of ttlPropertyPath. The SDK that has the setting says that the
// time counts from the property in place of _ts, whose path is the default
// (Microsoft.Azure.Cosmos, ContainerProperties.TimeToLivePropertyPath).
var cosmosPaths = []string{"", "/_ts", "/created", "/a/created"}

// cosmosProperties are the values of the property at the path; seconds is 0 for what the SDK
// does not list.
var cosmosProperties = []cosmosValue{
	{"", 0}, {"1", 1}, {"1600000000", 1_600_000_000}, {"1700000000", 1_700_000_000}, {"4294967295", 1<<32 - 1},
	{"0", 0}, {"-1", 0}, {"null", 0}, {"1.5", 0}, {"1600000000.0", 0}, {`"1600000000"`, 0}, {"true", 0}, {"[1600000000]", 0}, {`{"created":1600000000}`, 0},
}

// cosmosDeadline returns the second at which an item expires by the matrix of the page: the
// setting must be on; an item's own ttl overrides it; -1 is never. It reports false for
// never, and for what the page does not say. With a path other than that of _ts the page says
// nothing about an item with a ttl.
func cosmosDeadline(setting cosmosValue, path string, ttl, write, property cosmosValue) (second int64, ok bool) {
	counts, from, isThere := setting.seconds, write.seconds, write.json != ""
	isMoved := path != "" && path != "/_ts"
	if isMoved {
		from, isThere = property.seconds, property.seconds > 0
	}
	if ttl.json != "" {
		counts = ttl.seconds
		isThere = isThere && !isMoved
	}
	if setting.seconds == 0 || counts <= 0 || !isThere {
		return 0, false
	}
	return from + counts, true
}

// TestExhaustiveCosmos decides about every setting, path, ttl, _ts and property of the small
// scope, by raw JSON, checked JSON and the item's two properties, a millisecond before the
// deadline, at it, and a millisecond later.
func TestExhaustiveCosmos(t *testing.T) {
	total := 0
	for _, setting := range cosmosSettings {
		for _, path := range cosmosPaths {
			container := cosmosContainer(t, setting, path)
			for _, ttl := range cosmosTTLs {
				for _, write := range cosmosWrites {
					for _, property := range cosmosProperties {
						second, ok := cosmosDeadline(setting, path, ttl, write, property)
						deadline := policy.Instant(second * 1000)
						for _, item := range cosmosItems(ttl, write, path, property) {
							for _, now := range clocksAround(deadline, ok) {
								for way, got := range cosmosDecisions(t, container, path, item, now) {
									total++
									if at, has := got.Deadline(); has != ok || ok && at != deadline || (got.State == policy.Expired) != (ok && deadline <= now) {
										t.Fatalf("%s: defaultTtl %q, path %q of %s at %v: %v, want deadline %v, %t", way, setting.json, path, item, now, got, deadline, ok)
									}
								}
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d decisions agree", total)
}

// cosmosContainer compiles a container with a defaultTtl and a ttlPropertyPath.
func cosmosContainer(t *testing.T, setting cosmosValue, path string) *cosmos.Container {
	t.Helper()
	text := `{"id":"c"`
	if setting.json != "" {
		text += `,"defaultTtl":` + setting.json
	}
	if path != "" {
		text += `,"ttlPropertyPath":"` + path + `"`
	}
	spec, err := cosmos.ParseListedContainer([]byte(text + "}"))
	if err != nil {
		t.Fatal(err)
	}
	container, err := cosmos.CompileContainer(spec)
	if err != nil {
		t.Fatal(err)
	}
	return container
}

// cosmosItems returns an item with its properties in both orders, and beside others, which
// have the names of the path in other places.
func cosmosItems(ttl, write cosmosValue, path string, property cosmosValue) []string {
	var members []string
	if ttl.json != "" {
		members = append(members, `"ttl":`+ttl.json)
	}
	if write.json != "" {
		members = append(members, `"_ts":`+write.json)
	}
	others := []string{`"nested":{"ttl":1,"_ts":1,"created":1}`, `"TTL":1`, `"a.created":1`}
	switch {
	case path == "/a/created":
		others = append(others, `"created":1`)
		if property.json != "" {
			members = append(members, `"a":{"created":`+property.json+"}")
		}
	case property.json != "":
		members = append(members, `"created":`+property.json)
	}
	join := func(list []string) string {
		return "{" + strings.Join(append([]string{`"id":"a"`}, list...), ",") + "}"
	}
	items := []string{join(members), join(append(others, members...))}
	if slices.Reverse(members); len(members) > 1 {
		items = append(items, join(members))
	}
	return items
}

// cosmosDecisions decides about an item in every way that the package has.
func cosmosDecisions(t *testing.T, c *cosmos.Container, path, text string, now policy.Instant) map[string]policy.Decision {
	t.Helper()
	item, err := policy.ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	from := item.Field("_ts")
	switch path {
	case "/created":
		from = item.Field("created")
	case "/a/created":
		from = item.Field("a").Field("created")
	}
	properties := cosmos.Item{TTL: cosmos.TTLOf(item.Field("ttl"))}
	if n, isInteger := from.AsInt64(); isInteger {
		properties.TS = cosmos.TimestampSeconds(n)
	}
	return map[string]policy.Decision{
		"DecideJSON": c.DecideJSON([]byte(text), now),
		"Decide":     c.Decide(&item, now),
		"DecideItem": c.DecideItem(properties, now),
	}
}
