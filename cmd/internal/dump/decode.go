package dump

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Decoder turns the bytes of one document after another into a
// policy.Document. The zero Decoder is ready for use.
type Decoder struct {
	bson policy.BSON
	json policy.JSON
}

// Decode returns the document that raw, which is of kind k, holds. The
// document may refer to raw, and it is valid until the next call. The error is
// a [*policy.SyntaxError].
//
// For BSON and JSON it does not allocate.
func (d *Decoder) Decode(k Kind, raw []byte) (doc policy.Document, err error) {
	switch k {
	case BSON:
		d.bson, err = policy.ParseBSON(raw)
		return &d.bson, err
	case JSON:
		d.json, err = policy.ParseJSON(raw)
		return &d.json, err
	}
	return decodeExtJSON(raw)
}

// decodeExtJSON decodes one document of Extended JSON.
func decodeExtJSON(raw []byte) (policy.Document, error) {
	v, err := policy.ParseExtJSON(raw)
	if err == nil && v.Kind() != policy.Object {
		err = fmt.Errorf("%s where a document should be", v.Kind())
	}
	return v, err
}

// Damaged returns the error for document i of b, a block of s that [Decoder]
// refused with err.
func (s *Stream) Damaged(b *Block, i int, err error) *Error {
	return &Error{Name: s.name, Offset: b.DocOffset(i), Err: err, Skippable: s.framed(b.Doc(i))}
}

// framed reports whether a refused document ends where it seems to. Within an
// array that is so only if it is JSON at least: brackets were all there was to
// go by.
func (s *Stream) framed(doc []byte) bool {
	_, byBrackets := s.framer.(*valueFramer)
	return !byBrackets || json.Valid(doc)
}

// A Sample is one document, and where it is.
type Sample struct {
	ID     ID     `json:"id"`
	File   string `json:"file"`   // the input, see [File.Name], with slashes
	Offset int64  `json:"offset"` // where it begins there, in bytes of uncompressed input
}

// SampleOf names a document by its field id.
func SampleOf(doc policy.Document, id, file string, offset int64) Sample {
	return Sample{IDOf(doc, id), filepath.ToSlash(file), offset}
}

// An ID is what tells a document apart in canonical Extended JSON, empty if it
// has none. A long one is cut off and becomes a string that ends in an ellipsis.
type ID string

// maxID is how much of a long identifier is kept, in bytes.
const maxID = 200

// IDOf returns what the field of this name holds in doc.
func IDOf(doc policy.Document, field string) ID {
	v := doc.Field(field)
	if v.IsMissing() {
		return ""
	}
	text := policy.AppendExtJSON(nil, v)
	if len(text) <= maxID {
		return ID(text)
	}
	n := maxID
	for !utf8.RuneStart(text[n]) {
		n--
	}
	quoted, _ := json.Marshal(string(text[:n]) + "…") // what is left is not JSON, so it becomes a string
	return ID(quoted)
}

// MarshalJSON returns the identifier itself, null for none.
func (id ID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	return []byte(id), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (id *ID) UnmarshalJSON(text []byte) error {
	if *id = ""; string(text) != "null" {
		*id = ID(text)
	}
	return nil
}

// Short returns the identifier as people know it: an ObjectId by its digits, a
// number without its type.
func (id ID) Short() string {
	if id == "" {
		return "(none)"
	}
	v, err := policy.ParseExtJSON([]byte(id))
	if err != nil {
		return string(id)
	}
	if oid, ok := v.AsObjectID(); ok && v.Kind() == policy.ObjectID {
		return hex.EncodeToString(oid[:])
	}
	if n, ok := v.AsInt64(); ok {
		return strconv.FormatInt(n, 10)
	}
	return string(id)
}
