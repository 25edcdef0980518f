package properties

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A broken system answers as the reference does, except for one mistake.
type broken struct {
	why string
	// property is the property that detects the mistake. The properties in others may
	// detect it too, but no further property.
	property string
	others   []string
	op       string
	// answer is the system's answer. It asks the reference another question, or changes its
	// answer.
	answer func(c cases.Case) conformance.Answer
}

func (b broken) Hello() conformance.Hello {
	h := library.New().Hello()
	h.Name = "broken"
	return h
}

func (b broken) Ask(q conformance.Question) conformance.Answer {
	if q.Op != b.op {
		return library.New().Ask(q)
	}
	in, err := policy.ParseExtJSON(q.In)
	if err != nil {
		return conformance.Fault(err.Error())
	}
	return b.answer(cases.Case{Op: q.Op, Target: q.Target, In: policy.DOf(in)})
}

// right returns the reference's answer.
func right(c cases.Case) conformance.Answer { return library.New().Ask(c.Question()) }

var stays = conformance.Decided(policy.Decision{}, "")

var refuses = conformance.Refused(conformance.Refusal{Code: 67, Status: 400})

// ruleOf returns the rule by which the reference decides.
func ruleOf(c cases.Case) string { return c.Reference().Rule }

// deadline returns the reference's deadline, and whether there is one.
func deadline(c cases.Case) (policy.Instant, bool) {
	out, _ := valuefunc.F.ParseExtJSONInt32(right(c).Out)
	return out.Field("deadline").AsDate()
}

// delayed returns a function that answers with the deadline that f computes, if the
// reference has a deadline.
func delayed(f func(c cases.Case, due policy.Instant) policy.Instant) func(cases.Case) conformance.Answer {
	return func(c cases.Case) conformance.Answer {
		due, ok := deadline(c)
		if !ok {
			return right(c)
		}
		return conformance.Decided(policy.DecisionOf(policy.Pending, f(c, due), policy.Rule{}).At(c.Now()), "")
	}
}

// when gives the answer wrong if a condition holds.
func when(holds func(cases.Case) bool, wrong conformance.Answer) func(cases.Case) conformance.Answer {
	return func(c cases.Case) conformance.Answer {
		if holds(c) {
			return wrong
		}
		return right(c)
	}
}

// instead answers a question c as the reference answers f(c).
func instead(f func(cases.Case) cases.Case) func(cases.Case) conformance.Answer {
	return func(c cases.Case) conformance.Answer { return right(f(c)) }
}

// without returns a function that answers as if the indexes that meet a condition did not
// exist.
func without(holds func(index policy.Value) bool) func(cases.Case) conformance.Answer {
	return instead(func(c cases.Case) cases.Case {
		return c.With(policy.ListValue(slices.DeleteFunc(policy.AOf(c.At("indexes")), holds)), "indexes")
	})
}

// eachIndex returns a function that answers as if f had changed every index.
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

// wrapped returns a positive whole number of 31 bits modulo 1000, but at least 1. It
// returns any other value unchanged.
func wrapped(v policy.Value) policy.Value {
	n, ok := number(v)
	if !ok || n != math.Trunc(n) || n <= 0 || n >= 1<<31 {
		return v
	}
	return policy.Int32Value(int32(max(1, int64(n)%1000)))
}

// found describes the values at an index's path. The dates are those that give keys, in
// order.
type found struct {
	dates  []policy.Instant
	others int  // number of elements of arrays that are not dates
	arrays bool // whether there is an array on the path
}

// look finds the value at the path of the first index.
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

const in2038 policy.Instant = 2_147_483_648_000

// systems returns broken systems. For each property there is a system whose mistake no
// other property detects.
func systems() []broken {
	return slices.Concat(brokenMongoDB(), brokenDefinitions(), brokenCosmos(), brokenCosmosMongo(), brokenGeneral())
}

func brokenMongoDB() []broken {
	is := func(name string) func(policy.Value) bool {
		return func(index policy.Value) bool { b, _ := index.Field(name).AsBool(); return b }
	}
	list := []broken{
		{why: "from 2038 on everything lasts an hour longer", property: "mongodb-shift", answer: delayed(func(c cases.Case, due policy.Instant) policy.Instant {
			if due >= in2038 {
				return cases.Plus(due, 3_600_000)
			}
			return due
		})},
		{why: "long delays wrap around", property: "mongodb-monotone-seconds", answer: eachIndex(func(x policy.Value) policy.Value {
			return cases.Put(x, wrapped(x.Field("expireAfterSeconds")), "expireAfterSeconds")
		})},
		{why: "the first date of an array has to be the earliest", property: "mongodb-array-permutation", answer: when(func(c cases.Case) bool {
			f := look(c)
			return len(f.dates) > 0 && f.dates[0] != slices.Min(f.dates)
		}, stays)},
		{why: "an array of several types never expires", property: "mongodb-non-date-elements", answer: when(func(c cases.Case) bool {
			f := look(c)
			return f.others > 0 && len(f.dates) > 0
		}, stays)},
		{why: "the latest date of an array counts", property: "mongodb-later-date", answer: delayed(func(c cases.Case, due policy.Instant) policy.Instant {
			f := look(c)
			if len(f.dates) == 0 {
				return due
			}
			return cases.Plus(due, int64(min(slices.Max(f.dates)-slices.Min(f.dates), 1<<50)))
		})},
		{why: "arrays never expire", property: "mongodb-scalar-is-array", answer: when(func(c cases.Case) bool { return look(c).arrays }, stays)},
		{why: "a text with a date in it is one", property: "mongodb-no-date-never", answer: instead(func(c cases.Case) cases.Case {
			for _, e := range policy.DOf(c.At("indexes", "0", "key")) {
				place := append([]string{"document"}, strings.Split(e.Key, ".")...)
				if s, _ := c.At(place...).AsString(); strings.HasPrefix(s, "2001") {
					c = c.With(policy.DateValue(1e12), place...)
				}
			}
			return c
		})},
		{why: "a delay of 64 bits is none", property: "mongodb-seconds-types", answer: without(func(x policy.Value) bool { return x.Field("expireAfterSeconds").Kind() == policy.Int64 })},
		{why: "descending indexes do not delete", property: "mongodb-direction", answer: without(func(x policy.Value) bool {
			n, ok := number(policy.DOf(x.Field("key"))[0].Value)
			return ok && n < 0
		})},
		{why: "hidden indexes do not delete", property: "mongodb-index-options", answer: without(is("hidden"))},
		{why: "a field whose name is nearly the same shields the document", property: "mongodb-unrelated-fields", answer: when(func(c cases.Case) bool {
			return !c.At("document", "aa").IsMissing() || !c.At("document", "tt").IsMissing()
		}, stays)},
		{why: "partial filters are not looked at", property: "mongodb-partial-miss", answer: eachIndex(func(x policy.Value) policy.Value {
			return cases.Put(x, policy.Value{}, "partialFilterExpression")
		})},
		{why: "the first index alone counts", property: "mongodb-two-indexes", answer: instead(func(c cases.Case) cases.Case {
			return c.With(policy.ListValue(policy.AOf(c.At("indexes"))[:min(1, len(policy.AOf(c.At("indexes"))))]), "indexes")
		})},
		{why: "buckets begin with their first measurement", property: "mongodb-series-bucket", answer: delayed(func(c cases.Case, due policy.Instant) policy.Instant {
			at, ok := c.At("document", "t").AsDate()
			if c.At("collection", "timeseries").IsMissing() || !ok {
				return due
			}
			return cases.Plus(due, int64(at%60_000))
		})},
	}
	return of("mongodb.decide", list)
}

// of sets the operation of broken systems.
func of(op string, list []broken) []broken {
	for i := range list {
		list[i].op = op
	}
	return list
}

func brokenDefinitions() []broken {
	kind := func(place ...string) func(cases.Case) bool {
		return func(c cases.Case) bool { return c.At(place...).Kind() == policy.Double }
	}
	equal := func(c cases.Case) bool {
		before, _ := number(c.At("existing", "0", "expireAfterSeconds"))
		after, ok := number(c.At("command", "index", "expireAfterSeconds"))
		return ok && before == after
	}
	again := conformance.Result(map[string]bool{"created": true})
	ownField := func(c cases.Case) bool { return c.At("existing", "0", "key").String() == c.At("index", "key").String() }
	return slices.Concat(of("mongodb.createIndexes", []broken{
		{why: "doubles are refused", property: "mongodb-create-types", answer: when(kind("index", "expireAfterSeconds"), refuses)},
		{why: "descending indexes are refused", property: "mongodb-create-direction", answer: when(func(c cases.Case) bool {
			for f := c.At("index", "key").Fields(); f.Next(); {
				if n, _ := number(f.Value()); n < 0 {
					return true
				}
			}
			return false
		}, refuses)},
		{why: "what exists is created again", property: "mongodb-create-again", answer: when(ownField, again)},
		{why: "there can be one index only", property: "mongodb-create-beside", answer: when(func(c cases.Case) bool {
			return !c.At("existing").IsMissing() && !ownField(c)
		}, refuses)},
		{why: "a delay has to be more than has passed since 1970", property: "mongodb-create-later", answer: when(func(c cases.Case) bool {
			n, ok := number(c.At("index", "expireAfterSeconds"))
			return ok && n > 1.6e9-10 && n < float64(c.Now()/1000)-2
		}, refuses)},
	}), of("mongodb.collMod", []broken{
		{why: "doubles are refused", property: "mongodb-modify-types", answer: when(kind("command", "index", "expireAfterSeconds"), refuses)},
		{why: "indexes are not found by their key", property: "mongodb-modify-address", answer: when(func(c cases.Case) bool {
			return !c.At("command", "index", "keyPattern").IsMissing()
		}, refuses)},
		{why: "a number must change", property: "mongodb-modify-again", answer: when(equal, refuses)},
	}))
}

// to returns a function that answers as if a place held the value v, if a condition
// holds.
func to(v policy.Value, holds func(cases.Case) bool, place ...string) func(cases.Case) conformance.Answer {
	return instead(func(c cases.Case) cases.Case {
		if holds(c) {
			return c.With(v, place...)
		}
		return c
	})
}

// lacks reports whether there is nothing at a place.
func lacks(place ...string) func(cases.Case) bool {
	return func(c cases.Case) bool { return c.At(place...).IsMissing() }
}

// has reports whether there is something at a place.
func has(place ...string) func(cases.Case) bool {
	return func(c cases.Case) bool { return !c.At(place...).IsMissing() }
}

// minusOne reports whether -1 is at a place.
func minusOne(place ...string) func(cases.Case) bool {
	return func(c cases.Case) bool { n, _ := number(c.At(place...)); return n == -1 }
}

// both returns the condition that all conditions hold.
func both(all ...func(cases.Case) bool) func(cases.Case) bool {
	return func(c cases.Case) bool {
		return !slices.ContainsFunc(all, func(holds func(cases.Case) bool) bool { return !holds(c) })
	}
}

// cut returns a function that answers as if the time to live at the first place were no
// greater than the time to live at the second place.
func cut(of, by []string) func(cases.Case) conformance.Answer {
	return instead(func(c cases.Case) cases.Case {
		n, ok := number(c.At(of...))
		m, isToo := number(c.At(by...))
		if ok && isToo && n == math.Trunc(n) && m > 0 && n > m {
			return c.With(policy.Int32Value(int32(m)), of...)
		}
		return c
	})
}

// minutes rounds the time of the last write down to minutes.
func minutes(place ...string) func(cases.Case) conformance.Answer {
	return instead(func(c cases.Case) cases.Case {
		n, _ := c.At(place...).AsInt64()
		return c.With(policy.Int64Value(n-n%60), place...)
	})
}

// wrapping returns a function that answers as if the times to live at two places were
// wrapped around at 1000 (see wrapped).
func wrapping(one, other []string) func(cases.Case) conformance.Answer {
	return instead(func(c cases.Case) cases.Case {
		for _, place := range [][]string{one, other} {
			if v := c.At(place...); v.Kind() != policy.Decimal {
				c = c.With(wrapped(v), place...)
			}
		}
		return c
	})
}

// longer adds a second to the deadline if a condition holds.
func longer(holds func(cases.Case) bool) func(cases.Case) conformance.Answer {
	return delayed(func(c cases.Case, due policy.Instant) policy.Instant {
		if holds(c) {
			return cases.Plus(due, 1000)
		}
		return due
	})
}

func brokenCosmos() []broken {
	byDefault, byItem := []string{"container", "defaultTtl"}, []string{"item", "ttl"}
	return slices.Concat(of("cosmos.decide", []broken{
		{why: "off is on without a default", property: "cosmos-off-never", answer: to(off, lacks(byDefault...), byDefault...)},
		{why: "-1 is not looked at", property: "cosmos-item-never", answer: to(policy.Value{}, minusOne(byItem...), byItem...)},
		{why: "-1 is a second", property: "cosmos-no-default-never", answer: to(policy.Int32Value(1), both(minusOne(byDefault...), lacks(byItem...)), byDefault...)},
		{why: "a ttl can only shorten", property: "cosmos-item-overrides", answer: cut(byItem, byDefault)},
		{why: "the default lasts a second longer", property: "cosmos-default-inherited", answer: longer(lacks(byItem...))},
		{why: "writes are known to the minute", property: "cosmos-write-moves", answer: minutes("item", "_ts")},
		{why: "long times wrap around", property: "cosmos-monotone-ttl", answer: wrapping(byDefault, byItem)},
		{why: "a _ttl shields the item", property: "cosmos-unrelated-properties", answer: when(has("item", "_ttl"), stays)},
	}), of("cosmos.validateItem", []broken{
		{why: "without a default no ttl is taken", property: "cosmos-item-any-container", answer: when(both(minusOne(byDefault...), has(byItem...)), refuses)},
		{why: "a _ttl is refused", property: "cosmos-item-unrelated-properties", answer: when(has("item", "_ttl"), refuses)},
	}), of("cosmos.validateContainer", []broken{
		{why: "settings must change", property: "cosmos-container-unchanged", answer: when(has("previous"), refuses)},
	}))
}

func brokenCosmosMongo() []broken {
	byIndex, byDocument := []string{"indexes", "0", "expireAfterSeconds"}, []string{"document", "ttl"}
	ofKind := func(kind policy.Kind, place ...string) func(cases.Case) bool {
		return func(c cases.Case) bool { return c.At(place...).Kind() == kind }
	}
	inherits := func(c cases.Case) bool {
		return ruleOf(c) == "cosmos.default" || ruleOf(c) == "cosmos.mongo-ttl-ignored"
	}
	half := func(c cases.Case) bool { f, _ := c.At(byDocument...).AsDouble(); return f == 20.5 }
	return of("cosmosmongo.decide", []broken{
		{why: "off is on without a default", property: "cosmosmongo-off-never", answer: to(off, lacks(byIndex...), byIndex...)},
		{why: "-1 is not looked at", property: "cosmosmongo-never", answer: to(policy.Value{}, minusOne(byDocument...), byDocument...)},
		{why: "a ttl can only shorten", property: "cosmosmongo-ttl-overrides", answer: cut(byDocument, byIndex)},
		{why: "the default lasts a second longer", property: "cosmosmongo-default-inherited", answer: longer(inherits)},
		{why: "writes are known to the minute", property: "cosmosmongo-write-moves", answer: minutes("_ts")},
		{why: "long times wrap around", property: "cosmosmongo-monotone-ttl", answer: wrapping(byIndex, byDocument)},
		{why: "a double is no ttl", property: "cosmosmongo-ttl-types", answer: to(policy.Value{}, ofKind(policy.Double, byDocument...), byDocument...)},
		{why: "fractions are cut off", property: "cosmosmongo-ttl-ignored", answer: to(policy.Int32Value(20), half, byDocument...)},
		{why: "a _ttl shields the document", property: "cosmosmongo-unrelated-fields", answer: when(has("document", "_ttl"), stays)},
		{why: "a number is no time", property: "cosmosmongo-field-types", answer: when(ofKind(policy.Int64, "document", "at"), stays)},
		{why: "arrays never expire", property: "cosmosmongo-field-array", answer: when(ofKind(policy.List, "document", "at"), stays)},
		{why: "a text with a date in it is one", property: "cosmosmongo-field-never", answer: to(policy.DateValue(1e12), ofKind(policy.String, "document", "at"), "document", "at")},
		{why: "a write saves the document", property: "cosmosmongo-field-write", answer: delayed(func(c cases.Case, due policy.Instant) policy.Instant {
			at, _ := c.At("_ts").AsInt64()
			if c.At("indexes", "0", "key", "at").IsMissing() {
				return due
			}
			return max(due, policy.Instant(at*1000))
		})},
	})
}

// brokenGeneral are systems with a mistake that any operation can have.
func brokenGeneral() (list []broken) {
	for _, op := range conformance.Operations() {
		wrong := refuses
		if strings.HasSuffix(op, ".decide") {
			wrong = stays
			list = append(list, of(op, []broken{
				{why: "the deadline of what is expired is now", property: slug(op) + "-monotone-now", answer: delayed(func(c cases.Case, due policy.Instant) policy.Instant {
					return max(due, c.Now())
				})},
				{why: "the deadline itself is not reached", property: slug(op) + "-coherent", answer: func(c cases.Case) conformance.Answer {
					if due, ok := deadline(c); ok && due == c.Now() {
						out := fmt.Appendf(nil, `{"state": "pending", "deadline": %s}`, policy.AppendExtJSON(nil, policy.DateValue(due)))
						return conformance.Answer{Kind: conformance.KindOut, Out: out}
					}
					return right(c)
				}},
			})...)
		}
		var others []string
		if op == "cosmos.validateContainer" { // the questions are so few that the same are drawn again and again
			others = []string{slug(op) + "-ordered", slug(op) + "-pure"}
		}
		list = append(list,
			broken{why: "the third time the answer is another", op: op, property: slug(op) + "-pure", others: others, answer: third(wrong)},
			broken{why: "what was asked some time ago is forgotten", op: op, property: slug(op) + "-ordered", others: others, answer: forgetful(wrong)})
	}
	return list
}

// third returns a function that answers a question wrongly if it is asked the same
// question three times in a row.
func third(wrong conformance.Answer) func(cases.Case) conformance.Answer {
	last, times := "", 0
	return func(c cases.Case) conformance.Answer {
		if text := c.GoString(); text != last {
			last, times = text, 0
		}
		if times++; times == 3 {
			return wrong
		}
		return right(c)
	}
}

// forgetful returns a function that answers a question wrongly if it was asked the same
// question some questions before.
func forgetful(wrong conformance.Answer) func(cases.Case) conformance.Answer {
	var asked []string
	return func(c cases.Case) conformance.Answer {
		text := c.GoString()
		n := len(asked)
		asked = append(asked, text)
		if n > 1 && asked[n-1] != text && slices.Contains(asked[max(0, n-6):n-1], text) {
			return wrong
		}
		return right(c)
	}
}
