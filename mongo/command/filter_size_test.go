package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestFilterSize: every function that takes a definition accepts filters of 32,768
// fields, elements and parts of paths, and refuses one more by an error without a
// server's code. The field why of a case derives the count.
func TestFilterSize(t *testing.T) {
	profile := fixture.Profile(t, "8.0.4")
	one := policy.Int32Value(1)
	list := func(n int, v policy.Value) policy.Value {
		a := make(policy.A, n)
		for i := range a {
			a[i] = v
		}
		return policy.ListValue(a)
	}
	on := func(name string, v policy.Value) policy.Value {
		return policy.ObjectValue(policy.D{{Key: name, Value: v}})
	}
	equal := on("a", one)
	for _, tt := range []struct {
		why     string
		filters []policy.Value
		fits    bool
	}{
		{"a, $in and 32,766 elements", []policy.Value{on("a", on("$in", list(32766, one)))}, true},
		{"one element more", []policy.Value{on("a", on("$in", list(32767, one)))}, false},
		{"a.b is two parts", []policy.Value{on("a.b", on("$in", list(32766, one)))}, false},
		{"$and and 16,383 elements with a field each", []policy.Value{on("$and", list(16383, equal))}, true},
		{"one of those more", []policy.Value{on("$and", list(16384, equal))}, false},
		{"two indexes, 32,768 together", []policy.Value{on("a", on("$in", list(32765, one))), equal}, true},
		{"two indexes, 32,769 together", []policy.Value{on("a", on("$in", list(32766, one))), equal}, false},
		{"documents in $in, with two fields each", []policy.Value{on("a", on("$in", list(10923, policy.ObjectValue(policy.D{{Key: "x", Value: one}, {Key: "y", Value: one}}))))}, false},
	} {
		var spec mongo.CollectionSpec
		var listed policy.A
		for i, filter := range tt.filters {
			x := mongo.IndexSpec{Name: "t_" + string(rune('a'+i)), Key: policy.D{{Key: "t", Value: one}}, ExpireAfterSeconds: one, PartialFilterExpression: filter}
			spec.Indexes, listed = append(spec.Indexes, x), append(listed, policy.ObjectValue(x.Document()))
		}
		last := len(spec.Indexes) - 1
		errs := map[string]error{}
		_, errs["CompileCollection"] = mongo.CompileCollection(spec, profile)
		_, errs["ParseCollectionSpec"] = mongo.ParseCollectionSpec(policy.Value{}, policy.ListValue(listed))
		_, errs["ParseListedCollection"] = mongo.ParseListedCollection(policy.Value{}, policy.ListValue(listed))
		_, errs["ValidateCreateIndexes"] = hidden.ValidateCreateIndexes(mongo.CollectionSpec{Indexes: spec.Indexes[:last]}, spec.Indexes[last].Document(), profile, 0)
		if last == 0 {
			_, errs["CompileIndex"] = mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec.Indexes[0]}}, profile)
		}
		for way, err := range errs {
			isLimit := err != nil && strings.Contains(err.Error(), `index "`+spec.Indexes[last].Name+`": partialFilterExpression: the filters of the collection have more than 32768`)
			if isLimit == tt.fits || errors.As(err, new(*mongo.SpecError)) && !tt.fits {
				t.Errorf("%s, %s: %v, want a refusal by no server: %v", tt.why, way, err, !tt.fits)
			}
		}
	}
}
