package mutants

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// arrays holds misreadings of arrays of dates.
var arrays = map[string]misreading{
	"array-latest":                walker{choose: latestDate}.walks(anyIndex),
	"array-first-date":            walker{choose: func(keys []policy.Value) []policy.Value { return firstOf(datesOf(keys)) }}.walks(anyIndex),
	"array-last-date":             walker{choose: func(keys []policy.Value) []policy.Value { return lastOf(datesOf(keys)) }}.walks(anyIndex),
	"array-first-element":         walker{choose: firstOf}.walks(anyIndex),
	"array-ignored":               walker{noArrays: true}.walks(anyIndex),
	"array-mixed-never":           walker{choose: noneIf(func(keys []policy.Value) bool { return len(datesOf(keys)) < len(keys) })}.walks(anyIndex),
	"array-smallest-element":      walker{choose: noneIf(func(keys []policy.Value) bool { return slices.ContainsFunc(keys, sortsBeforeDates) })}.walks(anyIndex),
	"array-earliest-without-sign": walker{choose: bestDate(func(a, b policy.Instant) bool { return uint64(a) < uint64(b) })}.walks(anyIndex),
	"array-one-date-only":         walker{choose: noneIf(func(keys []policy.Value) bool { return len(keys) > 1 })}.walks(anyIndex),
	"array-on-the-way-ignored":    walker{noArraysOnTheWay: true}.walks(anyIndex),
	"array-on-the-way-first":      walker{firstOnTheWay: true}.walks(anyIndex),
	"array-empty-has-expired":     stores(turns(isEmptyList, policy.DateValue(policy.MinInstant))),
	"array-nested-expands":        walker{arraysInArraysExpand: true}.walks(anyIndex),
	"array-nested-entered":        walker{arraysInArraysEnter: true}.walks(anyIndex),
}

// datesOf returns those keys that are dates.
func datesOf(keys []policy.Value) []policy.Value {
	return slices.DeleteFunc(slices.Clone(keys), func(v policy.Value) bool { return v.Kind() != policy.Date })
}

func firstOf(keys []policy.Value) []policy.Value { return keys[:min(1, len(keys))] }
func lastOf(keys []policy.Value) []policy.Value  { return keys[max(0, len(keys)-1):] }

// noneIf chooses all keys, or none if they are such.
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

// sortsBeforeDates tells whether MongoDB's order of types has a value before
// all dates (MongoDB manual, "Comparison/Sort Order").
var sortsBeforeDates = ofType(policy.MinKey, policy.Undefined, policy.Null, policy.Int32, policy.Int64, policy.Double, policy.Decimal,
	policy.String, policy.Symbol, policy.Object, policy.List, policy.Binary, policy.ObjectID, policy.Bool)
