package forecast

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var counted, _ = mongo.RuleByID("mongo.date")

// expiredFrom returns a count of n expired documents with deadlines from first to last.
func expiredFrom(first, last policy.Instant, n int64) Counted {
	return Counted{Sum: Sum{n, 10 * n}, Rule: counted, State: policy.Expired, First: MomentAt(first, dump.Sample{}), Last: MomentAt(last, dump.Sample{})}
}

// TestCountIsAsReading counts random deadlines singly, as a run that reads documents
// does, and in groups, as a database does. The tallies may differ only in the width of
// buckets.
func TestCountIsAsReading(t *testing.T) {
	const now = 1_700_000_000_123
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		spread := []int64{50_000, day, 40 * day, 4000 * day}[seed%4]
		read, together := NewTally(1, Options{Now: now}), NewTally(1, Options{Now: now})
		groups := map[granule][]policy.Instant{}
		for range 3000 {
			at := policy.Instant(now + r.Int64N(2*spread) - spread)
			if err := read.Count(one(at, now)); err != nil {
				t.Fatal(err)
			}
			n := granuleAt(int64(at), now)
			groups[n] = append(groups[n], at)
		}
		for _, list := range groups {
			c := one(slices.Min(list), now)
			c.Last = MomentAt(slices.Max(list), dump.Sample{})
			c.Documents, c.Bytes = int64(len(list)), 10*int64(len(list))
			if err := together.Count(c); err != nil {
				t.Fatal(err)
			}
		}
		if read.Within != together.Within || read.Total() != together.Total() || read.ExpiredSpan != together.ExpiredSpan || read.PendingSpan != together.PendingSpan {
			t.Errorf("seed %d: together %v %v %v, want %v %v %v", seed, together.Total(), together.Within, together.PendingSpan, read.Total(), read.Within, read.PendingSpan)
		}
		if diff := cmp.Diff(read.Load.Days(), together.Load.Days()); diff != "" {
			t.Errorf("seed %d: the load: %s", seed, diff)
		}
		if diff := cmp.Diff(read.Histogram.View(60), together.Histogram.View(60), cmp.AllowUnexported(Width{})); diff != "" {
			t.Errorf("seed %d: the histogram: %s", seed, diff)
		}
	}
}

// one returns the count of a single document with this deadline.
func one(at, now policy.Instant) Counted {
	c := expiredFrom(at, at, 1)
	if at > now {
		c.State = policy.Pending
	}
	return c
}

// A granule identifies the deadlines that a database counts together.
type granule struct{ minute, width, start int64 }

// granuleAt returns the granule of a deadline. Granules further from now are wider.
func granuleAt(at, now int64) granule {
	g := granule{minute: -1, width: day}
	away := now - at
	if at > now {
		away, g.minute = at-now, (at-now-1)/minute
	}
	for _, width := range []int64{hour, minute, second} {
		if away <= MaxBuckets*width {
			g.width = width
		}
	}
	g.start = floorDiv(at, g.width)
	return g
}

func TestCountRefuses(t *testing.T) {
	const now = 1_700_000_000_000
	for _, tc := range []struct {
		name string
		c    Counted
	}{
		{"no documents", expiredFrom(5, 5, 0)},
		{"less than no bytes", Counted{Sum: Sum{1, -1}, Rule: counted}},
		{"more than all", Counted{Sum: Sum{1 << 62, 0}, Rule: counted}},
		{"no rule", Counted{Sum: Sum{1, 1}}},
		{"a source that cannot be", Counted{Sum: Sum{1, 1}, Rule: counted, Source: -1}},
		{"no deadlines", Counted{Sum: Sum{1, 1}, Rule: counted, State: policy.Expired}},
		{"the last before the first", expiredFrom(6, 5, 1)},
		{"not expired", expiredFrom(now, now+1, 2)},
		{"two minutes", Counted{Sum: Sum{2, 2}, Rule: counted, State: policy.Pending, First: MomentAt(now+1, dump.Sample{}), Last: MomentAt(now+minute+1, dump.Sample{})}},
	} {
		if err := NewTally(1, Options{Now: now}).Count(tc.c); err == nil {
			t.Errorf("%s: Count(%v) = nil, want an error", tc.name, tc.c)
		}
	}
	given := NewTally(1, Options{Now: now, Bucket: levels[0]})
	if err := given.Count(expiredFrom(now-2*second, now, 2)); err == nil {
		t.Error("deadlines of several buckets are counted in one of a given width")
	}
	if err := NewTally(1, Options{Now: now}).Count(expiredFrom(policy.MinInstant, now, 2)); err == nil {
		t.Error("deadlines that no bucket holds are counted")
	}
}
