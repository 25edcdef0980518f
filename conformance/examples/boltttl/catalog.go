package boltttl

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// encodeSpec returns a catalog entry, {options: …, indexes: […]}, spelt as
// [mongo.ParseCollectionSpec] reads it. Numbers keep their types: a release
// may read 3600 and "3600" and NaN each in its own way.
func encodeSpec(spec mongo.CollectionSpec) ([]byte, error) {
	options := policy.D{
		{Key: "timeseries", Value: spec.TimeSeries},
		{Key: "expireAfterSeconds", Value: spec.ExpireAfterSeconds},
		flag("capped", spec.Capped),
		flag("clusteredIndex", spec.Clustered),
		flag("requiresExtendedRangeSupport", spec.ExtendedRange),
	}
	if spec.View {
		options = append(options, policy.E{Key: "viewOn", Value: policy.StringValue("")})
	}
	var indexes policy.A
	for _, x := range spec.Indexes {
		indexes = append(indexes, policy.ObjectValue(indexDocument(x)))
	}
	return policy.AppendBSON(nil, policy.ObjectValue(policy.D{
		{Key: "options", Value: policy.ObjectValue(present(options))},
		{Key: "indexes", Value: policy.ListValue(indexes)},
	}))
}

// indexDocument returns an index as listIndexes shows it.
func indexDocument(x mongo.IndexSpec) policy.D {
	return present(policy.D{
		{Key: "name", Value: policy.StringValue(x.Name)},
		{Key: "key", Value: policy.ObjectValue(x.Key)},
		{Key: "expireAfterSeconds", Value: x.ExpireAfterSeconds},
		{Key: "partialFilterExpression", Value: x.PartialFilter},
		{Key: "collation", Value: x.Collation},
		flag("sparse", x.Sparse),
		flag("unique", x.Unique),
		flag("hidden", x.Hidden),
		flag("prepareUnique", x.PrepareUnique),
		flag("clustered", x.Clustered),
	})
}

func flag(name string, on bool) policy.E { return policy.E{Key: name, Value: policy.BoolValue(on)} }

// present returns the fields that are there: BSON cannot write a Missing.
func present(d policy.D) policy.D {
	var kept policy.D
	for _, e := range d {
		if !e.Value.IsMissing() {
			kept = append(kept, e)
		}
	}
	return kept
}

// decodeSpec reads a catalog entry. What it returns refers to raw.
func decodeSpec(raw []byte) (mongo.CollectionSpec, error) {
	doc, err := policy.ParseBSON(raw)
	if err != nil {
		return mongo.CollectionSpec{}, fmt.Errorf("%w: catalog: %w", ErrDamaged, err)
	}
	return mongo.ParseCollectionSpec(doc.Field("options"), doc.Field("indexes"))
}
