package independent

import (
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

// cosmosDeadline returns the second at which an item expires by the matrix of the page: the
// setting must be on; an item's own ttl overrides it; -1 is never. It reports false for
// never, and for what the page does not say.
func cosmosDeadline(setting, ttl, write cosmosValue) (second int64, ok bool) {
	counts := setting.seconds
	if ttl.json != "" {
		counts = ttl.seconds
	}
	if setting.seconds == 0 || counts <= 0 || write.json == "" {
		return 0, false
	}
	return write.seconds + counts, true
}

// TestExhaustiveCosmos decides about every setting, ttl and _ts of the small scope, by raw
// JSON, checked JSON and the item's two properties, a millisecond before the deadline, at it,
// and a millisecond later.
func TestExhaustiveCosmos(t *testing.T) {
	total := 0
	for _, setting := range cosmosSettings {
		text := `{"id":"c"}`
		if setting.json != "" {
			text = `{"id":"c","defaultTtl":` + setting.json + `}`
		}
		spec, err := cosmos.ParseListedContainer([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		container, err := cosmos.CompileContainer(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, ttl := range cosmosTTLs {
			for _, write := range cosmosWrites {
				second, ok := cosmosDeadline(setting, ttl, write)
				deadline := policy.Instant(second * 1000)
				for _, item := range cosmosItems(ttl, write) {
					for _, now := range clocksAround(deadline, ok) {
						for way, got := range cosmosDecisions(t, container, item, now) {
							total++
							if at, has := got.Deadline(); has != ok || ok && at != deadline || (got.State == policy.Expired) != (ok && deadline <= now) {
								t.Fatalf("%s: %s of %s at %v: %v, want deadline %v, %t", way, text, item, now, got, deadline, ok)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d decisions agree", total)
}

// cosmosItems returns an item with its properties in both orders, and beside others.
func cosmosItems(ttl, write cosmosValue) []string {
	var members []string
	if ttl.json != "" {
		members = append(members, `"ttl":`+ttl.json)
	}
	if write.json != "" {
		members = append(members, `"_ts":`+write.json)
	}
	join := func(list ...string) string {
		text := `"id":"a"`
		for _, m := range list {
			text += "," + m
		}
		return "{" + text + "}"
	}
	items := []string{join(members...), join(append([]string{`"nested":{"ttl":1,"_ts":1}`, `"TTL":1`}, members...)...)}
	if len(members) == 2 {
		items = append(items, join(members[1], members[0]))
	}
	return items
}

// cosmosDecisions decides about an item in every way that the package has.
func cosmosDecisions(t *testing.T, c *cosmos.Container, text string, now policy.Instant) map[string]policy.Decision {
	t.Helper()
	item, err := policy.ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	properties := cosmos.Item{TTL: cosmos.TTLOf(item.Field("ttl")), TS: cosmos.TimestampOf(item.Field("_ts"))}
	return map[string]policy.Decision{
		"DecideJSON": c.DecideJSON([]byte(text), now),
		"Decide":     c.Decide(&item, now),
		"DecideItem": c.DecideItem(properties, now),
	}
}
