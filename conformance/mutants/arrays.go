package mutants

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// arrays holds misreadings of arrays of dates.
var arrays = []entry{
	{"array-latest", "mongo.array-earliest", "An array expires by its latest date, when all of them are due.", "",
		walker{choose: bestDate(func(a, b policy.Instant) bool { return a > b })}.walks(anyIndex)},
	{"array-first-date", "mongo.array-earliest", "Of an array the first date counts, whatever it is.", "",
		walker{choose: func(keys []policy.Value) []policy.Value { return firstOf(datesOf(keys)) }}.walks(anyIndex)},
	{"array-last-date", "mongo.array-earliest", "Of an array the last date counts, whatever it is.", "",
		walker{choose: func(keys []policy.Value) []policy.Value { return lastOf(datesOf(keys)) }}.walks(anyIndex)},
	{"array-first-element", "mongo.array-earliest", "Of an array the first element counts, even if it is no date.", "",
		walker{choose: firstOf}.walks(anyIndex)},
	{"array-ignored", "mongo.array-earliest", "An array is no date and never expires.", "@seald-io/nedb 4.1.2",
		walker{noArrays: true}.walks(anyIndex)},
	{"array-mixed-never", "mongo.array-earliest", "An array that holds anything but dates never expires.", "",
		walker{choose: func(keys []policy.Value) []policy.Value {
			if len(datesOf(keys)) < len(keys) {
				return nil
			}
			return keys
		}}.walks(anyIndex)},
	{"array-smallest-element", "mongo.array-earliest", "Of an array the smallest element counts, and if that is no date nothing does.", "",
		walker{choose: func(keys []policy.Value) []policy.Value {
			if slices.ContainsFunc(keys, sortsBeforeDates) {
				return nil
			}
			return keys
		}}.walks(anyIndex)},
	{"array-earliest-without-sign", "mongo.array-earliest", "The dates of an array are compared without their sign, so that one before 1970 is the latest.", "",
		walker{choose: bestDate(func(a, b policy.Instant) bool { return uint64(a) < uint64(b) })}.walks(anyIndex)},
	{"array-one-date-only", "mongo.array-earliest", "An array counts if it holds a single element.", "",
		walker{choose: func(keys []policy.Value) []policy.Value {
			if len(keys) > 1 {
				return nil
			}
			return keys
		}}.walks(anyIndex)},
	{"array-on-the-way-ignored", "mongo.array-earliest", "A path ends at an array of subdocuments.",
		"@seald-io/nedb 4.1.2 and mongomock 4.1.2",
		walker{noArraysOnTheWay: true}.walks(anyIndex)},
	{"array-on-the-way-first", "mongo.array-earliest", "Of an array of subdocuments the first one is entered.", "",
		walker{firstOnTheWay: true}.walks(anyIndex)},
	{"array-empty-has-expired", "mongo.array-empty", "The earliest of no dates is the smallest one.", "",
		stores(func(v policy.Value) policy.Value {
			if v.Kind() == policy.List && len(policy.AOf(v)) == 0 {
				return policy.DateValue(policy.MinInstant)
			}
			return v
		})},
	{"array-nested-expands", "mongo.array-nested", "An array in an array at the end of the path gives its elements too.", "256dpi/lungo",
		walker{arraysInArraysExpand: true}.walks(anyIndex)},
	{"array-nested-entered", "mongo.array-nested", "A name enters arrays that stand in arrays.", "256dpi/lungo",
		walker{arraysInArraysEnter: true}.walks(anyIndex)},
}

// datesOf returns those keys that are dates.
func datesOf(keys []policy.Value) []policy.Value {
	return slices.DeleteFunc(slices.Clone(keys), func(v policy.Value) bool { return v.Kind() != policy.Date })
}

func firstOf(keys []policy.Value) []policy.Value { return keys[:min(1, len(keys))] }
func lastOf(keys []policy.Value) []policy.Value  { return keys[max(0, len(keys)-1):] }

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

// sortsBeforeDates tells whether MongoDB's order of types has a value before
// all dates (MongoDB manual, "Comparison/Sort Order").
func sortsBeforeDates(v policy.Value) bool {
	return isOf(v, policy.MinKey, policy.Undefined, policy.Null, policy.Int32, policy.Int64, policy.Double, policy.Decimal,
		policy.String, policy.Symbol, policy.Object, policy.List, policy.Binary, policy.ObjectID, policy.Bool)
}
