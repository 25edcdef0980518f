package policy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// AppendBSON appends the BSON of v, which must be an [Object], to dst.
//
// Raw BSON is copied as it is. Elsewhere arrays get the keys "0", "1" and so on, and
// every member of raw JSON becomes a field. AppendBSON fails, and returns dst
// unchanged, if v is or contains a document that cannot list its fields, a name or a
// regular expression with a NUL, or a [Missing] or [Opaque] value, if it nests deeper
// than 128 levels, or if it takes 2 GiB.
func AppendBSON(dst []byte, v Value) ([]byte, error) {
	if v.kind != Object {
		return dst, fmt.Errorf("policy: want a document to write as BSON, got %s", v.kind)
	}
	if v.raw != nil && v.low != inJSON {
		return append(dst, v.raw...), nil
	}
	longer, err := appendDocument(dst, v, 1)
	if err != nil {
		return dst, fmt.Errorf("policy: the document cannot be written as BSON: %w", err)
	}
	return longer, nil
}

var (
	errNUL      = errors.New("BSON cannot hold a NUL in a name or a regular expression")
	errTooLong  = errors.New("BSON is limited to 2 GiB")
	errUnlisted = errors.New("the document cannot list its fields")
)

// appendDocument appends v, an Object or a List on nesting level depth.
func appendDocument(dst []byte, v Value, depth int) ([]byte, error) {
	if depth > maxDepth {
		return dst, ErrTooDeep
	}
	dst, start := openDocument(dst)
	var err error
	if v.kind == List {
		dst, err = appendElements(dst, v, depth)
	} else {
		dst, err = appendFields(dst, v, depth)
	}
	if err != nil {
		return dst, err
	}
	return closeDocument(dst, start)
}

// openDocument appends four bytes for a length, and returns their position.
func openDocument(dst []byte) (longer []byte, start int) {
	return append(dst, 0, 0, 0, 0), len(dst)
}

// closeDocument appends a NUL to the document that begins at start, and sets its length.
func closeDocument(dst []byte, start int) ([]byte, error) {
	dst = append(dst, 0)
	return dst, setLength(dst, start, len(dst)-start)
}

// setLength writes a length into dst[start:]. It fails if the length exceeds 31 bits.
func setLength(dst []byte, start, length int) error {
	if length > math.MaxInt32 {
		return errTooLong
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(length))
	return nil
}

func appendFields(dst []byte, v Value, depth int) (_ []byte, err error) {
	f := v.Fields()
	if !f.Listed() {
		return dst, errUnlisted
	}
	for f.Next() {
		if dst, err = appendHead(dst, f.Value().kind, f.Name()); err == nil {
			dst, err = appendBody(dst, f.Value(), depth)
		}
		if err != nil {
			return dst, fmt.Errorf("field %q: %w", f.Name(), err)
		}
	}
	return dst, nil
}

func appendElements(dst []byte, v Value, depth int) (_ []byte, err error) {
	e := v.Elements()
	for i := 0; e.Next(); i++ {
		dst = appendIndex(dst, e.Value().kind, i)
		if dst, err = appendBody(dst, e.Value(), depth); err != nil {
			return dst, fmt.Errorf("element %d: %w", i, err)
		}
	}
	return dst, nil
}

// appendHead appends the kind and the name of a field.
func appendHead(dst []byte, k Kind, name string) ([]byte, error) {
	return appendCString(append(dst, byte(k)), name)
}

// appendIndex appends the kind and the position of an array's element.
func appendIndex(dst []byte, k Kind, i int) []byte {
	return append(strconv.AppendInt(append(dst, byte(k)), int64(i), 10), 0)
}

// appendBody appends the body of v, which is on nesting level depth.
func appendBody(dst []byte, v Value, depth int) ([]byte, error) {
	switch v.kind {
	case Object, List:
		return appendDocument(dst, v, depth+1)
	case Double, Date, Int64, Timestamp:
		return binary.LittleEndian.AppendUint64(dst, v.low), nil
	case Int32:
		return binary.LittleEndian.AppendUint32(dst, uint32(v.low)), nil
	case Bool:
		return append(dst, byte(v.low)), nil
	case Decimal:
		dst = binary.LittleEndian.AppendUint64(dst, v.low)
		return binary.LittleEndian.AppendUint64(dst, v.high), nil
	case ObjectID:
		id, _ := v.AsObjectID()
		return append(dst, id[:]...), nil
	case Null, Undefined, MinKey, MaxKey:
		return dst, nil
	}
	return appendRareBody(dst, v, depth)
}

func appendRareBody(dst []byte, v Value, depth int) ([]byte, error) {
	switch v.kind {
	case String, Symbol, Code:
		return appendText(dst, v)
	case Binary:
		return appendBinary(dst, v)
	case Regex:
		pattern, options, _ := v.AsRegex()
		dst, err := appendCString(dst, pattern)
		if err != nil {
			return dst, err
		}
		return appendCString(dst, options)
	case DBPointer:
		id, _ := v.AsObjectID()
		dst, err := appendText(dst, v)
		return append(dst, id[:]...), err
	case CodeWithScope:
		return appendCodeWithScope(dst, v, depth)
	}
	return dst, fmt.Errorf("BSON has no form for a value that is %s", v.kind)
}

// appendCString appends s and a NUL. It fails if s contains a NUL.
func appendCString(dst []byte, s string) ([]byte, error) {
	if strings.IndexByte(s, 0) >= 0 {
		return dst, errNUL
	}
	return append(append(dst, s...), 0), nil
}

// appendText appends the length of the string v, the string and a NUL.
func appendText(dst []byte, v Value) ([]byte, error) {
	dst, start := openDocument(dst)
	content := len(dst)
	if v.raw != nil {
		dst = append(dst, v.rawText()...)
	} else {
		dst = append(dst, v.text...)
	}
	dst = append(dst, 0)
	return dst, setLength(dst, start, len(dst)-content)
}

func appendBinary(dst []byte, v Value) ([]byte, error) {
	subtype, data, _ := v.AsBinary()
	dst, start := openDocument(dst)
	dst = append(dst, subtype)
	content := len(dst)
	if subtype == oldBinary {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(data)))
	}
	dst = append(dst, data...)
	return dst, setLength(dst, start, len(dst)-content)
}

func appendCodeWithScope(dst []byte, v Value, depth int) ([]byte, error) {
	dst, start := openDocument(dst)
	dst, err := appendText(dst, v)
	if err != nil {
		return dst, err
	}
	if dst, err = appendDocument(dst, v.scope(), depth+1); err != nil {
		return dst, err
	}
	return dst, setLength(dst, start, len(dst)-start)
}
