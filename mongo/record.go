package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// A record is a document that is being decided: a database's own, or raw BSON,
// of which only what the answer needs is looked at. The zero record is an empty
// document.
type record struct {
	doc policy.Document
	raw []byte
	// damaged tells that raw is no well-formed document, as far as it was
	// looked at.
	damaged bool
}

// recordOf returns a record of a document of any kind.
func recordOf(doc policy.Document) record {
	if b, ok := doc.(*policy.BSON); ok {
		return record{raw: b.Bytes()}
	}
	return record{doc: doc}
}

// rawRecord returns a record of raw BSON that nobody has checked.
func rawRecord(doc []byte) record { return record{raw: doc, damaged: len(doc) == 0} }

// unlessDamaged returns d, unless the record turned out to be damaged.
func (r *record) unlessDamaged(d policy.Decision) policy.Decision {
	if r.damaged {
		return policy.Keep(ruleMalformed)
	}
	return d
}

// find returns a field of a raw record.
func (r *record) find(c *component) policy.Raw {
	found, ok := c.finder.Find(r.raw)
	r.damaged = r.damaged || !ok
	return found
}

// field returns a field of the record.
func (r *record) field(c *component) policy.Value {
	switch {
	case r.raw != nil:
		return r.check(r.find(c))
	case r.doc != nil:
		return r.doc.Field(c.name)
	}
	return policy.Value{}
}

// check returns a raw value of the record, Missing if it is damaged.
func (r *record) check(found policy.Raw) policy.Value {
	v, err := found.Check()
	r.damaged = r.damaged || err != nil
	return v
}

// keys returns the index keys of the record for path.
func (r *record) keys(path []component) (k keys) {
	if r.raw != nil {
		return r.keysAt(r.find(&path[0]), path)
	}
	return keysFrom(r.field(&path[0]), path)
}

// keysAt is keys once the raw field that path begins with is found.
func (r *record) keysAt(found policy.Raw, path []component) (k keys) {
	for found.Kind == policy.Object && len(path) > 1 { // without looking at its other fields
		inner, ok := path[1].finder.Find(found.Body)
		r.damaged = r.damaged || !ok
		found, path = inner, path[1:]
	}
	if len(path) == 1 {
		if k, ok := datesIn(found); ok {
			return k
		}
		if found.Kind == policy.List {
			r.elements(&k, found)
			return k
		}
	}
	k.walk(r.check(found), path[1:])
	return k
}

// datesIn returns the keys of a value at the end of the path that is a Date, or
// an array of Dates alone, as nearly all are.
func datesIn(found policy.Raw) (k keys, ok bool) {
	if date, ok := found.AsDate(); ok {
		return keys{earliest: date, found: true}, true
	}
	date, ok := found.EarliestDate()
	return keys{earliest: date, found: true, expanded: true}, ok
}

// elements adds the keys of an array at the end of the path, as keys.elements
// does, without making a value of each date.
func (r *record) elements(k *keys, array policy.Raw) {
	k.expanded = true
	e := array.Elements()
	empty := true
	for more := true; more; {
		if earliest, n := e.Dates(); n > 0 {
			k.addDate(earliest)
			empty = false
		}
		if more = e.Next(); more {
			k.add(r.check(e.Raw()))
			empty = false
		}
	}
	if empty {
		k.because(isEmptyArray)
	}
	r.damaged = r.damaged || e.Damaged()
}
