package dump

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/reply"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Decoder turns the bytes of one document after another into a
// policy.Document. The zero Decoder is ready for use.
type Decoder struct {
	// Dialects are the dialects of Extended JSON met so far, besides version 2.
	Dialects Dialect

	bson      policy.BSON
	json      policy.JSON
	ext       valuefunc.ExtDocument // nil until it is needed
	text      []byte                // the BSON of the last document of Extended JSON
	converted []byte                // the last document of a dialect, as version 2
}

// Decode returns the document in raw, which has the kind k. The document is a
// *policy.BSON, or for [JSON] a *policy.JSON. The document may refer to raw, and it is
// valid until the next call. The error about malformed text is a [*policy.SyntaxError].
//
// Extended JSON may be of any [Dialect]. Its BSON may be as large as the largest document
// that a server stores. Except for dialects, Decode allocates nothing if it has read a
// document of the same size before.
//
// A reply is refused by a [*reply.Error].
func (d *Decoder) Decode(k Kind, raw []byte) (doc policy.Document, err error) {
	doc = &d.bson
	switch k {
	case BSON:
		d.bson, err = policy.ParseBSON(raw)
	case JSON:
		d.json, err = policy.ParseJSON(raw)
		doc = &d.json
	default:
		if d.bson, err = d.extJSON(raw); err == nil {
			d.text = d.bson.Bytes()
		}
	}
	if err == nil {
		err = reply.Check(doc)
	}
	return doc, err
}

// idFinders find the identifiers of documents.
var idFinders = [...]rawbson.Finder{rawbson.NewFinder("_id"), rawbson.NewFinder("id")}

// MayBeReply reports whether [reply.Check] has to look at an unchecked document of this kind.
// It reports false for nearly every stored document, in little time.
func MayBeReply(k Kind, raw []byte) bool {
	if k == BSON {
		for i := range idFinders {
			if found, ok := idFinders[i].Find(raw); ok && found.Type != 0 {
				return policy.Kind(found.Type) == policy.Object && i == 0
			}
		}
		return true
	}
	picks := [1]jsontext.Pick{{Name: "id"}}
	jsontext.Find(raw, picks[:])
	return picks[0].Count == 0
}

// View is Decode for reading a few fields: fields of Extended JSON are converted on demand.
func (d *Decoder) View(k Kind, raw []byte) (policy.Document, error) {
	if k == ExtJSON && d.Dialects == 0 {
		if d.ext == nil {
			d.ext = valuefunc.F.NewExtDocument()
		}
		if d.ext.Parse(raw, MaxBSON) == nil && reply.IsIdentified(d.ext) {
			return d.ext, nil
		}
	}
	return d.Decode(k, raw)
}

// Release drops the last document, and the memory of a large one.
func (d *Decoder) Release() {
	d.bson, d.json = policy.BSON{}, policy.JSON{}
	if cap(d.text)+cap(d.converted) > blockSize {
		d.text, d.converted = nil, nil
	}
	if d.ext != nil {
		d.ext.Release(blockSize)
	}
}

// Damaged returns the error about document i of b, a block of s. err is the error with
// which a [Decoder] refused the document.
func (s *Stream) Damaged(b *Block, i int, err error) *Error {
	if s.noText {
		err = WithoutText(err)
	}
	isReply := errors.As(err, new(*reply.Error)) // which holds documents, so it is not skipped
	_, byBrackets := s.framer.(*valueFramer)     // then the end is certain only if the document is JSON
	return &Error{Name: s.name, Offset: b.DocOffset(i), Err: err, Skippable: !isReply && (!byBrackets || json.Valid(b.Doc(i)))}
}

// A Sample identifies one document and its place.
type Sample struct {
	ID     ID     `json:"id"`     // the identifier; empty if the document has none, or if identifiers are not shown
	File   string `json:"file"`   // the input, see [File.Name], with slashes; empty if a server counted the documents
	Offset int64  `json:"offset"` // the start of the document, in bytes of uncompressed input
}

// Short returns the identifier as [ID.Short] does, or the place of a document without an
// identifier; "" if neither is known.
func (s Sample) Short() string {
	switch {
	case s.ID != "":
		return s.ID.Short()
	case s.File == "":
		return ""
	}
	return "byte " + strconv.FormatInt(s.Offset, 10)
}

// SampleOf returns the place and the identifier of a document. The identifier is the
// value of the field that id names. If id is empty, the sample has no identifier.
func SampleOf(doc policy.Document, id, file string, offset int64) Sample {
	s := Sample{File: filepath.ToSlash(file), Offset: offset}
	if id != "" {
		s.ID = IDOf(doc, id)
	}
	return s
}

// Sample is [SampleOf] for document i of b, a block of s. The sample of a document that
// cannot be read has no identifier.
func (s *Stream) Sample(b *Block, i int, id string) Sample {
	var doc policy.Document = policy.D{}
	if id != "" {
		if d, err := new(Decoder).View(s.kind, b.Doc(i)); err == nil {
			doc = d
		}
	}
	return SampleOf(doc, id, s.name, b.DocOffset(i))
}

// An ID is the identifier of a document in canonical Extended JSON, empty for a document
// without one. A long identifier is cut to a string that ends in an ellipsis.
type ID string

// maxID is the kept length of a long identifier, in bytes.
const maxID = 200

// IDOf returns the value of the field of this name in doc.
func IDOf(doc policy.Document, field string) ID {
	v := doc.Field(field)
	if v.IsMissing() {
		return ""
	}
	text := appendSome(nil, v)
	if len(text) <= maxID {
		return ID(text)
	}
	n := maxID
	for !utf8.RuneStart(text[n]) {
		n--
	}
	quoted, _ := json.Marshal(string(text[:n]) + "…") // the cut text is not JSON, so it becomes a string
	return ID(quoted)
}

// appendSome appends v in canonical Extended JSON. It may stop after maxID bytes, so its
// time and memory do not depend on the size of v.
func appendSome(dst []byte, v policy.Value) []byte {
	switch v.Kind() {
	case policy.Object:
		f := v.Fields()
		return appendMembers(append(dst, '{'), '}', f.Next, func(dst []byte) []byte {
			dst = append(appendSome(dst, policy.StringValue(f.Name())), ':')
			return appendSome(dst, f.Value())
		})
	case policy.List:
		e := v.Elements()
		return appendMembers(append(dst, '['), ']', e.Next, func(dst []byte) []byte { return appendSome(dst, e.Value()) })
	case policy.CodeWithScope:
		code, _ := v.AsString()
		dst = appendSome(append(dst, `{"$code":`...), policy.StringValue(code))
		return append(appendSome(append(dst, `,"$scope":`...), valuefunc.F.Scope(v)), '}')
	}
	return policy.AppendExtJSON(dst, clipped(v))
}

// clipped returns v with long text or data cut to its beginning.
func clipped(v policy.Value) policy.Value {
	text, _ := v.AsString()
	text = text[:min(len(text), 2*maxID)]
	switch v.Kind() {
	case policy.String:
		return policy.StringValue(text)
	case policy.Symbol, policy.Code:
		return valuefunc.F.RareValue(v.Kind(), text)
	case policy.DBPointer:
		id, _ := v.AsObjectID()
		return valuefunc.F.DBPointerValue(text, id)
	case policy.Regex:
		pattern, options, _ := v.AsRegex()
		return policy.RegexValue(pattern[:min(len(pattern), 2*maxID)], options[:min(len(options), 2*maxID)])
	case policy.Binary:
		subtype, data, _ := v.AsBinary()
		return policy.BinaryValue(subtype, data[:min(len(data), 2*maxID)])
	}
	return v
}

func appendMembers(dst []byte, closing byte, next func() bool, member func([]byte) []byte) []byte {
	for first := true; len(dst) <= maxID && next(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = member(dst)
	}
	return append(dst, closing)
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

// Short returns the identifier in the form that readers know: an ObjectId as its digits,
// a number without its type.
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

// WithoutText returns an error like err that quotes nothing of a document: no value and
// no field name, only the place of a fault. An error without quotations is returned
// unchanged.
func WithoutText(err error) error {
	plain, told := repeating(err)
	if told == nil {
		return err
	}
	before, after, ok := strings.Cut(err.Error(), told.Error())
	if !ok {
		return &withoutText{plain, err}
	}
	return &withoutText{before + plain + after, err}
}

// withoutText is an error whose quotations are replaced.
type withoutText struct {
	text string
	error
}

func (e *withoutText) Error() string { return e.text }
func (e *withoutText) Unwrap() error { return e.error }

// repeating returns told, the part of err that repeats input, and plain, the text that
// replaces it; told is nil if no part repeats input.
func repeating(err error) (plain string, told error) {
	var done *withoutText
	var malformed *policy.SyntaxError
	var shell *mongosh.SyntaxError
	var q *quotation
	switch {
	case errors.As(err, &done):
		return "", nil
	case errors.As(err, &malformed):
		return fmt.Sprintf("malformed %s at byte %d%s", malformed.Format, malformed.Offset, cause(malformed)), malformed
	case errors.As(err, &shell):
		return fmt.Sprintf("at byte %d%s", shell.Offset, cause(shell)), shell
	case errors.As(err, &q):
		return q.plain, q
	}
	return "", nil
}

// cause returns a colon and the text of the fault if the input is truncated or nested too
// deeply, "" for any other fault.
func cause(err error) string {
	for _, fault := range []error{policy.ErrTruncated, policy.ErrTooDeep} {
		if errors.Is(err, fault) {
			return ": " + fault.Error()
		}
	}
	return ""
}

// A quotation is an error that quotes input. plain is its text without the quotation.
type quotation struct {
	error
	plain string
}

func (q *quotation) Unwrap() error { return q.error }
