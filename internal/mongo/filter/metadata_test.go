package filter

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// sortedModel returns v with the fields of its documents sorted.
func sortedModel(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.DOf(v)
		for i := range d {
			d[i].Value = sortedModel(d[i].Value)
		}
		slices.SortFunc(d, func(a, b policy.E) int { return strings.Compare(a.Key, b.Key) })
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for e := v.Elements(); e.Next(); {
			a = append(a, sortedModel(e.Value()))
		}
		return policy.ListValue(a)
	}
	return v
}

// shuffled returns v with the fields of its documents in a drawn order.
func shuffled(t *rapid.T, v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.DOf(v)
		for i := range d {
			d[i].Value = shuffled(t, d[i].Value)
		}
		return policy.ObjectValue(policy.D(rapid.Permutation(d).Draw(t, "order")))
	case policy.List:
		a := policy.A{}
		for e := v.Elements(); e.Next(); {
			a = append(a, shuffled(t, e.Value()))
		}
		return policy.ListValue(a)
	}
	return v
}

// TestModelSortedMetadata: a filter after SortMetadata gives the same result as on
// metadata that was sorted first, in memory and in raw BSON.
func TestModelSortedMetadata(t *testing.T) {
	profile := drawn.Behaviour(t, "8.2.0")
	rapid.Check(t, func(t *rapid.T) {
		meta := small.Values(3).Draw(t, "meta")
		operand := shuffled(t, small.Values(3).Draw(t, "operand"))
		if rapid.Bool().Draw(t, "alike") {
			operand = sortedModel(meta)
		}
		op := rapid.SampledFrom([]string{"$eq", "$lt", "$lte", "$gt", "$gte"}).Draw(t, "op")
		path := rapid.SampledFrom([]string{"m", "m.a", "m.0"}).Draw(t, "path")
		expr := policy.D{{Key: path, Value: policy.ObjectValue(policy.D{{Key: op, Value: operand}})}}
		plain, refused := compileClauses(expr, profile)
		if refused != nil {
			t.Fatal(refused)
		}
		sorting, _ := compileClauses(expr, profile)
		sorting.SortMetadata()
		doc := policy.ObjectValue(policy.D{{Key: "m", Value: shuffled(t, meta)}})
		bson := drawn.BSONOf(t, doc)
		want := plain.matchDocument(policy.D{{Key: "m", Value: sortedModel(meta)}})
		if got, inRaw := sorting.matchDocument(doc), sorting.matchDocument(&bson); got != want || inRaw != want {
			t.Fatalf("%v takes %v: %v, raw %v, sorted first %v", expr, doc, got, inRaw, want)
		}
	})
}
