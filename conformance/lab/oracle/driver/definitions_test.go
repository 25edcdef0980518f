package driver

// Definitions of the Go driver, as docs/implementing.md reads and writes them.

import (
	"reflect"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// docs/implementing.md: begin

// fromDriver converts a definition or a command of the driver for the library.
func fromDriver(definition any) (policy.D, error) {
	raw, err := bson.Marshal(definition)
	if err != nil {
		return nil, err
	}
	parsed, err := policy.ParseBSON(raw)
	return policy.DOf(parsed.Value()), err
}

// toDriver converts a definition or a reply of the library for the driver.
func toDriver(d policy.D) (out bson.D, err error) {
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(d))
	if err != nil {
		return nil, err
	}
	err = bson.Unmarshal(raw, &out)
	return out, err
}

// docs/implementing.md: end

// TestDefinitionsOfTheDriver: a definition with all types of values that Go programs use
// survives the way to the library and back, and decides about documents of the driver.
func TestDefinitionsOfTheDriver(t *testing.T) {
	profile, err := mongo.ProfileOf(mongo.Version{Major: 8})
	if err != nil {
		t.Fatal(err)
	}
	id, price := bson.NewObjectID(), bson.NewDecimal128(0x3040000000000000, 5)
	filter := bson.D{{Key: "n", Value: bson.M{"$gt": 1, "$lt": uint8(5)}}, {Key: "of", Value: id}, {Key: "price", Value: price}}
	index, err := fromDriver(bson.M{"key": bson.D{{Key: "createdAt", Value: 1}}, "name": "ttl", "expireAfterSeconds": 60, "partialFilterExpression": filter})
	if err != nil {
		t.Fatal(err)
	}
	made, err := commandfunc.F.ValidateCreateIndexes(mongo.CollectionSpec{}, index, profile, 0)
	if err != nil {
		t.Fatal(err)
	}
	back, err := toDriver(made.Index.Document())
	want := bson.D{{Key: "key", Value: bson.D{{Key: "createdAt", Value: int32(1)}}}, {Key: "name", Value: "ttl"}, {Key: "expireAfterSeconds", Value: int32(60)}}
	if err != nil || len(back) != 4 || !reflect.DeepEqual(back[:3], want) {
		t.Errorf("toDriver = %v, %v, want %v and the filter", back, err, want)
	}
	ttl, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{made.Index}}, profile)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]policy.State{1: policy.Never, 2: policy.Expired, 5: policy.Never} {
		doc, err := bson.Marshal(struct {
			CreatedAt bson.DateTime `bson:"createdAt"`
			N         int
			Of        bson.ObjectID
			Price     bson.Decimal128
		}{0, n, id, price})
		if err != nil {
			t.Fatal(err)
		}
		if d := ttl.DecideBSON(doc, 60_000); d.State != want {
			t.Errorf("of n: %d: %v by %s, want %v", n, d.State, d.Rule, want)
		}
	}
}

// TestValuesOfTheDriver: the driver and the library use the same order of the two words
// of a decimal, and ParseBSONValue reads the result of bson.MarshalValue.
func TestValuesOfTheDriver(t *testing.T) {
	price, err := bson.ParseDecimal128("1.25")
	if err != nil {
		t.Fatal(err)
	}
	kind, body, err := bson.MarshalValue([]any{price, bson.CodeWithScope{Code: "a", Scope: bson.D{}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := policy.ParseBSONValue(policy.Kind(kind), body)
	want := policy.ListValue(policy.A{policy.DecimalValue(price.GetBytes()), valuefunc.F.CodeWithScopeValue("a", policy.D{})})
	if err != nil || !got.Equal(want) {
		t.Errorf("ParseBSONValue = %v, %v, want %v", got, err, want)
	}
}
