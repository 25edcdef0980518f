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
