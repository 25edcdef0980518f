package independent

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The types of BSON, by their numbers (https://bsonspec.org/spec.html).
const (
	tDouble    = 0x01
	tString    = 0x02
	tObject    = 0x03
	tArray     = 0x04
	tBinary    = 0x05
	tUndefined = 0x06
	tObjectID  = 0x07
	tBool      = 0x08
	tDate      = 0x09
	tNull      = 0x0A
	tRegex     = 0x0B
	tDBPointer = 0x0C
	tCode      = 0x0D
	tSymbol    = 0x0E
	tScoped    = 0x0F // JavaScript with a scope
	tInt32     = 0x10
	tTimestamp = 0x11
	tInt64     = 0x12
	tDecimal   = 0x13
	tMaxKey    = 0x7F
	tMinKey    = 0xFF
)

// A node is a value of BSON. The type tells which fields of the struct count.
type node struct {
	typ    byte
	whole  int64    // Bool, Date, Int32, Int64, Timestamp; the subtype of Binary
	double float64  // Double
	dec    decimal  // Decimal
	text   string   // String, Symbol, Code, Binary, ObjectID; a pattern, a namespace
	fields []member // Object, Array, and the scope of JavaScript
}

// A member is a field of an object, or an element of an array, whose name need
// not be its position.
type member struct {
	name  string
	value *node
}

// A decimal is a decimal128 of a coefficient that fits 64 bits, or a special value.
type decimal struct {
	negative bool
	digits   uint64
	exponent int
	special  special
}

type special byte

const (
	finite special = iota
	notANumber
	infinite
	// oversized is a coefficient of more than 34 digits, which means zero.
	oversized
)

func date(ms int64) *node           { return &node{typ: tDate, whole: ms} }
func int32Of(n int64) *node         { return &node{typ: tInt32, whole: n} }
func int64Of(n int64) *node         { return &node{typ: tInt64, whole: n} }
func doubleOf(f float64) *node      { return &node{typ: tDouble, double: f} }
func stringOf(s string) *node       { return &node{typ: tString, text: s} }
func bare(typ byte) *node           { return &node{typ: typ} }
func object(fields ...member) *node { return &node{typ: tObject, fields: fields} }

func boolOf(b bool) *node {
	if b {
		return &node{typ: tBool, whole: 1}
	}
	return &node{typ: tBool}
}

func decimalOf(negative bool, digits uint64, exponent int) *node {
	return &node{typ: tDecimal, dec: decimal{negative: negative, digits: digits, exponent: exponent}}
}

// array returns an array whose elements are named by their positions.
func array(elements ...*node) *node {
	a := &node{typ: tArray}
	for i, e := range elements {
		a.fields = append(a.fields, member{strconv.Itoa(i), e})
	}
	return a
}

// named returns the first of the fields with that name.
func named(fields []member, name string) *node {
	for _, f := range fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// isPlain reports whether all arrays within have elements that are named by their
// positions. Only such arrays have forms other than raw BSON.
func isPlain(fields []member, positions bool) bool {
	for i, f := range fields {
		if positions && f.name != strconv.Itoa(i) || !isPlain(f.value.fields, f.value.typ == tArray) {
			return false
		}
	}
	return true
}

// bits returns the two halves of a decimal128 in the encoding of BSON.
func (d decimal) bits() (high, low uint64) {
	switch d.special {
	case notANumber:
		high = 0x7C << 56
	case infinite:
		high = 0x78 << 56
	case oversized:
		high = 0x6C << 56
	default:
		high, low = uint64(d.exponent+6176)<<49, d.digits
	}
	if d.negative {
		high |= 1 << 63
	}
	return high, low
}

func appendDocument(b []byte, fields []member) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	for _, f := range fields {
		b = append(b, f.value.typ)
		b = append(append(b, f.name...), 0)
		b = appendNode(b, f.value)
	}
	b = append(b, 0)
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start))
	return b
}

func appendNode(b []byte, n *node) []byte {
	le := binary.LittleEndian
	switch n.typ {
	case tDouble:
		b = le.AppendUint64(b, math.Float64bits(n.double))
	case tString, tSymbol, tCode:
		b = le.AppendUint32(b, uint32(len(n.text)+1))
		b = append(append(b, n.text...), 0)
	case tObject, tArray:
		b = appendDocument(b, n.fields)
	case tBinary:
		b = le.AppendUint32(b, uint32(n.storedLength()))
		b = append(b, byte(n.whole))
		if n.whole == 2 {
			b = le.AppendUint32(b, uint32(len(n.text)))
		}
		b = append(b, n.text...)
	case tObjectID:
		b = append(b, n.text...)
	case tDBPointer:
		b = le.AppendUint32(b, uint32(len(n.text)+1))
		b = append(append(b, n.text...), "\x00"+pointedAt...)
	case tScoped:
		start := len(b)
		b = le.AppendUint32(append(b, 0, 0, 0, 0), uint32(len(n.text)+1))
		b = appendDocument(append(append(b, n.text...), 0), n.fields)
		le.PutUint32(b[start:], uint32(len(b)-start))
	case tBool:
		b = append(b, byte(n.whole))
	case tRegex:
		b = append(append(b, n.text...), 0, 'i', 0)
	case tInt32:
		b = le.AppendUint32(b, uint32(n.whole))
	case tDate, tInt64, tTimestamp:
		b = le.AppendUint64(b, uint64(n.whole))
	case tDecimal:
		high, low := n.dec.bits()
		b = le.AppendUint64(le.AppendUint64(b, low), high)
	}
	return b
}

// storedLength returns the length that BSON gives binary data; the old subtype 2
// has it twice.
func (n *node) storedLength() int {
	if n.whole == 2 {
		return len(n.text) + 4
	}
	return len(n.text)
}

// pointedAt is the identifier in all DBPointers.
const pointedAt = "0123456789ab"

// value returns n as a value in memory, not as raw BSON. The arrays of n must be plain.
func (n *node) value() policy.Value {
	switch n.typ {
	case tDouble:
		return policy.DoubleValue(n.double)
	case tString:
		return policy.StringValue(n.text)
	case tSymbol:
		return valuefunc.F.RareValue(policy.Symbol, n.text)
	case tCode:
		return valuefunc.F.RareValue(policy.Code, n.text)
	case tObject:
		return policy.ObjectValue((*ownDocument)(n))
	case tArray:
		return policy.ListValue((*ownArray)(n))
	case tBinary:
		return policy.BinaryValue(byte(n.whole), []byte(n.text))
	case tObjectID:
		return policy.ObjectIDValue([12]byte([]byte(n.text)))
	case tUndefined:
		return valuefunc.F.RareValue(policy.Undefined, "")
	case tBool:
		return policy.BoolValue(n.whole != 0)
	case tDate:
		return policy.DateValue(policy.Instant(n.whole))
	case tNull:
		return policy.NullValue()
	case tRegex:
		return policy.RegexValue(n.text, "i")
	case tDBPointer:
		return valuefunc.F.DBPointerValue(n.text, [12]byte([]byte(pointedAt)))
	case tScoped:
		return valuefunc.F.CodeWithScopeValue(n.text, &ownDocument{typ: tObject, fields: n.fields})
	case tInt32:
		return policy.Int32Value(int32(n.whole))
	case tTimestamp:
		return policy.TimestampValue(uint32(n.whole>>32), uint32(n.whole))
	case tInt64:
		return policy.Int64Value(n.whole)
	case tDecimal:
		return policy.DecimalValue(n.dec.bits())
	case tMaxKey:
		return valuefunc.F.RareValue(policy.MaxKey, "")
	case tMinKey:
		return valuefunc.F.RareValue(policy.MinKey, "")
	}
	panic(fmt.Sprintf("no value of type %#x", n.typ))
}

// An ownDocument is a document as a database might implement it.
type ownDocument node

func (d *ownDocument) Field(name string) policy.Value {
	if v := named(d.fields, name); v != nil {
		return v.value()
	}
	return policy.Value{}
}

func (d *ownDocument) Len() int { return len(d.fields) }

func (d *ownDocument) FieldAt(i int) (string, policy.Value) {
	return d.fields[i].name, d.fields[i].value.value()
}

// An ownArray is an array of such a database.
type ownArray node

func (a *ownArray) Len() int              { return len(a.fields) }
func (a *ownArray) At(i int) policy.Value { return a.fields[i].value.value() }

// String writes n for a reader, with the names of an array's elements where these names
// are not the positions.
func (n *node) String() string {
	if n.typ != tObject && n.typ != tArray {
		return n.value().String()
	}
	parts := make([]string, 0, len(n.fields))
	for i, f := range n.fields {
		text := f.value.String()
		if n.typ == tObject || f.name != strconv.Itoa(i) {
			text = strconv.Quote(f.name) + ":" + text
		}
		parts = append(parts, text)
	}
	if n.typ == tArray {
		return "[" + strings.Join(parts, ",") + "]"
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// show returns a document as a text for readers, with its BSON.
func show(doc *node) string {
	return fmt.Sprintf("%v (BSON %s)", doc, hex.EncodeToString(appendDocument(nil, doc.fields)))
}
