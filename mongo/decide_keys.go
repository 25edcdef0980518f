package mongo

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// keys summarises the keys that an index holds for one document. A TTL scan sees these keys
// rather than the document's values, so the rules follow the server's key generation
// (mongodb/mongo: src/mongo/db/index/btree_key_generator.cpp).
type keys struct {
	earliest policy.Instant // meaningful if found
	found    bool           // some key is a Date
	expanded bool           // an array was expanded
	unsigned bool           // a scan does not reach Dates before 1970
	reason   reason         // the most specific reason of the keys that are not Dates
	// timestamps means that replication timestamps sort among the Dates.
	timestamps bool
}

// A reason says why a key is not a Date. A greater reason is more specific: a
// document counts as lacking the field only if no key has another reason.
type reason uint8

const (
	isMissing reason = iota
	isNull
	isEmptyArray
	isNestedArray
	isOther
	isOpaque
	isTimestamp
	isBefore1970
	isAmbiguous
)

// keysFrom returns the keys of a document for an index on path. top is the value of the
// first field of path.
func keysFrom(top policy.Value, path []fieldpath.Component) (k keys) {
	if date, ok := top.AsDate(); ok && len(path) == 1 { // nearly always
		return keys{earliest: date, found: true}
	}
	k.walk(top, path[1:])
	return k
}

// walk adds the keys that path, the rest of the index's path, finds in v.
func (k *keys) walk(v policy.Value, path []fieldpath.Component) {
	switch {
	case v.Kind() == policy.List:
		k.addArray(v, path)
	case len(path) == 0:
		k.add(v)
	case v.Kind() == policy.Object:
		k.walk(valuefunc.F.FieldBy(v, &path[0].Finder), path[1:])
	case v.IsMissing():
		k.addReason(isMissing)
	default: // a scalar has no fields
		k.addReason(isNull)
	}
}

// addArray adds the keys of an array that the path leads to.
func (k *keys) addArray(v policy.Value, path []fieldpath.Component) {
	if len(path) == 0 {
		k.addElements(v)
		return
	}
	before := *k
	k.expanded = true
	k.addReason(isNull) // the only reason if the array is empty
	e := v.Elements()
	for i := 0; e.Next(); i++ {
		if path[0].IsNameOf(&e, i) { // the path names this element, so other elements do not count
			*k = before
			k.addPosition(v, e.Value(), path)
			return
		}
		k.addElement(e.Value(), path)
	}
}

// addElements adds each element of an array at the end of the path as a key.
func (k *keys) addElements(v policy.Value) {
	k.expanded = true
	empty := true
	e := v.Elements()
	for ; e.Next(); empty = false {
		k.add(e.Value())
	}
	if empty {
		k.addReason(isEmptyArray)
	}
}

// addElement adds the keys of one element of an array in the middle of the path.
// Only subdocuments are entered.
func (k *keys) addElement(element policy.Value, path []fieldpath.Component) {
	switch element.Kind() {
	case policy.Object:
		k.walk(valuefunc.F.FieldBy(element, &path[0].Finder), path[1:])
	case policy.List:
		k.addReason(isNestedArray)
	}
}

// addPosition adds the keys of the element that the first component of path
// names. At the end of the path the element is the key, even if it is an array.
func (k *keys) addPosition(array, element policy.Value, path []fieldpath.Component) {
	switch {
	case anyHasField(array, &path[0]):
		k.addReason(isAmbiguous)
	case len(path) == 1:
		k.add(element)
	default:
		k.walk(element, path[1:])
	}
}

// anyHasField reports whether an element of array has a field with the name of c. If that
// name is a position in the array too, the server refuses to index the document.
func anyHasField(array policy.Value, c *fieldpath.Component) bool {
	for e := array.Elements(); e.Next(); {
		if !valuefunc.F.FieldBy(e.Value(), &c.Finder).IsMissing() {
			return true
		}
	}
	return false
}

// add adds one key.
func (k *keys) add(v policy.Value) {
	date, ok := v.AsDate()
	if !ok && k.timestamps {
		date, ok = instantOfTimestamp(v)
	}
	if !ok {
		k.addReason(reasonOf(v))
		return
	}
	k.addDate(date)
}

// instantOfTimestamp returns the 64 bits of a replication timestamp as milliseconds, as
// the server compares them. A value that is larger than the last instant becomes the last
// instant.
func instantOfTimestamp(v policy.Value) (policy.Instant, bool) {
	seconds, ordinal, ok := v.AsTimestamp()
	return policy.Instant(min(uint64(seconds)<<32|uint64(ordinal), math.MaxInt64)), ok
}

func (k *keys) addDate(date policy.Instant) {
	if k.unsigned && date < 0 {
		k.addReason(isBefore1970)
		return
	}
	if !k.found || date < k.earliest {
		k.earliest = date
	}
	k.found = true
}

// reasonOf returns the reason for a key that is not a Date.
func reasonOf(v policy.Value) reason {
	switch v.Kind() {
	case policy.Missing:
		return isMissing
	case policy.Null:
		return isNull
	case policy.List:
		return isNestedArray
	case policy.Opaque:
		return isOpaque
	case policy.Timestamp:
		return isTimestamp
	}
	return isOther
}

func (k *keys) addReason(r reason) { k.reason = max(k.reason, r) }

// keysOf returns the index keys of a record for path.
func keysOf(r *fieldpath.Record, path []fieldpath.Component) (k keys) {
	if r.Raw != nil {
		return keysAt(r, r.Find(&path[0]), path)
	}
	return keysFrom(r.Field(&path[0]), path)
}

// keysAt is keysOf after the raw field of the path's first component is found.
func keysAt(r *fieldpath.Record, found rawbson.Value, path []fieldpath.Component) (k keys) {
	for policy.Kind(found.Type) == policy.Object && len(path) > 1 { // reads no other fields of the object
		inner, ok := path[1].Finder.Find(found.Body)
		r.Damaged = r.Damaged || !ok
		found, path = inner, path[1:]
	}
	if len(path) == 1 {
		if k, ok := datesIn(found); ok {
			return k
		}
		if policy.Kind(found.Type) == policy.List {
			k.addRaw(r, found)
			return k
		}
	}
	k.walk(r.Checked(found), path[1:])
	return k
}

// datesIn returns the keys of a value at the end of the path if it is a Date or
// an array of Dates only, which are the usual cases.
func datesIn(found rawbson.Value) (k keys, ok bool) {
	if date, ok := found.AsDate(); ok {
		return keys{earliest: policy.Instant(date), found: true}, true
	}
	date, ok := found.EarliestDate()
	return keys{earliest: policy.Instant(date), found: true, expanded: true}, ok
}

// addRaw does for a raw array what addElements does for a decoded array, without a
// policy.Value for each date.
func (k *keys) addRaw(r *fieldpath.Record, array rawbson.Value) {
	k.expanded = true
	e := array.Elements()
	empty := true
	for more := true; more; {
		if earliest, n := e.Dates(); n > 0 {
			k.addDate(policy.Instant(earliest))
			empty = false
		}
		if more = e.Next(); more {
			k.add(r.Checked(e.Value()))
			empty = false
		}
	}
	if empty {
		k.addReason(isEmptyArray)
	}
	r.Damaged = r.Damaged || e.Damaged()
}
