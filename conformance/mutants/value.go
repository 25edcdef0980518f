package mutants

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// at returns what a path of field names leads to, Missing if to nothing.
func at(v policy.Value, path ...string) policy.Value {
	for _, name := range path {
		v = v.Field(name)
	}
	return v
}

// put returns v with another value at a path; Missing takes it away.
func put(v, to policy.Value, path ...string) policy.Value {
	if len(path) == 0 {
		return to
	}
	var d policy.D
	found := false
	for _, e := range policy.DOf(v) {
		if e.Key == path[0] && !found {
			found = true
			e.Value = put(e.Value, to, path[1:]...)
		}
		if !e.Value.IsMissing() {
			d = append(d, e)
		}
	}
	if !found && !to.IsMissing() {
		d = append(d, policy.E{Key: path[0], Value: put(policy.Value{}, to, path[1:]...)})
	}
	return policy.ObjectValue(d)
}

// leaves returns v with all values in it changed that are no documents or
// arrays.
func leaves(v policy.Value, change func(policy.Value) policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.D{}
		for _, e := range policy.DOf(v) {
			d = append(d, policy.E{Key: e.Key, Value: leaves(e.Value, change)})
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for _, e := range policy.AOf(v) {
			a = append(a, leaves(e, change))
		}
		return policy.ListValue(a)
	}
	return change(v)
}

// number returns a number as a double, 0 if v is none.
func number(v policy.Value) float64 {
	if n, ok := v.AsInt64(); ok {
		return float64(n)
	}
	f, _ := v.AsDouble()
	return f
}

// appendJSON appends v as plain JSON, which knows the types of JSON alone.
func appendJSON(dst []byte, v policy.Value) []byte {
	switch v.Kind() {
	case policy.Object:
		return appendObject(dst, policy.DOf(v))
	case policy.List:
		return appendArray(dst, policy.AOf(v))
	case policy.String:
		s, _ := v.AsString()
		text, _ := json.Marshal(s)
		return append(dst, text...)
	case policy.Bool:
		b, _ := v.AsBool()
		return strconv.AppendBool(dst, b)
	case policy.Int32, policy.Int64:
		n, _ := v.AsInt64()
		return strconv.AppendInt(dst, n, 10)
	case policy.Double:
		return appendDouble(dst, number(v))
	}
	return append(dst, "null"...)
}

// appendDouble writes a number so that it is no integer: 20 as 20.0.
func appendDouble(dst []byte, f float64) []byte {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return append(dst, text...)
}

func appendObject(dst []byte, d policy.D) []byte {
	dst = append(dst, '{')
	for i, e := range d {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(dst, policy.StringValue(e.Key))
		dst = appendJSON(append(dst, ':'), e.Value)
	}
	return append(dst, '}')
}

func appendArray(dst []byte, a policy.A) []byte {
	dst = append(dst, '[')
	for i, v := range a {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(dst, v)
	}
	return append(dst, ']')
}
