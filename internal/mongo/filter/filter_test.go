package filter

import (
	"cmp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func mustFilter(t testing.TB, version, filter, collation string) Filter {
	t.Helper()
	c := policy.Value{}
	if collation != "" {
		c = drawn.Value(t, collation)
	}
	f, err := Compile(drawn.Value(t, filter), c, drawn.Behaviour(t, version))
	if err != nil {
		t.Fatalf("%s on %s: %v", filter, version, err)
	}
	return f
}

// compileClauses compiles a filter of an index without a collation.
func compileClauses(expr policy.D, p behaviour.Profile) (Filter, *Refusal) {
	return Compile(policy.ObjectValue(expr), policy.Value{}, p)
}

// codeOf returns the code of a refusal, 0 if refused is nil.
func codeOf(refused *Refusal) int32 {
	if refused == nil {
		return 0
	}
	return refused.Code
}

// matchDocument matches a document of any Go type.
func (f Filter) matchDocument(doc policy.Document) Membership {
	r := fieldpath.Of(doc)
	return f.Match(&r)
}

// checkMembership checks the membership of a document in memory and as raw BSON.
func checkMembership(t *testing.T, why string, f Filter, filter, document string, want Membership) {
	t.Helper()
	doc := drawn.Value(t, document)
	bson := drawn.BSONOf(t, doc)
	if got := f.matchDocument(doc); got != want {
		t.Errorf("%s: %s takes %s: %v, want %v", why, filter, document, got, want)
	}
	if got := f.matchDocument(&bson); got != want {
		t.Errorf("%s: %s takes raw %s: %v, want %v", why, filter, document, got, want)
	}
}

// TestFilterPaths: a path leads to values by the rules of queries, which differ from the
// rules of index keys.
func TestFilterPaths(t *testing.T) {
	tests := []struct {
		why, filter, document string
		want                  Membership
	}{
		{"a field of a document", `{"a.b":1}`, `{"a":{"b":1}}`, Inside},
		{"a field of any subdocument", `{"a.b":1}`, `{"a":[{"b":2},5,{"b":1}]}`, Inside},
		{"an element of an array in a subdocument", `{"a.b":1}`, `{"a":[{"b":[2,1]}]}`, Inside},
		{"a name does not enter an array in an array", `{"a.b":1}`, `{"a":[[{"b":1}]]}`, Outside},
		{"a position enters it", `{"a.0.b":1}`, `{"a":[[{"b":1}]]}`, Inside},
		{"a position in a position", `{"a.0.1":1}`, `{"a":[[5,1]]}`, Inside},
		{"a position that is absent", `{"a.2":1}`, `{"a":[1,1]}`, Outside},
		{"a position is a name too", `{"a.0":1}`, `{"a":[5,{"0":1}]}`, Inside},
		{"a position is a name first of all in a document", `{"a.0":1}`, `{"a":{"0":1}}`, Inside},
		{"a position and a name at once", `{"a.0.b":1}`, `{"a":[{"b":2},{"0":{"b":1}}]}`, Inside},
		{"the element at a position is taken whole", `{"a.0":1}`, `{"a":[[1]]}`, Outside},
		{"and equals an array", `{"a.0":[1]}`, `{"a":[[1]]}`, Inside},
		{"a number with a leading zero is no position", `{"a.00":1}`, `{"a":[1]}`, Outside},
		{"a scalar in the middle is a missing field", `{"a.b":null}`, `{"a":7}`, Inside},
		{"scalars in an array are not", `{"a.b":null}`, `{"a":[7]}`, Outside},
		{"nor is an empty array", `{"a.b":null}`, `{"a":[]}`, Outside},
		{"a scalar at a position leads nowhere", `{"a.0.b":null}`, `{"a":[7]}`, Outside},
		{"a subdocument without the field", `{"a.b":null}`, `{"a":[{"c":1}]}`, Inside},
		{"an empty name", `{"":1}`, `{"":1}`, Inside},
		{"the first of two fields of a name counts", `{"a":1}`, `{"a":1,"b":5}`, Inside},
		{"an array is one of its own candidates", `{"a":[]}`, `{"a":[]}`, Inside},
		{"each predicate by another element", `{"a.b":1,"a.c":2}`, `{"a":[{"b":1},{"c":2}]}`, Inside},
		{"conjunctions of one path as well", `{"a":{"$gte":5,"$lte":3}}`, `{"a":[3,5]}`, Inside},
	}
	for _, tt := range tests {
		checkMembership(t, tt.why, mustFilter(t, "8.0.4", tt.filter, ""), tt.filter, tt.document, tt.want)
	}
}

// TestFilterValues: how values of each type compare.
func TestFilterValues(t *testing.T) {
	const (
		nan  = `{"$numberDouble":"NaN"}`
		huge = `{"$numberDecimal":"9E+6111"}`
		tiny = `{"$numberDecimal":"1E-6176"}`
	)
	tests := []struct {
		why, filter, document string
		want                  Membership
	}{
		{"null is at most null", `{"a":{"$lte":null}}`, `{"a":null}`, Inside},
		{"missing is at least null", `{"a":{"$gte":null}}`, `{}`, Inside},
		{"nothing is less than null", `{"a":{"$lt":null}}`, `{}`, Outside},
		{"null compares with nothing else", `{"a":{"$gte":null}}`, `{"a":5}`, Outside},
		{"NaN equals NaN", `{"a":` + nan + `}`, `{"a":` + nan + `}`, Inside},
		{"and is at most NaN", `{"a":{"$lte":` + nan + `}}`, `{"a":` + nan + `}`, Inside},
		{"but not less", `{"a":{"$lt":` + nan + `}}`, `{"a":` + nan + `}`, Outside},
		{"NaN is not less than a number", `{"a":{"$lt":0}}`, `{"a":` + nan + `}`, Outside},
		{"nor is a number greater", `{"a":{"$gt":` + nan + `}}`, `{"a":0}`, Outside},
		{"inside a document NaN has a place", `{"a":{"$lt":{"x":0}}}`, `{"a":{"x":` + nan + `}}`, Inside},
		{"infinity is greater", `{"a":{"$gt":{"$numberLong":"9223372036854775807"}}}`, `{"a":{"$numberDouble":"Infinity"}}`, Inside},
		{"infinities of two types", `{"a":{"$numberDouble":"-Infinity"}}`, `{"a":{"$numberDecimal":"-Infinity"}}`, Inside},
		{"2^53 + 1 is no double", `{"a":{"$numberDouble":"9007199254740992"}}`, `{"a":{"$numberLong":"9007199254740993"}}`, Outside},
		{"2^63 is no int64", `{"a":{"$gte":{"$numberDouble":"9223372036854775808"}}}`, `{"a":{"$numberLong":"9223372036854775807"}}`, Outside},
		{"-2^63 is one", `{"a":{"$numberDouble":"-9223372036854775808"}}`, `{"a":{"$numberLong":"-9223372036854775808"}}`, Inside},
		{"decimals of many sizes", `{"a":{"$lt":` + huge + `}}`, `{"a":` + tiny + `}`, Inside},
		{"a decimal beyond doubles", `{"a":{"$gt":{"$numberDouble":"1.7976931348623157E+308"}}}`, `{"a":` + huge + `}`, Inside},
		{"a decimal below doubles", `{"a":{"$lt":{"$numberDouble":"5E-324"}}}`, `{"a":` + tiny + `}`, Inside},
		{"no decimal is rounded", `{"a":{"$gt":{"$numberDouble":"0.1"}}}`, `{"a":{"$numberDecimal":"0.1"}}`, Outside},
		{"a half is a half", `{"a":{"$numberDouble":"0.5"}}`, `{"a":{"$numberDecimal":"0.50"}}`, Inside},
		{"tens against ones", `{"a":{"$numberDecimal":"5E+1"}}`, `{"a":50}`, Inside},
		{"ones against tens", `{"a":{"$lt":{"$numberDecimal":"5.1E+1"}}}`, `{"a":{"$numberDecimal":"50"}}`, Inside},
		{"thousands against ones", `{"a":{"$gt":6999}}`, `{"a":{"$numberDecimal":"7E+3"}}`, Inside},
		{"zeros have no sign", `{"a":{"$lt":0}}`, `{"a":{"$numberDecimal":"-0E+3"}}`, Outside},
		{"a number is no text", `{"a":{"$gte":""}}`, `{"a":1}`, Outside},
		{"a symbol is a text", `{"a":"x"}`, `{"a":{"$symbol":"x"}}`, Inside},
		{"texts by their bytes", `{"a":{"$gt":"Z"}}`, `{"a":"a"}`, Inside},
		{"a date is no timestamp", `{"a":{"$gte":{"$date":{"$numberLong":"0"}}}}`, `{"a":{"$timestamp":{"t":1,"i":1}}}`, Outside},
		{"dates before 1970", `{"a":{"$lt":{"$date":{"$numberLong":"0"}}}}`, `{"a":{"$date":{"$numberLong":"-1"}}}`, Inside},
		{"a timestamp by seconds, then ordinal", `{"a":{"$gt":{"$timestamp":{"t":1,"i":9}}}}`, `{"a":{"$timestamp":{"t":2,"i":0}}}`, Inside},
		{"false is less than true", `{"a":{"$lt":true}}`, `{"a":false}`, Inside},
		{"a shorter binary is less", `{"a":{"$lt":{"$binary":{"base64":"AAA=","subType":"00"}}}}`, `{"a":{"$binary":{"base64":"/w==","subType":"ff"}}}`, Inside},
		{"the old subtype counts its length twice", `{"a":{"$gt":{"$binary":{"base64":"/////w==","subType":"00"}}}}`, `{"a":{"$binary":{"base64":"AA==","subType":"02"}}}`, Inside},
		{"an identifier by its bytes", `{"a":{"$gt":{"$oid":"000000000000000000000001"}}}`, `{"a":{"$oid":"00000000000000000000000a"}}`, Inside},
		{"a pointer with a longer name is greater", `{"a":{"$gt":{"$dbPointer":{"$ref":"z","$id":{"$oid":"000000000000000000000001"}}}}}`,
			`{"a":{"$dbPointer":{"$ref":"aa","$id":{"$oid":"000000000000000000000000"}}}}`, Inside},
		{"a regular expression equals itself", `{"a":{"$eq":{"$regularExpression":{"pattern":"x","options":"i"}}}}`, `{"a":{"$regularExpression":{"pattern":"x","options":"i"}}}`, Inside},
		{"and no text", `{"a":{"$eq":{"$regularExpression":{"pattern":"x","options":""}}}}`, `{"a":"x"}`, Outside},
		{"in $in it would match", `{"a":{"$in":[{"$regularExpression":{"pattern":"x","options":""}}]}}`, `{"a":"x"}`, Undecidable},
		{"but only texts", `{"a":{"$in":[{"$regularExpression":{"pattern":"x","options":""}}]}}`, `{"a":5}`, Outside},
		{"and itself", `{"a":{"$in":[{"$regularExpression":{"pattern":"x","options":""}}]}}`, `{"a":{"$regularExpression":{"pattern":"x","options":""}}}`, Inside},
		{"another value of the $in settles it", `{"a":{"$in":[{"$regularExpression":{"pattern":"x","options":""}},"x"]}}`, `{"a":"x"}`, Inside},
		{"code by its text", `{"a":{"$code":"f"}}`, `{"a":{"$code":"f"}}`, Inside},
		{"code with scope by both", `{"a":{"$code":"f","$scope":{"x":1}}}`, `{"a":{"$code":"f","$scope":{"x":2}}}`, Outside},
		{"all lies above MinKey", `{"a":{"$gt":{"$minKey":1}}}`, `{"a":5}`, Inside},
		{"what is missing too", `{"a":{"$gt":{"$minKey":1}}}`, `{}`, Inside},
		{"MinKey is not above itself", `{"a":{"$gt":{"$minKey":1}}}`, `{"a":{"$minKey":1}}`, Outside},
		{"but at least itself", `{"a":{"$gte":{"$minKey":1}}}`, `{"a":{"$minKey":1}}`, Inside},
		{"nothing lies below MinKey", `{"a":{"$lte":{"$minKey":1}}}`, `{"a":5}`, Outside},
		{"all lies below MaxKey", `{"a":{"$lt":{"$maxKey":1}}}`, `{"a":{"$minKey":1}}`, Inside},
		{"a document of one field less", `{"a":{"$gt":{"x":1}}}`, `{"a":{"x":1,"y":0}}`, Inside},
		{"types before names", `{"a":{"$gt":{"z":1}}}`, `{"a":{"a":"1"}}`, Inside},
		{"names before values", `{"a":{"$gt":{"x":9}}}`, `{"a":{"y":1}}`, Inside},
		{"values last", `{"a":{"$gt":{"x":1}}}`, `{"a":{"x":{"$numberDouble":"1.5"}}}`, Inside},
		{"an array by elements", `{"a":{"$gt":[1,5]}}`, `{"a":[1,6]}`, Inside},
		{"equal numbers of other types in documents", `{"a":{"x":[1]}}`, `{"a":{"x":[{"$numberDecimal":"1.0"}]}}`, Inside},
		{"an empty document is no null", `{"a":{}}`, `{"a":null}`, Outside},
		{"an empty document equals one", `{"a":{}}`, `{"a":{}}`, Inside},
		{"a reference is a value", `{"a":{"$ref":"c","$id":1}}`, `{"a":{"$ref":"c","$id":1}}`, Inside},
		{"operators under $eq are a value", `{"a":{"$eq":{"$gt":1}}}`, `{"a":{"$gt":1}}`, Inside},
		{"$in of nothing", `{"a":{"$in":[]}}`, `{"a":1}`, Outside},
		{"$in of an array", `{"a":{"$in":[[1,2]]}}`, `{"a":[1,2]}`, Inside},
		{"$in of null and an element", `{"a":{"$in":[null,7]}}`, `{"a":[3,7]}`, Inside},
		{"$all of a document", `{"a":{"$all":[{"b":1}]}}`, `{"a":[{"b":1},2]}`, Inside},
		{"$type of a number that is MinKey", `{"a":{"$type":-1}}`, `{"a":{"$minKey":1}}`, Inside},
		{"$type of null is not missing", `{"a":{"$type":"null"}}`, `{}`, Outside},
		{"$type in an array of subdocuments", `{"a.b":{"$type":"string"}}`, `{"a":[{"b":1},{"b":"x"}]}`, Inside},
		{"$exists of any true value", `{"a":{"$exists":{"$numberDecimal":"0.1"}}}`, `{"a":null}`, Inside},
		{"a comment says nothing", `{"$comment":"x","a":1}`, `{"a":1}`, Inside},
		{"$or of undecidable and inside", `{"$or":[{"a":{"$geoIntersects":{}}},{"b":1}]}`, `{"b":1}`, Inside},
		{"$or of undecidable and outside", `{"$or":[{"a":{"$geoIntersects":{}}},{"b":1}]}`, `{"b":2}`, Undecidable},
		{"$and of undecidable and outside", `{"$and":[{"a":{"$geoWithin":{}}},{"b":1}]}`, `{"b":2}`, Outside},
		{"$and of undecidable and inside", `{"$and":[{"a":{"$within":{}}},{"b":1}]}`, `{"b":1}`, Undecidable},
	}
	for _, tt := range tests {
		checkMembership(t, tt.why, mustFilter(t, "8.0.4", tt.filter, ""), tt.filter, tt.document, tt.want)
	}
}

// TestFilterReleases: the same filter treats the same document differently in two
// releases.
func TestFilterReleases(t *testing.T) {
	tests := []struct {
		why, filter, document string
		want                  map[string]Membership
	}{
		{"null and undefined", `{"a":null}`, `{"a":{"$undefined":true}}`, map[string]Membership{"3.2.0": Inside, "7.0.0": Inside, "7.3.0": Inside, "8.0.0": Outside}},
		{"null in $in and undefined", `{"a":{"$in":[null]}}`, `{"a":{"$undefined":true}}`, map[string]Membership{"6.0.0": Inside, "8.0.0": Outside}},
		{"the type of an array", `{"a":{"$type":"array"}}`, `{"a":[1]}`, map[string]Membership{"3.4.0": Outside, "3.6.0": Inside}},
		{"of one in an array", `{"a":{"$type":4}}`, `{"a":[[1]]}`, map[string]Membership{"3.2.0": Inside, "3.6.0": Inside}},
		{"below MinKey", `{"a":{"$lt":{"$minKey":1}}}`, `{"a":1}`, map[string]Membership{"3.2.0": Inside, "4.0.28": Inside, "4.2.0": Outside, "4.4.0": Outside}},
		{"above MaxKey", `{"a":{"$gt":{"$maxKey":1}}}`, `{"a":1}`, map[string]Membership{"3.2.0": Inside, "4.0.28": Inside, "4.2.0": Outside}},
		{"MaxKey itself is not above it", `{"a":{"$gt":{"$maxKey":1}}}`, `{"a":{"$maxKey":1}}`, map[string]Membership{"3.2.0": Outside, "4.0.28": Outside, "4.2.0": Outside}},
		{"but from it on", `{"a":{"$gte":{"$maxKey":1}}}`, `{"a":{"$maxKey":1}}`, map[string]Membership{"3.2.0": Inside, "4.2.0": Inside}},
		{"a missing field above MaxKey", `{"a.b":{"$gte":{"$maxKey":1}}}`, `{"a":5}`, map[string]Membership{"3.2.0": Inside, "4.0.28": Inside, "4.2.0": Outside}},
		{"nothing else equals MaxKey", `{"a":{"$maxKey":1}}`, `{"a":1}`, map[string]Membership{"3.2.0": Outside, "4.2.0": Outside}},
		{"above MinKey", `{"a":{"$gt":{"$minKey":1}}}`, `{"a":1}`, map[string]Membership{"3.2.0": Inside, "4.4.0": Inside}},
	}
	for _, tt := range tests {
		for version, want := range tt.want {
			checkMembership(t, tt.why+" on "+version, mustFilter(t, version, tt.filter, ""), tt.filter, tt.document, want)
		}
	}
}

// TestFilterCollations: some matches are undecidable if the collation is not simple.
func TestFilterCollations(t *testing.T) {
	const german = `{"locale":"de","strength":2}`
	tests := []struct {
		collation, filter, document string
		want                        Membership
	}{
		{german, `{"a":"x"}`, `{"a":"X"}`, Undecidable},
		{german, `{"a":"x"}`, `{"a":"x"}`, Inside}, // equal bytes are equal in any collation
		{german, `{"a":{"$lt":"x"}}`, `{"a":"x"}`, Outside},
		{german, `{"a":{"$lt":"x"}}`, `{"a":"a"}`, Undecidable},
		{german, `{"a":"x"}`, `{"a":5}`, Outside},
		{german, `{"a":5}`, `{"a":5}`, Inside},
		{german, `{"a":{"$in":[5,"x"]}}`, `{"a":"X"}`, Undecidable},
		{german, `{"a":{"$in":[5,"x"]}}`, `{"a":5}`, Inside},
		{german, `{"a":{"b":1}}`, `{"a":{"b":2}}`, Outside},
		{german, `{"a":{"b":"x"}}`, `{"a":{"b":"X"}}`, Undecidable},
		{german, `{"a":["x"]}`, `{"a":["X"]}`, Undecidable},
		{german, `{"a":{"$type":"string"}}`, `{"a":"x"}`, Inside},
		{`{"locale":"simple"}`, `{"a":"x"}`, `{"a":"X"}`, Outside},
		{`null`, `{"a":"x"}`, `{"a":"X"}`, Outside},
	}
	for _, tt := range tests {
		checkMembership(t, tt.collation, mustFilter(t, "8.0.4", tt.filter, tt.collation), tt.filter, tt.document, tt.want)
	}
}

// TestFilterRefusals: a malformed expression is refused before a part that no partial
// index may have. The maximum of levels applies only to the levels that the server's
// parser creates.
func TestFilterRefusals(t *testing.T) {
	const deep = `{"$or":[{"$and":[{"$or":[{"a":1},{"b":1}]},{"c":1}]},{"d":1}]}`
	tests := []struct {
		why, version, filter string
		code                 int32 // 0 for accepted
		field                string
	}{
		{"three levels and a predicate", "6.0.0", deep, 0, ""},
		{"four levels and a predicate", "6.0.0", `{"$and":[` + deep + `,{"e":1}]}`, codes.CannotCreateIndex, "$and[0].$or[0].$and[0].$or[0].a"},
		{"one clause is no level of its own", "8.2.0", `{"$or":[{"$and":[{"$or":[{"a":{"$gt":1}}]}]}]}`, 0, ""},
		{"two predicates are a level", "8.2.0", `{"$or":[{"$and":[{"$or":[{"a":{"$gt":1,"$lt":5}}]}]}]}`, codes.CannotCreateIndex, "$or[0].$and[0].$or[0].a.$gt"},
		{"$all is a level", "8.2.0", `{"$or":[{"$and":[{"$or":[{"a":{"$all":[1]}}]}]}]}`, codes.CannotCreateIndex, "$or[0].$and[0].$or[0].a.$all[0]"},
		{"$and at the top of a flat language", "5.0.0", `{"$and":[{"a":1},{"b":2}]}`, 0, ""},
		{"$and beside another clause", "5.0.0", `{"$and":[{"a":1}],"b":2}`, codes.CannotCreateIndex, "$and"},
		{"two clauses in $and", "4.4.0", `{"$and":[{"a":1,"b":2}]}`, codes.CannotCreateIndex, "$and[0]"},
		{"$all alone", "4.4.0", `{"a":{"$all":[1,2]}}`, 0, ""},
		{"$all beside another clause", "4.4.0", `{"a":{"$all":[1,2]},"b":1}`, codes.CannotCreateIndex, "a.$all"},
		{"geometry in a flat language", "5.0.0", `{"a":{"$geoWithin":{}}}`, codes.CannotCreateIndex, "a.$geoWithin"},
		{"an extreme key in a flat language", "4.2.0", `{"a":{"$lt":{"$minKey":1}}}`, 0, ""},
		{"empty", "3.2.0", `{}`, 0, ""},
		{"nonsense is found first", "8.2.0", `{"a":{"$ne":1},"b":{"$nonsense":1}}`, codes.BadValue, "b.$nonsense"},
		{"$expr is found first", "8.2.0", `{"a":{"$ne":1},"$expr":true}`, codes.QueryFeatureNotAllowed, "$expr"},
		{"$all of nothing", "8.2.0", `{"a":{"$all":[]}}`, codes.CannotCreateIndex, "a.$all"},
		{"$all of $elemMatch", "8.2.0", `{"a":{"$all":[{"$elemMatch":{"b":1}}]}}`, codes.CannotCreateIndex, "a.$all[0]"},
		{"$all of operators", "8.2.0", `{"a":{"$all":[1,{"$gt":1}]}}`, codes.BadValue, "a.$all[1]"},
		{"$all of $elemMatch of no document", "8.2.0", `{"a":{"$all":[{"$elemMatch":5}]}}`, codes.BadValue, "a.$all[0]"},
		{"$all of $elemMatch and a value", "8.2.0", `{"a":{"$all":[{"$elemMatch":{"b":1}},5]}}`, codes.BadValue, "a.$all[1]"},
		{"$all of a value and $elemMatch", "8.2.0", `{"a":{"$all":[5,{"$elemMatch":{"b":1}}]}}`, codes.BadValue, "a.$all[1]"},
		{"$all of a regular expression", "8.2.0", `{"a":{"$all":[{"$regularExpression":{"pattern":"x","options":""}}]}}`, codes.CannotCreateIndex, "a.$all[0]"},
		{"$all of no array", "8.2.0", `{"a":{"$all":1}}`, codes.BadValue, "a.$all"},
		{"$in of no array", "8.2.0", `{"a":{"$in":1}}`, codes.BadValue, "a.$in"},
		{"$in of operators", "8.2.0", `{"a":{"$in":[{"$gt":1}]}}`, codes.BadValue, "a.$in"},
		{"$in of undefined", "8.2.0", `{"a":{"$in":[{"$undefined":true}]}}`, codes.BadValue, "a.$in"},
		{"undefined", "8.2.0", `{"a":{"$undefined":true}}`, codes.BadValue, "a"},
		{"an inequality with a regular expression", "8.2.0", `{"a":{"$gt":{"$regularExpression":{"pattern":"x","options":""}}}}`, codes.BadValue, "a.$gt"},
		{"$regex", "8.2.0", `{"a":{"$regex":"x","$options":"i"}}`, codes.CannotCreateIndex, "a.$regex"},
		{"$options alone", "8.2.0", `{"a":{"$options":"i"}}`, codes.BadValue, "a.$options"},
		{"$near", "8.2.0", `{"a":{"$near":[0,0]}}`, codes.BadValue, "a.$near"},
		{"$text", "8.2.0", `{"$text":{"$search":"x"}}`, codes.BadValue, "$text"},
		{"$exists: null", "8.2.0", `{"a":{"$exists":null}}`, codes.CannotCreateIndex, "a.$exists"},
		{"$exists: undefined", "8.2.0", `{"a":{"$exists":{"$undefined":true}}}`, codes.CannotCreateIndex, "a.$exists"},
		{"$exists: decimal 0", "8.2.0", `{"a":{"$exists":{"$numberDecimal":"0E+5"}}}`, codes.CannotCreateIndex, "a.$exists"},
		{"$and of no array", "8.2.0", `{"$and":{"a":1}}`, codes.BadValue, "$and"},
		{"$or of no documents", "8.2.0", `{"$or":[{"a":1},5]}`, codes.BadValue, "$or[1]"},
		{"a name among operators", "8.2.0", `{"a":{"$gt":1,"b":2}}`, codes.BadValue, "a.b"},
		{"operators at the top", "8.2.0", `{"$gt":1}`, codes.BadValue, "$gt"},
		{"$type: 0", "8.2.0", `{"a":{"$type":0}}`, codes.BadValue, "a.$type"},
		{"$type: 2.5", "8.2.0", `{"a":{"$type":{"$numberDouble":"2.5"}}}`, codes.BadValue, "a.$type"},
		{"$type: 255", "8.2.0", `{"a":{"$type":255}}`, codes.BadValue, "a.$type"},
		{"$type of a type", "8.2.0", `{"a":{"$type":true}}`, codes.TypeMismatch, "a.$type"},
		{"$type of no types", "8.2.0", `{"a":{"$type":[]}}`, codes.FailedToParse, "a.$type"},
		{"$type of several before 3.6", "3.4.0", `{"a":{"$type":[1,2]}}`, codes.TypeMismatch, "a.$type"},
		{"$type of several", "3.6.0", `{"a":{"$type":[1,2]}}`, 0, ""},
		{"no document", "8.2.0", `5`, codes.TypeMismatch, ""},
	}
	for _, tt := range tests {
		_, err := Compile(drawn.Value(t, tt.filter), policy.Value{}, drawn.Behaviour(t, tt.version))
		if tt.code == 0 {
			if err != nil {
				t.Errorf("%s: %s on %s: %v, want it accepted", tt.why, tt.filter, tt.version, err)
			}
			continue
		}
		want := strings.TrimSuffix("partialFilterExpression."+tt.field, ".")
		if codeOf(err) != tt.code || err.Place != want {
			t.Errorf("%s: %s on %s: %v, want %v at %s", tt.why, tt.filter, tt.version, err, tt.code, want)
		}
	}
}

// TestFilterRefusedOperators: an operator that no partial index may have is refused as
// such only if its operand is well-formed (documentdb/functional-tests:
// documentdb_tests/compatibility/tests/core/operator/query, recorded from a server of
// 8.2).
func TestFilterRefusedOperators(t *testing.T) {
	const expression = `{"$regularExpression":{"pattern":"x","options":"i"}}`
	tests := []struct {
		code    int32
		filters []string
	}{
		{codes.CannotCreateIndex, []string{
			`{"a":{"$ne":5}}`, `{"a":{"$ne":null}}`, `{"a":{"$nin":[]}}`, `{"a":{"$nin":[1,` + expression + `]}}`,
			`{"a":{"$not":` + expression + `}}`, `{"a":{"$not":{"$gt":5}}}`, `{"a":{"$not":{"$regex":"x"}}}`,
			`{"$nor":[{"a":1}]}`, `{"$nor":[{}]}`, `{"a":{"$regex":"x"}}`, `{"a":{"$regex":` + expression + `}}`, `{"a":{"$options":"i","$regex":"x"}}`,
			`{"a":{"$elemMatch":{}}}`, `{"a":{"$elemMatch":{"b":1}}}`, `{"a":{"$elemMatch":{"$gt":1}}}`, `{"a":{"$elemMatch":{"$or":[{"b":1}]}}}`,
			`{"a":{"$elemMatch":{"$ref":"c","$id":1}}}`,
			`{"a":{"$size":0}}`, `{"a":{"$size":{"$numberDouble":"3"}}}`, `{"a":{"$size":{"$numberLong":"2147483647"}}}`,
			`{"a":{"$mod":[4,0]}}`, `{"a":{"$mod":[{"$numberDouble":"-1.5"},{"$numberDecimal":"0.5"}]}}`, `{"a":{"$mod":[{"$numberLong":"-9223372036854775808"},0]}}`,
			`{"a":{"$bitsAllSet":[0,63,2147483647]}}`, `{"a":{"$bitsAllClear":{"$numberLong":"9223372036854775807"}}}`, `{"a":{"$bitsAnySet":{"$numberDouble":"-0.0"}}}`,
			`{"a":{"$bitsAnyClear":{"$binary":{"base64":"","subType":"00"}}}}`,
		}},
		{codes.FailedToParse, []string{
			`{"a":{"$bitsAllSet":-1}}`, `{"a":{"$bitsAllClear":{"$numberDouble":"1.5"}}}`, `{"a":{"$bitsAnySet":{"$numberDouble":"NaN"}}}`,
			`{"a":{"$bitsAnyClear":{"$numberDecimal":"9223372036854775808"}}}`,
		}},
		{codes.BadValue, []string{
			`{"a":{"$ne":` + expression + `}}`, `{"a":{"$ne":{"$undefined":true}}}`, `{"a":{"$nin":5}}`, `{"a":{"$nin":[{"$gt":1}]}}`,
			`{"a":{"$not":5}}`, `{"a":{"$not":[1]}}`, `{"a":{"$not":{}}}`, `{"a":{"$not":{"b":1}}}`, `{"a":{"$not":{"$nonsense":1}}}`,
			`{"$nor":[]}`, `{"$nor":{"a":1}}`, `{"$nor":[5]}`, `{"$nor":[{"a":{"$nonsense":1}}]}`,
			`{"a":{"$regex":5}}`, `{"a":{"$regex":null}}`, `{"a":{"$regex":"x\u0000"}}`, `{"a":{"$regex":"x","$options":5}}`,
			`{"a":{"$elemMatch":5}}`, `{"a":{"$elemMatch":[]}}`, `{"a":{"$elemMatch":{"$where":"true"}}}`, `{"a":{"$elemMatch":{"$text":{}}}}`, `{"a":{"$elemMatch":{"$nonsense":1}}}`,
			`{"a":{"$size":-1}}`, `{"a":{"$size":{"$numberDouble":"1.5"}}}`, `{"a":{"$size":"1"}}`, `{"a":{"$size":true}}`, `{"a":{"$size":{"$numberLong":"2147483648"}}}`,
			`{"a":{"$mod":[]}}`, `{"a":{"$mod":[4]}}`, `{"a":{"$mod":[4,0,1]}}`, `{"a":{"$mod":3}}`, `{"a":{"$mod":["4",0]}}`, `{"a":{"$mod":[4,null]}}`,
			`{"a":{"$mod":[0,0]}}`, `{"a":{"$mod":[{"$numberDecimal":"0.99"},0]}}`, `{"a":{"$mod":[{"$numberDouble":"-0.5"},0]}}`,
			`{"a":{"$mod":[{"$numberDouble":"NaN"},0]}}`, `{"a":{"$mod":[4,{"$numberDecimal":"-Infinity"}]}}`, `{"a":{"$mod":[{"$numberDouble":"9223372036854775808"},0]}}`,
			`{"a":{"$bitsAllSet":"1"}}`, `{"a":{"$bitsAllSet":[0,-1]}}`, `{"a":{"$bitsAllSet":[{"$numberLong":"2147483648"}]}}`, `{"a":{"$bitsAllSet":["1"]}}`,
		}},
	}
	for _, tt := range tests {
		for _, filter := range tt.filters {
			if _, err := Compile(drawn.Value(t, filter), policy.Value{}, drawn.Behaviour(t, "8.2.0")); codeOf(err) != tt.code {
				t.Errorf("%s: %v, want %v", filter, err, tt.code)
			}
		}
	}
}

// TestFilterOldOperands: the operands of $size and $mod as old releases read them, taken
// from the parser of the branches v3.2 to v4.2, and of commit b4fedf13 for 4.4.
func TestFilterOldOperands(t *testing.T) {
	for _, tt := range []struct {
		operator              string
		v32, v42, v44, newest int32
		v50                   int32 // 0 if it is newest
	}{
		{`{"$size":"1"}`, codes.CannotCreateIndex, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$size":-1}`, codes.CannotCreateIndex, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$size":{"$numberDouble":"1.5"}}`, codes.CannotCreateIndex, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$size":{"$numberDouble":"NaN"}}`, codes.CannotCreateIndex, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$size":{"$numberLong":"2147483648"}}`, codes.CannotCreateIndex, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$size":2}`, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, 0},
		{`{"$size":{"$numberDecimal":"2"}}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.CannotCreateIndex, codes.BadValue},
		{`{"$size":true}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$size":[1]}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[2,"x"]}`, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[2,null]}`, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[2,1]}`, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, 0},
		{`{"$mod":["2",1]}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[2]}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[2,1,0]}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[0,"x"]}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[{"$numberDouble":"0.9"},1]}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[{"$numberLong":"4294967296"},1]}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.CannotCreateIndex, 0},
		{`{"$mod":[{"$numberLong":"4294967297"},1]}`, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, 0},
		{`{"$mod":[{"$numberDouble":"1E+19"},1]}`, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.BadValue, codes.CannotCreateIndex},
		{`{"$mod":[{"$numberDecimal":"0.99"},1]}`, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.BadValue, 0},
		{`{"$mod":[{"$numberDecimal":"0.5"},1]}`, codes.BadValue, codes.BadValue, codes.BadValue, codes.BadValue, 0},
		{`{"$mod":[{"$numberDecimal":"NaN"},1]}`, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.CannotCreateIndex, codes.BadValue, codes.CannotCreateIndex},
	} {
		v44, v50 := tt.v44, cmp.Or(tt.v50, tt.newest) // 4.4.10 checks $mod as later releases do
		if strings.Contains(tt.operator, "$mod") {
			v44 = tt.newest
		}
		for version, want := range map[string]int32{"3.2.0": tt.v32, "3.4.0": tt.v42, "4.2.25": tt.v42, "4.4.9": tt.v44, "4.4.10": v44, "5.0.3": v50, "6.0.0": tt.newest, drawn.Latest: tt.newest} {
			filter := `{"a":` + tt.operator + `}`
			if _, err := Compile(drawn.Value(t, filter), policy.Value{}, drawn.Behaviour(t, version)); codeOf(err) != want {
				t.Errorf("compileFilter(%s) on %s = %v, want %v", filter, version, err, want)
			}
		}
	}
}

// TestFilterReferences: a filter treats $ref, $id and $db, the fields of a reference,
// like other names.
func TestFilterReferences(t *testing.T) {
	for _, filter := range []string{`{"$id":5}`, `{"$ref":"c"}`, `{"$db":"d"}`} {
		checkMembership(t, "as in a query", mustFilter(t, "8.0.4", filter, ""), filter, `{"$ref":"c","$id":5,"$db":"d"}`, Inside)
		checkMembership(t, "as in a query", mustFilter(t, "8.0.4", filter, ""), filter, `{"a":1}`, Outside)
	}
}

// An unlistable document returns its fields by name only.
type unlistable struct{ fields policy.D }

func (u *unlistable) Field(name string) policy.Value { return u.fields.Field(name) }

// TestFilterUnlistable: whether a document that cannot list its fields equals another
// document is undecidable.
func TestFilterUnlistable(t *testing.T) {
	hidden := policy.ObjectValue(&unlistable{policy.D{{Key: "b", Value: policy.Int32Value(1)}}})
	f := mustFilter(t, "8.0.4", `{"a":{"b":1}}`, "")
	if got := f.matchDocument(policy.D{{Key: "a", Value: hidden}}); got != Undecidable {
		t.Errorf("{a: {b: 1}} takes an unlistable document: %v, want %v", got, Undecidable)
	}
	if got := mustFilter(t, "8.0.4", `{"a.b":1}`, "").matchDocument(policy.D{{Key: "a", Value: hidden}}); got != Inside {
		t.Errorf("{a.b: 1} takes an unlistable document: %v, want %v", got, Inside)
	}
}

// TestFilterForks: a path with many positions may fork at each position. If it has more
// than maxPositions, the filter is undecidable.
func TestFilterForks(t *testing.T) {
	doc := `5`
	for range 30 {
		doc = `[{"0":` + doc + `}]`
	}
	path := "a" + strings.Repeat(".0", maxPositions)
	for _, tt := range []struct {
		path string
		want Membership
	}{{path, Outside}, {path + ".0", Undecidable}} {
		filter := `{"` + tt.path + `":7}`
		checkMembership(t, "forks", mustFilter(t, "8.0.4", filter, ""), filter, `{"a":`+doc+`}`, tt.want)
	}
}

// TestFilterLaws: filters that are built from other filters match the documents that
// their parts imply.
func TestFilterLaws(t *testing.T) {
	profile := drawn.Behaviour(t, "8.0.4")
	rapid.Check(t, func(t *rapid.T) {
		doc := small.Documents(3).Draw(t, "document")
		path := smallPaths.Draw(t, "path")
		v, w := small.Scalars.Draw(t, "v"), small.Scalars.Draw(t, "w")
		match := func(filter policy.D) bool {
			f, err := compileClauses(filter, profile)
			if err != nil {
				t.Fatal(err)
			}
			return f.matchDocument(doc) == Inside
		}
		on := func(op string, v policy.Value) policy.D {
			return policy.D{{Key: path, Value: policy.ObjectValue(policy.D{{Key: op, Value: v}})}}
		}
		list := policy.ListValue(policy.A{v, w})
		hold := func(law string, a, b bool) {
			if a != b {
				t.Fatalf("%s: %v and %v for %v, %v, %v", law, a, b, doc, v, w)
			}
		}
		hold("$eq is implicit", match(on("$eq", v)), match(policy.D{{Key: path, Value: v}}))
		hold("$in is some $eq", match(on("$in", list)), match(on("$eq", v)) || match(on("$eq", w)))
		hold("$all is every $eq", match(on("$all", list)), match(on("$eq", v)) && match(on("$eq", w)))
		hold("$gte is $gt or $eq", match(on("$gte", v)), match(on("$gt", v)) || match(on("$eq", v)))
		hold("$lte is $lt or $eq", match(on("$lte", v)), match(on("$lt", v)) || match(on("$eq", v)))
		both := policy.ListValue(policy.A{policy.ObjectValue(on("$lt", v)), policy.ObjectValue(on("$gt", w))})
		hold("$or is or", match(policy.D{{Key: "$or", Value: both}}), match(on("$lt", v)) || match(on("$gt", w)))
		hold("$and is and", match(policy.D{{Key: "$and", Value: both}}), match(on("$lt", v)) && match(on("$gt", w)))
	})
}

// TestZeroFilter: a filter that was never compiled matches no document, and an expression
// without clauses matches all.
func TestZeroFilter(t *testing.T) {
	if got := (Filter{}).matchDocument(policy.D{}); got != Outside {
		t.Errorf("partialFilter{}.match = %v, want %v", got, Outside)
	}
	for _, expr := range []policy.D{nil, {}} {
		f, err := compileClauses(expr, drawn.Behaviour(t, "8.0.4"))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.matchDocument(policy.D{}); got != Inside {
			t.Errorf("the filter {} matches %v, want %v", got, Inside)
		}
	}
}

func TestKindByAlias(t *testing.T) {
	for _, tt := range []struct {
		alias string
		want  policy.Kind
	}{{"double", policy.Double}, {"date", policy.Date}, {"objectId", policy.ObjectID}, {"decimal", policy.Decimal},
		{"minKey", policy.MinKey}, {"maxKey", policy.MaxKey}, {"javascriptWithScope", policy.CodeWithScope}} {
		if got, ok := kindByAlias(tt.alias); !ok || got != tt.want {
			t.Errorf("kindByAlias(%q) = %s, %t, want %s", tt.alias, got, ok, tt.want)
		}
	}
	for _, alias := range []string{"", "number", "Date", "missing", "list", "invalid", "opaque"} {
		if got, ok := kindByAlias(alias); ok {
			t.Errorf("kindByAlias(%q) = %s, want none", alias, got)
		}
	}
}

func TestVectorsFilters(t *testing.T) {
	tests := []struct {
		filter, document string
		want             Membership
	}{
		{`{}`, `{}`, Inside},
		{`{"a":1}`, `{"a":1}`, Inside},
		{`{"a":1}`, `{"a":3}`, Outside},
		{`{"a":1}`, `{"a":[3,1]}`, Inside},
		{`{"a":null}`, `{}`, Inside},
		{`{"a":null}`, `{"a":null}`, Inside},
		{`{"a":null}`, `{"a":[1,null]}`, Inside},
		{`{"a":null}`, `{"a":[]}`, Outside},
		{`{"a":null}`, `{"a":[[]]}`, Outside},
		{`{"a":null}`, `{"a":{}}`, Outside},
		{`{"a":null}`, `{"a":{"$undefined":true}}`, Outside},
		{`{"a.b":null}`, `{"a":5}`, Inside},
		{`{"a.b":null}`, `{"a":{}}`, Inside},
		{`{"a.b":null}`, `{"a":[{"b":1},{}]}`, Inside},
		{`{"a":{"$exists":true}}`, `{"a":null}`, Inside},
		{`{"a":{"$exists":true}}`, `{}`, Outside},
		{`{"a.b":{"$exists":true}}`, `{"a":[{},{"b":1}]}`, Inside},
		{`{"a":{"$gt":5,"$lt":3}}`, `{"a":[1,9]}`, Inside},
		{`{"a":{"$gt":5,"$lt":3}}`, `{"a":4}`, Outside},
		{`{"a":{"$gt":5}}`, `{"a":"9"}`, Outside},
		{`{"a":{"$gt":5}}`, `{"a":{"$numberDouble":"5.5"}}`, Inside},
		{`{"a":{"$lt":-5}}`, `{"a":{"$numberDouble":"-5.5"}}`, Inside},
		{`{"a":5}`, `{"a":{"$numberDouble":"5.5"}}`, Outside},
		{`{"a":{"$gte":5}}`, `{"a":{"$numberDouble":"5.0"}}`, Inside},
		{`{"a":{"$gt":{"$numberLong":"9007199254740992"}}}`, `{"a":{"$numberLong":"9007199254740993"}}`, Inside},
		{`{"a":{"$gt":{"$numberDouble":"9007199254740992"}}}`, `{"a":{"$numberLong":"9007199254740993"}}`, Inside},
		{`{"a":{"$lt":{"$numberDouble":"9223372036854775808"}}}`, `{"a":{"$numberLong":"9223372036854775807"}}`, Inside},
		{`{"a":5}`, `{"a":{"$numberDecimal":"5.00"}}`, Inside},
		{`{"a":{"$numberDouble":"0.1"}}`, `{"a":{"$numberDecimal":"0.1"}}`, Outside},
		{`{"a":{"$numberDouble":"NaN"}}`, `{"a":{"$numberDecimal":"NaN"}}`, Inside},
		{`{"a":{"$lt":5}}`, `{"a":{"$numberDouble":"NaN"}}`, Outside},
		{`{"a":0}`, `{"a":{"$numberDouble":"-0.0"}}`, Inside},
		{`{"a":{"$type":"array"}}`, `{"a":[1]}`, Inside},
		{`{"a":{"$type":"string"}}`, `{"a":[1,"x"]}`, Inside},
		{`{"a":{"$type":["number",8]}}`, `{"a":true}`, Inside},
		{`{"a":{"$type":"date"}}`, `{"a":{"$timestamp":{"t":1,"i":1}}}`, Outside},
		{`{"$and":[{"a":1},{"b":2}]}`, `{"a":1,"b":2}`, Inside},
		{`{"$or":[{"a":1},{"b":2}]}`, `{"b":2}`, Inside},
		{`{"a":{"$in":[1,null]}}`, `{}`, Inside},
		{`{"a":{"$in":[1,2]}}`, `{"a":[5,2]}`, Inside},
		{`{"a":{"$all":[1,2]}}`, `{"a":[2,1]}`, Inside},
		{`{"a":{"$all":[1,2]}}`, `{"a":[2]}`, Outside},
		{`{"a":{"b":1,"c":2}}`, `{"a":{"b":1,"c":2}}`, Inside},
		{`{"a":{"b":1,"c":2}}`, `{"a":{"c":2,"b":1}}`, Outside},
		{`{"a":[1,2]}`, `{"a":[1,2]}`, Inside},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, Outside},
		{`{"a":[1,2]}`, `{"a":[[1,2]]}`, Inside},
		{`{"a":{"$geoWithin":{"$box":[[0,0],[1,1]]}}}`, `{"a":[0,0]}`, Undecidable},
	}
	for _, tt := range tests {
		f, err := compileClauses(policy.DOf(drawn.Value(t, tt.filter)), drawn.Behaviour(t, "8.0.4"))
		if err != nil {
			t.Errorf("compileFilter(%s): %v", tt.filter, err)
			continue
		}
		if got := f.matchDocument(drawn.Value(t, tt.document)); got != tt.want {
			t.Errorf("%s takes %s: %v, want %v", tt.filter, tt.document, got, tt.want)
		}
	}
}
