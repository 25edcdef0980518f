// Package plainjson writes values as Azure Cosmos DB for NoSQL keeps them: as
// JSON without the type wrappers of Extended JSON, for all types that JSON has.
package plainjson

import (
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Append appends v as JSON. Values of types that JSON has are plain. Every other type
// keeps its wrapper of canonical Extended JSON, so that nothing is lost. Integers are
// written with all their digits, though the service keeps numbers as doubles; a double is
// never spelled like an integer.
func Append(dst []byte, v policy.Value) []byte {
	switch v.Kind() {
	case policy.Object:
		return AppendObject(dst, v, Append)
	case policy.List:
		return appendArray(dst, v, Append)
	case policy.Int32, policy.Int64:
		n, _ := v.AsInt64()
		return strconv.AppendInt(dst, n, 10)
	case policy.Double:
		return appendDouble(dst, v)
	}
	return policy.AppendExtJSON(dst, v) // strings, booleans and null are plain in Extended JSON too
}

// appendDouble appends a finite number with a point or an exponent.
func appendDouble(dst []byte, v policy.Value) []byte {
	f, _ := v.AsDouble()
	switch {
	case math.IsNaN(f), math.IsInf(f, 0):
		return policy.AppendExtJSON(dst, v)
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return strconv.AppendFloat(dst, f, 'f', 1, 64)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

// AppendObject appends the fields of an Object as JSON, each value as appendValue
// writes it.
func AppendObject(dst []byte, v policy.Value, appendValue func(dst []byte, v policy.Value) []byte) []byte {
	dst = append(dst, '{')
	f := v.Fields()
	for first := true; f.Next(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = append(policy.AppendExtJSON(dst, policy.StringValue(f.Name())), ':')
		dst = appendValue(dst, f.Value())
	}
	return append(dst, '}')
}

func appendArray(dst []byte, v policy.Value, appendValue func(dst []byte, v policy.Value) []byte) []byte {
	dst = append(dst, '[')
	e := v.Elements()
	for first := true; e.Next(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, e.Value())
	}
	return append(dst, ']')
}
