package mongo

import "fmt"

// An ErrorCode is a server error code. It is itself an error, so that
// errors.Is(err, mongo.CannotCreateIndex) works on any refusal of this package.
type ErrorCode int32

// The codes that TTL definitions are refused with (mongodb/mongo:
// src/mongo/base/error_codes.yml).
const (
	BadValue                        ErrorCode = 2
	FailedToParse                   ErrorCode = 9
	TypeMismatch                    ErrorCode = 14
	CannotCreateIndex               ErrorCode = 67
	InvalidOptions                  ErrorCode = 72
	InvalidIndexSpecificationOption ErrorCode = 197
	QueryFeatureNotAllowed          ErrorCode = 224
)

var codeNames = map[ErrorCode]string{
	BadValue: "BadValue", FailedToParse: "FailedToParse", TypeMismatch: "TypeMismatch", CannotCreateIndex: "CannotCreateIndex",
	InvalidOptions:                  "InvalidOptions",
	InvalidIndexSpecificationOption: "InvalidIndexSpecificationOption",
	QueryFeatureNotAllowed:          "QueryFeatureNotAllowed",
}

// Name returns the server's codeName, such as "CannotCreateIndex", and
// "Location40415" for a code that has none.
func (c ErrorCode) Name() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return fmt.Sprintf("Location%d", int32(c))
}

// Error returns the code's name and number.
func (c ErrorCode) Error() string { return fmt.Sprintf("%s (%d)", c.Name(), int32(c)) }

// A SpecError says why a server refuses a specification. Code and Field are
// stable; Reason is for people.
type SpecError struct {
	Code   ErrorCode
	Field  string // the offending place, such as "partialFilterExpression.$and[1].a"
	Reason string
}

// Error returns the field, the reason and the code.
func (e *SpecError) Error() string {
	return fmt.Sprintf("mongo: %s: %s: %s", e.Field, e.Reason, e.Code.Error())
}

// Unwrap returns e.Code.
func (e *SpecError) Unwrap() error { return e.Code }
