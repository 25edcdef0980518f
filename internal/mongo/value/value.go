// Package value reads, converts and compares values as MongoDB does.
package value

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// IsTrue reports whether the server reads v as true where an option, a command or a
// filter accepts values of any type as flags. The server reads as false only false, zeros
// of every numeric type, null, undefined and a missing value (mongodb/mongo:
// src/mongo/bson/bsonelement.h, trueValue).
func IsTrue(v policy.Value) bool {
	switch k := v.Kind(); {
	case v.IsMissingOrNull() || k == policy.Undefined:
		return false
	case k == policy.Bool:
		b, _ := v.AsBool()
		return b
	case k.IsNumber():
		return CompareNumbers(v, policy.Int32Value(0)) != 0
	}
	return true
}

// Present returns v, or Missing for null.
func Present(v policy.Value) policy.Value {
	if v.IsMissingOrNull() {
		return policy.Value{}
	}
	return v
}

// IsOmitted reports whether a field with the value v counts as absent in a command that
// is read strictly.
func IsOmitted(v policy.Value) bool { return v.IsMissingOrNull() || v.Kind() == policy.Undefined }

// Given returns v, or Missing if a field with the value v counts as absent in a command
// that is read strictly.
func Given(v policy.Value) policy.Value {
	if IsOmitted(v) {
		return policy.Value{}
	}
	return v
}

// Equal reports whether two values are the same; numbers of different types are
// compared by their values.
func Equal(a, b policy.Value) bool {
	if a.IsNaN() || b.IsNaN() {
		return a.IsNaN() && b.IsNaN()
	}
	c, ok := Compare(a, b)
	return ok && c == 0 && Class(a.Kind()) == Class(b.Kind())
}

// IsSimpleCollation reports whether strings compare by their bytes under the collation v.
func IsSimpleCollation(v policy.Value) bool {
	return v.IsMissingOrNull() || Text(v.Field("locale")) == "simple"
}

// Text returns the text of a String, and "" for a value of another kind, even for one
// that holds a text, such as a Symbol.
func Text(v policy.Value) string {
	if v.Kind() != policy.String {
		return ""
	}
	text, _ := v.AsString()
	return text
}

// Collation returns the collation v as a specification holds it: Missing for the simple
// collation.
func Collation(v policy.Value) policy.Value {
	if IsSimpleCollation(v) {
		return policy.Value{}
	}
	return v
}

// Shown returns v as text for the reason of a refusal, clipped to 200 bytes.
func Shown(v policy.Value) string { return syntax.Clip(v.String(), 200) }
