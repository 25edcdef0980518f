package forecast

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
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
	h.width = given
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

func (h *Histogram) setLevel(level int) { h.level, h.width = level, levels[level] }

// add adds c, the count of one deadline, to the bucket of the deadline.
func (h *Histogram) add(at policy.Instant, c Count) { h.place(h.width.index(at), c) }

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
	fine, old := h.width, slices.Clone(h.table.buckets())
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
	for _, b := range u.table.buckets() {
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

// A table maps the numbers of up to MaxBuckets buckets to their counts. It keeps its memory when
// it is reset. The zero table is empty.
type table struct {
	list   []numbered
	at     map[int64]int32 // the positions in list; nil after [Load.Take], until the next addition
	packed []byte          // the whole content after [Load.Take], until the next addition
}

// numbered is a bucket and its number.
type numbered struct {
	number int64
	Count
}

// add adds c to a bucket. If there is no room for another bucket, add changes nothing and returns
// false.
func (t *table) add(number int64, c Count) bool {
	if t.at == nil {
		t.list, t.packed = t.buckets(), nil
		t.at = make(map[int64]int32, len(t.list))
		for i, b := range t.list {
			t.at[b.number] = int32(i)
		}
	}
	i, ok := t.at[number]
	if !ok {
		if len(t.list) == MaxBuckets {
			return false
		}
		i = int32(len(t.list))
		t.at[number], t.list = i, append(t.list, numbered{number: number})
	}
	t.list[i].add(c)
	return true
}

func (t *table) reset() {
	t.list, t.packed = t.list[:0], nil
	clear(t.at)
}

// pack stores each bucket in a few bytes, because a report may hold thousands of histograms.
func (t *table) pack() {
	var packed []byte
	for _, b := range t.sorted() {
		for _, n := range [...]int64{b.number, b.Expired, b.Pending, b.Bytes} {
			packed = binary.AppendVarint(packed, n)
		}
	}
	*t = table{packed: slices.Clip(packed)}
}

// buckets returns the buckets in any order.
func (t *table) buckets() []numbered {
	list := t.list
	for packed := t.packed; len(packed) > 0; {
		var b numbered
		for _, to := range [...]*int64{&b.number, &b.Expired, &b.Pending, &b.Bytes} {
			n, size := binary.Varint(packed)
			*to, packed = n, packed[size:]
		}
		list = append(list, b)
	}
	return list
}

// sorted returns the buckets in the order of their numbers.
func (t *table) sorted() []numbered {
	return slices.SortedFunc(slices.Values(t.buckets()), func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
}

// A histogramJSON is the form of a histogram in parts of a forecast.
type histogramJSON struct {
	Width   string         `json:"width"`
	Given   bool           `json:"given,omitempty"`
	Now     policy.Instant `json:"now"`
	Before  Count          `json:"before"`
	After   Count          `json:"after"`
	Buckets [][4]int64     `json:"buckets"` // the number of each, and the expired, pending and bytes of its Count
}

// MarshalJSON returns the counts of h, which must not have the buckets of a period.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	out := histogramJSON{h.width.String(), h.given, h.now, h.before, h.after, [][4]int64{}}
	for _, b := range h.table.sorted() {
		out.Buckets = append(out.Buckets, [4]int64{b.number, b.Expired, b.Pending, b.Bytes})
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Histogram) UnmarshalJSON(text []byte) error {
	var in histogramJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	width, err := ParseWidth(in.Width)
	level := slices.Index(levels, width)
	switch {
	case err != nil:
		return err
	case in.Given:
		*h = *newHistogram(width, Period{}, in.Now)
	case level < 0 || len(in.Buckets) > MaxBuckets:
		return fmt.Errorf("a histogram cannot have %d buckets of %s", len(in.Buckets), in.Width)
	default:
		*h = *newHistogram(Width{}, Period{}, in.Now)
		h.setLevel(level)
	}
	h.before, h.after = in.Before, in.After
	for _, b := range in.Buckets {
		if width.index(width.start(b[0])) != b[0] {
			return fmt.Errorf("there is no bucket %d of %s", b[0], in.Width)
		}
		h.place(b[0], Count{b[1], b[2], b[3]})
	}
	return nil
}
