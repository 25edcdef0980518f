// Package valuefunc holds functions about values that the evaluators and the tool need and
// users of the library do not. Package policy implements them.
package valuefunc

import (
	"math"

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

// UncheckedJSON returns the object in b without checking it, for text that
// policy.ParseJSON has accepted before. For any other text an item may be deleted wrongly: a
// truncated text may lack the ttl that keeps the item. Reading always ends, and does not
// panic.
func UncheckedJSON(b []byte) policy.JSON { return policy.Private(private.Key{}).UncheckedJSON(b) }

// DateOf is v.AsDate without copying the Value. The copy would take an eighth of the time of
// a decision.
func DateOf(v *policy.Value) (policy.Instant, bool) { return policy.Private(private.Key{}).DateOf(v) }

// CompareName returns -1, 0 or +1 as the current name of f is before, equal to or after s in
// byte order, without allocating.
func CompareName(f *policy.Fields, s string) int {
	return policy.Private(private.Key{}).CompareName(f, s)
}

// ElementName returns the name of the current element in raw BSON, which must not be
// modified. It is the element's position, "0", "1" and so on, unless a client wrote another
// name. It reports false for an array that is not raw BSON; the names of its elements are
// their positions.
func ElementName(e *policy.Elements) (name []byte, stored bool) {
	return policy.Private(private.Key{}).ElementName(e)
}

// Scope returns the variables of a CodeWithScope as an Object. It is Missing for other kinds.
func Scope(v policy.Value) policy.Value { return policy.Private(private.Key{}).Scope(v) }

// Values of kinds that hardly any document has. Users make them by policy.ParseBSONValue.

// UndefinedValue returns BSON's deprecated undefined.
func UndefinedValue() policy.Value { return policy.Private(private.Key{}).UndefinedValue() }

// MinKeyValue returns the value that sorts before all others.
func MinKeyValue() policy.Value { return policy.Private(private.Key{}).MinKeyValue() }

// MaxKeyValue returns the value that sorts after all others.
func MaxKeyValue() policy.Value { return policy.Private(private.Key{}).MaxKeyValue() }

// SymbolValue returns a Value for BSON's deprecated symbol.
func SymbolValue(s string) policy.Value { return policy.Private(private.Key{}).SymbolValue(s) }

// CodeValue returns a Value for JavaScript code.
func CodeValue(code string) policy.Value { return policy.Private(private.Key{}).CodeValue(code) }

// CodeWithScopeValue returns a Value for JavaScript code with variables.
func CodeWithScopeValue(code string, scope policy.Document) policy.Value {
	return policy.Private(private.Key{}).CodeWithScopeValue(code, scope)
}

// DBPointerValue returns a Value for BSON's deprecated pointer to the document with the given
// identifier in a namespace.
func DBPointerValue(namespace string, id [12]byte) policy.Value {
	return policy.Private(private.Key{}).DBPointerValue(namespace, id)
}

// InstantOfUnix returns the instant sec seconds after 1970-01-01T00:00:00Z. It reports false,
// with the last instant, if that instant is not representable.
func InstantOfUnix(sec int64) (policy.Instant, bool) {
	if sec > math.MaxInt64/1000 || sec < math.MinInt64/1000 {
		return policy.MaxInstant, false
	}
	return policy.Instant(sec * 1000), true
}
