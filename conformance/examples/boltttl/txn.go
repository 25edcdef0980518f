package boltttl

import "go.etcd.io/bbolt"

// A txn is one transaction on the file. Every change goes through put and
// remove, so that tests can interrupt it anywhere.
type txn struct {
	*Store
	meta, names, collections, unfinished, deadlines *bbolt.Bucket
}

func (s *Store) on(tx *bbolt.Tx) txn {
	return txn{s, tx.Bucket(metaBucket), tx.Bucket(namesBucket), tx.Bucket(collectionsBucket),
		tx.Bucket(unfinishedBucket), tx.Bucket(deadlinesBucket)}
}

// update runs do in a transaction: all that it changes is stored, or nothing.
// That is the whole of crash safety here, as long as each do leaves the file
// in a state from which a sweep can go on.
func (s *Store) update(do func(txn) error) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		if err := do(s.on(tx)); err != nil {
			return err
		}
		return s.step()
	})
}

// view runs do in a transaction that changes nothing. What it reads lies in
// mapped memory and must be copied to outlive it.
func (s *Store) view(do func(txn) error) error {
	return s.db.View(func(tx *bbolt.Tx) error { return do(s.on(tx)) })
}

func (t txn) put(b *bbolt.Bucket, key, value []byte) error {
	if err := t.step(); err != nil {
		return err
	}
	return b.Put(key, value)
}

func (t txn) remove(b *bbolt.Bucket, key []byte) error {
	if err := t.step(); err != nil {
		return err
	}
	return b.Delete(key)
}
