package boltttl

import (
	"bytes"
	"testing"

	"go.etcd.io/bbolt"
)

// dump returns all documents, and whether a walk is unfinished. The key of a document is
// its collection and its _id in Extended JSON. dump reads the buckets without the code
// under test.
func dump(t testing.TB, s *Store) (docs map[string]record, unfinished bool) {
	t.Helper()
	docs = map[string]record{}
	must(t, s.db.View(func(tx *bbolt.Tx) error {
		key, _ := tx.Bucket(unfinishedBucket).Cursor().First()
		unfinished = key != nil
		return tx.Bucket(collectionsBucket).ForEachBucket(func(number []byte) error {
			b := tx.Bucket(collectionsBucket).Bucket(number)
			if b.Get(specKey) == nil {
				return nil // dropped
			}
			return b.Bucket(documentsKey).ForEach(func(_, v []byte) error {
				r, err := parseRecord(bytes.Clone(v))
				must(t, err)
				id, err := idOf(r.doc)
				must(t, err)
				docs[string(b.Get(nameKey))+" "+id.String()] = r
				return nil
			})
		})
	}))
	return docs, unfinished
}

// checkEntries checks that every record marked as listed has an entry in the deadline
// index, and that every entry has a record. This must hold after every transaction.
func checkEntries(t testing.TB, s *Store) {
	t.Helper()
	want := map[string]bool{}
	must(t, s.db.View(func(tx *bbolt.Tx) error {
		collections := tx.Bucket(collectionsBucket)
		must(t, collections.ForEachBucket(func(number []byte) error {
			return collections.Bucket(number).Bucket(documentsKey).ForEach(func(key, v []byte) error {
				if r, err := parseRecord(v); err != nil {
					t.Errorf("%x: %v", key, err)
				} else if r.listed {
					want[string(entry{r.deadline, number, key}.bytes())] = true
				}
				return nil
			})
		}))
		return tx.Bucket(deadlinesBucket).ForEach(func(key, _ []byte) error {
			if !want[string(key)] {
				t.Errorf("the entry %x belongs to no record", key)
			}
			delete(want, string(key))
			return nil
		})
	}))
	for key := range want {
		t.Errorf("the entry %x is missing", key)
	}
}
