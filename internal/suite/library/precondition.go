package library

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
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
		r.definition = cmp.Or(r.definition, CheckPrecondition(q))
		r.item = cmp.Or(r.item, checkWith(q, question.storeItem))
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

// A question has methods that make the state which it presumes, by the commands of the
// database.
type question struct{ questions.Question }

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

// CheckPrecondition returns an error if no command of the release, as this library knows
// it, makes the definitions that q presumes. It returns nil if the sources leave that
// unspecified. Only systems that claim "stale-catalog" or "state" are asked such a
// question.
func CheckPrecondition(q conformance.Question) error {
	return checkWith(q, question.define)
}

// checkWith returns the refusal of a check, with the target.
func checkWith(q conformance.Question, check func(question) error) error {
	in, err := q.Input()
	if err == nil {
		err = check(question{questions.Question{Input: questions.Input(in), Op: q.Op, Target: targetOf(q.Target)}})
	}
	if err == nil || errors.Is(err, policy.ErrUnspecified) {
		return nil
	}
	return fmt.Errorf("on %s: %w", q.Target, err)
}

// define runs the commands that bring about the definitions which a question presumes,
// and returns the first refusal. A question presumes Indexes or Existing, or neither.
func (q question) define() error {
	indexes := append(slices.Clip(q.Indexes), q.Existing...)
	switch {
	case q.Steps != nil: // a history begins with nothing
		return nil
	case q.Op == "cosmos.validateContainer":
		return createContainer(q.Previous)
	case conformance.SystemOf(q.Op) == conformance.MongoDB, conformance.SystemOf(q.Op) == conformance.DocumentDB:
		return q.createCollection(indexes)
	case conformance.SystemOf(q.Op) == conformance.CosmosMongo:
		return q.createIndexes(indexes)
	}
	return createContainer(&q.Container)
}

// createCollection creates a collection, then its indexes one after another, at the time of
// the question's clock.
func (q question) createCollection(indexes []policy.D) error {
	profile, err := q.Target.Profile()
	if err != nil {
		return err
	}
	spec := mongo.CollectionSpec{}
	if q.Collection != nil {
		if spec, err = q.createWithOptions(profile); err != nil {
			return err
		}
	}
	for _, x := range indexes {
		made, err := command.ValidateCreateIndexes(spec, command.WithDefaultName(x), profile, q.Now)
		if err != nil {
			return err
		}
		spec.Indexes = append(spec.Indexes, made.Index)
	}
	return nil
}

// createWithOptions creates a collection with the options of the question. The release
// must store the options as the question has them.
func (q question) createWithOptions(profile mongo.Profile) (spec mongo.CollectionSpec, err error) {
	if b, _ := q.Collection.Field("requiresExtendedRangeSupport").AsBool(); b {
		return spec, errors.New("no command sets requiresExtendedRangeSupport")
	}
	made, err := command.ValidateCreate(CreateCommand(q.Collection), profile, q.Now)
	if err != nil {
		return spec, err
	}
	spec = made
	given := q.Collection.Field("expireAfterSeconds")
	if stored := spec.ExpireAfterSeconds; !given.IsMissingOrNull() && !isSameNumber(given, stored) {
		return spec, fmt.Errorf("expireAfterSeconds %s is stored as %s", given, stored)
	}
	return spec, nil
}

// isSameNumber reports whether two values are the same whole number of seconds,
// and neither was rounded.
func isSameNumber(given, stored policy.Value) bool {
	n, ok := mongofunc.WholeSeconds(stored)
	if f, isDouble := given.AsDouble(); isDouble {
		return ok && f == float64(n)
	}
	m, isInteger := given.AsInt64()
	return ok && isInteger && m == n
}

// CreateCommand returns the create command that makes a collection with the options
// of a question, without its name: the empty command if there are no options. A capped
// collection gets a size, which create wants and listCollections shows.
func CreateCommand(options policy.D) (command policy.D) {
	for _, e := range options {
		if e.Key != "ns" && e.Key != "requiresExtendedRangeSupport" {
			command = append(command, e)
		}
	}
	if spec, err := questions.CollectionSpec(options, nil); err == nil && spec.Capped && !spec.Clustered {
		command = append(command, policy.E{Key: "size", Value: policy.Int32Value(4096)})
	}
	return command
}

// createContainer creates a container, unless settings is nil.
func createContainer(settings *policy.JSON) error {
	if settings == nil {
		return nil
	}
	spec, err := questions.ContainerSpec("container", *settings)
	if err == nil {
		_, _, err = cosmos.ValidateContainer(spec, nil)
	}
	return err
}

// createIndexes creates indexes through the API for MongoDB.
func (q question) createIndexes(indexes []policy.D) error {
	spec, err := q.CosmosCollection("indexes", indexes)
	if err != nil {
		return err
	}
	all := spec.Indexes
	for i, x := range all {
		spec.Indexes = all[:i]
		if err := cosmos.ValidateCreateIndexes(spec, x); err != nil {
			return err
		}
	}
	return nil
}

// storeItem stores the item of the question, and returns the refusal. A question
// that validates an item does not presume one.
func (q question) storeItem() error {
	if q.Op != "cosmos.decide" {
		return nil
	}
	spec, err := questions.ContainerSpec("container", q.Container)
	if err != nil {
		return err
	}
	return cosmos.ValidateItem(spec, &q.Item)
}
