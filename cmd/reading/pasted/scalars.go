package pasted

import (
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Integer returns n as a shell sends it: as an int32 if it fits, else as an int64.
func Integer(n int64) policy.Value {
	if n == int64(int32(n)) {
		return policy.Int32Value(int32(n))
	}
	return policy.Int64Value(n)
}

// ParseRelease reads a release of MongoDB, such as "8.0.4". It is an error if no
// profile describes it.
func ParseRelease(text string) (mongo.Version, error) {
	v, err := mongo.ParseVersion(text)
	if err == nil {
		_, err = mongo.ProfileOf(v)
	}
	return v, err
}

// ParseInstant reads an instant in one of these forms: a date, a date and a time with its
// zone, @ and seconds since 1970, or milliseconds such as 1795176000000ms, which is the
// text of a [policy.Instant] beyond the year 9999. It also accepts the given layouts of
// package time.
func ParseInstant(text string, layouts ...string) (policy.Instant, bool) {
	if seconds, ok := strings.CutPrefix(text, "@"); ok {
		n, err := strconv.ParseInt(seconds, 10, 64)
		at, ok := valuefunc.InstantOfUnix(n)
		return at, ok && err == nil
	}
	if ms, ok := strings.CutSuffix(text, "ms"); ok {
		n, err := strconv.ParseInt(ms, 10, 64)
		return policy.Instant(n), err == nil
	}
	for _, layout := range append([]string{time.RFC3339, time.DateOnly}, layouts...) {
		if t, err := time.Parse(layout, text); err == nil {
			return policy.InstantOf(t), true
		}
	}
	return 0, false
}
