package filter

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestModelSurvey: a filter with a survey, and with alternatives joined, matches like the
// parsed filter, and sees the same damage in the parts that both read.
func TestModelSurvey(t *testing.T) {
	profiles := []behaviour.Profile{drawn.Behaviour(t, "7.0.14"), drawn.Behaviour(t, drawn.Latest)}
	surveyed, met := 0, map[Membership]int{}
	rapid.Check(t, func(t *rapid.T) {
		profile := rapid.SampledFrom(profiles).Draw(t, "release")
		filter := policy.ObjectValue(manyClauses(t))
		collation := policy.Value{}
		if rapid.IntRange(0, 3).Draw(t, "collated") == 0 {
			collation = policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("en")}})
		}
		compiled, err := Compile(filter, collation, profile)
		if err != nil {
			t.Skip(err)
		}
		parsed, err := Parse(filter, collation, profile)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.IntRange(0, 3).Draw(t, "metadata") == 0 {
			compiled.SortMetadata()
			parsed.SortMetadata()
		}
		bson := drawn.BSONOf(t, manyFields(t))
		doc := rapid.SampledFrom([]policy.Document{&bson, &drawn.Row{Columns: policy.DOf(bson.Value())}}).Draw(t, "document")
		want, got := parsed.matchDocument(doc), compiled.matchDocument(doc)
		if got != want {
			t.Fatalf("%v takes %v: %v, without survey %v", filter, bson.Value(), got, want)
		}
		if len(compiled.fields) > 0 {
			surveyed++
		}
		met[got]++
	})
	if !testing.Short() && (surveyed == 0 || met[Inside] == 0 || met[Outside] == 0) {
		t.Errorf("%d surveys, memberships %v: want some of each", surveyed, met)
	}
}

// fieldNames draws from enough names for a survey. Some names have the same beginning, or
// are a position.
var fieldNames = rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "0", "ab", "abcdefgh", "abcdefghi", ""})

// fewScalars draws from so few values that two drawn values are often equal.
var fewScalars = rapid.SampledFrom([]policy.Value{policy.NullValue(), policy.StringValue("a"), policy.StringValue("b"), policy.Int32Value(1), policy.RegexValue("a", "")})

// manyClauses draws a filter with $or or $and at the top level, often of equalities.
func manyClauses(t *rapid.T) (d policy.D) {
	clause := rapid.Custom(func(t *rapid.T) policy.Value {
		path := fieldNames.Draw(t, "field") + rapid.SampledFrom([]string{"", "", ".a", ".0"}).Draw(t, "rest")
		predicate := predicate(t)
		if rapid.Bool().Draw(t, "plain") {
			predicate = policy.ObjectValue(policy.D{{Key: "$eq", Value: fewScalars.Draw(t, "operand")}})
		}
		return policy.ObjectValue(policy.D{{Key: path, Value: predicate}})
	})
	for range rapid.IntRange(1, 2).Draw(t, "combinations") {
		op := rapid.SampledFrom([]string{"$or", "$or", "$and"}).Draw(t, "op")
		d = append(d, policy.E{Key: op, Value: policy.ListValue(policy.A(rapid.SliceOfN(clause, 1, 15).Draw(t, "clauses")))})
	}
	return d
}

func manyFields(t *rapid.T) (d policy.D) {
	for range rapid.IntRange(0, 20).Draw(t, "fields") {
		v := rapid.OneOf(fewScalars, fewScalars, drawn.Close.Values(2)).Draw(t, "value")
		if rapid.IntRange(0, 3).Draw(t, "array") == 0 {
			v = policy.ListValue(policy.A{v, fewScalars.Draw(t, "element")})
		}
		d = append(d, policy.E{Key: fieldNames.Draw(t, "name"), Value: v})
	}
	return d
}

// TestSurveyDamage: with and without a survey, damage has no effect after all fields that
// the filter reads. If one of them is not found before the damage, the document is kept.
func TestSurveyDamage(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	var filter, doc policy.D
	for _, name := range names {
		filter = append(filter, policy.E{Key: name, Value: policy.Int32Value(1)})
		doc = append(doc, policy.E{Key: name, Value: policy.Int32Value(1)})
	}
	doc = append(doc, policy.E{Key: "last", Value: policy.Int32Value(1)})
	compiled, err := Compile(policy.ObjectValue(filter), policy.Value{}, drawn.Behaviour(t, "8.0.4"))
	if err != nil {
		t.Fatal(err)
	}
	if len(compiled.fields) != len(names) {
		t.Fatalf("%d fields in the table, want %d", len(compiled.fields), len(names))
	}
	bson := drawn.BSONOf(t, doc)
	whole := bson.Bytes()
	for at := 4; at < len(whole); at++ {
		raw := append([]byte{}, whole...)
		raw[at] ^= 0x55
		one, all := fieldpath.OfBSON(raw), fieldpath.OfBSON(raw)
		want, got := compiled.root.match(&one, nil), compiled.Match(&all)
		if got != want || one.Damaged != all.Damaged {
			t.Errorf("byte %d damaged: %v, damaged %v, without survey %v, %v", at, got, all.Damaged, want, one.Damaged)
		}
	}
}

// TestModelJoinAlternatives: equalities of an $or on one path, joined into one $in, match
// the same documents as separate equalities.
func TestModelJoinAlternatives(t *testing.T) {
	profiles := []behaviour.Profile{drawn.Behaviour(t, "8.0.4"), drawn.Behaviour(t, drawn.Latest)}
	met := map[Membership]int{}
	rapid.Check(t, func(t *rapid.T) {
		profile := rapid.SampledFrom(profiles).Draw(t, "release")
		operands := rapid.SliceOfN(rapid.OneOf(fewScalars, drawn.Numbers, drawn.Close.Values(2)), 2, 8).Draw(t, "operands")
		collation := rapid.SampledFrom([]policy.Value{{}, {}, policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("en")}})}).Draw(t, "collation")
		path := rapid.SampledFrom([]string{"a", "a", "b", "a.a"})
		var filter policy.Value
		var alone []Filter
		var clauses policy.A
		for _, v := range operands {
			predicate := policy.D{{Key: "$eq", Value: v}}
			if rapid.IntRange(0, 2).Draw(t, "in") == 0 {
				predicate = policy.D{{Key: "$in", Value: policy.ListValue(policy.A{v, rapid.SampledFrom(operands).Draw(t, "another")})}}
			}
			clause := policy.ObjectValue(policy.D{{Key: path.Draw(t, "path"), Value: policy.ObjectValue(predicate)}})
			f, err := Parse(clause, collation, profile)
			if err != nil {
				continue // not a valid operand
			}
			clauses, alone = append(clauses, clause), append(alone, f)
		}
		filter = policy.ObjectValue(policy.D{{Key: "$or", Value: policy.ListValue(clauses)}})
		joined, err := Compile(filter, collation, profile)
		if err != nil {
			t.Skip(err)
		}
		value := rapid.OneOf(rapid.SampledFrom(operands), rapid.SampledFrom(operands), drawn.Close.Values(1)).Draw(t, "value")
		value = rapid.SampledFrom([]policy.Value{value, value, policy.ListValue(policy.A{policy.StringValue("c"), value}), policy.ObjectValue(policy.D{{Key: "a", Value: value}})}).Draw(t, "held")
		bson := drawn.BSONOf(t, policy.D{{Key: "a", Value: value}, {Key: "b", Value: fewScalars.Draw(t, "b")}})
		for _, doc := range []policy.Document{&bson, &drawn.Row{Columns: policy.D{{Key: "a", Value: withStrange(t, value)}}}} {
			want := Outside
			for _, f := range alone {
				want = either(want, f.matchDocument(doc))
			}
			if got := joined.matchDocument(doc); got != want {
				t.Fatalf("%v takes %v: %v, one by one %v", filter, doc, got, want)
			}
			met[want]++
		}
	})
	if !testing.Short() && (met[Inside] == 0 || met[Outside] == 0 || met[Undecidable] == 0) {
		t.Errorf("memberships %v: want some of each", met)
	}
}
