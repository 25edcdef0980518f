package cosmos

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Status is the HTTP status of a refusal by the core engine. It is itself an
// error, so that errors.Is(err, cosmos.BadRequest) works on any of them.
type Status int

// BadRequest is the status of every refusal about TTL.
const BadRequest Status = 400

// Error returns the number.
func (s Status) Error() string { return fmt.Sprintf("status %d", int(s)) }

// An ErrorCode is the code of a refusal by the API for MongoDB. It is itself an
// error.
type ErrorCode int32

// BadValue is the code of a TTL index that the API for MongoDB refuses.
const BadValue ErrorCode = 2

// Name returns the code's name, "BadValue", and "Location<code>" for another.
func (c ErrorCode) Name() string {
	if c == BadValue {
		return "BadValue"
	}
	return fmt.Sprintf("Location%d", int32(c))
}

// Error returns the code's name and number.
func (c ErrorCode) Error() string { return fmt.Sprintf("%s (%d)", c.Name(), int32(c)) }

// ErrUnspecified is [policy.ErrUnspecified], whose comment says what a store should
// do: the service's reply is not established.
var ErrUnspecified = policy.ErrUnspecified

// A SpecError says why the service refuses a setting, an item or an index, or
// that it is not established whether it does. Status, Code, Field and Rule are
// stable. Reason is for people: the service's text where that is known.
type SpecError struct {
	// Status is the core's reply, Code that of the API for MongoDB. Both are
	// zero if the outcome is open, or if the refusal is established and its
	// code is not.
	Status Status
	Code   ErrorCode
	Field  string // the offending property, such as "defaultTtl"
	Reason string
	Rule   *policy.Rule
}

// Error returns the field, the reason and the status or code.
func (e *SpecError) Error() string {
	if cause := e.Unwrap(); cause != nil {
		return fmt.Sprintf("cosmos: %s: %s: %v", e.Field, e.Reason, cause)
	}
	return fmt.Sprintf("cosmos: %s: %s", e.Field, e.Reason)
}

// Unwrap returns e.Status or e.Code, [ErrUnspecified] if the outcome is open,
// and nil for a refusal whose code is not established.
func (e *SpecError) Unwrap() error {
	switch {
	case e.Status != 0:
		return e.Status
	case e.Code != 0:
		return e.Code
	case e.Rule.IsOpen():
		return ErrUnspecified
	}
	return nil
}

func badRequest(r *policy.Rule, field, format string, args ...any) error {
	return &SpecError{Status: BadRequest, Rule: r, Field: field, Reason: fmt.Sprintf(format, args...)}
}

// unspecified returns the error that the outcome is not established, by the rule
// that says so.
func unspecified(r *policy.Rule, field string) error {
	return &SpecError{Rule: r, Field: field, Reason: r.String()}
}
