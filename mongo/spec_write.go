package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Document returns the index as listIndexes shows it: [ParseIndexSpec] reads it
// back as the same index. Options that are off or Missing are left out. An
// index of the simple collation has none, so that createIndexes needs
// {locale: "simple"} beside it in a collection with a default collation.
func (s IndexSpec) Document() policy.D {
	return withoutMissing(policy.D{
		{Key: "v", Value: s.Version},
		{Key: "key", Value: policy.ObjectValue(s.Key)},
		{Key: "name", Value: policy.StringValue(s.Name)},
		{Key: "expireAfterSeconds", Value: s.ExpireAfterSeconds},
		{Key: "partialFilterExpression", Value: s.PartialFilterExpression},
		{Key: "collation", Value: s.Collation},
		flagOf("sparse", s.Sparse),
		flagOf("unique", s.Unique),
		flagOf("hidden", s.Hidden),
		flagOf("prepareUnique", s.PrepareUnique),
		flagOf("clustered", s.Clustered),
	})
}

// Documents returns the collection's options, with its namespace as ns, and its
// indexes, an array: [ParseCollectionSpec] reads them back as the same
// collection. What they say beside is not kept: of clusteredIndex stands the
// only form that servers take, and viewOn is empty.
func (s CollectionSpec) Documents() (options, indexes policy.Value) {
	var clusteredIndex, viewOn, ns policy.Value
	if s.Clustered {
		clusteredIndex = policy.ObjectValue(policy.D{
			{Key: "v", Value: policy.Int32Value(2)}, {Key: "key", Value: policy.ObjectValue(idIndex.Key)},
			{Key: "name", Value: policy.StringValue(idIndex.Name)}, {Key: "unique", Value: policy.BoolValue(true)},
		})
	}
	if s.View {
		viewOn = policy.StringValue("")
	}
	if s.Namespace != "" {
		ns = policy.StringValue(s.Namespace)
	}
	list := policy.A{}
	for _, x := range s.Indexes {
		list = append(list, policy.ObjectValue(x.Document()))
	}
	return policy.ObjectValue(withoutMissing(policy.D{
		{Key: "ns", Value: ns},
		{Key: "timeseries", Value: s.TimeSeries},
		{Key: "clusteredIndex", Value: clusteredIndex},
		{Key: "expireAfterSeconds", Value: s.ExpireAfterSeconds},
		flagOf("capped", s.Capped),
		flagOf("requiresExtendedRangeSupport", s.ExtendedRange),
		{Key: "viewOn", Value: viewOn},
	})), policy.ListValue(list)
}

// flagOf returns an option that is Missing if it is off.
func flagOf(name string, on bool) policy.E {
	if !on {
		return policy.E{Key: name}
	}
	return policy.E{Key: name, Value: policy.BoolValue(true)}
}

// withoutMissing returns the fields that are not Missing.
func withoutMissing(d policy.D) policy.D {
	return slices.DeleteFunc(d, func(e policy.E) bool { return e.Value.IsMissing() })
}
