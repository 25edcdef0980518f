package policy

import (
	"bytes"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

// A Document is a stored record. A database implements Document for its own type by the
// method Field; the evaluators handle dotted paths and arrays.
//
// A pointer becomes a Document without allocating; a slice or a larger struct is
// allocated each time.
type Document interface {
	// Field returns the value of the top-level field with exactly this name, or the zero
	// Value if there is none. If the name is repeated it returns the field that counts
	// for the database: the first in BSON, the last in JSON.
	Field(name string) Value
}

// A FieldLister is a [Document] that can also list its fields in order. Only
// the comparison of whole embedded documents needs it: a document that cannot list
// its fields equals no other.
type FieldLister interface {
	Document
	// Len returns the number of fields.
	Len() int
	// FieldAt returns field i, from 0 to Len()-1, in stored order.
	FieldAt(i int) (name string, v Value)
}

// An Array is the elements of a [List], in order.
type Array interface {
	// Len returns the number of elements.
	Len() int
	// At returns element i, from 0 to Len()-1.
	At(i int) Value
}

// D is an ordered in-memory [FieldLister], as in MongoDB's Go driver. The zero
// D is an empty document.
type D []E

// E is a field of a [D].
type E struct {
	Key   string
	Value Value
}

// Field returns the first field of d with the given name.
func (d D) Field(name string) Value {
	for i := range d {
		if d[i].Key == name {
			return d[i].Value
		}
	}
	return Value{}
}

// Len returns the number of fields.
func (d D) Len() int { return len(d) }

// FieldAt returns field i.
func (d D) FieldAt(i int) (string, Value) { return d[i].Key, d[i].Value }

// DOf returns the fields of an [Object] in order, without converting their values.
// It is nil if v is not an Object, or cannot list its fields, as a [Map] cannot; see
// [Fields.Listed]. It is not nil for an Object without fields.
func DOf(v Value) (d D) {
	f := v.Fields()
	if f.Listed() {
		d = D{}
	}
	for f.Next() {
		d = append(d, E{f.Name(), f.Value()})
	}
	return d
}

// AOf returns the elements of a [List], without converting them. It is nil if v is
// not a List.
func AOf(v Value) (a A) {
	e := v.Elements()
	for e.Next() {
		a = append(a, e.Value())
	}
	return a
}

// A is an in-memory [Array]. The zero A is an empty array.
type A []Value

// Len returns the number of elements.
func (a A) Len() int { return len(a) }

// At returns element i.
func (a A) At(i int) Value { return a[i] }

// Fields is a cursor over the fields of an embedded document:
//
//	f := v.Fields() // before the loop: a loop variable is copied for each field
//	for f.Next() {
//		use(f.Name(), f.Value())
//	}
//
// The cursor does not allocate. The zero Fields is at its end.
//
// Experimental: it may change in a minor release.
type Fields struct {
	noJSON
	raw    rawCursor
	list   FieldLister
	next   int
	name   string
	value  Value
	listed bool
}

// Fields returns a cursor before the first field of v. It is at its end if v
// is not an [Object] or cannot list its fields.
//
// Experimental: it may change in a minor release.
func (v Value) Fields() Fields {
	if v.kind != Object {
		return Fields{}
	}
	list, ok := v.ref.(FieldLister)
	return Fields{raw: v.cursor(), list: list, listed: ok || v.raw != nil || v.ref == nil}
}

// Listed reports whether the document can list its fields. If Listed is false,
// the cursor is at its end although the document may have fields.
//
// Experimental: see [Fields].
func (f *Fields) Listed() bool { return f.listed }

// Next moves to the next field. It reports false at the end.
//
// Experimental: see [Fields].
func (f *Fields) Next() bool {
	if f.list == nil {
		f.value = f.raw.next()
		return !f.value.IsMissing()
	}
	if f.next >= f.list.Len() {
		return false
	}
	f.name, f.value = f.list.FieldAt(f.next)
	f.next++
	return true
}

// Name returns the name of the current field. It copies a name that comes from
// raw bytes.
//
// Experimental: see [Fields].
func (f *Fields) Name() string {
	if f.list == nil {
		return f.raw.nameText()
	}
	return f.name
}

// CompareName returns -1, 0 or +1 as the current name of f is before, equal to or after s in
// byte order. It does not allocate.
func (functions) CompareName(f *Fields, s string) int { return f.compareName(s) }

func (f *Fields) compareName(s string) int {
	if f.list == nil {
		return f.raw.compareName(s)
	}
	return strings.Compare(f.name, s)
}

// CompareNames compares the current name of f with the current name of g, like CompareName.
func (functions) CompareNames(f, g Fields) int {
	switch {
	case g.list != nil:
		return f.compareName(g.name)
	case f.list != nil:
		return -g.raw.compareName(f.name)
	case f.raw.isJSON || g.raw.isJSON:
		return f.compareName(g.Name())
	}
	return bytes.Compare(f.raw.rawName(), g.raw.rawName())
}

// Value returns the value of the current field.
//
// Experimental: see [Fields].
func (f *Fields) Value() Value { return f.value }

// Elements is a cursor over the elements of an array:
//
//	e := v.Elements()
//	for e.Next() {
//		use(e.Value())
//	}
//
// The cursor does not allocate. The zero Elements is at its end.
//
// Experimental: it may change in a minor release.
type Elements struct {
	noJSON
	raw   rawCursor
	list  Array
	next  int
	value Value
}

// Elements returns a cursor before the first element of v. It is at its end if
// v is not a [List].
//
// Experimental: it may change in a minor release.
func (v Value) Elements() Elements {
	if v.kind != List {
		return Elements{}
	}
	list, _ := v.ref.(Array)
	return Elements{raw: v.cursor(), list: list}
}

// Next moves to the next element. It reports false at the end.
//
// Experimental: see [Elements].
func (e *Elements) Next() bool {
	if e.list == nil {
		e.value = e.raw.next()
		return !e.value.IsMissing()
	}
	if e.next >= e.list.Len() {
		return false
	}
	e.value = e.list.At(e.next)
	e.next++
	return true
}

// Value returns the current element.
//
// Experimental: see [Elements].
func (e *Elements) Value() Value { return e.value }

// ElementName returns the name of the current element in raw BSON, which must not be
// modified. It is the element's position, "0", "1" and so on, unless a client
// wrote another name. ElementName reports false for an array that is not raw BSON; the
// names of its elements are their positions.
func (functions) ElementName(e *Elements) (name []byte, stored bool) {
	if e.list != nil || e.raw.isJSON {
		return nil, false
	}
	return e.raw.bson.Name(), true
}

// A rawCursor walks the elements of one checked document or array, of BSON or of
// JSON.
type rawCursor struct {
	bson   rawbson.Elements
	json   jsontext.Cursor
	isJSON bool
}

// next moves to the next element and returns its value, or Missing at the end.
func (c *rawCursor) next() Value {
	switch {
	case c.isJSON && c.json.Next():
		return jsonValue(c.json.Value())
	case !c.isJSON && c.bson.Next():
		return rawValue(c.bson.Value())
	}
	return Value{}
}

// rawName returns the bytes of the current name.
func (c *rawCursor) rawName() []byte {
	if c.isJSON {
		return c.json.Name()
	}
	return c.bson.Name()
}

// nameText returns a copy of the current name.
func (c *rawCursor) nameText() string {
	if c.isJSON {
		return jsontext.Text(c.json.Name())
	}
	return string(c.bson.Name())
}

// compareName compares the current name with s.
func (c *rawCursor) compareName(s string) int {
	if c.isJSON {
		return jsontext.CompareText(c.json.Name(), s)
	}
	return jsontext.CompareBytes(c.bson.Name(), s)
}
