package policytext

import (
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ParseInstant reads an instant: a date, a date and a time with its zone, @ and
// seconds since 1970, or milliseconds such as 1795176000000ms, as an
// [policy.Instant] beyond the year 9999 is written; or a time in one of some
// other layouts of package time.
func ParseInstant(text string, layouts ...string) (policy.Instant, bool) {
	if seconds, ok := strings.CutPrefix(text, "@"); ok {
		n, err := strconv.ParseInt(seconds, 10, 64)
		at, ok := policy.InstantOfUnix(n)
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
