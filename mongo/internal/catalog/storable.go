package catalog

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A definition that BSON cannot hold is a mistake of the program that made it, and no
// server has a code for it. An opaque value in a filter would be stored as something
// else, a missing one would match every document without the field, and a document that
// cannot list its fields would lose them. So the whole definition is refused.

// CheckStorable returns an error for a definition that BSON cannot hold, which no
// server sends. A field of the definition itself that is Missing counts as left out.
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
