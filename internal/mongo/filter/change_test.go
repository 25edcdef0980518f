package filter

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestModelFilterChange: if two releases disagree about a document, ChangeOf reports that
// change.
func TestModelFilterChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		filter := policy.D{}
		for _, path := range rapid.SliceOfNDistinct(changingPaths, 1, 2, rapid.ID[string]).Draw(t, "paths") {
			filter = append(filter, policy.E{Key: path, Value: changingClauses.Draw(t, "clause")})
		}
		here, there := drawnFilter(t, filter, "here"), drawnFilter(t, filter, "there")
		change := ChangeOf(here, there)
		for range 20 {
			doc := policy.D{{Key: "a", Value: changing.Values(3).Draw(t, "a")}, {Key: "b", Value: changing.Values(1).Draw(t, "b")}}
			got := changeOfMembership(here.matchDocument(doc), there.matchDocument(doc))
			told := got&^change == 0 || change&MatchesUnknown != 0
			if got == MatchesUnknown && change != 0 {
				told = true // one clause is undecidable, and another clause changes
			}
			if !told {
				t.Fatalf("%v: %d here, %d there, but the filter changes by %d", policy.ObjectValue(doc), here.matchDocument(doc), there.matchDocument(doc), change)
			}
		}
	})
}

var (
	changingPaths   = rapid.SampledFrom([]string{"a", "b", "a.b", "a.0", "a.b.c", "a.0.b", "a.b.0", "a.1.b"})
	changingClauses = predicates([]string{"$eq", "$lt", "$lte", "$gt", "$gte", "$exists", "$type"}, rapid.SampledFrom([]policy.Value{policy.NullValue(), valuefunc.F.RareValue(policy.MinKey, ""), valuefunc.F.RareValue(policy.MaxKey, ""), policy.Int32Value(1), policy.ListValue(policy.A{})}),
		policy.Int32Value(4), policy.StringValue("null"), policy.StringValue("int"), policy.StringValue("undefined"))
	// changing draws values that matter for null, arrays and positions.
	changing = drawn.Kinds{Scalars: rapid.SampledFrom([]policy.Value{
		policy.NullValue(), valuefunc.F.RareValue(policy.Undefined, ""), policy.Int32Value(1), policy.Int32Value(2), valuefunc.F.RareValue(policy.MinKey, ""), valuefunc.F.RareValue(policy.MaxKey, ""), policy.StringValue("x"),
	}), Names: rapid.SampledFrom([]string{"b", "c", "0"})}
)

// drawnFilter compiles a filter for a release that has partial indexes.
func drawnFilter(t *rapid.T, filter policy.D, label string) Filter {
	releases := []string{"3.4.0", "3.6.0", "7.3.0", "8.3.0", "9.0.0", drawn.Latest}
	p := drawn.Behaviour(t, rapid.SampledFrom(releases).Draw(t, label))
	f, err := compileClauses(filter, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestModelNoExactFilter: up to 8.3 {"a.b": null} matches {a: null} and does not match
// {a: [null]}. No filter of 9.0 distinguishes the two: a filter that matches the first
// document also matches the second, or the outcome is unspecified.
func TestModelNoExactFilter(t *testing.T) {
	first := policy.D{{Key: "a", Value: policy.NullValue()}}
	second := policy.D{{Key: "a", Value: policy.ListValue(policy.A{policy.NullValue()})}}
	old, err := compileClauses(policy.D{{Key: "a.b", Value: policy.NullValue()}}, drawn.Behaviour(t, "8.3.0"))
	if err != nil || old.matchDocument(first) != Inside || old.matchDocument(second) != Outside {
		t.Fatalf("8.3 takes them: %d and %d, %v; want inside and outside", old.matchDocument(first), old.matchDocument(second), err)
	}
	paths := rapid.SampledFrom([]string{"a", "a.b", "a.b.c", "a.0", "a.0.b", "a.1", "a.01", "a.b.0", "b"})
	rapid.Check(t, func(rt *rapid.T) {
		var clauses policy.A
		for range rapid.IntRange(1, 3).Draw(rt, "clauses") {
			clauses = append(clauses, policy.ObjectValue(policy.D{{Key: paths.Draw(rt, "path"), Value: changingClauses.Draw(rt, "clause")}}))
		}
		op := rapid.SampledFrom([]string{"$and", "$or"}).Draw(rt, "op")
		f, err := compileClauses(policy.D{{Key: op, Value: policy.ListValue(clauses)}}, drawn.Behaviour(t, drawn.Latest))
		if err != nil {
			rt.Fatal(err)
		}
		if f.matchDocument(first) == Inside && f.matchDocument(second) == Outside {
			rt.Fatalf("%s of %v takes in %v and leaves %v out", op, policy.ListValue(clauses), policy.ObjectValue(first), policy.ObjectValue(second))
		}
	})
}
