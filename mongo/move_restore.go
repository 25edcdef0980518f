package mongo

import (
	"errors"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// firstClock is an instant before any clock of a release that bounds
// expireAfterSeconds by the seconds since 1970: 2019-01-01, before 4.2.
const firstClock policy.Instant = 1_546_300_800_000

// restore returns the move of an index that is created anew with this option.
// What firstClock refuses, a later clock may take: the refusal is told, as the
// graver outcome.
func (m *moving) restore(option policy.Value) Move {
	created, err := ValidateCreateIndexes(CollectionSpec{}, m.asCreated(option), m.arrival, firstClock)
	switch {
	case errors.Is(err, ErrUnspecified):
		return Move{Rule: ruleMoveUnspecified}
	case err != nil:
		return m.refused(err)
	}
	return m.arrive(created.Index.ExpireAfterSeconds)
}

// asCreated returns the index as mongodump writes it and mongorestore sends it.
func (m *moving) asCreated(option policy.Value) policy.D {
	x := m.stored
	x.ExpireAfterSeconds = option
	if x.Name == "" {
		x.Name = defaultName(x.Key)
	}
	x.Version, x.PrepareUnique, x.Clustered = policy.Value{}, false, false
	return x.Document()
}

// refused returns the move of an index that is not there afterwards.
func (m *moving) refused(why error) Move {
	move := Move{Effect: EffectKeeps, Rule: ruleMoveRefused, Refusal: why}
	switch {
	case m.before.failed.IsOpen():
		move.Effect = EffectUnspecified
	case m.before.isIdle():
		move.Effect = EffectNone
	}
	return move
}
