// Package valuefunc holds functions about values that the evaluators and the tool need and
// users of the library do not. Package policy implements them.
package valuefunc

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// FieldBy is v.Field with the name of a Finder, which searches raw BSON. One Finder serves
// any number of values. FieldBy returns Missing for a nil Finder.
func FieldBy(v policy.Value, f *rawbson.Finder) policy.Value {
	return policy.Private(private.Key{}).FieldBy(v, f)
}

// TextLen returns the length of the text v holds, in bytes, without copying it: 0 where
// v.AsString reports false.
func TextLen(v policy.Value) int { return policy.Private(private.Key{}).TextLen(v) }

// CompareText returns -1, 0 or +1 as the text v holds is before, equal to or after that of
// w in byte order, without allocating. Here the text of a Regex is its pattern, a NUL and
// its options; a Value of another kind without text, for which v.AsString reports false,
// compares as "".
func CompareText(v, w policy.Value) int { return policy.Private(private.Key{}).CompareText(v, w) }

// CompareNames returns -1, 0 or +1 as the current name of f is before, equal to or after
// that of g in byte order, without allocating.
func CompareNames(f, g policy.Fields) int { return policy.Private(private.Key{}).CompareNames(f, g) }

// ParseExtJSONInt32 is policy.ParseExtJSON with numbers as in JavaScript: a plain integer is
// an Int32 if it fits, else a Double, and never an Int64.
func ParseExtJSONInt32(b []byte) (policy.Value, error) {
	return policy.Private(private.Key{}).ParseExtJSONInt32(b)
}

// ExtJSONToBSON reads one document of Extended JSON as policy.ParseExtJSON does, and appends
// its BSON to dst. The array of dst must not change while the result is in use: the Bytes of
// the result lie in this array after the length of dst, or in a longer copy. More than limit
// bytes of BSON are an error as soon as they are reached, so that untrusted text costs
// bounded memory. The error is a *policy.SyntaxError.
func ExtJSONToBSON(dst, text []byte, limit int) (policy.BSON, error) {
	return policy.Private(private.Key{}).ExtJSONToBSON(dst, text, limit)
}

// An ExtDocument is a document of Extended JSON that was checked as a whole. It converts
// only the requested fields, which takes a third of the time of [ExtJSONToBSON] if these
// are few. It keeps the names of those fields, and its memory, for later documents.
type ExtDocument interface {
	policy.FieldLister
	// Parse replaces the document by the one that text holds. The text must not change
	// while the document is in use. More than limit bytes of BSON are an error. The error
	// is a *policy.SyntaxError; after an error the document is empty.
	Parse(text []byte, limit int) error
	// Release frees the document, and memory beyond limit bytes.
	Release(limit int)
}

// NewExtDocument returns an empty document.
func NewExtDocument() ExtDocument { return policy.Private(private.Key{}).NewExtDocument() }
