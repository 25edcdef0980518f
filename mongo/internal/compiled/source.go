// Package compiled is what comparisons of definitions ask of a compiled TTL source: an index,
// or the option of a collection itself.
package compiled

import (
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/filter"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Source is a compiled TTL source, as far as two of them are compared.
type Source struct {
	Basis Basis
	// Delay is by how many milliseconds a deadline follows what it is counted from, less
	// what is the same for sources of one Basis.
	Delay int64
	// Strict means that the deadline is one millisecond later.
	Strict bool
	// Deletes means that some document has a deadline by the source.
	Deletes bool
	// Failed is the rule by which the source deletes nothing, and Late the one by which it
	// keeps everything after some clock; nil if there is none.
	Failed, Late *policy.Rule
	// Filter is that of an index. Filtered means that documents outside it have no deadline.
	Filter   filter.Filter
	Filtered bool
}

// A Basis is what the deadlines of a source are counted from. Two sources of one Basis count
// from the same instant of a document. Bases compare with ==.
type Basis struct {
	Path                              string // of the date, or the name of the time field
	Since                             policy.Instant
	Floor                             *policy.Rule
	Timestamps, TimestampsUnspecified bool
	Clustered                         bool

	// Of a time-series collection: whether the scan is of an index, and what buckets are.
	Series, ByIndex, Flagged, BoundWraps bool
	MetaField                            string // if the scan is of an index
	Rounding, Span                       int64  // in milliseconds
}

// IsUnspecified reports whether it is unspecified what the source deletes.
func (s *Source) IsUnspecified() bool {
	return s.Failed.IsUnspecified() || s.Late.IsUnspecified() || s.Basis.BoundWraps
}

// Lag returns how many milliseconds after its date a document is expired.
func (s *Source) Lag() int64 {
	if s.Strict {
		return s.Delay + 1
	}
	return s.Delay
}

// CountsAs reports whether s counts from the same instant of a document as other does, which
// is of the same release.
func (s *Source) CountsAs(other *Source) bool {
	return s.Basis == other.Basis && s.Late == nil && other.Late == nil
}
