package policy

import (
	"encoding/binary"
	"errors"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// BSON is a raw BSON document whose structure has been checked. It implements [Document]
// without decoding: fields are found by walking the bytes. If a name occurs twice, the
// first field counts, as for MongoDB's index keys (mongodb/mongo:
// src/mongo/db/index/btree_key_generator.cpp).
//
// Decide accepts a *BSON without allocating, so a sweep can use a single variable for all
// documents. The zero BSON is an empty document.
type BSON struct {
	noJSON
	raw []byte
}

// MaxDepth is the maximum nesting of documents and arrays that this package reads. The
// server's own limit is 100 (MongoDB manual, "MongoDB Limits and Thresholds",
// https://www.mongodb.com/docs/manual/reference/limits/).
const MaxDepth = syntax.MaxDepth // 128

// ParseBSON checks b, which must hold exactly one document, and returns it
// without copying: b must not change while the document is in use. Lengths,
// terminators, element types, booleans and nesting are checked at every level.
// Text need not be UTF-8, as the server does not require it. The error is a
// [*SyntaxError].
func ParseBSON(b []byte) (BSON, error) {
	if err := checkBSON(b); err != nil {
		return BSON{}, syntaxError("BSON", err)
	}
	return BSON{raw: b}, nil
}

// ParseBSONValue checks the body of one BSON value at every level and returns the value
// without copying: body must not change while the value is in use. The body has the form
// that an encoder of values writes, such as bson.MarshalValue of the Go driver. A kind is
// the number of its element type. The error is a [*SyntaxError] whose offset counts from
// the value.
func ParseBSONValue(kind Kind, body []byte) (Value, error) {
	if err := checkBody(kind, body, 1); err != nil {
		return Value{}, syntaxError("BSON", err)
	}
	return rawValue(rawbson.Value{Type: byte(kind), Body: body}), nil
}

// LookupBSON returns the first field with exactly this name, or [Missing] if there is
// none. The raw document need not have been checked: LookupBSON checks only the value,
// skips the fields before the value by their lengths, and reads nothing after it. It does
// not copy: doc must not change while the value is in use. The error is a [*SyntaxError]:
// its offset counts from the value, or is 0 if a field before the value is damaged.
func LookupBSON(doc []byte, name string) (Value, error) {
	f := rawbson.NewFinder(name)
	found, ok := f.Find(doc)
	switch {
	case !ok:
		return Value{}, syntaxError("BSON", &syntax.Error{Err: errDamagedBefore})
	case found.Type == 0:
		return Value{}, nil
	}
	return ParseBSONValue(Kind(found.Type), found.Body)
}

var errDamagedBefore = errors.New("the document is damaged before the wanted field")

// Bytes returns the document's bytes, which must not be modified.
func (d BSON) Bytes() []byte { return d.raw }

// Field returns the first field with exactly this name.
func (d BSON) Field(name string) Value { return rawField(d.raw, name) }

// Value returns the document as an [Object].
func (d BSON) Value() Value { return rawObject(d.raw) }

func rawObject(raw []byte) Value { return Value{kind: Object, raw: raw} }

// rawField returns the first field of a checked document with the given name.
func rawField(raw []byte, name string) Value {
	f := rawbson.NewFinder(name)
	found, _ := f.Find(raw)
	return rawValue(found)
}

// rawElements returns a cursor before the first element of a document or array,
// which may be empty.
func rawElements(raw []byte) rawbson.Elements {
	return rawbson.Value{Type: byte(Object), Body: raw}.Elements()
}

const (
	lengthBytes = 4
	minDocument = lengthBytes + 1 // a length and the terminating NUL
)

// lengthOf returns the length with which b starts, or 0 if b is shorter than a length.
func lengthOf(b []byte) int64 {
	if len(b) < lengthBytes {
		return 0
	}
	return int64(int32(binary.LittleEndian.Uint32(b)))
}
