package cases

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Shrink simplifies asked by changing one place after the other, and returns the simplest
// question that it finds. The question needs no feature that asked does not need, and
// holds reports true for it. It tries the newest release first, and then at most
// `most` simpler questions.
func (c *Claim) Shrink(asked Case, most int, holds func(Case) bool) Case {
	needs := asked.Needs()
	may := func(simpler Case) bool {
		return len(common(simpler.Needs(), needs)) == len(simpler.Needs()) && holds(simpler)
	}
	if newest := c.newest(asked); newest.Target.Version != asked.Target.Version && may(newest) {
		asked = newest
	}
	for changed := true; changed; {
		changed = false
		for simpler := range asked.simpler() {
			if most--; most < 0 {
				return asked
			}
			if may(simpler) {
				asked, changed = simpler, true
				break
			}
		}
	}
	return asked
}

// Simpler returns questions that are simpler than asked, for a caller that asks many at
// once. At most `most` of them differ from asked in one place; a few more are steps on
// the way to the simplest question. keeps reports true for each returned question; it
// must not ask the system.
func (c *Claim) Simpler(asked Case, most int, keeps func(Case) bool) (all []Case) {
	var way []Case
	c.Shrink(asked, 4*most, func(simpler Case) bool {
		isKept := keeps(simpler)
		if isKept {
			way = append(way, simpler)
		}
		return isKept
	})
	for n := len(way); n > 0; n /= 2 {
		all = append(all, way[n-1])
	}
	needs := asked.Needs()
	for simpler := range asked.simpler() {
		if most--; most < 0 {
			break
		}
		if len(common(simpler.Needs(), needs)) == len(simpler.Needs()) && keeps(simpler) {
			all = append(all, simpler)
		}
	}
	return all
}

// newest returns the question about the newest claimed release.
func (c *Claim) newest(asked Case) Case {
	asked.Target.Version = c.since(asked.Target.System, "")[0]
	return asked
}

// simpler yields questions that are simpler in one place, the simplest first.
func (c Case) simpler() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		weight := c.Weight()
		for candidate := range c.changed() {
			if candidate.Weight() < weight && !yield(candidate) {
				return
			}
		}
	}
}

// Weight returns a number that is lower for simpler questions: eight times the length of
// the question, plus the number of its digits other than 0.
func (c Case) Weight() (n int) {
	for _, b := range c.text() {
		n += 8
		if '1' <= b && b <= '9' {
			n++
		}
	}
	return n
}

// changed yields questions that differ in one place, simpler or not. It changes
// outer values first, because their removal removes everything in them.
func (c Case) changed() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		if !yield(c.moved()) {
			return
		}
		places := places(policy.ObjectValue(c.In), nil)
		slices.SortStableFunc(places, func(p, q []string) int { return len(p) - len(q) })
		for _, place := range places {
			for _, v := range replacements(c.At(place...)) {
				if !yield(c.With(v, place...)) {
					return
				}
			}
		}
	}
}

// moved returns c with all its dates and the clock moved together, so that the
// clock is easy to read.
func (c Case) moved() Case {
	by := int64(usual - c.Now())
	move := func(i policy.Instant) policy.Instant { return Plus(i, by) }
	c.In = policy.DOf(MapDates(policy.ObjectValue(c.In), move))
	return c
}

// places are the paths of all values in v, and of v itself unless it is the
// whole question.
func places(v policy.Value, path []string) (all [][]string) {
	if len(path) > 0 {
		all = append(all, slices.Clone(path))
	}
	for _, e := range policy.DOf(v) {
		all = append(all, places(e.Value, append(path, e.Key))...)
	}
	for i, e := range policy.AOf(v) {
		all = append(all, places(e, append(path, strconv.Itoa(i)))...)
	}
	return all
}

// replacements returns values that may replace a value, the simplest first:
// nothing at all, or a simpler value of its kind.
func replacements(v policy.Value) []policy.Value {
	list := []policy.Value{{}}
	switch v.Kind() {
	case policy.List:
		list = append(list, sublists(policy.AOf(v))...)
	case policy.Date:
		i, _ := v.AsDate()
		list = append(list, policy.DateValue(0), policy.DateValue(usual), policy.DateValue(i-i%1_000_000), policy.DateValue(i-i%1000))
	case policy.Int32, policy.Int64:
		n, _ := v.AsInt64()
		list = append(list, integers(v.Kind(), 0, 1, 10, n/2, n-n%1000)...)
	case policy.Double, policy.Decimal:
		list = append(list, policy.Int32Value(0), policy.Int32Value(1), policy.Int32Value(10))
	case policy.String:
		list = append(list, policy.StringValue(""))
	}
	return list
}

// sublists returns the arrays with only one element of a, and the arrays that lack one
// element of a.
func sublists(a policy.A) (list []policy.Value) {
	for i := range a {
		list = append(list, policy.ListValue(a[i:i+1]))
	}
	for i := range a {
		list = append(list, policy.ListValue(slices.Delete(slices.Clone(a), i, i+1)))
	}
	return list
}

// integers returns each number as an int32 if it fits, and as an int64 if kind is Int64.
func integers(kind policy.Kind, numbers ...int64) (list []policy.Value) {
	for _, n := range numbers {
		if n == int64(int32(n)) {
			list = append(list, policy.Int32Value(int32(n)))
		}
		if kind == policy.Int64 {
			list = append(list, policy.Int64Value(n))
		}
	}
	return list
}

// OfVector returns the question of a vector about a target as a Case. It returns an error
// for a vector that was not loaded.
func OfVector(v *suite.Vector, t conformance.Target) (Case, error) {
	in, err := Input(v.Op, v.In)
	if err != nil {
		return Case{}, fmt.Errorf("%s: %w", v.ID, err)
	}
	return Case{v.Op, t, in}, nil
}

// Neighbours yields questions that differ from c in one place: a value is removed, or
// replaced by an easily confused value. It keeps the members that every vector of the
// operation has, such as the clock and _ts, because the question has no answer without
// them.
func (c Case) Neighbours() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		for _, place := range places(policy.ObjectValue(c.In), nil) {
			for _, v := range neighbours(c.At(place...)) {
				if v.IsMissing() && len(place) == 1 && !slices.Contains(optional, place[0]) {
					continue
				}
				if !yield(c.With(v, place...)) {
					return
				}
			}
		}
	}
}

// optional are the members of an input that a vector may lack.
var optional = []string{"collection", "existing", "previous"}

// neighbours returns values near v, and values of other kinds.
func neighbours(v policy.Value) []policy.Value {
	list := append([]policy.Value{{}, policy.ObjectValue(policy.D{}), policy.ListValue(policy.A{}), policy.RegexValue("a", "")}, settings...)
	if n, ok := v.AsInt64(); ok {
		list = append(list, policy.Int64Value(n+1), policy.Int64Value(n-1), policy.DoubleValue(float64(n)), policy.DoubleValue(float64(n)+0.5), policy.DoubleValue(-float64(n)))
	}
	if i, ok := v.AsDate(); ok {
		list = append(list, policy.DateValue(Plus(i, 1)), policy.DateValue(Plus(i, -1)), policy.DateValue(policy.MaxInstant), policy.DateValue(policy.MinInstant))
	}
	return append(list, decimalSettings[:3]...)
}
