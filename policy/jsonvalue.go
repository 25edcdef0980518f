package policy

import (
	"bytes"
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// jsonValue returns the value of checked JSON text without surrounding space. It returns
// Missing for empty text.
func jsonValue(b []byte) Value {
	if len(b) == 0 {
		return Value{}
	}
	switch b[0] {
	case '"':
		return jsonString(b[1:max(len(b)-1, 1)])
	case '{':
		return jsonNested(Object, b)
	case '[':
		return jsonNested(List, b)
	case 'n':
		return NullValue()
	case 't', 'f':
		return BoolValue(b[0] == 't')
	}
	return jsonNumber(b)
}

// jsonString returns the String that b, the text between two quotes, denotes. Only text
// with escapes is copied.
func jsonString(b []byte) Value {
	if bytes.IndexByte(b, '\\') < 0 {
		return Value{kind: String, raw: b}
	}
	return StringValue(jsontext.Text(b))
}

// jsonNumber returns the value of a number; [JSON] describes the conversion.
func jsonNumber(b []byte) Value {
	if string(b) == "-0" {
		return DoubleValue(math.Copysign(0, -1))
	}
	if n, ok := jsontext.ParseInt64(b); ok {
		return intValue(n)
	}
	return doubleOf(b)
}

// intValue returns n as an Int32 if it fits, else as an Int64.
func intValue(n int64) Value {
	if n == int64(int32(n)) {
		return Int32Value(int32(n))
	}
	return Int64Value(n)
}

// doubleOf returns the Double nearest to a decimal number, or an infinity. ParseFloat is
// exact, and takes linear time for every exponent.
func doubleOf(b []byte) Value {
	f, _ := strconv.ParseFloat(string(b), 64)
	return DoubleValue(f)
}
