// Package fieldpath reads fields, along paths, of the document about which an evaluator
// decides.
package fieldpath

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Record is the document about which an evaluator decides: a document of the database's
// own type, or raw BSON, of which only the necessary parts are read. The zero record is
// an empty document.
type Record struct {
	Doc policy.Document
	Raw []byte
	// Damaged means that the part of Raw that was read is not well-formed.
	Damaged bool
}

// Of returns a record of a document of any Go type. A nil *policy.BSON or *policy.JSON is an
// empty document.
func Of(doc policy.Document) Record {
	if engine.IsNil(doc) {
		return Record{}
	}
	if b, ok := doc.(*policy.BSON); ok {
		return Record{Raw: b.Bytes()}
	}
	return Record{Doc: doc}
}

// OfBSON returns a record of unchecked raw BSON.
func OfBSON(doc []byte) Record { return Record{Raw: doc, Damaged: len(doc) == 0} }

// Find returns a field of a raw record.
func (r *Record) Find(c *Component) rawbson.Value {
	found, ok := c.Finder.Find(r.Raw)
	r.Damaged = r.Damaged || !ok
	return found
}

// Field returns a field of the record.
func (r *Record) Field(c *Component) policy.Value {
	switch {
	case r.Raw != nil:
		return r.Checked(r.Find(c))
	case r.Doc != nil:
		return r.Doc.Field(c.Name)
	}
	return policy.Value{}
}

// Checked returns a raw value of the record as a policy.Value. If the raw value is
// damaged, Checked returns Missing and marks the record as damaged.
func (r *Record) Checked(found rawbson.Value) policy.Value {
	v, err := policy.ParseBSONValue(policy.Kind(found.Type), found.Body)
	r.Damaged = r.Damaged || err != nil
	return v
}
