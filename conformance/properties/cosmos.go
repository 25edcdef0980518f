package properties

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var off = policy.Int32Value(-1)

var cosmosDecide = []property{
	{
		id: "cosmos-off-never", op: "cosmos.decide",
		text:  "In a container without defaultTtl nothing expires, whatever ttl an item has.",
		rules: []string{"cosmos.off"}, draw: drawOff,
	},
	{
		id: "cosmos-item-never", op: "cosmos.decide",
		text:  "An item with ttl -1 never expires, whatever the container's default.",
		rules: []string{"cosmos.item-never"}, draw: drawItemNever,
	},
	{
		id: "cosmos-no-default-never", op: "cosmos.decide",
		text:  "With defaultTtl -1 an item without a ttl never expires.",
		rules: []string{"cosmos.no-default"}, draw: drawNoDefault,
	},
	{
		id: "cosmos-item-overrides", op: "cosmos.decide",
		text:  "For an item with a ttl the container's default does not matter, longer or shorter.",
		rules: []string{"cosmos.item"}, draw: drawOverride,
	},
	{
		id: "cosmos-default-inherited", op: "cosmos.decide",
		text:  "An item without a ttl expires as one does whose ttl is the container's default.",
		rules: []string{"cosmos.default", "cosmos.item"}, draw: drawInherited,
	},
	{
		id: "cosmos-write-moves", op: "cosmos.decide",
		text:  "A write moves the deadline by as much as it moves _ts.",
		rules: []string{"cosmos.item", "cosmos.default"}, draw: drawWrite,
	},
	{
		id: "cosmos-monotone-ttl", op: "cosmos.decide",
		text:  "A greater ttl lets nothing expire earlier.",
		rules: []string{"cosmos.item"}, draw: drawTTL,
	},
	{
		id: "cosmos-unrelated-properties", op: "cosmos.decide",
		text:  "Properties that are not called ttl do not matter.",
		rules: []string{"cosmos.item", "cosmos.default"}, draw: drawProperty,
	},
}

func drawOff(s cases.Source) trial {
	return trial{[]cases.Case{s.Item(policy.Value{}, s.ItemTTL()).Case}, never}
}

func drawItemNever(s cases.Source) trial {
	return trial{[]cases.Case{s.Item(s.DefaultTTL(), off).Case}, never}
}

func drawNoDefault(s cases.Source) trial {
	return trial{[]cases.Case{s.Item(off, policy.Value{}).Case}, never}
}

func drawOverride(s cases.Source) trial {
	x := s.Item(off, policy.Int64Value(s.TTL()))
	return trial{[]cases.Case{x.Case, x.With(policy.Int64Value(s.TTL()), "container", "defaultTtl")}, same}
}

func drawInherited(s cases.Source) trial {
	x := s.Item(policy.Int64Value(s.TTL()), policy.Value{})
	own := x.With(x.Default, "item", "ttl").With(off, "container", "defaultTtl")
	return trial{[]cases.Case{x.Case, own}, same}
}

func drawWrite(s cases.Source) trial {
	x := s.Item(s.DefaultTTL(), s.ItemTTL())
	return written(s, x.Case, x.Written, "item", "_ts")
}

// written makes the trial of another write, some seconds before or after, asked
// as many seconds before or after.
func written(s cases.Source, c cases.Case, at int64, place ...string) trial {
	by := max(s.Range(-100, cases.Pick[int64](s, 100, 100_000_000)), -at)
	now := cases.Plus(c.Now(), by*1000)
	if !s.AsksAt(now) {
		by, now = 0, c.Now()
	}
	moved := c.With(policy.Int64Value(at+by), place...).WithNow(now)
	return trial{[]cases.Case{c, moved}, shifted(by * 1000)}
}

func drawTTL(s cases.Source) trial {
	x := s.Item(s.DefaultTTL(), policy.Int64Value(s.TTL()))
	return growing(s, x.Case, "item", "ttl")
}

// growing makes the trial of two times to live, the shorter one first.
func growing(s cases.Source, c cases.Case, place ...string) trial {
	first, _ := c.At(place...).AsInt64()
	numbers := []int64{first, s.TTL()}
	slices.Sort(numbers)
	var asked []cases.Case
	for _, n := range numbers {
		asked = append(asked, c.With(policy.Int64Value(n), place...))
	}
	return trial{asked, later}
}

func drawProperty(s cases.Source) trial {
	x := s.Item(s.DefaultTTL(), s.ItemTTL())
	return trial{[]cases.Case{x.Case, s.Property(x.Case)}, same}
}

var cosmosValidate = []property{
	{
		id: "cosmos-item-any-container", op: "cosmos.validateItem",
		text:  "Whether an item's ttl is taken does not depend on the container's default, as long as there is one.",
		rules: []string{"cosmos.item-refused"}, draw: drawAnyContainer,
	},
	{
		id: "cosmos-item-unrelated-properties", op: "cosmos.validateItem",
		text:  "Whether an item is taken does not depend on properties that are not called ttl.",
		rules: []string{"cosmos.item-refused"}, draw: drawValidProperty,
	},
	{
		id: "cosmos-container-unchanged", op: "cosmos.validateContainer",
		text:  "Settings that are taken are taken again when the container has them already.",
		rules: []string{"cosmos.default-refused"}, draw: drawUnchanged,
	},
}

func drawAnyContainer(s cases.Source) trial {
	c := s.ValidItem(s.DefaultTTL(), s.PlainTTL())
	return trial{[]cases.Case{c, c.With(s.DefaultTTL(), "container", "defaultTtl")}, same}
}

func drawValidProperty(s cases.Source) trial {
	c := s.ValidItem(s.DefaultTTL(), s.PlainTTL())
	return trial{[]cases.Case{c, s.Property(c)}, same}
}

func drawUnchanged(s cases.Source) trial {
	c := s.ValidContainer(s.PlainTTL())
	return trial{[]cases.Case{c, c.With(c.At("container"), "previous")}, func(_ grades, answers []answer) string {
		if !answers[0].refused() && answers[1].refused() {
			return "taken, and refused when the container has them"
		}
		return ""
	}}
}
