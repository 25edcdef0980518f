package forecast

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestLoadCounts: a document counts for the minute in which it expires. A deadline at the
// end of a minute counts for that minute.
func TestLoadCounts(t *testing.T) {
	const now, minute = policy.Instant(5000), 60_000
	var docs [][]byte
	for _, at := range []policy.Instant{now, now + 1, now + minute, now + minute + 1, now + 25*60*minute, now + 30*24*60*minute, now + 30*24*60*minute + 1} {
		docs = append(docs, bsonDate(1, "a", at))
	}
	tally, err := runFiles(t.Context(), []dump.File{file(t, "a.bson", docs...)}, testPolicy, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]int64{0: 2, 1: 1, 25*60 - 1: 1, 30*24*60 - 1: 1}
	got := map[int]int64{}
	for m, n := range tally.Load.All() {
		got[m] = n
	}
	for m, n := range want {
		if got[m] != n || len(got) != len(want) {
			t.Errorf("minutes = %v, want %v", got, want)
			break
		}
	}
	if m, n := tally.Load.Peak(); m != 0 || n != 2 {
		t.Errorf("Peak() = %d, %d, want 0, 2", m, n)
	}
	if days := tally.Load.Days(); days[0] != (Day{3, 2}) || days[1] != (Day{1, 1}) || days[29] != (Day{1, 1}) {
		t.Errorf("Days() = %v, want 3 with a peak of 2 on the first, 1 on the second and the last", days)
	}
	var twice Load
	twice.Merge(&tally.Load)
	twice.Merge(&tally.Load)
	if m, n := twice.Peak(); m != 0 || n != 4 {
		t.Errorf("Peak() of both = %d, %d, want 0, 4", m, n)
	}
}

func TestDrain(t *testing.T) {
	burst := func(n int64, minutes ...int) *Load {
		l := new(Load)
		for _, m := range minutes {
			l.Add(m, n)
		}
		return l
	}
	for _, tc := range []struct {
		why       string
		load      *Load
		backlog   int64
		perSecond float64
		want      Drain
	}{
		{"nothing", new(Load), 0, 10, Drain{0, 0}},
		{"a backlog of 25 s", new(Load), 250, 10, Drain{25, 0}},
		{"a part of a second", new(Load), 251, 10, Drain{26, 0}},
		{"three minutes", new(Load), 1800, 10, Drain{180, 0}},
		{"what expires meanwhile waits too", burst(600, 0), 1200, 10, Drain{180, 0}},
		{"a burst afterwards", burst(6000, 100), 600, 10, Drain{60, 5400}},
		{"too slow for ever", new(Load), 1_000_000, 0.1, Drain{-1, 0}},
	} {
		if got := tc.load.Drain(tc.backlog, tc.perSecond); got != tc.want {
			t.Errorf("%s: Drain(%d, %v) = %+v, want %+v", tc.why, tc.backlog, tc.perSecond, got, tc.want)
		}
	}
}
