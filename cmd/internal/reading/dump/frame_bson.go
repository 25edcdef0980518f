package dump

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

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
		return 0, &damage{err: &quotation{err, "the length is that of no document; where the next begins is unknown"}}
	}
	if n > len(data) {
		return cutOff(data, final, n)
	}
	if data[n-1] != 0 {
		return misfit(data, final, n)
	}
	return n, nil
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

// misfit handles a length that does not lead to a document's last byte. The length still
// counts if it leads to the next document, or to the end.
func misfit(data []byte, final bool, n int) (int, *damage) {
	rest := data[n:]
	if len(rest) < minBSON && !final {
		return 0, nil
	}
	return n, &damage{err: errNoTerminator, skippable: len(rest) == 0 || beginsDocument(rest)}
}

// beginsDocument reports whether data may begin with a document, as far as a
// length and the type of the first field tell.
func beginsDocument(data []byte) bool {
	if len(data) < minBSON {
		return false
	}
	n, kind := int(int32(binary.LittleEndian.Uint32(data))), policy.Kind(data[lengthBytes])
	return saneLength(n) && (kind == policy.Missing) == (n == minBSON) && kind.String() != "invalid"
}
