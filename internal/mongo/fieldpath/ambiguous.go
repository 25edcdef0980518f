package fieldpath

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxForks is the maximum number of digit components that IsAmbiguous follows: each may be
// a position and a name, so that the path may fork there.
const maxForks = 8

// IsAmbiguous reports whether different readings of dotted lead to different fields of the
// record: on its way a name occurs twice, a name holds the dots of the path, or a number is
// a position of an array and a name in one of its elements. It does not allocate.
func (r *Record) IsAmbiguous(dotted string) bool {
	forks := 0
	for name := range strings.SplitSeq(dotted, ".") {
		if isDigits(name) {
			forks++
		}
	}
	switch {
	case forks > maxForks:
		return true
	case r.Raw != nil:
		return isAmbiguous(r.Checked(rawbson.Value{Type: byte(policy.Object), Body: r.Raw}), dotted)
	case r.Doc == nil:
		return false
	}
	return isAmbiguous(policy.ObjectValue(r.Doc), dotted)
}

func isAmbiguous(v policy.Value, path string) bool {
	switch v.Kind() {
	case policy.Object:
		return isAmbiguousInObject(v, path)
	case policy.List:
		return isAmbiguousInArray(v, path)
	}
	return false
}

func isAmbiguousInObject(v policy.Value, path string) bool {
	name, rest, isDotted := strings.Cut(path, ".")
	f := v.Fields()
	if !f.Listed() {
		return isDotted && (hasDottedField(v.Field, path) || isAmbiguous(v.Field(name), rest))
	}
	for found := false; f.Next(); {
		switch {
		case valuefunc.F.CompareName(&f, name) != 0:
			if isDotted && hasDottedName(&f, path) {
				return true
			}
			continue
		case found, isDotted && isAmbiguous(f.Value(), rest):
			return true
		}
		found = true
	}
	return false
}

// DottedPrefixes yields the parts of path from its beginning that have a dot within: "a.b"
// and "a.b.c" of "a.b.c".
func DottedPrefixes(path string) func(func(string) bool) {
	return func(yield func(string) bool) {
		first := strings.IndexByte(path, '.')
		for i := first + 1; first >= 0; i++ {
			switch {
			case i == len(path):
				yield(path)
				return
			case path[i] == '.' && !yield(path[:i]):
				return
			}
		}
	}
}

func hasDottedField(field func(string) policy.Value, path string) bool {
	for prefix := range DottedPrefixes(path) {
		if !field(prefix).IsMissing() {
			return true
		}
	}
	return false
}

func hasDottedName(f *policy.Fields, path string) bool {
	for prefix := range DottedPrefixes(path) {
		if valuefunc.F.CompareName(f, prefix) == 0 {
			return true
		}
	}
	return false
}

func isAmbiguousInArray(array policy.Value, path string) bool {
	name, rest, isDotted := strings.Cut(path, ".")
	isPosition, isName := false, false
	i := 0
	for e := array.Elements(); e.Next(); i++ {
		element := e.Value()
		if isDigits(name) && positionOf(name) == i {
			isPosition = true
			if isDotted && isAmbiguous(element, rest) {
				return true
			}
		}
		if element.Kind() != policy.Object {
			continue
		}
		isName = isName || !element.Field(name).IsMissing()
		if isAmbiguousInObject(element, path) {
			return true
		}
	}
	return isPosition && isName
}

// isDigits reports whether name is digits alone.
func isDigits(name string) bool { return name != "" && strings.Trim(name, "0123456789") == "" }
