package boltttl

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// The errors that the methods of a [Store] may wrap, beside the refusals of package mongo,
// which are a [*mongo.SpecError].
var (
	ErrNoCollection     = errors.New("boltttl: no such collection")
	ErrCollectionExists = errors.New("boltttl: the collection exists")
	ErrIsView           = errors.New("boltttl: a view holds no documents")
	ErrNoDocument       = errors.New("boltttl: no document with this _id")
	ErrDuplicate        = errors.New("boltttl: a document with this _id exists")
	ErrBadID            = errors.New("boltttl: not a possible _id")
	ErrDamaged          = errors.New("boltttl: the file is damaged")
)

// A Store keeps collections of documents in a bbolt database and stands for one
// MongoDB release, whose rules it keeps. Make one with [Open]. It is safe for
// concurrent use; writes wait for one another, as bbolt has one writer.
type Store struct {
	db       *bbolt.DB
	profile  mongo.Profile
	compiled sync.Map // of *catalog, by the number of the collection
	// step is called before each change of the file and before each commit;
	// its error ends the transaction. Tests crash the store with it.
	step func() error
}

// Open returns the store in db, which may be new. If the deadlines of a collection were decided
// by another release, or by a library with other rules, the next sweep decides about its
// documents again: the fingerprint of the policy shows that. This is necessary because releases
// differ, most dangerously about an expireAfterSeconds of NaN. `ttl audit --moving-to` shows the
// differences beforehand. The error wraps [mongo.ErrUnknownVersion], or names a partial filter
// that the release cannot hold; the store then stays as it was.
func Open(db *bbolt.DB, release mongo.Version) (*Store, error) {
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, profile: profile, step: func() error { return nil }}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{metaBucket, namesBucket, collectionsBucket, unfinishedBucket, deadlinesBucket} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return s.on(tx).checkDeadlines()
	})
	if err != nil {
		return nil, fmt.Errorf("boltttl: open: %w", err)
	}
	return s, nil
}

// checkDeadlines makes sweeps decide anew about the documents of each collection whose deadlines
// come from another policy.
func (t txn) checkDeadlines() error {
	var other []collection
	err := t.collections.ForEachBucket(func(number []byte) error {
		c, err := t.numbered(bytes.Clone(number))
		if err != nil || c.policy == nil { // sweeps remove the documents of a dropped collection anyway
			return err
		}
		if f := c.policy.Fingerprint(); !bytes.Equal(c.bucket.Get(fingerprint), f[:]) {
			other = append(other, c)
		}
		return nil
	})
	for _, c := range other {
		err = cmp.Or(err, c.judgeAnew())
	}
	return err
}

// A txn is one transaction on the file. Every change goes through put and
// remove, so that tests can interrupt it anywhere.
type txn struct {
	*Store
	meta, names, collections, unfinished, deadlines *bbolt.Bucket
	readOnly                                        bool
}

func (s *Store) on(tx *bbolt.Tx) txn {
	return txn{s, tx.Bucket(metaBucket), tx.Bucket(namesBucket), tx.Bucket(collectionsBucket),
		tx.Bucket(unfinishedBucket), tx.Bucket(deadlinesBucket), !tx.Writable()}
}

// update runs do in a transaction: all that it changes is stored, or nothing.
// Crash safety needs nothing more, as long as each do leaves the file in a
// state from which a sweep can go on.
func (s *Store) update(do func(txn) error) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		if err := do(s.on(tx)); err != nil {
			return err
		}
		return s.step()
	})
}

// view runs do in a read-only transaction. Data read in it lies in mapped memory, and must
// be copied to outlive it.
func (s *Store) view(do func(txn) error) error {
	return s.db.View(func(tx *bbolt.Tx) error { return do(s.on(tx)) })
}

func (t txn) put(b *bbolt.Bucket, key, value []byte) error {
	if err := t.beforeWrite(); err != nil {
		return err
	}
	return b.Put(key, value)
}

func (t txn) remove(b *bbolt.Bucket, key []byte) error {
	if err := t.beforeWrite(); err != nil {
		return err
	}
	return b.Delete(key)
}

func (t txn) beforeWrite() error {
	if t.readOnly {
		return errMustWrite
	}
	return t.step()
}
