package mongo

import "fmt"

// A Profile names the TTL behaviours in which releases differ. Rules ask a
// Profile about one behaviour; nothing outside this file compares versions.
// Profiles compare with ==. Get one from [ProfileOf]; the zero Profile deletes
// nothing, because it reads no stored option.
type Profile struct {
	// Stored is how the monitor reads the expireAfterSeconds it finds.
	Stored StoredReading
	// Strict means that a date equal to the cutoff is not yet expired.
	Strict bool
	// Filters is the language of partialFilterExpression.
	Filters FilterLanguage
	// NullMatchesUndefined means that {f: null} matches an undefined f.
	NullMatchesUndefined bool
	// TypeInsideArrays means that $type looks at an array's elements only.
	TypeInsideArrays bool
	// Capped is what a TTL index on a capped collection does.
	Capped CappedMeaning
	// ExtendedRange is what happens to a time-series collection that holds
	// dates outside 1970 to 2038.
	ExtendedRange ExtendedRangeMeaning
}

// StoredReading is how a release reads a stored expireAfterSeconds.
type StoredReading uint8

// The readings. A whole number from 0 to 2147483647 means the same in all but
// the zero one.
const (
	StoredUnread     StoredReading = iota // no release: nothing is deleted
	StoredPlain                           // any number, converted as C does; NaN aborts the pass
	StoredConverted                       // any number, converted with care; NaN is 0
	StoredNaNOpen                         // as StoredConverted, but nobody has established NaN
	StoredNaNSkipped                      // NaN is skipped; other invalid numbers are not established
	StoredChecked                         // whatever is no valid number is skipped
)

// FilterLanguage is what a partialFilterExpression may say.
type FilterLanguage uint8

// The languages.
const (
	FiltersNone   FilterLanguage = iota // no partial indexes
	FiltersFlat                         // a conjunction of comparisons, $exists and $type
	FiltersNested                       // also $or, $in, geometry, and nesting
)

// CappedMeaning is what a TTL index on a capped collection does.
type CappedMeaning uint8

// The meanings.
const (
	CappedKeeps   CappedMeaning = iota // accepted, but every delete fails
	CappedOpen                         // refused at creation; one left from before is not established
	CappedDeletes                      // deletes like any other
)

// ExtendedRangeMeaning is what happens to a time-series collection that is
// flagged as holding dates outside 1970 to 2038.
type ExtendedRangeMeaning uint8

// The meanings.
const (
	ExtendedRangeSkipped ExtendedRangeMeaning = iota // the whole collection is skipped
	ExtendedRangeOpen                                // reported as fixed, not established
	ExtendedRangeDeletes                             // expires by the buckets' own bounds
)

// A step says from which release on a behaviour holds, up to the next step.
// Fixes were backported, so a behaviour may come, go and come again.
type step[T any] struct {
	since Version
	value T
}

// at returns the behaviour that steps give for v, the zero value before the
// first.
func at[T any](steps []step[T], v Version) (value T) {
	for _, s := range steps {
		if v.Compare(s.since) >= 0 {
			value = s.value
		}
	}
	return value
}

// The tables, each in ascending order of releases.
var (
	// SERVER-56676 and SERVER-68477 (https://jira.mongodb.org/browse/SERVER-68477).
	storedSteps = []step[StoredReading]{
		{Version{2, 2, 0}, StoredPlain},
		{Version{5, 0, 0}, StoredConverted},
		{Version{5, 0, 14}, StoredNaNSkipped},
		{Version{5, 1, 0}, StoredNaNOpen},
		{Version{6, 0, 0}, StoredConverted},
		{Version{6, 0, 2}, StoredNaNSkipped},
		{Version{7, 0, 0}, StoredChecked},
	}
	strictSteps = []step[bool]{
		{Version{2, 2, 0}, true},
		{Version{3, 2, 0}, false},
	}
	filterSteps = []step[FilterLanguage]{
		{Version{3, 2, 0}, FiltersFlat},
		{Version{6, 0, 0}, FiltersNested},
	}
	nullSteps = []step[bool]{
		{Version{2, 2, 0}, true},
		{Version{8, 0, 0}, false},
	}
	typeSteps = []step[bool]{
		{Version{2, 2, 0}, true},
		{Version{3, 6, 0}, false},
	}
	cappedSteps = []step[CappedMeaning]{
		{Version{2, 2, 0}, CappedKeeps},
		{Version{4, 9, 0}, CappedOpen},
		{Version{7, 1, 0}, CappedDeletes},
	}
	// SERVER-97368; the backport to 8.0.5 rests on third-party reports.
	extendedRangeSteps = []step[ExtendedRangeMeaning]{
		{Version{5, 0, 0}, ExtendedRangeSkipped},
		{Version{8, 0, 5}, ExtendedRangeOpen},
		{Version{8, 1, 0}, ExtendedRangeDeletes},
	}
)

// The releases that the tables describe: from oldest up to, not including,
// beyond.
var (
	oldest = Version{2, 2, 0}
	beyond = Version{8, 3, 0}
)

// ProfileOf returns the profile of a release from 2.2 to 8.2. For any other it
// returns an error that wraps [ErrUnknownVersion].
func ProfileOf(v Version) (Profile, error) {
	if v.Compare(oldest) < 0 || v.Compare(beyond) >= 0 {
		return Profile{}, fmt.Errorf("%w: %s is not from 2.2 to 8.2", ErrUnknownVersion, v)
	}
	return Profile{
		Stored:               at(storedSteps, v),
		Strict:               at(strictSteps, v),
		Filters:              at(filterSteps, v),
		NullMatchesUndefined: at(nullSteps, v),
		TypeInsideArrays:     at(typeSteps, v),
		Capped:               at(cappedSteps, v),
		ExtendedRange:        at(extendedRangeSteps, v),
	}, nil
}
