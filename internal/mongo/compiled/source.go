// Package compiled describes a compiled TTL source, an index or a collection's own option,
// for comparisons of definitions.
package compiled

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Source holds the properties of a compiled TTL source by which two sources
// are compared.
type Source struct {
	Basis Basis
	// Delay is the number of milliseconds from the start of counting to a deadline,
	// without the part that is equal for all sources of the same Basis.
	Delay int64
	// Strict means that the deadline is one millisecond later.
	Strict bool
	// Deletes means that some document has a deadline by the source.
	Deletes bool
	// Failed is the rule by which the source deletes nothing, and Late the rule by which
	// it keeps everything after some clock. Each is zero if there is no such rule.
	Failed, Late policy.Rule
	// Filter is the filter of an index. Filtered means that documents outside it have no
	// deadline.
	Filter   filter.Filter
	Filtered bool
}

// A Basis is the start from which the deadlines of a source count. Two sources of the
// same Basis count from the same date in a document. Bases compare with ==.
type Basis struct {
	Path                              string // the path of the date, or the name of the time field
	Since                             policy.Instant
	Floor                             policy.Rule
	Timestamps, TimestampsUnspecified bool
	Clustered                         bool

	// Series is true for a source of a time-series collection. ByIndex means that its
	// scan uses an index; Flagged and BoundWraps affect the treatment of buckets.
	Series, ByIndex, Flagged, BoundWraps bool
	MetaField                            string // the meta field, if ByIndex is true
	Rounding, Span                       int64  // in milliseconds
	Rounds                               uint8  // whether times are rounded
}

// IsUnspecified reports whether the effect of the source is unspecified.
func (s *Source) IsUnspecified() bool {
	return s.Failed.IsUnspecified() || s.Late.IsUnspecified() || s.Basis.BoundWraps
}

// Lag returns the number of milliseconds from the date of a document to its deadline.
func (s *Source) Lag() int64 {
	if s.Strict {
		return s.Delay + 1
	}
	return s.Delay
}
