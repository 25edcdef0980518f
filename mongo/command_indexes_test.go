package mongo

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An indexVector is an index that releases are asked to create; the clock
// stands at commandNow.
type indexVector struct {
	why      string
	versions string // space-separated
	options  string // of the collection; empty for an ordinary one
	existing string // its indexes; empty for none
	index    string
	want     string // what is stored as expireAfterSeconds, "exists", "code rule", or "open rule"
}

func (v indexVector) outcome(t testing.TB, version string) string {
	t.Helper()
	options, existing := vectorValue(t, orElse(v.options, `{}`)), vectorValue(t, orElse(v.existing, `[]`))
	c, err := ParseCollectionSpec(options, existing)
	if err != nil {
		t.Fatal(err)
	}
	made, err := ValidateCreateIndexes(c, WithName(commandDocument(t, v.index)), vectorProfile(t, version), commandNow)
	switch {
	case err != nil:
		return outcome(t, err)
	case !made.Created:
		return "exists"
	}
	return short(made.Index.ExpireAfterSeconds)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func checkIndexes(t *testing.T, vectors []indexVector) {
	t.Helper()
	for _, v := range vectors {
		for version := range strings.FieldsSeq(v.versions) {
			if got := v.outcome(t, version); got != v.want {
				t.Errorf("%s: createIndexes(%s, %s, %s) on %s = %s, want %s", v.why, v.options, v.existing, v.index, version, got, v.want)
			}
		}
	}
}

// after is an index on {a: 1} with some expireAfterSeconds.
func after(seconds string) string { return `{"key":{"a":1},"expireAfterSeconds":` + seconds + `}` }

// The releases on both sides of each edge of the checks.
const (
	unchecked  = "2.2.0 2.6.12 3.2.22 3.4.24 4.0.28"
	sinceEpoch = "4.2.0 4.4.29 5.0.0 5.0.13 5.1.0 5.3.2 6.0.0 6.0.1"
	inInt32    = "5.0.14 5.0.31 6.0.2 6.1.0 6.2.0 6.3.2 7.0.0 7.1.0 7.2.2 7.3.0 8.0.0 8.2.11"
	checked    = sinceEpoch + " " + inInt32
	asGiven    = sinceEpoch + " 5.0.14 6.0.2 7.0.0 7.2.2"
	asInt32    = "7.3.0 8.0.4 8.2.4"
)

func TestCreateIndexesSecondsType(t *testing.T) {
	for _, v := range []string{`"3600"`, `true`, `false`, `null`, `{}`, `[3600]`, `{"$date":{"$numberLong":"0"}}`, `{"$timestamp":{"t":1,"i":0}}`,
		`{"$oid":"507f1f77bcf86cd799439011"}`, `{"$minKey":1}`, `{"$undefined":true}`} {
		checkIndexes(t, []indexVector{{v, checked, "", "", after(v), "67 mongo.createindexes-seconds-type"}})
	}
	checkIndexes(t, []indexVector{
		{"a string is stored", unchecked, "", "", after(`"3600"`), `"3600"`},
		{"none is no TTL index", unchecked + " " + checked, "", "", `{"key":{"a":1}}`, "-"},
		{"int32", unchecked + " " + checked, "", "", after(`3600`), "3600"},
		{"int64 as given", unchecked + " " + asGiven, "", "", after(`{"$numberLong":"3600"}`), "3600L"},
		{"int64 as an int32", asInt32, "", "", after(`{"$numberLong":"3600"}`), "3600"},
		{"a double as given", asGiven, "", "", after(`{"$numberDouble":"50.7"}`), `{"$numberDouble":"50.7"}`},
		{"a double truncated", asInt32, "", "", after(`{"$numberDouble":"50.7"}`), "50"},
		{"a decimal, half to even down", asInt32, "", "", after(`{"$numberDecimal":"50.5"}`), "50"},
		{"a decimal up", asInt32, "", "", after(`{"$numberDecimal":"50.7"}`), "51"},
		{"a decimal, half to even up", asInt32, "", "", after(`{"$numberDecimal":"51.5"}`), "52"},
		{"zero", unchecked + " " + checked, "", "", after(`0`), "0"},
	})
}

func TestCreateIndexesSecondsNaN(t *testing.T) {
	for _, nan := range []string{aNaN, aNaNDecimal} {
		checkIndexes(t, []indexVector{
			{"NaN is taken for 0", "4.2.0 5.0.14 6.0.2 6.1.0", "", "", after(nan), nan},
			{"NaN is open", "6.2.0 6.3.2", "", "", after(nan), "open mongo.createindexes-seconds-nan-unspecified"},
			{"NaN is refused", "7.0.0 7.3.0 8.2.11", "", "", after(nan), "67 mongo.createindexes-seconds-nan"},
		})
	}
}

func TestCreateIndexesSecondsRange(t *testing.T) {
	const (
		negative = "67 mongo.createindexes-seconds-negative"
		outside  = "67 mongo.createindexes-seconds-range"
		early    = "67 mongo.createindexes-seconds-before-1970"
	)
	checkIndexes(t, []indexVector{
		{"the greatest int32", inInt32, "", "", after(`2147483647`), "2147483647"},
		{"a double that is cut to it", "8.2.4", "", "", after(`{"$numberDouble":"2147483647.5"}`), "2147483647"},
		{"a decimal that is rounded beyond", inInt32, "", "", after(`{"$numberDecimal":"2147483647.5"}`), outside},
		{"2^31", inInt32, "", "", after(twoTo31), outside},
		{"infinity", inInt32, "", "", after(infinity), outside},
		{"minus infinity", inInt32, "", "", after(minusInf), outside},
		{"infinity as a decimal", inInt32, "", "", after(infDecimal), outside},
		{"the least int32", inInt32, "", "", after(`{"$numberLong":"-2147483648"}`), negative},
		{"one below", inInt32, "", "", after(`{"$numberLong":"-2147483649"}`), outside},
		{"-1", checked, "", "", after(`-1`), negative},
		{"-1 unchecked", unchecked, "", "", after(`-1`), "-1"},
		{"a double cut to 0", "8.2.4", "", "", after(`{"$numberDouble":"-0.9"}`), "0"},
		{"minus zero", "8.2.4", "", "", after(`{"$numberDouble":"-0.0"}`), "0"},
		{"a decimal rounded to 0", "8.2.4", "", "", after(`{"$numberDecimal":"-0.5"}`), "0"},
		{"a decimal rounded to -1", checked, "", "", after(`{"$numberDecimal":"-0.6"}`), negative},
		{"the seconds since 1970", sinceEpoch, "", "", after(`1700000000`), "1700000000"},
		{"one more", sinceEpoch, "", "", after(`1700000001`), early},
		{"the greatest int32, too early", sinceEpoch, "", "", after(`2147483647`), early},
		{"2^31", sinceEpoch, "", "", after(twoTo31), early},
		{"infinity", sinceEpoch, "", "", after(infinity), early},
		{"minus infinity", sinceEpoch, "", "", after(minusInf), negative},
	})
}

func TestCreateIndexesKey(t *testing.T) {
	const compound = "67 mongo.createindexes-compound"
	ttl := func(key string) string { return `{"key":` + key + `,"name":"x","expireAfterSeconds":5}` }
	checkIndexes(t, []indexVector{
		{"compound", checked, "", "", ttl(`{"a":1,"b":1}`), compound},
		{"compound, before the checks", unchecked, "", "", ttl(`{"a":1,"b":1}`), "5"},
		{"a field of that name", checked, "", "", `{"key":{"a":1,"expireAfterSeconds":3600},"name":"x"}`, "-"},
		{"descending", checked, "", "", ttl(`{"a":-1}`), "5"},
		{"hashed", checked, "", "", ttl(`{"a":"hashed"}`), "5"},
		{"text", checked, "", "", ttl(`{"a":"text"}`), "5"},
		{"2d", checked, "", "", ttl(`{"a":"2d"}`), "5"},
		{"geoHaystack", "4.2.0 4.4.29", "", "", ttl(`{"a":"geoHaystack"}`), "5"},
		{"2dsphere", checked, "", "", ttl(`{"a":"2dsphere"}`), "5"},
		{"wildcard", checked, "", "", ttl(`{"$**":1}`), "67 mongo.createindexes-wildcard"},
		{"wildcard below a path", checked, "", "", ttl(`{"a.$**":1}`), "67 mongo.createindexes-wildcard"},
		{"wildcard before there are any", unchecked, "", "", ttl(`{"$**":1}`), "67 mongo.path-refused"},
		{"_id", "3.4.0 4.0.28 " + checked, "", "", ttl(`{"_id":1}`), "197 mongo.createindexes-id"},
		{"_id descending", checked, "", "", ttl(`{"_id":-1}`), "197 mongo.createindexes-id"},
		{"_id descending without options", checked, "", "", `{"key":{"_id":-1}}`, "2 mongo.createindexes-id"},
		{"_id long ago", "2.6.12 3.2.22", "", "", ttl(`{"_id":1}`), "open mongo.createindexes-unspecified"},
		{"_id without options", checked, "", "", `{"key":{"_id":1}}`, "exists"},
		{"_id partial", checked, "", "", `{"key":{"_id":1},"partialFilterExpression":{"a":1}}`, "197 mongo.createindexes-id"},
		{"_id hashed", checked, "", "", ttl(`{"_id":"hashed"}`), "5"},
		{"_id among others", checked, "", "", `{"key":{"_id":1,"a":1}}`, "-"},
		{"an empty part of a path", checked, "", "", ttl(`{"a..b":1}`), "67 mongo.path-refused"},
		{"a dollar", checked, "", "", ttl(`{"a.$b":1}`), "67 mongo.path-refused"},
		{"a reference's fields", checked, "", "", ttl(`{"a.$id":1}`), "5"},
		{"no field", checked, "", "", ttl(`{}`), "67 mongo.createindexes-key"},
		{"direction 0", checked, "", "", ttl(`{"a":0}`), "67 mongo.createindexes-key"},
		{"direction NaN", checked, "", "", ttl(`{"a":` + aNaN + `}`), "67 mongo.createindexes-key"},
		{"direction true", checked, "", "", ttl(`{"a":true}`), "67 mongo.createindexes-key"},
		{"direction true, long ago", "2.6.12", "", "", ttl(`{"a":true}`), "open mongo.createindexes-unspecified"},
		{"an unknown type", checked, "", "", ttl(`{"a":"sideways"}`), "67 mongo.createindexes-key"},
		{"no key", checked, "", "", `{"expireAfterSeconds":5}`, "9 mongo.createindexes-key"},
		{"a key that is not one", checked, "", "", ttl(`"a"`), "14 mongo.createindexes-field-type"},
	})
}

func TestCreateIndexesOptions(t *testing.T) {
	with := func(option string) string { return `{"key":{"a":1},"expireAfterSeconds":5,` + option + `}` }
	checkIndexes(t, []indexVector{
		{"sparse and unique", unchecked + " " + checked, "", "", with(`"sparse":true,"unique":true`), "5"},
		{"numbers are flags", checked, "", "", with(`"sparse":1.0`), "5"},
		{"a text is no flag", "5.0.0 8.2.4", "", "", with(`"sparse":"yes"`), "14 mongo.createindexes-field-type"},
		{"a text as a flag is open", "4.4.29", "", "", with(`"unique":"yes"`), "open mongo.createindexes-unspecified"},
		{"hidden", "4.4.0 8.2.4", "", "", with(`"hidden":true`), "5"},
		{"hidden, unknown", "3.4.0 4.2.0", "", "", with(`"hidden":true`), "197 mongo.createindexes-unknown-field"},
		{"hidden, ignored", "3.2.22", "", "", with(`"hidden":true`), "open mongo.createindexes-unspecified"},
		{"hidden as a number", "4.4.0 8.2.4", "", "", with(`"hidden":1`), "14 mongo.createindexes-field-type"},
		{"collation", "3.4.0 8.2.4", "", "", with(`"collation":{"locale":"fr"}`), "5"},
		{"a collation that is not one", "3.4.0 8.2.4", "", "", with(`"collation":"fr"`), "14 mongo.createindexes-field-type"},
		{"collation, ignored", "3.2.22", "", "", with(`"collation":{"locale":"fr"}`), "open mongo.createindexes-unspecified"},
		{"wildcardProjection, unknown", "3.4.0 4.0.28", "", "", with(`"wildcardProjection":{"a":1}`), "197 mongo.createindexes-unknown-field"},
		{"wildcardProjection", "4.2.0 8.2.4", "", "", with(`"wildcardProjection":{"a":1}`), "5"},
		{"prepareUnique, unknown", "4.4.0 5.0.14", "", "", with(`"prepareUnique":true`), "197 mongo.createindexes-unknown-field"},
		{"prepareUnique", "6.0.2 8.2.4", "", "", with(`"prepareUnique":true`), "5"},
		{"an unknown option", "3.4.0 8.2.4", "", "", with(`"expireAfter":5`), "197 mongo.createindexes-unknown-field"},
		{"an unknown option, ignored", "3.2.22", "", "", with(`"expireAfter":5`), "open mongo.createindexes-unspecified"},
		{"options that do not matter", "2.6.12 8.2.4", "", "", with(`"v":2,"background":true`), "5"},
		{"a name that is not one", "3.4.0 8.2.4", "", "", with(`"name":5`), "14 mongo.createindexes-field-type"},
		{"a name that is not one, not looked at", "2.6.12 3.0.15 3.2.22", "", "", with(`"name":5`), "67 mongo.createindexes-name"},
		{"a null name", "3.4.0 8.2.4", "", "", with(`"name":null`), "14 mongo.createindexes-field-type"},
		{"an empty name", "8.2.4", "", "", with(`"name":""`), "67 mongo.createindexes-name"},
		{"the index on _id of a time-series collection", "8.3.0 9.0.2", `{"timeseries":{"timeField":"t"}}`, "", `{"key":{"_id":1},"name":"_id_"}`, "2 mongo.createindexes-name"},
		{"the index on _id of a time-series collection, open", "5.0.0 8.2.11", `{"timeseries":{"timeField":"t"}}`, "", `{"key":{"_id":1},"name":"_id_"}`, "open mongo.createindexes-unspecified"},
		{"another name for it, open", "8.3.0", `{"timeseries":{"timeField":"t"}}`, "", `{"key":{"_id":1},"name":"i"}`, "open mongo.createindexes-unspecified"},
		{"the index on _id of an ordinary collection", "8.3.0 9.0.2", "", "", `{"key":{"_id":1},"name":"_id_"}`, "exists"},
		{"the name of the index on _id", "3.4.0 8.2.4", "", "", with(`"name":"_id_"`), "2 mongo.createindexes-name"},
		{"the name of all", "3.4.0 8.2.4", "", "", with(`"name":"*"`), "2 mongo.createindexes-name"},
	})
}

func TestCreateIndexesFilter(t *testing.T) {
	with := func(filter string) string {
		return `{"key":{"a":1},"expireAfterSeconds":5,"partialFilterExpression":` + filter + `}`
	}
	const (
		language = "67 mongo.createindexes-filter-language"
		syntax   = "mongo.createindexes-filter-syntax"
	)
	checkIndexes(t, []indexVector{
		{"an equality", "3.2.0 4.4.29 8.2.4", "", "", with(`{"b":1}`), "5"},
		{"nothing", "3.2.0 8.2.4", "", "", with(`{}`), "5"},
		{"a disjunction", "6.0.0 8.2.4", "", "", with(`{"$or":[{"b":1},{"c":1}]}`), "5"},
		{"a disjunction", "3.2.0 5.3.2", "", "", with(`{"$or":[{"b":1},{"c":1}]}`), language},
		{"an inequality to", "3.2.0 8.2.4", "", "", with(`{"b":{"$ne":1}}`), language},
		{"what is not to exist", "3.2.0 8.2.4", "", "", with(`{"b":{"$exists":false}}`), language},
		{"no document", "3.4.0 8.2.4", "", "", with(`5`), "14 mongo.createindexes-field-type"},
		{"an unknown operator", "3.2.0 8.2.4", "", "", with(`{"b":{"$foo":1}}`), "2 " + syntax},
		{"an expression", "4.2.0 8.2.4", "", "", with(`{"$expr":{"$eq":[1,1]}}`), "224 " + syntax},
		{"partial and sparse", "3.2.0 8.2.4", "", "", `{"key":{"a":1},"sparse":true,"partialFilterExpression":{"b":1}}`, "67 mongo.createindexes-partial-sparse"},
		{"partial and not sparse", "8.2.4", "", "", `{"key":{"a":1},"sparse":false,"partialFilterExpression":{"b":1}}`, "-"},
		{"before there are filters", "2.6.12 3.0.15", "", "", with(`{"b":1}`), "open mongo.createindexes-unspecified"},
	})
}

func TestCreateIndexesKindsOfCollections(t *testing.T) {
	const (
		capped    = `{"capped":true}`
		series    = `{"timeseries":{"timeField":"t","metaField":"m"}}`
		clustered = `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`
		onMeta    = `,"partialFilterExpression":{"m.kind":"x"}`
	)
	ttl := func(key, more string) string { return `{"key":` + key + `,"expireAfterSeconds":5` + more + `}` }
	checkIndexes(t, []indexVector{
		{"capped, never deletes", "2.4.0 4.2.0 4.4.29 5.0.0 5.0.18 5.1.1", capped, "", after(`5`), "5"},
		{"capped, refused", "5.2.0 5.3.2 6.0.0 6.0.7 6.0.24 6.1.0 6.3.2 7.0.0 7.0.24", capped, "", after(`5`), "67 mongo.createindexes-capped"},
		{"capped, open", "6.0.25 7.0.25 7.0.41", capped, "", after(`5`), "open mongo.createindexes-capped-unspecified"},
		{"capped, deletes", "7.1.0 8.2.4", capped, "", after(`5`), "5"},
		{"capped without TTL", "7.0.0", capped, "", `{"key":{"a":1}}`, "-"},
		{"capped and clustered", "7.1.0 8.2.4", `{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "", after(`5`), "6049202 mongo.createindexes-capped-clustered"},
		{"capped and clustered, before the seconds", "5.3.0 8.2.4", `{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "", after(`-1`), "6049202 mongo.createindexes-capped-clustered"},
		{"capped and clustered, before their type", "7.0.0", `{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "", after(`"x"`), "6049202 mongo.createindexes-capped-clustered"},
		{"capped and clustered, without TTL", "7.1.0 8.2.4", `{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "", `{"key":{"a":1}}`, "-"},
		{"clustered", "5.3.0 8.2.4", clustered, "", after(`5`), "5"},
		{"clustered before there are any", "5.2.0", clustered, "", after(`5`), "open mongo.createindexes-unspecified"},
		{"a clustered collection's own key", "5.3.0 8.2.4", clustered, "", ttl(`{"_id":1}`, ""), "197 mongo.createindexes-id"},
		{"a view", "3.4.0 8.2.4", `{"viewOn":"x"}`, "", after(`5`), "166 mongo.createindexes-view"},
		{"a view before there are any", "3.2.22", `{"viewOn":"x"}`, "", after(`5`), "open mongo.createindexes-unspecified"},
		{"a view, after the TTL options", "4.2.0 8.2.4", `{"viewOn":"x"}`, "", after(`-1`), "67 mongo.createindexes-seconds-negative"},
		{"time-series, too early", "5.0.0 6.2.0", series, "", ttl(`{"t":1}`, onMeta), "72 mongo.createindexes-timeseries"},
		{"time-series", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta), "5"},
		{"time-series without a filter", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, ""), "72 mongo.createindexes-timeseries-filter"},
		{"time-series, filter on a measurement", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, `,"partialFilterExpression":{"m":1,"x":1}`), "72 mongo.createindexes-timeseries-filter"},
		{"time-series on another field", "6.3.0 8.2.4", series, "", ttl(`{"m":1}`, onMeta), "72 mongo.createindexes-timeseries-key"},
		{"time-series on several", "6.3.0 8.2.4", series, "", ttl(`{"t":1,"m":1}`, onMeta), "67 mongo.createindexes-compound"},
		{"time-series with a collation", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta+`,"collation":{"locale":"fr"}`), "85 mongo.createindexes-timeseries-collation"},
		{"time-series, unique", "5.0.0 6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta+`,"unique":true`), "72 mongo.createindexes-timeseries-unique"},
		{"time-series, not unique in so many words", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta+`,"unique":false`), "5"},
		{"time-series, unique, without TTL", "5.0.0 8.2.4", series, "", `{"key":{"t":1},"unique":true}`, "72 mongo.createindexes-timeseries-unique"},
		{"time-series without TTL", "5.0.0 8.2.4", series, "", `{"key":{"t":1}}`, "-"},
		{"time-series on a measurement, without TTL", "6.3.0 8.2.4", series, "", `{"key":{"x":1}}`, "-"},
		{"time-series before there are any", "4.4.29", series, "", `{"key":{"t":1}}`, "open mongo.createindexes-unspecified"},
	})
}

// TestCreateIndexesOrder holds which of two faults is found first.
func TestCreateIndexesOrder(t *testing.T) {
	series := `{"timeseries":{"timeField":"t","metaField":"m"}}`
	checkIndexes(t, []indexVector{
		{"an unknown option before the type", "8.2.4", "", "", `{"key":{"a":1},"expireAfterSeconds":"x","foo":1}`, "197 mongo.createindexes-unknown-field"},
		{"_id before the type", "8.2.4", "", "", `{"key":{"_id":1},"expireAfterSeconds":"x"}`, "197 mongo.createindexes-id"},
		{"_id before the filter", "8.2.4", "", "", `{"key":{"_id":1},"partialFilterExpression":{"$foo":1}}`, "197 mongo.createindexes-id"},
		{"a filter's syntax before the type", "8.2.4", "", "", `{"key":{"a":1},"expireAfterSeconds":"x","partialFilterExpression":{"$foo":1}}`, "2 mongo.createindexes-filter-syntax"},
		{"the type before the filter's language", "8.2.4", "", "", `{"key":{"a":1},"expireAfterSeconds":"x","partialFilterExpression":{"a":{"$ne":1}}}`, "67 mongo.createindexes-seconds-type"},
		{"the range before the fields", "8.2.4", "", "", `{"key":{"a":1,"b":1},"expireAfterSeconds":-1}`, "67 mongo.createindexes-seconds-negative"},
		{"the fields before the wildcard", "8.2.4", "", "", `{"key":{"$**":1,"b":1},"expireAfterSeconds":1}`, "67 mongo.createindexes-compound"},
		{"the range before the wildcard", "8.2.4", "", "", `{"key":{"$**":1},"expireAfterSeconds":-1}`, "67 mongo.createindexes-seconds-negative"},
		{"the range before a capped collection", "7.0.0", `{"capped":true}`, "", after(`-1`), "67 mongo.createindexes-seconds-negative"},
		{"the filter before a capped collection", "7.0.0", `{"capped":true}`, "", `{"key":{"a":1},"expireAfterSeconds":1,"partialFilterExpression":{"a":{"$ne":1}}}`, "67 mongo.createindexes-filter-language"},
		{"a capped collection before a conflict", "7.0.0", `{"capped":true}`, `[{"key":{"a":1}}]`, after(`1`), "67 mongo.createindexes-capped"},
		{"a collation before the filter's field", "8.2.4", series, "", `{"key":{"t":1},"expireAfterSeconds":1,"collation":{"locale":"fr"},"partialFilterExpression":{"x":1}}`, "85 mongo.createindexes-timeseries-collation"},
		{"the filter's field before the type", "8.2.4", series, "", `{"key":{"t":1},"expireAfterSeconds":"x"}`, "72 mongo.createindexes-timeseries-filter"},
		{"the type before the time field", "8.2.4", series, "", `{"key":{"x":1},"expireAfterSeconds":"x","partialFilterExpression":{"m":1}}`, "67 mongo.createindexes-seconds-type"},
	})
}

// TestCreateIndexesReason holds the texts that callers compare.
// TestCreateIndexesWithoutName: what the server says of an index that no driver
// has given a name, before anything else but its fields and its key.
func TestCreateIndexesWithoutName(t *testing.T) {
	for _, tt := range []struct {
		versions, index, want string
	}{
		{"3.4.0 4.2.0 5.0.9 8.2.4 9.0.2", after(`5`), "9 mongo.createindexes-name"},
		{"2.6.0 3.0.15 3.2.22", after(`5`), "67 mongo.createindexes-name"},
		{"2.2.0 2.4.14", after(`5`), "12523 mongo.createindexes-name"},
		{"8.2.4", `{"key":{"_id":1},"expireAfterSeconds":5}`, "9 mongo.createindexes-name"},
		{"8.2.4", after(`-1`), "9 mongo.createindexes-name"},
		{"8.2.4", `{"expireAfterSeconds":5}`, "9 mongo.createindexes-key"},
		{"8.2.4", `{"key":{"a":0},"expireAfterSeconds":5}`, "67 mongo.createindexes-key"},
		{"8.2.4", `{"key":{"a":1},"bogus":5}`, "197 mongo.createindexes-unknown-field"},
	} {
		for version := range strings.FieldsSeq(tt.versions) {
			_, err := ValidateCreateIndexes(CollectionSpec{}, commandDocument(t, tt.index), vectorProfile(t, version), commandNow)
			if got := outcome(t, err); got != tt.want {
				t.Errorf("createIndexes(%s) on %s = %s, want %s", tt.index, version, got, tt.want)
			}
		}
	}
}

// named is after with a name.
func named(seconds string) string {
	return `{"key":{"a":1},"name":"a_1","expireAfterSeconds":` + seconds + `}`
}

func TestCreateIndexesReason(t *testing.T) {
	tests := []struct{ version, index, want string }{
		{"8.2.4", after(`5`), "The 'name' field is a required property of an index specification"},
		{"2.6.12", after(`5`), "no index name specified"},
		{"8.2.4", named(`"x"`), ". Index spec: " + named(`"x"`) + " :: caused by :: TTL index 'expireAfterSeconds' option must be numeric, but received a type of 'string"},
		{"6.2.0", named(`-1`), ". Index spec: " + named(`-1`) + " :: caused by :: TTL index 'expireAfterSeconds' option cannot be less than 0"},
		{"6.1.0", named(`-1`), "TTL index 'expireAfterSeconds' option cannot be less than 0. Index spec: " + named(`-1`)},
		{"4.2.0", named(`"x"`), "TTL index 'expireAfterSeconds' option must be numeric, but received a type of 'string'. Index spec: " + named(`"x"`)},
		{"4.2.0", named(`2147483647`), "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number. Index spec: " + named(`2147483647`)},
		{"8.2.4", named(twoTo31), ". Index spec: " + named(twoTo31) + " :: caused by :: TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer"},
		{"8.2.4", named(aNaN), ". Index spec: " + named(aNaN) + " :: caused by :: TTL index 'expireAfterSeconds' option must not be NaN"},
		{"8.2.4", `{"key":{"_id":1},"name":"_id_1","expireAfterSeconds":5}`, `The field 'expireAfterSeconds' is not valid for an _id index specification. Specification: {"key":{"_id":1},"name":"_id_1","expireAfterSeconds":5}`},
		{"8.2.4", `{"key":{"a":1,"b":1},"name":"a_1_b_1","expireAfterSeconds":5}`, `TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: {"key":{"a":1,"b":1},"name":"a_1_b_1","expireAfterSeconds":5}`},
		{"5.3.2", `{"key":{"$**":1},"name":"all","expireAfterSeconds":5}`, "Index type 'wildcard' cannot be a TTL index"},
		{"6.0.0", `{"key":{"$**":1},"name":"all","expireAfterSeconds":5}`, "cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the 'expireAfterSeconds' option"},
	}
	for _, tt := range tests {
		_, err := ValidateCreateIndexes(CollectionSpec{}, commandDocument(t, tt.index), vectorProfile(t, tt.version), commandNow)
		if refused, ok := err.(*SpecError); !ok || withoutTypes(refused.Reason) != withoutTypes(tt.want) {
			t.Errorf("createIndexes(%s) on %s: %v, want %s", tt.index, tt.version, err, tt.want)
		}
	}
}

// withoutTypes returns Extended JSON that spells int32 as a plain number.
func withoutTypes(text string) string {
	for _, n := range []string{"1", "5", "-1", "2147483647"} {
		text = strings.ReplaceAll(text, `{"$numberInt":"`+n+`"}`, n)
	}
	return text
}

func TestCreateIndexesZeroProfile(t *testing.T) {
	_, err := ValidateCreateIndexes(CollectionSpec{}, commandDocument(t, after(`5`)), Profile{}, policy.MaxInstant)
	if got := outcome(t, err); got != "open mongo.createindexes-unspecified" {
		t.Errorf("on no release: %s, want open", got)
	}
}
