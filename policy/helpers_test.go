package policy

import (
	"fmt"

	"pgregory.net/rapid"
)

var hidden functions // what Private returns

// DrawnValues and DrawnDocuments draw values nested some levels deep. Their generators
// come from internal/drawn, which imports this package. So a file of package policy_test
// sets these variables.
var (
	DrawnValues    func(depth int) *rapid.Generator[Value]
	DrawnDocuments func(depth int) *rapid.Generator[D]
)

// identical reports whether v and w have the same kind and content, bit for bit, whether
// raw or in memory.
func identical(v, w Value) bool { return show(v) == show(w) }

// show returns the kind and the whole content of v as text, bit for bit.
func show(v Value) string {
	switch v.Kind() {
	case Object:
		return "object{" + showFields(v) + "}"
	case List:
		text := "array["
		for e := v.Elements(); e.Next(); {
			text += show(e.Value()) + ","
		}
		return text + "]"
	case Binary:
		subtype, data, _ := v.AsBinary()
		return fmt.Sprintf("binData(%#x, %x)", subtype, data)
	case Regex:
		pattern, options, _ := v.AsRegex()
		return fmt.Sprintf("regex(%q, %q)", pattern, options)
	}
	text, _ := v.AsString()
	scope := ""
	if v.Kind() == CodeWithScope {
		scope = show(v.scope())
	}
	return fmt.Sprintf("%s(%#x, %#x, %q)%s", v.Kind(), v.high, v.low, text, scope)
}

func showFields(v Value) (text string) {
	for f := v.Fields(); f.Next(); {
		text += fmt.Sprintf("%q:%s,", f.Name(), show(f.Value()))
	}
	return text
}

// countFields returns how many fields of v have a name.
func countFields(v Value, name string) (n int) {
	f := v.Fields()
	for f.Next() {
		if f.compareName(name) == 0 {
			n++
		}
	}
	return n
}
