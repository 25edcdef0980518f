package definition

import (
	"errors"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var (
	hour  = policy.Int32Value(3600)
	byT   = policy.D{{Key: "t", Value: policy.Int32Value(1)}}
	byTS  = policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}
	noTTL = cosmos.IndexSpec{Key: byT, Name: "none"}
)

// TestCompile: a document of each system that was written at 0 expires after an hour,
// whether Decide reads its values or Raw reads its stored form.
func TestCompile(t *testing.T) {
	document := policy.D{{Key: "t", Value: policy.DateValue(0)}, {Key: "_ts", Value: policy.Int64Value(1)}}
	bson, err := policy.AppendBSON(nil, policy.ObjectValue(document))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		Definition
		raw      string
		version  string
		names    []string
		deadline policy.Instant
	}{
		{OfMongoDB(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{Key: byT, Name: "t_1", ExpireAfterSeconds: hour}}}, mongo.Version{Major: 8, Patch: 4}, nil),
			string(bson), "8.0.4", []string{"t_1"}, 3_600_000},
		{OfCosmosMongo(cosmos.CollectionSpec{ServerVersion: "4.2", Indexes: []cosmos.IndexSpec{noTTL, {Key: byTS, Name: "ts", ExpireAfterSeconds: hour}}}),
			string(bson), "4.2", []string{"ts"}, 3_601_000},
		{OfContainer(cosmos.ContainerSpec{DefaultTTL: hour}), `{"_ts": 1}`, "", nil, 3_601_000},
	}
	for _, tt := range tests {
		p, err := tt.Compile()
		if err != nil {
			t.Errorf("%s: Compile() = %v", tt.System, err)
			continue
		}
		if p.Version() != tt.version || !slices.Equal(p.SourceNames, tt.names) {
			t.Errorf("%s: Version, SourceNames = %q, %q, want %q, %q", tt.System, p.Version(), p.SourceNames, tt.version, tt.names)
		}
		for form, d := range map[string]policy.Decision{"Decide": p.Decide(document, 0), "Raw": p.Raw([]byte(tt.raw), 0)} {
			if got, _ := d.Deadline(); d.State != policy.Pending || got != tt.deadline {
				t.Errorf("%s: %s() = %v, want pending at %v", tt.System, form, d, tt.deadline)
			}
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	unknown := policy.D{{Key: "noSuchParameter", Value: policy.BoolValue(true)}}
	tests := []struct {
		Definition
		want error // nil accepts any error
	}{
		{Definition{}, nil},
		{Definition{System: "postgres"}, nil},
		{OfMongoDB(mongo.CollectionSpec{}, mongo.Version{Major: 99}, nil), mongo.ErrUnknownVersion},
		{OfMongoDB(mongo.CollectionSpec{}, mongo.Latest(), unknown), mongo.ErrParameter},
		{OfCosmosMongo(cosmos.CollectionSpec{ServerVersion: "99.0"}), cosmos.ErrUnknownVersion},
		{OfContainer(cosmos.ContainerSpec{TTLPropertyPath: "/a/"}), nil},
	}
	for _, tt := range tests {
		if p, err := tt.Compile(); p != nil || err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%q %s: Compile() = %v, %v, want an error that is %v", tt.System, tt.Version(), p, err, tt.want)
		}
	}
}

// TestParameters: each set parameter has its effect.
func TestParameters(t *testing.T) {
	filter := policy.ObjectValue(policy.D{{Key: "a.b", Value: policy.NullValue()}})
	spec := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{Key: byT, Name: "t_1", ExpireAfterSeconds: hour, PartialFilterExpression: filter}}}
	document := policy.D{{Key: "t", Value: policy.DateValue(0)}, {Key: "a", Value: policy.ListValue(policy.A{policy.Int32Value(1)})}}
	var got []policy.State
	for _, set := range []policy.D{nil, {{Key: behaviour.LegacyNullParameter, Value: policy.BoolValue(true)}}} {
		p, err := OfMongoDB(spec, mongo.Latest(), set).Compile()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Decide(document, 0).State)
	}
	if got[0] == got[1] {
		t.Errorf("with and without %s the states are %v, want two", behaviour.LegacyNullParameter, got)
	}
}
