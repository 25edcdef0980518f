// Package members reads unchecked JSON objects. Its errors name the faulty member.
//
// [Cut] ignores faults within members, so that even the answer to a damaged
// request can carry its number. It does not recurse, however deep the text
// nests, and its memory is bounded by the text.
package members

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Object holds the members of a JSON object, as text. The last member of a
// name counts, as for most readers of JSON. The zero Object has no members.
type Object struct {
	raw  map[string][]byte
	path string // prefix of a member's name in faults, such as "in."
}

// Parse returns the object that raw holds. Faults use name for the object; an empty raw
// is a missing object.
func Parse(name string, raw []byte) (Object, error) {
	return Object{raw: map[string][]byte{name: raw}}.Object(name)
}

// Names returns the names of the members, sorted.
func (o Object) Names() []string { return slices.Sorted(maps.Keys(o.raw)) }

// Raw returns the text of a member; nil if there is none.
func (o Object) Raw(name string) []byte { return o.raw[name] }

// Has reports whether o has a member that is not null.
func (o Object) Has(name string) bool {
	raw := o.raw[name]
	return raw != nil && string(raw) != "null"
}

// Faultf returns a fault in a member. It keeps only the text of the errors among its
// arguments. If it wrapped them, a caller could take a malformed request for a refused
// policy.
func (o Object) Faultf(name, format string, args ...any) error {
	return errors.New(o.path + name + ": " + fmt.Sprintf(format, args...))
}

// Unwanted returns the fault that a member does not have the wanted form.
func (o Object) Unwanted(name, want string) error {
	raw := o.raw[name]
	if len(raw) == 0 {
		return o.Faultf(name, "missing; want %s", want)
	}
	return o.Faultf(name, "want %s, got %s", want, Clip(string(raw)))
}

// Starts returns the text of a member if it begins with the given byte, and otherwise a
// fault.
func (o Object) Starts(name, want string, first byte) ([]byte, error) {
	raw := o.raw[name]
	if len(raw) == 0 || raw[0] != first {
		return nil, o.Unwanted(name, want)
	}
	return raw, nil
}

// Text returns a member that is a string.
func (o Object) Text(name string) (s string, err error) {
	raw, err := o.Starts(name, "a string", '"')
	if err != nil {
		return "", err
	}
	s, ok := text(raw)
	if !ok {
		err = o.Unwanted(name, "a string")
	}
	return s, err
}

// text returns the text of a JSON string. It reports false for any other value.
func text(raw []byte) (string, bool) {
	v, err := policy.ParseExtJSON(raw)
	s, ok := v.AsString()
	return s, ok && err == nil
}

// Texts returns a member that is an array of strings; nil if there is none.
func (o Object) Texts(name string) (list []string, err error) {
	if !o.Has(name) {
		return nil, nil
	}
	v, err := policy.ParseExtJSON(o.raw[name])
	for e := v.Elements(); e.Next(); {
		s, ok := e.Value().AsString()
		if !ok {
			return nil, o.Unwanted(name, "an array of strings")
		}
		list = append(list, s)
	}
	if err != nil || v.Kind() != policy.List {
		return nil, o.Unwanted(name, "an array of strings")
	}
	return list, nil
}

// Object returns a member that is an object.
func (o Object) Object(name string) (Object, error) {
	raw, err := o.Starts(name, "an object", '{')
	if err != nil {
		return Object{}, err
	}
	inner, err := Cut(raw)
	if err != nil {
		return Object{}, o.Faultf(name, "%v", err)
	}
	inner.path = o.path + name + "."
	return inner, nil
}

// Number returns the text of a member; nil if the member is not a number.
func (o Object) Number(name string) []byte {
	raw := o.raw[name]
	if len(raw) == 0 || jsontext.CheckNumber(raw, 0) != len(raw) {
		return nil
	}
	return raw
}

// Clip shortens text that is quoted from a request.
func Clip(s string) string { return syntax.Clip(s, 64) }
