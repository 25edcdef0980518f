package driver

import (
	"reflect"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestDriverStoresDefinitions: the driver writes definitions and values, within structs of a
// store, and reads them back.
func TestDriverStoresDefinitions(t *testing.T) {
	index := mongo.TTLIndex("at", 60)
	index.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "k", Value: policy.StringValue("a")}})
	type entry struct {
		Collection mongo.CollectionSpec
		Index      mongo.IndexSpec
		Seconds    policy.Value
		Filter     policy.Value
		List       []policy.Value
	}
	want := entry{
		Collection: mongo.CollectionSpec{Namespace: "d.c", Capped: true, Indexes: []mongo.IndexSpec{index}}, Index: index,
		Seconds: policy.DoubleValue(1.5), Filter: index.PartialFilterExpression, List: []policy.Value{policy.DateValue(5), policy.ListValue(policy.A{policy.NullValue()})},
	}
	raw, err := bson.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got entry
	if err := bson.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]policy.Value{
		{got.Seconds, want.Seconds}, {got.Filter, want.Filter}, {got.List[0], want.List[0]}, {got.List[1], want.List[1]},
		{policy.ObjectValue(got.Index.Document()), policy.ObjectValue(want.Index.Document())},
	} {
		if !pair[0].Equal(pair[1]) {
			t.Errorf("%v is read as %v", pair[1], pair[0])
		}
	}
	a, errA := want.Collection.MarshalBSON()
	b, errB := got.Collection.MarshalBSON()
	if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v is read as %v, %v, %v", want.Collection, got.Collection, errA, errB)
	}
	if raw, err := bson.Marshal(struct{ V policy.Value }{policy.OpaqueValue()}); err == nil {
		t.Errorf("an opaque value is written as %v", bson.Raw(raw))
	}
}
