package policy

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/decimal128"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

// A Value is one typed scalar, array or embedded document, as a database stores it. It is
// immutable. Constructors do not copy: bytes and documents that are passed to a
// constructor must not change while the Value is in use.
//
// The zero Value is [Missing], which a document returns for an absent field. It is
// distinct from a stored null.
type Value struct {
	_    [0]func() // forbids ==, which would give wrong results for NaN and decimal zeros
	kind Kind
	// low holds the payload of Bool, Int32, Int64, Date and Timestamp, the
	// IEEE bits of a Double and the subtype of Binary. high and low together
	// hold a Decimal, an ObjectID, and the identifier of a DBPointer.
	high, low uint64
	// text or raw holds the payload of String, Symbol, Code, DBPointer and Regex
	// (pattern, NUL, options); raw holds the payload of Binary. A CodeWithScope has its
	// code in text and its scope in ref, or is all in raw, as in BSON.
	text string
	// raw is also the bytes of an Object or List that comes from raw BSON,
	// or from raw JSON if low is inJSON.
	raw []byte
	// ref is the Document of an Object, the Array of a List, or the scope of
	// a CodeWithScope that was made in memory.
	ref any
}

// NullValue returns a stored null.
func NullValue() Value { return Value{kind: Null} }

// OpaqueValue returns a Value of a type that this package does not know, for documents of
// a database that has such types. The field exists, but its value is not a date, equals
// no value and is neither less nor greater than any value: a document never expires by
// it, and no filter except $exists matches it. A MongoDB index keeps its document by a
// separate rule, so that a log distinguishes an opaque value from a known value that is
// not a date. Neither BSON nor the definition of an index can hold an opaque value;
// [AppendExtJSON] writes {"$opaque":true}.
func OpaqueValue() Value { return Value{kind: Opaque} }

// BoolValue returns a Value for b.
func BoolValue(b bool) Value {
	if b {
		return Value{kind: Bool, low: 1}
	}
	return Value{kind: Bool}
}

// Int32Value returns a Value for a 32-bit integer.
func Int32Value(n int32) Value { return Value{kind: Int32, low: uint64(int64(n))} }

// Int64Value returns a Value for a 64-bit integer.
func Int64Value(n int64) Value { return Value{kind: Int64, low: uint64(n)} }

// DoubleValue returns a Value for f, NaN and infinities included.
func DoubleValue(f float64) Value { return Value{kind: Double, low: math.Float64bits(f)} }

// DecimalValue returns a Value for the decimal128 with the given bits, in the
// binary integer encoding that BSON uses.
func DecimalValue(high, low uint64) Value { return Value{kind: Decimal, high: high, low: low} }

// DateValue returns a Value for a stored date.
func DateValue(i Instant) Value { return Value{kind: Date, low: uint64(i)} }

// TimestampValue returns a Value for a replication timestamp, which is not a date.
func TimestampValue(seconds, ordinal uint32) Value {
	return Value{kind: Timestamp, low: uint64(seconds)<<32 | uint64(ordinal)}
}

// ObjectIDValue returns a Value for an object identifier.
func ObjectIDValue(id [12]byte) Value {
	high, low := objectIDWords(id[:])
	return Value{kind: ObjectID, high: high, low: low}
}

// StringValue returns a Value for s.
func StringValue(s string) Value { return Value{kind: String, text: s} }

// RareValue returns a value of a kind that hardly any document has: a Symbol or a Code with a
// text, or an Undefined, a MinKey or a MaxKey without one. Users make these values, and those
// of the next two functions, by [ParseBSONValue].
func (functions) RareValue(k Kind, text string) Value { return Value{kind: k, text: text} }

// CodeWithScopeValue returns a Value for JavaScript code with variables.
func (functions) CodeWithScopeValue(code string, scope Document) Value {
	return Value{kind: CodeWithScope, text: code, ref: scope}
}

// DBPointerValue returns a Value for BSON's deprecated pointer to the document
// with the given identifier in a namespace.
func (functions) DBPointerValue(namespace string, id [12]byte) Value {
	v := ObjectIDValue(id)
	v.kind, v.text = DBPointer, namespace
	return v
}

// RegexValue returns a Value for a regular expression. Neither part may hold a
// NUL; the text from a NUL on is cut off.
func RegexValue(pattern, options string) Value {
	pattern, _, _ = strings.Cut(pattern, "\x00")
	options, _, _ = strings.Cut(options, "\x00")
	return Value{kind: Regex, text: pattern + "\x00" + options}
}

// BinaryValue returns a Value for binary data of a BSON subtype.
func BinaryValue(subtype byte, data []byte) Value {
	return Value{kind: Binary, low: uint64(subtype), raw: data}
}

// ListValue returns a Value for an array. The array must not change later.
func ListValue(a Array) Value { return Value{kind: List, ref: a} }

// ObjectValue returns a Value for an embedded document, which must not change
// later. A nil document is an empty one.
func ObjectValue(d Document) Value {
	switch d := d.(type) {
	case BSON:
		return d.Value()
	case *BSON:
		if d != nil {
			return d.Value()
		}
		return Value{kind: Object}
	case JSON:
		return d.Value()
	case *JSON:
		if d != nil {
			return d.Value()
		}
		return Value{kind: Object}
	case Value:
		return objectOrEmpty(d)
	case *Value:
		if d != nil {
			return objectOrEmpty(*d)
		}
		return Value{kind: Object}
	case *D:
		if d == nil {
			return Value{kind: Object}
		}
	case *Map:
		if d == nil {
			return Value{kind: Object}
		}
	}
	return Value{kind: Object, ref: d}
}

// objectOrEmpty returns v if it is an Object, and an Object without fields
// otherwise.
func objectOrEmpty(v Value) Value {
	if v.kind != Object {
		return Value{kind: Object}
	}
	return v
}

// Kind returns v's kind.
func (v Value) Kind() Kind { return v.kind }

// IsMissing reports whether v means an absent field.
func (v Value) IsMissing() bool { return v.kind == Missing }

// IsMissingOrNull reports whether v is [Missing] or null. Options and settings do
// not distinguish the two.
func (v Value) IsMissingOrNull() bool { return v.kind == Missing || v.kind == Null }

// IsNaN reports whether v is a [Double] or a [Decimal] that is not a number.
func (v Value) IsNaN() bool {
	return v.kind == Double && math.IsNaN(math.Float64frombits(v.low)) || v.kind == Decimal && decimal128.IsNaN(v.high)
}

// AsDate returns the instant v holds. It reports false if v is not a [Date].
func (v Value) AsDate() (Instant, bool) {
	return Instant(v.low), v.kind == Date
}

// DateOf is v.AsDate without copying the Value. The copy would take an eighth of the time of
// a decision.
func (functions) DateOf(v *Value) (Instant, bool) { return Instant(v.low), v.kind == Date }

// AsInt64 returns the integer v holds. It reports false unless v is an [Int32]
// or an [Int64]; a Double is never rounded.
func (v Value) AsInt64() (int64, bool) {
	return int64(v.low), v.kind == Int32 || v.kind == Int64
}

// AsDouble returns the float v holds. It reports false if v is not a [Double].
func (v Value) AsDouble() (float64, bool) {
	return math.Float64frombits(v.low), v.kind == Double
}

// AsDecimal returns the decimal128 bits v holds. It reports false if v is not
// a [Decimal].
func (v Value) AsDecimal() (high, low uint64, ok bool) {
	return v.high, v.low, v.kind == Decimal
}

// AsBool returns the truth value v holds. Both results are false if v is not a
// [Bool].
func (v Value) AsBool() (b, ok bool) {
	return v.kind == Bool && v.low != 0, v.kind == Bool
}

// AsTimestamp returns the replication timestamp v holds. It reports false if v
// is not a [Timestamp].
func (v Value) AsTimestamp() (seconds, ordinal uint32, ok bool) {
	return uint32(v.low >> 32), uint32(v.low), v.kind == Timestamp
}

// AsObjectID returns the object identifier v holds. It reports false unless v
// is an [ObjectID] or a [DBPointer].
func (v Value) AsObjectID() (id [12]byte, ok bool) {
	binary.BigEndian.PutUint64(id[:], v.high)
	binary.BigEndian.PutUint32(id[8:], uint32(v.low))
	return id, v.kind == ObjectID || v.kind == DBPointer
}

// AsString returns the text v holds: a [String], a [Symbol], the code of a
// [Code] or [CodeWithScope], the namespace of a [DBPointer]. It reports false
// for other kinds. It copies text that comes from raw bytes.
func (v Value) AsString() (string, bool) {
	if !v.hasText() {
		return "", false
	}
	return v.content(), true
}

// CompareText returns -1, 0 or +1 as the text of v is before, equal to or after the text
// of w in byte order. It does not allocate. The text of a [Regex] is its pattern, a NUL
// and its options. A Value of any other kind for which [Value.AsString] reports false has
// the text "".
func (functions) CompareText(v, w Value) int {
	a, s := v.rawOrText()
	b, t := w.rawOrText()
	switch {
	case a != nil && b != nil:
		return bytes.Compare(a, b)
	case a != nil:
		return jsontext.CompareBytes(a, t)
	case b != nil:
		return -jsontext.CompareBytes(b, s)
	}
	return strings.Compare(s, t)
}

// TextLen returns the length in bytes of the text of v, without a copy. It is 0 if
// [Value.AsString] reports false.
func (functions) TextLen(v Value) int {
	if !v.hasText() {
		return 0
	}
	raw, text := v.rawOrText()
	return len(raw) + len(text)
}

// rawOrText returns the text of v, as CompareText defines it, either as raw bytes or as a
// string.
func (v Value) rawOrText() (raw []byte, text string) {
	switch {
	case !v.hasText() && v.kind != Regex:
		return nil, ""
	case v.raw != nil:
		return v.rawText(), ""
	}
	return nil, v.text
}

// AsBinary returns the data v holds and its subtype. It reports false if v is
// not [Binary]. The data must not be modified.
func (v Value) AsBinary() (subtype byte, data []byte, ok bool) {
	if v.kind != Binary {
		return 0, nil, false
	}
	return byte(v.low), v.raw, true
}

// AsRegex returns the regular expression v holds. It reports false if v is not
// a [Regex].
func (v Value) AsRegex() (pattern, options string, ok bool) {
	if v.kind != Regex {
		return "", "", false
	}
	pattern, options, _ = strings.Cut(v.content(), "\x00")
	return pattern, options, true
}

// Scope returns the variables of a [CodeWithScope] as an [Object]. It is [Missing] for other
// kinds.
func (functions) Scope(v Value) Value { return v.scope() }

func (v Value) scope() Value {
	switch {
	case v.kind != CodeWithScope:
		return Value{}
	case v.raw != nil:
		return rawObject(scopeOf(v.raw))
	case v.ref == nil:
		return Value{kind: Object}
	}
	return ObjectValue(v.ref.(Document))
}

// Field returns the field of an [Object] with exactly this name, as the Field
// of its [Document] does. It is [Missing] if there is none, or if v is not an
// Object. This method makes a Value a Document.
func (v Value) Field(name string) Value {
	switch {
	case v.kind != Object:
		return Value{}
	case v.raw != nil && v.low == inJSON:
		return jsonField(v.raw, name)
	case v.raw != nil:
		return rawField(v.raw, name)
	case v.ref == nil:
		return Value{}
	}
	return v.ref.(Document).Field(name)
}

// FieldBy returns the field with the name of f, like Field. A Finder searches raw BSON,
// and can be used for any number of values. FieldBy returns Missing if f is nil.
func (functions) FieldBy(v Value, f *rawbson.Finder) Value {
	switch {
	case f == nil:
		return Value{}
	case v.kind == Object && v.raw != nil && v.low != inJSON:
		found, _ := f.Find(v.raw)
		return rawValue(found)
	}
	return v.Field(f.Name())
}

// inJSON marks an Object or List whose raw bytes are JSON.
const inJSON = 1

// cursor returns a cursor before the first element of a raw Object or List.
func (v Value) cursor() rawCursor {
	if v.low == inJSON {
		return rawCursor{json: jsontext.CursorOf(v.raw), isJSON: true}
	}
	return rawCursor{bson: rawElements(v.raw)}
}

// hasText reports whether [Value.AsString] accepts the kind of v.
func (v Value) hasText() bool {
	return v.kind == String || v.kind >= DBPointer && v.kind <= CodeWithScope
}

// content returns the text of v as a string. It copies raw bytes.
func (v Value) content() string {
	if v.raw != nil {
		return string(v.rawText())
	}
	return v.text
}

// rawText returns the text of v, which comes from raw bytes.
func (v Value) rawText() []byte {
	if v.kind == CodeWithScope {
		return codeOf(v.raw)
	}
	return v.raw
}

func objectIDWords(id []byte) (high, low uint64) {
	return binary.BigEndian.Uint64(id), uint64(binary.BigEndian.Uint32(id[8:]))
}

// A Kind is the type of a [Value]. Its numbers are BSON's element type numbers
// (https://bsonspec.org/spec.html), so adapters use a plain conversion. The
// zero Kind is [Missing].
type Kind uint8

// The kinds.
const (
	Missing       Kind = 0x00 // no such field; the Kind of the zero Value
	Double        Kind = 0x01 // IEEE 754 binary64
	String        Kind = 0x02
	Object        Kind = 0x03 // an embedded document
	List          Kind = 0x04 // an array
	Binary        Kind = 0x05
	Undefined     Kind = 0x06 // deprecated
	ObjectID      Kind = 0x07
	Bool          Kind = 0x08
	Date          Kind = 0x09 // an Instant
	Null          Kind = 0x0A
	Regex         Kind = 0x0B
	DBPointer     Kind = 0x0C // deprecated
	Code          Kind = 0x0D
	Symbol        Kind = 0x0E // deprecated
	CodeWithScope Kind = 0x0F // deprecated
	Int32         Kind = 0x10
	Timestamp     Kind = 0x11 // a replication timestamp; never a Date
	Int64         Kind = 0x12
	Decimal       Kind = 0x13 // IEEE 754-2008 decimal128
	MaxKey        Kind = 0x7F
	Opaque        Kind = 0xFE // a value of an unknown type; not in BSON
	MinKey        Kind = 0xFF
)

var kindNames = [...]string{
	Missing: "missing", Double: "double", String: "string", Object: "object",
	List: "array", Binary: "binData", Undefined: "undefined", ObjectID: "objectId",
	Bool: "bool", Date: "date", Null: "null", Regex: "regex", DBPointer: "dbPointer",
	Code: "javascript", Symbol: "symbol", CodeWithScope: "javascriptWithScope",
	Int32: "int", Timestamp: "timestamp", Int64: "long", Decimal: "decimal",
}

// IsNumber reports whether k is one of the four numeric kinds.
func (k Kind) IsNumber() bool {
	return k == Double || k == Int32 || k == Int64 || k == Decimal
}

// String returns MongoDB's alias for k, such as "date" or "long" (MongoDB
// manual, "$type", https://www.mongodb.com/docs/manual/reference/operator/query/type/);
// "missing" for [Missing] and "invalid" for a number that is not a kind.
func (k Kind) String() string {
	switch {
	case int(k) < len(kindNames):
		return kindNames[k]
	case k == MaxKey:
		return "maxKey"
	case k == MinKey:
		return "minKey"
	case k == Opaque:
		return "opaque"
	}
	return "invalid"
}

// Equal reports whether v and w are the same value: of one kind and with the same
// content, however they are stored. Numbers are compared by their bits: 1 and 1.0 differ,
// 0.0 and -0.0 differ, and a NaN equals itself. Documents are equal if they hold the same
// fields in the same order; a document that cannot list its fields equals no document,
// not even itself.
//
// Use Equal to detect a change, for example in a catalog. Each engine has its own
// equality for filters.
func (v Value) Equal(w Value) bool {
	switch {
	case v.kind != w.kind:
		return false
	case v.raw != nil && w.raw != nil && v.low == w.low && v.high == w.high && bytes.Equal(v.raw, w.raw):
		return true
	}
	switch v.kind {
	case Missing, Null, Undefined, MinKey, MaxKey:
		return true
	case Bool, Int32, Int64, Double, Decimal, Date, Timestamp, ObjectID:
		return v.high == w.high && v.low == w.low
	case Object:
		return equalFields(v.Fields(), w.Fields())
	case List:
		return equalElements(v.Elements(), w.Elements())
	case Binary:
		return v.low == w.low && bytes.Equal(v.raw, w.raw)
	case String, Symbol, Code, Regex, DBPointer:
		return v.high == w.high && v.low == w.low && v.content() == w.content()
	case CodeWithScope:
		return v.content() == w.content() && v.scope().Equal(w.scope())
	}
	return false
}

func equalFields(f, g Fields) bool {
	for f.Next() {
		if !g.Next() || f.compareName(g.Name()) != 0 || !f.Value().Equal(g.Value()) {
			return false
		}
	}
	return !g.Next() && f.Listed() && g.Listed()
}

func equalElements(e, f Elements) bool {
	for e.Next() {
		if !f.Next() || !e.Value().Equal(f.Value()) {
			return false
		}
	}
	return !f.Next()
}
