package mongo

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An ErrorCode is a server error code. It is itself an error, so that
// errors.Is(err, mongo.CannotCreateIndex) works on any refusal of this package.
type ErrorCode int32

// The codes that TTL definitions are refused with (mongodb/mongo:
// src/mongo/base/error_codes.yml).
const (
	BadValue                        ErrorCode = 2
	FailedToParse                   ErrorCode = 9
	TypeMismatch                    ErrorCode = 14
	IndexNotFound                   ErrorCode = 27
	CannotCreateIndex               ErrorCode = 67
	InvalidOptions                  ErrorCode = 72
	InvalidNamespace                ErrorCode = 73
	IndexOptionsConflict            ErrorCode = 85
	IndexKeySpecsConflict           ErrorCode = 86
	CommandNotSupportedOnView       ErrorCode = 166
	AmbiguousIndexKeyPattern        ErrorCode = 181
	InvalidIndexSpecificationOption ErrorCode = 197
	QueryFeatureNotAllowed          ErrorCode = 224
	IDLFailedToParse                ErrorCode = 40414
	IDLUnknownField                 ErrorCode = 40415
)

var codeNames = map[ErrorCode]string{
	BadValue: "BadValue", FailedToParse: "FailedToParse", TypeMismatch: "TypeMismatch", CannotCreateIndex: "CannotCreateIndex",
	IndexNotFound:                   "IndexNotFound",
	InvalidOptions:                  "InvalidOptions",
	InvalidNamespace:                "InvalidNamespace",
	IndexOptionsConflict:            "IndexOptionsConflict",
	IndexKeySpecsConflict:           "IndexKeySpecsConflict",
	CommandNotSupportedOnView:       "CommandNotSupportedOnView",
	AmbiguousIndexKeyPattern:        "AmbiguousIndexKeyPattern",
	InvalidIndexSpecificationOption: "InvalidIndexSpecificationOption",
	QueryFeatureNotAllowed:          "QueryFeatureNotAllowed",
	IDLFailedToParse:                "IDLFailedToParse",
	IDLUnknownField:                 "IDLUnknownField",
}

// Name returns the codeName that the newest servers send, such as
// "CannotCreateIndex", and "Location5979700" for a code that has none.
// [Profile.CodeName] returns that of a release.
func (c ErrorCode) Name() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return c.location()
}

// location returns the codeName of a code without a name.
func (c ErrorCode) location() string { return fmt.Sprintf("Location%d", int32(c)) }

// CodeName returns the codeName that a release sends with a code, or "" where
// that is not established, so that only the number can be compared. The codes
// of the parser of commands, [IDLFailedToParse] and [IDLUnknownField], had no
// name up to 6.0 ("Location40415"), and have theirs since 8.0 (mongodb/mongo:
// src/mongo/base/error_codes.yml).
func (p Profile) CodeName(c ErrorCode) string {
	switch {
	case c != IDLFailedToParse && c != IDLUnknownField || p.parserCodes == parserCodesNamed:
		return c.Name()
	case p.parserCodes == parserCodesNumbered:
		return c.location()
	}
	return ""
}

// Error returns the code's name and number.
func (c ErrorCode) Error() string { return fmt.Sprintf("%s (%d)", c.Name(), int32(c)) }

// ErrUnspecified is [policy.ErrUnspecified], which says what a store should do
// with it: it is not established whether the release refuses the definition.
var ErrUnspecified = policy.ErrUnspecified

// A SpecError says why a server refuses a specification, or that it is not
// established whether it does. Code, Field and Rule are stable; Reason is for
// people, and where the server's text is known it is that.
type SpecError struct {
	Code   ErrorCode // zero if the outcome is open; the error wraps ErrUnspecified then
	Field  string    // the offending place, such as "partialFilterExpression.$and[1].a"
	Reason string
	// Rule is the rule by which it is refused, or by which the outcome is open.
	// It is nil for what no server reads, such as a key pattern that is none,
	// and within partial filters.
	Rule *policy.Rule
}

// Error returns the field, the reason and the code, or the rule of what is open.
func (e *SpecError) Error() string {
	if e.Code == 0 {
		return fmt.Sprintf("mongo: %s: %v: %s", e.Field, ErrUnspecified, e.Rule)
	}
	return fmt.Sprintf("mongo: %s: %s: %s", e.Field, e.Reason, e.Code.Error())
}

// Unwrap returns e.Code, or [ErrUnspecified] if there is none.
func (e *SpecError) Unwrap() error {
	if e.Code == 0 {
		return ErrUnspecified
	}
	return e.Code
}
