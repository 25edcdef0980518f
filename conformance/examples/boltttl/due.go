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

// due returns up to size entries whose deadlines have come at now, the earliest
// first. The deadline itself counts as expired.
func (t txn) due(now policy.Instant, size int) (due []entry, err error) {
	cursor := t.deadlines.Cursor()
	for key, _ := cursor.First(); key != nil && len(due) < size; key, _ = cursor.Next() {
		e, err := parseEntry(key)
		switch {
		case err != nil:
			return nil, err
		case e.deadline > now:
			return due, nil
		}
		due = append(due, e)
	}
	return due, nil
}

// expireAll returns what became of those entries whose documents it removed.
func (t txn) expireAll(due []entry, now policy.Instant) (gone []Judgement, err error) {
	for _, e := range due {
		j, err := t.expire(e, now)
		if err != nil {
			return nil, err
		}
		if j.State == policy.Expired {
			gone = append(gone, j)
		}
	}
	return gone, nil
}

// expire removes the document of an entry that is due, if the policy as it is
// stored now says the same: the entry may be that of a policy before. If it
// does not, the entry is put right, so that the next batch does not meet it
// again.
func (t txn) expire(e entry, now policy.Instant) (j Judgement, err error) {
	c, r, known, err := t.owner(e)
	switch {
	case err != nil:
		return j, err
	case !known:
		return j, t.remove(t.deadlines, e.bytes())
	}
	if j, err = c.judgement(r.doc, now); err != nil {
		return j, err
	}
	if j.State == policy.Expired {
		return j, c.drop(e.key, r)
	}
	_, err = c.rejudge(e.key, r)
	return j, err
}

// owner returns the record to which an entry belongs. It reports false if no
// record knows it, or if the collection was dropped meanwhile. Records are the
// truth; entries only help to find them.
func (t txn) owner(e entry) (c collection, r record, known bool, err error) {
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
