package forecast

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A RawEvaluator decides about BSON as it is stored, which nobody has checked. The
// evaluator of a policy that is one is believed, unless it calls a document
// malformed or the reason depends on what was found: then the document is checked
// whole first, as always without it.
type RawEvaluator interface {
	DecideBSON(doc []byte, now policy.Instant) policy.Decision
}

// A Tally is what a policy does to the documents of a collection.
type Tally struct {
	Total   Sum
	Expired Sum
	Pending Sum
	Never   Sum
	// Bad counts what was skipped because it could not be read; it is not in
	// Total. FirstBad is the first of it.
	Bad      int64
	FirstBad error
	// ExpiredSpan and PendingSpan are where the deadlines that have come, and
	// those that have not, begin and end.
	ExpiredSpan, PendingSpan Span
	// Sources counts by the source that decided.
	Sources []SourceTally
	// Findings are the rules that decided, in the order of their first
	// document.
	Findings  []Finding
	Histogram *Histogram
}

// A Sum is a number of documents and their size.
type Sum struct {
	Documents int64 `json:"documents"`
	Bytes     int64 `json:"bytes"`
}

func (s *Sum) add(t Sum) {
	s.Documents += t.Documents
	s.Bytes += t.Bytes
}

// A SourceTally is what one source does. Documents that several sources give a
// deadline count for the one whose deadline is the earliest.
type SourceTally struct{ Expired, Pending Sum }

// A Span is the first and the last of some deadlines, if there are any.
type Span struct{ First, Last Moment }

// First returns the earliest deadline.
func (t *Tally) First() Moment {
	if t.ExpiredSpan.First.Known() {
		return t.ExpiredSpan.First
	}
	return t.PendingSpan.First
}

// Last returns the latest deadline.
func (t *Tally) Last() Moment {
	if t.PendingSpan.Last.Known() {
		return t.PendingSpan.Last
	}
	return t.ExpiredSpan.Last
}

// A Moment is a deadline and the first document that has it. The zero Moment
// is none.
type Moment struct {
	At     policy.Instant
	Sample dump.Sample
	ok     bool
}

// Known reports whether there is such a deadline.
func (m Moment) Known() bool { return m.ok }

// A Finding is one rule's share of the decisions.
type Finding struct {
	Rule   *policy.Rule // nil if the evaluator names none
	Source int
	// Kind is what was found in the source's field, if the documents never
	// expire and that is why.
	Kind policy.Kind
	Expired,
	Pending,
	Never Sum
	Samples []dump.Sample // the first few
}

// maxSamples is how many documents stand for a finding.
const maxSamples = 3
