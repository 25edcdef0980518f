package cosmos

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPathItem: where the default counts from a property, an item whose
// properties are at hand is decided as one that is read.
func TestPathItem(t *testing.T) {
	tests := []struct {
		why, setting string
		ttl          TTL
		rule         *policy.Rule
	}{
		{"the default counts from the property", `10`, TTL{}, rulePath},
		{"a ttl of its own beside a path is open", `10`, TTLSeconds(5), rulePathUnspecified},
		{"also without a default", `-1`, TTLSeconds(5), rulePathUnspecified},
		{"-1 keeps", `10`, TTLSeconds(-1), ruleItemNever},
		{"a ttl that the service refuses", `10`, TTLSeconds(0), ruleItemUnspecified},
		{"no default to count", `-1`, TTL{}, ruleNoDefault},
		{"a default that the service refuses", `0`, TTL{}, ruleContainerUnspecified},
		{"off", `null`, TTLSeconds(5), ruleOff},
	}
	for _, tt := range tests {
		c := container(t, `{"ttlPropertyPath":"/at","defaultTtl":`+tt.setting+`}`)
		if d := c.DecideItem(Item{TTL: tt.ttl, TS: 100}, 0); d.Rule != tt.rule {
			t.Errorf("%s: DecideItem = %v by %s, want %s", tt.why, d.State, d.Rule, tt.rule)
		}
	}
}

// TestPropertyItem: an item whose properties are at hand is decided as its text
// is, wherever _ts lies.
func TestPropertyItem(t *testing.T) {
	const near = farTS // where sums begin to be checked
	bases := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-2, 2), rapid.Int64Range(near-2, near+2), rapid.Int64Range(-near-2, -near+2),
		rapid.Int64Range(9223372036854775-1<<31-2, 9223372036854777), rapid.Int64Range(-9223372036854777, -9223372036854774))
	numbers := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.Int64Range(1<<31-3, 1<<31+2), rapid.Int64Range(-1<<31-2, -1<<31+2))
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom([]string{"_ts", "at"}).Draw(t, "path")
		spec, err := ParseContainerSpec(fmt.Appendf(nil, `{"defaultTtl":%d,"ttlPropertyPath":"/%s"}`, numbers.Draw(t, "defaultTtl"), path))
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compile(spec)
		if err != nil {
			t.Fatal(err)
		}
		item, now := Item{TS: bases.Draw(t, "ts")}, policy.Instant(rapid.Int64().Draw(t, "now"))
		text := fmt.Appendf(nil, `{"%s":%d}`, path, item.TS)
		if rapid.Bool().Draw(t, "own ttl") {
			n := numbers.Draw(t, "ttl")
			item.TTL = TTLSeconds(n)
			text = fmt.Appendf(nil, `{"%s":%d,"ttl":%d}`, path, item.TS, n)
		}
		if got, want := c.DecideItem(item, now), c.DecideJSON(text, now); got != want {
			t.Fatalf("DecideItem = %+v by %s, but of %s DecideJSON = %+v by %s", got, got.Rule, text, want, want.Rule)
		}
	})
}
