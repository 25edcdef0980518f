package columns

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestItems(t *testing.T) {
	at := cosmos.TimestampSeconds
	items := itemsOf(cosmos.Item{TS: at(100)}, cosmos.Item{TTL: cosmos.TTLSeconds(5), TS: at(100)}, cosmos.Item{TTL: cosmos.Never, TS: at(100)}, cosmos.Item{TTL: cosmos.TTLSeconds(-2), TS: at(100)},
		cosmos.Item{TTL: cosmos.TTLSeconds(11), TS: at(100)}, cosmos.Item{TTL: cosmos.TTLSeconds(math.MaxInt32), TS: at(0)}, cosmos.Item{TTL: cosmos.TTLSeconds(math.MaxInt32), TS: at(math.MaxUint32)})
	tests := []struct {
		why, container string
		now            policy.Instant
		expired        uint64
		counts         []uint64 // of deadlines before 105 s, from 105 to 110 s, from 110 to 115 s, from 115 s on
		never          uint64
	}{
		{"the default, and ttls of their own", `{"defaultTtl":10}`, 110_000, 0b0000011, []uint64{0, 1, 2, 2}, 2},
		{"a millisecond before", `{"defaultTtl":10}`, 109_999, 0b0000010, []uint64{0, 1, 2, 2}, 2},
		{"on without a default", `{"defaultTtl":-1}`, 111_000, 0b0010010, []uint64{0, 1, 1, 2}, 3},
		{"off", `{}`, policy.MaxInstant, 0, []uint64{0, 0, 0, 0}, 7},
		{"a default that the service refuses", `{"defaultTtl":0}`, policy.MaxInstant, 0, []uint64{0, 0, 0, 0}, 7},
		{"ttls beside a path are unspecified", `{"defaultTtl":10,"ttlPropertyPath":"/at"}`, policy.MaxInstant, 0b0000001, []uint64{0, 0, 1, 0}, 6},
		{"in the end all but -1 and -2", `{"defaultTtl":10}`, policy.MaxInstant, 0b1110011, []uint64{0, 1, 2, 2}, 2},
		{"at the beginning none", `{"defaultTtl":10}`, policy.MinInstant, 0, []uint64{0, 1, 2, 2}, 2},
	}
	b, err := NewBuckets(105_000, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		c := container(t, tt.container)
		if got := items.AppendExpired(nil, c, tt.now); !slices.Equal(got, []uint64{tt.expired}) {
			t.Errorf("%s: AppendExpired = %b, want %b", tt.why, got, tt.expired)
		}
		counts := make([]uint64, b.Len())
		if never := items.CountDeadlines(counts, b, c); never != tt.never || !slices.Equal(counts, tt.counts) {
			t.Errorf("%s: CountDeadlines = %d never, counts %v; want %d, %v", tt.why, never, counts, tt.never, tt.counts)
		}
	}
}

func itemsOf(items ...cosmos.Item) (c Items) {
	for _, item := range items {
		c.Append(item)
	}
	return c
}

// TestItemsKeep: an unset item, or one that does not fit the columns, never expires,
// whatever the container's setting.
func TestItemsKeep(t *testing.T) {
	at := cosmos.TimestampSeconds
	items := itemsOf(cosmos.Item{}, cosmos.Item{TTL: cosmos.TTLSeconds(5)}, cosmos.Item{TTL: cosmos.TTLSeconds(0), TS: at(100)}, cosmos.Item{TTL: cosmos.TTLSeconds(math.MinInt32), TS: at(100)},
		cosmos.Item{TTL: cosmos.TTLSeconds(-3), TS: at(100)}, cosmos.Item{TTL: cosmos.TTLOf(policy.NullValue()), TS: at(100)}, cosmos.Item{TTL: cosmos.TTLOf(policy.DoubleValue(5)), TS: at(100)}, cosmos.Item{TS: at(-1)}, cosmos.Item{TS: at(1 << 32)},
		cosmos.Item{TS: at(math.MinInt64)}, cosmos.Item{TS: at(math.MaxInt64)}, cosmos.Item{TTL: cosmos.Never, TS: at(0)})
	b, err := NewBuckets(0, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{}`, `{"defaultTtl":-1}`, `{"defaultTtl":1}`, `{"defaultTtl":2147483647}`, `{"defaultTtl":0}`, `{"defaultTtl":1,"ttlPropertyPath":"/a"}`} {
		c := container(t, text)
		if got := items.AppendExpired(nil, c, policy.MaxInstant); !slices.Equal(got, []uint64{0}) {
			t.Errorf("%s: AppendExpired = %b, want none", text, got)
		}
		counts := make([]uint64, b.Len())
		if never := items.CountDeadlines(counts, b, c); never != uint64(items.Len()) || slices.Max(counts) != 0 {
			t.Errorf("%s: CountDeadlines = %d never, counts %v; want %d and none", text, never, counts, items.Len())
		}
		for i := range items.Len() {
			if d := c.DecideItem(items.Item(i), policy.MaxInstant); d.State != policy.Never {
				t.Errorf("%s: item %d reads back as %v, which is %v by %s", text, i, items.Item(i), d.State, d.Rule)
			}
		}
	}
}

func TestItemsSlice(t *testing.T) {
	first, second := cosmos.Item{TTL: cosmos.TTLSeconds(5), TS: cosmos.TimestampSeconds(7)}, cosmos.Item{TTL: cosmos.Never, TS: cosmos.TimestampSeconds(8)}
	items := itemsOf(first, second, first)
	part := items.Slice(1, 2)
	part.Append(second) // must not overwrite the item behind the part
	for i, want := range []cosmos.Item{first, second, first} {
		if got := items.Item(i); got != want {
			t.Errorf("item %d = %v, want %v", i, got, want)
		}
	}
	if part.Len() != 2 || items.Len() != 3 {
		t.Errorf("Len() = %d and %d, want 2 and 3", part.Len(), items.Len())
	}
}

// instants draws instants near 0 and near both ends of the range, often close to each
// other.
var instants = rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3000, 3000), rapid.Int64Range(1_700_000_000_000, 1_700_020_000_000),
	rapid.Int64Range(math.MinInt64, math.MinInt64+2000), rapid.Int64Range(math.MaxInt64-2000, math.MaxInt64))

func TestPropertyItems(t *testing.T) { rapid.Check(t, itemsProperty(t)) }

func FuzzItems(f *testing.F) { fuzzing.Property(f, itemsProperty(f)) }

// itemsProperty: items in columns have the same decisions as single items.
func itemsProperty(t testing.TB) func(*rapid.T) {
	var containers []*cosmos.Container
	for _, text := range []string{`{}`, `{"defaultTtl":-1}`, `{"defaultTtl":0}`, `{"defaultTtl":1}`, `{"defaultTtl":3600}`, `{"defaultTtl":2147483647}`,
		`{"defaultTtl":-1,"ttlPropertyPath":"/a"}`, `{"defaultTtl":3600,"ttlPropertyPath":"/a"}`} {
		containers = append(containers, container(t, text))
	}
	seconds := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 2), rapid.Uint32Range(1_700_000_000, 1_700_010_000))
	ttls := rapid.OneOf(rapid.Int32(), rapid.Int32Range(-2, 2), rapid.Int32Range(1, 10_000), rapid.SampledFrom([]int32{math.MinInt32, math.MaxInt32}))
	firsts := rapid.OneOf(rapid.Int64Range(-20_000, 20_000), rapid.Int64Range(1_699_999_990_000, 1_700_020_000_000),
		rapid.Just[int64](1_700_000_000_000), rapid.Int64Range(-1<<61, 1<<61))
	widths := rapid.OneOf(rapid.Int32Range(1, 5000), rapid.Int32Range(1, math.MaxInt32))
	return func(t *rapid.T) {
		c := rapid.SampledFrom(containers).Draw(t, "container")
		var items Items
		var each []cosmos.Item
		for range rapid.IntRange(0, 140).Draw(t, "items") {
			item := cosmos.Item{TS: cosmos.TimestampSeconds(int64(seconds.Draw(t, "ts")))}
			if n := ttls.Draw(t, "ttl"); n != 0 {
				item.TTL = cosmos.TTLSeconds(int64(n))
			}
			items.Append(item)
			each = append(each, item)
		}
		now := policy.Instant(instants.Draw(t, "now"))
		b, err := NewBuckets(policy.Instant(firsts.Draw(t, "first")), policy.Seconds(widths.Draw(t, "width")), rapid.IntRange(1, 6).Draw(t, "buckets"))
		if err != nil {
			t.Fatal(err)
		}
		bitmap, counts, wantCounts := []uint64{7}, make([]uint64, b.Len()), make([]uint64, b.Len())
		wantBitmap, wantNever := make([]uint64, 1+(len(each)+63)/64), uint64(0)
		wantBitmap[0] = 7 // words that were there stay
		for i, item := range each {
			switch d := c.DecideItem(item, now); {
			case d.State == policy.Never:
				wantNever++
				continue
			case d.State == policy.Expired:
				wantBitmap[1+i/64] |= 1 << (i % 64)
				fallthrough
			default:
				wantCounts[b.Index(fixture.Deadline(d))]++
			}
		}
		if bitmap = items.AppendExpired(bitmap, c, now); !slices.Equal(bitmap, wantBitmap) {
			t.Fatalf("AppendExpired = %b, one by one %b", bitmap, wantBitmap)
		}
		if never := items.CountDeadlines(counts, b, c); never != wantNever || !slices.Equal(counts, wantCounts) {
			t.Fatalf("CountDeadlines = %d, %v, one by one %d, %v", never, counts, wantNever, wantCounts)
		}
	}
}

func container(t testing.TB, text string) *cosmos.Container {
	t.Helper()
	spec, err := cosmos.ParseContainerSpec([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := cosmos.CompileContainer(spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
