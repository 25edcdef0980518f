package boltttl

import (
	"bytes"
	"fmt"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collection is a transaction's view of a collection.
type collection struct {
	txn
	number            []byte
	bucket, documents *bbolt.Bucket
	// catalog is nil for a collection that is dropped but not yet emptied.
	catalog *catalog
}

// A catalog is the stored description of a collection, as bytes and compiled.
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
	raw := bucket.Get(specKey)
	if raw == nil {
		return c, nil
	}
	var err error
	if c.catalog, err = t.cache.catalog(string(number), raw, t.profile); err != nil {
		return collection{}, fmt.Errorf("collection %q: %w", bucket.Get(nameKey), err)
	}
	return c, nil
}

// setSpec stores the collection's new definition. Sweeps decide about existing
// documents again later, in batches, because there may be millions.
func (c collection) setSpec(spec mongo.CollectionSpec) error {
	raw, err := spec.MarshalBSON()
	if err != nil {
		return err
	}
	if c.catalog != nil && bytes.Equal(raw, c.catalog.raw) {
		return nil
	}
	compiled, err := compile(raw, c.profile)
	if err != nil {
		return err
	}
	if err := c.put(c.bucket, specKey, raw); err != nil {
		return err
	}
	return c.judgeAnewBy(compiled.policy.Fingerprint())
}

// judgement returns the policy's decision about a document at now.
func (c collection) judgement(doc []byte, now policy.Instant) (Judgement, error) {
	id, err := idOf(doc)
	if err != nil {
		return Judgement{}, err
	}
	d := c.catalog.policy.DecideBSON(doc, now)
	j := Judgement{Collection: string(c.bucket.Get(nameKey)), ID: id, Decision: d}
	if d.State != policy.Never {
		j.Index = c.catalog.policy.SourceOf(d)
	}
	return j, nil
}

// A cache keeps compiled catalogs by collection. It compares the stored bytes each time.
// Therefore it needs no notice of changes, and a transaction that is rolled back cannot
// leave a policy that was never stored.
type cache struct {
	mu    sync.Mutex
	known map[string]*catalog
}

func (k *cache) catalog(number string, raw []byte, p mongo.Profile) (*catalog, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c := k.known[number]; c != nil && bytes.Equal(c.raw, raw) {
		return c, nil
	}
	c, err := compile(bytes.Clone(raw), p)
	if err != nil {
		return nil, err
	}
	if k.known == nil {
		k.known = map[string]*catalog{}
	}
	k.known[number] = c
	return c, nil
}

func (k *cache) forget(number string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, number)
}

// compile reads and compiles a catalog entry.
func compile(raw []byte, p mongo.Profile) (*catalog, error) {
	var spec mongo.CollectionSpec
	if err := spec.UnmarshalBSON(raw); err != nil {
		return nil, fmt.Errorf("%w: catalog: %w", ErrDamaged, err)
	}
	evaluator, err := mongo.CompileCollection(spec, p)
	if err != nil {
		return nil, err
	}
	return &catalog{raw, evaluator}, nil
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
	return recordOf(doc, c.catalog.policy.DecideBSON(doc, 0))
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

// rejudge makes a record agree with a decision by the stored policy, and reports
// whether it had to change it.
func (c collection) rejudge(key []byte, old record, d policy.Decision) (bool, error) {
	r := recordOf(old.doc, d)
	if r.listed == old.listed && (!r.listed || r.deadline == old.deadline) {
		return false, nil
	}
	return true, c.store(key, old, r)
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
