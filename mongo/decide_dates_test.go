package mongo

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestDates(t *testing.T) {
	dates := []policy.Instant{policy.MinInstant, -10_001, -10_000, 0, 90_000, 90_001, policy.MaxInstant - 9_999, policy.MaxInstant}
	tests := []struct {
		why, version, index string
		now                 policy.Instant
		expired             uint64
		counts              []uint64 // before 0, to 10 s, from 10 s on
		never               uint64
	}{
		{"up to the cutoff", "8.2.0", `"key":{"t":1},"expireAfterSeconds":10`, 100_000, 0b00011111, []uint64{2, 1, 3}, 2},
		{"a millisecond before", "8.2.0", `"key":{"t":1},"expireAfterSeconds":10`, 99_999, 0b00001111, []uint64{2, 1, 3}, 2},
		{"strict", "3.0.0", `"key":{"t":1},"expireAfterSeconds":10`, 100_000, 0b00001111, []uint64{1, 2, 3}, 2},
		{"a filter is no part of it", "8.2.0", `"key":{"t":1},"expireAfterSeconds":10,"partialFilterExpression":{"a":1}`, 100_000, 0b00011111, []uint64{2, 1, 3}, 2},
		{"nor is the path", "8.2.0", `"key":{"a.b":1},"expireAfterSeconds":10`, 100_000, 0b00011111, []uint64{2, 1, 3}, 2},
		{"clustered from 1970", "8.2.0", `"key":{"_id":1},"clustered":true,"expireAfterSeconds":10`, 100_000, 0b00011000, []uint64{0, 0, 3}, 5},
		{"an idle index", "8.2.0", `"key":{"t":"hashed"},"expireAfterSeconds":10`, policy.MaxInstant, 0, []uint64{0, 0, 0}, 8},
		{"no TTL", "8.2.0", `"key":{"t":1}`, policy.MaxInstant, 0, []uint64{0, 0, 0}, 8},
	}
	b, err := policy.NewBuckets(0, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		spec, err := ParseIndexSpec(vectorValue(t, `{`+tt.index+`}`))
		if err != nil {
			t.Fatal(err)
		}
		x, err := CompileIndex(CollectionSpec{}, spec, vectorProfile(t, tt.version))
		if err != nil {
			t.Fatal(err)
		}
		if got := x.AppendExpired(nil, dates, tt.now); !slices.Equal(got, []uint64{tt.expired}) {
			t.Errorf("%s: AppendExpired = %b, want %b", tt.why, got, tt.expired)
		}
		counts := make([]uint64, b.Len())
		if never := x.CountDeadlines(counts, b, dates); never != tt.never || !slices.Equal(counts, tt.counts) {
			t.Errorf("%s: CountDeadlines = %d never, counts %v; want %d, %v", tt.why, never, counts, tt.never, tt.counts)
		}
	}
}

// TestPropertyDates: dates at hand are decided as the documents that hold them,
// one by one and many at a time.
func TestPropertyDates(t *testing.T) {
	b, err := policy.NewBuckets(1_700_000_000_000, 3600, 5)
	if err != nil {
		t.Fatal(err)
	}
	profiles := someProfiles()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(profiles).Draw(t, "profile")
		x, err := CompileIndex(CollectionSpec{}, IndexSpec{
			Key:                policy.D{{Key: "_id", Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int64Value(modelSeconds().Draw(t, "seconds")),
			Clustered:          p.clustered && rapid.Bool().Draw(t, "clustered"),
		}, p)
		if err != nil {
			t.Fatal(err)
		}
		now, dates := modelInstants().Draw(t, "now"), rapid.SliceOfN(modelInstants(), 0, 70).Draw(t, "dates")
		last := x.Bounds(now).To()
		dates = append(dates, last-1, last, last+1)
		bitmap, counts, never := make([]uint64, (len(dates)+63)/64), make([]uint64, b.Len()), uint64(0)
		for i, date := range dates {
			d := x.Decide(policy.D{{Key: "_id", Value: policy.DateValue(date)}}, now)
			if got := x.DecideKey(date, now); got != d {
				t.Fatalf("DecideKey(%d) = %v by %s, Decide = %v by %s", date, got.State, got.Rule, d.State, d.Rule)
			}
			switch d.State {
			case policy.Never:
				never++
				continue
			case policy.Expired:
				bitmap[i/64] |= 1 << (i % 64)
			}
			counts[b.Index(d.Deadline())]++
		}
		if got := x.AppendExpired([]uint64{7}, dates, now); !slices.Equal(got, append([]uint64{7}, bitmap...)) {
			t.Fatalf("AppendExpired of %d dates = %b, one by one %b", len(dates), got, bitmap)
		}
		got := make([]uint64, b.Len())
		if n := x.CountDeadlines(got, b, dates); n != never || !slices.Equal(got, counts) {
			t.Fatalf("CountDeadlines = %d, %v, one by one %d, %v", n, got, never, counts)
		}
	})
}
