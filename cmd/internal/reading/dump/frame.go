package dump

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// valueFramer finds JSON objects by their brackets: the elements of one array, or a
// sequence of objects. Brackets can be trusted only while the text is JSON, so damage
// ends the reading.
type valueFramer struct {
	array bool // the objects are the elements of an array
	state state
}

// state says what may follow in an array.
type state uint8

const (
	atOpen  state = iota // [
	atFirst              // an element or ]
	atComma              // , or ]
	atNext               // an element
	atEnd                // nothing
)

var (
	errNotObject = errors.New("want an object")
	errNoArray   = errors.New("want an array")
	errNoComma   = errors.New("want a comma or the end of the array")
	errBehind    = errors.New("text follows the array")
	errBracket   = errors.New("unexpected closing bracket")
)

func (f *valueFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first := len(spans)
	for pos := 0; ; {
		if pos = jsontext.SkipSpace(data, pos); pos == len(data) { // not always the end of the input
			if final && f.array && f.state != atEnd && len(spans) == first {
				f.state = atEnd
				return spans, pos, &damage{at: pos, err: fmt.Errorf("%w: the array is not closed", policy.ErrTruncated)}
			}
			return spans, pos, nil
		}
		size, isDoc, err := f.token(data[pos:], final)
		switch {
		case err != nil && len(spans) == first:
			return spans, pos, &damage{at: pos, err: err}
		case err != nil || size == 0:
			return spans, pos, nil
		case isDoc:
			spans = append(spans, Span{int32(pos), int32(pos + size)})
		}
		pos += size
	}
}

// token returns the size of the token at the start of text, or 0 if more text is needed,
// and whether the token is a document.
func (f *valueFramer) token(text []byte, final bool) (size int, isDoc bool, err error) {
	if !f.array {
		size, err = objectSize(text, final)
		return size, true, err
	}
	switch c := text[0]; {
	case f.state == atOpen && c == '[':
		f.state = atFirst
		return 1, false, nil
	case f.state == atOpen:
		return 0, false, errNoArray
	case f.state == atEnd:
		return 0, false, errBehind
	case c == ']' && f.state != atNext:
		f.state = atEnd
		return 1, false, nil
	case f.state == atComma && c == ',':
		f.state = atNext
		return 1, false, nil
	case f.state == atComma:
		return 0, false, errNoComma
	}
	if size, err = objectSize(text, final); size > 0 && err == nil {
		f.state = atComma
	}
	return size, true, err
}

// objectSize returns the size of the object at the start of text, or 0 if more text is
// needed.
func objectSize(text []byte, final bool) (int, error) {
	switch {
	case text[0] == ']' || text[0] == '}':
		return 0, errBracket
	case text[0] != '{':
		return 0, &quotation{fmt.Errorf("%w, not %q", errNotObject, beginning(text)), errNotObject.Error()}
	}
	size := jsontext.NestedEnd(text, 0)
	switch {
	case size > MaxText || size < 0 && len(text) > MaxText:
		return 0, fmt.Errorf("the document is longer than %d MiB", MaxText>>20)
	case size < 0 && final:
		return 0, fmt.Errorf("%w: %d bytes left", policy.ErrTruncated, len(text))
	}
	return max(size, 0), nil
}

const (
	lengthBytes = 4
	minBSON     = lengthBytes + 1 // a length and the terminating NUL
)

var errNoTerminator = errors.New("the document does not end where its length says")

// bsonFramer follows the lengths at the start of BSON documents. It relies on a length
// only if the data confirms it.
type bsonFramer struct{}

func (bsonFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first := len(spans)
	spans, pos := whole(data, 0, spans)
	for {
		size, bad := bsonSize(data[pos:], final)
		switch {
		case bad != nil && len(spans) == first:
			bad.at = pos
			return spans, pos + size, bad
		case bad != nil || size == 0:
			return spans, pos, nil
		}
		spans = append(spans, Span{int32(pos), int32(pos + size)})
		pos += size
	}
}

// whole appends to spans the documents from pos on, up to the first that is incomplete or
// damaged, and returns its start.
func whole(data []byte, pos int, spans []Span) ([]Span, int) {
	for len(data)-pos >= lengthBytes {
		n := int(int32(binary.LittleEndian.Uint32(data[pos:])))
		if !saneLength(n) || n > len(data)-pos || data[pos+n-1] != 0 {
			break
		}
		spans = append(spans, Span{int32(pos), int32(pos + n)})
		pos += n
	}
	return spans, pos
}

// bsonSize returns the size of the document at the start of data, or 0 if more data is
// needed or none is left. With damage it returns the number of bytes to skip.
func bsonSize(data []byte, final bool) (int, *damage) {
	if len(data) < lengthBytes {
		return cutOff(data, final, lengthBytes)
	}
	n := int(int32(binary.LittleEndian.Uint32(data)))
	if !saneLength(n) {
		err := fmt.Errorf("document length %d is outside %d to %d; where the next document begins is unknown", n, minBSON, MaxBSON)
		return 0, &damage{err: &quotation{err, "the document length is out of range; where the next document begins is unknown"}}
	}
	if n > len(data) {
		return cutOff(data, final, n)
	}
	if data[n-1] == 0 {
		return n, nil
	}
	rest := data[n:]
	if len(rest) < minBSON && !final {
		return 0, nil
	}
	// The length does not lead to the last byte of a document. It is still used if it leads to
	// the next document, or to the end of data.
	return n, &damage{err: errNoTerminator, skippable: len(rest) == 0 || beginsDocument(rest)}
}

func saneLength(n int) bool { return n >= minBSON && n <= MaxBSON }

// cutOff handles data that is shorter than the document at its start.
func cutOff(data []byte, final bool, want int) (int, *damage) {
	if !final || len(data) == 0 {
		return 0, nil
	}
	err := fmt.Errorf("%w: %d bytes wanted, %d left", policy.ErrTruncated, want, len(data))
	return len(data), &damage{err: err, skippable: true}
}

// beginsDocument reports whether data may begin with a document, judging by a length and
// the type of the first field.
func beginsDocument(data []byte) bool {
	if len(data) < minBSON {
		return false
	}
	n, kind := int(int32(binary.LittleEndian.Uint32(data))), policy.Kind(data[lengthBytes])
	return saneLength(n) && (kind == policy.Missing) == (n == minBSON) && kind.String() != "invalid"
}

// lineFramer finds a document in each line that is not blank.
type lineFramer struct {
	inLong bool // within a line that was already reported as too long
}

func (f *lineFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first := len(spans)
	for pos := 0; ; {
		end := bytes.IndexByte(data[pos:], '\n')
		size, found := end, end >= 0
		if !found {
			size = len(data) - pos
		}
		switch {
		case f.inLong && !found:
			return spans, len(data), nil
		case f.inLong:
			f.inLong = false
		case size > MaxText && len(spans) > first:
			return spans, pos, nil
		case size > MaxText:
			f.inLong = !found
			return spans, min(pos+size+1, len(data)), &damage{at: pos, err: errLongLine, skippable: true}
		case !found && (!final || size == 0):
			return spans, pos, nil
		default:
			spans = addLine(spans, data, pos, pos+size)
		}
		pos = min(pos+size+1, len(data))
	}
}

var errLongLine = fmt.Errorf("the line is longer than %d MiB", MaxText>>20)

// addLine appends the line data[start:end] without the white space around it.
func addLine(spans []Span, data []byte, start, end int) []Span {
	for start < end && jsontext.IsSpace(data[start]) {
		start++
	}
	for start < end && jsontext.IsSpace(data[end-1]) {
		end--
	}
	if start == end {
		return spans
	}
	return append(spans, Span{int32(start), int32(end)})
}
