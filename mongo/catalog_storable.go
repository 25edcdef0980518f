package mongo

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A definition that BSON cannot hold is a mistake of the program that made it, and no
// server has a code for it. An opaque value in a filter would be stored as something
// else, a missing one would match every document without the field, and a document that
// cannot list its fields would lose them. So the whole definition is refused.

// checkStorable returns an error for a definition that BSON cannot hold, which is no
// [SpecError]. A field of the definition itself that is Missing counts as left out.
func checkStorable(definition policy.D) error {
	_, err := policy.AppendBSON(nil, policy.ObjectValue(withoutMissing(slices.Clone(definition))))
	if err != nil {
		return fmt.Errorf("mongo: the definition cannot be stored: %w", err)
	}
	return nil
}

// checkStorable is checkStorable for what decides about expiry.
func (s IndexSpec) checkStorable() error { return checkStorable(s.Document()) }

// checkStorable is checkStorable for the collection's own options.
func (s CollectionSpec) checkStorable() error {
	return checkStorable(policy.D{{Key: "timeseries", Value: s.TimeSeries}, {Key: "expireAfterSeconds", Value: s.ExpireAfterSeconds}})
}
