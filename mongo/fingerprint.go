package mongo

import (
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Fingerprint returns the [policy.Fingerprint] of the collection. It depends on the order
// of the TTL indexes, because [policy.Decision.Source] does. Each call computes it anew,
// so keep the result.
func (c *Collection) Fingerprint() policy.Fingerprint {
	if c == nil {
		return policy.Fingerprint{}
	}
	return c.definition.fingerprint()
}

func (d *definition) fingerprint() policy.Fingerprint {
	if d == nil {
		return policy.Fingerprint{}
	}
	name := "none"
	first, legacyNull, ok := behaviour.FirstRelease(d.profile)
	if ok {
		name = first.String()
	}
	options := d.collection
	options.Indexes, options.Namespace = nil, behaviour.NamespaceThatCounts(options.Namespace)
	stored, _ := options.Documents()
	parts := []string{
		"mongodb", strconv.Itoa(RulesVersion), "collection", name, strconv.FormatBool(legacyNull), strconv.Itoa(d.only), spelled(stored),
	}
	for _, x := range d.collection.Indexes {
		if x.ExpireAfterSeconds.IsMissing() {
			continue
		}
		parts = append(parts, spelled(policy.ObjectValue(policy.D{
			{Key: "v", Value: x.Version},
			{Key: "key", Value: policy.ObjectValue(x.Key)},
			{Key: "expireAfterSeconds", Value: x.ExpireAfterSeconds},
			{Key: "partialFilterExpression", Value: x.PartialFilterExpression},
			{Key: "collation", Value: x.Collation},
			{Key: "clustered", Value: policy.BoolValue(x.Clustered)},
		})))
	}
	return engine.Fingerprint(parts...)
}

// spelled returns a value of a definition as text. Values that every release reads alike
// have the same text.
func spelled(v policy.Value) string { return string(policy.AppendExtJSON(nil, normalOf(v))) }

// normalOf returns v with each Int32 as an Int64.
func normalOf(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Int32:
		n, _ := v.AsInt64()
		return policy.Int64Value(n)
	case policy.Object:
		d := policy.D{}
		for f := v.Fields(); f.Next(); {
			if e := f.Value(); !e.IsMissing() {
				d = append(d, policy.E{Key: f.Name(), Value: normalOf(e)})
			}
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for e := v.Elements(); e.Next(); {
			a = append(a, normalOf(e.Value()))
		}
		return policy.ListValue(a)
	}
	return v
}
