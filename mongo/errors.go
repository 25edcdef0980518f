package mongo

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/nojson"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An ErrorCode is the number of a server's error, such as 67 for CannotCreateIndex.
// It is itself an error, so that errors.Is(err, mongo.ErrorCode(codes.CannotCreateIndex)) works on any
// refusal of this package.
type ErrorCode int32

// Error returns the code's name and number.
func (c ErrorCode) Error() string { return fmt.Sprintf("%s (%d)", codes.Name(int32(c)), int32(c)) }

// noJSON is embedded in types that encoding/json must not write.
type noJSON = nojson.Type

// A SpecError says why a server refuses a specification, or that it is unspecified
// whether a server refuses it. Code, Field and Rule are stable. Reason is text for
// readers: the server's text if it is known, with documents as Extended JSON. A store
// sends Code and Reason; Error is for logs.
type SpecError struct {
	Code   ErrorCode // zero if the outcome is unspecified; the error wraps policy.ErrUnspecified then
	Field  string    // the offending place, such as "partialFilterExpression.$and[1].a"
	Reason string
	// Rule is the rule by which the server refuses, or by which the outcome is
	// unspecified. It is nil for input that no server reads, such as a key pattern
	// that is not a document, and for refusals of a partial filter.
	Rule policy.Rule
}

// Error returns the field, the reason and the code, or the rule if the outcome is
// unspecified.
func (e *SpecError) Error() string {
	if e.Code == 0 {
		return fmt.Sprintf("mongo: %s: %v: %s", e.Field, policy.ErrUnspecified, e.Rule)
	}
	return fmt.Sprintf("mongo: %s: %s: %s", e.Field, e.Reason, e.Code.Error())
}

// Unwrap returns e.Code, or [policy.ErrUnspecified] if there is none.
func (e *SpecError) Unwrap() error {
	if e.Code == 0 {
		return policy.ErrUnspecified
	}
	return e.Code
}

func wrongType(field string, v policy.Value, want string) error {
	return &SpecError{Code: codes.TypeMismatch, Field: field, Reason: "is " + v.Kind().String() + ", want " + want}
}

// specErrorOf returns the refusal of a partial filter as a SpecError, and nil if refused
// is nil.
func specErrorOf(refused *filter.Refusal) error {
	if refused == nil {
		return nil
	}
	e := &SpecError{Code: ErrorCode(refused.Code), Field: refused.Place, Reason: refused.Reason}
	if e.Code == 0 {
		e.Rule = rules.IndexUnspecified
	}
	return e
}
