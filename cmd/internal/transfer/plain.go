package transfer

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// appendPlain appends v as JSON for Azure Cosmos DB for NoSQL: what JSON can
// say is plain, and every other type keeps its wrapper of canonical Extended
// JSON, so that nothing is lost. Integers are written with all their digits,
// though the service keeps numbers as doubles.
func appendPlain(dst []byte, v policy.Value) []byte {
	switch v.Kind() {
	case policy.Object:
		return appendObject(dst, v)
	case policy.List:
		return appendArray(dst, v)
	case policy.Int32, policy.Int64:
		n, _ := v.AsInt64()
		return strconv.AppendInt(dst, n, 10)
	case policy.Double:
		return appendDouble(dst, v)
	}
	return policy.AppendExtJSON(dst, v) // strings, booleans and null are plain there too
}

// appendDouble appends a finite number as one that is no integer's spelling.
func appendDouble(dst []byte, v policy.Value) []byte {
	f, _ := v.AsDouble()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return policy.AppendExtJSON(dst, v)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'g', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' || c == 'e' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

func appendObject(dst []byte, v policy.Value) []byte {
	dst = append(dst, '{')
	f := v.Fields()
	for first := true; f.Next(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, f.Name()), ':')
		dst = appendPlain(dst, f.Value())
	}
	return append(dst, '}')
}

func appendArray(dst []byte, v policy.Value) []byte {
	dst = append(dst, '[')
	e := v.Elements()
	for first := true; e.Next(); first = false {
		if !first {
			dst = append(dst, ',')
		}
		dst = appendPlain(dst, e.Value())
	}
	return append(dst, ']')
}

func appendText(dst []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can be marshalled
	}
	return append(dst, text...)
}
