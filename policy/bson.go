package policy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

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

// maxDepth is the maximum nesting of documents and arrays that this package reads. The
// server's own limit is 100 (MongoDB manual, "MongoDB Limits and Thresholds",
// https://www.mongodb.com/docs/manual/reference/limits/).
const maxDepth = syntax.MaxDepth // 128

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

// rawValue decodes a checked value.
func rawValue(v rawbson.Value) Value {
	k, b := Kind(v.Type), v.Body
	switch k {
	case Double, Date, Int64, Timestamp:
		return Value{kind: k, low: binary.LittleEndian.Uint64(b)}
	case Int32:
		return Int32Value(int32(binary.LittleEndian.Uint32(b)))
	case Bool:
		return BoolValue(b[0] != 0)
	case ObjectID:
		high, low := objectIDWords(b)
		return Value{kind: ObjectID, high: high, low: low}
	case Decimal:
		return DecimalValue(binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b))
	case Object, List:
		return Value{kind: k, raw: b}
	}
	return rareValue(k, b)
}

// rareValue decodes strings, and the kinds on which no rule depends.
func rareValue(k Kind, b []byte) Value {
	switch k {
	case String, Symbol, Code:
		return Value{kind: k, raw: textOf(b)}
	case Binary:
		return binaryOf(b)
	case Regex:
		return Value{kind: Regex, raw: b[:len(b)-1]}
	case DBPointer:
		id := len(b) - 12
		high, low := objectIDWords(b[id:])
		return Value{kind: DBPointer, raw: textOf(b[:id]), high: high, low: low}
	case CodeWithScope:
		return Value{kind: CodeWithScope, raw: b}
	}
	return Value{kind: k}
}

// textOf returns the bytes of a length-prefixed, NUL-terminated string.
func textOf(b []byte) []byte { return b[lengthBytes : len(b)-1] }

// codeOf returns the code of a CodeWithScope.
func codeOf(b []byte) []byte {
	text := b[lengthBytes:]
	return textOf(text[:lengthBytes+lengthOf(text)])
}

// scopeOf returns the scope of a CodeWithScope.
func scopeOf(b []byte) []byte {
	text := b[lengthBytes:]
	return text[lengthBytes+lengthOf(text):]
}

// binaryOf returns the data of a binary element. The deprecated subtype 2
// repeats its length inside, which is not part of the data.
func binaryOf(b []byte) Value {
	subtype, data := b[lengthBytes], b[lengthBytes+1:]
	if subtype == oldBinary {
		data = data[lengthBytes:]
	}
	return BinaryValue(subtype, data)
}

const oldBinary = 0x02

// checkBSON returns the first error in b as a single BSON document, or nil.
func checkBSON(b []byte) *syntax.Error {
	if err := checkWhole(b); err != nil {
		return err
	}
	return checkDocument(b, 1)
}

// checkWhole checks that b has the length with which its document starts.
func checkWhole(b []byte) *syntax.Error {
	n := lengthOf(b)
	switch {
	case len(b) >= lengthBytes && n < minDocument:
		return syntax.Fail(0, fmt.Errorf("document length %d is below %d", n, minDocument))
	case len(b) < lengthBytes || n > int64(len(b)):
		return syntax.Fail(len(b), ErrTruncated)
	case n < int64(len(b)):
		return syntax.Fail(int(n), fmt.Errorf("%d bytes follow the document", int64(len(b))-n))
	}
	return nil
}

// The functions below count the offset of an error from the start of their argument b.

// checkDocument checks that b is exactly one document or array, on nesting level depth.
func checkDocument(b []byte, depth int) *syntax.Error {
	if depth > maxDepth {
		return syntax.Fail(0, ErrTooDeep)
	}
	if n := lengthOf(b); n < minDocument || n != int64(len(b)) {
		return syntax.Fail(0, fmt.Errorf("document length %d does not match the %d bytes of the document", n, len(b)))
	}
	end := len(b) - 1
	if b[end] != 0 {
		return syntax.Fail(end, errors.New("the document does not end with a NUL"))
	}
	e := rawElements(b)
	for e.Next() {
		v := e.Value()
		if err := checkBody(Kind(v.Type), v.Body, depth); err != nil {
			return err.Behind(end - e.Left() - len(v.Body)).Under(string(e.Name()))
		}
	}
	if e.Damaged() {
		at := end - e.Left()
		return damagedElement(b[at:end]).Behind(at)
	}
	return nil
}

// damagedElement returns the reason for which a cursor cannot step over the first element
// of b.
func damagedElement(b []byte) *syntax.Error {
	kind := Kind(b[0])
	if kind == Missing {
		return syntax.Fail(0, errors.New("the document ends before its length says"))
	}
	end := bytes.IndexByte(b[1:], 0)
	if end < 0 {
		return syntax.Fail(0, errors.New("the field name does not end inside the document"))
	}
	name := string(b[1 : 1+end])
	if !kind.isElement() {
		return syntax.Fail(0, fmt.Errorf("0x%02X is not an element type", byte(kind))).Under(name)
	}
	return syntax.Fail(end+2, fmt.Errorf("%s value does not end inside the document", kind)).Under(name)
}

// isElement reports whether a document may have a field of kind k.
func (k Kind) isElement() bool { return k != Missing && k != Opaque && k.String() != "invalid" }

// checkBody checks the value b of kind k.
func checkBody(k Kind, b []byte, depth int) *syntax.Error {
	switch k {
	case Object, List:
		return checkDocument(b, depth+1)
	case String, Symbol, Code:
		return checkText(b)
	case Binary:
		return checkBinary(b)
	case DBPointer:
		return checkText(b[:len(b)-12])
	case CodeWithScope:
		return checkCodeWithScope(b, depth)
	case Bool:
		if b[0] > 1 {
			return syntax.Fail(0, fmt.Errorf("0x%02X is not a boolean", b[0]))
		}
	}
	return nil
}

// checkText checks a length-prefixed string whose length fits b.
func checkText(b []byte) *syntax.Error {
	if len(b) == lengthBytes {
		return syntax.Fail(0, errors.New("string length 0 leaves no room for the final NUL"))
	}
	if b[len(b)-1] != 0 {
		return syntax.Fail(len(b)-1, errors.New("the string does not end with a NUL"))
	}
	return nil
}

// checkBinary checks the inner length of the deprecated subtype 2.
func checkBinary(b []byte) *syntax.Error {
	data := b[lengthBytes+1:]
	if b[lengthBytes] == oldBinary && lengthBytes+lengthOf(data) != int64(len(data)) {
		return syntax.Fail(lengthBytes+1, errors.New("the inner length of binary subtype 2 does not match the outer length"))
	}
	return nil
}

// checkCodeWithScope checks that b consists of a length, a string and a document.
func checkCodeWithScope(b []byte, depth int) *syntax.Error {
	if len(b) < lengthBytes {
		return syntax.Fail(0, errors.New("the length of code with scope is below the 4 bytes of the length itself"))
	}
	rest := b[lengthBytes:]
	size := lengthBytes + lengthOf(rest)
	if size < lengthBytes || size > int64(len(rest)) {
		return syntax.Fail(lengthBytes, errors.New("the code does not end inside its value"))
	}
	if err := checkText(rest[:size]); err != nil {
		return err.Behind(lengthBytes)
	}
	if err := checkDocument(rest[size:], depth+1); err != nil {
		return err.Behind(lengthBytes + int(size))
	}
	return nil
}
