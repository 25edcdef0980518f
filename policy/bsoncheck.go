package policy

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

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
	if depth > MaxDepth {
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
