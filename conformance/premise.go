package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The features by which a vector says that its premise cannot be brought about:
// a database under test can be put into it by other means only, if at all.
const (
	featureStale = "stale-catalog" // definitions that an upgrade leaves behind
	featureState = "state"         // states that no command brings about
	featureAny   = "any-document"  // documents that the database refuses
	featureClock = "unusual-clock" // clocks outside the range below
)

// The clock of a question lies between these, which are the first and the last
// millisecond of the years 2000 to 2099, unless its vector needs "unusual-clock".
const (
	FirstUsualClock policy.Instant = 946_684_800_000
	LastUsualClock  policy.Instant = 4_102_444_799_999
)

// CheckPremises asks this library, for each release that a vector is probed at,
// whether commands bring about what its question presumes: the collection with
// its options and each index of it, the container, the item, the clock. A vector whose
// premise is refused must say so in its "needs", so that a system that sets up
// what it is asked about is not asked; and one that says so must be refused
// somewhere. The error joins the vectors for which that is not so, each a
// [*Problem]. An outcome that the sources leave open refuses nothing.
func (s *Suite) CheckPremises() error {
	var found problems
	for _, v := range s.Vectors {
		if v.Status != Retired {
			s.checkPremise(v, &found)
		}
	}
	return errors.Join(found.sorted()...)
}

func (s *Suite) checkPremise(v *Vector, found *problems) {
	needs := func(features ...string) bool {
		return slices.ContainsFunc(features, func(f string) bool { return slices.Contains(v.Needs, f) })
	}
	var stands, fits error // the first refusal of a definition, and of a document
	for _, p := range s.probes(v, claim{known: s.releases[SystemOf(v.Op)].all}) {
		q := Question{v.Op, p.Target, v.In}
		stands = cmp.Or(stands, q.CheckPremise())
		fits = cmp.Or(fits, q.refusal(q.store()))
	}
	now, timed := v.now()
	unusual := timed && (now < FirstUsualClock || now > LastUsualClock)
	switch stale := needs(featureStale, featureState); {
	case unusual != needs(featureClock):
		found.add(v.at, "the clock of %s stands at %s: %q in \"needs\" goes with one before 2000 or after 2099, and with no other", v.ID, now, featureClock)
	case stands != nil && !stale:
		found.add(v.at, "no command brings about what %s presumes %v; give it another premise, or %q or %q in \"needs\"", v.ID, stands, featureStale, featureState)
	case stands == nil && stale:
		found.add(v.at, "%s has %q or %q in \"needs\", but commands bring about what it presumes on every release that it is asked about; take it out", v.ID, featureStale, featureState)
	case fits != nil && !needs(featureAny):
		found.add(v.at, "the item of %s cannot be stored %v; give it another, or %q in \"needs\"", v.ID, fits, featureAny)
	}
}

// CheckPremise returns why no command brings about the definitions that q
// presumes, by what this library knows of the release; nil if some do, and if the
// sources leave open whether they would. That such definitions exist is asked of
// systems that claim "stale-catalog" or "state".
func (q Question) CheckPremise() error { return q.refusal(q.define()) }

// refusal returns an error that refuses something, with the target.
func (q Question) refusal(err error) error {
	if err == nil || errors.Is(err, policy.ErrUnspecified) {
		return nil
	}
	return fmt.Errorf("on %s: %w", q.Target, err)
}

// define gives the commands that bring about the definitions which a question
// presumes, and returns the first refusal.
func (q Question) define() error {
	switch q.Op {
	case "mongodb.decide":
		in, err := q.MongoDecide()
		return cmp.Or(err, q.makeCollection(in.Collection, in.Indexes, in.Now))
	case "mongodb.createIndexes":
		in, err := q.MongoCreateIndexes()
		return cmp.Or(err, q.makeCollection(in.Collection, in.Existing, in.Now))
	case "mongodb.collMod":
		in, err := q.MongoCollMod()
		return cmp.Or(err, q.makeCollection(in.Collection, in.Existing, in.Now))
	case "cosmos.decide":
		in, err := q.CosmosDecide()
		return cmp.Or(err, makeContainer(&in.Container))
	case "cosmos.validateContainer":
		in, err := q.CosmosValidateContainer()
		return cmp.Or(err, makeContainer(in.Previous))
	case "cosmos.validateItem":
		in, err := q.CosmosValidateItem()
		return cmp.Or(err, makeContainer(&in.Container))
	case "cosmosmongo.decide":
		in, err := q.CosmosMongoDecide()
		return cmp.Or(err, q.makeIndexes(in.Indexes))
	case "cosmosmongo.createIndexes":
		in, err := q.CosmosMongoCreateIndexes()
		return cmp.Or(err, q.makeIndexes(in.Existing))
	}
	return nil // a create presumes nothing
}

// makeCollection creates a collection, then one index after the other, at the
// time that the question is about.
func (q Question) makeCollection(c Collection, indexes []Index, now policy.Instant) error {
	profile, err := q.Target.profileOf()
	if err != nil {
		return err
	}
	if b, _ := c.Option("requiresExtendedRangeSupport").AsBool(); b {
		return errors.New("no command sets requiresExtendedRangeSupport")
	}
	spec := mongo.CollectionSpec{}
	if c.Options != nil {
		made, err := mongo.ValidateCreate(c.command(), profile, now)
		if err != nil {
			return err
		}
		spec = made.Collection
		given := c.Option("expireAfterSeconds")
		if stored := spec.ExpireAfterSeconds; !given.IsMissing() && given.Kind() != policy.Null && !equalNumbers(given, stored) {
			return fmt.Errorf("expireAfterSeconds %s is stored as %s", given, stored)
		}
	}
	for _, x := range indexes {
		made, err := mongo.ValidateCreateIndexes(spec, mongo.WithName(x.Definition), profile, now)
		if err != nil {
			return err
		}
		spec.Indexes = append(spec.Indexes, made.Index)
	}
	return nil
}

// command returns the create command that makes c, without its name. A capped
// collection gets a size, which create wants and listCollections shows.
func (c Collection) command() (command policy.D) {
	for _, e := range c.Options {
		if e.Key != "ns" && e.Key != "requiresExtendedRangeSupport" {
			command = append(command, e)
		}
	}
	if spec, err := c.spec(nil); err == nil && spec.Capped && !spec.Clustered {
		command = append(command, policy.E{Key: "size", Value: policy.Int32Value(4096)})
	}
	return command
}

// makeContainer creates a container, if there is one.
func makeContainer(settings *policy.JSON) error {
	if settings == nil {
		return nil
	}
	spec, err := containerOf("container", *settings)
	if err == nil {
		_, err = cosmos.ValidateContainer(spec, nil)
	}
	return err
}

// makeIndexes creates indexes through the API for MongoDB.
func (q Question) makeIndexes(indexes []Index) error {
	all, err := q.Target.collectionOf("indexes", indexes)
	if err != nil {
		return err
	}
	spec := all
	for i, x := range all.Indexes {
		spec.Indexes = all.Indexes[:i]
		if err := cosmos.ValidateCreateIndexes(spec, x); err != nil {
			return err
		}
	}
	return nil
}

// store stores the item that a question presumes to be there, and returns the
// refusal.
func (q Question) store() error {
	if q.Op != "cosmos.decide" {
		return nil
	}
	in, err := q.CosmosDecide()
	if err != nil {
		return err
	}
	spec, err := containerOf("container", in.Container)
	if err != nil {
		return err
	}
	return cosmos.ValidateItem(spec, &in.Item)
}
