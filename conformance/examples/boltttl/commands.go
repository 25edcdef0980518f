package boltttl

import (
	"cmp"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Create makes a collection from the body of a create command without the name, as
// [command.Create] accepts it; nil makes an ordinary one.
func (s *Store) Create(name string, body policy.D, now policy.Instant) error {
	made, err := command.Create("", body, s.profile, now)
	if err != nil {
		return err
	}
	return s.add(name, made)
}

// Adopt creates a collection as another store, an earlier release or a backup left it. The
// definition need only compile; the release need not accept its creation.
func (s *Store) Adopt(name string, spec mongo.CollectionSpec) error {
	made, err := mongo.CompileCollection(spec, s.profile)
	if err != nil {
		return err
	}
	return s.add(name, made)
}

func (s *Store) add(name string, made *mongo.Collection) error {
	return s.update(func(t txn) error {
		if t.names.Get([]byte(name)) != nil {
			return fmt.Errorf("%w: %q", ErrCollectionExists, name)
		}
		c, err := t.newCollection(name)
		if err != nil {
			return err
		}
		return c.define(made)
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
		c.policy = nil
		return cmp.Or(t.remove(c.bucket, specKey), c.judgeAnew())
	})
}

// Change replaces a collection by the result of a function of package command, such as
// CreateIndexes or CollMod, and returns its reply and its error. Existing documents get their new
// deadlines during the next sweep. A shorter delay may make millions of documents due at once;
// the next sweeps delete them in batches.
func (s *Store) Change(name string, do func(*mongo.Collection) (*mongo.Collection, policy.D, error)) (reply policy.D, _ error) {
	var refused error
	failed := s.update(func(t txn) error {
		c, err := t.named(name)
		if err != nil {
			return err
		}
		var after *mongo.Collection
		if after, reply, refused = do(c.policy); after == nil {
			return refused
		}
		return c.define(after) // which is as before, after most refusals
	})
	return reply, cmp.Or(failed, refused)
}

// Collection returns a collection's definition and policy.
func (s *Store) Collection(name string) (found *mongo.Collection, err error) {
	err = s.view(func(t txn) error {
		c, err := t.named(name)
		found = c.policy
		return err
	})
	return found, err
}

// judgeAnew records that sweeps must decide about every document of c again, from the
// first. It is part of the transaction that changes the policy, so that a crash cannot
// separate the two. A walk begun by an earlier change starts again: deciding about a
// document twice is harmless.
//
// Until the walk is done the entries of deadlines may be those of the earlier
// policy. That is harmless, because nothing is deleted by an entry alone.
//
// The fingerprint is that of the policy by which the deadlines will be decided.
func (c collection) judgeAnew() error {
	if c.policy != nil {
		f := c.policy.Fingerprint()
		if err := c.put(c.bucket, fingerprint, f[:]); err != nil {
			return err
		}
	}
	return c.put(c.unfinished, c.number, nil)
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
	if err := c.remove(c.unfinished, c.number); err != nil || c.policy != nil {
		return err
	}
	c.compiled.Delete(string(c.number))
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
