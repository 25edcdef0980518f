package forecast

import (
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Policy is what decides about a collection's documents, and what people
// call its parts.
type Policy struct {
	Evaluator policy.Evaluator
	// Raw, if not nil, decides as Evaluator does about BSON that nobody has
	// checked. It is believed, unless it calls a document malformed or words
	// need a look into what it found: then, as always without it, the document
	// is checked whole first.
	Raw RawEvaluator
	// Sources are the TTL sources by Decision.Source.
	Sources []Source
	// ID is the field that tells documents apart, "_id" or "id".
	ID string
}

// A RawEvaluator decides about BSON as it is stored.
type RawEvaluator interface {
	DecideBSON(doc []byte, now policy.Instant) policy.Decision
}

// A Source is one index, or one setting of a collection, that gives documents
// a deadline.
type Source struct {
	Name  string // "createdAt_1"
	Field string // the dotted path of the field it looks at, "createdAt"
	About string // the rest in words, "1 h after createdAt"
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
	// First and Last are the earliest and the latest deadline.
	First, Last Moment
	// Newest is the last deadline that has come, Next the first that has not.
	Newest, Next Moment
	// Sources counts by the source that decided.
	Sources []SourceTally
	// Findings are the rules that decided, in the order of their first
	// document.
	Findings  []Finding
	Histogram *Histogram
}

// A Sum is a number of documents and their size.
type Sum struct{ Documents, Bytes int64 }

func (s *Sum) add(t Sum) {
	s.Documents += t.Documents
	s.Bytes += t.Bytes
}

// A SourceTally is what one source does. Documents that several sources give a
// deadline count for the one whose deadline is the earliest.
type SourceTally struct{ Expired, Pending Sum }

// A Moment is a deadline and the first document that has it. The zero Moment
// is none.
type Moment struct {
	At     policy.Instant
	Sample Sample
	ok     bool
}

// Known reports whether there is such a deadline.
func (m Moment) Known() bool { return m.ok }

// A Sample is one document.
type Sample struct {
	// ID is its identifier in canonical Extended JSON, empty if it has none.
	// A long one is cut off and becomes a string that ends in an ellipsis.
	ID     string
	File   string // the input, see dump.File
	Offset int64  // where it begins there, in bytes of uncompressed input
}

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
	Samples []Sample // the first few
}

// Documents returns how many documents the finding is about.
func (f *Finding) Documents() int64 {
	return f.Expired.Documents + f.Pending.Documents + f.Never.Documents
}

// maxSamples is how many documents stand for a finding.
const maxSamples = 3
