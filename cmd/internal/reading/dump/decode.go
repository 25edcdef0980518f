package dump

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
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

// A Dialect is a form of Extended JSON that tools have written. [policy.ParseExtJSON]
// refuses it, because it reads only version 2 of the specification. A [Decoder] rewrites
// documents in a dialect to version 2 first, so that one parser reads all values.
// Ambiguous text of a dialect is refused. Dialects can be combined.
type Dialect uint8

// The dialects.
const (
	// Version1 has numbers in $date, $numberLong and their like, and {"$binary": …,
	// "$type": …}. It is written by mongoexport up to 4.0, the Java driver in STRICT
	// mode, Debezium, which uses that mode, and pymongo's json_util up to 3.x
	// (https://www.mongodb.com/docs/manual/reference/mongodb-extended-json-v1/;
	// mongodb/specifications: source/extended-json/extended-json.md, "Datetime"; pymongo
	// 3.10: bson/json_util.py, LEGACY_JSON_OPTIONS).
	Version1 Dialect = 1 << iota
	// Shell has ISODate(…), ObjectId(…), NumberLong(…), names without quotes and single quotes.
	// The mongo shell and mongosh print it. Package mongosh reads it, up to
	// [mongosh.MaxText] bytes for a document.
	Shell
	// BareNumbers has NaN and Infinity outside of wrappers. Python's json module and
	// mongoexport up to 2.4 write them.
	BareNumbers
	// FineDates has dates with more than three decimals of a second, which no BSON date
	// holds. They are truncated, as MongoDB's Go driver does for mongoimport
	// (bson.NewDateTimeFromTime).
	FineDates
)

var dialectNames = []string{"Extended JSON version 1", "the notation of MongoDB's shell", "bare NaN and Infinity", "dates cut off to milliseconds, as mongoimport does"}

// String names the dialects, "" for none.
func (d Dialect) String() string {
	var names []string
	for i, name := range dialectNames {
		if d&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func (d *Decoder) extJSON(raw []byte) (policy.BSON, error) {
	var strict error
	if d.Dialects == 0 { // a document that follows one in a dialect is probably in a dialect too
		doc, err := valuefunc.F.ExtJSONToBSON(d.text[:0], raw, MaxBSON)
		if err == nil {
			return doc, nil
		}
		strict = err
	}
	c := converter{Scanner: jsontext.Scanner{Src: raw}, dst: slices.Grow(d.converted[:0], len(raw))} // usually no longer than raw
	err := c.document()
	d.converted = c.dst
	if err == nil {
		doc, err := valuefunc.F.ExtJSONToBSON(d.text[:0], c.dst, MaxBSON)
		if err == nil {
			d.Dialects |= c.found
			return doc, nil
		}
	}
	if strict == nil {
		_, strict = valuefunc.F.ExtJSONToBSON(d.text[:0], raw, MaxBSON)
	}
	if open := (*openError)(nil); errors.As(err, &open) {
		return policy.BSON{}, &policy.SyntaxError{Format: "Extended JSON", Offset: c.At, Err: err}
	}
	return d.shell(raw, strict)
}

// ToVersion2 rewrites a value in Extended JSON of any dialect to version 2. It returns any
// other text unchanged.
func ToVersion2(text []byte) []byte {
	c := converter{Scanner: jsontext.Scanner{Src: text}}
	if err := c.document(); err != nil || c.found == 0 || !json.Valid(c.dst) {
		return text
	}
	return c.dst
}

// shell reads a document in the syntax of mongosh, which allows names without quotes and
// single quotes. If it cannot read the document, it returns strict, the error of the
// strict reader.
func (d *Decoder) shell(raw []byte, strict error) (policy.BSON, error) {
	if len(raw) > mongosh.MaxText { // a longer text would be refused only after it was copied
		return policy.BSON{}, strict
	}
	v, notes, err := mongosh.ParseValue(string(raw), 0)
	if err != nil || len(notes) > 0 || v.Kind() != policy.Object {
		return policy.BSON{}, strict
	}
	if later, _, err := mongosh.ParseValue(string(raw), 1); err != nil || string(policy.AppendExtJSON(nil, v)) != string(policy.AppendExtJSON(nil, later)) {
		return policy.BSON{}, strict // the value depends on the time of reading
	}
	text, err := policy.AppendBSON(d.text[:0], v)
	if err != nil {
		return policy.BSON{}, strict
	}
	d.Dialects |= Shell
	return policy.ParseBSON(text)
}

// An openError is the error about an ambiguous value.
type openError struct{ text string }

func (e *openError) Error() string { return e.text }

var errOther = errors.New("the text is in no known dialect of Extended JSON")

// A converter rewrites one document to version 2.
type converter struct {
	jsontext.Scanner
	dst   []byte
	found Dialect
}

// peek skips white space and returns the byte behind it, which stays unread; 0 at the end.
func (c *converter) peek() byte {
	c.Space()
	return c.Peek()
}

// next skips white space, and reads the byte behind it if that is b.
func (c *converter) next(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.At++
	return true
}

func (c *converter) write(text string) { c.dst = append(c.dst, text...) }

// document rewrites the type wrappers and the bare numbers of a document, and copies everything
// else: the strict reader checks what results.
func (c *converter) document() error {
	for c.At < len(c.Src) {
		start := c.At
		switch b := c.Src[start]; {
		case b == '{':
			done, err := c.wrapper()
			switch {
			case err != nil:
				return err
			case done:
				continue
			}
			c.At++
		case b == '"':
			if _, ok := c.quoted(); !ok {
				return errOther
			}
		case strings.IndexByte(delimiters, b) >= 0:
			c.At++
		default:
			if text, ok := bareNumbers[c.word()]; ok {
				c.found |= BareNumbers
				c.write(text)
				continue
			}
		}
		c.dst = append(c.dst, c.Src[start:c.At]...)
	}
	return nil
}

// delimiters end a number or a constant.
const delimiters = " \t\r\n,:()[]{}\"'/"

// quoted reads a string and returns its text unchanged, with the quotes.
func (c *converter) quoted() (string, bool) {
	if c.peek() != '"' {
		return "", false
	}
	start := c.At
	if _, err := c.Text(); err != nil {
		return "", false
	}
	return string(c.Src[start:c.At]), true
}

// word skips white space, and reads up to the next white space, bracket, quote or other
// delimiter.
func (c *converter) word() string {
	c.Space()
	start := c.At
	for c.At < len(c.Src) && strings.IndexByte(delimiters, c.Src[c.At]) < 0 {
		c.At++
	}
	return string(c.Src[start:c.At])
}

// scalar reads a string, a number or a constant, and returns it in version 2.
func (c *converter) scalar() (string, error) {
	if text, ok := c.quoted(); ok {
		return text, nil
	}
	word := c.word()
	if text, ok := bareNumbers[word]; ok {
		c.found |= BareNumbers
		return text, nil
	}
	if !json.Valid([]byte(word)) {
		return "", errOther
	}
	return word, nil
}

// bareNumbers maps words that are no JSON to the numbers that they stand for.
var bareNumbers = map[string]string{
	"NaN": `{"$numberDouble":"NaN"}`, "Infinity": `{"$numberDouble":"Infinity"}`, "-Infinity": `{"$numberDouble":"-Infinity"}`,
}

// wrapper rewrites a type wrapper of version 1. It reports false, and reads
// nothing, at any other object.
func (c *converter) wrapper() (done bool, err error) {
	start, found := c.At, c.found
	names, values, ok := c.scalars()
	text := ""
	if ok {
		text, err = c.version1(names, values)
	}
	switch {
	case err != nil:
		c.At = start
		return false, err
	case text == "":
		c.At, c.found = start, found
		return false, nil
	}
	c.write(text)
	return true, nil
}

// scalars reads an object of one or two scalar members, whose first name begins with a
// dollar.
func (c *converter) scalars() (names, values []string, ok bool) {
	for c.At++; !c.next('}'); {
		if len(names) > 0 && !c.next(',') || len(names) == 2 {
			return nil, nil, false
		}
		name, ok := c.quoted()
		if !ok || !c.next(':') || len(names) == 0 && !strings.HasPrefix(name, `"$`) {
			return nil, nil, false
		}
		if b := c.peek(); b == '{' || b == '[' {
			return nil, nil, false
		}
		value, err := c.scalar()
		if err != nil {
			return nil, nil, false
		}
		names, values = append(names, name), append(values, value)
	}
	return names, values, len(names) > 0
}

// version1 converts a wrapper of version 1 to version 2; "" if version 2 has no such
// wrapper.
func (c *converter) version1(names, values []string) (text string, err error) {
	if len(names) == 2 {
		if names[0] == `"$type"` {
			names[0], names[1], values[0], values[1] = names[1], names[0], values[1], values[0]
		}
		if names[0] != `"$binary"` || names[1] != `"$type"` || values[0][0] != '"' {
			return "", nil
		}
		c.found |= Version1
		base, digits := 10, values[1]
		if digits[0] == '"' {
			base, digits = 16, strings.Trim(digits, `"`)
		}
		n, err := strconv.ParseUint(digits, base, 8)
		if err != nil {
			return "", errOther
		}
		return fmt.Sprintf(`{"$binary":{"base64":%s,"subType":"%02x"}}`, values[0], n), nil
	}
	switch name, value := strings.Trim(names[0], `"`), values[0]; {
	case name == "$date":
		return c.date(value)
	case name == "$uuid" && len(value) == 34 && !strings.Contains(value, "-"):
		c.found |= Version1
		return fmt.Sprintf(`{"$uuid":"%s-%s-%s-%s-%s"}`, value[1:9], value[9:13], value[13:17], value[17:21], value[21:33]), nil
	case strings.HasPrefix(name, "$number") && value[0] != '"':
		c.found |= Version1
		if value[0] == '{' { // a bare NaN
			return value, nil
		}
		return `{"` + name + `":"` + value + `"}`, nil
	}
	return "", nil
}

// date returns the $date of version 2 for a value, which is a number of milliseconds
// since 1970 or a text.
func (c *converter) date(value string) (string, error) {
	switch value[0] {
	case '{':
		return "", errOther
	case '"':
		text := strings.Trim(value, `"`)
		const shape = len("2006-01-02T15:04:05")
		if len(text) < shape {
			return "", &openError{fmt.Sprintf("the date %s has no time: it may begin in UTC or at another place", value)}
		}
		head, zone, decimals := text[:shape], text[shape:], ""
		if fraction, ok := strings.CutPrefix(zone, "."); ok {
			zone = strings.TrimLeft(fraction, "0123456789")
			decimals = "." + fraction[:len(fraction)-len(zone)]
		}
		if len(decimals) > len(".000") {
			c.found |= FineDates
			decimals = decimals[:len(".000")]
		}
		if zone == "" {
			return "", &openError{fmt.Sprintf("the date %s has no zone: it may be of UTC or of where it was written", value)}
		}
		return `{"$date":"` + head + decimals + zone + `"}`, nil
	}
	c.found |= Version1
	whole, fraction, _ := strings.Cut(value, ".")
	if strings.Trim(fraction, "0") != "" || strings.ContainsAny(value, "eE") {
		return "", &openError{fmt.Sprintf("the date %s has a fraction: it may be of milliseconds, as in Extended JSON, or of seconds", value)}
	}
	return `{"$date":{"$numberLong":"` + whole + `"}}`, nil
}
