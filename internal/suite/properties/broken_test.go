package properties

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/reference"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A broken system answers as the reference does, except for one mistake.
type broken struct {
	why string
	// property is the one that notices it, and the only one except for others.
	property string
	others   []string
	op       string
	// answer is what the system says; change asks the reference something
	// else, or amends its answer.
	answer func(c cases.Case) conformance.Answer
}

func (b broken) Hello() conformance.Hello {
	h := reference.New().Hello()
	h.Name = "broken"
	return h
}

func (b broken) Ask(q conformance.Question) conformance.Answer {
	if q.Op != b.op {
		return reference.New().Ask(q)
	}
	in, err := policy.ParseExtJSON(q.In)
	if err != nil {
		return conformance.Fault(err.Error())
	}
	return b.answer(cases.Case{Op: q.Op, Target: q.Target, In: policy.DOf(in)})
}

// right is what the reference answers.
func right(c cases.Case) conformance.Answer { return reference.New().Ask(c.Question()) }

var stays = conformance.Decided(policy.Decision{}, "")

var refuses = conformance.Refused(conformance.Refusal{Code: 67, Status: 400})

// ruleOf returns the rule by which the reference decides.
func ruleOf(c cases.Case) string { return c.Reference().Rule }

// deadline returns the reference's deadline, and whether there is one.
func deadline(c cases.Case) (policy.Instant, bool) {
	out, _ := valuefunc.ParseExtJSONInt32(right(c).Out)
	return out.Field("deadline").AsDate()
}

// delayed answers with another deadline than the reference, if it has one.
func delayed(f func(c cases.Case, due policy.Instant) policy.Instant) func(cases.Case) conformance.Answer {
	return func(c cases.Case) conformance.Answer {
		due, ok := deadline(c)
		if !ok {
			return right(c)
		}
		return conformance.Decided(policy.DecisionOf(policy.Pending, f(c, due), nil).At(c.Now()), "")
	}
}

// when answers wrongly if something holds.
func when(holds func(cases.Case) bool, wrong conformance.Answer) func(cases.Case) conformance.Answer {
	return func(c cases.Case) conformance.Answer {
		if holds(c) {
			return wrong
		}
		return right(c)
	}
}

// instead asks the reference something else.
func instead(f func(cases.Case) cases.Case) func(cases.Case) conformance.Answer {
	return func(c cases.Case) conformance.Answer { return right(f(c)) }
}

// without drops the indexes for which something holds.
func without(holds func(index policy.Value) bool) func(cases.Case) conformance.Answer {
	return instead(func(c cases.Case) cases.Case {
		return c.With(policy.ListValue(slices.DeleteFunc(policy.AOf(c.At("indexes")), holds)), "indexes")
	})
}

// eachIndex changes every index.
func eachIndex(f func(index policy.Value) policy.Value) func(cases.Case) conformance.Answer {
	return instead(func(c cases.Case) cases.Case {
		list := policy.AOf(c.At("indexes"))
		for i := range list {
			list[i] = f(list[i])
		}
		return c.With(policy.ListValue(list), "indexes")
	})
}

// number reads a number of any type.
func number(v policy.Value) (float64, bool) {
	if n, ok := v.AsInt64(); ok {
		return float64(n), true
	}
	if f, ok := v.AsDouble(); ok {
		return f, !math.IsNaN(f)
	}
	text := string(policy.AppendExtJSON(nil, v))
	text = strings.TrimSuffix(strings.TrimPrefix(text, `{"$numberDecimal":"`), `"}`)
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// wrapped is a whole number less all thousands, but not 0.
func wrapped(v policy.Value) policy.Value {
	n, ok := number(v)
	if !ok || n != math.Trunc(n) || n <= 0 || n >= 1<<31 {
		return v
	}
	return policy.Int32Value(int32(max(1, int64(n)%1000)))
}

// found is what stands at an index's path: the dates that give keys, in order.
type found struct {
	dates  []policy.Instant
	others int  // elements of arrays that are no dates
	arrays bool // whether there is one
}

// look finds what stands at the path of the first index.
func look(c cases.Case) (f found) {
	key := policy.DOf(c.At("indexes", "0", "key"))
	if len(key) == 0 {
		return f
	}
	f.walk(c.At("document"), strings.Split(key[0].Key, "."), false)
	return f
}

func (f *found) walk(v policy.Value, path []string, within bool) {
	date, isDate := v.AsDate()
	switch {
	case v.Kind() == policy.List && !within:
		f.arrays = true
		for _, e := range policy.AOf(v) {
			f.walk(e, path, true)
		}
	case len(path) > 0:
		f.walk(v.Field(path[0]), path[1:], within && v.Field(path[0]).Kind() != policy.List)
	case isDate:
		f.dates = append(f.dates, date)
	case f.arrays:
		f.others++
	}
}
