package mongo

import (
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// AppendExpired appends a bitmap of the dates that are expired at now, each the
// one key that the index holds of a document: of the words that it appends,
// dates[i] is bit i%64 of word i/64, and what is left of the last word is 0. It
// decides as [Index.DecideDate] does.
//
// Where the dates are sorted, as in the index itself, [Index.Bounds] saves
// looking at them.
func (x *Index) AppendExpired(bitmap []uint64, dates []policy.Instant, now policy.Instant) []uint64 {
	first, last, ok := x.Bounds(now)
	for ; len(dates) > 0; dates = dates[min(64, len(dates)):] {
		word := uint64(0)
		if ok {
			word = within(dates[:min(64, len(dates))], first, last)
		}
		bitmap = append(bitmap, word)
	}
	return bitmap
}

// within returns a bit for each of up to 64 dates that lies from first to last.
// The order of subtractions and shifts is such that nothing is branched on,
// which halves the time where expired and other documents are mixed.
func within(dates []policy.Instant, first, last policy.Instant) (word uint64) {
	span := uint64(last - first)
	for _, date := range dates {
		_, beyond := bits.Sub64(span, uint64(date-first), 0)
		word = word<<1 | beyond
	}
	return bits.Reverse64(^word) >> (64 - len(dates))
}

// CountDeadlines adds deadlines to a histogram: 1 to counts[b.Index(deadline)]
// for each of dates that has one, being the one key that the index holds of a
// document. It returns how many have none. counts has the length b.Len().
func (x *Index) CountDeadlines(counts []uint64, b policy.Buckets, dates []policy.Instant) (never uint64) {
	for _, date := range dates {
		d := x.DecideDate(date, 0)
		if d.State == policy.Never {
			never++
			continue
		}
		counts[b.Index(d.Deadline())]++
	}
	return never
}
