package forecast

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Width is the width of a histogram's buckets: a fixed time, or a number of calendar
// months in UTC. Buckets are counted from 1970-01-01, weeks from the Monday before it,
// and spans of years from the year 0. The zero Width is not valid.
type Width struct {
	ms     int64 // a fixed width in milliseconds; 0 for months
	shift  int64 // the time from the start of bucket 0 to 1970-01-01, in milliseconds
	months int64
}

const (
	second = 1000
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
	week   = 7 * day
)

// units are the units of a width, a longer unit before a shorter one that begins with the
// same letter: "mo" is a month, "m" a minute.
var units = []struct {
	name  string
	width Width
}{
	{"mo", Width{months: 1}}, {"y", Width{months: 12}},
	{"s", Width{ms: second}}, {"m", Width{ms: minute}}, {"h", Width{ms: hour}}, {"d", Width{ms: day}},
	{"w", Width{ms: week, shift: 3 * day}},
}

// ParseWidth reads a width such as "30s", "15m", "6h", "1d", "2w", "1mo" or
// "1y".
func ParseWidth(s string) (Width, error) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(s, u.name)
		if n, err := strconv.ParseInt(digits, 10, 32); ok && err == nil && n > 0 && n <= 10000 {
			return u.width.times(n), nil
		}
	}
	return Width{}, fmt.Errorf("%q is not a bucket width; write 1 to 10000 with a unit: 30s, 15m, 6h, 1d, 2w, 1mo, 1y", s)
}

func (w Width) times(n int64) Width {
	return Width{ms: w.ms * n, shift: w.shift, months: w.months * n}
}

// String returns w in the form that [ParseWidth] reads, and "" for the zero
// Width.
func (w Width) String() string {
	switch {
	case w.months > 0 && w.months%12 == 0:
		return fmt.Sprintf("%dy", w.months/12)
	case w.months > 0:
		return fmt.Sprintf("%dmo", w.months)
	case w.shift > 0:
		return fmt.Sprintf("%dw", w.ms/week)
	}
	name, size := "", int64(0)
	for _, u := range units {
		if u.width.months == 0 && u.width.shift == 0 && w.ms >= u.width.ms && w.ms%u.width.ms == 0 && u.width.ms > size {
			name, size = u.name, u.width.ms
		}
	}
	if size == 0 {
		return ""
	}
	return fmt.Sprintf("%d%s", w.ms/size, name)
}

// IsZero reports whether w is the zero Width.
func (w Width) IsZero() bool { return w == Width{} }

// Days reports whether w's buckets begin at midnight, UTC.
func (w Width) Days() bool { return w.months > 0 || w.ms%day == 0 }

// Months returns the number of calendar months in w; 0 for a fixed time.
func (w Width) Months() int64 { return w.months }

// index returns the number of the bucket that contains i.
func (w Width) index(i policy.Instant) int64 {
	if w.months > 0 {
		t := i.Time()
		return floorDiv(int64(t.Year())*12+int64(t.Month())-1, w.months)
	}
	n := floorDiv(int64(i), w.ms)
	if w.shift > 0 && int64(i)-n*w.ms >= w.ms-w.shift%w.ms { // adding the shift to i could overflow
		n++
	}
	return n + w.shift/w.ms
}

// start returns the first instant of bucket n, within the range of an Instant.
func (w Width) start(n int64) policy.Instant {
	switch {
	case w.months == 0 && int64(int32(n)) == n && int64(int32(w.ms)) == w.ms: // nearly always true, and then nothing overflows
		return policy.Instant(n*w.ms - w.shift)
	case w.months == 0:
		return saturated(float64(n)*float64(w.ms)-float64(w.shift), n*w.ms-w.shift)
	}
	month := n * w.months
	year := floorDiv(month, 12)
	t := time.Date(int(year), time.Month(month-year*12+1), 1, 0, 0, 0, 0, time.UTC)
	return policy.InstantOf(t)
}

// saturated returns exact, or MinInstant or MaxInstant if rough shows that exact has
// overflowed.
func saturated(rough float64, exact int64) policy.Instant {
	switch {
	case rough < 0 && exact > 0:
		return policy.MinInstant
	case rough > 0 && exact < 0:
		return policy.MaxInstant
	}
	return policy.Instant(exact)
}

// covers reports whether every bucket of w consists of whole buckets of fine.
func (w Width) covers(fine Width) bool {
	switch {
	case fine.months > 0:
		return w.months > 0 && w.months%fine.months == 0
	case w.months > 0:
		return day%fine.ms == 0 && fine.shift == 0
	}
	return w.ms%fine.ms == 0 && (w.shift-fine.shift)%fine.ms == 0
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// widths returns the widths with these texts, as [ParseWidth] reads them.
func widths(texts ...string) []Width {
	list := make([]Width, len(texts))
	for i, text := range texts {
		w, err := ParseWidth(text)
		if err != nil {
			panic(err)
		}
		list[i] = w
	}
	return list
}

// years returns the widths of 10^from to 10^to years, each multiplied by each of the
// factors.
func years(from, to int, factors ...int64) []Width {
	var widths []Width
	for n := int64(math.Pow10(from)); n <= int64(math.Pow10(to)); n *= 10 {
		for _, f := range factors {
			widths = append(widths, Width{months: 12 * n * f})
		}
	}
	return widths
}
