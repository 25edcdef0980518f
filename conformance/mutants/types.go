package mutants

import (
	"strconv"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// types holds misreadings of what is a date and what is none.
var types = map[string]misreading{
	"missing-is-1970": walker{choose: replace(func(v policy.Value) bool { return v.IsMissing() }, policy.DateValue(0))}.walks(anyIndex),
	"missing-counts-from-id": asks(decide, func(q query) query {
		id, ok := objectIDTime(q.get("document", "_id"))
		for _, x := range policy.AOf(q.get("indexes")) {
			if name, _, _ := keyOf(x); ok && q.get("document", name).IsMissing() {
				q = q.with(policy.DateValue(id), "document", name)
			}
		}
		return q
	}),
	"missing-found-inside": asks(decide, func(q query) query {
		for _, x := range policy.AOf(q.get("indexes")) {
			name, _, _ := keyOf(x)
			for _, e := range policy.DOf(q.get("document")) {
				if v := e.Value.Field(name); q.get("document", name).IsMissing() && v.Kind() == policy.Date {
					q = q.with(v, "document", name)
				}
			}
		}
		return q
	}),
	"null-is-1970": walker{choose: replace(func(v policy.Value) bool { return v.Kind() == policy.Null }, policy.DateValue(0))}.walks(anyIndex),
	"int64-is-a-date": takes(func(v policy.Value) (policy.Instant, bool) {
		n, ok := v.AsInt64()
		return policy.Instant(n), ok && v.Kind() == policy.Int64
	}),
	"int32-is-a-date": takes(func(v policy.Value) (policy.Instant, bool) {
		n, ok := v.AsInt64()
		return policy.Instant(n) * 1000, ok && v.Kind() == policy.Int32
	}),
	"numbers-in-place-of-dates": stores(func(v policy.Value) policy.Value {
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
	}),
	"double-is-a-date": takes(func(v policy.Value) (policy.Instant, bool) {
		f, ok := v.AsDouble()
		return policy.Instant(f), ok && f == f
	}),
	"decimal-is-a-date": takes(func(v policy.Value) (policy.Instant, bool) {
		return policy.Instant(asFloat(v)), v.Kind() == policy.Decimal
	}),
	"nan-is-a-date":      takes(func(v policy.Value) (policy.Instant, bool) { return 0, v.Kind().IsNumber() && v.IsNaN() }),
	"string-is-a-date":   takes(textTime),
	"objectid-is-a-date": takes(objectIDTime),
	"timestamp-is-a-date": takes(func(v policy.Value) (policy.Instant, bool) {
		s, _, ok := v.AsTimestamp()
		return policy.Instant(s) * 1000, ok
	}),
	"bool-is-a-date":      takes(func(v policy.Value) (policy.Instant, bool) { _, ok := v.AsBool(); return 1, ok }),
	"minkey-is-a-date":    takes(func(v policy.Value) (policy.Instant, bool) { return policy.MinInstant, v.Kind() == policy.MinKey }),
	"types-sort-together": takes(func(v policy.Value) (policy.Instant, bool) { return policy.MinInstant, sortsBeforeDates(v) }),
	"uuid-is-a-date": takes(func(v policy.Value) (policy.Instant, bool) {
		_, data, ok := v.AsBinary()
		var ms uint64
		for _, b := range data[:min(6, len(data))] {
			ms = ms<<8 | uint64(b)
		}
		return policy.Instant(ms), ok
	}),
	"document-holds-dates": walker{lookInside: true}.walks(anyIndex),
	"code-is-a-date":       takes(func(v policy.Value) (policy.Instant, bool) { return 0, isOf(v, policy.Code, policy.Symbol) }),
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
