package cosmos

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPathItem: if the default counts from a property, DecideItem decides as Decide does.
func TestPathItem(t *testing.T) {
	tests := []struct {
		why, setting string
		ttl          TTL
		rule         policy.Rule
	}{
		{"the default counts from the property", `10`, TTL{}, rulePath},
		{"a ttl of its own beside a path is unspecified", `10`, TTLSeconds(5), rulePathUnspecified},
		{"also without a default", `-1`, TTLSeconds(5), rulePathUnspecified},
		{"-1 too", `10`, TTLSeconds(-1), rulePathUnspecified},
		{"a ttl that the service refuses", `10`, TTLSeconds(0), rulePathUnspecified},
		{"no default to count", `-1`, TTL{}, ruleNoDefault},
		{"a default that the service refuses", `0`, TTL{}, ruleContainerUnspecified},
		{"off", `null`, TTLSeconds(5), ruleOff},
	}
	for _, tt := range tests {
		c := container(t, `{"ttlPropertyPath":"/at","defaultTtl":`+tt.setting+`}`)
		if d := c.DecideItem(Item{TTL: tt.ttl, TS: TimestampSeconds(100)}, 0); d.Rule != tt.rule {
			t.Errorf("%s: DecideItem = %v by %s, want %s", tt.why, d.State, d.Rule, tt.rule)
		}
	}
}

// A typedItem returns other values by name than by its method Item, so that a test sees
// whether Decide called Item.
type typedItem struct{ item Item }

func (d *typedItem) Item() Item { return d.item }

func (d *typedItem) Field(string) policy.Value { return policy.Int64Value(7) }

// TestTypedItem: Decide calls the method Item of a typed item, unless the
// container counts from another property than _ts.
func TestTypedItem(t *testing.T) {
	item := &typedItem{Item{TTL: TTLSeconds(-1), TS: TimestampSeconds(100)}}
	for _, tt := range []struct {
		why, spec string
		want      policy.Decision
	}{
		{"by its own ttl", `{"defaultTtl":10}`, policy.Decision{Rule: ruleItemNever}},
		{"_ts under its full path", `{"defaultTtl":10,"ttlPropertyPath":"/_ts"}`, policy.Decision{Rule: ruleItemNever}},
		{"off", `{}`, policy.Decision{Rule: ruleOff}},
		{"by name, where ttl is 7", `{"defaultTtl":10,"ttlPropertyPath":"/at"}`, policy.Decision{Rule: rulePathUnspecified}},
	} {
		if got := container(t, tt.spec).Decide(item, 0); got != tt.want {
			t.Errorf("%s: Decide = %+v by %s, want it kept by %s", tt.why, got, got.Rule, tt.want.Rule)
		}
	}
}

// TestPropertyItem: DecideItem decides about an item as DecideJSON does about its text,
// for any _ts.
func TestPropertyItem(t *testing.T) {
	bases := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-2, 2), rapid.Int64Range(math.MaxInt64-1<<31, math.MaxInt64), // where a sum wraps
		rapid.Int64Range(9223372036854775-1<<31-2, 9223372036854777), rapid.Int64Range(-9223372036854777, -9223372036854774))
	numbers := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.Int64Range(1<<31-3, 1<<31+2), rapid.Int64Range(-1<<31-2, -1<<31+2))
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom([]string{"_ts", "at"}).Draw(t, "path")
		spec, err := ParseContainerSpec(fmt.Appendf(nil, `{"defaultTtl":%d,"ttlPropertyPath":"/%s"}`, numbers.Draw(t, "defaultTtl"), path))
		if err != nil {
			t.Fatal(err)
		}
		c, err := CompileContainer(spec)
		if err != nil {
			t.Fatal(err)
		}
		ts, now := bases.Draw(t, "ts"), drawn.Instants.Draw(t, "now")
		item := Item{TS: TimestampSeconds(ts)}
		text := fmt.Appendf(nil, `{"%s":%d}`, path, ts)
		if rapid.Bool().Draw(t, "own ttl") {
			n := numbers.Draw(t, "ttl")
			item.TTL = TTLSeconds(n)
			text = fmt.Appendf(nil, `{"%s":%d,"ttl":%d}`, path, ts, n)
		}
		if got, want := c.DecideItem(item, now), c.DecideJSON(text, now); got != want {
			t.Fatalf("DecideItem = %+v by %s, but of %s DecideJSON = %+v by %s", got, got.Rule, text, want, want.Rule)
		}
	})
}
