package peers

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Must returns v, and panics on an error. It is for values made from constants.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("a constant of this program: %v", err))
	}
	return v
}

// BSON converts a document in Extended JSON to BSON.
func BSON(text string) []byte {
	return Must(policy.AppendBSON(nil, Must(policy.ParseExtJSON([]byte(text)))))
}

// Profile returns the profile of the newest release.
func Profile() mongo.Profile { return Must(mongo.ProfileOf(mongo.Latest())) }

// IndexSpec is an ascending index on a path that deletes after [DelaySeconds].
func IndexSpec(path string) mongo.IndexSpec {
	return mongo.IndexSpec{
		Key:                policy.D{{Key: path, Value: policy.Int32Value(1)}},
		ExpireAfterSeconds: policy.Int32Value(DelaySeconds),
	}
}

// Index compiles the index of [IndexSpec], with a partial filter unless filter is nil.
func Index(path string, filter policy.D) *mongo.Collection {
	s := IndexSpec(path)
	if filter != nil {
		s.PartialFilterExpression = policy.ObjectValue(filter)
	}
	return Must(mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{s}}, Profile()))
}

// Done is the filter of documents whose status is "done".
func Done() policy.D { return policy.D{{Key: "status", Value: policy.StringValue("done")}} }

// Container compiles a container with a default, in seconds.
func Container(defaultTTL int32) *cosmos.Container { return Item{Def: &defaultTTL}.Container() }

// Container compiles the container that the item is in.
func (it Item) Container() *cosmos.Container {
	var spec cosmos.ContainerSpec
	if it.Def != nil {
		spec.DefaultTTL = policy.Int32Value(*it.Def)
	}
	return Must(cosmos.CompileContainer(spec))
}

// Typed returns the item as the library's decoded Item.
func (it Item) Typed() cosmos.Item {
	item := cosmos.Item{TS: cosmos.TimestampSeconds(it.TS)}
	if it.TTL != nil {
		item.TTL = cosmos.TTLSeconds(int64(*it.TTL))
	}
	return item
}
