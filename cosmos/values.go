package cosmos

import (
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A TTL is the value of a container's defaultTtl or an item's ttl, reduced to
// what the rules distinguish. TTLs compare with ==. The zero TTL is an absent
// property.
type TTL struct {
	class   ttlClass
	seconds int32 // of ttlSeconds only
}

// A ttlClass is a column of the precedence matrix.
type ttlClass uint8

const (
	ttlAbsent   ttlClass = iota
	ttlNever             // -1
	ttlSeconds           // 1 to 2147483647
	ttlRefused           // null, or a whole number that the service refuses
	ttlOther             // neither an integer nor null; 20.0 is no integer
	ttlIgnored           // API for MongoDB: stored, but not a meaningful value
	ttlRepeated          // a container's default that is unknown, because a setting occurs twice
	ttlClasses
)

// maxTTL is the longest time to live, in seconds.
const maxTTL = math.MaxInt32

// TTLOf returns the TTL that the value of a property represents. A [policy.Missing] value
// is an absent property; a null is not.
func TTLOf(v policy.Value) TTL {
	n, isInteger := v.AsInt64()
	return ttlOf(n, isInteger, v.Kind())
}

// ttlOf is TTLOf for the parts of a Value, because a Value is large to pass.
func ttlOf(n int64, isInteger bool, kind policy.Kind) TTL {
	switch {
	case isInteger:
		return TTLSeconds(n)
	case kind == policy.Missing:
		return TTL{}
	case kind == policy.Null:
		return TTL{class: ttlRefused}
	}
	return TTL{class: ttlOther}
}

// wholeInt32 is the coercion of the API for MongoDB. It accepts an int32, and an int64 or
// a double that is a whole number in the range of an int32, and nothing else.
func wholeInt32(v policy.Value) (int32, bool) {
	if f, ok := v.AsDouble(); ok {
		n := int32(max(min(f, math.MaxInt32), math.MinInt32)) // a NaN differs from every n
		return n, float64(n) == f
	}
	n, ok := v.AsInt64()
	return int32(n), ok && n == int64(int32(n))
}

// coerce returns the TTL of a document's ttl in the API for MongoDB.
func coerce(v policy.Value) TTL {
	if v.IsMissing() {
		return TTL{}
	}
	n, ok := wholeInt32(v)
	if !ok {
		return TTL{class: ttlIgnored}
	}
	return TTLSeconds(int64(n))
}

// TTLSeconds returns the TTL of a property that holds the integer n: -1 is
// never, 1 to 2147483647 are seconds, and the service refuses every other number,
// 0 included.
func TTLSeconds(n int64) TTL {
	valid, never := bit(uint64(n-1) < maxTTL), bit(n == -1)
	return TTL{
		class:   wholeClasses[(valid|never<<1)&3],
		seconds: int32(n) & -int32(valid),
	}
}

// wholeClasses are the classes of whole numbers: 1 for valid seconds, 2 for -1.
// A lookup is faster than branches; see precedence.
var wholeClasses = [4]ttlClass{0: ttlRefused, 1: ttlSeconds, 2: ttlNever}

// bit returns 1 for true and 0 for false. The compiler makes no branch for a call of bit.
func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// Seconds returns t as a time to live of 1 to 2147483647 seconds. It reports
// false if t is absent, -1 or not valid.
func (t TTL) Seconds() (int32, bool) {
	return int32(t.seconds), t.class == ttlSeconds
}

func (t TTL) isAbsent() bool { return t.class == ttlAbsent }
func (t TTL) isNever() bool  { return t.class == ttlNever }

// isValid reports whether the service accepts t: -1, or 1 to 2147483647.
func (t TTL) isValid() bool { return t.class == ttlNever || t.class == ttlSeconds }

// A Timestamp is the second from which an item's time to live counts: _ts, the
// second of its last write, or the value at a container's ttlPropertyPath. An
// item with an absent Timestamp has no deadline; the zero Timestamp is absent.
// Timestamps compare with ==.
type Timestamp struct {
	// biased is the sum of the seconds since 1970 and bias, so that the zero value is
	// outside the range in which deadlines are possible.
	biased uint64
}

const bias = 1 << 63

// TimestampSeconds returns the Timestamp of n seconds since 1970, 0 included. The
// smallest int64 becomes the next larger number; both are outside the range of instants.
func TimestampSeconds(n int64) Timestamp {
	return Timestamp{uint64(max(n, math.MinInt64+1)) + bias}
}

// timestampOf returns the Timestamp of n seconds, or the absent Timestamp if ok is false.
func timestampOf(n int64, ok bool) Timestamp {
	if !ok {
		return Timestamp{}
	}
	return TimestampSeconds(n)
}

// TimestampAt returns the Timestamp of a write at an instant: the second that it falls
// into. How the service rounds is unspecified, so its _ts may be a second later. A write
// that changes an item sets _ts, and so restarts the clock; reads do not
// (https://learn.microsoft.com/azure/cosmos-db/time-to-live).
func TimestampAt(at policy.Instant) Timestamp {
	n := int64(at) / 1000
	if int64(at)%1000 < 0 {
		n--
	}
	return TimestampSeconds(n)
}

// unix returns the seconds since 1970, the smallest int64 if t is absent.
func (t Timestamp) unix() int64 { return int64(t.biased - bias) }

// isAbsent reports whether t is absent.
func (t Timestamp) isAbsent() bool { return t == Timestamp{} }

// Seconds returns the seconds since 1970. It reports false if t is absent.
func (t Timestamp) Seconds() (int64, bool) {
	if t.isAbsent() {
		return 0, false
	}
	return t.unix(), true
}

// An Item holds the two properties that decide about an item. For an item that is
// written at an instant, set TS to [TimestampAt] of that instant. The zero Item
// has neither ttl nor _ts, and so never expires. Items compare with ==. Their JSON holds texts, and is
// no item of the service.
type Item struct {
	TTL TTL       `json:"ttl"`
	TS  Timestamp `json:"_ts"` // the last write, or the value at a container's ttlPropertyPath
}

// isRepeated reports whether several fields of doc have this name. It is false
// for a document that cannot list its fields.
func isRepeated(doc policy.Value, name string) bool {
	n := 0
	f := doc.Fields()
	for n < 2 && f.Next() {
		if valuefunc.F.CompareName(&f, name) == 0 {
			n++
		}
	}
	return n > 1
}

// isRepeatedAlong reports whether one of the fields that the names lead to, through
// embedded documents, occurs several times.
func isRepeatedAlong(doc policy.Value, names []string) bool {
	for _, name := range names {
		if isRepeated(doc, name) {
			return true
		}
		doc = doc.Field(name)
	}
	return false
}

// Stamp appends item, a raw JSON object, to dst with the _ts of a write at an instant: the
// second of [TimestampAt]. It replaces a _ts that the client sent, as the service does, and
// adds one at the end otherwise. It copies every other byte, except space around the object.
// A store calls Stamp at each write, and afterwards [ValidateItem]. dst and item must not
// overlap.
//
// With an error, Stamp returns dst unchanged. The error is a [*policy.SyntaxError] if item is
// not one JSON object. It is a [*SpecError] with the field _ts, and wraps
// [policy.ErrUnspecified], if item has that member twice. Stored as it is, such an item never
// expires.
func Stamp(dst, item []byte, at policy.Instant) ([]byte, error) {
	picks := [1]jsontext.Pick{{Name: "_ts"}}
	object, ok := jsontext.Check(item, picks[:])
	if !ok {
		_, err := policy.ParseJSON(item)
		return dst, err
	}
	second, _ := TimestampAt(at).Seconds()
	switch old := picks[0].Text(); picks[0].Count {
	case 0:
		dst = append(dst, object[:len(object)-1]...)
		if !isEmpty(object) {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, `"_ts":`...), second, 10)
		return append(dst, '}'), nil
	case 1:
		start := cap(object) - cap(old) // old lies within object
		dst = strconv.AppendInt(append(dst, object[:start]...), second, 10)
		return append(dst, object[start+len(old):]...), nil
	}
	return dst, unspecified(ruleDuplicateUnspecified, "_ts")
}

// isEmpty reports whether a checked object has no members.
func isEmpty(object []byte) bool {
	for _, c := range object[1 : len(object)-1] {
		if c > ' ' {
			return false
		}
	}
	return true
}
