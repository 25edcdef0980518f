package policy

import (
	"math"
	"testing"
	"time"
)

func TestInstantOf(t *testing.T) {
	for _, test := range []struct {
		time time.Time
		want Instant
		why  string
	}{
		{time.Unix(0, 0), 0, "the epoch"},
		{time.Unix(0, 999_999), 0, "rounds towards the past"},
		{time.Unix(0, 1_999_999), 1, "rounds towards the past"},
		{time.Unix(0, -1), -1, "rounds towards the past before 1970, too"},
		{time.Unix(-1, 1), -1000, "rounds towards the past before 1970, too"},
		{time.Unix(1<<31, 0), 1 << 31 * 1000, "beyond 2038"},
		{time.Time{}, -62135596800000, "the year 1"},
		{time.UnixMilli(math.MaxInt64), MaxInstant, "the last"},
		{time.UnixMilli(math.MaxInt64 - 1), MaxInstant - 1, "the last but one"},
		{time.UnixMilli(math.MaxInt64).Add(time.Millisecond), MaxInstant, "one too late"},
		{time.UnixMilli(math.MaxInt64).Add(time.Second), MaxInstant, "a second too late"},
		{time.UnixMilli(math.MinInt64), MinInstant, "the first"},
		{time.UnixMilli(math.MinInt64 + 1), MinInstant + 1, "the first but one"},
		{time.UnixMilli(math.MinInt64).Add(-time.Nanosecond), MinInstant, "just too early"},
		{time.UnixMilli(math.MinInt64).Add(-time.Second), MinInstant, "a second too early"},
		{time.Unix(math.MaxInt64/1000*999, 0), MaxInstant, "far too late"},
		{time.Unix(math.MinInt64/1000*999, 0), MinInstant, "far too early"},
	} {
		if got := InstantOf(test.time); got != test.want {
			t.Errorf("InstantOf(%v) = %d, want %d: %s", test.time, got, test.want, test.why)
		}
	}
}

func TestInstantAdd(t *testing.T) {
	for _, test := range []struct {
		instant Instant
		seconds int32
		want    Instant
		ok      bool
	}{
		{0, 0, 0, true}, {1, 1, 1001, true}, {MaxInstant, 0, MaxInstant, true}, {MinInstant, 0, MinInstant, true},
		{MaxInstant - 1000, 1, MaxInstant, true}, {MaxInstant - 999, 1, MaxInstant, false}, {MaxInstant, MaxSeconds, MaxInstant, false},
		{MinInstant + 1000, -1, MinInstant, true}, {MinInstant + 999, -1, MinInstant, false}, {MinInstant, math.MinInt32, MinInstant, false},
		{MaxInstant, math.MinInt32, MaxInstant - 1<<31*1000, true},
	} {
		got, ok := test.instant.Add(test.seconds)
		if ok != test.ok || got != test.want {
			t.Errorf("(%d).Add(%d) = %d, %t, want %d, %t", test.instant, test.seconds, got, ok, test.want, test.ok)
		}
	}
}

func TestInstantString(t *testing.T) {
	for i, want := range map[Instant]string{
		0: "1970-01-01T00:00:00.000Z", -1: "1969-12-31T23:59:59.999Z", 1763627400120: "2025-11-20T08:30:00.120Z",
		253402300799999: "9999-12-31T23:59:59.999Z", 253402300800000: "253402300800000ms",
		-62167219200000: "0000-01-01T00:00:00.000Z", -62167219200001: "-62167219200001ms",
		MaxInstant: "9223372036854775807ms", MinInstant: "-9223372036854775808ms",
	} {
		if got := i.String(); got != want {
			t.Errorf("String of %d = %s, want %s", int64(i), got, want)
		}
	}
}

// TestInstantOfNumbers: Instant and InstantOf convert numbers of their units.
func TestInstantOfNumbers(t *testing.T) {
	for _, test := range []struct {
		got, want Instant
		why       string
	}{
		{Instant(0), 0, "milliseconds at the epoch"},
		{Instant(1_700_000_000_001), 1_700_000_000_001, "milliseconds"},
		{Instant(math.MinInt64), MinInstant, "the first millisecond"},
		{Instant(math.MaxInt64), MaxInstant, "the last millisecond"},
		{InstantOf(time.UnixMicro(1_700_000_000_001_999)), 1_700_000_000_001, "microseconds round towards the past"},
		{InstantOf(time.UnixMicro(999)), 0, "less than a millisecond"},
		{InstantOf(time.UnixMicro(-1)), -1, "before 1970, too"},
		{InstantOf(time.UnixMicro(-1000)), -1, "a whole millisecond before 1970"},
		{InstantOf(time.UnixMicro(-1001)), -2, "just before it"},
		{InstantOf(time.UnixMicro(math.MaxInt64)), 9_223_372_036_854_775, "the last microsecond"},
		{InstantOf(time.UnixMicro(math.MinInt64)), -9_223_372_036_854_776, "the first microsecond"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", test.why, test.got, test.want)
		}
	}
}

// TestSecondsOf: a duration that is no time to live is an error, and not another number.
func TestSecondsOf(t *testing.T) {
	for d, want := range map[time.Duration]int32{0: 0, time.Second: 1, time.Hour: 3600, 30 * 24 * time.Hour: 2592000, math.MaxInt32 * time.Second: math.MaxInt32} {
		if got, err := SecondsOf(d); got != want || err != nil {
			t.Errorf("SecondsOf(%s) = %d, %v, want %d", d, got, err, want)
		}
	}
	for _, d := range []time.Duration{1, time.Second - 1, time.Second + 1, 1 << 32, 1500 * time.Millisecond, -time.Second, -1, (math.MaxInt32 + 1) * time.Second, math.MaxInt64, math.MinInt64} {
		if got, err := SecondsOf(d); err == nil || got != MaxSeconds {
			t.Errorf("SecondsOf(%s) = %d, %v, want an error, and no number that deletes early", d, got, err)
		}
	}
}
