package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A definition is the specification that an evaluator was compiled from. It shares no
// memory that callers may change.
type definition struct {
	collection CollectionSpec
	profile    behaviour.Profile
	only       int // the position of the only source, -1 for all
}

func definitionOf(c CollectionSpec, p behaviour.Profile) *definition {
	c = c.clone()
	c.TimeSeries, c.ExpireAfterSeconds = owned(c.TimeSeries), owned(c.ExpireAfterSeconds)
	for i := range c.Indexes {
		x := &c.Indexes[i]
		for _, v := range []*policy.Value{&x.Version, &x.ExpireAfterSeconds, &x.PartialFilterExpression, &x.Collation} {
			*v = owned(*v)
		}
		for _, fields := range []policy.D{x.Key, x.Options} {
			for i := range fields {
				fields[i].Value = owned(fields[i].Value)
			}
		}
	}
	return &definition{c, p, -1}
}

// owned returns a copy of v in memory of its own, because the bytes or the documents behind v
// belong to the caller. It returns a value that BSON cannot hold as it is.
func owned(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Missing, policy.Null, policy.Bool, policy.Int32, policy.Int64, policy.Double:
		return v
	}
	data, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "v", Value: v}}))
	if err != nil {
		return v
	}
	b, err := policy.ParseBSON(data)
	if err != nil {
		return v
	}
	return b.Field("v")
}

// clone returns a copy of s that shares no slices with s.
func (s CollectionSpec) clone() CollectionSpec {
	s.Indexes = slices.Clone(s.Indexes)
	for i := range s.Indexes {
		x := &s.Indexes[i]
		x.Key, x.Options = slices.Clone(x.Key), slices.Clone(x.Options)
	}
	return s
}
