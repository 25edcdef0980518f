package boltttl

import (
	"bytes"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Insert stores a document, which must be BSON with an _id. The error wraps a
// [*policy.SyntaxError], [ErrBadID] or [ErrDuplicate]. An expired document is
// still there until a sweep has removed it.
func (s *Store) Insert(name string, doc []byte) error {
	return s.write(name, doc, false, ErrDuplicate)
}

// Replace replaces the document with the same _id. A later date, or fields
// outside a filter, keep a document that has expired but was not yet removed.
// The error may also wrap [ErrNoDocument].
func (s *Store) Replace(name string, doc []byte) error {
	return s.write(name, doc, true, ErrNoDocument)
}

// write checks a document and stores it. The result is the parameter otherwise if inPlace
// is true and no stored document has the same _id, or if inPlace is false and a stored
// document has it.
func (s *Store) write(name string, doc []byte, inPlace bool, otherwise error) error {
	checked, err := policy.ParseBSON(doc)
	if err != nil {
		return err
	}
	key, err := KeyOf(checked.Field("_id"))
	if err != nil {
		return err
	}
	return s.update(func(t txn) error {
		c, err := t.named(name)
		if err != nil {
			return err
		}
		if c.policy.Spec().View {
			return fmt.Errorf("%w: %q", ErrIsView, name)
		}
		old, there, err := c.record(key)
		switch {
		case err != nil:
			return err
		case there != inPlace:
			return otherwise
		}
		return c.store(key, old, c.judged(doc))
	})
}

// Delete removes a document. The error may wrap [ErrNoDocument].
func (s *Store) Delete(name string, id policy.Value) error {
	return s.update(func(t txn) error { return t.with(name, id, collection.drop) })
}

// Get returns a document, expired or not: this store shows what MongoDB shows.
// A store that hides expired documents would check [Judgement.State] first.
func (s *Store) Get(name string, id policy.Value) (doc []byte, err error) {
	err = s.read(name, id, func(_ collection, r record) error {
		doc = bytes.Clone(r.doc)
		return nil
	})
	return doc, err
}

// A Judgement is the decision of the stored policy about a stored document.
type Judgement struct {
	Collection string
	ID         policy.Value
	// Index is the name of the TTL source that gave the deadline, empty if
	// none did; see [mongo.Collection.Sources].
	Index string
	policy.Decision
}

// Judge decides about a document at now by the stored policy.
func (s *Store) Judge(name string, id policy.Value, now policy.Instant) (j Judgement, err error) {
	err = s.read(name, id, func(c collection, r record) error {
		j, err = c.judgement(r.doc, now)
		return err
	})
	return j, err
}

// read passes a document to do, in a read-only transaction.
func (s *Store) read(name string, id policy.Value, do func(collection, record) error) error {
	return s.view(func(t txn) error {
		return t.with(name, id, func(c collection, _ []byte, r record) error { return do(c, r) })
	})
}

func (t txn) with(name string, id policy.Value, do func(collection, []byte, record) error) error {
	key, err := KeyOf(id)
	if err != nil {
		return err
	}
	c, err := t.named(name)
	if err != nil {
		return err
	}
	r, there, err := c.record(key)
	if err != nil {
		return err
	}
	if !there {
		return fmt.Errorf("%w: %v in %q", ErrNoDocument, id, name)
	}
	return do(c, key, r)
}
