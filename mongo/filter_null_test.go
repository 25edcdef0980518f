package mongo

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// nullOnPaths are documents and whether {path: null} takes them in, up to 8.3
// and from 9.0 on. Those on "a.b" are of the server's tests of both ways
// (mongodb/mongo: jstests/core/query/ne/ne_null.js, nin/nin_null.js,
// null_query_semantics.js, and jstests/noPassthrough's *_disable_fix.js); the
// others are worked out from src/mongo/db/matcher/path.cpp.
var nullOnPaths = []struct {
	path, document string
	before, since  membership
}{
	{"a.b", `{"a":[1,{"c":1}]}`, inside, inside},
	{"a.b", `{"a":1}`, inside, inside},
	{"a.b", `{"a":[1]}`, outside, inside},
	{"a.b", `{"a":[[1]]}`, outside, inside},
	{"a.b", `{"a":[[[1]]]}`, outside, inside},
	{"a.b", `{"a":[]}`, outside, inside},
	{"a.b", `{"a":[[]]}`, outside, inside},
	{"a.b", `{"a":[[[]]]}`, outside, inside},
	{"a.b", `{"a":[{}]}`, inside, inside},
	{"a.b", `{}`, inside, inside},
	{"a.b", `{"a":{}}`, inside, inside},
	{"a.b", `{"a":null}`, inside, inside},
	{"a.b", `{"a":[null]}`, outside, inside},
	{"a.b", `{"a":[[null]]}`, outside, inside},
	{"a.b", `{"a":[[],{"b":3}]}`, outside, inside},
	{"a.b", `{"a":[[2],{"b":3}]}`, outside, inside},
	{"a.b", `{"a":[[{"b":3}],4]}`, outside, inside},
	{"a.b", `{"a":[[[{"b":null}]]]}`, outside, inside},
	{"a.b", `{"a":[[[{"b":3}]]]}`, outside, inside},
	{"a.b", `{"a":[[{"b":2}],[{"b":3}]]}`, outside, inside},
	{"a.b", `{"a":[[{"b":2}],{"b":3}]}`, outside, inside},
	{"a.b", `{"a":[{"b":2},[{"b":3}]]}`, outside, inside},
	{"a.b", `{"a":[{"b":[[3]]}]}`, outside, outside},
	{"a.b", `{"a":{"b":[[2]]}}`, outside, outside},
	{"a.b", `{"a":[5,{"b":5}]}`, outside, inside},
	{"a.b", `{"a":[{"b":5}]}`, outside, outside},
	{"a.b", `{"a":[{},{"b":5}]}`, inside, inside},
	{"a.b", `{"a":[null,null]}`, outside, inside},
	{"a.b", `{"a":[1,"string",null,4]}`, outside, inside},
	{"a.b", `{"a":[{"b":1},{"b":3},{"b":"string"}]}`, outside, outside},
	{"a.b", `{"a":[{"b":{"$undefined":true}},{"b":3}]}`, outside, outside},
	{"a.b", `{"a":[{"b":null},{"b":3},{"b":null}]}`, inside, inside},
	{"a.b", `{"a":{"b":{"$undefined":true}}}`, outside, outside},
	{"a.b", `{"a":{"b":[]}}`, outside, outside}, // an array at the end breaks nothing off
	{"a.b", `{"a":[{"b":[]}]}`, outside, outside},
	{"a", `{"a":[]}`, outside, outside},
	{"a", `{"a":[[]]}`, outside, outside},
	{"a", `{"a":[1]}`, outside, outside},
	{"a", `{"a":[null]}`, inside, inside},
	{"a.b.c", `{"a":{"b":[]}}`, outside, inside},
	{"a.b.c", `{"a":{"b":[1]}}`, outside, inside},
	{"a.b.c", `{"a":{"b":[[{"c":1}]]}}`, outside, inside},
	{"a.b.c", `{"a":{"b":[{"c":1}]}}`, outside, outside},
	{"a.b.c", `{"a":{"b":[{"c":1},2]}}`, outside, inside},
	{"a.b.c", `{"a":[]}`, outside, inside},
	{"a.b.c", `{"a":[{"b":1}]}`, inside, inside},
	{"a.b.c", `{"a":[{"b":[]}]}`, outside, inside},
	{"a.b.c", `{"a":[{"b":[{"c":1}]},{"b":[2]}]}`, outside, inside},
	{"a.b.c", `{"a":[{"b":{"c":1}},7]}`, outside, inside},
	{"a.b.c", `{"a":[{"b":{"c":[]}}]}`, outside, outside},
	{"a.0", `{"a":[]}`, outside, inside},
	{"a.0", `{"a":[1]}`, outside, outside},
	{"a.0", `{"a":[null]}`, inside, inside},
	{"a.0", `{"a":[[]]}`, outside, outside},
	{"a.0", `{"a":[[null]]}`, outside, outside},
	{"a.0", `{"a":[1,{"0":2}]}`, outside, outside},
	{"a.1", `{"a":[1]}`, outside, inside},
	{"a.1", `{"a":[1,2]}`, outside, outside},
	{"a.1", `{"a":[{"1":3}]}`, outside, outside},
	{"a.01", `{"a":[1,2]}`, outside, inside}, // digits, though no position
	{"a.01", `{"a":[1,{"01":2}]}`, outside, outside},
	{"a.0.b", `{"a":[]}`, outside, inside},
	{"a.0.b", `{"a":[1]}`, outside, inside},
	{"a.0.b", `{"a":[[]]}`, outside, outside}, // entered by its position, and nothing there
	{"a.0.b", `{"a":[[1]]}`, outside, inside},
	{"a.0.b", `{"a":[[{"b":1}]]}`, outside, outside},
	{"a.0.b", `{"a":[[{"b":1},2]]}`, outside, inside},
	{"a.0.b", `{"a":{"0":[]}}`, outside, inside},
	{"a.1.b", `{"a":[[]]}`, outside, inside},
	{"a.1.b", `{"a":[1,[{"b":4}],3]}`, outside, outside},
	{"a.1.b", `{"a":[5,[]]}`, outside, outside},
	{"a.b.0", `{"a":{"b":[]}}`, outside, inside},
	{"a.b.0", `{"a":{"b":[1]}}`, outside, outside},
	{"a.b.0", `{"a":[{"b":[1]},2]}`, outside, inside},
	{"a.", `{"a":[]}`, outside, outside}, // a dot at the end adds nothing to an array
	{"a.", `{"a":[1,null]}`, inside, inside},
}

// TestFilterNullOnPaths: the operators that null goes with, in the releases
// before and after, and with the parameter that undoes the change.
func TestFilterNullOnPaths(t *testing.T) {
	before, since := vectorProfile(t, "8.3.13"), vectorProfile(t, "9.0.0")
	undone, err := since.WithParameter(LegacyNullParameter, policy.BoolValue(true))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range nullOnPaths {
		for _, predicate := range []string{`null`, `{"$eq":null}`, `{"$lte":null}`, `{"$gte":null}`, `{"$in":["x",null]}`} {
			filter := fmt.Sprintf(`{%q:%s}`, tt.path, predicate)
			for why, c := range map[string]struct {
				profile Profile
				want    membership
			}{"8.3.13": {before, tt.before}, "9.0.0": {since, tt.since}, "9.0.0 with the parameter": {undone, tt.before}} {
				f, err := compileFilter(drawn.Value(t, filter), policy.Value{}, c.profile.behaviour)
				if err != nil {
					t.Fatal(err)
				}
				checkMembership(t, why, f, filter, tt.document, c.want)
			}
		}
	}
}

// TestFilterBrokenPaths: what 9.0 changes for null it changes for nothing else,
// as far as the release notes go.
func TestFilterBrokenPaths(t *testing.T) {
	for _, tt := range []struct {
		filter string
		want   membership
	}{
		{`{"a.b":{"$exists":true}}`, outside},
		{`{"a.b":{"$type":"null"}}`, outside},
		{`{"a.b":{"$gt":null}}`, outside},
		{`{"a.b":{"$lt":null}}`, outside},
		{`{"a.b":{"$in":[1,{"$minKey":1}]}}`, outside},
		{`{"a.b":1}`, outside},
		{`{"a.b":{"$gte":{"$minKey":1}}}`, undecidable}, // read in the source, told by nobody
		{`{"a.b":{"$lt":{"$maxKey":1}}}`, undecidable},
		{`{"a.b":{"$minKey":1}}`, outside},
		{`{"$or":[{"a.b":null},{"c":1}]}`, inside},
		{`{"a.b":null,"c":1}`, outside},
	} {
		for _, document := range []string{`{"a":[]}`, `{"a":[1]}`, `{"a":[[{"b":1}]]}`} {
			checkMembership(t, latest, mustFilter(t, latest, tt.filter, ""), tt.filter, document, tt.want)
		}
	}
	checkMembership(t, "another element is there", mustFilter(t, latest, `{"a.b":{"$gte":{"$minKey":1}}}`, ""), "$gte MinKey", `{"a":[1,{"b":2}]}`, inside)
}

func TestWithParameter(t *testing.T) {
	old, newest := vectorProfile(t, "8.3.13"), vectorProfile(t, latest)
	for _, tt := range []struct {
		why   string
		p     Profile
		name  string
		value policy.Value
		want  Profile
	}{
		{"the default", newest, LegacyNullParameter, policy.BoolValue(false), newest},
		{"a release without it", old, LegacyNullParameter, policy.BoolValue(false), Profile{}},
		{"no release", Profile{}, LegacyNullParameter, policy.BoolValue(true), Profile{}},
		{"another parameter", newest, "ttlMonitorEnabled", policy.BoolValue(true), Profile{}},
		{"another type", newest, LegacyNullParameter, policy.Int32Value(1), Profile{}},
		{"no value", newest, LegacyNullParameter, policy.Value{}, Profile{}},
	} {
		got, err := tt.p.WithParameter(tt.name, tt.value)
		if got != tt.want || (err == nil) != (tt.want != Profile{}) || err != nil && !errors.Is(err, ErrParameter) {
			t.Errorf("%s: WithParameter(%q, %v) = %+v, %v", tt.why, tt.name, tt.value, got, err)
		}
	}
	set, err := newest.WithParameter(LegacyNullParameter, policy.BoolValue(true))
	if err != nil || set == newest {
		t.Errorf("the profile with the parameter is that without, %v", err)
	}
	if unset, err := set.WithParameter(LegacyNullParameter, policy.BoolValue(false)); err != nil || unset != newest {
		t.Errorf("the parameter cannot be set back: %+v, %v", unset, err)
	}
}

// TestBrokenPathSteps: the release notes name 9.0.
func TestBrokenPathSteps(t *testing.T) {
	for version, want := range map[string]behaviour.BrokenPathMeaning{"3.2.0": behaviour.BrokenPathsSkipped, "8.3.13": behaviour.BrokenPathsSkipped, "9.0.0": behaviour.BrokenPathsNull, latest: behaviour.BrokenPathsNull} {
		if got := vectorProfile(t, version).behaviour.BrokenPaths; got != want {
			t.Errorf("at %s: %v, want %v", version, got, want)
		}
	}
}
