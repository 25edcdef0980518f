package timeline

import (
	"strconv"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A tick is a labelled place on the axis.
type tick struct {
	at    policy.Instant
	label string
}

// Milliseconds of the units that have a fixed length.
const (
	second = 1000
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// fixed are the steps of constant length between ticks.
var fixed = []uint64{
	1, 2, 5, 10, 20, 50, 100, 200, 500, second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
	minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
	hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day,
}

// ticks returns at most n+1 round instants of a scale, in UTC.
func (s Scale) ticks(n int) []tick {
	wide := gap(s.Last, s.First)
	for _, step := range fixed {
		if wide/step <= uint64(n) {
			return s.everyFixed(int64(step))
		}
	}
	for months := int64(1); ; months = longer(months) {
		if wide/uint64(months*28*day) <= uint64(n) {
			return s.everyMonths(months)
		}
	}
}

// longer returns the next round number of months: 1, 3, 6, 12, then 2, 5 and
// 10 years, and so on.
func longer(months int64) int64 {
	switch {
	case months == 1:
		return 3
	case months < 12:
		return 2 * months
	}
	years, scale := months/12, int64(1)
	for ; years >= 10; years /= 10 {
		scale *= 10
	}
	return 12 * scale * map[int64]int64{1: 2, 2: 5, 5: 10}[years]
}

func (s Scale) everyFixed(step int64) (list []tick) {
	at := int64(s.First) / step * step
	for ; at <= int64(s.Last); at += step {
		if at >= int64(s.First) {
			list = append(list, tick{policy.Instant(at), label(time.UnixMilli(at).UTC(), step)})
		}
		if at > int64(s.Last)-step { // the next would overflow at the end of the range
			break
		}
	}
	return list
}

// everyMonths returns the starts of months at a step, counted from the year 0.
func (s Scale) everyMonths(step int64) (list []tick) {
	first := s.First.Time()
	month := int64(first.Year())*12 + int64(first.Month()) - 1
	month -= month % step // instants before the first are skipped
	for ; ; month += step {
		begin := time.Date(int(month/12), time.Month(month%12+1), 1, 0, 0, 0, 0, time.UTC)
		at := policy.InstantOf(begin)
		if at > s.Last || at == policy.MaxInstant {
			return list
		}
		if at >= s.First && at != policy.MinInstant {
			list = append(list, tick{at, label(begin, step*28*day)})
		}
	}
}

// label writes a tick as briefly as its step allows. The first tick of a day
// includes the date.
func label(t time.Time, step int64) string {
	switch {
	case step >= 12*28*day:
		return strconv.Itoa(t.Year())
	case step >= 28*day && t.Month() == time.January:
		return strconv.Itoa(t.Year())
	case step >= 28*day:
		return t.Format("Jan")
	case step >= day, t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0:
		return t.Format("2 Jan")
	case step >= minute:
		return t.Format("15:04")
	case step >= second:
		return t.Format("15:04:05")
	}
	return t.Format("05.000")
}

// A Scale maps the instants from First to Last onto a line. Earlier and later instants
// are at the ends of the line.
type Scale struct{ First, Last policy.Instant }

// Column returns the column of an instant in a row of n columns: 0 to n-1.
func (s Scale) Column(at policy.Instant, n int) int {
	part, whole := s.part(at)
	return int(part * float64(n-1) / whole)
}

// X returns the place of an instant between two coordinates.
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

// Minimum lengths of a scale. minWide gives room to short times to live, and nowWide is
// for a scale on which now is the only mark.
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
		if deadline, ok := lane.Decision.Deadline(); ok {
			s = s.with(deadline)
		}
	}
	wide := max(gap(s.Last, s.First), minWide)
	if s.First == s.Last {
		wide = nowWide
	}
	return Scale{before(s.First, wide/16), after(s.Last, wide/8)}
}

func (s Scale) with(at policy.Instant) Scale { return Scale{min(s.First, at), max(s.Last, at)} }

// before and after step back and forth by ms and stop at the ends of the range.
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
