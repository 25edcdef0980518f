package mutants

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// arrays holds misreadings of arrays of dates.
var arrays = map[string]misreading{
	"array-latest":        walker{choose: bestDate(func(a, b policy.Instant) bool { return a > b })}.walks(anyIndex),
	"array-first-date":    walker{choose: func(keys []policy.Value) []policy.Value { return firstOf(datesOf(keys)) }}.walks(anyIndex),
	"array-last-date":     walker{choose: func(keys []policy.Value) []policy.Value { return lastOf(datesOf(keys)) }}.walks(anyIndex),
	"array-first-element": walker{choose: firstOf}.walks(anyIndex),
	"array-ignored":       walker{noArrays: true}.walks(anyIndex),
	"array-mixed-never": walker{choose: func(keys []policy.Value) []policy.Value {
		if len(datesOf(keys)) < len(keys) {
			return nil
		}
		return keys
	}}.walks(anyIndex),
	"array-smallest-element": walker{choose: func(keys []policy.Value) []policy.Value {
		if slices.ContainsFunc(keys, sortsBeforeDates) {
			return nil
		}
		return keys
	}}.walks(anyIndex),
	"array-earliest-without-sign": walker{choose: bestDate(func(a, b policy.Instant) bool { return uint64(a) < uint64(b) })}.walks(anyIndex),
	"array-one-date-only": walker{choose: func(keys []policy.Value) []policy.Value {
		if len(keys) > 1 {
			return nil
		}
		return keys
	}}.walks(anyIndex),
	"array-on-the-way-ignored": walker{noArraysOnTheWay: true}.walks(anyIndex),
	"array-on-the-way-first":   walker{firstOnTheWay: true}.walks(anyIndex),
	"array-empty-has-expired": stores(func(v policy.Value) policy.Value {
		if v.Kind() == policy.List && len(policy.AOf(v)) == 0 {
			return policy.DateValue(policy.MinInstant)
		}
		return v
	}),
	"array-nested-expands": walker{arraysInArraysExpand: true}.walks(anyIndex),
	"array-nested-entered": walker{arraysInArraysEnter: true}.walks(anyIndex),
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
