package library

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The features by which a vector says that no command brings about the state
// that it presumes. A database under test can get into that state only by other
// means, if at all.
const (
	featureStale = "stale-catalog" // definitions that an upgrade leaves behind
	featureState = "state"         // states that no command brings about
	featureAny   = "any-document"  // documents that the database refuses
	featureClock = "unusual-clock" // clocks outside the range below
)

// The clock of a question lies between these two instants, which are the first and the
// last millisecond of the years 2000 to 2099. Only the clock of a vector that needs
// "unusual-clock" may lie outside.
const (
	FirstUsualClock policy.Instant = 946_684_800_000
	LastUsualClock  policy.Instant = 4_102_444_799_999
)

// CheckPreconditions asks this library, for each release about which a vector is asked,
// whether commands bring about the state that its question presumes: the collection with
// its options and indexes, the container, the item, the clock. If the library refuses any
// of them, the vector must say so in its "needs", so that systems that create the state by
// commands are not asked; and a vector that says so must be refused somewhere. The error
// joins a [*suite.Problem] for each vector that breaks this rule. An unspecified outcome
// does not count as a refusal.
func CheckPreconditions(s *suite.Suite) error {
	checks, err := s.Plan(Claims(s))
	if err != nil {
		return err
	}
	refusals := map[*suite.Vector]*refusal{}
	for _, c := range checks {
		r := refusals[c.Vector]
		if r == nil {
			r = new(refusal)
			refusals[c.Vector] = r
		}
		q := conformance.Question{Op: c.Vector.Op, Target: c.Target, In: c.Vector.In}
		r.definition = cmp.Or(r.definition, answers.CheckPrecondition(q))
		r.item = cmp.Or(r.item, answers.CheckItem(q))
	}
	var found []error
	for _, v := range s.Vectors {
		if r := refusals[v]; r != nil {
			if text := r.differsFrom(v); text != "" {
				found = append(found, &suite.Problem{Place: v.At, Text: text})
			}
		}
	}
	return errors.Join(found...)
}

// A refusal holds the first refusal of a definition, and the first of an item,
// that a vector presumes.
type refusal struct{ definition, item error }

// differsFrom says how the needs of v differ from the refusals, "" if they do
// not.
func (r refusal) differsFrom(v *suite.Vector) string {
	needs := func(features ...string) bool {
		return slices.ContainsFunc(features, func(f string) bool { return slices.Contains(v.Needs, f) })
	}
	now, timed := v.Clock()
	unusual := timed && (now < FirstUsualClock || now > LastUsualClock)
	switch stale := needs(featureStale, featureState); {
	case unusual && !needs(featureClock):
		return fmt.Sprintf("the clock of %s is %s, before 2000 or after 2099: add %q to \"needs\"", v.ID, now, featureClock)
	case !unusual && needs(featureClock):
		return fmt.Sprintf("the clock of %s is not before 2000 or after 2099: remove %q from \"needs\"", v.ID, featureClock)
	case r.definition != nil && !stale:
		return fmt.Sprintf("no command brings about what %s presumes %v; change what it presumes, or add %q or %q to \"needs\"", v.ID, r.definition, featureStale, featureState)
	case r.definition == nil && stale:
		return fmt.Sprintf("%s has %q or %q in \"needs\", but commands bring about what it presumes on every release that it is asked about; remove the feature", v.ID, featureStale, featureState)
	case r.item != nil && !needs(featureAny):
		return fmt.Sprintf("the item of %s cannot be stored %v; change the item, or add %q to \"needs\"", v.ID, r.item, featureAny)
	}
	return ""
}
