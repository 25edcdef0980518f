package filter

import (
	"fmt"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// nullOnPaths are documents with their membership in {path: null}, up to 8.3 and from 9.0
// on. The cases of "a.b" come from the server's tests of both behaviours (mongodb/mongo:
// jstests/core/query/ne/ne_null.js, nin/nin_null.js, null_query_semantics.js, and
// jstests/noPassthrough's *_disable_fix.js); the other cases are derived from
// src/mongo/db/matcher/path.cpp.
var nullOnPaths = []struct {
	path, document string
	before, since  Membership
}{
	{"a.b", `{"a":[1,{"c":1}]}`, Inside, Inside},
	{"a.b", `{"a":1}`, Inside, Inside},
	{"a.b", `{"a":[1]}`, Outside, Inside},
	{"a.b", `{"a":[[1]]}`, Outside, Inside},
	{"a.b", `{"a":[[[1]]]}`, Outside, Inside},
	{"a.b", `{"a":[]}`, Outside, Inside},
	{"a.b", `{"a":[[]]}`, Outside, Inside},
	{"a.b", `{"a":[[[]]]}`, Outside, Inside},
	{"a.b", `{"a":[{}]}`, Inside, Inside},
	{"a.b", `{}`, Inside, Inside},
	{"a.b", `{"a":{}}`, Inside, Inside},
	{"a.b", `{"a":null}`, Inside, Inside},
	{"a.b", `{"a":[null]}`, Outside, Inside},
	{"a.b", `{"a":[[null]]}`, Outside, Inside},
	{"a.b", `{"a":[[],{"b":3}]}`, Outside, Inside},
	{"a.b", `{"a":[[2],{"b":3}]}`, Outside, Inside},
	{"a.b", `{"a":[[{"b":3}],4]}`, Outside, Inside},
	{"a.b", `{"a":[[[{"b":null}]]]}`, Outside, Inside},
	{"a.b", `{"a":[[[{"b":3}]]]}`, Outside, Inside},
	{"a.b", `{"a":[[{"b":2}],[{"b":3}]]}`, Outside, Inside},
	{"a.b", `{"a":[[{"b":2}],{"b":3}]}`, Outside, Inside},
	{"a.b", `{"a":[{"b":2},[{"b":3}]]}`, Outside, Inside},
	{"a.b", `{"a":[{"b":[[3]]}]}`, Outside, Outside},
	{"a.b", `{"a":{"b":[[2]]}}`, Outside, Outside},
	{"a.b", `{"a":[5,{"b":5}]}`, Outside, Inside},
	{"a.b", `{"a":[{"b":5}]}`, Outside, Outside},
	{"a.b", `{"a":[{},{"b":5}]}`, Inside, Inside},
	{"a.b", `{"a":[null,null]}`, Outside, Inside},
	{"a.b", `{"a":[1,"string",null,4]}`, Outside, Inside},
	{"a.b", `{"a":[{"b":1},{"b":3},{"b":"string"}]}`, Outside, Outside},
	{"a.b", `{"a":[{"b":{"$undefined":true}},{"b":3}]}`, Outside, Outside},
	{"a.b", `{"a":[{"b":null},{"b":3},{"b":null}]}`, Inside, Inside},
	{"a.b", `{"a":{"b":{"$undefined":true}}}`, Outside, Outside},
	{"a.b", `{"a":{"b":[]}}`, Outside, Outside}, // the path does not end early: the array is at its end
	{"a.b", `{"a":[{"b":[]}]}`, Outside, Outside},
	{"a", `{"a":[]}`, Outside, Outside},
	{"a", `{"a":[[]]}`, Outside, Outside},
	{"a", `{"a":[1]}`, Outside, Outside},
	{"a", `{"a":[null]}`, Inside, Inside},
	{"a.b.c", `{"a":{"b":[]}}`, Outside, Inside},
	{"a.b.c", `{"a":{"b":[1]}}`, Outside, Inside},
	{"a.b.c", `{"a":{"b":[[{"c":1}]]}}`, Outside, Inside},
	{"a.b.c", `{"a":{"b":[{"c":1}]}}`, Outside, Outside},
	{"a.b.c", `{"a":{"b":[{"c":1},2]}}`, Outside, Inside},
	{"a.b.c", `{"a":[]}`, Outside, Inside},
	{"a.b.c", `{"a":[{"b":1}]}`, Inside, Inside},
	{"a.b.c", `{"a":[{"b":[]}]}`, Outside, Inside},
	{"a.b.c", `{"a":[{"b":[{"c":1}]},{"b":[2]}]}`, Outside, Inside},
	{"a.b.c", `{"a":[{"b":{"c":1}},7]}`, Outside, Inside},
	{"a.b.c", `{"a":[{"b":{"c":[]}}]}`, Outside, Outside},
	{"a.0", `{"a":[]}`, Outside, Inside},
	{"a.0", `{"a":[1]}`, Outside, Outside},
	{"a.0", `{"a":[null]}`, Inside, Inside},
	{"a.0", `{"a":[[]]}`, Outside, Outside},
	{"a.0", `{"a":[[null]]}`, Outside, Outside},
	{"a.0", `{"a":[1,{"0":2}]}`, Outside, Outside},
	{"a.1", `{"a":[1]}`, Outside, Inside},
	{"a.1", `{"a":[1,2]}`, Outside, Outside},
	{"a.1", `{"a":[{"1":3}]}`, Outside, Outside},
	{"a.01", `{"a":[1,2]}`, Outside, Inside}, // 01 is digits, but not a position
	{"a.01", `{"a":[1,{"01":2}]}`, Outside, Outside},
	{"a.0.b", `{"a":[]}`, Outside, Inside},
	{"a.0.b", `{"a":[1]}`, Outside, Inside},
	{"a.0.b", `{"a":[[]]}`, Outside, Outside}, // the path enters the element by its position, and finds nothing
	{"a.0.b", `{"a":[[1]]}`, Outside, Inside},
	{"a.0.b", `{"a":[[{"b":1}]]}`, Outside, Outside},
	{"a.0.b", `{"a":[[{"b":1},2]]}`, Outside, Inside},
	{"a.0.b", `{"a":{"0":[]}}`, Outside, Inside},
	{"a.1.b", `{"a":[[]]}`, Outside, Inside},
	{"a.1.b", `{"a":[1,[{"b":4}],3]}`, Outside, Outside},
	{"a.1.b", `{"a":[5,[]]}`, Outside, Outside},
	{"a.b.0", `{"a":{"b":[]}}`, Outside, Inside},
	{"a.b.0", `{"a":{"b":[1]}}`, Outside, Outside},
	{"a.b.0", `{"a":[{"b":[1]},2]}`, Outside, Inside},
	{"a.", `{"a":[]}`, Outside, Outside}, // a dot at the end adds nothing to an array
	{"a.", `{"a":[1,null]}`, Inside, Inside},
}

// TestFilterNullOnPaths: operators with the operand null behave as nullOnPaths says: in
// 8.3, in 9.0, and in 9.0 with the server parameter that undoes the change of 9.0.
func TestFilterNullOnPaths(t *testing.T) {
	before, since := drawn.Behaviour(t, "8.3.13"), drawn.Behaviour(t, "9.0.0")
	undone := since
	undone.BrokenPaths = behaviour.BrokenPathsLegacyNull // the effect of the parameter
	for _, tt := range nullOnPaths {
		for _, predicate := range []string{`null`, `{"$eq":null}`, `{"$lte":null}`, `{"$gte":null}`, `{"$in":["x",null]}`} {
			filter := fmt.Sprintf(`{%q:%s}`, tt.path, predicate)
			for why, c := range map[string]struct {
				profile behaviour.Profile
				want    Membership
			}{"8.3.13": {before, tt.before}, "9.0.0": {since, tt.since}, "9.0.0 with the parameter": {undone, tt.before}} {
				f, err := Compile(drawn.Value(t, filter), policy.Value{}, c.profile)
				if err != nil {
					t.Fatal(err)
				}
				checkMembership(t, why, f, filter, tt.document, c.want)
			}
		}
	}
}

// TestFilterBrokenPaths: according to the release notes, 9.0 changes only the matching of
// null.
func TestFilterBrokenPaths(t *testing.T) {
	for _, tt := range []struct {
		filter string
		want   Membership
	}{
		{`{"a.b":{"$exists":true}}`, Outside},
		{`{"a.b":{"$type":"null"}}`, Outside},
		{`{"a.b":{"$gt":null}}`, Outside},
		{`{"a.b":{"$lt":null}}`, Outside},
		{`{"a.b":{"$in":[1,{"$minKey":1}]}}`, Outside},
		{`{"a.b":1}`, Outside},
		{`{"a.b":{"$gte":{"$minKey":1}}}`, Undecidable}, // as the source says; no documentation mentions it
		{`{"a.b":{"$lt":{"$maxKey":1}}}`, Undecidable},
		{`{"a.b":{"$minKey":1}}`, Outside},
		{`{"$or":[{"a.b":null},{"c":1}]}`, Inside},
		{`{"a.b":null,"c":1}`, Outside},
	} {
		for _, document := range []string{`{"a":[]}`, `{"a":[1]}`, `{"a":[[{"b":1}]]}`} {
			checkMembership(t, drawn.Latest, mustFilter(t, drawn.Latest, tt.filter, ""), tt.filter, document, tt.want)
		}
	}
	checkMembership(t, "another element is there", mustFilter(t, drawn.Latest, `{"a.b":{"$gte":{"$minKey":1}}}`, ""), "$gte MinKey", `{"a":[1,{"b":2}]}`, Inside)
}
