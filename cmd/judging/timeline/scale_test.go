package timeline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestColumn(t *testing.T) {
	for _, tc := range []struct {
		at, first, last policy.Instant
		n, want         int
	}{
		{5, 5, 5, 10, 0},
		{0, 0, 100, 11, 0},
		{50, 0, 100, 11, 5},
		{29, 0, 100, 101, 29}, // not 28: no fraction is cut twice
		{100, 0, 100, 11, 10},
		{-7, 0, 100, 11, 0},
		{101, 0, 100, 11, 10},
		{policy.MaxInstant, policy.MinInstant, policy.MaxInstant, 80, 79},
		{0, policy.MinInstant, policy.MaxInstant, 81, 40},
	} {
		if got := (Scale{tc.first, tc.last}).Column(tc.at, tc.n); got != tc.want {
			t.Errorf("Scale{%d, %d}.Column(%d, %d) = %d, want %d", tc.first, tc.last, tc.at, tc.n, got, tc.want)
		}
	}
}

// TestScaleProperty: a later instant is never further left, and no instant is outside the
// scale.
func TestScaleProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{drawn.Instants.Draw(t, "one"), drawn.Instants.Draw(t, "other")}
		s = Scale{min(s.First, s.Last), max(s.First, s.Last)}
		a, b := drawn.Instants.Draw(t, "a"), drawn.Instants.Draw(t, "b")
		a, b = min(a, b), max(a, b)
		xa, xb := s.X(a, 10, 700), s.X(b, 10, 700)
		if xa > xb || xa < 10 || xb > 700 {
			t.Fatalf("%v: %d lies at %v, %d at %v", s, a, xa, b, xb)
		}
	})
}

func TestTicks(t *testing.T) {
	at := func(text string) policy.Instant {
		i, _ := fixture.Value(t, `{"$date":"`+text+`"}`).AsDate()
		return i
	}
	for _, tc := range []struct {
		why         string
		first, last policy.Instant
		n           int
		want        string
	}{
		{"milliseconds", 1, 5, 4, "00.001 00.002 00.003 00.004 00.005"},
		{"seconds", at("2026-11-20T00:00:58Z"), at("2026-11-20T00:01:02Z"), 4, "00:00:58 00:00:59 00:01:00 00:01:01 00:01:02"},
		{"minutes over midnight", at("2026-11-20T23:40:00Z"), at("2026-11-21T00:20:00Z"), 4, "23:40 23:50 21 Nov 00:10 00:20"},
		{"days", at("2026-02-27T12:00:00Z"), at("2026-03-02T12:00:00Z"), 3, "28 Feb 1 Mar 2 Mar"},
		{"months over new year", at("2026-10-15T00:00:00Z"), at("2027-03-15T00:00:00Z"), 5, "Nov Dec 2027 Feb Mar"},
		{"years", at("1969-06-01T00:00:00Z"), at("1973-06-01T00:00:00Z"), 4, "1970 1971 1972 1973"},
		{"before 1970", -2500, -500, 2, "23:59:58 23:59:59"},
		{"the end of time", policy.MaxInstant - 3, policy.MaxInstant, 3, "55.804 55.805 55.806 55.807"},
		{"all of time", policy.MinInstant, policy.MaxInstant, 6, "-200000000 -100000000 0 100000000 200000000"},
	} {
		var got []string
		for _, tick := range (Scale{tc.first, tc.last}).ticks(tc.n) {
			got = append(got, tick.label)
		}
		if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.why, diff)
		}
	}
}

// TestTicksProperty: ticks are few enough to read, they ascend, and no tick is outside
// the scale.
func TestTicksProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn.Instants.Draw(t, "a"), drawn.Instants.Draw(t, "b")
		s := Scale{min(a, b), max(a, b)}
		n := rapid.IntRange(1, 12).Draw(t, "n")
		list := s.ticks(n)
		if len(list) > n+1 {
			t.Fatalf("%v has %d ticks, want at most %d", s, len(list), n+1)
		}
		for i, tick := range list {
			if tick.at < s.First || tick.at > s.Last || i > 0 && tick.at <= list[i-1].at {
				t.Fatalf("tick %d of %v is at %d", i, s, tick.at)
			}
		}
	})
}
