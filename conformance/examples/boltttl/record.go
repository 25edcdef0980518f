package boltttl

import "github.com/ttlpolicy/ttlpolicy/policy"

// record returns what is stored under a key, and whether anything is.
func (c collection) record(key []byte) (r record, there bool, err error) {
	b := c.documents.Get(key)
	if b == nil {
		return record{}, false, nil
	}
	r, err = parseRecord(b)
	return r, err == nil, err
}

// judged returns the record of a document by the policy as it is stored now.
// No clock is read: a deadline does not depend on when it is worked out, so any
// instant does. A document that never expires, because its deadline is beyond
// all dates for example, has no entry, and costs sweeps nothing.
func (c collection) judged(doc []byte) record {
	d := c.catalog.policy.DecideBSON(doc, 0)
	return record{doc, d.Deadline(), d.State != policy.Never}
}

// store puts a record in the place of an old one; of a document that is new,
// the old one is the zero record.
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

// rejudge makes a record agree with the policy as it is stored now, and reports
// whether it did not.
func (c collection) rejudge(key []byte, old record) (bool, error) {
	r := c.judged(old.doc)
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
