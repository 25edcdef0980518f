package change

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Move is the move of a collection from one release to another. A Move has no commands.
type Move struct {
	From, To catalog.Stop
	By       moves.Operation
}

// MovesTo returns the moves from a release to each release of list. An upgrade or a
// downgrade takes the data files through the releases of list in order, so that there is
// also a move to each release from the preceding release.
func MovesTo(from catalog.Stop, list []catalog.Stop, by moves.Operation) (all [][]Move) {
	move := func(from, to catalog.Stop) Move {
		switch {
		case by != moves.Upgrade && by != 0:
			return Move{from, to, by}
		case to.Release.Compare(from.Release) < 0:
			return Move{from, to, moves.Downgrade}
		}
		return Move{from, to, moves.Upgrade}
	}
	for i, to := range list {
		one := []Move{move(from, to)}
		if i > 0 && (one[0].By == moves.Upgrade || one[0].By == moves.Downgrade) {
			one = append(one, move(list[i-1], to))
		}
		all = append(all, one)
	}
	return all
}

// An Arrival is the result of a move for a collection.
type Arrival struct {
	// Index is the result of the move for the collection's index; nil if the move does
	// not affect the index.
	Index *moves.Move
	// The field There is the collection at the destination. It is nil if the destination
	// cannot hold the collection; Err is then the reason.
	There *mongo.Collection
	Err   error
	// Before and After are the rules by which the collection deletes nothing, before and
	// after the move; nil if it may delete documents.
	Before, After policy.Rule
	// Stored is the collection as the destination stores it, from which the next move
	// begins.
	Stored mongo.CollectionSpec
}

// Take returns the result of the move for a collection with one index, or with only its
// own option.
func (m Move) Take(alone mongo.CollectionSpec) (a Arrival) {
	a.Stored = alone
	if len(alone.Indexes) == 1 && !alone.Indexes[0].Clustered {
		move, err := moves.Assess(alone.Indexes[0], m.From.Profile, m.To.Profile, m.By)
		if err == nil {
			option := move.Repaired
			if option.IsMissing() {
				option = move.Arrives
			}
			if move.Effect != moves.EffectNone || move.Refusal != nil {
				a.Index = &move
			}
			if a.Index != nil || !option.IsMissing() {
				a.Stored = withOption(alone, option)
			}
		}
	}
	if here, err := mongo.CompileCollection(alone, m.From.Profile); err == nil {
		a.Before = IdleRule(here)
	}
	if a.There, a.Err = mongo.CompileCollection(a.Stored, m.To.Profile); a.Err == nil {
		a.After = IdleRule(a.There)
	}
	return a
}

// withOption returns a collection whose only index has this option.
func withOption(alone mongo.CollectionSpec, option policy.Value) mongo.CollectionSpec {
	x := alone.Indexes[0]
	x.ExpireAfterSeconds = option
	alone.Indexes = []mongo.IndexSpec{x}
	return alone
}

// IdleRule returns the rule by which a collection deletes no document at all; zero if it
// may delete documents.
func IdleRule(c *mongo.Collection) policy.Rule {
	rule := c.Decide(policy.D{}, 0).Rule
	if reasons.IsIdle(rule) {
		return rule
	}
	return policy.Rule{}
}
