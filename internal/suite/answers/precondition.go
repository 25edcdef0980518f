package answers

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// CheckPrecondition returns an error if no command of the release, as this library knows
// it, makes the definitions that q presumes. It returns nil if the sources leave that
// unspecified. Only systems that claim "stale-catalog" or "state" are asked such a
// question.
func CheckPrecondition(q conformance.Question) error {
	return checkWith(q, question.define)
}

// CheckItem returns an error if the item that q presumes cannot be stored, as far as the
// sources say.
func CheckItem(q conformance.Question) error { return checkWith(q, question.storeItem) }

// checkWith returns the refusal of a check, with the target.
func checkWith(q conformance.Question, check func(question) error) error {
	in, err := q.Input()
	if err == nil {
		err = check(question{Input: in, Op: q.Op, Target: q.Target})
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
		return q.createCosmosIndexes(indexes)
	}
	return createContainer(&q.Container)
}

// createCollection creates a collection, then its indexes one after another, at the time of
// the question's clock.
func (q question) createCollection(indexes []policy.D) error {
	profile, err := profileOf(q.Target)
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
		made, err := commandfunc.F.ValidateCreateIndexes(spec, command.WithDefaultName(x), profile, q.Now)
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
	made, err := commandfunc.F.ValidateCreate(CreateCommand(q.Collection), profile, q.Now)
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
	if spec, err := collectionSpec(options, nil, mongo.ParseListedCollection); err == nil && spec.Capped && !spec.Clustered {
		command = append(command, policy.E{Key: "size", Value: policy.Int32Value(4096)})
	}
	return command
}

// createContainer creates a container, unless settings is nil.
func createContainer(settings *policy.JSON) error {
	if settings == nil {
		return nil
	}
	spec, err := containerOf("container", *settings)
	if err == nil {
		_, _, err = cosmos.ValidateContainer(spec, nil)
	}
	return err
}

// createCosmosIndexes creates indexes through the API for MongoDB.
func (q question) createCosmosIndexes(indexes []policy.D) error {
	spec, err := q.cosmosCollection("indexes", indexes)
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
	spec, err := containerOf("container", q.Container)
	if err != nil {
		return err
	}
	return cosmos.ValidateItem(spec, &q.Item)
}
