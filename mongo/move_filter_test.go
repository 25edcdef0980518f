package mongo

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestAssessMoveOfFilters: what a partial filter says here and there.
func TestAssessMoveOfFilters(t *testing.T) {
	const (
		more    = "mongo.move-filter-more"
		fewer   = "mongo.move-filter-fewer"
		unknown = "mongo.move-filter-unspecified"
		same    = "mongo.move-unchanged"
	)
	effects := map[string]Effect{more: EffectDeletes, fewer: EffectKeeps, unknown: EffectUnspecified, same: EffectNone}
	tests := []struct {
		why, filter, from, to string
		rule                  string
	}{
		{"null stands for undefined up to 7.3", `{"a":null}`, "7.0.0", "8.0.0", fewer},
		{"and a downgrade takes it in again", `{"a":null}`, "8.0.0", "7.3.4", more},
		{"at the end of a path too", `{"a.b":{"$lte":null}}`, "8.0.0", "7.0.0", more},
		{"$gte", `{"a":{"$gte":null}}`, "7.0.0", "8.0.0", fewer},
		{"$in", `{"a":{"$in":[1,null]}}`, "7.0.0", "8.0.0", fewer},
		{"$all", `{"a":{"$all":[null]}}`, "7.0.0", "8.0.0", fewer},
		{"$lt takes in neither", `{"a":{"$lt":null}}`, "7.0.0", "8.0.0", same},
		{"nor does another operand", `{"a":1,"b":{"$exists":true},"c":{"$gt":{"$minKey":1}}}`, "3.2.0", "8.2.0", same},
		{"one clause of several", `{"a":1,"b":null}`, "8.0.0", "7.0.0", more},
		{"one of $or", `{"$or":[{"a":1},{"$and":[{"b":null},{"c":2}]}]}`, "8.0.0", "7.0.0", more},
		{"within one release", `{"a":null}`, "8.0.0", "8.0.17", same},
		{"null takes in what an array breaks off since 9.0", `{"a.b":null}`, "8.0.4", latest, more},
		{"and a downgrade leaves it out again", `{"a.b":{"$gte":null}}`, "9.0.0", "8.3.13", fewer},
		{"at a position too", `{"a.0":null}`, "8.3.13", "9.0.0", more},
		{"a path of one part breaks nowhere", `{"a":null}`, "8.3.13", "9.0.0", same},
		{"nor does another operand change", `{"a.b":1,"a.c":{"$exists":true}}`, "8.3.13", "9.0.0", same},
		{"a least key is unspecified", `{"a.b":{"$gte":{"$minKey":1}}}`, "8.3.13", "9.0.0", unknown},
		{"$type: array asks for the array itself since 3.6", `{"a":{"$type":4}}`, "3.4.0", "3.6.0", more},
		{"and for an element before", `{"a.b":{"$type":"array"}}`, "3.6.0", "3.4.0", fewer},
		{"other types do not change", `{"a":{"$type":9}}`, "3.4.0", "3.6.0", same},
		{"beyond the extreme keys lay all other types", `{"a":{"$gt":{"$maxKey":1}}}`, "3.6.0", "8.0.0", fewer},
		{"and do again", `{"a":{"$lt":{"$minKey":1}}}`, "4.2.0", "4.0.0", more},
		{"not beyond equality", `{"a":{"$minKey":1}}`, "4.0.0", "4.2.0", same},
		{"what takes in more is told first", `{"a":{"$gt":{"$maxKey":1}},"b":{"$type":4}}`, "3.4.0", "8.0.0", more},
		{"also before what takes in fewer", `{"a":null,"b":{"$type":4}}`, "3.4.0", "8.0.0", more},
		{"what is not decided anyway", `{"a":{"$geoWithin":{"$center":[[0,0],1]}}}`, "7.0.0", "8.0.0", same},
		{"a path of nine positions", `{"0.1.2.3.4.5.6.7.8":null}`, "7.0.0", "8.0.0", unknown},
		{"eight are followed", `{"0.1.2.3.4.5.6.7":null}`, "7.0.0", "8.0.0", fewer},
		{"none", `{}`, "3.2.0", "8.2.0", same},
	}
	for _, tt := range tests {
		spec := movingIndex(t, `1`)
		spec.PartialFilterExpression = drawn.Value(t, tt.filter)
		for _, op := range []Operation{InitialSync, DumpRestore, upOrDown(t, tt.from, tt.to)} {
			m, err := AssessMove(spec, vectorProfile(t, tt.from), vectorProfile(t, tt.to), op)
			if err != nil || m.Rule.String() != tt.rule || m.Effect != effects[tt.rule] {
				t.Errorf("%s: %s from %s to %s by %s: %s by %s, %v; want %s by %s", tt.why, tt.filter, tt.from, tt.to, op, m.Effect, m.Rule, err, effects[tt.rule], tt.rule)
			}
		}
	}
}

func upOrDown(t *testing.T, from, to string) Operation {
	t.Helper()
	return directionModel(moveVersion(t, from), moveVersion(t, to))
}

// TestModelFilterChange: whenever two releases do not agree about a document,
// the comparison of the filters says so.
func TestModelFilterChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		filter := policy.D{}
		for _, path := range rapid.SliceOfNDistinct(changingPaths, 1, 2, rapid.ID[string]).Draw(t, "paths") {
			filter = append(filter, policy.E{Key: path, Value: changingClauses.Draw(t, "clause")})
		}
		here, there := drawnFilter(t, filter, "here"), drawnFilter(t, filter, "there")
		change := changeOfFilter(here.root, there.root)
		for range 20 {
			doc := policy.D{{Key: "a", Value: changingValue(3).Draw(t, "a")}, {Key: "b", Value: changingValue(1).Draw(t, "b")}}
			got := changeOfMembership(here.matchDocument(doc), there.matchDocument(doc))
			told := got&^change == 0 || change&matchesUnknown != 0
			if got == matchesUnknown && change != 0 {
				told = true // a clause that is not decided beside one that changes
			}
			if !told {
				t.Fatalf("%v: %d here, %d there, but the filter changes by %d", policy.ObjectValue(doc), here.matchDocument(doc), there.matchDocument(doc), change)
			}
		}
	})
}

var (
	changingPaths   = rapid.SampledFrom([]string{"a", "b", "a.b", "a.0", "a.b.c", "a.0.b", "a.b.0", "a.1.b"})
	changingClauses = rapid.Custom(func(t *rapid.T) policy.Value {
		op := rapid.SampledFrom([]string{"$eq", "$lt", "$lte", "$gt", "$gte", "$exists", "$type"}).Draw(t, "op")
		var operand policy.Value
		switch op {
		case "$exists":
			operand = policy.BoolValue(true)
		case "$type":
			operand = rapid.SampledFrom([]policy.Value{policy.Int32Value(4), policy.StringValue("null"), policy.StringValue("int"), policy.StringValue("undefined")}).Draw(t, "type")
		default:
			operand = rapid.SampledFrom([]policy.Value{policy.NullValue(), policy.MinKeyValue(), policy.MaxKeyValue(), policy.Int32Value(1), policy.ListValue(policy.A{})}).Draw(t, "operand")
		}
		return policy.ObjectValue(policy.D{{Key: op, Value: operand}})
	})
	changingScalars = rapid.SampledFrom([]policy.Value{policy.NullValue(), policy.UndefinedValue(), policy.Int32Value(1), policy.Int32Value(2), policy.MinKeyValue(), policy.MaxKeyValue(), policy.StringValue("x")})
)

// drawnFilter compiles a filter for a release that has partial indexes.
func drawnFilter(t *rapid.T, filter policy.D, label string) partialFilter {
	versions := []Version{Version{3, 4, 0}, Version{3, 6, 0}, Version{7, 3, 0}, Version{8, 3, 0}, Version{9, 0, 0}, Latest}
	p, err := ProfileOf(rapid.SampledFrom(versions).Draw(t, label))
	if err != nil {
		t.Fatal(err)
	}
	f, err := compileClauses(filter, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// changingValue draws values as they decide about null, arrays and positions.
func changingValue(depth int) *rapid.Generator[policy.Value] {
	return rapid.Custom(func(t *rapid.T) policy.Value {
		kind := rapid.IntRange(0, 2).Draw(t, "kind")
		switch {
		case depth == 0 || kind == 0:
			return changingScalars.Draw(t, "scalar")
		case kind == 1:
			var d policy.D
			for _, name := range []string{"b", "c", "0"} {
				if rapid.Bool().Draw(t, name) {
					d = append(d, policy.E{Key: name, Value: changingValue(depth-1).Draw(t, "field")})
				}
			}
			return policy.ObjectValue(d)
		}
		var a policy.A
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			a = append(a, changingValue(depth-1).Draw(t, "element"))
		}
		return policy.ListValue(a)
	})
}

// TestModelNoExactFilter: up to 8.3 {"a.b": null} takes in {a: null} and leaves
// {a: [null]} out. No filter of 9.0 does: what takes in the first takes in the
// second too, or that is unspecified.
func TestModelNoExactFilter(t *testing.T) {
	first := policy.D{{Key: "a", Value: policy.NullValue()}}
	second := policy.D{{Key: "a", Value: policy.ListValue(policy.A{policy.NullValue()})}}
	old, err := compileClauses(policy.D{{Key: "a.b", Value: policy.NullValue()}}, vectorProfile(t, "8.3.0"))
	if err != nil || old.matchDocument(first) != inside || old.matchDocument(second) != outside {
		t.Fatalf("8.3 takes them: %d and %d, %v; want inside and outside", old.matchDocument(first), old.matchDocument(second), err)
	}
	paths := rapid.SampledFrom([]string{"a", "a.b", "a.b.c", "a.0", "a.0.b", "a.1", "a.01", "a.b.0", "b"})
	rapid.Check(t, func(rt *rapid.T) {
		var clauses policy.A
		for range rapid.IntRange(1, 3).Draw(rt, "clauses") {
			clauses = append(clauses, policy.ObjectValue(policy.D{{Key: paths.Draw(rt, "path"), Value: changingClauses.Draw(rt, "clause")}}))
		}
		op := rapid.SampledFrom([]string{"$and", "$or"}).Draw(rt, "op")
		f, err := compileClauses(policy.D{{Key: op, Value: policy.ListValue(clauses)}}, vectorProfile(t, latest))
		if err != nil {
			rt.Fatal(err)
		}
		if f.matchDocument(first) == inside && f.matchDocument(second) == outside {
			rt.Fatalf("%s of %v takes in %v and leaves %v out", op, policy.ListValue(clauses), policy.ObjectValue(first), policy.ObjectValue(second))
		}
	})
}
