package dump

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// A Kind is the format of an input's documents. The zero Kind is [Auto].
type Kind uint8

// The kinds.
const (
	Auto    Kind = iota // detected from the first bytes
	BSON                // BSON documents one after another, as mongodump writes them
	ExtJSON             // MongoDB Extended JSON v2, as mongoexport writes it
	JSON                // plain JSON, as exported from Cosmos DB
)

var kindNames = []string{Auto: "auto", BSON: "bson", ExtJSON: "extjson", JSON: "json"}

// String returns k's name, such as "bson".
func (k Kind) String() string { return enum.String(k, kindNames) }

// ParseKind returns the kind with the given name.
func ParseKind(name string) (Kind, error) {
	i := slices.Index(kindNames, name)
	if i < 0 {
		return Auto, fmt.Errorf("unknown kind of input %q, want bson, extjson, json or auto", name)
	}
	return Kind(i), nil
}

// framerFor chooses the framer of an input by the kind that the user names, or for [Auto] by
// the input's name and its beginning, head. If head is a text, it is decoded.
//
// For [Auto] the length at the start of a document tells BSON: four characters of text read as a
// length are above 150 million. Lengths a little above the limit count as BSON too, so that the
// error names the limit.
func framerFor(name string, k Kind, head []byte) (f framer, err error) {
	isBSON := k == BSON
	if k == Auto {
		if err := Foreign(name, head); err != nil {
			return nil, err
		}
		if len(head) >= lengthBytes {
			n := int32(binary.LittleEndian.Uint32(head))
			isBSON = n >= minBSON && n <= 2*MaxBSON
		}
	}
	text := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case isBSON:
		return bsonFramer{}, nil
	case len(text) == 0:
		return &lineFramer{}, nil
	case text[0] == '[':
		return &valueFramer{array: true}, nil
	case text[0] != '{':
		err := fmt.Errorf("the input begins with %q, which is neither BSON nor JSON; --input names the kind", beginning(text))
		return nil, &quotation{err, "the input is neither BSON nor JSON; --input names the kind"}
	}
	line, _, more := bytes.Cut(text, []byte("\n"))
	if more && jsontext.NestedEnd(line, 0) < 0 {
		return &valueFramer{}, nil // the first document goes on in the next line
	}
	return &lineFramer{}, nil
}

// beginning returns the first bytes of text, for an error.
func beginning(text []byte) []byte { return text[:min(12, len(text))] }

// A framer finds where documents begin and end, and does not look into them.
type framer interface {
	// frame appends to spans the complete documents at the start of data. settled is the
	// number of bytes that frame has finished with; the next call gets the bytes after
	// them again, followed by more bytes. final says that nothing follows data.
	//
	// An error in the first document is returned as damage, and settled then includes the
	// bytes to skip. An error after good documents is returned by the next call.
	frame(data []byte, final bool, spans []Span) (out []Span, settled int, bad *damage)
}

// damage describes the fault of the first document of a framer's data.
type damage struct {
	at        int // the start of the document within the data
	err       error
	skippable bool
	goesOn    bool // there is nothing to skip, but other collections follow
}
