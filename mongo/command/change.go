package command

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/compiled"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A ChangeResult is the effect of a change of a collection's definition on its documents,
// for stores that keep deadlines. The zero ChangeResult means that nothing is known:
// decide about all documents again.
//
// Experimental: it may change in a minor release.
type ChangeResult struct {
	// Effect says how the change may move deadlines, in one release. [EffectNone]: every
	// document keeps its deadline, or stays without one. [EffectKeeps]: no deadline
	// becomes earlier, so stored deadlines may stay until a sweep corrects them.
	// [EffectDeletes]: some deadlines may become earlier. [EffectUnspecified]: the effect
	// of one of the definitions is unspecified.
	Effect Effect
	// Bounded means that no deadline becomes earlier by more than Earlier. Otherwise any
	// document may be expired now, even one without a deadline before.
	Bounded bool
	// Earlier is the most by which a deadline becomes earlier, in whole milliseconds; 0
	// unless Bounded and [EffectDeletes]. A document whose stored deadline is later than
	// now plus Earlier has not expired yet. A document without a deadline counts as one
	// with the deadline [policy.MaxInstant]: its deadline after the change is not before
	// MaxInstant less Earlier.
	Earlier time.Duration
}

// AssessChange reports the effect on a collection's documents, in a release, of changing
// its definition from before to after, for example by createIndexes, dropIndexes or
// collMod. It compares the TTL sources, not the commands. A raised delay, a dropped
// index, or a new partial filter on an index makes no deadline earlier. A lowered delay
// makes all deadlines of its index earlier by the difference. An index on another field,
// or with another filter, may make any deadline earlier. In doubt, AssessChange reports
// the worse effect. Options that play no part in expiry make no difference.
//
// A sweep must decide again before it deletes, whatever the effect is. The error comes from
// [mongo.CompileCollection] for one of the definitions; the result is then zero.
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

// A changing is a TTL source of one definition, with the specification from which it was
// compiled.
type changing struct {
	compiled.Source
	options policy.Value    // options of the collection
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
	sources := mongofunc.Sources(c)
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
	return slices.ContainsFunc(sources, func(s changing) bool {
		return s.IsUnspecified() && !slices.ContainsFunc(others, func(other changing) bool { return s.isSame(&other) })
	})
}

// advance returns the number of milliseconds by which deadlines may become earlier when
// the second sources replace the first. It reports false if there is no bound, or if a
// [time.Duration] cannot hold it.
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

// lead returns the number of milliseconds by which the second delay is shorter than the
// first. It returns 0 if the second is not shorter, and the greatest int64 if the
// difference does not fit 64 bits.
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

// covers reports whether s gives a deadline to every document to which other gives a
// deadline, in the same release and counted from the same instant.
func (s *changing) covers(other *changing) bool {
	if s.isSame(other) {
		return true
	}
	return s.Deletes && other.Deletes && s.CountsAs(&other.Source) && (!s.Filtered || s.hasFilterOf(other))
}

// hasFilterOf reports whether two indexes store the same filter.
func (s *changing) hasFilterOf(other *changing) bool {
	return areStoredAlike(s.stored.PartialFilterExpression, other.stored.PartialFilterExpression) && areStoredAlike(s.stored.Collation, other.stored.Collation)
}

// isSame reports whether two sources have the same stored definition.
func (s *changing) isSame(other *changing) bool {
	return areStoredAlike(s.options, other.options) && areStoredAlike(policy.ObjectValue(s.stored.Document()), policy.ObjectValue(other.stored.Document()))
}

// areStoredAlike reports whether two storable values are the same bytes in BSON.
func areStoredAlike(v, w policy.Value) bool {
	a, errA := policy.AppendBSON(nil, policy.ObjectValue(catalog.WithoutMissing(policy.D{{Key: "v", Value: v}})))
	b, errB := policy.AppendBSON(nil, policy.ObjectValue(catalog.WithoutMissing(policy.D{{Key: "v", Value: w}})))
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
