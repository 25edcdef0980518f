package policy

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
)

// BSON is a raw BSON document whose structure has been checked. It implements
// [Document] without decoding: fields are found by walking the bytes. Where a
// name occurs twice the first counts, as for MongoDB's index keys
// (mongodb/mongo: src/mongo/db/index/btree_key_generator.cpp).
//
// Decide takes a *BSON without allocating, so that one variable can serve a
// whole sweep. The zero BSON is an empty document.
type BSON struct{ raw []byte }

// MaxDepth is how deep documents and arrays may nest in what this package
// reads. The server's own limit is 100 (MongoDB manual, "MongoDB Limits and
// Thresholds", https://www.mongodb.com/docs/manual/reference/limits/).
const MaxDepth = 128

// ParseBSON checks b, which must hold exactly one document, and returns it
// without copying: b must not change while the document is in use. Lengths,
// terminators, element types, booleans and nesting are checked all the way
// down; that text is UTF-8 is not, as the server does not ask for it. The
// error is a [*SyntaxError].
func ParseBSON(b []byte) (BSON, error) {
	if err := checkBSON(b); err != nil {
		return BSON{}, err
	}
	return BSON{b}, nil
}

// Bytes returns the document's bytes, which must not be modified.
func (d BSON) Bytes() []byte { return d.raw }

// Field returns the first field with exactly this name.
func (d BSON) Field(name string) Value { return rawField(d.raw, name) }

// Value returns the document as an [Object].
func (d BSON) Value() Value { return rawObject(d.raw) }

func rawObject(raw []byte) Value { return Value{kind: Object, raw: raw} }

// rawField returns the first field of a checked document with the given name.
func rawField(raw []byte, name string) Value {
	for c := cursorOf(raw); c.step(); {
		if string(c.name) == name {
			return c.value()
		}
	}
	return Value{}
}

// A rawCursor walks the elements of one checked document or array: BSON by
// step, JSON by stepJSON. BSON's step relies on nothing; value relies on
// checkBSON.
type rawCursor struct {
	rest []byte // what follows the current element
	name []byte // for JSON, what stands between the quotes
	body []byte // the current element's value
	kind Kind   // its kind; for JSON, Object or List: what is walked
	json bool
}

// cursorOf returns a cursor before the first element of raw, which may be
// empty.
func cursorOf(raw []byte) rawCursor {
	if len(raw) < minDocument {
		return rawCursor{}
	}
	return rawCursor{rest: raw[lengthBytes : len(raw)-1]}
}

const (
	lengthBytes = 4
	minDocument = lengthBytes + 1 // a length and the terminating NUL
)

// step moves to the next element. It reports false at the end.
func (c *rawCursor) step() bool {
	if len(c.rest) < 2 {
		return false
	}
	c.kind = Kind(c.rest[0])
	end := bytes.IndexByte(c.rest[1:], 0)
	if end < 0 {
		return false
	}
	c.name = c.rest[1 : 1+end]
	after := c.rest[end+2:]
	size := bodySize(c.kind, after)
	if size < 0 || size > len(after) {
		return false
	}
	c.body, c.rest = after[:size], after[size:]
	return true
}

// next moves to the next element and returns its value, Missing at the end.
func (c *rawCursor) next() Value {
	switch {
	case c.json && c.stepJSON():
		return jsonValue(c.body)
	case !c.json && c.step():
		return c.value()
	}
	return Value{}
}

// nameText returns the current name. It copies.
func (c *rawCursor) nameText() string {
	if c.json {
		return jsonText(c.name)
	}
	return string(c.name)
}

// compareName compares the current name with s. It copies a name that JSON
// spells with escapes.
func (c *rawCursor) compareName(s string) int {
	if c.json && bytes.IndexByte(c.name, '\\') >= 0 {
		return strings.Compare(jsonText(c.name), s)
	}
	return compareBytes(c.name, s)
}

// bodySize returns how many bytes of b a value of kind k takes, going by its
// own length prefix, or -1 if b cannot tell or k is no element type. The
// caller compares the size with what there is.
func bodySize(k Kind, b []byte) int {
	switch k {
	case Double, Date, Int64, Timestamp:
		return 8
	case Int32:
		return 4
	case Bool:
		return 1
	case Null, Undefined, MinKey, MaxKey:
		return 0
	case ObjectID:
		return 12
	case Decimal:
		return 16
	case Object, List, CodeWithScope:
		return prefixed(b, 0)
	case String, Symbol, Code:
		return prefixed(b, lengthBytes)
	case Binary:
		return prefixed(b, lengthBytes+1)
	case DBPointer:
		return prefixed(b, lengthBytes+12)
	case Regex:
		return regexSize(b)
	}
	return -1
}

// prefixed returns the int32 that b begins with plus extra, or -1 if there is
// none or it is negative.
func prefixed(b []byte, extra int) int {
	if len(b) < lengthBytes {
		return -1
	}
	n := int32(binary.LittleEndian.Uint32(b))
	if n < 0 {
		return -1
	}
	return int(min(int64(n)+int64(extra), math.MaxInt32)) // an int may have 32 bits
}

// regexSize returns the size of two NUL-terminated strings, or -1.
func regexSize(b []byte) int {
	pattern := bytes.IndexByte(b, 0)
	if pattern < 0 {
		return -1
	}
	options := bytes.IndexByte(b[pattern+1:], 0)
	if options < 0 {
		return -1
	}
	return pattern + options + 2
}
