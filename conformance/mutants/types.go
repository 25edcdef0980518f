package mutants

import (
	"strconv"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// types holds misreadings of what is a date and what is none.
var types = []entry{
	{"missing-is-1970", "mongo.field-missing", "A missing field reads as the date 0.", "",
		walker{choose: replace(func(v policy.Value) bool { return v.IsMissing() }, policy.DateValue(0))}.walks(anyIndex)},
	{"missing-counts-from-id", "mongo.field-missing", "Without the field the time in an ObjectId as _id counts.", "",
		asks(decide, func(q query) query {
			id, ok := objectIDTime(q.get("document", "_id"))
			for _, x := range policy.AOf(q.get("indexes")) {
				if name, _, _ := keyOf(x); ok && q.get("document", name).IsMissing() {
					q = q.with(policy.DateValue(id), "document", name)
				}
			}
			return q
		})},
	{"missing-found-inside", "mongo.field-missing", "A field is looked for in subdocuments too.", "",
		asks(decide, func(q query) query {
			for _, x := range policy.AOf(q.get("indexes")) {
				name, _, _ := keyOf(x)
				for _, e := range policy.DOf(q.get("document")) {
					if v := e.Value.Field(name); q.get("document", name).IsMissing() && v.Kind() == policy.Date {
						q = q.with(v, "document", name)
					}
				}
			}
			return q
		})},
	{"null-is-1970", "mongo.field-null", "null reads as the date 0.", "",
		walker{choose: replace(func(v policy.Value) bool { return v.Kind() == policy.Null }, policy.DateValue(0))}.walks(anyIndex)},
	{"int64-is-a-date", "mongo.field-not-date", "An int64 is milliseconds since 1970.", "tinycoll 1.3.0, which takes numbers and nothing else",
		takes(func(v policy.Value) (policy.Instant, bool) {
			n, ok := v.AsInt64()
			return policy.Instant(n), ok && v.Kind() == policy.Int64
		})},
	{"int32-is-a-date", "mongo.field-not-date", "An int32 is seconds since 1970.", "ArangoDB's own TTL index, by its documentation",
		takes(func(v policy.Value) (policy.Instant, bool) {
			n, ok := v.AsInt64()
			return policy.Instant(n) * 1000, ok && v.Kind() == policy.Int32
		})},
	{"numbers-in-place-of-dates", "mongo.date", "A date is a number of milliseconds, and a value of type Date is none.", "tinycoll 1.3.0",
		stores(func(v policy.Value) policy.Value {
			return leaves(v, func(v policy.Value) policy.Value {
				i, dated := v.AsDate()
				n, whole := v.AsInt64()
				switch {
				case dated:
					return policy.StringValue(i.String())
				case whole:
					return policy.DateValue(policy.Instant(n))
				}
				return v
			})
		})},
	{"double-is-a-date", "mongo.field-not-date", "A double is milliseconds since 1970.", "tinycoll 1.3.0",
		takes(func(v policy.Value) (policy.Instant, bool) {
			f, ok := v.AsDouble()
			return policy.Instant(f), ok && f == f
		})},
	{"decimal-is-a-date", "mongo.field-not-date", "A Decimal128 is milliseconds since 1970.", "",
		takes(func(v policy.Value) (policy.Instant, bool) {
			return policy.Instant(asFloat(v)), v.Kind() == policy.Decimal
		})},
	{"nan-is-a-date", "mongo.field-not-date", "A number that is none is the date 0.", "",
		takes(func(v policy.Value) (policy.Instant, bool) { return 0, v.Kind().IsNumber() && v.IsNaN() })},
	{"string-is-a-date", "mongo.field-not-date", "A text that is an ISO 8601 date is a date.", "ArangoDB's own TTL index, by its documentation",
		takes(textTime)},
	{"objectid-is-a-date", "mongo.field-not-date", "An ObjectId is the date of its time.", "", takes(objectIDTime)},
	{"timestamp-is-a-date", "mongo.field-not-date", "A replication timestamp is a date.", "",
		takes(func(v policy.Value) (policy.Instant, bool) {
			s, _, ok := v.AsTimestamp()
			return policy.Instant(s) * 1000, ok
		})},
	{"bool-is-a-date", "mongo.field-not-date", "true and false are 1 and 0 milliseconds since 1970.", "",
		takes(func(v policy.Value) (policy.Instant, bool) { _, ok := v.AsBool(); return 1, ok })},
	{"minkey-is-a-date", "mongo.field-not-date", "MinKey is the smallest date.", "",
		takes(func(v policy.Value) (policy.Instant, bool) { return policy.MinInstant, v.Kind() == policy.MinKey })},
	{"types-sort-together", "mongo.field-not-date", "Whatever sorts before the cutoff in the order of all types has expired.", "",
		takes(func(v policy.Value) (policy.Instant, bool) { return policy.MinInstant, sortsBeforeDates(v) })},
	{"uuid-is-a-date", "mongo.field-not-date", "Binary data is the date of its first bytes, as a UUID of version 7 has it.", "",
		takes(func(v policy.Value) (policy.Instant, bool) {
			_, data, ok := v.AsBinary()
			var ms uint64
			for _, b := range data[:min(6, len(data))] {
				ms = ms<<8 | uint64(b)
			}
			return policy.Instant(ms), ok
		})},
	{"document-holds-dates", "mongo.field-not-date", "Dates in a subdocument at the end of the path count.", "",
		walker{lookInside: true}.walks(anyIndex)},
	{"code-is-a-date", "mongo.field-not-date", "JavaScript code and symbols are the date 0, as is what cannot be read.", "",
		takes(func(v policy.Value) (policy.Instant, bool) { return 0, isOf(v, policy.Code, policy.Symbol) })},
}

// replace returns a choice that puts a date in place of some keys.
func replace(such func(policy.Value) bool, by policy.Value) func([]policy.Value) []policy.Value {
	return func(keys []policy.Value) (all []policy.Value) {
		for _, k := range keys {
			if such(k) {
				k = by
			}
			all = append(all, k)
		}
		return all
	}
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

// digits returns the number that a text of digits spells.
func digits(v policy.Value) (int64, bool) {
	s, ok := v.AsString()
	n, err := strconv.ParseInt(s, 10, 64)
	return n, ok && err == nil
}
