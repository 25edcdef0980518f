package boltttl

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// encodeSpec returns a catalog entry, {options: …, indexes: […]}. Numbers keep
// their types: a release may read 3600 and "3600" and NaN each in its own way.
func encodeSpec(spec mongo.CollectionSpec) ([]byte, error) {
	options, indexes := spec.Documents()
	return policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "options", Value: options}, {Key: "indexes", Value: indexes}}))
}

// decodeSpec reads a catalog entry. What it returns refers to raw.
func decodeSpec(raw []byte) (mongo.CollectionSpec, error) {
	doc, err := policy.ParseBSON(raw)
	if err != nil {
		return mongo.CollectionSpec{}, fmt.Errorf("%w: catalog: %w", ErrDamaged, err)
	}
	return mongo.ParseCollectionSpec(doc.Field("options"), doc.Field("indexes"))
}
