package policy

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
