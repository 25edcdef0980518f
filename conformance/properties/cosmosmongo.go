package properties

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var cosmosmongoDecide = map[string]draw{
	"cosmosmongo-off-never": func(s cases.Source) trial {
		return trial{[]cases.Case{s.Stored(policy.Value{}, s.ItemTTL()).Case}, never}
	},
	"cosmosmongo-never": func(s cases.Source) trial {
		return trial{[]cases.Case{s.Stored(s.IndexSeconds(), off).Case, s.Stored(off, policy.Value{}).Case}, never}
	},
	"cosmosmongo-ttl-overrides":     drawStoredOverride,
	"cosmosmongo-default-inherited": drawStoredInherited,
	"cosmosmongo-write-moves":       drawStoredWrite,
	"cosmosmongo-monotone-ttl":      drawStoredTTL,
	"cosmosmongo-ttl-types":         drawStoredTypes,
	"cosmosmongo-ttl-ignored":       drawStoredIgnored,
	"cosmosmongo-unrelated-fields":  drawStoredUnrelated,
	"cosmosmongo-field-types":       drawFieldTypes,
	"cosmosmongo-field-array":       drawFieldArray,
	"cosmosmongo-field-never":       drawFieldNever,
	"cosmosmongo-field-write":       drawFieldWrite,
}

func drawStoredOverride(s cases.Source) trial {
	x := s.Stored(off, policy.Int32Value(int32(s.TTL())))
	return trial{[]cases.Case{x.Case, x.With(policy.Int32Value(int32(s.TTL())), secondsOfIndex...)}, same}
}

func drawStoredInherited(s cases.Source) trial {
	seconds := policy.Int32Value(int32(s.TTL()))
	x := s.Stored(seconds, policy.Value{})
	return trial{[]cases.Case{x.Case, x.With(seconds, "document", "ttl").With(off, secondsOfIndex...)}, same}
}

func drawStoredWrite(s cases.Source) trial {
	x := s.Stored(s.IndexSeconds(), s.ItemTTL())
	return written(s, x.Case, x.Written, "_ts")
}

func drawStoredTTL(s cases.Source) trial {
	x := s.Stored(s.IndexSeconds(), policy.Int64Value(s.TTL()))
	return growing(s, x.Case, "document", "ttl")
}

func drawStoredTypes(s cases.Source) trial {
	n := cases.Pick(s, s.TTL(), -1)
	x := s.Stored(s.IndexSeconds(), policy.Int32Value(int32(n)))
	return trial{x.WithEach(cases.Integers(n), "document", "ttl"), same}
}

func drawStoredIgnored(s cases.Source) trial {
	x := s.Stored(s.IndexSeconds(), policy.Value{})
	return trial{[]cases.Case{x.Case, x.With(s.IgnoredTTL(), "document", "ttl")}, same}
}

func drawStoredUnrelated(s cases.Source) trial {
	x := s.Stored(s.IndexSeconds(), s.ItemTTL())
	more := s.Bystander(x.Target.Version, policy.DOf(x.At("document")), "_id", "_ts", "ttl")
	return trial{[]cases.Case{x.Case, x.With(policy.ObjectValue(more), "document")}, same}
}

func drawFieldTypes(s cases.Source) trial {
	ms := s.WriteTime() * 1000
	c := s.OnField(policy.DateValue(policy.Instant(ms)))
	number := cases.Pick(s, policy.Int64Value(ms), policy.DoubleValue(float64(ms)))
	return trial{[]cases.Case{c, c.With(number, "document", "at")}, same}
}

func drawFieldArray(s cases.Source) trial {
	least := s.WriteTime() * 1000
	list := policy.A{policy.Int64Value(least)}
	for range s.Range(0, 2) {
		list = append(list, policy.DateValue(policy.Instant(least+s.Range(0, 1_000_000))))
	}
	c := s.OnField(policy.DateValue(policy.Instant(least)))
	return trial{[]cases.Case{c, c.With(policy.ListValue(policy.A(cases.Shuffled(s, list))), "document", "at")}, same}
}

func drawFieldNever(s cases.Source) trial {
	c := s.OnField(policy.Value{})
	return trial{[]cases.Case{c, c.With(s.NoTime(), "document", "at")}, never}
}

func drawFieldWrite(s cases.Source) trial {
	c := s.OnField(s.Date())
	return trial{[]cases.Case{c, c.With(policy.Int64Value(s.WriteTime()), "_ts")}, same}
}
