package policy

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/syntax"
)

// checkBSON returns what is wrong with b as one BSON document.
func checkBSON(b []byte) *syntax.Error {
	if err := checkWhole(b); err != nil {
		return err
	}
	return checkDocument(b, 0, 1)
}

// checkWhole checks that b is as long as the document in it says.
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

// checkDocument checks b, which begins at offset at, as exactly one document
// or array on nesting level depth.
func checkDocument(b []byte, at, depth int) *syntax.Error {
	if depth > MaxDepth {
		return syntax.Fail(at, ErrTooDeep)
	}
	if n := lengthOf(b); n < minDocument || n != int64(len(b)) {
		return syntax.Fail(at, fmt.Errorf("document length %d does not fit its place of %d bytes", n, len(b)))
	}
	end := len(b) - 1
	if b[end] != 0 {
		return syntax.Fail(at+end, errors.New("the document does not end with a NUL"))
	}
	start := at + lengthBytes
	e := rawElements(b)
	for e.Next() {
		v := e.Value()
		value := start + len("\x00") + len(e.Name()) + len("\x00")
		if err := checkBody(Kind(v.Type), v.Body, value, depth); err != nil {
			return err.Under(string(e.Name()))
		}
		start = value + len(v.Body)
	}
	if e.Damaged() {
		return damagedElement(b[start-at:end], start)
	}
	return nil
}

// damagedElement returns why no cursor can step over the element that b, which
// begins at offset at, starts with.
func damagedElement(b []byte, at int) *syntax.Error {
	kind := Kind(b[0])
	if kind == Missing {
		return syntax.Fail(at, errors.New("the document ends before its length says"))
	}
	end := bytes.IndexByte(b[1:], 0)
	if end < 0 {
		return syntax.Fail(at, errors.New("the field name does not end inside the document"))
	}
	name := string(b[1 : 1+end])
	if !kind.isElement() {
		return syntax.Fail(at, fmt.Errorf("0x%02X is no element type", byte(kind))).Under(name)
	}
	return syntax.Fail(at+end+2, fmt.Errorf("%s value does not end inside the document", kind)).Under(name)
}

// isElement reports whether k may stand in a document.
func (k Kind) isElement() bool { return k != Missing && k.String() != "invalid" }

// checkBody checks the value b of kind k, which begins at offset at.
func checkBody(k Kind, b []byte, at, depth int) *syntax.Error {
	switch k {
	case Object, List:
		return checkDocument(b, at, depth+1)
	case String, Symbol, Code:
		return checkText(b, at)
	case Binary:
		return checkBinary(b, at)
	case DBPointer:
		return checkText(b[:len(b)-12], at)
	case CodeWithScope:
		return checkCodeWithScope(b, at, depth)
	case Bool:
		if b[0] > 1 {
			return syntax.Fail(at, fmt.Errorf("0x%02X is no boolean", b[0]))
		}
	}
	return nil
}

// checkText checks a length-prefixed string whose length fits b.
func checkText(b []byte, at int) *syntax.Error {
	if len(b) == lengthBytes {
		return syntax.Fail(at, errors.New("string length 0 leaves no room for its NUL"))
	}
	if b[len(b)-1] != 0 {
		return syntax.Fail(at+len(b)-1, errors.New("the string does not end with a NUL"))
	}
	return nil
}

// checkBinary checks the inner length of the deprecated subtype 2.
func checkBinary(b []byte, at int) *syntax.Error {
	data := b[lengthBytes+1:]
	if b[lengthBytes] == oldBinary && lengthBytes+lengthOf(data) != int64(len(data)) {
		return syntax.Fail(at+lengthBytes+1, errors.New("the inner length of binary subtype 2 does not fit the outer"))
	}
	return nil
}

// checkCodeWithScope checks a length, a string, and a document that together
// fill b.
func checkCodeWithScope(b []byte, at, depth int) *syntax.Error {
	if len(b) < lengthBytes {
		return syntax.Fail(at, errors.New("the code's length is below its own size"))
	}
	rest := b[lengthBytes:]
	size := lengthBytes + lengthOf(rest)
	if size < lengthBytes || size > int64(len(rest)) {
		return syntax.Fail(at+lengthBytes, errors.New("the code does not end inside its value"))
	}
	if err := checkText(rest[:size], at+lengthBytes); err != nil {
		return err
	}
	return checkDocument(rest[size:], at+lengthBytes+int(size), depth+1)
}
