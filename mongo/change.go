package mongo

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A ChangeResult is what a change of a collection's definition does to its documents, for
// stores that remember deadlines. The zero ChangeResult is one of which nothing is known:
// all documents must be judged again.
//
// Experimental: it may change in a minor release.
type ChangeResult struct {
	// Effect is what the change may do to documents, in one release. [EffectNone]: every
	// document has the deadline that it had, or none as before. [EffectKeeps]: none has an
	// earlier one, so that remembered deadlines may stay until a sweep corrects them.
	// [EffectDeletes]: some may have an earlier one. [EffectUnspecified]: what
	// one of the definitions does is unspecified.
	Effect Effect
	// Bounded means that no deadline becomes earlier by more than Earlier. Otherwise a
	// document may be expired now whatever its deadline was, and if it had none.
	Bounded bool
	// Earlier is by how much deadlines become earlier at most, in whole milliseconds; 0
	// unless Bounded and [EffectDeletes]. A document whose remembered deadline
	// is later than now plus Earlier is not yet expired. One that had none, for which
	// [policy.MaxInstant] stands, has none before MaxInstant less Earlier.
	Earlier time.Duration
}

// AssessChange reports what becomes of the documents of a collection, in a release, when
// its definition is before and then after: by createIndexes, dropIndexes or collMod, say.
// It compares what deletes, not the commands: a raised delay, a dropped index, or a
// partial filter where there was none, expires nothing earlier; a lowered delay all its
// documents earlier by as much; an index on another field, or with another filter, any.
// Where it is in doubt, it says the worse. What the indexes and the collection say about
// anything else than expiry changes nothing.
//
// A sweep must decide again before it deletes, whatever the effect is. The error is that
// of [CompileCollection] for one of the definitions, and the result zero then.
//
// Experimental: it may change in a minor release.
func AssessChange(before, after CollectionSpec, p Profile) (ChangeResult, error) {
	from, err := changingOf(before, p)
	if err != nil {
		return ChangeResult{}, fmt.Errorf("before: %w", err)
	}
	to, err := changingOf(after, p)
	if err != nil {
		return ChangeResult{}, fmt.Errorf("after: %w", err)
	}
	if hasUnspecified(from, to) || hasUnspecified(to, from) {
		return ChangeResult{Effect: EffectUnspecified}, nil
	}
	earlier, bounded := advance(from, to)
	if !bounded {
		return ChangeResult{Effect: EffectDeletes}, nil
	}
	if earlier > 0 {
		return ChangeResult{EffectDeletes, true, time.Duration(earlier) * time.Millisecond}, nil
	}
	if later, bounded := advance(to, from); !bounded || later > 0 {
		return ChangeResult{Effect: EffectKeeps, Bounded: true}, nil
	}
	return ChangeResult{Effect: EffectNone, Bounded: true}, nil
}

// A changing is a source of one definition beside what it was compiled from.
type changing struct {
	source
	options policy.Value // of the collection
	stored  IndexSpec    // zero for the collection's own option
}

func changingOf(spec CollectionSpec, p Profile) (all []changing, err error) {
	c, err := CompileCollection(spec, p)
	if err != nil {
		return nil, err
	}
	var indexes []IndexSpec
	for _, x := range spec.Indexes {
		if !x.ExpireAfterSeconds.IsMissing() {
			indexes = append(indexes, x)
		}
	}
	if len(c.sources) > len(indexes) { // the collection's own option is the first
		indexes = append([]IndexSpec{{}}, indexes...)
	}
	options, _ := spec.Documents()
	for i, s := range c.sources {
		all = append(all, changing{s, options, indexes[i]})
	}
	return all, nil
}

// hasUnspecified reports whether one of the sources deletes what is unspecified, and is not
// the same in the other definition.
func hasUnspecified(sources, others []changing) bool {
	for i := range sources {
		s := &sources[i]
		if !s.isUnspecified() {
			continue
		}
		same := false
		for j := range others {
			same = same || s.isSame(&others[j])
		}
		if !same {
			return true
		}
	}
	return false
}

// isUnspecified reports whether it is unspecified what the source deletes.
func (s *changing) isUnspecified() bool {
	if s.series != nil {
		return s.series.failed.IsUnspecified() || s.series.boundWraps
	}
	return s.index.failed.IsUnspecified() || s.index.late.IsUnspecified()
}

// deletes reports whether the source gives any document a deadline.
func (s *changing) deletes() bool {
	if s.series != nil {
		return s.series.failed == nil
	}
	return !s.index.isIdle()
}

// delay returns by how many milliseconds a deadline follows what it is counted from, less
// what is the same in sources that cover each other.
func (s *changing) delay() delay {
	if s.series != nil {
		return s.series.delay
	}
	return s.index.delay
}

// advance returns by how many milliseconds deadlines by the sources to may be earlier than
// those by the sources from. It reports false if there is no such number, or if it is no
// [time.Duration].
func advance(from, to []changing) (earlier delay, bounded bool) {
	for i := range to {
		if !to[i].deletes() {
			continue
		}
		least, covered := delay(math.MaxInt64), false
		for j := range from {
			if from[j].covers(&to[i]) {
				least, covered = min(least, lead(from[j].delay(), to[i].delay())), true
			}
		}
		if !covered || least > delay(math.MaxInt64/time.Millisecond) {
			return 0, false
		}
		earlier = max(earlier, least)
	}
	return earlier, true
}

// lead returns how much one delay is shorter than another, 0 if it is not, and the
// greatest delay if that is more than 64 bits hold.
func lead(from, to delay) delay {
	switch d := from - to; {
	case from <= to:
		return 0
	case d < 0:
		return math.MaxInt64
	default:
		return d
	}
}

// covers reports whether s gives a deadline to every document to which other, of the same
// release, gives one, counted from the same instant.
func (s *changing) covers(other *changing) bool {
	switch {
	case s.isSame(other):
		return true
	case !s.deletes() || !other.deletes() || (s.series == nil) != (other.series == nil):
		return false
	case s.series != nil:
		return s.series.counts(other.series) && (!s.series.byIndex || s.series.metaField == other.series.metaField && s.hasFilterOf(other))
	}
	return s.index.counts(other.index) && (s.index.filter.IsAbsent() || s.hasFilterOf(other))
}

// counts reports whether an index takes the same dates of a document that it holds.
func (x *Index) counts(y *Index) bool {
	return x.late == nil && y.late == nil && x.clustered == y.clustered && record.Dotted(x.path) == record.Dotted(y.path) &&
		x.since == y.since && x.floor == y.floor && x.timestamps == y.timestamps && x.timestampsUnspecified == y.timestampsUnspecified
}

// counts reports whether a source takes the same times of buckets.
func (s *seriesSource) counts(o *seriesSource) bool {
	return s.byIndex == o.byIndex && s.time.Name == o.time.Name && s.rounding == o.rounding && s.span == o.span && s.flagged == o.flagged &&
		s.boundWraps == o.boundWraps
}

// hasFilterOf reports whether two indexes have one filter, as it is stored.
func (s *changing) hasFilterOf(other *changing) bool {
	return areStoredAlike(s.stored.PartialFilterExpression, other.stored.PartialFilterExpression) && areStoredAlike(s.stored.Collation, other.stored.Collation)
}

// isSame reports whether two sources are of one definition, as it is stored.
func (s *changing) isSame(other *changing) bool {
	return areStoredAlike(s.options, other.options) && areStoredAlike(policy.ObjectValue(s.stored.Document()), policy.ObjectValue(other.stored.Document()))
}

// areStoredAlike reports whether two values are the same bytes in BSON, which can hold them.
func areStoredAlike(v, w policy.Value) bool {
	a, errA := policy.AppendBSON(nil, policy.ObjectValue(catalog.WithoutMissing(policy.D{{Key: "v", Value: v}})))
	b, errB := policy.AppendBSON(nil, policy.ObjectValue(catalog.WithoutMissing(policy.D{{Key: "v", Value: w}})))
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
