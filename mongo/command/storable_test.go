package command

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var hidden functions // what Private returns

// hasCode reports whether err wraps a refusal with a code.
func hasCode(err error, code int32) bool {
	var refused *mongo.SpecError
	return errors.As(err, &refused) && refused.Code == code
}

// TestDefinitionsThatCannotBeStored: every function that takes a definition refuses a
// definition with a value that BSON cannot hold. The error has no server's code. If the
// value were stored as null or {} instead, a filter would match other documents.
func TestDefinitionsThatCannotBeStored(t *testing.T) {
	profile := fixture.Profile(t, "8.0.4")
	values := map[string]policy.Value{
		"opaque": policy.OpaqueValue(), "missing": {}, "unlisted": policy.ObjectValue(policy.Map{"$gt": 1.0}),
	}
	index := func(filter policy.D) policy.D {
		return policy.D{
			{Key: "name", Value: policy.StringValue("t_1")}, {Key: "key", Value: policy.ObjectValue(policy.D{{Key: "t", Value: policy.Int32Value(1)}})},
			{Key: "expireAfterSeconds", Value: policy.Int32Value(1)}, {Key: "partialFilterExpression", Value: policy.ObjectValue(filter)},
		}
	}
	spec := func(filter policy.D) mongo.IndexSpec {
		return mongo.IndexSpec{Name: "t_1", Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(1), PartialFilterExpression: policy.ObjectValue(filter)}
	}
	ways := map[string]func(policy.D) error{
		"ParseIndexSpec": func(f policy.D) error { _, err := mongo.ParseIndexSpec(policy.ObjectValue(index(f))); return err },
		"ParseCollectionSpec": func(f policy.D) error {
			_, err := mongo.ParseCollectionSpec(policy.ObjectValue(policy.D{{Key: "timeseries", Value: policy.ObjectValue(f)}}), policy.Value{})
			return err
		},
		"CompileIndex": func(f policy.D) error {
			_, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec(f)}}, profile)
			return err
		},
		"CompileCollection": func(f policy.D) error {
			_, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec(f)}}, profile)
			return err
		},
		"CompileCollection of a series": func(f policy.D) error {
			_, err := mongo.CompileCollection(mongo.CollectionSpec{TimeSeries: policy.ObjectValue(append(f, policy.E{Key: "timeField", Value: policy.StringValue("t")}))}, profile)
			return err
		},
		"ValidateCreateIndexes": func(f policy.D) error {
			_, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, index(f), profile, 0)
			return err
		},
		"ValidateCreateIndexes of an option": func(f policy.D) error {
			definition := append(policy.D{{Key: "weights", Value: policy.ObjectValue(f)}}, index(nil)...)
			_, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, definition, profile, 0)
			return err
		},
		"ValidateCollMod": func(f policy.D) error {
			_, err := hidden.ValidateCollMod(mongo.CollectionSpec{}, policy.D{{Key: "index", Value: policy.ObjectValue(f)}}, profile, 0)
			return err
		},
		"ValidateCreate": func(f policy.D) error {
			_, err := hidden.ValidateCreate(policy.D{{Key: "timeseries", Value: policy.ObjectValue(f)}}, profile, 0)
			return err
		},
	}
	for kind, v := range values {
		in := policy.D{{Key: "$in", Value: policy.ListValue(policy.A{v})}}
		for place, filter := range map[string]policy.D{"a": {{Key: "a", Value: v}}, "a.$in[0]": {{Key: "a", Value: policy.ObjectValue(in)}}} {
			for name, way := range ways {
				err := way(filter)
				if _, isServers := refusedBy(err); err == nil || isServers {
					t.Errorf("%s with %s at %s: %v; want an error that is no server's", name, kind, place, err)
				}
			}
		}
	}
}

// TestLeftOut: a field of a command that is Missing counts as left out.
func TestLeftOut(t *testing.T) {
	command := policy.D{{Key: "expireAfterSeconds"}, {Key: "clusteredIndex"}}
	if _, err := hidden.ValidateCreate(command, fixture.Profile(t, "8.0.4"), 0); err != nil {
		t.Errorf("create with %v: %v", command, err)
	}
	if len(command) != 2 || command[0].Key != "expireAfterSeconds" {
		t.Errorf("the command is %v now", command)
	}
}
