package command

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// refuseBy returns the error by which the server refuses the value at a path. The path
// may begin with the command's name; rule is the reason.
func refuseBy(code mongo.ErrorCode, rule policy.Rule, path, format string, args ...any) error {
	return &mongo.SpecError{Code: code, Rule: rule, Field: fieldOf(path), Reason: fmt.Sprintf(format, args...)}
}

// unspecified returns the error for a value at a path if the release's reply to the value
// is unspecified by rule.
func unspecified(rule policy.Rule, path string) error {
	return &mongo.SpecError{Rule: rule, Field: fieldOf(path), Reason: policy.ErrUnspecified.Error()}
}

// A refusal is the error of one check, and whether it applies. Tables list refusals in
// the order of the server's checks.
type refusal struct {
	applies bool
	code    mongo.ErrorCode // zero if the outcome is unspecified
	rule    policy.Rule
	path    string // as in refuseBy
	reason  string // empty if the outcome is unspecified
}

// firstOf returns the error of the first refusal that applies, or nil.
func firstOf(refusals ...refusal) error {
	for _, r := range refusals {
		switch {
		case r.applies && r.code == 0:
			return unspecified(r.rule, r.path)
		case r.applies:
			return &mongo.SpecError{Code: r.code, Rule: r.rule, Field: fieldOf(r.path), Reason: r.reason}
		}
	}
	return nil
}

// firstFailure calls checks in order, and returns the first error or nil.
func firstFailure(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// fieldOf returns a path without the name of the command.
func fieldOf(path string) string {
	for _, command := range []string{"collMod.", "create."} {
		if rest, ok := strings.CutPrefix(path, command); ok {
			return rest
		}
	}
	return path
}

// Texts of the server about a TTL index that it refuses.
const (
	singleFieldReason = "TTL indexes are single-field indexes, compound indexes do not support TTL"
	negativeReason    = "TTL index 'expireAfterSeconds' option cannot be less than 0"
	largeReason       = "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number"
	beforeReason      = "TTL index 'expireAfterSeconds' option cannot exceed time since last epoch"
	overflowReason    = "TTL index 'expireAfterSeconds' option cannot overflow int64_t when cast as milliseconds, found %d"
)
