package boltttl

import (
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Create makes a collection from the body of a create command without the
// name, as [command.ValidateCreate] accepts it; nil makes an ordinary one.
func (s *Store) Create(name string, body policy.D, now policy.Instant) error {
	made, err := command.ValidateCreate(body, s.profile, now)
	if err != nil {
		return err
	}
	return s.Adopt(name, made.Collection)
}

// Adopt creates a collection as another store, an earlier release or a backup left it. The
// definition need only compile; the release need not accept its creation.
func (s *Store) Adopt(name string, spec mongo.CollectionSpec) error {
	return s.update(func(t txn) error {
		if t.names.Get([]byte(name)) != nil {
			return fmt.Errorf("%w: %q", ErrCollectionExists, name)
		}
		c, err := t.newCollection(name)
		if err != nil {
			return err
		}
		return c.setSpec(spec)
	})
}

func (t txn) newCollection(name string) (c collection, err error) {
	n, err := t.collections.NextSequence()
	if err != nil {
		return c, err
	}
	c.txn, c.number = t, numberOf(n)
	if c.bucket, err = t.collections.CreateBucket(c.number); err != nil {
		return c, err
	}
	if c.documents, err = c.bucket.CreateBucket(documentsKey); err != nil {
		return c, err
	}
	if err := t.put(c.bucket, nameKey, []byte(name)); err != nil {
		return c, err
	}
	return c, t.put(t.names, []byte(name), c.number)
}

// Drop removes a collection at once. The next sweeps remove its documents, in
// batches.
func (s *Store) Drop(name string) error {
	return s.update(func(t txn) error {
		c, err := t.named(name)
		if err != nil {
			return err
		}
		if err := t.remove(t.names, []byte(name)); err != nil {
			return err
		}
		if err := t.remove(c.bucket, specKey); err != nil {
			return err
		}
		return c.judgeAnew()
	})
}

// CreateIndex is CreateIndexes for one index.
func (s *Store) CreateIndex(name string, index policy.D, now policy.Instant) (command.CreateIndexesResult, error) {
	made, err := s.CreateIndexes(name, []policy.D{index}, now)
	if err != nil {
		return command.CreateIndexesResult{}, err
	}
	return made[0], nil
}

// CreateIndexes makes all indexes or none. Each index has the form that the createIndexes
// command accepts, with a name ([command.WithDefaultName] adds one as drivers do). The error
// is that of [command.ValidateCreateIndexes]. Existing documents get their deadlines during
// the next sweep.
func (s *Store) CreateIndexes(name string, indexes []policy.D, now policy.Instant) (all []command.CreateIndexesResult, err error) {
	err = s.Define(name, func(spec mongo.CollectionSpec) (mongo.CollectionSpec, error) {
		spec.Indexes = slices.Clone(spec.Indexes)
		for _, x := range indexes {
			made, err := command.ValidateCreateIndexes(spec, x, s.profile, now)
			if err != nil {
				return spec, err
			}
			if made.Created {
				spec.Indexes = append(spec.Indexes, made.Index)
			}
			all = append(all, made)
		}
		return spec, nil
	})
	return all, err
}

// CollMod changes a TTL option, by the body of a collMod command without the
// name. The error is that of [command.ValidateCollMod]. A shorter delay may make
// millions of documents due at once; the next sweeps delete them in batches.
func (s *Store) CollMod(name string, body policy.D, now policy.Instant) (result command.CollModResult, err error) {
	err = s.Define(name, func(spec mongo.CollectionSpec) (mongo.CollectionSpec, error) {
		result, err = command.ValidateCollMod(spec, body, s.profile, now)
		return result.Collection, err
	})
	return result, err
}

// DropIndex removes the index with this name. The error may wrap [ErrNoIndex].
func (s *Store) DropIndex(name, index string) error {
	return s.Define(name, func(spec mongo.CollectionSpec) (mongo.CollectionSpec, error) {
		isIt := func(x mongo.IndexSpec) bool { return x.Name == index }
		if !slices.ContainsFunc(spec.Indexes, isIt) {
			return spec, fmt.Errorf("%w: %q", ErrNoIndex, index)
		}
		spec.Indexes = slices.DeleteFunc(slices.Clone(spec.Indexes), isIt)
		return spec, nil
	})
}

// Define replaces a collection's definition by the result of change, which must not modify
// its argument. The result need only compile, as with [Store.Adopt].
func (s *Store) Define(name string, change func(mongo.CollectionSpec) (mongo.CollectionSpec, error)) error {
	return s.update(func(t txn) error {
		c, err := t.named(name)
		if err != nil {
			return err
		}
		spec, err := change(c.catalog.policy.Spec())
		if err != nil {
			return err
		}
		return c.setSpec(spec)
	})
}

// judgeAnew records that sweeps must decide about every document of c again, from the
// first. It is part of the transaction that changes the policy, so that a crash cannot
// separate the two. A walk begun by an earlier change starts again: deciding about a
// document twice is harmless.
//
// Until the walk is done the entries of deadlines may be those of the earlier
// policy. That is harmless, because nothing is deleted by an entry alone.
func (c collection) judgeAnew() error { return c.put(c.unfinished, c.number, nil) }

// judgeAnewBy does what judgeAnew does, and stores the fingerprint of the policy by which
// the deadlines will be decided.
func (c collection) judgeAnewBy(f policy.Fingerprint) error {
	if err := c.put(c.bucket, fingerprint, f[:]); err != nil {
		return err
	}
	return c.judgeAnew()
}

// firstUnfinished returns a collection with unfinished work, and the place to
// continue.
func (t txn) firstUnfinished() (c collection, next []byte, found bool, err error) {
	number, next := t.unfinished.Cursor().First()
	if number == nil {
		return collection{}, nil, false, nil
	}
	c, err = t.numbered(number)
	return c, next, err == nil, err
}

// finish ends the walk over a collection. It deletes the bucket of a dropped collection.
func (c collection) finish() error {
	if err := c.remove(c.unfinished, c.number); err != nil || c.catalog != nil {
		return err
	}
	c.cache.forget(string(c.number))
	return c.collections.DeleteBucket(c.number)
}

// keysFrom returns up to size keys from next on. It collects them before any change,
// because a bbolt cursor loses its place when the bucket changes.
func keysFrom(cursor *bbolt.Cursor, next []byte, size int) (keys [][]byte) {
	for key, _ := cursor.Seek(next); key != nil && len(keys) < size; key, _ = cursor.Next() {
		keys = append(keys, key)
	}
	return keys
}
