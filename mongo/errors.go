package mongo

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/nojson"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// noJSON is embedded in types that encoding/json must not write.
type noJSON = nojson.Type

// A SpecError says why a server refuses a specification, or that it is unspecified
// whether a server refuses it. Code, Field and Rule are stable. Reason is text for
// readers: the server's text if it is known, with documents as Extended JSON. A store
// sends Code, CodeName and Reason; Error is for logs.
type SpecError struct {
	// Code is the number of the server's error, such as 67 for CannotCreateIndex. It is zero if
	// the outcome is unspecified; the error wraps [policy.ErrUnspecified] then.
	Code int32
	// CodeName is the name that the release sends with Code; "" if that is unspecified: compare
	// the number then. The codes of the parser of commands, 40414 and 40415, have no name up to
	// 6.0 ("Location40415"), and have names since 8.0 (mongodb/mongo:
	// src/mongo/base/error_codes.yml).
	CodeName string
	Field    string // the offending place, such as "partialFilterExpression.$and[1].a"
	Reason   string
	// Rule is the rule by which the server refuses, or by which the outcome is
	// unspecified. It is nil for input that no server reads, such as a key pattern
	// that is not a document, and for refusals of a partial filter.
	Rule policy.Rule
}

// newSpecError returns a refusal whose code every release names alike.
func newSpecError(code int32, field, reason string) *SpecError {
	return &SpecError{Code: code, CodeName: codes.Name(code), Field: field, Reason: reason}
}

// Error returns the field, the reason and the code, or the rule if the outcome is
// unspecified.
func (e *SpecError) Error() string {
	if e.Code == 0 {
		return fmt.Sprintf("mongo: %s: %v: %s", e.Field, policy.ErrUnspecified, e.Rule)
	}
	return fmt.Sprintf("mongo: %s: %s: %s", e.Field, e.Reason, codes.Text(e.Code))
}

// Unwrap returns [policy.ErrUnspecified] if the outcome is unspecified, and nil for a refusal.
func (e *SpecError) Unwrap() error {
	if e.Code == 0 {
		return policy.ErrUnspecified
	}
	return nil
}

func wrongType(field string, v policy.Value, want string) error {
	return newSpecError(codes.TypeMismatch, field, "is "+v.Kind().String()+", want "+want)
}

// specErrorOf returns the refusal of a partial filter as a SpecError, and nil if refused
// is nil.
func specErrorOf(refused *filter.Refusal) error {
	if refused == nil {
		return nil
	}
	if refused.Code == 0 {
		return &SpecError{Field: refused.Place, Reason: refused.Reason, Rule: rules.IndexUnspecified}
	}
	return newSpecError(refused.Code, refused.Place, refused.Reason)
}
