package policy

import (
	"encoding/binary"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

// rawValue decodes a checked value.
func rawValue(v rawbson.Value) Value {
	k, b := Kind(v.Type), v.Body
	switch k {
	case Double, Date, Int64, Timestamp:
		return Value{kind: k, low: binary.LittleEndian.Uint64(b)}
	case Int32:
		return Int32Value(int32(binary.LittleEndian.Uint32(b)))
	case Bool:
		return BoolValue(b[0] != 0)
	case ObjectID:
		high, low := objectIDWords(b)
		return Value{kind: ObjectID, high: high, low: low}
	case Decimal:
		return DecimalValue(binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b))
	case Object, List:
		return Value{kind: k, raw: b}
	}
	return rareValue(k, b)
}

// rareValue decodes strings, and the kinds on which no rule depends.
func rareValue(k Kind, b []byte) Value {
	switch k {
	case String, Symbol, Code:
		return Value{kind: k, raw: textOf(b)}
	case Binary:
		return binaryOf(b)
	case Regex:
		return Value{kind: Regex, raw: b[:len(b)-1]}
	case DBPointer:
		id := len(b) - 12
		high, low := objectIDWords(b[id:])
		return Value{kind: DBPointer, raw: textOf(b[:id]), high: high, low: low}
	case CodeWithScope:
		return Value{kind: CodeWithScope, raw: b}
	}
	return Value{kind: k}
}

// textOf returns the bytes of a length-prefixed, NUL-terminated string.
func textOf(b []byte) []byte { return b[lengthBytes : len(b)-1] }

// codeOf returns the code of a CodeWithScope.
func codeOf(b []byte) []byte {
	text := b[lengthBytes:]
	return textOf(text[:lengthBytes+lengthOf(text)])
}

// scopeOf returns the scope of a CodeWithScope.
func scopeOf(b []byte) []byte {
	text := b[lengthBytes:]
	return text[lengthBytes+lengthOf(text):]
}

// binaryOf returns the data of a binary element. The deprecated subtype 2
// repeats its length inside, which is not part of the data.
func binaryOf(b []byte) Value {
	subtype, data := b[lengthBytes], b[lengthBytes+1:]
	if subtype == oldBinary {
		data = data[lengthBytes:]
	}
	return BinaryValue(subtype, data)
}

const oldBinary = 0x02
