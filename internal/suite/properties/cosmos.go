package properties

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var off = policy.Int32Value(-1)

var cosmosDecide = map[string]draw{
	"cosmos-off-never": func(s cases.Source) trial {
		return trial{[]cases.Case{s.Item(policy.Value{}, s.ItemTTL()).Case}, never}
	},
	"cosmos-item-never":       func(s cases.Source) trial { return trial{[]cases.Case{s.Item(s.DefaultTTL(), off).Case}, never} },
	"cosmos-no-default-never": func(s cases.Source) trial { return trial{[]cases.Case{s.Item(off, policy.Value{}).Case}, never} },
	"cosmos-item-overrides": func(s cases.Source) trial {
		x := s.Item(off, policy.Int64Value(s.TTL()))
		return trial{[]cases.Case{x.Case, x.With(policy.Int64Value(s.TTL()), "container", "defaultTtl")}, same}
	},
	"cosmos-default-inherited": func(s cases.Source) trial {
		x := s.Item(policy.Int64Value(s.TTL()), policy.Value{})
		own := x.With(x.Default, "item", "ttl").With(off, "container", "defaultTtl")
		return trial{[]cases.Case{x.Case, own}, same}
	},
	"cosmos-write-moves": func(s cases.Source) trial {
		x := s.Item(s.DefaultTTL(), s.ItemTTL())
		return written(s, x.Case, x.Written, "item", "_ts")
	},
	"cosmos-monotone-ttl": func(s cases.Source) trial {
		x := s.Item(s.DefaultTTL(), policy.Int64Value(s.TTL()))
		return growing(s, x.Case, "item", "ttl")
	},
	"cosmos-unrelated-properties": func(s cases.Source) trial {
		x := s.Item(s.DefaultTTL(), s.ItemTTL())
		return trial{[]cases.Case{x.Case, s.Property(x.Case)}, same}
	},
}

// written returns a trial of c and of the same question with another time of the write.
// The time of the write and the clock move by the same number of seconds.
func written(s cases.Source, c cases.Case, at int64, place ...string) trial {
	by := max(s.Range(-100, cases.Pick[int64](s, 100, 100_000_000)), -at)
	now := cases.Plus(c.Now(), by*1000)
	if !s.AsksAt(now) {
		by, now = 0, c.Now()
	}
	moved := c.With(policy.Int64Value(at+by), place...).WithNow(now)
	return trial{[]cases.Case{c, moved}, shifted(by * 1000)}
}

// growing returns a trial of two times to live, the shorter one first.
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

var cosmosValidate = map[string]draw{
	"cosmos-item-any-container": func(s cases.Source) trial {
		c := s.ValidItem(s.DefaultTTL(), s.PlainTTL())
		return trial{[]cases.Case{c, c.With(s.DefaultTTL(), "container", "defaultTtl")}, same}
	},
	"cosmos-item-unrelated-properties": func(s cases.Source) trial {
		c := s.ValidItem(s.DefaultTTL(), s.PlainTTL())
		return trial{[]cases.Case{c, s.Property(c)}, same}
	},
	"cosmos-container-unchanged": func(s cases.Source) trial {
		c := s.ValidContainer(s.PlainTTL())
		return trial{[]cases.Case{c, c.With(c.At("container"), "previous")}, accepted("accepted, and refused when the container has them")}
	},
}

var cosmosmongoDecide = map[string]draw{
	"cosmosmongo-off-never": func(s cases.Source) trial {
		return trial{[]cases.Case{s.Stored(policy.Value{}, s.ItemTTL()).Case}, never}
	},
	"cosmosmongo-never": func(s cases.Source) trial {
		return trial{[]cases.Case{s.Stored(s.IndexSeconds(), off).Case, s.Stored(off, policy.Value{}).Case}, never}
	},
	"cosmosmongo-ttl-overrides": func(s cases.Source) trial {
		x := s.Stored(off, policy.Int32Value(int32(s.TTL())))
		return trial{[]cases.Case{x.Case, x.With(policy.Int32Value(int32(s.TTL())), secondsOfIndex...)}, same}
	},
	"cosmosmongo-default-inherited": func(s cases.Source) trial {
		seconds := policy.Int32Value(int32(s.TTL()))
		x := s.Stored(seconds, policy.Value{})
		return trial{[]cases.Case{x.Case, x.With(seconds, "document", "ttl").With(off, secondsOfIndex...)}, same}
	},
	"cosmosmongo-write-moves": func(s cases.Source) trial {
		x := s.Stored(s.IndexSeconds(), s.ItemTTL())
		return written(s, x.Case, x.Written, "_ts")
	},
	"cosmosmongo-monotone-ttl": func(s cases.Source) trial {
		x := s.Stored(s.IndexSeconds(), policy.Int64Value(s.TTL()))
		return growing(s, x.Case, "document", "ttl")
	},
	"cosmosmongo-ttl-types": func(s cases.Source) trial {
		n := cases.Pick(s, s.TTL(), -1)
		x := s.Stored(s.IndexSeconds(), policy.Int32Value(int32(n)))
		return trial{x.WithEach(cases.Integers(n), "document", "ttl"), same}
	},
	"cosmosmongo-ttl-ignored": func(s cases.Source) trial {
		x := s.Stored(s.IndexSeconds(), policy.Value{})
		return trial{[]cases.Case{x.Case, x.With(s.IgnoredTTL(), "document", "ttl")}, same}
	},
	"cosmosmongo-unrelated-fields": func(s cases.Source) trial {
		x := s.Stored(s.IndexSeconds(), s.ItemTTL())
		more := s.Bystander(x.Target.Version, policy.DOf(x.At("document")), "_id", "_ts", "ttl")
		return trial{[]cases.Case{x.Case, x.With(policy.ObjectValue(more), "document")}, same}
	},
	"cosmosmongo-field-types": func(s cases.Source) trial {
		ms := s.WriteTime() * 1000
		c := s.OnField(policy.DateValue(policy.Instant(ms)))
		number := cases.Pick(s, policy.Int64Value(ms), policy.DoubleValue(float64(ms)))
		return trial{[]cases.Case{c, c.With(number, "document", "at")}, same}
	},
	"cosmosmongo-field-array": func(s cases.Source) trial {
		least := s.WriteTime() * 1000
		list := policy.A{policy.Int64Value(least)}
		for range s.Range(0, 2) {
			list = append(list, policy.DateValue(policy.Instant(least+s.Range(0, 1_000_000))))
		}
		c := s.OnField(policy.DateValue(policy.Instant(least)))
		return trial{[]cases.Case{c, c.With(policy.ListValue(policy.A(cases.Shuffled(s, list))), "document", "at")}, same}
	},
	"cosmosmongo-field-never": func(s cases.Source) trial {
		c := s.OnField(policy.Value{})
		return trial{[]cases.Case{c, c.With(s.NoTime(), "document", "at")}, never}
	},
	"cosmosmongo-field-write": func(s cases.Source) trial {
		c := s.OnField(s.Date())
		return trial{[]cases.Case{c, c.With(policy.Int64Value(s.WriteTime()), "_ts")}, same}
	},
}
