package columns

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestDates(t *testing.T) {
	dates := Dates{policy.MinInstant, -10_001, -10_000, 0, 90_000, 90_001, policy.MaxInstant - 9_999, policy.MaxInstant}
	tests := []struct {
		why, version, index string
		now                 policy.Instant
		expired             uint64
		counts              []uint64 // of deadlines before 0, from 0 to 10 s, from 10 s on
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
	b, err := NewBuckets(0, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		x := index(t, tt.version, `{`+tt.index+`}`)
		if got := dates.AppendExpired(nil, x, tt.now); !slices.Equal(got, []uint64{tt.expired}) {
			t.Errorf("%s: AppendExpired = %b, want %b", tt.why, got, tt.expired)
		}
		counts := make([]uint64, b.Len())
		if never := dates.CountDeadlines(counts, b, x); never != tt.never || !slices.Equal(counts, tt.counts) {
			t.Errorf("%s: CountDeadlines = %d never, counts %v; want %d, %v", tt.why, never, counts, tt.never, tt.counts)
		}
	}
}

// instants draws instants near 0 and near both ends of the range, often close to each
// other.
var instants = rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3000, 3000), rapid.Int64Range(1_700_000_000_000, 1_700_020_000_000),
	rapid.Int64Range(math.MinInt64, math.MinInt64+2000), rapid.Int64Range(math.MaxInt64-2000, math.MaxInt64))

func TestPropertyDates(t *testing.T) { rapid.Check(t, datesProperty(t)) }

func FuzzDates(f *testing.F) { fuzzing.Property(f, datesProperty(f)) }

// datesProperty: dates in a column have the same decisions as single dates.
func datesProperty(t testing.TB) func(*rapid.T) {
	b, err := NewBuckets(1_700_000_000_000, 3600, 5)
	if err != nil {
		t.Fatal(err)
	}
	delays := rapid.OneOf(rapid.Int32(), rapid.Int32Range(0, 10_000), rapid.SampledFrom([]int32{0, math.MaxInt32}))
	return func(t *rapid.T) {
		key := rapid.SampledFrom([]string{`{"t":1}`, `{"_id":1},"clustered":true`}).Draw(t, "key")
		x := index(t, rapid.SampledFrom([]string{"3.0.0", "8.2.0"}).Filter(func(v string) bool { return v != "3.0.0" || key == `{"t":1}` }).Draw(t, "version"),
			fmt.Sprintf(`{"key":%s,"expireAfterSeconds":%d}`, key, delays.Draw(t, "delay")))
		now := policy.Instant(instants.Draw(t, "now"))
		last := x.Bounds(now).To()
		dates := Dates{last - 1, last, last + 1}
		for range rapid.IntRange(0, 70).Draw(t, "dates") {
			dates = append(dates, policy.Instant(instants.Draw(t, "date")))
		}
		bitmap, counts, never := make([]uint64, (len(dates)+63)/64), make([]uint64, b.Len()), uint64(0)
		for i, date := range dates {
			d := x.DecideKey(date, now)
			switch d.State {
			case policy.Never:
				never++
				continue
			case policy.Expired:
				bitmap[i/64] |= 1 << (i % 64)
			}
			counts[b.Index(fixture.Deadline(d))]++
		}
		if got := dates.AppendExpired([]uint64{7}, x, now); !slices.Equal(got, append([]uint64{7}, bitmap...)) {
			t.Fatalf("AppendExpired of %d dates = %b, one by one %b", len(dates), got, bitmap)
		}
		got := make([]uint64, b.Len())
		if n := dates.CountDeadlines(got, b, x); n != never || !slices.Equal(got, counts) {
			t.Fatalf("CountDeadlines = %d, %v, one by one %d, %v", n, got, never, counts)
		}
	}
}

func index(t fixture.T, version, text string) *mongo.Index {
	t.Helper()
	spec, err := mongo.ParseIndexSpec(fixture.Value(t, text))
	if err != nil {
		t.Fatal(err)
	}
	x, err := mongo.CompileIndex(mongo.CollectionSpec{}, spec, fixture.Profile(t, version))
	if err != nil {
		t.Fatal(err)
	}
	return x
}
