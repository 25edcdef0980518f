package forecast

import (
	"math/big"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A deadline is an instant with the count that it adds.
type deadline struct {
	at policy.Instant
	c  Count
}

// naiveStart returns the start of the bucket of w that contains i. It is slow: it
// computes with big integers, or with the calendar.
func naiveStart(w Width, i policy.Instant) string {
	if w.months > 0 {
		t := i.Time()
		month := int64(t.Year())*12 + int64(t.Month()) - 1
		for month%w.months != 0 && w.months <= 12 {
			month--
		}
		if w.months > 12 {
			rest := new(big.Int).Mod(big.NewInt(month), big.NewInt(w.months))
			month -= rest.Int64()
		}
		return time.Date(0, time.Month(month+1), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
	}
	shifted := new(big.Int).Add(big.NewInt(int64(i)), big.NewInt(w.shift))
	rest := new(big.Int).Mod(shifted, big.NewInt(w.ms)) // Mod is Euclidean: rest is never negative
	return new(big.Int).Sub(big.NewInt(int64(i)), rest).String()
}

// naiveHistogram counts in a map, with the finest width that needs at most MaxBuckets
// buckets.
func naiveHistogram(all []deadline) (Width, map[string]Count) {
	for _, w := range levels {
		counts := map[string]Count{}
		for _, d := range all {
			key := naiveStart(w, d.at)
			c := counts[key]
			c.add(d.c)
			counts[key] = c
		}
		if len(counts) <= MaxBuckets {
			return w, counts
		}
	}
	panic("the last level has too many buckets")
}

// deadlines draws a few clusters of deadlines. Some clusters are very wide.
func deadlines() *rapid.Generator[[]deadline] {
	return rapid.Custom(func(t *rapid.T) []deadline {
		var all []deadline
		for range rapid.IntRange(1, 3).Draw(t, "clusters") {
			base := drawn.Instants.Draw(t, "base")
			step := rapid.SampledFrom([]int64{0, 1, 999, 60_000, 3_600_001, 86_400_000, 1 << 40, 1 << 52}).Draw(t, "step")
			for i := range rapid.IntRange(1, MaxBuckets+200).Draw(t, "n") {
				c := Count{Pending: 1, Bytes: int64(i)}
				if i%3 == 0 {
					c = Count{Expired: 1, Bytes: 7}
				}
				all = append(all, deadline{base + policy.Instant(int64(i)*step), c}) // the sum may overflow
			}
		}
		return all
	})
}

// TestHistogramAgainstMap: the histogram equals that of naiveHistogram, for each division
// of the deadlines into parts and each order of merging.
func TestHistogramAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := deadlines().Draw(t, "deadlines")
		parts := make([]*Histogram, rapid.IntRange(1, 4).Draw(t, "parts"))
		for i := range parts {
			parts[i] = newHistogram(Width{}, Period{}, 0)
		}
		stride := rapid.IntRange(1, 999).Draw(t, "stride")
		for i, d := range all {
			parts[i*stride%len(parts)].add(d.at, d.c)
		}
		got := newHistogram(Width{}, Period{}, 0)
		for _, i := range rapid.Permutation(indexes(len(parts))).Draw(t, "order") {
			got.merge(parts[i])
		}
		width, want := naiveHistogram(all)
		if got.width != width {
			t.Fatalf("width %v, want %v", got.width, width)
		}
		if diff := cmp.Diff(want, counts(got)); diff != "" {
			t.Fatalf("(-map +histogram)\n%s", diff)
		}
	})
}

func indexes(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func counts(h *Histogram) map[string]Count {
	m := map[string]Count{}
	for _, b := range h.table.sorted() {
		m[naiveStart(h.width, h.width.start(b.number))] = b.Count
	}
	return m
}

// TestHistogramResetToLevel: a part may begin with the width that the total has reached.
func TestHistogramResetToLevel(t *testing.T) {
	whole := newHistogram(Width{}, Period{}, 0)
	for i := range MaxBuckets + 1 {
		whole.add(policy.Instant(i*second), Count{Pending: 1})
	}
	if whole.level == 0 {
		t.Fatalf("%d seconds fit into %d buckets", MaxBuckets+1, MaxBuckets)
	}
	part := newHistogram(Width{}, Period{}, 0)
	part.add(1, Count{Pending: 1})
	part.reset(whole.level)
	part.add(0, Count{Expired: 1})
	whole.merge(part)
	if got := whole.View(60).Buckets[0]; got.Expired != 1 {
		t.Errorf("the first bucket has %+v, want the one expired document", got)
	}
}

func TestHistogramOfGivenWidthCountsWhatIsFar(t *testing.T) {
	w, _ := ParseWidth("1d")
	now := at(t, "2026-11-20T12:00:00Z")
	h, part := newHistogram(w, Period{}, now), newHistogram(w, Period{}, now)
	add := func(h *Histogram, days int64, c Count) { h.add(now+policy.Instant(days*day), c) }
	add(h, -1024, Count{Expired: 1})
	add(h, 1023, Count{Pending: 1})
	add(part, -1025, Count{Expired: 1, Bytes: 5})
	add(part, -4000000, Count{Expired: 1, Bytes: 5})
	add(part, 1024, Count{Pending: 1, Bytes: 9})
	h.merge(part)
	v := h.View(2048)
	if len(v.Buckets) != 2048 || v.Buckets[0].Expired != 1 || v.Buckets[2047].Pending != 1 {
		t.Errorf("%d buckets, want 2048 with one document in the first and the last", len(v.Buckets))
	}
	if want := (Count{Expired: 2, Bytes: 10}); v.Before != want {
		t.Errorf("before %+v, want %+v", v.Before, want)
	}
	if want := (Count{Pending: 1, Bytes: 9}); v.After != want {
		t.Errorf("after %+v, want %+v", v.After, want)
	}
}

func TestView(t *testing.T) {
	now := at(t, "2026-11-20T00:00:00Z")
	for _, tc := range []struct {
		why    string
		given  string
		days   map[int]int // the number of documents, by days from now
		most   int
		width  string
		first  string // the start of the first bucket
		n      int
		before int64
		after  int64
	}{
		{"one document", "", map[int]int{3: 1}, 60, "1s", "2026-11-23T00:00:00Z", 1, 0, 0},
		{"thirty days fit as half days", "", days(0, 29, 5), 60, "12h", "2026-11-20T00:00:00Z", 59, 0, 0},
		{"sixty days fit as days", "", days(0, 59, 5), 60, "1d", "2026-11-20T00:00:00Z", 60, 0, 0},
		{"sixty-one days do not", "", days(0, 60, 5), 60, "2d", "2026-11-19T00:00:00Z", 31, 0, 0},
		{"one in 1970 is left out", "", with(days(0, 59, 5), -20777, 1), 60, "1d", "2026-11-20T00:00:00Z", 60, 1, 0},
		{"one in 9999 is left out", "", with(days(0, 59, 5), 2912000, 1), 60, "1d", "2026-11-20T00:00:00Z", 60, 0, 1},
		{"many in 1970 are not", "", with(days(0, 59, 5), -20777, 100), 60, "1y", "1970-01-01T00:00:00Z", 58, 0, 0},
		{"a little more is not worth leaving out", "", with(days(0, 59, 5), 70, 1), 60, "2d", "2026-11-19T00:00:00Z", 36, 0, 0},
		{"a given width shows what is near now", "1d", days(-100, 99, 1), 60, "1d", "2026-11-05T00:00:00Z", 60, 85, 55},
		{"and moves to where the deadlines are", "1d", days(-100, -1, 1), 60, "1d", "2026-09-21T00:00:00Z", 60, 40, 0},
		{"a given width that fits", "1w", days(0, 20, 1), 60, "1w", "2026-11-16T00:00:00Z", 4, 0, 0},
	} {
		var w Width
		if tc.given != "" {
			w, _ = ParseWidth(tc.given)
		}
		h := newHistogram(w, Period{}, now)
		var total int64
		for d, n := range tc.days {
			h.add(now+policy.Instant(d)*day, Count{Pending: int64(n)})
			total += int64(n)
		}
		v := h.View(tc.most)
		for _, b := range v.Buckets {
			total -= b.Documents()
		}
		if v.Width.String() != tc.width || len(v.Buckets) != tc.n || v.Buckets[0].Start != at(t, tc.first) {
			t.Errorf("%s: %d buckets of %v from %v, want %d of %s from %s", tc.why, len(v.Buckets), v.Width, v.Buckets[0].Start, tc.n, tc.width, tc.first)
		}
		if v.Before.Documents() != tc.before || v.After.Documents() != tc.after || total != tc.before+tc.after {
			t.Errorf("%s: %d before, %d after, %d not in buckets, want %d and %d", tc.why, v.Before.Documents(), v.After.Documents(), total, tc.before, tc.after)
		}
	}
}

// days returns n documents for each day from one day to another.
func days(from, to, n int) map[int]int {
	m := map[int]int{}
	for d := from; d <= to; d++ {
		m[d] = n
	}
	return m
}

func with(m map[int]int, day, n int) map[int]int {
	m[day] = n
	return m
}

// TestViewOfWhatIsFar: if all deadlines are years from now, and buckets of a second exist
// only near now, the view has one empty bucket between the earlier and the later
// deadlines.
func TestViewOfWhatIsFar(t *testing.T) {
	w, _ := ParseWidth("1s")
	h := newHistogram(w, Period{}, 0)
	h.add(-1e12, Count{Expired: 1})
	h.add(1e12, Count{Pending: 2})
	v := h.View(60)
	if len(v.Buckets) != 1 || v.Before.Expired != 1 || v.After.Pending != 2 {
		t.Errorf("%+v, want one empty bucket between the two", v)
	}
}

func TestViewOfNothing(t *testing.T) {
	if v := newHistogram(Width{}, Period{}, 0).View(60); len(v.Buckets) != 0 {
		t.Errorf("View of nothing has %d buckets", len(v.Buckets))
	}
}

// TestWithin: a document counts for every horizon that ends at or after its deadline, to
// the millisecond.
func TestWithin(t *testing.T) {
	const now, day = policy.Instant(5000), 86_400_000
	var docs [][]byte
	for id, at := range []policy.Instant{
		now,             // expired
		now + 1,         // 24 h, 7 d, 30 d
		now + day,       // as the line above
		now + day + 1,   // 7 d, 30 d
		now + 7*day,     // as the line above
		now + 7*day + 1, // 30 d
		now + 30*day,    // as the line above
		now + 30*day + 1,
		policy.MaxInstant,
	} {
		docs = append(docs, bsonDate(int32(id), "a", at))
	}
	size := int64(len(docs[0]))
	want := [len(Horizons)]Sum{{2, 2 * size}, {4, 4 * size}, {6, 6 * size}}
	for _, tc := range []struct {
		why   string
		now   policy.Instant
		files []dump.File
		want  [len(Horizons)]Sum
	}{
		{"one block", now, []dump.File{file(t, "a.bson", docs...)}, want},
		{"three blocks", now, []dump.File{file(t, "a.bson", docs[:3]...), file(t, "b.bson", docs[3:6]...), file(t, "c.bson", docs[6:]...)}, want},
		{"from the beginning of time to its end", policy.MinInstant, []dump.File{file(t, "a.bson", docs...)}, [len(Horizons)]Sum{}},
	} {
		tally, err := runFiles(t.Context(), tc.files, testPolicy, Options{Now: tc.now})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, tally.Within); diff != "" {
			t.Errorf("%s: within 24 h, 7 d, 30 d (-want +got)\n%s", tc.why, diff)
		}
	}
}
