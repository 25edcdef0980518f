package cosmos

import (
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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
