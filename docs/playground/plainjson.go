package playground

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// plainJSON writes a value that came from JSON as JSON again. What JSON has no
// form for is null.
func plainJSON(v policy.Value) string {
	switch v.Kind() {
	case policy.Object:
		var parts []string
		for f := v.Fields(); f.Next(); {
			parts = append(parts, quoteJSON(f.Name())+":"+plainJSON(f.Value()))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case policy.List:
		var parts []string
		for e := v.Elements(); e.Next(); {
			parts = append(parts, plainJSON(e.Value()))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case policy.String:
		s, _ := v.AsString()
		return quoteJSON(s)
	case policy.Bool:
		return v.String()
	}
	return plainNumber(v)
}

func plainNumber(v policy.Value) string {
	if n, ok := v.AsInt64(); ok {
		return strconv.FormatInt(n, 10)
	}
	f, ok := v.AsDouble()
	if !ok || f != f || math.IsInf(f, 0) {
		return "null"
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0" // 20.0 is another number than 20 to who reads types
	}
	return text
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s) // a string always has a form
	return string(b)
}
