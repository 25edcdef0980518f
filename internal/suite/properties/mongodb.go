package properties

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Paths at which questions to mongodb.decide are changed.
var (
	secondsOfIndex = []string{"indexes", "0", "expireAfterSeconds"}
	optionsOfIndex = []string{"sparse", "unique", "hidden", "collation"}
)

var mongodbDecide = map[string]draw{
	"mongodb-shift": func(s cases.Source) trial {
		x, date := dated(s, "")
		ms := s.Shift(date, cases.Plus(date, x.Seconds*1000+1), x.Now()) // up to 3.0 the deadline is a millisecond later
		move := func(i policy.Instant) policy.Instant { return cases.Plus(i, ms) }
		moved := x.With(cases.MapDates(x.At("document"), move), "document").WithNow(move(x.Now()))
		return trial{[]cases.Case{x.Case, moved}, shifted(ms)}
	},
	"mongodb-monotone-seconds": func(s cases.Source) trial {
		x, _ := dated(s, "")
		numbers := []int64{x.Seconds, s.Seconds()}
		slices.Sort(numbers)
		var asked []cases.Case
		for _, n := range numbers {
			asked = append(asked, x.With(policy.Int32Value(int32(n)), secondsOfIndex...))
		}
		return trial{asked, later}
	},
	"mongodb-array-permutation": func(s cases.Source) trial {
		var list []policy.Value
		c, beside := arrays(s, func(p cases.Place, release string) []policy.Value {
			list = append(dates(s), s.Date())
			if s.Either() {
				list = append(list, element(s, p, release))
			}
			return list
		})
		return trial{[]cases.Case{c, beside(cases.Shuffled(s, list)...)}, same}
	},
	"mongodb-non-date-elements": func(s cases.Source) trial {
		var plain, mixed []policy.Value
		c, beside := arrays(s, func(p cases.Place, release string) []policy.Value {
			plain = dates(s)
			mixed = slices.Clone(plain)
			for range s.Range(1, 3) {
				mixed = slices.Insert(mixed, int(s.Range(0, int64(len(mixed)))), element(s, p, release))
			}
			return plain
		})
		return trial{[]cases.Case{c, beside(mixed...)}, same}
	},
	"mongodb-later-date": func(s cases.Source) trial {
		var list []policy.Value
		c, beside := arrays(s, func(cases.Place, string) []policy.Value {
			list = dates(s)
			return list
		})
		first := policy.MaxInstant
		for _, v := range list {
			i, _ := v.AsDate()
			first = min(first, i)
		}
		more := policy.DateValue(max(first, s.Instant()))
		return trial{[]cases.Case{c, beside(append(slices.Clone(list), more)...)}, same}
	},
	"mongodb-scalar-is-array": func(s cases.Source) trial {
		p := s.Place()
		date := s.Date()
		x := s.Single(p.Path, p.Path.Hold(date), cases.Inclusive)
		return trial{[]cases.Case{x.Case, x.With(p.Hold(date), "document", p.Path[0])}, same}
	},
	"mongodb-no-date-never": func(s cases.Source) trial {
		p := s.Path()
		x := s.Single(p, p.Hold(policy.Value{}), cases.Inclusive)
		other := x.With(p.Hold(s.NonDates(x.Target.Version)), "document", p[0])
		return trial{[]cases.Case{x.Case, other}, never}
	},
	"mongodb-seconds-types": func(s cases.Source) trial {
		x, _ := dated(s, "")
		return trial{x.WithEach(s.Numbers(x.Seconds, x.Target.Version), secondsOfIndex...), same}
	},
	"mongodb-direction": func(s cases.Source) trial {
		x, _ := dated(s, cases.Inclusive)
		turned := x.With(cases.Pick(s, cases.Directions[1:]...), "indexes", "0", "key", x.Path.String())
		return trial{[]cases.Case{x.Case, turned}, same}
	},
	"mongodb-index-options": func(s cases.Source) trial {
		x, _ := dated(s, cases.Inclusive)
		plain := x.Case
		for _, name := range optionsOfIndex {
			plain = plain.With(policy.Value{}, "indexes", "0", name)
		}
		return trial{[]cases.Case{plain, s.WithOption(plain)}, same}
	},
	"mongodb-unrelated-fields": func(s cases.Source) trial {
		x, _ := dated(s, "")
		document := policy.DOf(x.At("document"))
		more := s.Bystander(x.Target.Version, slices.Clone(document), x.Path[0])
		return trial{[]cases.Case{x.Case, x.With(policy.ObjectValue(more), "document")}, same}
	},
	"mongodb-partial-miss": func(s cases.Source) trial {
		x, _ := dated(s, cases.Inclusive)
		filter, fields := s.Miss()
		c := x.With(filter, "indexes", "0", "partialFilterExpression").With(policy.Value{}, "indexes", "0", "sparse")
		document := policy.D{{Key: x.Path[0], Value: x.At("document", x.Path[0])}}
		return trial{[]cases.Case{c.With(policy.ObjectValue(append(document, fields...)), "document")}, never}
	},
	"mongodb-two-indexes": func(s cases.Source) trial {
		x, _ := dated(s, "")
		other := cases.Index("b", s.Number(s.Seconds(), x.Target.Version))
		both := x.With(s.Date(), "document", "b").With(policy.ListValue(policy.A{x.At("indexes", "0"), other}), "indexes")
		if s.Either() {
			both = both.With(policy.NullValue(), "document", "b")
		}
		only := func(position string) cases.Case {
			return both.With(policy.ListValue(policy.A{both.At("indexes", position)}), "indexes")
		}
		return trial{[]cases.Case{only("0"), only("1"), both}, earliest}
	},
	"mongodb-series-bucket": func(s cases.Source) trial {
		x := s.Series(60 * s.Range(0, 35_000_000))
		at := x.At("document", "t")
		start, _ := at.AsDate()
		later := x.With(policy.DateValue(cases.Plus(start, s.Range(0, 59_999))), "document", "t")
		return trial{[]cases.Case{x, later}, same}
	},
}

// dated draws a collection with one TTL index, and a document with a date in
// its field.
func dated(s cases.Source, since string) (x cases.Single, date policy.Instant) {
	date = s.Instant()
	p := s.Path()
	return s.Single(p, p.Hold(policy.DateValue(date)), since), date
}

// dates draws one to three dates, as the elements of an array.
func dates(s cases.Source) (list []policy.Value) {
	for range s.Range(1, 3) {
		list = append(list, s.Date())
	}
	return list
}

// arrays draws a collection with one TTL index, and a document with an array in the indexed
// field; beside makes the same collection and document with other elements.
func arrays(s cases.Source, elements func(p cases.Place, release string) []policy.Value) (c cases.Case, beside func(...policy.Value) cases.Case) {
	p := s.Place()
	c = s.Single(p.Path, p.Hold(dates(s)...), cases.Inclusive).Case
	beside = func(list ...policy.Value) cases.Case { return c.With(p.Hold(list...), "document", p.Path[0]) }
	return beside(elements(p, c.Target.Version)...), beside
}

// element draws an element of an array that is not a date and contains none.
func element(s cases.Source, p cases.Place, release string) policy.Value {
	if p.AtEnd() {
		return s.Element(release)
	}
	return s.NonDate(release)
}
