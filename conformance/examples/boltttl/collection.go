package boltttl

import (
	"bytes"
	"cmp"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collection is a transaction's view of a collection.
type collection struct {
	txn
	number            []byte
	bucket, documents *bbolt.Bucket
	// policy holds the definition too. It is nil for a collection that is dropped but not yet
	// emptied.
	policy *mongo.Collection
}

// A catalog is the stored definition of a collection, as bytes and compiled.
type catalog struct {
	raw    []byte
	policy *mongo.Collection
}

// named returns the collection of that name.
func (t txn) named(name string) (collection, error) {
	number := t.names.Get([]byte(name))
	if number == nil {
		return collection{}, fmt.Errorf("%w: %q", ErrNoCollection, name)
	}
	return t.numbered(number)
}

// numbered returns the collection of that number, dropped or not.
func (t txn) numbered(number []byte) (collection, error) {
	bucket := t.collections.Bucket(number)
	if bucket == nil {
		return collection{}, fmt.Errorf("%w: number %x", ErrNoCollection, number)
	}
	c := collection{txn: t, number: number, bucket: bucket, documents: bucket.Bucket(documentsKey)}
	var err error
	if raw := bucket.Get(specKey); raw != nil {
		if c.policy, err = t.compile(string(number), raw); err != nil {
			err = fmt.Errorf("collection %q: %w", bucket.Get(nameKey), err)
		}
	}
	return c, err
}

// compile returns the collection of a number with a stored definition. It compiles the
// definition if that differs from the one it compiled before. Comparing the stored bytes each
// time needs no notice of changes, and a transaction that is rolled back cannot leave a policy
// that was never stored.
func (s *Store) compile(number string, raw []byte) (*mongo.Collection, error) {
	if known, ok := s.compiled.Load(number); ok && bytes.Equal(known.(*catalog).raw, raw) {
		return known.(*catalog).policy, nil
	}
	var spec mongo.CollectionSpec
	if err := spec.UnmarshalBSON(raw); err != nil {
		return nil, fmt.Errorf("%w: catalog: %w", ErrDamaged, err)
	}
	c, err := mongo.CompileCollection(spec, s.profile)
	if err == nil {
		s.compiled.Store(number, &catalog{bytes.Clone(raw), c})
	}
	return c, err
}

// define stores the collection's new definition. Sweeps decide about existing documents again
// later, in batches, because there may be millions.
func (c collection) define(by *mongo.Collection) error {
	raw, err := by.Spec().MarshalBSON()
	if err != nil || bytes.Equal(raw, c.bucket.Get(specKey)) {
		return err
	}
	c.policy = by
	return cmp.Or(c.put(c.bucket, specKey, raw), c.judgeAnew())
}

// judgement returns the policy's decision about a document at now.
func (c collection) judgement(doc []byte, now policy.Instant) (Judgement, error) {
	id, err := idOf(doc)
	if err != nil {
		return Judgement{}, err
	}
	d := c.policy.DecideBSON(doc, now)
	j := Judgement{Collection: string(c.bucket.Get(nameKey)), ID: id, Decision: d}
	if d.State != policy.Never {
		j.Index = c.policy.SourceOf(d)
	}
	return j, nil
}

// record returns the record stored under a key. It reports false if there is none.
func (c collection) record(key []byte) (r record, there bool, err error) {
	b := c.documents.Get(key)
	if b == nil {
		return record{}, false, nil
	}
	r, err = parseRecord(b)
	return r, err == nil, err
}

// judged returns the record of a document by the policy as it is stored now. It reads no
// clock: it decides at instant 0, where a deadline is earliest, and a sweep decides again.
// A document that never expires, for example because its deadline is beyond all dates, has
// no entry, and costs sweeps nothing.
func (c collection) judged(doc []byte) record {
	return recordOf(doc, c.policy.DecideBSON(doc, 0))
}

// store replaces an old record by a new one; for a new document the old one is
// the zero record.
func (c collection) store(key []byte, old, r record) error {
	if err := c.unlist(key, old); err != nil {
		return err
	}
	if r.listed {
		if err := c.put(c.deadlines, entry{r.deadline, c.number, key}.bytes(), nil); err != nil {
			return err
		}
	}
	return c.put(c.documents, key, r.bytes())
}

// rejudge makes a record agree with a decision by the stored policy.
func (c collection) rejudge(key []byte, old record, d policy.Decision) error {
	r := recordOf(old.doc, d)
	if r.listed == old.listed && (!r.listed || r.deadline == old.deadline) {
		return nil
	}
	return c.store(key, old, r)
}

// drop removes a record and its entry.
func (c collection) drop(key []byte, r record) error {
	if err := c.unlist(key, r); err != nil {
		return err
	}
	return c.remove(c.documents, key)
}

// unlist removes the entry of a record, if it has one.
func (c collection) unlist(key []byte, r record) error {
	if !r.listed {
		return nil
	}
	return c.remove(c.deadlines, entry{r.deadline, c.number, key}.bytes())
}
