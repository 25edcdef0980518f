package catalog

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A definition that BSON cannot hold is a mistake of the program that made it, and no
// server has a code for this mistake. In a filter an opaque value would be stored as
// something else, a missing value would match every document without the field, and a
// document that cannot list its fields would lose them. So the whole definition is
// refused.

// CheckStorable returns an error for a definition that BSON cannot hold, which no server
// sends. A top-level field of the definition that is Missing counts as absent.
func CheckStorable(definition policy.D) error {
	_, err := policy.AppendBSON(nil, policy.ObjectValue(WithoutMissing(slices.Clone(definition))))
	if err != nil {
		return fmt.Errorf("mongo: the definition cannot be stored: %w", err)
	}
	return nil
}

// WithoutMissing returns the fields that are not Missing.
func WithoutMissing(d policy.D) policy.D {
	return slices.DeleteFunc(d, func(e policy.E) bool { return e.Value.IsMissing() })
}
