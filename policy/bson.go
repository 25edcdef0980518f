package policy

import (
	"bytes"
	"encoding/binary"
	"iter"
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

// SplitBSON yields the raw documents that stand one after another in b, as in a
// dump, each with its offset: they are found by their lengths and not checked.
// What begins with a length that does not fit is yielded as one document to the
// end of b, so that nothing is lost, and is damaged for whoever reads it.
//
// Each document is waited for before the next one is known. Who has the offsets,
// as the pages of a database do, decides about documents of a kilobyte and more
// twice as fast without.
func SplitBSON(b []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for rest := b[:len(b):len(b)]; len(rest) > 0; {
			doc := rest
			if n := int(documentLength(rest)); n >= minDocument && n <= len(rest) {
				doc = rest[:n:n]
			}
			if !yield(len(b)-len(rest), doc) {
				return
			}
			rest = rest[len(doc):]
		}
	}
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
	f := NewFinder(name)
	found, _ := f.Find(raw)
	return rawValue(found.Kind, found.Body)
}

// elementsOf returns what a document or array, which may be empty, holds
// between its length and its NUL.
func elementsOf(raw []byte) []byte {
	if len(raw) < minDocument {
		return nil
	}
	return raw[lengthBytes : len(raw)-1]
}

// cutElement finds the element that b begins with: its kind is b[0], its name
// b[1:nameEnd], its value b[nameEnd+1:end]. It returns end 0 if there is none.
// It relies on nothing.
func cutElement(b []byte) (nameEnd, end int) {
	if len(b) < 2 {
		return 0, 0
	}
	nameEnd = 1 + indexNUL(b[1:])
	if nameEnd == 0 {
		return 0, 0
	}
	size := bodySize(Kind(b[0]), b[nameEnd+1:])
	if size < 0 || size > len(b)-nameEnd-1 {
		return 0, 0
	}
	return nameEnd, nameEnd + 1 + size
}

// A rawCursor walks the elements of one checked document or array: BSON by
// step, JSON by stepJSON.
type rawCursor struct {
	rest []byte // what follows the current element
	name []byte // for JSON, what stands between the quotes
	body []byte // the current element's value
	kind Kind   // its kind; for JSON, Object or List: what is walked
	json bool
}

// cursorOf returns a cursor before the first element of raw, which may be
// empty.
func cursorOf(raw []byte) rawCursor { return rawCursor{rest: elementsOf(raw)} }

const (
	lengthBytes = 4
	minDocument = lengthBytes + 1 // a length and the terminating NUL
)

// step moves to the next element. It reports false at the end.
func (c *rawCursor) step() bool {
	b := c.rest
	nameEnd, end := cutElement(b)
	if end == 0 {
		return false
	}
	c.kind, c.name, c.body, c.rest = Kind(b[0]), b[1:nameEnd], b[nameEnd+1:end], b[end:]
	return true
}

// indexNUL is bytes.IndexByte for a NUL that is near, as it is behind most
// field names: eight bytes are looked at in one go.
func indexNUL(b []byte) int {
	for i := 0; len(b)-i >= 8; i += 8 {
		if zeros := zeroBytes(wordAt(b, i)); zeros != 0 {
			return i + firstMark(zeros)
		}
	}
	return bytes.IndexByte(b, 0)
}

// next moves to the next element and returns its value, Missing at the end.
func (c *rawCursor) next() Value {
	switch {
	case c.json && c.stepJSON():
		return jsonValue(c.body)
	case !c.json && c.step():
		return rawValue(c.kind, c.body)
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
	switch size := bodySizes[k]; {
	case k == Regex:
		return regexSize(b)
	case size < hasPrefix:
		return int(size) - 1
	default:
		return prefixed(b, int(size-hasPrefix))
	}
}

// bodySizes holds for each kind one more than the size of its values, or
// hasPrefix plus what comes on top of a length prefix, or 0 for a Regex and for
// what is no element type.
var bodySizes = [256]uint8{
	Double: 1 + 8, Date: 1 + 8, Int64: 1 + 8, Timestamp: 1 + 8, Int32: 1 + 4, Bool: 1 + 1, ObjectID: 1 + 12, Decimal: 1 + 16,
	Null: 1 + 0, Undefined: 1 + 0, MinKey: 1 + 0, MaxKey: 1 + 0,
	Object: hasPrefix, List: hasPrefix, CodeWithScope: hasPrefix,
	String: hasPrefix + lengthBytes, Symbol: hasPrefix + lengthBytes, Code: hasPrefix + lengthBytes,
	Binary: hasPrefix + lengthBytes + 1, DBPointer: hasPrefix + lengthBytes + 12,
}

const hasPrefix = 0x80

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
