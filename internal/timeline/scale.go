package timeline

import "github.com/ttlpolicy/ttlpolicy/policy"

// A Scale maps the instants from First to Last onto a line. Instants outside
// lie on its ends.
type Scale struct{ First, Last policy.Instant }

// Column returns where an instant lies in a row of n columns: 0 to n-1.
func (s Scale) Column(at policy.Instant, n int) int {
	part, whole := s.part(at)
	return int(part * float64(n-1) / whole)
}

// X returns where an instant lies between two coordinates.
func (s Scale) X(at policy.Instant, left, right float64) float64 {
	part, whole := s.part(at)
	return left + (right-left)*(part/whole)
}

// part returns the distance of an instant from First, and the length of the
// scale, which is never 0.
func (s Scale) part(at policy.Instant) (part, whole float64) {
	at = min(max(at, s.First), s.Last)
	return float64(gap(at, s.First)), max(float64(gap(s.Last, s.First)), 1)
}

// The shortest scales: a picture of short lives needs some room, and one of now
// alone may as well show an hour.
const (
	minWide = 4 * second
	nowWide = hour
)

// scaleFor returns a scale that shows all marks, with room at its ends.
func scaleFor(t Timeline) Scale {
	s := Scale{t.Now, t.Now}
	if t.State != policy.Never {
		s = s.with(t.Deadline)
	}
	for _, lane := range t.Lanes {
		for _, at := range lane.Dates[:min(len(lane.Dates), shown)] {
			s = s.with(at)
		}
		if lane.Decision.State != policy.Never {
			s = s.with(lane.Decision.Deadline())
		}
	}
	wide := max(gap(s.Last, s.First), minWide)
	if s.First == s.Last {
		wide = nowWide
	}
	return Scale{before(s.First, wide/16), after(s.Last, wide/8)}
}

func (s Scale) with(at policy.Instant) Scale { return Scale{min(s.First, at), max(s.Last, at)} }

// before and after step back and forth by ms and stop at the ends of time.
func before(at policy.Instant, ms uint64) policy.Instant {
	if gap(at, policy.MinInstant) < ms {
		return policy.MinInstant
	}
	return at - policy.Instant(ms)
}

func after(at policy.Instant, ms uint64) policy.Instant {
	if gap(policy.MaxInstant, at) < ms {
		return policy.MaxInstant
	}
	return at + policy.Instant(ms)
}

// gap returns the milliseconds between two instants, which may be 2^64-1.
func gap(later, earlier policy.Instant) uint64 { return uint64(later) - uint64(earlier) }
