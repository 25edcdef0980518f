package properties

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var cosmosmongoDecide = []property{
	{
		id: "cosmosmongo-off-never", op: "cosmosmongo.decide",
		text:  "Without expireAfterSeconds on _ts nothing expires, whatever ttl a document has.",
		rules: []string{"cosmos.mongo-off"}, draw: drawStoredOff,
	},
	{
		id: "cosmosmongo-never", op: "cosmosmongo.decide",
		text:  "A document with ttl -1 never expires, whatever the index says; without a ttl it does not with -1 there.",
		rules: []string{"cosmos.item-never", "cosmos.no-default"}, draw: drawStoredNever,
	},
	{
		id: "cosmosmongo-ttl-overrides", op: "cosmosmongo.decide",
		text:  "For a document with a ttl the index's expireAfterSeconds does not matter, longer or shorter.",
		rules: []string{"cosmos.item"}, draw: drawStoredOverride,
	},
	{
		id: "cosmosmongo-default-inherited", op: "cosmosmongo.decide",
		text:  "A document without a ttl expires as one does whose ttl is the index's expireAfterSeconds.",
		rules: []string{"cosmos.default", "cosmos.item"}, draw: drawStoredInherited,
	},
	{
		id: "cosmosmongo-write-moves", op: "cosmosmongo.decide",
		text:  "A write moves the deadline by as much as it moves _ts.",
		rules: []string{"cosmos.item", "cosmos.default"}, draw: drawStoredWrite,
	},
	{
		id: "cosmosmongo-monotone-ttl", op: "cosmosmongo.decide",
		text:  "A greater ttl lets nothing expire earlier.",
		rules: []string{"cosmos.item"}, draw: drawStoredTTL,
	},
	{
		id: "cosmosmongo-ttl-types", op: "cosmosmongo.decide",
		text:  "The type of a whole ttl does not matter.",
		rules: []string{"cosmos.item", "cosmos.item-never"}, draw: drawStoredTypes,
	},
	{
		id: "cosmosmongo-ttl-ignored", op: "cosmosmongo.decide",
		text:  "A ttl that is no whole number of 32 bits is as good as none.",
		rules: []string{"cosmos.mongo-ttl-ignored"}, draw: drawStoredIgnored,
	},
	{
		id: "cosmosmongo-unrelated-fields", op: "cosmosmongo.decide",
		text:  "Fields that are not called ttl do not matter.",
		rules: []string{"cosmos.item", "cosmos.default"}, draw: drawStoredUnrelated,
	},
	{
		id: "cosmosmongo-field-types", op: "cosmosmongo.decide", since: "4.2", needs: []string{"custom-path"},
		text:  "In a field of its own a date counts as the number of its milliseconds does.",
		rules: []string{"cosmos.mongo-field"}, draw: drawFieldTypes,
	},
	{
		id: "cosmosmongo-field-array", op: "cosmosmongo.decide", since: "4.2", needs: []string{"custom-path"},
		text:  "Of an array in a field of its own the smallest date or number counts, wherever it stands.",
		rules: []string{"cosmos.mongo-field-type"}, draw: drawFieldArray,
	},
	{
		id: "cosmosmongo-field-never", op: "cosmosmongo.decide", since: "4.2", needs: []string{"custom-path"},
		text:  "Without a date or a number in the field nothing expires.",
		rules: []string{"cosmos.mongo-field-type"}, draw: drawFieldNever,
	},
	{
		id: "cosmosmongo-field-write", op: "cosmosmongo.decide", since: "4.2", needs: []string{"custom-path"},
		text:  "With a TTL index on a field of its own a write does not move the deadline.",
		rules: []string{"cosmos.mongo-field"}, draw: drawFieldWrite,
	},
}

func drawStoredOff(s cases.Source) trial {
	return trial{[]cases.Case{s.Stored(policy.Value{}, s.ItemTTL()).Case}, never}
}

func drawStoredNever(s cases.Source) trial {
	return trial{[]cases.Case{s.Stored(s.IndexSeconds(), off).Case, s.Stored(off, policy.Value{}).Case}, never}
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
	var asked []cases.Case
	for _, number := range cases.Integers(n) {
		asked = append(asked, x.With(number, "document", "ttl"))
	}
	return trial{asked, same}
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
