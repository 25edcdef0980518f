package command

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/compiled"
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
// In doubt, it reports the worse effect. Options that play no part in expiry make no
// difference.
//
// A sweep must decide again before it deletes, whatever the effect is. The error is that
// of [mongo.CompileCollection] for one of the definitions, and the result zero then.
//
// Experimental: it may change in a minor release.
func AssessChange(before, after mongo.CollectionSpec, p mongo.Profile) (ChangeResult, error) {
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
	compiled.Source
	options policy.Value    // of the collection
	stored  mongo.IndexSpec // zero for the collection's own option
}

func changingOf(spec mongo.CollectionSpec, p mongo.Profile) (all []changing, err error) {
	c, err := mongo.CompileCollection(spec, p)
	if err != nil {
		return nil, err
	}
	var indexes []mongo.IndexSpec
	for _, x := range spec.Indexes {
		if !x.ExpireAfterSeconds.IsMissing() {
			indexes = append(indexes, x)
		}
	}
	sources := compiledSources(c)
	if len(sources) > len(indexes) { // the collection's own option is the first
		indexes = append([]mongo.IndexSpec{{}}, indexes...)
	}
	options, _ := spec.Documents()
	for i, s := range sources {
		all = append(all, changing{s, options, indexes[i]})
	}
	return all, nil
}

// hasUnspecified reports whether one of the sources has an unspecified effect and differs
// from all sources of the other definition.
func hasUnspecified(sources, others []changing) bool {
	for i := range sources {
		s := &sources[i]
		if !s.IsUnspecified() {
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

// advance returns by how many milliseconds deadlines by the sources to may be earlier than
// those by the sources from. It reports false if there is no such number, or if it is no
// [time.Duration].
func advance(from, to []changing) (earlier int64, bounded bool) {
	for i := range to {
		if !to[i].Deletes {
			continue
		}
		least, covered := int64(math.MaxInt64), false
		for j := range from {
			if from[j].covers(&to[i]) {
				least, covered = min(least, lead(from[j].Delay, to[i].Delay)), true
			}
		}
		if !covered || least > math.MaxInt64/int64(time.Millisecond) {
			return 0, false
		}
		earlier = max(earlier, least)
	}
	return earlier, true
}

// lead returns how much one delay is shorter than another, 0 if it is not, and the
// greatest delay if that is more than 64 bits hold.
func lead(from, to int64) int64 {
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
	if s.isSame(other) {
		return true
	}
	return s.Deletes && other.Deletes && s.CountsAs(&other.Source) && (!s.Filtered || s.hasFilterOf(other))
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
