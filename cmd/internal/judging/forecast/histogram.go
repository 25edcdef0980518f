package forecast

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// levels are the widths of buckets. Each width is a multiple of the preceding one.
// Counting begins with the first width, and goes on to the next when there are too many
// buckets. With the last width, all possible instants fit.
var levels = slices.Concat(
	widths("1s", "5s", "15s", "1m", "5m", "15m", "1h", "3h", "12h", "1d", "1mo"),
	years(0, 6, 1),
)

// A Histogram counts deadlines over time in bounded memory. Each bucket is exact, because
// counts move only from a bucket into a wider bucket that contains it. The width depends
// on the deadlines alone, not on their order or on the division into blocks.
//
// If the user chooses the width, the histogram has the buckets near now or those of a
// period, one sum of all earlier deadlines, and one sum of all later deadlines.
type Histogram struct {
	width  Width
	level  int  // the index in levels, if the user did not choose the width
	given  bool // the user chose the width
	period bool // the user chose a period, with the buckets from lo to hi
	lo, hi int64
	before Count
	after  Count
	table  table
	now    policy.Instant
	bucket *numberer // the numberer for width; nil until add needs it, because it is large
}

// A Period is the time from an instant up to, but not including, another. The zero Period
// means no period.
type Period struct{ From, Until policy.Instant }

// Bucket returns the finest width in which a period needs no more buckets than the limit
// most.
func (p Period) Bucket(most int64) Width {
	for _, w := range shown {
		if p.buckets(w) <= most {
			return w
		}
	}
	return shown[len(shown)-1]
}

// Check returns an error if a histogram of the period has no room for buckets of width w.
func (p Period) Check(w Width) error {
	if n := p.buckets(w); n > MaxBuckets {
		return fmt.Errorf("the period has %d buckets of %s, more than the limit of %d; choose wider buckets", n, w, MaxBuckets)
	}
	return nil
}

func (p Period) buckets(w Width) int64 { return w.index(p.Until-1) - w.index(p.From) + 1 }

// newHistogram returns a histogram with the buckets of a period, or with buckets of the
// given width near now, or, if given is zero, with buckets of a width that depends on the
// deadlines.
func newHistogram(given Width, p Period, now policy.Instant) *Histogram {
	h := &Histogram{given: !given.IsZero(), now: now}
	if !h.given {
		h.setLevel(0)
		return h
	}
	h.setWidth(given)
	if p != (Period{}) {
		h.period, h.lo, h.hi = true, given.index(p.From), given.index(p.Until-1)
		return h
	}
	middle := given.index(now)
	h.lo, h.hi = middle-MaxBuckets/2, middle+MaxBuckets/2-1
	return h
}

// IsGiven reports whether the user chose the width. If so, h has the buckets of a period, or
// [MaxBuckets] buckets around now, and sums of the deadlines before and after them.
func (h *Histogram) IsGiven() bool { return h.given }

// reset empties h for the next block. It begins with the width that the total has
// reached, which saves work: a width too fine for the total is useless for a block.
func (h *Histogram) reset(level int) {
	h.table.reset()
	h.before, h.after = Count{}, Count{}
	if !h.given && level != h.level {
		h.setLevel(level)
	}
}

func (h *Histogram) setLevel(level int) {
	h.level = level
	h.setWidth(levels[level])
}

func (h *Histogram) setWidth(w Width) { h.width, h.bucket = w, nil }

// add adds c, the count of one deadline, to the bucket of the deadline.
func (h *Histogram) add(at policy.Instant, c Count) {
	if h.bucket == nil {
		h.bucket = newNumberer(h.width, h.now)
	}
	h.place(h.bucket.of(at), c)
}

// place adds c to bucket n of the present width, and widens the buckets until there is
// room.
func (h *Histogram) place(n int64, c Count) {
	switch {
	case h.given && n < h.lo:
		h.before.add(c)
		return
	case h.given && n > h.hi:
		h.after.add(c)
		return
	}
	for !h.table.add(n, c) {
		at := h.width.start(n)
		h.widen(h.level + 1)
		n = h.width.index(at)
	}
}

// widen moves the count of every bucket into the bucket of the given level that contains
// it.
func (h *Histogram) widen(level int) {
	fine, old := h.width, h.table.list()
	h.table.reset()
	h.setLevel(level)
	for _, b := range old {
		h.place(h.width.index(fine.start(b.number)), b.Count)
	}
}

// merge adds the counts of u. The user must have chosen the same width for both
// histograms, or no width for both.
func (h *Histogram) merge(u *Histogram) {
	h.before.add(u.before)
	h.after.add(u.after)
	if u.level > h.level {
		h.widen(u.level)
	}
	for b := range u.table.all {
		if u.width != h.width {
			b.number = h.width.index(u.width.start(b.number))
		}
		h.place(b.number, b.Count)
	}
}

// A Count counts the deadlines in a span of time.
type Count struct {
	Expired int64 `json:"expired"` // deadlines in the past
	Pending int64 `json:"pending"` // deadlines in the future
	Bytes   int64 `json:"bytes"`   // the size of the documents
}

// Documents returns the number of deadlines.
func (c Count) Documents() int64 { return c.Expired + c.Pending }

func (c *Count) add(d Count) {
	c.Expired += d.Expired
	c.Pending += d.Pending
	c.Bytes += d.Bytes
}

// MaxBuckets is the maximum number of buckets of a histogram.
const MaxBuckets = 1 << 11

// A table is a map from a bucket's number to its count, for up to MaxBuckets buckets. It
// grows with the number of buckets, because a dump may have many collections, and keeps
// its memory when it is reset. The zero table is empty.
type table struct {
	packed []byte     // the whole content, until an addition after [table.pack]
	places []numbered // the length is 0 or a power of two; a place without documents is free
	used   []int32    // the indexes of the places in use, at most half of all places, so that a search is short
}

// numbered is a bucket and its number.
type numbered struct {
	number int64
	Count
}

// add adds c, which is not empty, to a bucket. If there is no room for another bucket,
// add changes nothing and returns false.
func (t *table) add(number int64, c Count) bool {
	if t.packed != nil {
		t.unpack()
	}
	i := t.find(number)
	if i < 0 || t.places[i].Documents() == 0 {
		if len(t.used) == MaxBuckets {
			return false
		}
		if 2*len(t.used) == len(t.places) {
			t.grow()
			i = t.find(number)
		}
		t.places[i].number, t.used = number, append(t.used, int32(i))
	}
	t.places[i].add(c)
	return true
}

// find returns the index of a bucket's place, or of the free place for the bucket; -1 if
// the table has no places.
func (t *table) find(number int64) int {
	if len(t.places) == 0 {
		return -1
	}
	for i := home(number); ; i++ {
		i &= len(t.places) - 1
		if p := &t.places[i]; p.number == number || p.Documents() == 0 {
			return i
		}
	}
}

// grow doubles the number of places, or makes the first places.
func (t *table) grow() {
	old := *t
	*t = table{places: make([]numbered, max(16, 2*len(old.places))), used: make([]int32, 0, max(8, 2*len(old.used)))}
	for _, i := range old.used {
		t.add(old.places[i].number, old.places[i].Count)
	}
}

// home returns the place at which a search for a bucket begins. It spreads successive
// numbers over the table.
func home(number int64) int { return int(uint64(number) * 0x9E3779B97F4A7C15 >> 33) }

func (t *table) reset() {
	for _, i := range t.used {
		t.places[i] = numbered{}
	}
	t.used, t.packed = t.used[:0], nil
}

// pack stores each bucket in a few bytes, and releases the memory that only additions
// need.
func (t *table) pack() {
	packed, last := []byte{}, int64(0)
	for _, b := range t.list() {
		for _, n := range [...]int64{b.number - last, b.Expired, b.Pending, b.Bytes} {
			packed = binary.AppendVarint(packed, n)
		}
		last = b.number
	}
	*t = table{packed: slices.Clip(packed)}
}

// unpack restores the places of a packed table, so that counts can be added.
func (t *table) unpack() {
	var u table
	for b := range t.all {
		u.add(b.number, b.Count)
	}
	*t = u
}

// nextPacked reads the next bucket. last is the number of the preceding bucket.
func nextPacked(packed []byte, last int64) (b numbered, rest []byte) {
	for _, to := range [...]*int64{&b.number, &b.Expired, &b.Pending, &b.Bytes} {
		n, size := binary.Varint(packed)
		*to, packed = n, packed[size:]
	}
	b.number += last
	return b, packed
}

// all yields the buckets.
func (t *table) all(yield func(numbered) bool) {
	var b numbered
	for packed := t.packed; len(packed) > 0; {
		if b, packed = nextPacked(packed, b.number); !yield(b) {
			return
		}
	}
	for _, i := range t.used {
		if !yield(t.places[i]) {
			return
		}
	}
}

// list returns the buckets in the order of their numbers.
func (t *table) list() []numbered {
	list := make([]numbered, 0, len(t.used))
	for b := range t.all {
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	return list
}
