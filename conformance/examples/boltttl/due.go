package boltttl

import (
	"errors"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Next returns the earliest deadline in the store, which may be past, and
// reports whether there is one. It is as exact as the last sweep: a change of
// policy shows when the sweep after it is done.
func (s *Store) Next() (deadline policy.Instant, found bool, err error) {
	err = s.view(func(t txn) error {
		key, _ := t.deadlines.Cursor().First()
		if key == nil {
			return nil
		}
		e, err := parseEntry(key)
		deadline, found = e.deadline, err == nil
		return err
	})
	return deadline, found, err
}

// updateIfDue runs do in a transaction that may change something, if anything
// is due at now. Otherwise do only reads: a transaction that changes nothing
// would still have to reach the disk.
func (s *Store) updateIfDue(now policy.Instant, do func(txn) error) error {
	if next, found, err := s.Next(); err != nil || found && next <= now {
		return errors.Join(err, s.update(do))
	}
	return s.view(do)
}

// A batch is one transaction of a sweep. Its keys are entries, as bytes.
type batch struct {
	txn
	found map[string]Judgement // by key, of the documents that were read
}

// Due returns the first entries whose deadlines have come. The deadline itself
// counts as expired.
func (b batch) Due(now policy.Instant, limit int) (due []string, err error) {
	cursor := b.deadlines.Cursor()
	for key, _ := cursor.First(); key != nil && len(due) < limit; key, _ = cursor.Next() {
		e, err := parseEntry(key)
		switch {
		case err != nil:
			return nil, err
		case e.deadline > now:
			return due, nil
		}
		due = append(due, string(key))
	}
	return due, nil
}

// Read returns how the policy as it is stored now decides about the document of
// an entry, which may be the entry of a policy before.
func (b batch) Read(key string) (func(policy.Instant) policy.Decision, error) {
	c, r, known, err := b.owner(key)
	if err != nil || !known {
		return nil, err
	}
	if b.found[key], err = c.judgement(r.doc, 0); err != nil {
		return nil, err
	}
	return func(now policy.Instant) policy.Decision { return c.catalog.policy.DecideBSON(r.doc, now) }, nil
}

// Delete removes the document of an entry.
func (b batch) Delete(key string, d policy.Decision) error {
	c, r, _, err := b.owner(key)
	if err != nil {
		return err
	}
	j := b.found[key]
	j.Decision = d
	b.found[key] = j
	return c.drop(entryOf(key).key, r)
}

// Correct gives a document the entry of its deadline, and removes an entry that
// is no document's.
func (b batch) Correct(key string, d policy.Decision) error {
	c, r, known, err := b.owner(key)
	switch {
	case err != nil:
		return err
	case !known:
		return b.remove(b.deadlines, []byte(key))
	}
	return c.store(entryOf(key).key, r, record{r.doc, d.Deadline(), d.State != policy.Never})
}

// owner returns the record to which an entry belongs. It reports false if no
// record knows it, or if the collection was dropped meanwhile. Records are the
// truth; entries only help to find them.
func (t txn) owner(key string) (c collection, r record, known bool, err error) {
	e := entryOf(key)
	c, err = t.numbered(e.number)
	switch {
	case errors.Is(err, ErrNoCollection):
		return c, r, false, nil
	case err != nil || c.catalog == nil:
		return c, r, false, err
	}
	r, _, err = c.record(e.key)
	return c, r, r.listed && r.deadline == e.deadline, err
}
