package mongo

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestCompileVectors: the shapes of indexes that delete and that never do.
func TestCompileVectors(t *testing.T) {
	tests := []struct {
		why, options, index, rule string
		versions                  []string
	}{
		{"ascending", `{}`, `{"key":{"t":1}}`, rules.Date.ID(), []string{"3.2.0", "8.2.0"}},
		{"descending", `{}`, `{"key":{"t":-1}}`, rules.Date.ID(), []string{"3.2.0", "8.2.0"}},
		{"any number is a direction", `{}`, `{"key":{"t":{"$numberDouble":"0.5"}}}`, rules.Date.ID(), []string{"8.2.0"}},
		{"what is no name is a direction", `{}`, `{"key":{"t":true}}`, rules.Date.ID(), []string{"3.2.0"}},
		{"the empty name is the plain type", `{}`, `{"key":{"t":""}}`, rules.Date.ID(), []string{"3.2.0"}},
		{"hidden", `{}`, `{"key":{"t":1},"hidden":true}`, rules.Date.ID(), []string{"4.4.0", "8.2.0"}},
		{"sparse", `{}`, `{"key":{"t":1},"sparse":true}`, rules.Date.ID(), []string{"8.2.0"}},
		{"unique", `{}`, `{"key":{"t":1},"unique":true}`, rules.Date.ID(), []string{"8.2.0"}},
		{"collated", `{}`, `{"key":{"t":1},"collation":{"locale":"de","strength":1}}`, rules.Date.ID(), []string{"3.4.0", "8.2.0"}},
		{"hashed", `{}`, `{"key":{"t":"hashed"}}`, rules.Special.ID(), []string{"3.2.0", "8.2.0"}},
		{"2d", `{}`, `{"key":{"t":"2d"}}`, rules.Special.ID(), []string{"3.2.0", "8.2.0"}},
		{"2dsphere", `{}`, `{"key":{"t":"2dsphere"}}`, rules.Special.ID(), []string{"8.2.0"}},
		{"text", `{}`, `{"key":{"t":"text"}}`, rules.Special.ID(), []string{"8.2.0"}},
		{"wildcard", `{}`, `{"key":{"$**":1}}`, rules.Special.ID(), []string{"8.2.0"}},
		{"wildcard below a path", `{}`, `{"key":{"t.$**":1}}`, rules.Special.ID(), []string{"8.2.0"}},
		{"hashed", `{}`, `{"key":{"t":"hashed"}}`, rules.DateStrict.ID(), []string{"2.2.0", "2.2.7", "2.4.0", "3.0.15"}},
		{"hashed once scans ask", `{}`, `{"key":{"t":"hashed"}}`, rules.Special.ID(), []string{"3.2.0"}},
		{"types that 2.2 does not know", `{}`, `{"key":{"t":"text"}}`, rules.DateStrict.ID(), []string{"2.2.0", "2.2.7"}},
		{"types that 2.2 does not know", `{}`, `{"key":{"t":"2dsphere"}}`, rules.DateStrict.ID(), []string{"2.2.7"}},
		{"2.4 knows them", `{}`, `{"key":{"t":"2dsphere"}}`, rules.SpecialUnspecified.ID(), []string{"2.4.0"}},
		{"types that 2.2 knows", `{}`, `{"key":{"t":"2d"}}`, rules.SpecialUnspecified.ID(), []string{"2.2.7"}},
		{"types that 2.2 knows", `{}`, `{"key":{"t":"geoHaystack"}}`, rules.SpecialUnspecified.ID(), []string{"2.2.7"}},
		{"no wildcard in 2.2", `{}`, `{"key":{"t.$**":1}}`, rules.SpecialUnspecified.ID(), []string{"2.2.7"}},
		{"NaN as a direction", `{}`, `{"key":{"t":{"$numberDouble":"NaN"}}}`, rules.DirectionNaN.ID(), []string{"3.2.0", "4.2.25", latest}},
		{"NaN as a direction", `{}`, `{"key":{"t":{"$numberDecimal":"NaN"}}}`, rules.DirectionNaN.ID(), []string{"3.4.0"}},
		{"NaN as a direction", `{}`, `{"key":{"t":{"$numberDouble":"NaN"}}}`, rules.DirectionUnspecified.ID(), []string{"2.2.0", "3.0.15"}},
		{"0 as a direction", `{}`, `{"key":{"t":0}}`, rules.Date.ID(), []string{"3.2.0", latest}},
		{"2d under a query", `{}`, `{"key":{"t":"2d"}}`, rules.SpecialUnspecified.ID(), []string{"2.4.0", "3.0.15"}},
		{"a stored text index has several fields", `{}`, `{"key":{"_fts":"text","_ftsx":1}}`, rules.Compound.ID(), []string{"8.2.0"}},
		{"compound", `{}`, `{"key":{"t":1,"u":1}}`, rules.Compound.ID(), []string{"2.2.0", "4.0.0", "8.2.0"}},
		{"no field", `{}`, `{"key":{}}`, rules.Compound.ID(), []string{"8.2.0"}},
		{"an empty path", `{}`, `{"key":{"":1}}`, rules.PathRefused.ID(), []string{"3.2.0", "8.2.0"}},
		{"an empty path that nobody looks at", `{}`, `{"key":{"":1}}`, rules.PathUnspecified.ID(), []string{"2.2.0", "2.4.14", "2.6.0", "3.0.15"}},
		{"a dollar sign that nobody looks at", `{}`, `{"key":{"t.$u":1}}`, rules.PathUnspecified.ID(), []string{"2.2.0", "3.0.15"}},
		{"an empty part", `{}`, `{"key":{"t..u":1}}`, rules.PathRefused.ID(), []string{"8.2.0"}},
		{"a part with a dollar sign", `{}`, `{"key":{"t.$u":1}}`, rules.PathRefused.ID(), []string{"8.2.0"}},
		{"a DBRef's field at the top", `{}`, `{"key":{"$id":1}}`, rules.PathRefused.ID(), []string{"8.2.0"}},
		{"capped", `{"capped":true}`, `{"key":{"t":1}}`, rules.Capped.ID(), []string{"2.4.0", "4.4.0", "5.0.0", "5.1.0", "7.0.0"}},
		{"capped", `{"capped":true}`, `{"key":{"t":1}}`, rules.CappedUnspecified.ID(), []string{"6.0.25", "7.0.25"}},
		{"capped", `{"capped":true}`, `{"key":{"t":1}}`, rules.Date.ID(), []string{"7.1.0", "8.2.0"}},
		{"not capped", `{"capped":false}`, `{"key":{"t":1}}`, rules.Date.ID(), []string{"4.4.0"}},
		{"a filter that nobody reads", `{}`, `{"key":{"t":1},"partialFilterExpression":{"u":1}}`, rules.DateStrict.ID(), []string{"2.2.0", "2.4.14", "2.6.0", "3.0.15"}},
		{"nor is it one", `{}`, `{"key":{"t":1},"partialFilterExpression":{"u":{"$ne":1}}}`, rules.DateStrict.ID(), []string{"3.0.15"}},
		{"a filter", `{}`, `{"key":{"t":1},"partialFilterExpression":{"u":1}}`, rules.FilterMismatch.ID(), []string{"3.2.0", "8.2.0"}},
		{"a filter that takes it in", `{}`, `{"key":{"t":1},"partialFilterExpression":{"t":{"$exists":true}}}`, rules.Date.ID(), []string{"3.2.0", "8.2.0"}},
		{"geometry", `{}`, `{"key":{"t":1},"partialFilterExpression":{"u":{"$geoWithin":{"$box":[[0,0],[1,1]]}}}}`, rules.FilterUnspecified.ID(), []string{"8.2.0"}},
		{"a collation compares only strings", `{}`, `{"key":{"t":1},"collation":{"locale":"de"},"partialFilterExpression":{"u":"x"}}`, rules.FilterMismatch.ID(), []string{"8.2.0"}},
		{"the option of an ordinary collection is none", `{"expireAfterSeconds":1}`, `{"key":{"none":1}}`, rules.FieldMissing.ID(), []string{"8.2.0"}},
	}
	for _, tt := range tests {
		for _, version := range tt.versions {
			t.Run(tt.why+" "+version, func(t *testing.T) {
				index := tt.index[:len(tt.index)-1] + `,"expireAfterSeconds":10}`
				deadline := policy.Instant(kept)
				switch tt.rule {
				case rules.Date.ID():
					deadline = 10_005
				case rules.DateStrict.ID():
					deadline = 10_006
				}
				checkVector(t, vectorCollection(t, version, tt.options, `[`+index+`]`), dates(`{"t":D(5)}`), tt.rule, deadline)
			})
		}
	}
}

// TestCompileRefusesWhatNoCatalogHolds: the error for a definition that no catalog holds
// has the place and the code.
func TestCompileRefusesWhatNoCatalogHolds(t *testing.T) {
	tests := []struct {
		version, options, indexes, field string
		code                             int32
	}{
		{"8.0.0", `{}`, `[{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"a":{"$ne":1}}}]`, "partialFilterExpression.a.$ne", codes.CannotCreateIndex},
		{"4.4.0", `{"timeseries":{"timeField":"t"}}`, `[]`, "timeseries", codes.InvalidOptions},
		{"5.2.0", `{"clusteredIndex":true,"expireAfterSeconds":1}`, `[]`, "clusteredIndex", codes.InvalidOptions},
		{"8.0.0", `{"timeseries":{}}`, `[]`, "timeseries.timeField", codes.BadValue},
		{"8.0.0", `{"timeseries":{"timeField":"t","granularity":"days"}}`, `[]`, "timeseries.granularity", codes.BadValue},
		{"8.0.0", `{"timeseries":{"timeField":"t","bucketMaxSpanSeconds":0}}`, `[]`, "timeseries.bucketMaxSpanSeconds", codes.BadValue},
		{"8.0.0", `{"timeseries":{"timeField":"t","bucketRoundingSeconds":31536001}}`, `[]`, "timeseries.bucketRoundingSeconds", codes.BadValue},
		{"8.0.0", `{"timeseries":{"timeField":"t","metaField":"m"}}`,
			`[{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"m":{"$ne":1}}}]`, "partialFilterExpression.m.$ne", codes.CannotCreateIndex},
	}
	for _, tt := range tests {
		spec, err := ParseCollectionSpec(drawn.Value(t, tt.options), drawn.Value(t, tt.indexes))
		if err != nil {
			t.Fatal(err)
		}
		_, err = CompileCollection(spec, vectorProfile(t, tt.version))
		refusal, ok := asSpecError(err)
		if !ok || refusal.Field != tt.field || !hasCode(err, tt.code) {
			t.Errorf("CompileCollection(%s, %s) on %s = %v, want %v at %s", tt.options, tt.indexes, tt.version, err, tt.code, tt.field)
		}
	}
}

// TestCompileTakesWhatCatalogsHold: a skipped index is not checked further.
func TestCompileTakesWhatCatalogsHold(t *testing.T) {
	vectorCollection(t, "8.0.0", `{}`, `[{"key":{"t":1,"u":1},"expireAfterSeconds":1,"partialFilterExpression":5},
		{"key":{"t":1},"partialFilterExpression":5},{"key":{"_id":1},"name":"_id_","v":2}]`)
}

// TestZeroValuesKeep: zero evaluators delete nothing.
func TestZeroValuesKeep(t *testing.T) {
	doc := policy.D{{Key: "t", Value: policy.DateValue(0)}}
	for _, tt := range []struct {
		why  string
		e    explainer
		want policy.Rule
	}{
		{"the zero Index", &indexSource{}, rules.NoTTL},
		{"the zero Collection", &Collection{}, rules.NoTTL},
	} {
		d := tt.e.Decide(doc, policy.MaxInstant)
		if d.State != policy.Never || d.Rule != tt.want {
			t.Errorf("%s: %v by %s, want never by %s", tt.why, d.State, d.Rule, tt.want)
		}
		if ladder := tt.e.Consulted(d); len(ladder) == 0 || ladder[len(ladder)-1] != tt.want {
			t.Errorf("%s: ladder %v, want it to end with %s", tt.why, ladder, tt.want)
		}
	}
	if got := new(indexSource).Bounds(policy.MaxInstant); !got.isEmpty() {
		t.Errorf("the zero Index has the bounds %v, want none", got)
	}
}

// TestLadders: Consulted returns the rules of the release and of the index, in
// order, and no others.
func TestLadders(t *testing.T) {
	const partial = `[{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"u":1}}]`
	tests := []struct {
		version, indexes, document string
		want                       []policy.Rule
	}{
		{"8.0.0", partial, `{}`, []policy.Rule{rules.NoTTL, rules.Compound, rules.Special, rules.PathRefused, rules.SecondsNotNumber,
			rules.NaNSkipped, rules.SecondsInvalid, rules.FilterUnspecified, rules.FilterMismatch}},
		{"5.0.0", `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{}`, []policy.Rule{rules.NoTTL, rules.Compound, rules.Special, rules.PathRefused,
			rules.SecondsNotNumber, rules.NaNZero, rules.SecondsOverflow, rules.FieldMissing}},
		{"8.0.0", `[{"key":{"t":"hashed"},"expireAfterSeconds":1}]`, `{}`, []policy.Rule{rules.NoTTL, rules.Compound, rules.Special}},
		{"2.4.0", `[{"key":{"t":"hashed"},"expireAfterSeconds":"1"}]`, `{}`, []policy.Rule{rules.NoTTL, rules.Compound, rules.HashedDeletes, rules.PathUnspecified,
			rules.SecondsNotNumberZero, rules.NaNZero, rules.SecondsWrap, rules.FieldMissing}},
		{"3.0.0", partial, `{}`, []policy.Rule{rules.NoTTL, rules.Compound, rules.SpecialUnspecified, rules.PathUnspecified, rules.SecondsNotNumber, rules.NaNZero,
			rules.SecondsWrap, rules.FilterIgnored, rules.FieldMissing}},
		{"2.6.0", `[{"key":{"t":1},"expireAfterSeconds":1}]`, dates(`{"t":[D(1)]}`), []policy.Rule{rules.NoTTL, rules.Compound,
			rules.SpecialUnspecified, rules.PathUnspecified, rules.SecondsNotNumber, rules.NaNZero, rules.SecondsWrap,
			rules.FieldMissing, rules.FieldNull, rules.ArrayEmpty, rules.ArrayNested, rules.FieldNotDate, rules.FieldOpaque,
			rules.PathAmbiguous, rules.TimestampSorts, rules.Unreachable, rules.Earliest, rules.DateStrict}},
	}
	for _, tt := range tests {
		c := vectorCollection(t, tt.version, `{}`, tt.indexes)
		d := c.Decide(drawn.Value(t, tt.document), 0)
		if got := c.Consulted(d); !slices.Equal(got, tt.want) {
			t.Errorf("%s %s %s: ladder %v, want %v", tt.version, tt.indexes, tt.document, got, tt.want)
		}
	}
	c := vectorCollection(t, "8.0.0", `{}`, partial)
	for _, foreign := range []policy.Decision{{}, {Rule: rules.Clustered}, {Rule: rules.Date, Source: 1}} {
		if got := c.Consulted(foreign); len(got) != 0 {
			t.Errorf("the ladder of a decision it does not make (%v) is %v, want none", foreign, got)
		}
	}
}

// TestLaddersOfZeroValues: zero evaluators have one rule, and damage is found
// first.
func TestLaddersOfZeroValues(t *testing.T) {
	for _, e := range []explainer{&indexSource{}, &Collection{}} {
		for rule, want := range map[policy.Rule]int{rules.NoTTL: 1, rules.Malformed: 1, rules.Date: 0, policy.Rule{}: 0} {
			if got := e.Consulted(policy.Decision{Rule: rule}); len(got) != want {
				t.Errorf("%T: the ladder of %s is %v, want %d rules", e, rule, got, want)
			}
		}
	}
}

// An explainer is an evaluator of this package.
type explainer interface {
	interface {
		Decide(doc policy.Document, now policy.Instant) policy.Decision
	}
	Consulted(policy.Decision) []policy.Rule
}

func TestDecideBSONMalformed(t *testing.T) {
	c := vectorCollection(t, "8.0.0", `{}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`)
	x, err := compileAlone(CollectionSpec{}, TTLIndex("t", 1), vectorProfile(t, "8.0.0"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []interface {
		explainer
		DecideBSON([]byte, policy.Instant) policy.Decision
	}{c, x} {
		d := e.DecideBSON([]byte{5, 0, 0, 0, 1}, policy.MaxInstant)
		if d.State != policy.Never || d.Rule.String() != rules.Malformed.ID() || len(e.Consulted(d)) != 1 {
			t.Errorf("a document without its end: %v by %s, ladder %v, want never by %s alone", d.State, d.Rule, e.Consulted(d), rules.Malformed)
		}
	}
}

// TestEndsPass: up to 2.6 the pass ends at an index whose delete the server refuses,
// unless the monitor skips the index without a delete.
func TestEndsPass(t *testing.T) {
	const capped, plain = `{"capped":true}`, `{"key":{"t":1},"expireAfterSeconds":1}`
	for _, tt := range []struct {
		why, version, ns, options, index string
		want                             bool
	}{
		{"capped", "2.2.0", "a.b", capped, plain, true},
		{"capped", "2.6.12", "a.b", capped, plain, true},
		{"each index by itself", "3.0.0", "a.b", capped, plain, false},
		{"an ordinary collection", "2.4.14", "a.b", `{}`, plain, false},
		{"a system namespace", "2.4.14", "a.system.b", `{}`, plain, true},
		{"one that takes deletes", "2.4.14", "a.system.js", `{}`, plain, false},
		{"a dollar sign", "2.6.12", "a.b$c", `{}`, plain, true},
		{"a dollar sign in the database", "2.6.12", "a$.b", `{}`, plain, true},
		{"passed over as it has two fields", "2.4.14", "a.b", capped, `{"key":{"t":1,"u":1},"expireAfterSeconds":1}`, false},
		{"passed over as it has no number", "2.4.14", "a.b", capped, `{"key":{"t":1},"expireAfterSeconds":"1"}`, false},
		{"which was read as 0 before", "2.4.8", "a.b", capped, `{"key":{"t":1},"expireAfterSeconds":"1"}`, true},
		{"no TTL index", "2.4.14", "a.b", capped, `{"key":{"t":1}}`, false},
	} {
		spec, err := ParseCollectionSpec(drawn.Value(t, tt.options), drawn.Value(t, `[`+tt.index+`]`))
		if err != nil {
			t.Fatal(err)
		}
		spec.Namespace = tt.ns
		if got := hidden.EndsPass(spec, spec.Indexes[0], vectorProfile(t, tt.version)); got != tt.want {
			t.Errorf("%s: EndsPass of %s in %s on %s = %t, want %t", tt.why, tt.index, tt.ns, tt.version, got, tt.want)
		}
	}
	if hidden.EndsPass(CollectionSpec{Capped: true}, TTLIndex("t", 1), Profile{}) {
		t.Error("the zero Profile ends a pass")
	}
}
