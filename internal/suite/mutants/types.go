package mutants

import (
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// types holds misreadings of what is a date and what is not.
var types = of("types", []Mutant{
	{Name: "missing-is-1970", Rule: "mongo.field-missing", Text: "A missing field reads as the date 0.",
		misread: walker{choose: replace(policy.Value.IsMissing, policy.DateValue(0))}.walks(anyIndex)},
	{Name: "missing-counts-from-id", Rule: "mongo.field-missing", Text: "Without the field the time in an ObjectId as _id counts.",
		misread: asks(decide, func(q query) query {
			id, ok := objectIDTime(q.get("document", "_id"))
			for _, x := range policy.AOf(q.get("indexes")) {
				if ok {
					q = q.change(turns(policy.Value.IsMissing, policy.DateValue(id)), "document", pathOf(x))
				}
			}
			return q
		})},
	{Name: "missing-found-inside", Rule: "mongo.field-missing", Text: "A field is looked for in subdocuments too.",
		misread: asks(decide, func(q query) query {
			for _, x := range policy.AOf(q.get("indexes")) {
				name := pathOf(x)
				for _, e := range policy.DOf(q.get("document")) {
					if v := e.Value.Field(name); q.get("document", name).IsMissing() && v.Kind() == policy.Date {
						q = q.with(v, "document", name)
					}
				}
			}
			return q
		})},
	{Name: "null-is-1970", Rule: "mongo.field-null", Text: "null reads as the date 0.",
		misread: walker{choose: replace(isNull, policy.DateValue(0))}.walks(anyIndex)},
	{Name: "int64-is-a-date", Rule: "mongo.field-not-date", Text: "An int64 is milliseconds since 1970.",
		Wild:    "tinycoll 1.3.0, which takes numbers and nothing else",
		misread: takes(integerTime(1, policy.Int64))},
	{Name: "int32-is-a-date", Rule: "mongo.field-not-date", Text: "An int32 is seconds since 1970.",
		Wild:    "ArangoDB's own TTL index, by its documentation",
		misread: takes(integerTime(1000, policy.Int32))},
	{Name: "numbers-in-place-of-dates", Rule: "mongo.date", Text: "A date is a number of milliseconds, and a value of type Date is not one.",
		Wild: "tinycoll 1.3.0",
		misread: stores(func(v policy.Value) policy.Value {
			texts := given(ofType(policy.Date), func(v policy.Value) policy.Value { i, _ := v.AsDate(); return policy.StringValue(i.String()) })
			return leaves(dateBy(integerTime(1)))(leaves(texts)(v))
		})},
	{Name: "double-is-a-date", Rule: "mongo.field-not-date", Text: "A double is milliseconds since 1970.",
		Wild: "tinycoll 1.3.0",
		misread: takes(func(v policy.Value) (policy.Instant, bool) {
			f, ok := v.AsDouble()
			return policy.Instant(f), ok && f == f
		})},
	{Name: "decimal-is-a-date", Rule: "mongo.field-not-date", Text: "A Decimal128 is milliseconds since 1970.",
		misread: takes(func(v policy.Value) (policy.Instant, bool) {
			return policy.Instant(number(v)), v.Kind() == policy.Decimal
		})},
	{Name: "nan-is-a-date", Rule: "mongo.field-not-date", Text: "A number that is NaN is the date 0.",
		misread: takes(fixedTime(0, policy.Value.IsNaN))},
	{Name: "string-is-a-date", Rule: "mongo.field-not-date", Text: "A text that is an ISO 8601 date is a date.",
		Wild:    "ArangoDB's own TTL index, by its documentation",
		misread: takes(textTime)},
	{Name: "objectid-is-a-date", Rule: "mongo.field-not-date", Text: "An ObjectId is the date of its time.",
		misread: takes(objectIDTime)},
	{Name: "timestamp-is-a-date", Rule: "mongo.field-not-date", Text: "A replication timestamp is a date.",
		misread: takes(timestampTime)},
	{Name: "timestamp-never-sorts", Rule: "mongo.timestamp-sorts", Text: "A replication timestamp has never been a date.",
		misread: keeps(decide, every(until("3.0.0"), where(ofType(policy.Timestamp), "document", "t")))},
	{Name: "timestamp-of-old-in-seconds", Rule: "mongo.timestamp-sorts", Text: "Up to 2.6 a replication timestamp is the date of its seconds.",
		misread: only(decide, until("3.0.0"), takes(timestampTime))},
	{Name: "bool-is-a-date", Rule: "mongo.field-not-date", Text: "true and false are 1 and 0 milliseconds since 1970.",
		misread: takes(fixedTime(1, ofType(policy.Bool)))},
	{Name: "minkey-is-a-date", Rule: "mongo.field-not-date", Text: "MinKey is the smallest date.",
		misread: takes(fixedTime(policy.MinInstant, ofType(policy.MinKey)))},
	{Name: "types-sort-together", Rule: "mongo.field-not-date", Text: "Whatever sorts before the cutoff in the order of all types has expired.",
		misread: takes(fixedTime(policy.MinInstant, sortsBeforeDates))},
	{Name: "uuid-is-a-date", Rule: "mongo.field-not-date", Text: "Binary data is the date of its first bytes, as a UUID of version 7 has it.",
		misread: takes(uuidTime)},
	{Name: "document-holds-dates", Rule: "mongo.field-not-date", Text: "Dates in a subdocument at the end of the path count.",
		misread: walker{lookInside: true}.walks(anyIndex)},
	{Name: "code-is-a-date", Rule: "mongo.field-not-date", Text: "JavaScript code and symbols are the date 0, as is what cannot be read.",
		misread: takes(fixedTime(0, ofType(policy.Code, policy.Symbol)))},
})

// replace returns a choice that puts a date in place of some keys.
func replace(such shape, by policy.Value) func([]policy.Value) []policy.Value {
	return func(keys []policy.Value) (all []policy.Value) {
		for _, k := range keys {
			all = append(all, turns(such, by)(k))
		}
		return all
	}
}

// integerTime reads integers of some types, or of any, as instants.
func integerTime(unit policy.Instant, kinds ...policy.Kind) func(policy.Value) (policy.Instant, bool) {
	return func(v policy.Value) (policy.Instant, bool) {
		n, ok := v.AsInt64()
		return policy.Instant(n) * unit, ok && (len(kinds) == 0 || slices.Contains(kinds, v.Kind()))
	}
}

// fixedTime reads values of a shape as one instant.
func fixedTime(i policy.Instant, such shape) func(policy.Value) (policy.Instant, bool) {
	return func(v policy.Value) (policy.Instant, bool) { return i, such(v) }
}

// timestampTime returns the seconds of a replication timestamp.
func timestampTime(v policy.Value) (policy.Instant, bool) {
	s, _, ok := v.AsTimestamp()
	return policy.Instant(s) * 1000, ok
}

// uuidTime returns the time in binary data as a UUID of version 7 has it.
func uuidTime(v policy.Value) (policy.Instant, bool) {
	_, data, ok := v.AsBinary()
	var ms uint64
	for _, b := range data[:min(6, len(data))] {
		ms = ms<<8 | uint64(b)
	}
	return policy.Instant(ms), ok
}

// objectIDTime returns the time in an ObjectId, which is in its first bytes.
func objectIDTime(v policy.Value) (policy.Instant, bool) {
	id, ok := v.AsObjectID()
	s := int64(id[0])<<24 | int64(id[1])<<16 | int64(id[2])<<8 | int64(id[3])
	return policy.Instant(s) * 1000, ok
}

// textTime returns the instant that a text spells as ISO 8601 has it.
func textTime(v policy.Value) (policy.Instant, bool) {
	s, _ := v.AsString()
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return policy.InstantOf(t), true
		}
	}
	return 0, false
}

// arrays holds misreadings of arrays of dates.
var arrays = of("arrays", []Mutant{
	{Name: "array-latest", Rule: "mongo.array-earliest", Text: "An array expires by its latest date, when all of them are due.",
		misread: walker{choose: latestDate}.walks(anyIndex)},
	{Name: "array-first-date", Rule: "mongo.array-earliest", Text: "Of an array the first date counts, whatever it is.",
		misread: walker{choose: func(keys []policy.Value) []policy.Value { return firstOf(datesOf(keys)) }}.walks(anyIndex)},
	{Name: "array-last-date", Rule: "mongo.array-earliest", Text: "Of an array the last date counts, whatever it is.",
		misread: walker{choose: func(keys []policy.Value) []policy.Value { return lastOf(datesOf(keys)) }}.walks(anyIndex)},
	{Name: "array-first-element", Rule: "mongo.array-earliest", Text: "Of an array the first element counts, even if it is no date.",
		misread: walker{choose: firstOf}.walks(anyIndex)},
	{Name: "array-ignored", Rule: "mongo.array-earliest", Text: "An array is no date and never expires.",
		Wild:    "@seald-io/nedb 4.1.2",
		misread: walker{noArrays: true}.walks(anyIndex)},
	{Name: "array-mixed-never", Rule: "mongo.array-earliest", Text: "An array that holds anything except dates never expires.",
		misread: walker{choose: noneIf(func(keys []policy.Value) bool { return len(datesOf(keys)) < len(keys) })}.walks(anyIndex)},
	{Name: "array-smallest-element", Rule: "mongo.array-earliest", Text: "Of an array the smallest element counts, and if that is no date nothing does.",
		misread: walker{choose: noneIf(func(keys []policy.Value) bool { return slices.ContainsFunc(keys, sortsBeforeDates) })}.walks(anyIndex)},
	{Name: "array-earliest-without-sign", Rule: "mongo.array-earliest", Text: "The dates of an array are compared without their sign, so that one before 1970 is the latest.",
		misread: walker{choose: bestDate(func(a, b policy.Instant) bool { return uint64(a) < uint64(b) })}.walks(anyIndex)},
	{Name: "array-one-date-only", Rule: "mongo.array-earliest", Text: "An array counts if it holds a single element.",
		misread: walker{choose: noneIf(func(keys []policy.Value) bool { return len(keys) > 1 })}.walks(anyIndex)},
	{Name: "array-on-the-way-ignored", Rule: "mongo.array-earliest", Text: "A path ends at an array of subdocuments.",
		Wild:    "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		misread: walker{noArraysOnTheWay: true}.walks(anyIndex)},
	{Name: "array-on-the-way-first", Rule: "mongo.array-earliest", Text: "Of an array of subdocuments the first one is entered.",
		misread: walker{firstOnTheWay: true}.walks(anyIndex)},
	{Name: "array-empty-has-expired", Rule: "mongo.array-empty", Text: "The earliest of no dates is the smallest one.",
		misread: stores(turns(isEmptyList, policy.DateValue(policy.MinInstant)))},
	{Name: "array-nested-expands", Rule: "mongo.array-nested", Text: "An array in an array at the end of the path gives its elements too.",
		Wild:    "256dpi/lungo",
		misread: walker{arraysInArraysExpand: true}.walks(anyIndex)},
	{Name: "array-nested-entered", Rule: "mongo.array-nested", Text: "A name enters arrays that stand in arrays.",
		Wild:    "256dpi/lungo",
		misread: walker{arraysInArraysEnter: true}.walks(anyIndex)},
})

// datesOf returns those keys that are dates.
func datesOf(keys []policy.Value) []policy.Value {
	return slices.DeleteFunc(slices.Clone(keys), func(v policy.Value) bool { return v.Kind() != policy.Date })
}

func firstOf(keys []policy.Value) []policy.Value { return keys[:min(1, len(keys))] }
func lastOf(keys []policy.Value) []policy.Value  { return keys[max(0, len(keys)-1):] }

// noneIf chooses all keys, or none where a condition holds of them.
func noneIf(such func(keys []policy.Value) bool) func(keys []policy.Value) []policy.Value {
	return func(keys []policy.Value) []policy.Value {
		if such(keys) {
			return nil
		}
		return keys
	}
}

var latestDate = bestDate(func(a, b policy.Instant) bool { return a > b })

// bestDate chooses one date of several.
func bestDate(better func(a, b policy.Instant) bool) func(keys []policy.Value) []policy.Value {
	return func(keys []policy.Value) []policy.Value {
		return firstOf(slices.SortedFunc(slices.Values(datesOf(keys)), func(v, w policy.Value) int {
			a, _ := v.AsDate()
			b, _ := w.AsDate()
			if better(a, b) {
				return -1
			}
			return 1
		}))
	}
}

// sortsBeforeDates reports whether MongoDB's order of types has a value before
// all dates (MongoDB manual, "Comparison/Sort Order").
var sortsBeforeDates = ofType(policy.MinKey, policy.Undefined, policy.Null, policy.Int32, policy.Int64, policy.Double, policy.Decimal,
	policy.String, policy.Symbol, policy.Object, policy.List, policy.Binary, policy.ObjectID, policy.Bool)
