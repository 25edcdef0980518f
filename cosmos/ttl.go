package cosmos

import (
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A TTL is what a container's defaultTtl or an item's ttl holds, sorted into
// the kinds that the rules tell apart. It fits two registers and compares with
// ==. The zero TTL is an absent property.
type TTL struct {
	class   ttlClass
	seconds int32 // of ttlSeconds only
}

// A ttlClass is a column of the precedence matrix.
type ttlClass uint8

const (
	ttlAbsent  ttlClass = iota
	ttlNever            // -1
	ttlSeconds          // 1 to 2147483647
	ttlRefused          // null, or a whole number that the service refuses
	ttlOther            // neither an integer nor null; 20.0 is no integer
	ttlIgnored          // API for MongoDB: stored, but not a meaningful value
	ttlClasses
)

// maxTTL is the longest time to live, in seconds.
const maxTTL = math.MaxInt32

// TTLOf returns the TTL that the value of a property stands for. A
// [policy.Missing] value is an absent property; a null is not.
func TTLOf(v policy.Value) TTL {
	n, isInteger := v.AsInt64()
	return ttlOf(n, isInteger, v.Kind())
}

// ttlOf is TTLOf by parts of the value, which is large to pass on.
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

// TTLSeconds returns the TTL of a property that holds the integer n: -1 is
// "never", 1 to 2147483647 are seconds, and every other number, 0 included, is
// one that the service refuses.
func TTLSeconds(n int64) TTL {
	valid, never := bit(uint64(n-1) < maxTTL), bit(n == -1)
	return TTL{
		class:   wholeClasses[(valid|never<<1)&3],
		seconds: int32(n) & -int32(valid),
	}
}

// wholeClasses are the classes of whole numbers: 1 for valid seconds, 2 for -1.
// As items differ, looking up is faster than asking; see precedence.
var wholeClasses = [4]ttlClass{0: ttlRefused, 1: ttlSeconds, 2: ttlNever}

// Seconds returns the time to live of 1 to 2147483647 seconds that t is. It
// reports false if t is absent, -1 or not valid.
func (t TTL) Seconds() (policy.Seconds, bool) {
	return policy.Seconds(t.seconds), t.class == ttlSeconds
}

// IsAbsent reports whether the property is absent.
func (t TTL) IsAbsent() bool { return t.class == ttlAbsent }

// IsNever reports whether t is -1.
func (t TTL) IsNever() bool { return t.class == ttlNever }

// String returns "absent", "-1", the seconds, or "invalid".
func (t TTL) String() string {
	switch t.class {
	case ttlAbsent:
		return "absent"
	case ttlNever:
		return "-1"
	case ttlSeconds:
		return strconv.Itoa(int(t.seconds))
	}
	return "invalid"
}

// An Item is what decides about an item, for callers that store it apart. The
// zero Item has neither ttl nor _ts, and so never expires. Items compare with ==.
type Item struct {
	TTL TTL       // ttl
	TS  Timestamp // _ts, the last write, or the value at a container's ttlPropertyPath
}

// isValid reports whether the service accepts t: -1, or 1 to 2147483647.
func (t TTL) isValid() bool { return t.class == ttlNever || t.class == ttlSeconds }
