package policy

import (
	"math"
	"reflect"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// DecodedJSON is a JSON object that encoding/json has decoded into a map. It
// implements [Document]. A database that keeps decoded items decides by
//
//	container.Decide(policy.DecodedJSON(item), now)
//
// A number has the value that [JSON] reads from the text that encoding/json writes for
// the number: a float64 without a fraction is an integer. A float64 of 2^53 or more is a
// [Double], because it may have lost digits. NaN, the infinities and negative zero are
// Doubles too.
//
// Use DecodedJSON for items that your own encoder wrote. encoding/json decodes 10, 10.0
// and 1e1 to the same float64, and keeps only the last of two members with the same name.
// [JSON] distinguishes them, and Azure Cosmos DB may distinguish them: an item with a ttl
// of 10.0 is kept if it is decided as JSON, and expires if it is decided as DecodedJSON.
// A json.Number is read as its text, so numbers that a json.Decoder with UseNumber has
// read are exact. Only raw JSON shows repeated members.
//
// Besides the types that encoding/json decodes into, all integer types are accepted. A
// value of any other type, such as a struct or a time.Time, is an [OpaqueValue], so that
// the document is kept. A map has no order, so DecodedJSON is not a [FieldLister], and
// neither a filter nor a key pattern can be read from one.
//
// Deciding allocates nothing unless the path to a field leads through arrays. The
// map must not change meanwhile.
type DecodedJSON map[string]any

// Field returns the member with exactly this name.
func (d DecodedJSON) Field(name string) Value {
	if v, ok := d[name]; ok {
		return decodedValue(v)
	}
	return Value{}
}

// decodedArray is a JSON array that encoding/json has decoded.
type decodedArray []any

// Len implements [Array].
func (a decodedArray) Len() int { return len(a) }

// At implements [Array].
func (a decodedArray) At(i int) Value { return decodedValue(a[i]) }

// decodedValue returns the value of a Go value that encoding/json decodes or
// encodes.
func decodedValue(v any) Value {
	switch v := v.(type) {
	case nil:
		return NullValue()
	case bool:
		return BoolValue(v)
	case string:
		return StringValue(v)
	case map[string]any:
		return decodedObject(v)
	case DecodedJSON:
		return decodedObject(v)
	case []any:
		if v == nil {
			return NullValue()
		}
		return ListValue(decodedArray(v))
	}
	return decodedNumber(v)
}

// decodedObject returns an Object, or null for the nil map, as encoding/json
// encodes it.
func decodedObject(d DecodedJSON) Value {
	if d == nil {
		return NullValue()
	}
	return ObjectValue(d)
}

func decodedNumber(v any) Value {
	switch v := v.(type) {
	case float64:
		return decodedFloat(v)
	case float32: // its text has fewer digits than the text of float64(v)
		f, _ := doubleOf(strconv.AppendFloat(nil, float64(v), 'g', -1, 32)).AsDouble()
		return decodedFloat(f)
	case textNumber:
		return decodedText(v)
	}
	switch n := reflect.ValueOf(v); {
	case n.Type().PkgPath() != "": // a named type may have its own JSON text
		return OpaqueValue()
	case n.CanInt():
		return intValue(n.Int())
	case n.CanUint():
		return decodedUnsigned(n.Uint())
	}
	return OpaqueValue()
}

// decodedFloat returns the Value of a decoded float64.
func decodedFloat(f float64) Value {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 && (f != 0 || !math.Signbit(f)) {
		return intValue(int64(f))
	}
	return DoubleValue(f)
}

// decodedUnsigned returns n as an integer if it fits an Int64, and else as a Double.
func decodedUnsigned(n uint64) Value {
	if n > math.MaxInt64 {
		return DoubleValue(float64(n))
	}
	return intValue(int64(n))
}

// A textNumber is a json.Number. The interface avoids an import of encoding/json for this
// type only.
type textNumber interface {
	String() string
	Float64() (float64, error)
	Int64() (int64, error)
}

// decodedText returns the number that a json.Number spells.
func decodedText(n textNumber) Value {
	text := []byte(n.String())
	if len(text) == 0 || jsontext.CheckNumber(text, 0) != len(text) {
		return OpaqueValue()
	}
	return jsonNumber(text)
}
