package reasons

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Sentence says in plain words what becomes of the document, and why.
func (e Explanation) Sentence() string {
	switch e.Decision.State {
	case policy.Expired:
		return fmt.Sprintf("Expired since %s (%s): %s. %s", e.Decision.Deadline(), Distance(e.Decision.Deadline(), e.Now), e.because(), e.expired())
	case policy.Pending:
		return fmt.Sprintf("Expires at %s (%s): %s.", e.Decision.Deadline(), Distance(e.Decision.Deadline(), e.Now), e.because())
	}
	if e.Decision.Rule == nil {
		return "Never expires."
	}
	return "Never expires. " + e.Decision.Rule.Statement
}

// because says what the deadline counts from.
func (e Explanation) because() string {
	since := e.since()
	if e.Source.ZeroBy != "" {
		what := "NaN"
		if e.Source.NotNumber {
			what = "no number"
		}
		since += fmt.Sprintf("; expireAfterSeconds is %s, which MongoDB %s reads as 0 (%s)", what, e.Policy.Release, e.Source.ZeroBy)
	}
	if e.broken {
		since += fmt.Sprintf("; the filter takes it in since 9.0 only, by null where an array breaks the path off (%s)", nullPath)
	}
	return since
}

func (e Explanation) since() string {
	start, ok := e.Start()
	if !ok {
		return e.Source.Name + " says " + e.Source.About
	}
	since := fmt.Sprintf("%s after %s, which is %s", apart(e.Decision.Deadline(), start), e.Source.Field, start)
	if len(e.Dates) > 1 {
		since += fmt.Sprintf(", the earliest of %d dates", len(e.Dates))
	}
	return since
}

// apart is the time between two instants in words.
func apart(later, earlier policy.Instant) string {
	if later == earlier {
		return "0 s"
	}
	return Span(later, earlier)
}

// expired says what that means for who reads.
func (e Explanation) expired() string {
	if e.Policy.System == MongoDB {
		return "Reads still find it until a sweep, by default every 60 s, has removed it."
	}
	return "No read finds it any more; it is purged later."
}

// Distance says how far at is from now: "in 3 d 4 h", "3 d 4 h ago" or "now".
func Distance(at, now policy.Instant) string {
	switch {
	case at > now:
		return "in " + Span(at, now)
	case at < now:
		return Span(now, at) + " ago"
	}
	return "now"
}

// Span returns the time from earlier to later in its two largest units.
func Span(later, earlier policy.Instant) string {
	ms := uint64(later) - uint64(earlier) // two int64 may lie 2^64-1 apart
	for i, u := range spanUnits {
		if ms < u.ms {
			continue
		}
		text := fmt.Sprintf("%d %s", ms/u.ms, u.name)
		if i+1 < len(spanUnits) && ms%u.ms >= spanUnits[i+1].ms {
			next := spanUnits[i+1]
			text += fmt.Sprintf(" %d %s", ms%u.ms/next.ms, next.name)
		}
		return text
	}
	return "0 ms"
}

var spanUnits = []struct {
	name string
	ms   uint64
}{{"d", 86_400_000}, {"h", 3_600_000}, {"min", 60_000}, {"s", 1000}, {"ms", 1}}
