package boltttl

import (
	"bytes"

	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// Release returns the release whose rules the store keeps.
func (s *Store) Release() mongo.Version { return s.release }

// Profile returns the behaviour of the release whose rules the store keeps.
func (s *Store) Profile() mongo.Profile { return s.profile }

// Collections returns the names of all collections in the order of their bytes.
func (s *Store) Collections() (names []string, err error) {
	err = s.view(func(t txn) error {
		return t.names.ForEach(func(name, _ []byte) error {
			names = append(names, string(name))
			return nil
		})
	})
	return names, err
}

// Spec returns a collection's definition with its indexes. Do not modify it.
func (s *Store) Spec(name string) (spec mongo.CollectionSpec, err error) {
	err = s.view(func(t txn) error {
		c, err := t.named(name)
		if err == nil {
			spec = c.catalog.policy.Spec()
		}
		return err
	})
	return spec, err
}

// Scan passes the documents of a collection, expired ones too, to visit until it
// returns false. A document is valid only during the call of visit. Scan returns
// the place of the document for which visit returned false, where a later Scan
// continues, or nil at the end. The place nil is the beginning.
func (s *Store) Scan(name string, from []byte, visit func(doc []byte) bool) (next []byte, err error) {
	err = s.view(func(t txn) error {
		c, err := t.named(name)
		if err != nil {
			return err
		}
		cursor := c.documents.Cursor()
		for key, b := cursor.Seek(from); key != nil; key, b = cursor.Next() {
			r, err := parseRecord(b)
			if err != nil {
				return err
			}
			if !visit(r.doc) {
				next = bytes.Clone(key)
				return nil
			}
		}
		return nil
	})
	return next, err
}
