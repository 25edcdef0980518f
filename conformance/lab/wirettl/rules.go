package wirettl

import (
	"context"
	"errors"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	mongocommand "github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Rules are a server's TTL rules: the effect of the commands that define policies, and the
// deletions of a pass of the monitor. Package broken has wrong rules, to test the live
// suite.
type Rules interface {
	// Create makes the collection with the full name ns from the body of a create
	// command.
	Create(ns string, body policy.D, now policy.Instant) error
	// CreateIndexes makes all indexes or none.
	CreateIndexes(ns string, indexes []policy.D, now policy.Instant) error
	// CollMod changes a TTL option. It returns the old and the new value that the reply
	// reports, each Missing if the reply leaves it out.
	CollMod(ns string, command policy.D, now policy.Instant) (before, after policy.Value, err error)
	// Sweep deletes the documents expired at now, and returns their number.
	Sweep(ctx context.Context, now policy.Instant) (deleted int, err error)
}

// batch is the number of documents that a pass deletes in one transaction. If a pass
// deletes fewer documents, a client sees all of its deletions or none.
const batch = 100_000

// NewRules returns the rules of a store's release.
func NewRules(store *boltttl.Store) Rules {
	return rules{store, &boltttl.Sweeper{Store: store, Batch: batch}}
}

type rules struct {
	store   *boltttl.Store
	sweeper *boltttl.Sweeper
}

func (r rules) Create(ns string, body policy.D, now policy.Instant) error {
	existing, err := r.store.Spec(ns)
	if err == nil {
		var c *mongo.Collection
		if c, err = mongo.CompileCollection(existing, r.store.Profile()); err == nil {
			err = mongocommand.CreateAgain(c, body, now)
		}
	}
	if !errors.Is(err, boltttl.ErrNoCollection) {
		return err
	}
	made, err := mongocommand.ValidateCreate(body, r.store.Profile(), now)
	if err != nil {
		return err
	}
	spec := made.Collection
	spec.Namespace = ns // in most system collections nothing expires
	return r.store.Adopt(ns, spec)
}

func (r rules) CreateIndexes(ns string, indexes []policy.D, now policy.Instant) error {
	_, err := r.store.CreateIndexes(ns, indexes, now)
	return err
}

func (r rules) CollMod(ns string, command policy.D, now policy.Instant) (before, after policy.Value, err error) {
	did, err := r.store.CollMod(ns, command, now)
	return did.Old, did.New, err
}

func (r rules) Sweep(ctx context.Context, now policy.Instant) (int, error) {
	did, err := r.sweeper.Sweep(ctx, now)
	return did.Deleted, err
}
