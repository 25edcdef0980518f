package bsonv1_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/bsonv1"
	ttlmongo "github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
	"pgregory.net/rapid"
)

var id = primitive.ObjectID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}

// every holds a value of each type that the driver writes.
var every = []any{
	1.5, "text", bson.D{{Key: "t", Value: primitive.DateTime(5)}}, bson.A{int32(1), primitive.DateTime(7)}, primitive.Binary{Subtype: 4, Data: []byte{1, 2}},
	primitive.Undefined{}, id, true, primitive.DateTime(-1), nil, primitive.Regex{Pattern: "a", Options: "im"},
	primitive.DBPointer{DB: "a.b", Pointer: id}, primitive.JavaScript("f()"), primitive.Symbol("s"), primitive.CodeWithScope{Code: "g()", Scope: bson.D{{Key: "x", Value: int32(1)}}},
	int32(-7), primitive.Timestamp{T: 9, I: 3}, int64(1) << 60, primitive.NewDecimal128(0x3040000000000000, 1050), primitive.MinKey{}, primitive.MaxKey{}, primitive.Null{},
	int(5), int(1) << 40, int8(-1), int16(2), uint8(3), uint16(4), uint32(5), uint64(6), float32(0.5), []byte{1}, time.UnixMilli(1700000000123).UTC(), time.Unix(-1, 999_999_999),
	bson.M{"t": primitive.DateTime(5)}, map[string]any{"t": int32(1)}, []any{nil, primitive.DateTime(6)}, []bson.D{{{Key: "a", Value: int32(1)}}}, []bson.M{{"a": int32(1)}}, []string{"a"}, []time.Time{time.UnixMilli(3)},
	bson.D(nil), bson.M(nil), bson.A(nil), []any(nil), []bson.D(nil), []byte(nil), primitive.CodeWithScope{Code: "h()", Scope: bson.M{}},
	bson.Raw("\x0c\x00\x00\x00\x10a\x00\x05\x00\x00\x00\x00"), bson.RawValue{Type: bson.TypeDateTime, Value: []byte{1, 0, 0, 0, 0, 0, 0, 0}},
}

func TestEveryTypeIsWhatTheDriverWrites(t *testing.T) {
	for _, v := range every {
		want, err := bson.Marshal(bson.D{{Key: "t", Value: v}})
		if err != nil {
			t.Fatalf("Marshal(%T): %v", v, err)
		}
		doc, err := bsonv1.Document(bson.D{{Key: "t", Value: v}})
		if err != nil {
			t.Errorf("Document(%T) = %v", v, err)
			continue
		}
		if m, ok := v.(bson.M); ok && m != nil || fmt.Sprintf("%T", v) == "map[string]interface {}" || fmt.Sprintf("%T", v) == fmt.Sprintf("%T", []bson.M{}) {
			continue // the fields of a map have no order, so the bytes differ
		}
		if c, ok := v.(primitive.CodeWithScope); ok {
			if _, unordered := c.Scope.(bson.M); unordered {
				continue
			}
		}
		got, err := policy.AppendBSON(nil, policy.ObjectValue(doc))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%T: AppendBSON() = %x, %v, want %x", v, got, err, want)
		}
	}
}

var policies = func() (all []*ttlmongo.Collection) {
	date := func(path string, filter policy.Value) ttlmongo.CollectionSpec {
		return ttlmongo.CollectionSpec{Indexes: []ttlmongo.IndexSpec{{
			Key: policy.D{{Key: path, Value: policy.Int32Value(1)}}, Name: "x", ExpireAfterSeconds: policy.Int32Value(1), PartialFilterExpression: filter,
		}}}
	}
	exists := policy.ObjectValue(policy.D{{Key: "a", Value: policy.ObjectValue(policy.D{{Key: "$exists", Value: policy.BoolValue(true)}})}})
	greater := policy.ObjectValue(policy.D{{Key: "a", Value: policy.ObjectValue(policy.D{{Key: "$gt", Value: policy.Int32Value(0)}})}})
	for _, spec := range []ttlmongo.CollectionSpec{date("t", policy.Value{}), date("a.t", policy.Value{}), date("a.0", policy.Value{}), date("t", exists), date("t", greater)} {
		for _, version := range []ttlmongo.Version{{Major: 3, Minor: 2}, {Major: 8, Minor: 0, Patch: 4}} {
			profile, err := ttlmongo.ProfileOf(version)
			if err != nil {
				panic(err)
			}
			c, err := ttlmongo.CompileCollection(spec, profile)
			if err != nil {
				panic(err)
			}
			all = append(all, c)
		}
	}
	return all
}()

// value draws a value of any type, with dates near the clock and containers of three levels.
func value(t *rapid.T, depth int) any {
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case kind < 4:
		return primitive.DateTime(rapid.Int64Range(-3, 3).Draw(t, "date"))
	case kind < 7 || depth == 0:
		return rapid.SampledFrom(every).Draw(t, "value")
	case kind == 7:
		a := bson.A{}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			a = append(a, value(t, depth-1))
		}
		return a
	}
	return document(t, depth-1)
}

func document(t *rapid.T, depth int) bson.D {
	d := bson.D{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"t", "a", "0", "b"}), 0, 4, rapid.ID).Draw(t, "names") {
		d = append(d, bson.E{Key: name, Value: value(t, depth)})
	}
	return d
}

func TestRapidDecidesAsTheBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := document(t, 3)
		raw, err := bson.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var read bson.D
		var m bson.M
		if err := bson.Unmarshal(raw, &read); err != nil {
			t.Fatal(err)
		}
		if err := bson.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		now := policy.Instant(1000 + rapid.Int64Range(-4, 4).Draw(t, "now"))
		for i, c := range policies {
			want := c.DecideBSON(raw, now)
			for _, doc := range []policy.Document{(*bsonv1.D)(&d), bsonv1.D(read), bsonv1.M(m)} {
				if got := c.Decide(doc, now); got != want {
					t.Fatalf("policy %d, %T: Decide(%v) = %v by %v, want %v by %v", i, doc, d, got, got.Rule, want, want.Rule)
				}
			}
		}
	})
}

func TestWhatIsNoDocument(t *testing.T) {
	type mine struct{ A int }
	deep := bson.M{"b": bson.A{1, bson.D{{Key: "c", Value: mine{}}}}, "a": 1}
	for _, tt := range []struct {
		doc  any
		want string
	}{
		{nil, "<nil> is not a document"},
		{5, "int is not a document"},
		{(*bson.D)(nil), "is not a document"},
		{mine{}, "mine is not a document"},
		{deep, "b.1.c has the Go type bsonv1_test.mine"},
		{bson.D{{Key: "x", Value: []bson.M{{"y": uint64(1) << 63}}}}, "x.0.y has the Go type uint64"},
		{bson.D{{Key: "x", Value: primitive.CodeWithScope{Scope: 5}}}, "x has the Go type"},
		{bson.D{{Key: "x", Value: bson.Raw{1, 2}}}, "x has the Go type bson.Raw"},
		{bson.Raw{1, 2}, "BSON"},
	} {
		if _, err := bsonv1.Document(tt.doc); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Document(%v) = %v, want an error with %q", tt.doc, err, tt.want)
		}
	}
	var opaque policy.Document = (*bsonv1.D)(&bson.D{{Key: "t", Value: mine{}}})
	if d := policies[1].Decide(opaque, policy.MaxInstant); d.State != policy.Never {
		t.Errorf("Decide(a struct in t) = %v, want never", d)
	}
}

var flat = bson.D{{Key: "_id", Value: id}, {Key: "a", Value: int64(5)}, {Key: "t", Value: primitive.DateTime(1)}}
var nested = bson.D{{Key: "_id", Value: id}, {Key: "a", Value: bson.D{{Key: "t", Value: primitive.DateTime(1)}}}}
var listed = bson.D{{Key: "t", Value: bson.A{primitive.DateTime(1)}}}

func TestAllocations(t *testing.T) {
	asM := bson.M{"_id": id, "a": int64(5), "t": primitive.DateTime(1)}
	within := bson.M{"a": bson.M{"t": primitive.DateTime(1)}}
	for _, tt := range []struct {
		why    string
		policy *ttlmongo.Collection
		doc    func() policy.Document
		want   float64
	}{
		{"a pointer to a bson.D", policies[1], func() policy.Document { return (*bsonv1.D)(&flat) }, 0},
		{"a bson.D", policies[1], func() policy.Document { return bsonv1.D(flat) }, 1},
		{"a bson.M", policies[1], func() policy.Document { return bsonv1.M(asM) }, 0},
		{"a bson.D within", policies[3], func() policy.Document { return (*bsonv1.D)(&nested) }, 1},
		{"an array", policies[1], func() policy.Document { return (*bsonv1.D)(&listed) }, 1},
		{"a bson.M within", policies[3], func() policy.Document { return bsonv1.M(within) }, 0},
		{"a filter on a Go int", policies[9], func() policy.Document { return (*bsonv1.D)(&flat) }, 0},
	} {
		if got := testing.AllocsPerRun(100, func() {
			if d := tt.policy.Decide(tt.doc(), 5000); d.State != policy.Expired {
				t.Fatalf("%s: %v by %v", tt.why, d, d.Rule)
			}
		}); got != tt.want {
			t.Errorf("%s: %v allocations, want %v", tt.why, got, tt.want)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	raw, _ := bson.Marshal(flat)
	for _, tt := range []struct {
		name   string
		decide func() policy.Decision
	}{
		{"D", func() policy.Decision { return policies[1].Decide((*bsonv1.D)(&flat), 5000) }},
		{"Raw", func() policy.Decision { return policies[1].DecideBSON(raw, 5000) }},
		{"MarshalledFirst", func() policy.Decision {
			raw, _ := bson.Marshal(flat)
			return policies[1].DecideBSON(raw, 5000)
		}},
	} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tt.decide()
			}
		})
	}
}

func ExampleD() {
	session := bson.D{{Key: "_id", Value: "a"}, {Key: "t", Value: primitive.NewDateTimeFromTime(time.UnixMilli(1_700_000_000_000))}}
	d := policies[1].Decide((*bsonv1.D)(&session), policy.Instant(1_700_000_001_000))
	fmt.Println(d.State, d.Rule)
	// Output: expired mongo.date
}
