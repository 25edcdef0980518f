package reasons_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// onlyFields returns a document reduced to the named fields.
func onlyFields(doc policy.Value, names []string) (d policy.D) {
	f := doc.Fields()
	for f.Next() {
		if f.Name() == "_id" || slices.Contains(names, f.Name()) {
			d = append(d, policy.E{Key: f.Name(), Value: f.Value()})
		}
	}
	return d
}

// policiesOf returns the policies that a question of the suite is about, for MongoDB in
// releases of all kinds.
func policiesOf(t *testing.T, v *suite.Vector, in conformance.Input) (list []*reasons.Policy) {
	var indexes policy.A
	for _, x := range in.Indexes {
		indexes = append(indexes, policy.ObjectValue(x))
	}
	if v.Op == "cosmosmongo.decide" {
		spec := cosmos.CollectionSpec{ServerVersion: "4.2", Capabilities: []string{definition.CustomPathCapability}}
		for _, x := range indexes {
			if read, err := cosmos.ParseIndexSpec(x); err == nil {
				spec.Indexes = append(spec.Indexes, read)
			}
		}
		if p, err := reasons.Compile(definition.OfCosmosMongo(spec)); err == nil {
			list = append(list, p)
		}
		return list
	}
	options := policy.Value{}
	if in.Collection != nil {
		options = policy.ObjectValue(in.Collection)
	}
	spec, err := mongo.ParseCollectionSpec(options, policy.ListValue(indexes))
	if err != nil {
		t.Logf("%s: %v", v.ID, err)
	}
	for _, release := range []string{"2.4.14", "4.4.29", "6.0.16", "7.0.14", "8.0.4", "9.0.0"} {
		version, err := mongo.ParseVersion(release)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := reasons.Compile(definition.OfMongoDB(spec, version, nil)); err == nil {
			list = append(list, p)
		}
	}
	return list
}

// TestFieldsDecideAlone removes the fields that a policy does not need from every
// document of the suite. The decision stays the same, and so does the kind of the value
// in the field of each TTL source.
func TestFieldsDecideAlone(t *testing.T) {
	compared, whole, shorter := 0, 0, 0
	for _, v := range suite.Embedded().Vectors {
		in, err := conformance.Question{Op: v.Op, In: v.In}.Input()
		if err != nil || !strings.HasSuffix(v.Op, ".decide") || v.Op == "cosmos.decide" {
			continue
		}
		for _, p := range policiesOf(t, v, in) {
			names, ok := p.Fields()
			if !ok {
				whole++
				continue
			}
			// Unneeded fields are at the start and at the end.
			other := policy.E{Key: "other", Value: policy.StringValue("x")}
			all := append(append(policy.D{other}, policy.DOf(in.Document)...), other)
			part := onlyFields(policy.ObjectValue(all), names)
			want, got := p.Decide(all, in.Now), p.Decide(part, in.Now)
			compared++
			if len(part) < len(all)-2 {
				shorter++
			}
			if got != want && !slices.Contains(names, "other") {
				t.Errorf("%s, %s: %v decides %v about %v, and %v about its fields %q", v.ID, p.Release, p.Description, want, all, got, names)
			}
			for _, s := range p.Sources {
				if path := strings.Split(s.Field, "."); reasons.KindAt(part, path) != reasons.KindAt(all, path) {
					t.Errorf("%s: %s holds %s in %v", v.ID, s.Field, reasons.KindAt(part, path), part)
				}
			}
		}
	}
	if compared < 1000 || shorter < 20 {
		t.Errorf("%d decisions compared, %d about less, %d need whole documents", compared, shorter, whole)
	}
	t.Logf("%d decisions compared, %d about less, %d need whole documents", compared, shorter, whole)
}

func TestFields(t *testing.T) {
	for _, tc := range []struct {
		options, indexes string
		want             string // "whole" for whole documents
	}{
		{`null`, `[{"key":{"a":1},"expireAfterSeconds":1}]`, "a"},
		{`null`, `[{"key":{"a":1}},{"key":{"_id":1}}]`, ""},
		{`null`, `[{"key":{"a.b.c":1},"expireAfterSeconds":1},{"key":{"a":1},"expireAfterSeconds":1}]`, "a"},
		{`null`, `[{"key":{"a":1},"expireAfterSeconds":1,"partialFilterExpression":{"$and":[{"b.c":1},{"$or":[{"d":{"$exists":true}}]}]}}]`, "a b d"},
		{`null`, `[{"key":{"a":1},"expireAfterSeconds":1,"partialFilterExpression":{"$expr":{"$eq":["$x",1]}}}]`, "whole"},
		{`null`, `[{"key":{"":1},"expireAfterSeconds":1}]`, "whole"},
		{`null`, `[{"key":{".a":1},"expireAfterSeconds":1}]`, "whole"},
		{`null`, `[{"key":{"$**":1},"expireAfterSeconds":1}]`, "whole"},
		{`{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":1}`, `[]`, "control m meta t"},
	} {
		spec, err := mongo.ParseCollectionSpec(fixture.Value(t, tc.options), fixture.Value(t, tc.indexes))
		if err != nil {
			t.Fatal(err)
		}
		names, ok := reasons.FieldsOf(spec)
		if got := strings.Join(names, " "); ok != (tc.want != "whole") || ok && got != tc.want {
			t.Errorf("FieldsOf(%s, %s) = %s, %t, want %s", tc.options, tc.indexes, got, ok, tc.want)
		}
	}
}

// TestFieldsOfContainer: a container needs _ts, ttl, and the property that its default
// counts from. An item with only these properties gets the decision about the whole item.
func TestFieldsOfContainer(t *testing.T) {
	for _, tc := range []struct {
		settings, item string
		want           string
	}{
		{`{"defaultTtl":10}`, `{"_ts":5,"x":1}`, "_ts ttl"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/_ts"}`, `{"_ts":5,"x":1}`, "_ts ttl"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"_ts":5,"at":6,"x":1}`, "_ts at ttl"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at/b"}`, `{"_ts":5,"at":{"b":6},"x":1}`, "_ts at ttl"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at.b"}`, `{"_ts":5,"at.b":6,"x":1}`, "_ts at.b ttl"},
	} {
		spec, err := cosmos.ParseContainerSpec([]byte(tc.settings))
		if err != nil {
			t.Fatal(err)
		}
		p, err := reasons.Compile(definition.OfContainer(spec))
		if err != nil {
			t.Fatal(err)
		}
		item, err := policy.ParseJSON([]byte(tc.item))
		if err != nil {
			t.Fatal(err)
		}
		names, ok := p.Fields()
		if got := strings.Join(names, " "); !ok || got != tc.want {
			t.Errorf("%s: Fields() = %s, %t, want %s", tc.settings, got, ok, tc.want)
		}
		want, got := p.Decide(item, 1_000_000), p.Decide(onlyFields(item.Value(), names), 1_000_000)
		if got != want || want.State != policy.Expired {
			t.Errorf("%s: %s is %v by %s, and by its fields alone %v by %s; want it expired", tc.settings, tc.item, want.State, want.Rule, got.State, got.Rule)
		}
	}
}
