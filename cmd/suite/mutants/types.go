package mutants

import (
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// types holds misreadings about which values are dates.
var types = []Mutant{
	{Name: "missing-is-1970", Rule: "mongo.field-missing", Text: "A missing field reads as the date 0.",
		misread: walker{choose: missingIs1970}.misreads()},
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
	{Name: "string-is-a-date", Rule: "mongo.field-not-date", Text: "A text that is an ISO 8601 date is a date.",
		Wild:    "ArangoDB's own TTL index, by its documentation",
		misread: takes(textTime)},
}

// missingIs1970 puts the date 0 in place of keys that are missing.
func missingIs1970(keys []policy.Value) (all []policy.Value) {
	for _, k := range keys {
		all = append(all, turns(policy.Value.IsMissing, policy.DateValue(0))(k))
	}
	return all
}

// integerTime reads integers as numbers of a unit, in milliseconds, since 1970. It reads
// only the given kinds of integers, or all kinds if none is given.
func integerTime(unit policy.Instant, kinds ...policy.Kind) func(policy.Value) (policy.Instant, bool) {
	return func(v policy.Value) (policy.Instant, bool) {
		n, ok := v.AsInt64()
		return policy.Instant(n) * unit, ok && (len(kinds) == 0 || slices.Contains(kinds, v.Kind()))
	}
}

// textTime returns the instant that a text spells in ISO 8601.
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
var arrays = []Mutant{
	{Name: "array-latest", Rule: "mongo.array-earliest", Text: "An array expires by its latest date, when all of them are due.",
		misread: walker{choose: latestDate}.misreads()},
	{Name: "array-ignored", Rule: "mongo.array-earliest", Text: "An array is no date and never expires.",
		Wild:    "@seald-io/nedb 4.1.2",
		misread: walker{noArrays: true}.misreads()},
	{Name: "array-on-the-way-ignored", Rule: "mongo.array-earliest", Text: "A path ends at an array of subdocuments.",
		Wild:    "@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		misread: walker{noArraysOnTheWay: true}.misreads()},
	{Name: "array-nested-expands", Rule: "mongo.array-nested", Text: "An array in an array at the end of the path gives its elements too.",
		Wild:    "256dpi/lungo",
		misread: walker{arraysInArraysExpand: true}.misreads()},
	{Name: "array-nested-entered", Rule: "mongo.array-nested", Text: "A name enters arrays that stand in arrays.",
		Wild:    "256dpi/lungo",
		misread: walker{arraysInArraysEnter: true}.misreads()},
}

// latestDate chooses the latest of the keys that are dates.
func latestDate(keys []policy.Value) (latest []policy.Value) {
	var last policy.Instant
	for _, k := range keys {
		i, ok := k.AsDate()
		if ok && (latest == nil || i > last) {
			latest, last = []policy.Value{k}, i
		}
	}
	return latest
}
