package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// storedAs returns the index on the field a, with v as its stored expireAfterSeconds.
func storedAs(v string) string {
	return `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":` + v + `}]`
}

// byKey returns a collMod that addresses the index on the field a by its key, which every
// release accepts.
func byKey(seconds string) string {
	return `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":` + seconds + `}}`
}

// TestCollModStores: each release stores the expected number in place of a stored number
// of each type. The values of 2.4 follow namespace_details.cpp, those of 2.6
// index_catalog.cpp, and those of 3.0 to 4.0 the catalogs of MMAPv1 and of the other
// engines, for x86-64.
func TestCollModStores(t *testing.T) {
	const (
		anInt, aLong, aDouble, aDecimal = `3600`, `{"$numberLong":"3600"}`, `{"$numberDouble":"3600.0"}`, `{"$numberDecimal":"3600"}`
		twoTo32                         = `{"$numberLong":"4294967296"}`
		large                           = `{"$numberDouble":"4294967296.5"}`
		least                           = "-9223372036854775808L"
		greatest                        = `{"$numberLong":"9223372036854775807"}`
	)
	// A row has the type of the stored number, the new number, and the number that each
	// of these releases stores.
	columns := []string{"2.4.14", "2.6.12", "3.0.15/mmapv1", "3.2.22/mmapv1", "4.0.10/mmapv1", "3.0.15/wiredTiger", "4.0.10/wiredTiger"}
	for _, row := range []struct {
		stored, wanted string
		want           [7]string
	}{
		{anInt, `7200`, [7]string{"7200", "7200", "7200", "7200", "7200", "7200L", "7200L"}},
		{anInt, twoTo31, [7]string{"-2147483648", "-2147483648", "-2147483648", "-2147483648", "-2147483648", "2147483648L", "2147483648L"}},
		{anInt, twoTo32, [7]string{"-2147483648", "0", "0", "0", "0", "4294967296L", "4294967296L"}},
		{anInt, large, [7]string{"-2147483648", "0", "0", "0", "0", "4294967296L", "4294967296L"}},
		{anInt, greatest, [7]string{"-2147483648", "-1", "-1", "-1", "-1", "9223372036854775807L", "9223372036854775807L"}},
		{anInt, `{"$numberLong":"-2147483649"}`, [7]string{"-2147483648", "2147483647", "2147483647", "2147483647", "2147483647", "-2147483649L", "-2147483649L"}},
		{anInt, `{"$numberDouble":"-2147483648.9"}`, [7]string{"-2147483648", "-2147483648", "-2147483648", "-2147483648", "-2147483648", "-2147483648L", "-2147483648L"}},
		{anInt, `{"$numberDouble":"2147483647.9"}`, [7]string{"2147483647", "2147483647", "2147483647", "2147483647", "2147483647", "2147483647L", "2147483647L"}},
		{anInt, `{"$numberDouble":"50.9"}`, [7]string{"50", "50", "50", "50", "50", "50L", "50L"}},
		{anInt, aNaN, [7]string{"-2147483648", "0", "0", "0", "0", least, "0L"}},
		{anInt, infinity, [7]string{"-2147483648", "0", "0", "-1", "-1", least, "9223372036854775807L"}},
		{anInt, minusInf, [7]string{"-2147483648", "0", "0", "0", "0", least, least}},
		{anInt, `-1`, [7]string{"-1", "-1", "-1", "-1", "-1", "-1L", "-1L"}},
		{aDouble, twoTo32, [7]string{`{"$numberDouble":"4294967296.0"}`, `{"$numberDouble":"4294967296.0"}`, `{"$numberDouble":"4294967296.0"}`, `{"$numberDouble":"4294967296.0"}`, `{"$numberDouble":"4294967296.0"}`, "4294967296L", "4294967296L"}},
		{aDouble, large, [7]string{large, `{"$numberDouble":"4294967296.0"}`, `{"$numberDouble":"4294967296.0"}`, `{"$numberDouble":"4294967296.0"}`, `{"$numberDouble":"4294967296.0"}`, "4294967296L", "4294967296L"}},
		{aDouble, aNaN, [7]string{aNaN, `{"$numberDouble":"-9.223372036854775808E+18"}`, `{"$numberDouble":"-9.223372036854775808E+18"}`, `{"$numberDouble":"0.0"}`, `{"$numberDouble":"0.0"}`, least, "0L"}},
		{aLong, twoTo32, [7]string{"4294967296L", "4294967296L", "4294967296L", "4294967296L", "4294967296L", "4294967296L", "4294967296L"}},
		{aLong, large, [7]string{"4294967296L", "4294967296L", "4294967296L", "4294967296L", "4294967296L", "4294967296L", "4294967296L"}},
		{aLong, aNaN, [7]string{least, least, least, "0L", "0L", least, "0L"}},
		{aLong, infinity, [7]string{least, least, least, "9223372036854775807L", "9223372036854775807L", least, "9223372036854775807L"}},
		{aDecimal, `7200`, [7]string{"", "", "", "", "16632 " + rules.CollModInPlaceDecimal.ID(), "", "7200L"}},
	} {
		for i, version := range columns {
			if row.want[i] == "" {
				continue // this release has no decimals
			}
			v := commandVector{version: version, existing: storedAs(row.stored), command: byKey(row.wanted)}
			want := row.want[i]
			if !strings.Contains(want, " mongo.") {
				want = asShown(t, row.stored) + " " + asShown(t, row.wanted) + " " + asShown(t, want)
			}
			if got := collModOutcome(t, v); got != want {
				t.Errorf("%s: %s over %s = %s, want %s", version, row.wanted, row.stored, got, want)
			}
		}
	}
}

// asShown writes a number in the Extended JSON of vectors. It returns an already written
// number unchanged.
func asShown(t *testing.T, v string) string {
	t.Helper()
	if strings.HasPrefix(v, "{") {
		return short(drawn.Value(t, v))
	}
	return v
}

// TestCollModWithoutEngine: without a known storage engine, collMod has the expected
// outcome in releases with two engines, and in those before and after them.
func TestCollModWithoutEngine(t *testing.T) {
	const twoTo32 = `{"$numberLong":"4294967296"}`
	checkCollMod(t, []commandVector{
		{"what fits", "4.0.10", "", "", byKey(`7200`), "3600 7200 7200"},
		{"what fits, in 3.0", "3.0.0", "", "", byKey(`7200`), "3600 7200 7200"},
		{"what does not fit", "4.0.10", "", "", byKey(twoTo32), "unspecified " + rules.CollModEngineUnspecified.ID()},
		{"what does not fit, in 3.0", "3.0.0", "", "", byKey(twoTo31), "unspecified " + rules.CollModEngineUnspecified.ID()},
		{"what does not fit in 2.6", "2.6.12", "", "", byKey(twoTo31), "3600 2147483648L -2147483648"},
		{"what does not fit in 4.2", "4.2.0", "", "", byKey(twoTo32), "3600 4294967296L 4294967296L"},
		{"2^63 is the smallest number", "4.0.6/wiredTiger", "", "", byKey(`{"$numberDouble":"9223372036854775808.0"}`), `3600 {"$numberDouble":"9.223372036854776E+18"} -9223372036854775808L`},
		{"2^63 is the greatest number", "4.0.7/wiredTiger", "", "", byKey(`{"$numberDouble":"9223372036854775808.0"}`), `3600 {"$numberDouble":"9.223372036854776E+18"} 9223372036854775807L`},
		{"the next double is the greatest number", "3.4.0/wiredTiger", "", "", byKey(`{"$numberDouble":"9223372036854777856.0"}`), `3600 {"$numberDouble":"9.223372036854778E+18"} 9223372036854775807L`},
		{"over an int64", "4.0.10", "", storedAs(`{"$numberLong":"3600"}`), byKey(twoTo32), "3600L 4294967296L 4294967296L"},
		{"over a double", "4.0.10", "", storedAs(`{"$numberDouble":"3600.0"}`), byKey(twoTo32), `{"$numberDouble":"3600.0"} 4294967296L {"$numberDouble":"4.294967296E+09"}`},
		{"over a double, what it cannot hold", "4.0.10", "", storedAs(`{"$numberDouble":"3600.0"}`), byKey(`{"$numberLong":"9007199254740993"}`), "unspecified " + rules.CollModEngineUnspecified.ID()},
		{"over a decimal", "4.0.10", "", storedAs(`{"$numberDecimal":"3600"}`), byKey(`7200`), "unspecified " + rules.CollModEngineUnspecified.ID()},
		{"over an equal decimal", "4.0.10/mmapv1", "", storedAs(`{"$numberDecimal":"3600"}`), byKey(`3600`), `- - {"$numberDecimal":"3600"}`},
		{"over a decimal in 4.2", "4.2.0", "", storedAs(`{"$numberDecimal":"3600"}`), byKey(`7200`), `{"$numberDecimal":"3600"} 7200 7200L`},
		{"a refusal counts more than what is unspecified", "3.2.11", "", "", `{"bogus":1,"index":{"keyPattern":{"a":1},"expireAfterSeconds":` + twoTo32 + `}}`, "72 " + rules.CommandUnknown.ID()},
	})
}

// TestCollModGoesOn: up to 3.2.11 the last fault counts; 2.4 and 2.6 keep the changes made
// before and after it.
func TestCollModGoesOn(t *testing.T) {
	const (
		before = `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":7},"bogus":1}`
		after  = `{"bogus":1,"index":{"keyPattern":{"a":1},"expireAfterSeconds":7}}`
		twice  = `{"bogus":1,"index":{"keyPattern":{"b":1},"expireAfterSeconds":7}}`
		thrown = `{"index":5,"bogus":1}`
	)
	var unknown = "72 " + rules.CommandUnknown.ID()
	checkCollMod(t, []commandVector{
		{"a fault after the index", "2.4.14", "", "", before, "3600 7 7 " + unknown},
		{"a fault before the index", "2.6.12", "", "", after, "3600 7 7 " + unknown},
		{"undone", "3.0.0", "", "", before, unknown},
		{"undone, also by MMAPv1", "3.0.15/mmapv1", "", "", after, unknown},
		{"the last fault", "3.2.11", "", "", twice, "72 " + rules.CollModNotFound.ID()},
		{"the first fault", "3.2.12", "", "", twice, unknown},
		{"the last fault of 2.4", "2.4.0", "", "", twice, "27 " + rules.CollModNotFound.ID()},
		{"what is thrown ends it", "2.4.0", "", "", thrown, "10065 " + rules.CollModNotDocument.ID()},
		{"what is thrown ends it, in 4.2", "4.2.0", "", "", thrown, "10065 " + rules.CollModNotDocument.ID()},
		{"nothing is kept if nothing changes", "2.6.12", "", "", `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":3600},"bogus":1}`, unknown},
	})
}

// TestCollModArguments: each release accepts its own options and arguments of collMod,
// and refuses others.
func TestCollModArguments(t *testing.T) {
	var unknown = "72 " + rules.CommandUnknown.ID()
	set := func(field string) string {
		return `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":7},` + field + `}`
	}
	const done = "3600 7 7"
	checkCollMod(t, []commandVector{
		{"a comment in 4.2", "4.2.0", "", "", set(`"comment":"x"`), unknown},
		{"a comment in 4.4", "4.4.0", "", "", set(`"comment":"x"`), "3600 7 7L"},
		{"a write concern in 3.4", "3.4.21", "", "", set(`"writeConcern":{}`), unknown},
		{"a write concern in 3.6", "3.6.0", "", "", set(`"writeConcern":{}`), done},
		{"maxTimeMS in 2.4", "2.4.14", "", "", set(`"maxTimeMS":9`), done + " " + unknown},
		{"maxTimeMS in 2.6", "2.6.0", "", "", set(`"maxTimeMS":9`), done},
		{"a dollar sign in 2.6.9", "2.6.9", "", "", set(`"$x":9`), done + " " + unknown},
		{"a dollar sign in 2.6.10", "2.6.10", "", "", set(`"$x":9`), done},
		{"a dollar sign in 3.0.2", "3.0.2", "", "", set(`"$x":9`), unknown},
		{"a dollar sign in 3.0.3", "3.0.3", "", "", set(`"$x":9`), done},
		{"a dollar sign in 3.4", "3.4.21", "", "", set(`"$x":9`), done},
		{"a dollar sign in 3.6", "3.6.0", "", "", set(`"$x":9`), unknown},
		{"the database in 3.6", "3.6.0", "", "", set(`"$db":"d"`), done},
		{"autocommit in 3.6", "3.6.13", "", "", set(`"autocommit":false`), unknown},
		{"autocommit in 4.0", "4.0.0", "", "", set(`"autocommit":false`), done},
		{"coordinators in 4.0", "4.0.10", "", "", set(`"coordinator":true`), unknown},
		{"coordinators in 4.2", "4.2.0", "", "", set(`"coordinator":true`), "3600 7 7L"},
		{"sizes in 2.2", "2.2.0", "", "", `{"usePowerOf2Sizes":true}`, "- - -"},
		{"sizes in 4.0", "4.0.10", "", "", set(`"usePowerOf2Sizes":true`), done},
		{"sizes in 4.2", "4.2.0", "", "", set(`"usePowerOf2Sizes":true`), unknown},
		{"padding in 2.6", "2.6.12", "", "", set(`"noPadding":true`), done + " " + unknown},
		{"padding in 3.0", "3.0.0", "", "", set(`"noPadding":true`), done},
		{"validator in 3.0", "3.0.15", "", "", set(`"validator":{}`), unknown},
		{"validator in 3.2", "3.2.0", "", "", set(`"validator":{}`), done},
		{"a pipeline in 3.2", "3.2.22", "", "", set(`"pipeline":[]`), unknown},
		{"a pipeline in 3.4", "3.4.0", "", "", set(`"pipeline":[]`), "72 " + rules.CollModView.ID()},
		{"a pipeline in 8.2", "8.2.4", "", "", set(`"pipeline":[]`), "72 " + rules.CollModView.ID()},
		{"viewOn in 4.4", "4.4.0", "", "", set(`"viewOn":"c"`), "72 " + rules.CollModView.ID()},
		{"a view's pipeline", "3.4.0", `{"viewOn":"c"}`, "[]", `{"viewOn":"d","pipeline":[]}`, "- - -"},
		{"a view's pipeline of another type", "4.0.10", `{"viewOn":"c"}`, "[]", `{"pipeline":{}}`, "72 " + rules.CommandType.ID()},
		{"a view on no text", "4.4.0", `{"viewOn":"c"}`, "[]", `{"viewOn":5}`, "72 " + rules.CommandType.ID()},
		{"a view's validator", "3.4.0", `{"viewOn":"c"}`, "[]", `{"validator":{}}`, "72 " + rules.CollModView.ID()},
		{"a view's validator in 8.2", "8.2.4", `{"viewOn":"c"}`, "[]", `{"validator":{}}`, "72 " + rules.CollModView.ID()},
		{"images in 4.2", "4.2.0", "", "", set(`"recordPreImages":true`), unknown},
		{"images in 4.4", "4.4.0", "", "", set(`"recordPreImages":true`), "3600 7 7L"},
		{"a validator of a time series", "8.2.4", `{"timeseries":{"timeField":"t"}}`, "[]", `{"validator":{}}`, "72 " + rules.CollModSeriesOption.ID()},
		{"a validator of a time series in 5.0", "5.0.0", `{"timeseries":{"timeField":"t"}}`, "[]", `{"validator":{}}`, "72 " + rules.CollModSeriesOption.ID()},
		{"a validator that is null", "8.2.4", `{"timeseries":{"timeField":"t"}}`, "[]", `{"validator":null}`, "- - -"},
		{"a validator", "8.2.4", "", "", `{"validator":{}}`, "- - -"},
		{"no argument of all commands within index", "8.2.4", "", "", `{"index":{"name":"a_1","expireAfterSeconds":1,"comment":1}}`, "40415 " + rules.CommandUnknown.ID()},
	})
}

// TestEngineParameter: the parameter is accepted for the engines that a release can
// choose from, and refused for others.
func TestEngineParameter(t *testing.T) {
	for _, tt := range []struct {
		version string
		engine  policy.Value
		known   bool
	}{
		{"2.6.12", policy.StringValue("mmapv1"), false},
		{"3.0.0", policy.StringValue("mmapv1"), true},
		{"4.0.10", policy.StringValue("inMemory"), true},
		{"4.0.10", policy.StringValue("wiredTiger"), true},
		{"4.0.10", policy.StringValue("MMAPv1"), false},
		{"4.0.10", policy.BoolValue(true), false},
		{"4.0.10", policy.Value{}, false},
		{"4.2.0", policy.StringValue("wiredTiger"), false},
	} {
		p := fixture.Profile(t, tt.version)
		got, err := p.WithParameter(behaviour.EngineParameter, tt.engine)
		if tt.known != (err == nil) || !tt.known && (!errors.Is(err, mongo.ErrParameter) || got != mongo.Profile{}) || tt.known && got == p {
			t.Errorf("WithParameter(%s, %v) of %s = %v, want known %v", behaviour.EngineParameter, tt.engine, tt.version, err, tt.known)
		}
	}
	p := fixture.Profile(t, "4.0.10")
	first, err := p.WithParameter(behaviour.EngineParameter, policy.StringValue("mmapv1"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := first.WithParameter(behaviour.EngineParameter, policy.StringValue("wiredTiger"))
	direct, errDirect := p.WithParameter(behaviour.EngineParameter, policy.StringValue("wiredTiger"))
	if err != nil || errDirect != nil || other != direct {
		t.Errorf("the engine said last does not count: %v, %v", err, errDirect)
	}
}
