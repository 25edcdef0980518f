package forecast

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func at(t testing.TB, text string) policy.Instant {
	t.Helper()
	i, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return policy.InstantOf(i)
}

func TestParseWidth(t *testing.T) {
	for _, s := range []string{"1s", "90s", "15m", "1h", "6h", "1d", "2w", "1mo", "3mo", "1y", "100y"} {
		w, err := ParseWidth(s)
		if err != nil {
			t.Errorf("ParseWidth(%q): %v", s, err)
			continue
		}
		again, err := ParseWidth(w.String())
		if err != nil || again != w {
			t.Errorf("ParseWidth(%q) = %v, which reads back as %v, %v", s, w, again, err)
		}
	}
	for s, want := range map[string]string{"60s": "1m", "24h": "1d", "12mo": "1y", "36h": "36h", "7d": "7d"} {
		if w, err := ParseWidth(s); err != nil || w.String() != want {
			t.Errorf("ParseWidth(%q) = %v, %v, want %s", s, w, err, want)
		}
	}
	for _, s := range []string{"", "d", "0d", "-1d", "1", "1x", "1.5h", "10001y", "99999999999s"} {
		if w, err := ParseWidth(s); err == nil {
			t.Errorf("ParseWidth(%q) = %v, want an error", s, w)
		}
	}
}

func TestWidthBoundaries(t *testing.T) {
	for _, tc := range []struct{ width, at, start, end string }{
		{"1d", "2026-11-20T23:59:59.999Z", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"},
		{"1d", "2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"},
		{"1d", "1969-12-31T23:59:59.999Z", "1969-12-31T00:00:00Z", "1970-01-01T00:00:00Z"},
		{"1w", "2026-11-20T12:00:00Z", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"}, // a Friday
		{"1w", "2026-11-16T00:00:00Z", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"}, // a Monday
		{"1w", "2026-11-15T23:59:59.999Z", "2026-11-09T00:00:00Z", "2026-11-16T00:00:00Z"},
		{"1w", "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z", "1970-01-05T00:00:00Z"},
		{"1mo", "2024-02-29T12:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"},
		{"3mo", "2026-12-31T23:59:59Z", "2026-10-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"1y", "1969-07-20T20:17:40Z", "1969-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
		{"10y", "2026-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"},
	} {
		w, err := ParseWidth(tc.width)
		if err != nil {
			t.Fatal(err)
		}
		n := w.index(at(t, tc.at))
		if got, want := w.start(n), at(t, tc.start); got != want {
			t.Errorf("the %s of %s begins at %v, want %v", tc.width, tc.at, got, want)
		}
		if got, want := w.start(n+1), at(t, tc.end); got != want {
			t.Errorf("the %s of %s ends at %v, want %v", tc.width, tc.at, got, want)
		}
	}
}

// TestWidthContainsWhatItIndexes: each instant is in its bucket, and buckets do not
// overlap.
func TestWidthContainsWhatItIndexes(t *testing.T) {
	all := slices.Concat(levels, shown)
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(all).Draw(t, "width")
		i := drawn.Instants.Draw(t, "instant")
		n := w.index(i)
		start, end := w.start(n), w.start(n+1)
		if i < start || i >= end && end != policy.MaxInstant {
			t.Fatalf("%v is in bucket %d of %v, which spans %v to %v", i, n, w, start, end)
		}
		if w.index(start) != n && start != policy.MinInstant {
			t.Fatalf("bucket %d of %v begins at %v, which is in bucket %d", n, w, start, w.index(start))
		}
		if start != policy.MinInstant && w.index(start-1) != n-1 {
			t.Fatalf("the instant before bucket %d of %v is in bucket %d", n, w, w.index(start-1))
		}
	})
}

// TestCovers: two instants in one bucket of a width are in one bucket of every width that
// covers it.
func TestCovers(t *testing.T) {
	all := slices.Concat(levels, shown)
	rapid.Check(t, func(t *rapid.T) {
		fine, wide := rapid.SampledFrom(all).Draw(t, "fine"), rapid.SampledFrom(all).Draw(t, "wide")
		i := drawn.Instants.Draw(t, "instant")
		n := fine.index(i)
		first, last := fine.start(n), fine.start(n+1)-1
		if wide.covers(fine) && wide.index(first) != wide.index(max(last, first)) {
			t.Fatalf("%v is said to cover %v, but not its bucket %v to %v", wide, fine, first, last)
		}
	})
	for i := 1; i < len(levels); i++ {
		if !levels[i].covers(levels[i-1]) {
			t.Errorf("level %v does not cover level %v", levels[i], levels[i-1])
		}
	}
	week, _ := ParseWidth("1w")
	month, _ := ParseWidth("1mo")
	if month.covers(week) || week.covers(month) {
		t.Error("weeks and months are said to fit each other")
	}
}
