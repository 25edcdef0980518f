package cases

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// appendPlain writes a value of plain JSON as the REST API takes it.
func appendPlain(b []byte, v policy.Value) []byte {
	switch v.Kind() {
	case policy.Object:
		return appendObject(b, v)
	case policy.List:
		return appendArray(b, v)
	case policy.Int32, policy.Int64:
		n, _ := v.AsInt64()
		return strconv.AppendInt(b, n, 10)
	case policy.Double:
		f, _ := v.AsDouble()
		return appendDouble(b, f)
	}
	text, err := json.Marshal(scalar(v))
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, text...)
}

func scalar(v policy.Value) any {
	switch v.Kind() {
	case policy.String:
		s, _ := v.AsString()
		return s
	case policy.Bool:
		truth, _ := v.AsBool()
		return truth
	}
	return nil
}

// appendDouble keeps the point, so that 20.0 stays a number with one. NaN and
// the infinities have no JSON.
func appendDouble(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f), math.IsInf(f, 0):
		return append(b, "null"...)
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return strconv.AppendFloat(b, f, 'f', 1, 64)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

func appendObject(b []byte, v policy.Value) []byte {
	b = append(b, '{')
	for i, e := range Fields(v) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendPlain(b, policy.StringValue(e.Key))
		b = append(b, ':')
		b = appendPlain(b, e.Value)
	}
	return append(b, '}')
}

func appendArray(b []byte, v policy.Value) []byte {
	b = append(b, '[')
	for i, e := range Elements(v) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendPlain(b, e)
	}
	return append(b, ']')
}
