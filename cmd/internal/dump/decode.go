package dump

import (
	"encoding/json"
	"fmt"

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
