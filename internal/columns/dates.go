package columns

import (
	"math/bits"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Dates are index keys of MongoDB in a column: for each document its only key in
// the index, which is a date.
type Dates []policy.Instant

// AppendExpired appends a bitmap of the documents that are expired at now: in the
// appended words, document i is bit i%64 of word i/64, and the rest of the last
// word is 0. It decides as [mongo.Index.DecideKey] does.
//
// If the keys are sorted, as in the index itself, use [mongo.Index.Bounds], which does
// not read each key.
func (d Dates) AppendExpired(bitmap []uint64, by *mongo.Index, now policy.Instant) []uint64 {
	bounds := by.Bounds(now)
	for ; len(d) > 0; d = d[min(64, len(d)):] {
		word := uint64(0)
		if !bounds.IsEmpty() {
			word = d[:min(64, len(d))].within(bounds)
		}
		bitmap = append(bitmap, word)
	}
	return bitmap
}

// within returns a bit for each of up to 64 dates that lies within bounds, which
// are not empty. The subtractions and shifts avoid branches, which halves the time
// if expired and other documents are mixed.
func (d Dates) within(bounds mongo.Bounds) (word uint64) {
	from, span := bounds.From(), uint64(bounds.To()-bounds.From())
	for _, date := range d {
		_, beyond := bits.Sub64(span, uint64(date-from), 0)
		word = word<<1 | beyond
	}
	return bits.Reverse64(^word) >> (64 - len(d))
}

// CountDeadlines adds the documents' deadlines to a histogram: 1 to
// counts[b.Index(deadline)] for each document that has a deadline. It returns the number
// of documents without a deadline. counts has the length b.Len().
func (d Dates) CountDeadlines(counts []uint64, b Buckets, by *mongo.Index) (never uint64) {
	return countDecisions(counts, b, len(d), func(i int) policy.Decision { return by.DecideKey(d[i], 0) })
}

// countDecisions is CountDeadlines for the n decisions that decide returns.
func countDecisions(counts []uint64, b Buckets, n int, decide func(i int) policy.Decision) (never uint64) {
	for i := range n {
		deadline, ok := decide(i).Deadline()
		if !ok {
			never++
			continue
		}
		counts[b.Index(deadline)]++
	}
	return never
}
