package mutants

import (
	"cmp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// several holds misreadings of what several TTL indexes do together.
var several = map[string]misreading{
	"several-latest": only(decide, always, func(q query) conformance.Answer { return latest(q.apart()...) }),
	"several-first":  asks(decide, func(q query) query { return q.keepOne(func(a policy.A) policy.Value { return a[0] }) }),
	"several-last":   asks(decide, func(q query) query { return q.keepOne(func(a policy.A) policy.Value { return a[len(a)-1] }) }),
	"several-shortest-delay": asks(decide, func(q query) query {
		return q.keepOne(func(a policy.A) policy.Value { return slices.MinFunc(a, byDelay) })
	}),
	"several-all-or-none":     keeps(decide, func(q query) bool { return slices.ContainsFunc(q.apart(), neverExpires) }),
	"several-collection-wins": puts(decide, has("collection", option), policy.ListValue(policy.A{}), "indexes"),
	"several-index-wins":      forgets(decide, every(hasTTLIndex, has("collection", option)), "collection", option),
}

// byDelay orders indexes by their option.
func byDelay(x, y policy.Value) int {
	return cmp.Compare(number(x.Field(option)), number(y.Field(option)))
}

func neverExpires(q query) bool { v, ok := q.verdict(); return ok && v.never }

func hasTTLIndex(q query) bool { return len(q.ttlIndexes()) > 0 }

// ttlIndexes returns the indexes that have the option.
func (q query) ttlIndexes() (a policy.A) {
	for _, x := range policy.AOf(q.get("indexes")) {
		if !x.Field(option).IsMissing() {
			a = append(a, x)
		}
	}
	return a
}

// keepOne returns q with one of its TTL indexes, if it has any.
func (q query) keepOne(choose func(policy.A) policy.Value) query {
	a := q.ttlIndexes()
	if len(a) == 0 {
		return q
	}
	return q.with(policy.ListValue(policy.A{choose(a)}), "indexes")
}

// apart returns q once for each TTL index, with that alone, and once for the
// collection's own option.
func (q query) apart() (questions []query) {
	for _, x := range q.ttlIndexes() {
		one := q.with(policy.ListValue(policy.A{x}), "indexes")
		if !ordinary(q) {
			one = one.with(policy.Value{}, "collection", option)
		}
		questions = append(questions, one)
	}
	if has("collection", option)(q) {
		questions = append(questions, q.with(policy.ListValue(policy.A{}), "indexes"))
	}
	return questions
}
