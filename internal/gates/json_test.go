package gates

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The outcomes of encoding/json for a type.
const (
	roundTrip = "round trip" // what is written is read back as it was
	onlyShown = "only shown" // it is written for people, and reading fails
	onlyRead  = "only read"  // writing fails
	refused   = "refused"    // writing and reading fail
)

// jsonSamples holds a value of every exported type of the pure packages, with something in each
// field, and the outcome of encoding/json.
func jsonSamples(t *testing.T) map[string][]any {
	t.Helper()
	item := []byte(`{"_ts":1700000000,"ttl":60}`)
	text, err := policy.ParseJSON(item)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "a", Value: policy.DateValue(5)}}))
	if err != nil {
		t.Fatal(err)
	}
	bson, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	index := mongo.TTLIndex("a", 60)
	index.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "k", Value: policy.StringValue("a")}})
	index.Options = policy.D{{Key: "storageEngine", Value: policy.NullValue()}}
	index.Sparse, index.Unique, index.Hidden, index.PrepareUnique, index.Version = true, true, true, true, policy.Int32Value(2)
	spec := mongo.CollectionSpec{
		Namespace: "d.c", Indexes: []mongo.IndexSpec{index}, Capped: true, Clustered: true, ExpireAfterSeconds: policy.Int64Value(5), Encrypted: true, View: true, ExtendedRange: true,
		TimeSeries: policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("t")}}),
	}
	p := fixture.Profile(t, fixture.Latest)
	c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("a", 60)}}, p)
	if err != nil {
		t.Fatal(err)
	}
	settings := cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(60), TTLPropertyPath: "/a", IndexingMode: "lazy", AnalyticalStorageTTL: policy.Int32Value(-1), Repeated: "defaultTtl"}
	k, err := cosmos.CompileContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(60)})
	if err != nil {
		t.Fatal(err)
	}
	ofMongo := cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{{Name: "a", Key: index.Key, ExpireAfterSeconds: policy.Int32Value(60), Sparse: policy.BoolValue(true), PartialFilterExpression: policy.NullValue()}},
		ServerVersion: "4.2", Capabilities: []string{definition.CustomPathCapability}}
	m, err := cosmos.CompileCollection(ofMongo)
	if err != nil {
		t.Fatal(err)
	}
	d := c.Decide(policy.Map{"a": policy.Instant(5)}, 0)
	fields, elements := policy.ObjectValue(index.Key).Fields(), policy.ListValue(policy.A{policy.NullValue()}).Elements()
	warning := cosmos.Warning{Rule: d.Rule, Text: "text"}
	var refusal, refusalThere error = &mongo.SpecError{Code: 67, Field: "key", Reason: "why", Rule: d.Rule}, &cosmos.SpecError{Status: 400, Code: 2, Field: "ttl", Reason: "why", Rule: d.Rule}
	return map[string][]any{
		roundTrip: {
			policy.A{policy.Int64Value(5), policy.DateValue(5)}, policy.D{{Key: "a", Value: policy.Int64Value(5)}}, d, policy.E{Key: "a", Value: policy.Int64Value(5)},
			k.Fingerprint(), d.Rule, policy.Instant(5), policy.Date, policy.Citation{Title: "t", Address: "a"}, policy.Expired, policy.DateValue(5),
			spec, index, p, mongo.Version{Major: 8, Minor: 1, Patch: 2},
			*errorOf[*mongo.SpecError](t, refusal), *errorOf[*cosmos.SpecError](t, refusalThere), warning,
			settings, ofMongo, ofMongo.Indexes[0], cosmos.Item{TTL: cosmos.TTLSeconds(5), TS: cosmos.TimestampSeconds(5)}, cosmos.TTLSeconds(5), cosmos.TimestampSeconds(5),
		},
		onlyShown: {
			*(errorOf[*policy.SyntaxError](t, json.Unmarshal([]byte(`{"$date":5}`), new(policy.Value)))),
		},
		onlyRead: {policy.Map{"a": policy.Instant(5)}},
		refused: {
			bson, text, fields, elements, *c, *k, *m,
		},
	}
}

func errorOf[E error](t *testing.T, err error) (e E) {
	t.Helper()
	if !errors.As(err, &e) {
		t.Fatalf("%v is another error", err)
	}
	return e
}

// TestJSONOfEveryType: encoding/json reads what it has written of an exported type, or fails.
// It never leaves anything out.
func TestJSONOfEveryType(t *testing.T) {
	sampled := map[reflect.Type]bool{}
	for want, samples := range jsonSamples(t) {
		for _, sample := range samples {
			v := reflect.ValueOf(sample)
			sampled[v.Type()] = true
			for _, written := range []any{sample, []any{sample}, addressed(v).Interface()} {
				got := jsonOutcome(t, written, v)
				if got != want {
					t.Errorf("encoding/json of %T: %s, want %s", written, got, want)
				}
			}
		}
	}
	for _, zero := range zeros {
		if of := reflect.TypeOf(zero).Elem(); !sampled[of] {
			t.Errorf("jsonSamples has no %s", of)
		}
	}
}

// addressed returns a pointer to a copy of v.
func addressed(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

// jsonOutcome writes a value that holds v, and reads v.
func jsonOutcome(t *testing.T, written any, v reflect.Value) string {
	t.Helper()
	again := reflect.New(v.Type())
	text, err := json.Marshal(written)
	if err != nil {
		if json.Unmarshal([]byte("{}"), again.Interface()) == nil {
			return onlyRead
		}
		return refused
	}
	if _, ok := written.([]any); ok {
		text = text[1 : len(text)-1]
	}
	if err := json.Unmarshal(text, again.Interface()); err != nil {
		return onlyShown
	}
	if diff := cmp.Diff(v.Interface(), again.Elem().Interface(), cmp.Comparer(policy.Value.Equal), cmp.Comparer(func(p, q mongo.Profile) bool { return p == q }),
		cmp.AllowUnexported(policy.Decision{}, policy.Rule{}, cosmos.TTL{}, cosmos.Timestamp{})); diff != "" {
		return "read back otherwise: " + diff
	}
	return roundTrip
}
