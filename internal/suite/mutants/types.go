package mutants

import (
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// types holds misreadings of what is a date and what is not.
var types = map[string]misreading{
	"missing-is-1970": walker{choose: replace(policy.Value.IsMissing, policy.DateValue(0))}.walks(anyIndex),
	"missing-counts-from-id": asks(decide, func(q query) query {
		id, ok := objectIDTime(q.get("document", "_id"))
		for _, x := range policy.AOf(q.get("indexes")) {
			if ok {
				q = q.change(turns(policy.Value.IsMissing, policy.DateValue(id)), "document", pathOf(x))
			}
		}
		return q
	}),
	"missing-found-inside": asks(decide, func(q query) query {
		for _, x := range policy.AOf(q.get("indexes")) {
			name := pathOf(x)
			for _, e := range policy.DOf(q.get("document")) {
				if v := e.Value.Field(name); q.get("document", name).IsMissing() && v.Kind() == policy.Date {
					q = q.with(v, "document", name)
				}
			}
		}
		return q
	}),
	"null-is-1970":    walker{choose: replace(isNull, policy.DateValue(0))}.walks(anyIndex),
	"int64-is-a-date": takes(integerTime(1, policy.Int64)),
	"int32-is-a-date": takes(integerTime(1000, policy.Int32)),
	"numbers-in-place-of-dates": stores(func(v policy.Value) policy.Value {
		texts := given(ofType(policy.Date), func(v policy.Value) policy.Value { i, _ := v.AsDate(); return policy.StringValue(i.String()) })
		return leaves(dateBy(integerTime(1)))(leaves(texts)(v))
	}),
	"double-is-a-date": takes(func(v policy.Value) (policy.Instant, bool) {
		f, ok := v.AsDouble()
		return policy.Instant(f), ok && f == f
	}),
	"decimal-is-a-date": takes(func(v policy.Value) (policy.Instant, bool) {
		return policy.Instant(number(v)), v.Kind() == policy.Decimal
	}),
	"nan-is-a-date":               takes(fixedTime(0, policy.Value.IsNaN)),
	"string-is-a-date":            takes(textTime),
	"objectid-is-a-date":          takes(objectIDTime),
	"timestamp-is-a-date":         takes(timestampTime),
	"timestamp-never-sorts":       keeps(decide, every(until("3.0.0"), where(ofType(policy.Timestamp), "document", "t"))),
	"timestamp-of-old-in-seconds": only(decide, until("3.0.0"), takes(timestampTime)),
	"bool-is-a-date":              takes(fixedTime(1, ofType(policy.Bool))),
	"minkey-is-a-date":            takes(fixedTime(policy.MinInstant, ofType(policy.MinKey))),
	"types-sort-together":         takes(fixedTime(policy.MinInstant, sortsBeforeDates)),
	"uuid-is-a-date":              takes(uuidTime),
	"document-holds-dates":        walker{lookInside: true}.walks(anyIndex),
	"code-is-a-date":              takes(fixedTime(0, ofType(policy.Code, policy.Symbol))),
}

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
