package policy

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// Map is a document in Go's own types, as programs build them:
//
//	collection.Decide(policy.Map{"createdAt": time.Now()}, now)
//
// It implements [Document].
//
//	nil                                   Null
//	bool, string                          Bool, String
//	time.Time, Instant                    Date, the millisecond that contains it
//	int8, int16, int32, uint8, uint16     Int32
//	int                                   Int32 if it fits, else Int64
//	int64, uint, uint32, uint64           Int64
//	float32, float64                      Double
//	json.Number                           the number that [ParseJSON] reads from its text
//	[]byte                                Binary, of subtype 0
//	[]any, []string, []time.Time          List
//	[]Map, []map[string]any               List
//	Map, map[string]any                   Object
//	Value, Document, Array                themselves
//
// A nil slice, map, Document or Array is Null. A value of any other type, such as a named
// type or a pointer, is an [OpaqueValue], and so is an unsigned number above the largest
// int64, or a json.Number that is no number of JSON. A document with an opaque value instead
// of a date is kept. [Map.Check] finds opaque values.
//
// The zero time.Time is an OpaqueValue too, because nobody has set it: as a date of the year 1
// it would expire at once. So is a time beyond the range of Instant, which has no date. To
// store the year 1, use its Instant.
//
// Decode JSON into a Map with UseNumber of encoding/json. Without it, 10, 10.0 and 1e1
// become the same float64. A float64 is a Double, which is no integer, so an item of Azure
// Cosmos DB never expires by such a ttl or _ts. A map also keeps only the last of two
// members of one name; raw [JSON] keeps both.
//
// A map has no order, so Map is not a [FieldLister], and neither a filter nor a key
// pattern can be read from one. Deciding allocates nothing unless the path to a field
// leads through arrays. The map must not change meanwhile.
type Map map[string]any

// Field returns the member with exactly this name.
func (m Map) Field(name string) Value {
	if v, ok := m[name]; ok {
		return goValue(v)
	}
	return Value{}
}

// Check returns an error with the path of the first value, in the order of names, whose
// type Map does not list, such as a *time.Time, a sql.NullTime or a named type, or which is
// the zero time.Time, or nil if there is none. It checks values within maps and slices, up to 128 levels deep; m must not contain
// itself.
func (m Map) Check() error {
	if path, v, bad := unknownIn(m, maxDepth); bad {
		if t, ok := v.(time.Time); ok {
			return fmt.Errorf("policy: %s is the time %s, which is unset or no date: leave it out, or use an Instant", path, t.UTC().Format(time.RFC3339))
		}
		return fmt.Errorf("policy: %s is of type %T, which Map does not support", path, v)
	}
	return nil
}

// unknownIn returns the path and the value of the first part of v whose type goValue does
// not know. bad is false if there is none.
func unknownIn(v any, depth int) (path string, at any, bad bool) {
	within := func(name string, v any) bool {
		path, at, bad = unknownIn(v, depth-1)
		if path = name + "." + path; path == name+"." {
			path = name
		}
		return bad
	}
	switch v := v.(type) {
	case Map:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if depth > 0 && within(name, v[name]) {
				return path, at, true
			}
		}
	case map[string]any:
		return unknownIn(Map(v), depth)
	default:
		list, _ := goList(v)
		for i := 0; list != nil && depth > 0 && i < list.Len(); i++ {
			if within(strconv.Itoa(i), list.element(i)) {
				return path, at, true
			}
		}
	}
	return "", v, goValue(v).Kind() == Opaque && !isValue(v)
}

// isValue reports whether v is a Value. The caller may have made it opaque intentionally.
func isValue(v any) bool {
	_, ok := v.(Value)
	return ok
}

// timeValue returns the Date for t, or an OpaqueValue if t is unset or beyond all dates.
func timeValue(t time.Time) Value {
	i := InstantOf(t)
	if t.IsZero() || i == MinInstant && t.Before(MinInstant.Time()) || i == MaxInstant && t.After(MaxInstant.Time().Add(time.Millisecond-1)) {
		return OpaqueValue()
	}
	return DateValue(i)
}

// goValue returns the Value for a Go value, as Map describes.
func goValue(v any) Value {
	switch v := v.(type) {
	case nil:
		return NullValue()
	case Value:
		return v
	case bool:
		return BoolValue(v)
	case string:
		return StringValue(v)
	case time.Time:
		return timeValue(v)
	case Instant:
		return DateValue(v)
	case float64:
		return DoubleValue(v)
	case float32:
		return DoubleValue(float64(v))
	case []byte:
		if v != nil {
			return BinaryValue(0, v)
		}
		return NullValue()
	}
	if n, ok := goInteger(v); ok {
		return n
	}
	if n, ok := v.(textNumber); ok {
		return decodedNumber(n)
	}
	return goContainer(v)
}

// goInteger returns the Value for a Go integer. It reports false for a value of another
// type.
func goInteger(v any) (Value, bool) {
	switch v := v.(type) {
	case int:
		if v < math.MinInt32 || v > math.MaxInt32 {
			return Int64Value(int64(v)), true
		}
		return Int32Value(int32(v)), true
	case int8:
		return Int32Value(int32(v)), true
	case int16:
		return Int32Value(int32(v)), true
	case int32:
		return Int32Value(v), true
	case int64:
		return Int64Value(v), true
	case uint8:
		return Int32Value(int32(v)), true
	case uint16:
		return Int32Value(int32(v)), true
	case uint32:
		return Int64Value(int64(v)), true
	case uint:
		return unsignedValue(uint64(v)), true
	case uint64:
		return unsignedValue(v), true
	}
	return Value{}, false
}

// A textNumber is a json.Number. The interface avoids an import of encoding/json for this
// type only.
type textNumber interface {
	String() string
	Float64() (float64, error)
	Int64() (int64, error)
}

// decodedNumber returns the number that a json.Number spells.
func decodedNumber(n textNumber) Value {
	text := []byte(n.String())
	if len(text) == 0 || jsontext.CheckNumber(text, 0) != len(text) {
		return OpaqueValue()
	}
	return jsonNumber(text)
}

func unsignedValue(n uint64) Value {
	if n > math.MaxInt64 {
		return OpaqueValue()
	}
	return Int64Value(int64(n))
}

// goContainer returns the Value for a Go map, slice, Document or Array, and an
// OpaqueValue for any other type.
func goContainer(v any) Value {
	switch v := v.(type) {
	case Map:
		if v != nil {
			return ObjectValue(v)
		}
	case map[string]any:
		if v != nil {
			return ObjectValue(Map(v))
		}
	case Document:
		return ObjectValue(v)
	case Array:
		return ListValue(v)
	default:
		list, known := goList(v)
		switch {
		case !known:
			return OpaqueValue()
		case list != nil:
			return ListValue(list)
		}
	}
	return NullValue()
}

// A goSlice is an Array whose elements are Go values.
type goSlice interface {
	Array
	element(i int) any
}

// goList returns the Array of a slice; nil for a nil slice. It reports false for a type that
// Map does not list.
func goList(v any) (list goSlice, known bool) {
	switch v := v.(type) {
	case []any:
		return arrayOf(v)
	case []string:
		return arrayOf(v)
	case []time.Time:
		return arrayOf(v)
	case []Map:
		return arrayOf(v)
	case []map[string]any:
		return arrayOf(v)
	}
	return nil, false
}

func arrayOf[T any](v []T) (goSlice, bool) {
	if v == nil {
		return nil, true
	}
	return goArray[T](v), true
}

type goArray[T any] []T

// Len implements [Array].
func (a goArray[T]) Len() int { return len(a) }

// At implements [Array].
func (a goArray[T]) At(i int) Value { return goValue(a[i]) }

func (a goArray[T]) element(i int) any { return a[i] }
