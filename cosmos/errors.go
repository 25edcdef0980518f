package cosmos

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A SpecError says why the service refuses a setting, an item or an index, or that the
// outcome is unspecified: then errors.Is(err, [policy.ErrUnspecified]). Status, Code,
// Field and Rule are stable. Reason is a text for readers: the service's text if it has
// been seen, or else this library's own text, which says so at its end.
type SpecError struct {
	// Status is the reply of the core engine, and Code the reply of the API for MongoDB.
	// Both are zero if the outcome is unspecified, or if the code of an established
	// refusal is not known.
	Status int    // an HTTP status, such as 400
	Code   int    // such as 2, BadValue
	Field  string // the offending property, such as "defaultTtl"
	Reason string
	Rule   policy.Rule
}

// Error returns the field, the reason and the status or code.
func (e *SpecError) Error() string {
	text := fmt.Sprintf("cosmos: %s: %s", e.Field, e.Reason)
	switch {
	case e.Status != 0:
		text += fmt.Sprintf(": status %d", e.Status)
	case e.Code == badValue:
		text += fmt.Sprintf(": BadValue (%d)", e.Code)
	case e.Code == indexOptionsConflict:
		text += fmt.Sprintf(": IndexOptionsConflict (%d)", e.Code)
	case e.Unwrap() != nil:
		text += ": " + policy.ErrUnspecified.Error()
	}
	return text
}

// Unwrap returns [policy.ErrUnspecified] if the outcome is unspecified, and nil for a
// refusal.
func (e *SpecError) Unwrap() error {
	if e.Status == 0 && e.Code == 0 && e.Rule.IsUnspecified() {
		return policy.ErrUnspecified
	}
	return nil
}

// Codes of refusals by the core engine, for a setting of TTL, and by the API for MongoDB,
// for a TTL index.
const (
	badRequest           = 400
	badValue             = 2
	indexOptionsConflict = 85
)

// notSeen is the end of a Reason in this library's own words.
const notSeen = " (the service's own words are not known)"

// refuse returns the core engine's refusal of a property, by a rule.
func refuse(r policy.Rule, field, format string, args ...any) error {
	return &SpecError{Status: badRequest, Rule: r, Field: field, Reason: fmt.Sprintf(format, args...)}
}

// unspecified returns the error for an unspecified outcome, with the rule that
// says so.
func unspecified(r policy.Rule, field string) error {
	return &SpecError{Rule: r, Field: field, Reason: r.String()}
}
