package columns

import (
	"math"
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Items are the items of one container of Azure Cosmos DB, with _ts and ttl each in
// a column, in eight bytes an item. The zero Items hold none.
//
// The column of _ts holds the seconds from 1970 to 2106-02-07T06:28:15Z. An item whose
// timestamp lies outside, or is absent, never expires here; it reads back as the
// zero [cosmos.Item].
type Items struct {
	ts  []uint32
	ttl []int32
}

// Values of the ttl column, beside -1 for never and the seconds.
const (
	columnAbsent  = 0
	columnRefused = -2 // a ttl that the service refuses
	columnKept    = -3 // no timestamp, or none that fits
)

// Len returns the number of items.
func (c Items) Len() int { return len(c.ts) }

// Append appends an item.
func (c *Items) Append(item cosmos.Item) {
	ts, ttl := packed(item)
	c.ts, c.ttl = append(c.ts, ts), append(c.ttl, ttl)
}

// Slice returns the items from position i up to position j, which share memory with
// those of c.
func (c Items) Slice(i, j int) Items { return Items{c.ts[i:j:j], c.ttl[i:j:j]} }

// packed returns the values of an item in the two columns.
func packed(item cosmos.Item) (ts uint32, ttl int32) {
	n, ok := item.TS.Seconds()
	switch seconds, valid := item.TTL.Seconds(); {
	case !ok || n < 0 || n > math.MaxUint32:
		return 0, columnKept
	case valid:
		return uint32(n), int32(seconds)
	case item.TTL == cosmos.Never:
		return uint32(n), -1
	case item.TTL == (cosmos.TTL{}):
		return uint32(n), columnAbsent
	}
	return uint32(n), columnRefused
}

// Item returns item i, from 0 to Len()-1. A ttl that the service refuses reads
// back as another such ttl.
func (c Items) Item(i int) cosmos.Item {
	item := cosmos.Item{TS: cosmos.TimestampSeconds(int64(c.ts[i]))}
	switch ttl := c.ttl[i]; ttl {
	case columnKept:
		return cosmos.Item{}
	case columnAbsent:
	default:
		item.TTL = cosmos.TTLSeconds(int64(ttl))
	}
	return item
}

// AppendExpired appends a bitmap of the items that are expired at now: in the
// appended words, item i is bit i%64 of word i/64, and the rest of the last
// word is 0. It decides as [cosmos.Container.DecideItem] does, in half of the
// time.
func (c Items) AppendExpired(bitmap []uint64, by *cosmos.Container, now policy.Instant) []uint64 {
	second := int64(now) / 1000 // rounding up before 1970 does no harm, as no deadline lies there
	defaultSeconds, inBulk := defaultOf(by)
	for n := c.Len(); n > 0; n = c.Len() {
		part := c.Slice(0, min(64, n))
		c = c.Slice(part.Len(), n)
		if inBulk {
			bitmap = append(bitmap, expired(part.ts, part.ttl, defaultSeconds, second))
		} else {
			bitmap = append(bitmap, part.expired(by, now))
		}
	}
	return bitmap
}

// CountDeadlines adds the items' deadlines to a histogram: 1 to counts[b.Index(deadline)]
// for each item that has a deadline. It returns the number of items without a deadline.
// counts has the length b.Len().
func (c Items) CountDeadlines(counts []uint64, b Buckets, by *cosmos.Container) (never uint64) {
	if defaultSeconds, inBulk := defaultOf(by); inBulk {
		if unix, ok := inSeconds(b); ok {
			return count(counts, unix, c.ts, c.ttl, defaultSeconds)
		}
	}
	for i := range c.Len() {
		deadline, ok := by.DecideItem(c.Item(i), 0).Deadline()
		if !ok {
			never++
			continue
		}
		counts[b.Index(deadline)]++
	}
	return never
}

// defaultOf returns the seconds that an item without a ttl has in a container, 0 for
// none. It reports false for a container that ignores the ttl of items; the functions
// expired and count cannot decide about such a container.
func defaultOf(by *cosmos.Container) (seconds int64, ok bool) {
	written := cosmos.TimestampSeconds(0)
	own := by.DecideItem(cosmos.Item{TTL: cosmos.TTLSeconds(1), TS: written}, 0)
	if own.State == policy.Never {
		return 0, false
	}
	absent, expires := by.DecideItem(cosmos.Item{TS: written}, 0).Deadline()
	if !expires {
		return 0, true
	}
	return int64(absent) / 1000, true
}

// expired does the same as the function expired, for a container with any setting.
func (c Items) expired(by *cosmos.Container, now policy.Instant) (word uint64) {
	for i := range c.Len() {
		if by.DecideItem(c.Item(i), now).State == policy.Expired {
			word |= 1 << i
		}
	}
	return word
}

// The functions below expect 0 for defaultSeconds of a container without a default.
// They compute values that vary from item to item without branches, because
// processors would mispredict them. Neither function is inlined, because its loop
// needs every register. Each of the two measures doubles the speed.

// expired returns a bit for each of up to 64 items. The bit is 1 if the item is expired
// at the given second since 1970.
//
//go:noinline
func expired(ts []uint32, ttl []int32, defaultSeconds, second int64) (word uint64) {
	ttl = ttl[:len(ts)]
	for i := range ts {
		seconds := int64(ttl[i])
		if seconds == 0 {
			seconds = defaultSeconds
		}
		// The item stays if either operand is negative: the deadline is in the future, or
		// the seconds are less than 1.
		stays := (second - int64(ts[i]) - seconds) | (seconds - 1)
		word = word<<1 | uint64(stays)>>63
	}
	return bits.Reverse64(^word) >> (64 - len(ts))
}

// unixBuckets are Buckets for whole seconds since 1970. They save the loop of
// count a third of the instructions of Buckets.
type unixBuckets struct {
	start  int64 // one width before the first bucket
	span   int64 // from start to just after the last bucket
	factor uint64
}

// inSeconds returns b for whole seconds. It reports false if b is so wide that a
// multiplication by factor/2^64 would not be an exact division by the width.
func inSeconds(b Buckets) (by unixBuckets, ok bool) {
	first, end := b.Start(1), b.Start(b.Len()-1)
	width := int64(b.Start(2)-first) / 1000
	if width <= 0 {
		return by, false // the zero Buckets
	}
	by.span = int64(end-first)/1000 + width
	by.start = int64(first)/1000 - width
	if first%1000 > 0 {
		by.start++ // the first whole second within that width
	}
	by.factor = math.MaxUint64/uint64(width) + 1
	high, _ := bits.Mul64(uint64(by.span), uint64(width))
	return by, high == 0 && width > 1
}

// count is CountDeadlines for a container for which defaultOf reports true.
//
//go:noinline
func count(counts []uint64, by unixBuckets, ts []uint32, ttl []int32, defaultSeconds int64) uint64 {
	ttl = ttl[:len(ts)]
	var never int64
	for i := range ts {
		seconds := int64(ttl[i])
		if seconds == 0 {
			seconds = defaultSeconds
		}
		// stays is -1 if the item has no deadline, else 0. The loop counts such items
		// behind the last bucket; after the loop they are subtracted.
		stays := (seconds - 1) >> 63
		never -= stays
		offset := max(int64(ts[i])+seconds-by.start, 0) | int64(uint64(stays)>>1)
		bucket, _ := bits.Mul64(uint64(min(offset, by.span)), by.factor)
		counts[bucket]++
	}
	last, _ := bits.Mul64(uint64(by.span), by.factor)
	counts[last] -= uint64(never)
	return uint64(never)
}
