package command

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestSpecNames: ParseIndexSpec accepts exactly the fields that createIndexes checks.
func TestSpecNames(t *testing.T) {
	if diff := cmp.Diff(slices.Sorted(maps.Keys(specFields)), catalog.SpecNames); diff != "" {
		t.Errorf("the fields that are checked (-specFields +specNames):\n%s", diff)
	}
}

// An indexVector is an index and the outcome of its creation at commandNow in some
// releases.
type indexVector struct {
	why      string
	versions string // space-separated
	options  string // the options of the collection; empty for an ordinary collection
	existing string // the existing indexes; empty if there are none
	index    string
	want     string // the stored expireAfterSeconds, "exists", "code rule", or "unspecified rule"
}

func (v indexVector) outcome(t testing.TB, version string) string {
	t.Helper()
	options, existing := drawn.Value(t, orElse(v.options, `{}`)), drawn.Value(t, orElse(v.existing, `[]`))
	c, err := mongo.ParseCollectionSpec(options, existing)
	if err != nil {
		t.Fatal(err)
	}
	made, err := hidden.ValidateCreateIndexes(c, WithDefaultName(commandDocument(t, v.index)), fixture.Profile(t, version), commandNow)
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

// after returns an index on {a: 1} with the given expireAfterSeconds.
func after(seconds string) string { return `{"key":{"a":1},"expireAfterSeconds":` + seconds + `}` }

// The releases just before and just after each change of the checks.
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
		checkIndexes(t, []indexVector{{v, checked, "", "", after(v), "67 " + rules.SecondsType.ID()}})
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
			{"NaN is taken for 0", "4.2.0 4.4.29 5.0.0 5.0.13 5.1.0 6.0.1", "", "", after(nan), nan},
			{"and stored as a number", "5.0.14 6.0.2 6.1.0", "", "", after(nan), "2147483647"},
			{"NaN is unspecified", "6.2.0 6.3.2", "", "", after(nan), "unspecified " + rules.SecondsNaNUnspecified.ID()},
			{"NaN is refused", "7.0.0 7.3.0 8.2.11", "", "", after(nan), "67 " + rules.SecondsNaN.ID()},
		})
	}
}

func TestCreateIndexesSecondsRange(t *testing.T) {
	var (
		negative = "67 " + rules.SecondsNegative.ID()
		outside  = "67 " + rules.SecondsRange.ID()
		early    = "67 " + rules.SecondsBefore1970.ID()
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
	var compound = "67 " + rules.CompoundRefused.ID()
	ttl := func(key string) string { return `{"key":` + key + `,"name":"x","expireAfterSeconds":5}` }
	checkIndexes(t, []indexVector{
		{"compound", checked, "", "", ttl(`{"a":1,"b":1}`), compound},
		{"compound, before the checks", unchecked, "", "", ttl(`{"a":1,"b":1}`), "5"},
		{"a field of that name", checked, "", "", `{"key":{"a":1,"expireAfterSeconds":3600},"name":"x"}`, "-"},
		{"descending", checked, "", "", ttl(`{"a":-1}`), "5"},
		{"hashed", checked, "", "", ttl(`{"a":"hashed"}`), "5"},
		{"text", checked, "", "", ttl(`{"a":"text"}`), "5"},
		{"2d", checked, "", "", ttl(`{"a":"2d"}`), "5"},
		{"geoHaystack", "4.2.0 4.4.29", "", "", ttl(`{"a":"geoHaystack"}`), "16777 " + rules.IndexSpecial.ID()},
		{"geoHaystack with its option", "3.4.24 4.0.28", "", "", `{"key":{"a":"geoHaystack","b":1},"name":"x","expireAfterSeconds":5,"bucketSize":1}`, "5"},
		{"geoHaystack, no longer", "5.0.0 8.2.4", "", "", ttl(`{"a":"geoHaystack"}`), "67 " + rules.IndexKey.ID()},
		{"2dsphere", checked, "", "", ttl(`{"a":"2dsphere"}`), "5"},
		{"wildcard", checked, "", "", ttl(`{"$**":1}`), "67 " + rules.IndexWildcard.ID()},
		{"wildcard below a path", checked, "", "", ttl(`{"a.$**":1}`), "67 " + rules.IndexWildcard.ID()},
		{"wildcard before there are any", "2.6.12 3.2.22 3.4.24 4.0.28", "", "", ttl(`{"$**":1}`), "67 " + rules.PathRefused.ID()},
		{"a name that was not looked at", "2.2.0 2.4.14", "", "", ttl(`{"$**":1}`), "5"},
		{"_id", "3.4.0 4.0.28 " + checked, "", "", ttl(`{"_id":1}`), "197 " + rules.IndexID.ID()},
		{"_id descending", checked, "", "", ttl(`{"_id":-1}`), "197 " + rules.IndexID.ID()},
		{"_id descending without options", checked, "", "", `{"key":{"_id":-1}}`, "2 " + rules.IndexID.ID()},
		{"_id long ago", "2.6.12 3.0.15 3.2.22", "", "", ttl(`{"_id":1}`), "85 " + rules.IndexConflict.ID()},
		{"_id longer ago", "2.2.0 2.4.14", "", "", ttl(`{"_id":1}`), "exists"},
		{"_id true, long ago", "2.6.12 3.2.22", "", "", `{"key":{"_id":true},"name":"x"}`, "exists"},
		{"_id not unique, long ago", "3.0.15 3.2.22", "", "", `{"key":{"_id":1},"name":"x","unique":false}`, "67 " + rules.IndexID.ID()},
		{"_id not unique, longer ago", "2.6.12", "", "", `{"key":{"_id":1},"name":"x","unique":false}`, "exists"},
		{"_id without options", checked, "", "", `{"key":{"_id":1}}`, "exists"},
		{"_id partial", checked, "", "", `{"key":{"_id":1},"partialFilterExpression":{"a":1}}`, "197 " + rules.IndexID.ID()},
		{"_id hashed", checked, "", "", ttl(`{"_id":"hashed"}`), "5"},
		{"_id among others", checked, "", "", `{"key":{"_id":1,"a":1}}`, "-"},
		{"an empty part of a path", checked, "", "", ttl(`{"a..b":1}`), "67 " + rules.PathRefused.ID()},
		{"a dollar", checked, "", "", ttl(`{"a.$b":1}`), "67 " + rules.PathRefused.ID()},
		{"a reference's fields", checked, "", "", ttl(`{"a.$id":1}`), "5"},
		{"no field", checked, "", "", ttl(`{}`), "67 " + rules.IndexKey.ID()},
		{"direction 0", checked, "", "", ttl(`{"a":0}`), "67 " + rules.IndexKey.ID()},
		{"direction NaN", checked, "", "", ttl(`{"a":` + aNaN + `}`), "67 " + rules.IndexKey.ID()},
		{"direction true", checked, "", "", ttl(`{"a":true}`), "67 " + rules.IndexKey.ID()},
		{"direction true, long ago", "2.2.0 2.4.14 2.6.12 3.0.15 3.2.22", "", "", ttl(`{"a":true}`), "5"},
		{"direction 0, long ago", "2.2.0 2.4.14 2.6.12 3.0.15 3.2.22", "", "", ttl(`{"a":0}`), "5"},
		{"direction NaN, long ago", "2.2.0 2.4.14 2.6.12 3.0.15 3.2.22", "", "", ttl(`{"a":` + aNaN + `}`), "5"},
		{"a document as direction, long ago", "2.6.12 3.0.15 3.2.22", "", "", ttl(`{"a":{}}`), "67 " + rules.IndexKey.ID()},
		{"a document as direction, longer ago", "2.2.0 2.4.14", "", "", ttl(`{"a":{}}`), "10098 " + rules.IndexKey.ID()},
		{"an empty key, longer ago", "2.2.0 2.4.14", "", "", ttl(`{}`), "12504 " + rules.IndexKey.ID()},
		{"no key, long ago", "2.6.12 3.0.15 3.2.22", "", "", `{"name":"x","expireAfterSeconds":5}`, "67 " + rules.IndexKey.ID()},
		{"a key that is not one, long ago", "2.6.12 3.0.15 3.2.22", "", "", ttl(`"a"`), "67 " + rules.IndexKey.ID()},
		{"a key that is not one, longer ago", "2.2.0 2.4.14", "", "", ttl(`"a"`), "12504 " + rules.IndexKey.ID()},
		{"an unknown type, longer ago", "2.4.14", "", "", ttl(`{"a":"sideways"}`), "16734 " + rules.IndexKey.ID()},
		{"an unknown type that makes a plain index", "2.2.0", "", "", ttl(`{"a":"sideways"}`), "5"},
		{"an empty type", "2.6.12 3.2.22 3.4.24 4.0.28", "", "", ttl(`{"a":""}`), "5"},
		{"an empty type in 4.2", "4.2.0", "", "", ttl(`{"a":""}`), "5"},
		{"an empty type, refused", "4.4.0 8.2.4", "", "", ttl(`{"a":""}`), "67 " + rules.IndexKey.ID()},
		{"a field of text indexes", "3.2.22 4.2.0 8.2.4", "", "", ttl(`{"_fts":1}`), "67 " + rules.PathRefused.ID()},
		{"a field of text indexes, not looked at", "2.6.12 3.0.15", "", "", ttl(`{"_fts":1}`), "5"},
		{"two types", "2.6.12 4.0.28 8.2.4", "", "", `{"key":{"a":"2d","b":"2dsphere"},"name":"x"}`, "67 " + rules.IndexKey.ID()},
		{"text in a language that there is not", "3.4.24 8.2.4", "", "", `{"key":{"a":"text"},"name":"x","default_language":"klingon"}`, "67 " + rules.IndexSpecial.ID()},
		{"text of the first version in it", "3.4.24 4.2.0", "", "", `{"key":{"a":"text"},"name":"x","default_language":"klingon","textIndexVersion":1}`, "-"},
		{"text of the first version with a weight that is no number", "3.4.24 4.2.0", "", "", `{"key":{"a":"text"},"name":"x","weights":{"b":"x"},"textIndexVersion":1}`, "67 " + rules.IndexSpecial.ID()},
		{"text of the first version with a symbol as a language", "3.4.24 4.2.0", "", "", `{"key":{"a":"text"},"name":"x","default_language":{"$symbol":"german"},"textIndexVersion":1}`, "-"},
		{"text with a symbol as its weights", "3.4.24 4.4.29", "", "", `{"key":{"a":"text"},"name":"x","weights":{"$symbol":"$**"}}`, "67 " + rules.IndexSpecial.ID()},
		{"text with a text as its weights", "3.4.24 4.4.29", "", "", `{"key":{"a":"text"},"name":"x","weights":"$**"}`, "-"},
		{"text of version 4", "3.4.24 4.2.0", "", "", `{"key":{"a":"text"},"name":"x","textIndexVersion":4}`, "67 " + rules.IndexSpecial.ID()},
		{"text with a weight", "3.4.24 8.2.4", "", "", `{"key":{"a":"text"},"name":"x","weights":{"b":5}}`, "-"},
		{"text with a weight of 0", "3.4.24 8.2.4", "", "", `{"key":{"a":"text"},"name":"x","weights":{"b":0}}`, "67 " + rules.IndexSpecial.ID()},
		{"text apart", "3.4.24 8.2.4", "", "", `{"key":{"a":"text","b":1,"c":"text"},"name":"x"}`, "67 " + rules.IndexSpecial.ID()},
		{"2d behind another field", "3.4.24 4.2.0", "", "", `{"key":{"b":1,"a":"2d"},"name":"x"}`, "16801 " + rules.IndexSpecial.ID()},
		{"2d twice", "3.4.24 4.2.0", "", "", `{"key":{"a":"2d","b":"2d"},"name":"x"}`, "16800 " + rules.IndexSpecial.ID()},
		{"2d of no area", "3.4.24 4.2.0", "", "", `{"key":{"a":"2d"},"name":"x","max":-180}`, "72 " + rules.IndexSpecial.ID()},
		{"2d of 32 bits", "3.4.24 4.2.0", "", "", `{"key":{"a":"2d"},"name":"x","bits":32}`, "-"},
		{"2d of texts", "3.4.24 4.2.0", "", "", `{"key":{"a":"2d"},"name":"x","bits":"x"}`, "72 " + rules.IndexSpecial.ID()},
		{"2dsphere of version 4", "3.4.24 4.2.0", "", "", `{"key":{"a":"2dsphere"},"name":"x","2dsphereIndexVersion":4}`, "67 " + rules.IndexSpecial.ID()},
		{"2dsphere finer than there is", "3.4.24 4.2.0", "", "", `{"key":{"a":"2dsphere"},"name":"x","finestIndexedLevel":31}`, "16748 " + rules.IndexSpecial.ID()},
		{"2dsphere finer than coarse", "3.4.24 4.2.0", "", "", `{"key":{"a":"2dsphere"},"name":"x","finestIndexedLevel":4,"coarsestIndexedLevel":5}`, "16749 " + rules.IndexSpecial.ID()},
		{"2dsphere coarser than there is", "3.4.24 4.2.0", "", "", `{"key":{"a":"2dsphere"},"name":"x","coarsestIndexedLevel":-1}`, "16747 " + rules.IndexSpecial.ID()},
		{"geoHaystack of no size", "3.4.24 4.2.0", "", "", `{"key":{"a":"geoHaystack","b":1},"name":"x","bucketSize":0}`, "16769 " + rules.IndexSpecial.ID()},
		{"geoHaystack alone", "3.4.24 4.2.0", "", "", `{"key":{"a":"geoHaystack"},"name":"x","bucketSize":1}`, "16774 " + rules.IndexSpecial.ID()},
		{"text on all fields", "2.6.12 4.2.0 8.2.4", "", "", ttl(`{"$**":"text"}`), "5"},
		{"a field twice", "3.4.24 4.2.0 8.2.4", "", "", ttl(`{"a":1,"a":1}`), "2 " + rules.IndexKey.ID()},
		{"_id by a fraction", "3.4.24 4.2.0 8.2.4", "", "", `{"key":{"_id":1.5},"name":"x"}`, "2 " + rules.IndexID.ID()},
		{"33 fields", "4.0.28 8.2.4", "", "", `{"key":` + keyOf(33) + `,"name":"x"}`, "13103 " + rules.IndexKey.ID()},
		{"32 fields", "4.0.28 8.2.4", "", "", `{"key":` + keyOf(32) + `,"name":"x"}`, "-"},
		{"2049 bytes", "2.6.12 4.0.28 8.2.4", "", "", `{"key":{"` + strings.Repeat("a", 2049-4-1-1-4-1) + `":1},"name":"x"}`, "67 " + rules.IndexKey.ID()},
		{"2048 bytes", "2.6.12 4.0.28 8.2.4", "", "", `{"key":{"` + strings.Repeat("a", 2048-4-1-1-4-1) + `":1},"name":"x"}`, "-"},
		{"2049 bytes, longer ago", "2.2.0 2.4.14", "", "", `{"key":{"` + strings.Repeat("a", 2049-4-1-1-4-1) + `":1},"name":"x"}`, "12524 " + rules.IndexKey.ID()},
		{"a bucket's type", "5.0.0 8.2.4", "", "", ttl(`{"a":"2dsphere_bucket"}`), "unspecified " + rules.IndexUnspecified.ID()},
		{"a bucket's type before there are any", "4.2.0", "", "", ttl(`{"a":"2dsphere_bucket"}`), "67 " + rules.IndexKey.ID()},
		{"an unknown type", checked, "", "", ttl(`{"a":"sideways"}`), "67 " + rules.IndexKey.ID()},
		{"no key", checked, "", "", `{"expireAfterSeconds":5}`, "9 " + rules.IndexKey.ID()},
		{"a key that is not one", checked, "", "", ttl(`"a"`), "14 " + rules.IndexFieldType.ID()},
	})
}

func TestCreateIndexesOptions(t *testing.T) {
	with := func(option string) string { return `{"key":{"a":1},"expireAfterSeconds":5,` + option + `}` }
	checkIndexes(t, []indexVector{
		{"sparse and unique", unchecked + " " + checked, "", "", with(`"sparse":true,"unique":true`), "5"},
		{"numbers are flags", checked, "", "", with(`"sparse":1.0`), "5"},
		{"a text is no flag", "5.0.0 8.2.4", "", "", with(`"sparse":"yes"`), "14 " + rules.IndexFieldType.ID()},
		{"a text as a flag", "2.6.12 3.4.24 4.0.28 4.2.0 4.4.29", "", "", with(`"unique":"yes"`), "5"},
		{"null as a flag", "2.6.12 3.4.24 4.0.28 4.2.0 4.4.29", "", "", with(`"sparse":null`), "5"},
		{"hidden", "4.4.0 8.2.4", "", "", with(`"hidden":true`), "5"},
		{"hidden, unknown", "3.4.0 4.2.0", "", "", with(`"hidden":true`), "197 " + rules.IndexUnknownField.ID()},
		{"hidden, ignored", "3.2.22", "", "", with(`"hidden":true`), "5"},
		{"hidden as a number", "4.4.0 8.2.4", "", "", with(`"hidden":1`), "14 " + rules.IndexFieldType.ID()},
		{"collation", "3.4.0 8.2.4", "", "", with(`"collation":{"locale":"fr"}`), "5"},
		{"a collation that is not one", "3.4.0 8.2.4", "", "", with(`"collation":"fr"`), "14 " + rules.IndexFieldType.ID()},
		{"collation, ignored", "3.2.22", "", "", with(`"collation":{"locale":"fr"}`), "5"},
		{"an empty collation", "3.4.24 4.2.0 8.2.4", "", "", with(`"collation":{}`), "2 " + rules.IndexCollation.ID()},
		{"an unknown locale", "3.4.24 4.2.0 8.2.4", "", "", with(`"collation":{"locale":"xx_nope"}`), "2 " + rules.IndexCollation.ID()},
		{"a collation without a locale", "3.4.24 4.2.0", "", "", with(`"collation":{"strength":2}`), "4 " + rules.IndexCollation.ID()},
		{"a locale that is no text", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":5}`), "14 " + rules.IndexCollation.ID()},
		{"the simple collation and more", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"simple","strength":2}`), "9 " + rules.IndexCollation.ID()},
		{"a strength of 6", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"fr","strength":6}`), "9 " + rules.IndexCollation.ID()},
		{"a strength of 1.5", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"fr","strength":1.5}`), "2 " + rules.IndexCollation.ID()},
		{"a word that is not one of its words", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"fr","caseFirst":"both"}`), "9 " + rules.IndexCollation.ID()},
		{"a number as a flag of a collation", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"fr","caseLevel":1}`), "14 " + rules.IndexCollation.ID()},
		{"another version of a collation", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"fr","version":"58.2"}`), "161 " + rules.IndexCollation.ID()},
		{"an unknown option of a collation", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"fr","foo":1}`), "9 " + rules.IndexCollation.ID()},
		{"backwards without accents", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"fr","backwards":true,"strength":1}`), "2 " + rules.IndexCollation.ID()},
		{"upper case first without case", "3.4.24 4.2.0", "", "", with(`"collation":{"locale":"fr","caseFirst":"upper","strength":2}`), "2 " + rules.IndexCollation.ID()},
		{"a collation that newer releases read anew", "5.1.0 8.2.4", "", "", with(`"collation":{"locale":"fr","strength":6}`), "unspecified " + rules.IndexUnspecified.ID()},
		{"a collation in 5.0", "5.0.0", "", "", with(`"collation":{"locale":"fr","strength":6}`), "51024 " + rules.CommandValue.ID()},
		{"a collation with another field in 5.0", "5.0.0", "", "", with(`"collation":{"locale":"fr","foo":1}`), "40415 " + rules.CommandUnknown.ID()},
		{"a variant of a locale", "3.4.24 8.2.4", "", "", with(`"collation":{"locale":"de@collation=phonebook"}`), "5"},
		{"a collation of _id", "3.4.24 4.2.0 8.2.4", "", "", `{"key":{"_id":1},"name":"_id_","collation":{"locale":"fr"}}`, "2 " + rules.IndexCollation.ID()},
		{"a collation of a text index", "3.4.24 8.2.4", "", "", `{"key":{"a":"text"},"name":"x","collation":{"locale":"fr"}}`, "67 " + rules.IndexCollation.ID()},
		{"the simple collation of a text index", "3.4.24 8.2.4", "", "", `{"key":{"a":"text"},"name":"x","collation":{"locale":"simple"}}`, "-"},
		{"v: 1 with a collation", "3.4.24 4.2.0 8.2.4", "", "", with(`"v":1,"collation":{"locale":"fr"}`), "67 " + rules.IndexVersion.ID()},
		{"v: 3", "3.0.15 3.2.22 3.4.24 4.2.0 8.2.4", "", "", with(`"v":3`), "67 " + rules.IndexVersion.ID()},
		{"v: 0", "3.2.22 3.4.24 4.2.0 8.2.4", "", "", with(`"v":0`), "67 " + rules.IndexVersion.ID()},
		{"v: 0, by the storage engine", "3.0.15", "", "", with(`"v":0`), "unspecified " + rules.IndexUnspecified.ID()},
		{"v: 0, long ago", "2.2.0 2.6.12", "", "", with(`"v":0`), "5"},
		{"v as a text", "3.4.24 4.2.0 8.2.4", "", "", with(`"v":"1"`), "14 " + rules.IndexVersion.ID()},
		{"v as a text, long ago", "3.0.15 3.2.22", "", "", with(`"v":"1"`), "67 " + rules.IndexVersion.ID()},
		{"v as a text, longer ago", "2.2.0 2.4.14 2.6.12", "", "", with(`"v":"1"`), "13118 " + rules.IndexVersion.ID()},
		{"v: 2, longer ago", "2.2.0 2.4.14 2.6.12", "", "", with(`"v":2`), "14803 " + rules.IndexVersion.ID()},
		{"v: 1.5", "3.4.24 4.2.0 8.2.4", "", "", with(`"v":1.5`), "2 " + rules.IndexVersion.ID()},
		{"v: 2^31", "3.4.24 4.2.0 8.2.4", "", "", with(`"v":` + twoTo31), "2 " + rules.IndexVersion.ID()},
		{"v: 2.0", "3.4.24 4.2.0 8.2.4", "", "", with(`"v":{"$numberDouble":"2.0"}`), "5"},
		{"_id in a specification", "3.4.24 4.2.0 8.2.4", "", "", with(`"_id":5`), "5"},
		{"_id in the specification of _id", "3.4.24 4.2.0 8.2.4", "", "", `{"key":{"_id":1},"name":"x","_id":5}`, "exists"},
		{"ns of another collection", "3.4.24 4.2.0", "", "", with(`"ns":"x"`), "2 " + rules.IndexNamespace.ID()},
		{"ns that is empty", "3.4.24 4.2.0", "", "", with(`"ns":""`), "2 " + rules.IndexNamespace.ID()},
		{"ns that is no text", "3.4.24 4.2.0", "", "", with(`"ns":5`), "14 " + rules.IndexFieldType.ID()},
		{"ns, ignored", "4.4.0 8.2.4", "", "", with(`"ns":5`), "5"},
		{"ns without a code", "2.6.12 3.2.22", "", "", with(`"ns":5`), "unspecified " + rules.IndexUnspecified.ID()},
		{"ns of the collection", "3.4.24 4.2.0", `{"ns":"d.c"}`, "", with(`"ns":"d.c"`), "5"},
		{"ns of a known other collection", "3.4.24 4.2.0", `{"ns":"d.c"}`, "", with(`"ns":"d.d"`), "2 " + rules.IndexNamespace.ID()},
		{"background of another type", "5.0.0 8.2.4", "", "", with(`"background":"x"`), "14 " + rules.IndexFieldType.ID()},
		{"background, not looked at", "3.4.24 4.4.29", "", "", with(`"background":"x"`), "5"},
		{"originalSpec", "6.0.0 8.2.4", "", "", with(`"originalSpec":5`), "14 " + rules.IndexFieldType.ID()},
		{"originalSpec, unknown", "3.4.24 4.4.29", "", "", with(`"originalSpec":5`), "197 " + rules.IndexUnknownField.ID()},
		{"weights on a plain index", "5.0.0 8.2.4", "", "", with(`"weights":{"a":1}`), "67 " + rules.IndexSpecial.ID()},
		{"weights, not looked at", "3.4.24 4.4.29", "", "", with(`"weights":{"a":1}`), "5"},
		{"storageEngine without any", "3.2.22 3.4.24 4.2.0 8.2.4", "", "", with(`"storageEngine":{}`), "67 " + rules.IndexStorage.ID()},
		{"storageEngine, another code", "3.0.15", "", "", with(`"storageEngine":{}`), "2 " + rules.IndexStorage.ID()},
		{"storageEngine that is not a document", "3.2.22 4.2.0 8.2.4", "", "", with(`"storageEngine":5`), "67 " + rules.IndexStorage.ID()},
		{"an engine without a document", "3.2.22 4.2.0 8.2.4", "", "", with(`"storageEngine":{"wiredTiger":5}`), "2 " + rules.IndexStorage.ID()},
		{"an engine that there is not", "3.2.22 4.2.0 8.2.4", "", "", with(`"storageEngine":{"papyrus":{}}`), "72 " + rules.IndexStorage.ID()},
		{"storageEngine, not looked at", "2.6.12", "", "", with(`"storageEngine":5`), "5"},
		{"unique and about to become it", "6.0.0 8.2.4", "", "", with(`"unique":true,"prepareUnique":true`), "67 " + rules.IndexPrepareUnique.ID()},
		{"prepareUnique as a number", "6.0.0 8.2.4", "", "", with(`"prepareUnique":1`), "5"},
		{"clustered", "5.3.0 8.2.4", "", "", `{"key":{"_id":1},"name":"x","unique":true,"clustered":true}`, "6243700 " + rules.IndexClustered.ID()},
		{"clustered but not unique", "5.3.0 8.2.4", "", "", `{"key":{"_id":1},"name":"x","clustered":true}`, "67 " + rules.IndexClustered.ID()},
		{"not clustered", "5.3.0 8.2.4", "", "", `{"key":{"_id":1},"name":"x","clustered":false}`, "6492800 " + rules.IndexClustered.ID()},
		{"clustered, unknown", "3.4.24 4.4.29 5.2.0", "", "", with(`"clustered":true`), "197 " + rules.IndexUnknownField.ID()},
		{"clustered with TTL", "5.3.0 6.3.2", "", "", with(`"clustered":true,"unique":true`), "197 " + rules.IndexUnknownField.ID()},
		{"clustered with TTL, unspecified", "7.0.0 7.2.2", "", "", with(`"clustered":true,"unique":true`), "unspecified " + rules.IndexUnspecified.ID()},
		{"clustered with TTL, of a collection that is not", "7.3.0 8.2.4", "", "", with(`"clustered":true,"unique":true`), "6243700 " + rules.IndexClustered.ID()},
		{"clustered with TTL that is no number", "7.3.0", "", "", `{"key":{"a":1},"name":"a","unique":true,"clustered":true,"expireAfterSeconds":"x"}`, "67 " + rules.SecondsType.ID()},
		{"hidden in a system collection", "4.4.0 8.2.4", `{"ns":"d.system.js"}`, "", with(`"hidden":true`), "2 " + rules.IndexHidden.ID()},
		{"the option in a system collection, false", "4.4.0 8.2.4", `{"ns":"d.system.js"}`, "", with(`"hidden":false`), "2 " + rules.IndexHidden.ID()},
		{"hidden in a system collection, before the name", "4.4.0 8.2.4", `{"ns":"d.system.js"}`, "", with(`"name":"","hidden":true`), "2 " + rules.IndexHidden.ID()},
		{"hidden in a system collection, behind the name *", "4.4.0 8.2.4", `{"ns":"d.system.js"}`, "", with(`"name":"*","hidden":true`), "2 " + rules.IndexName.ID()},
		{"hidden in the buckets of a time series", "8.2.4", `{"ns":"d.system.buckets.c"}`, "", with(`"hidden":false`), "5"},
		{"encrypted", "6.0.0 8.2.4", `{"encryptedFields":{"fields":[]}}`, "", after(`5`), "6346501 " + rules.IndexEncrypted.ID()},
		{"encrypted without TTL", "6.0.0 8.2.4", `{"encryptedFields":{"fields":[]}}`, "", `{"key":{"a":1}}`, "-"},
		{"encrypted before there are any", "5.3.2", `{"encryptedFields":{"fields":[]}}`, "", after(`5`), "unspecified " + rules.IndexUnspecified.ID()},
		{"a long name", "3.2.22 4.0.28", `{"ns":"d.c"}`, "", with(`"name":"` + strings.Repeat("n", 123) + `"`), "67 " + rules.IndexName.ID()},
		{"a name that just fits", "4.0.28", `{"ns":"d.c"}`, "", with(`"name":"` + strings.Repeat("n", 122) + `"`), "5"},
		{"a long name, no matter", "4.2.0 8.2.4", `{"ns":"d.c"}`, "", with(`"name":"` + strings.Repeat("n", 123) + `"`), "5"},
		{"wildcardProjection, unknown", "3.4.0 4.0.28", "", "", with(`"wildcardProjection":{"a":1}`), "197 " + rules.IndexUnknownField.ID()},
		{"wildcardProjection on a plain index", "4.2.0 8.2.4", "", "", with(`"wildcardProjection":{"a":1}`), "2 " + rules.IndexSpecial.ID()},
		{"wildcardProjection", "4.2.0 8.2.4", "", "", `{"key":{"$**":1},"name":"x","wildcardProjection":{"a":1}}`, "-"},
		{"an empty wildcardProjection", "4.2.0 8.2.4", "", "", `{"key":{"$**":1},"name":"x","wildcardProjection":{}}`, "9 " + rules.IndexSpecial.ID()},
		{"prepareUnique, unknown", "4.4.0 5.0.14", "", "", with(`"prepareUnique":true`), "197 " + rules.IndexUnknownField.ID()},
		{"prepareUnique", "6.0.2 8.2.4", "", "", with(`"prepareUnique":true`), "5"},
		{"an unknown option", "3.4.0 8.2.4", "", "", with(`"expireAfter":5`), "197 " + rules.IndexUnknownField.ID()},
		{"an unknown option, ignored", "3.2.22", "", "", with(`"expireAfter":5`), "5"},
		{"options that do not matter", "3.4.24 8.2.4", "", "", with(`"v":2,"background":true`), "5"},
		{"a name that is not one", "3.4.0 8.2.4", "", "", with(`"name":5`), "14 " + rules.IndexFieldType.ID()},
		{"a name that is not one, not looked at", "2.6.12 3.0.15 3.2.22", "", "", with(`"name":5`), "67 " + rules.IndexName.ID()},
		{"a null name", "3.4.0 8.2.4", "", "", with(`"name":null`), "14 " + rules.IndexFieldType.ID()},
		{"an empty name", "8.2.4", "", "", with(`"name":""`), "67 " + rules.IndexName.ID()},
		{"the index on _id of a time-series collection", "8.3.0 " + fixture.Latest, `{"timeseries":{"timeField":"t"}}`, "", `{"key":{"_id":1},"name":"_id_"}`, "2 " + rules.IndexName.ID()},
		{"the index on _id of a time-series collection, unspecified", "5.2.0 8.2.11", `{"timeseries":{"timeField":"t"}}`, "", `{"key":{"_id":1},"name":"_id_"}`, "unspecified " + rules.IndexUnspecified.ID()},
		{"another name for it, unspecified", "8.3.0", `{"timeseries":{"timeField":"t"}}`, "", `{"key":{"_id":1},"name":"i"}`, "unspecified " + rules.IndexUnspecified.ID()},
		{"the index on _id of an ordinary collection", "8.3.0 " + fixture.Latest, "", "", `{"key":{"_id":1},"name":"_id_"}`, "exists"},
		{"the name of the index on _id", "3.4.0 8.2.4", "", "", with(`"name":"_id_"`), "2 " + rules.IndexName.ID()},
		{"the name of all", "3.6.0 8.2.4", "", "", with(`"name":"*"`), "2 " + rules.IndexName.ID()},
		{"the name of all, of an index", "2.6.12 3.2.22 3.4.24", "", "", with(`"name":"*"`), "5"},
	})
}

func TestCreateIndexesFilter(t *testing.T) {
	with := func(filter string) string {
		return `{"key":{"a":1},"expireAfterSeconds":5,"partialFilterExpression":` + filter + `}`
	}
	var (
		language = "67 " + rules.IndexFilterLanguage.ID()
		syntax   = rules.IndexFilterSyntax.ID()
	)
	checkIndexes(t, []indexVector{
		{"an equality", "3.2.0 4.4.29 8.2.4", "", "", with(`{"b":1}`), "5"},
		{"nothing", "3.2.0 8.2.4", "", "", with(`{}`), "5"},
		{"a disjunction", "6.0.0 8.2.4", "", "", with(`{"$or":[{"b":1},{"c":1}]}`), "5"},
		{"a disjunction", "3.2.0 5.3.2", "", "", with(`{"$or":[{"b":1},{"c":1}]}`), language},
		{"an inequality to", "3.2.0 8.2.4", "", "", with(`{"b":{"$ne":1}}`), language},
		{"what is not to exist", "3.2.0 8.2.4", "", "", with(`{"b":{"$exists":false}}`), language},
		{"no document", "3.6.0 8.2.4", "", "", with(`5`), "14 " + rules.IndexFieldType.ID()},
		{"no document, found later", "3.2.22 3.4.24", "", "", with(`5`), "67 " + syntax},
		{"$expr, not known", "3.2.22 3.4.24", "", "", with(`{"$expr":{"$eq":[1,1]}}`), "2 " + syntax},
		{"$jsonSchema, not known", "3.2.22 3.4.24", "", "", with(`{"$jsonSchema":{}}`), "2 " + syntax},
		{"$expr", "3.6.0 4.0.28", "", "", with(`{"$expr":{"$eq":[1,1]}}`), "224 " + syntax},
		{"$expr about an element", "3.6.0 8.2.4", "", "", with(`{"b":{"$elemMatch":{"$expr":true}}}`), "2 " + syntax},
		{"$where", "3.6.0 8.2.4", "", "", with(`{"$where":"1"}`), "2 " + syntax},
		{"$where without a context", "3.2.22 3.4.24", "", "", with(`{"$where":"1"}`), "81 " + syntax},
		{"$near", "3.6.0 8.2.4", "", "", with(`{"b":{"$near":[0,0]}}`), "2 " + syntax},
		{"$near, read", "3.2.22 3.4.24", "", "", with(`{"b":{"$near":[0,0]}}`), language},
		{"$isolated, a clause", "3.2.22", "", "", with(`{"$isolated":1}`), language},
		{"$isolated that is off", "3.2.22", "", "", with(`{"$isolated":0}`), "5"},
		{"$isolated, passed over", "3.4.0 3.4.24", "", "", with(`{"$isolated":1}`), "5"},
		{"$isolated, banned", "3.6.0", "", "", with(`{"$isolated":1}`), "224 " + syntax},
		{"$isolated, forgotten", "4.0.0 8.2.4", "", "", with(`{"$isolated":1}`), "2 " + syntax},
		{"$isolated below the top", "3.2.22 3.4.24", "", "", with(`{"$and":[{"$isolated":1}]}`), "2 " + syntax},
		{"$alwaysTrue", "3.6.0 8.2.4", "", "", with(`{"$alwaysTrue":1}`), language},
		{"$alwaysTrue that is not 1", "3.6.0 8.2.4", "", "", with(`{"$alwaysTrue":0}`), "9 " + syntax},
		{"$alwaysTrue, not known", "3.2.22 3.4.24", "", "", with(`{"$alwaysTrue":1}`), "2 " + syntax},
		{"type 0", "3.2.22 3.4.24 3.6.0 4.0.28", "", "", with(`{"b":{"$type":0}}`), "5"},
		{"type 0, refused", "4.2.0 8.2.4", "", "", with(`{"b":{"$type":0}}`), "2 " + syntax},
		{"type 1.5", "3.2.22 3.4.24", "", "", with(`{"b":{"$type":1.5}}`), "5"},
		{"type 1.5, refused", "3.6.0 8.2.4", "", "", with(`{"b":{"$type":1.5}}`), "2 " + syntax},
		{"type 99, of any number", "3.2.0 3.2.3", "", "", with(`{"b":{"$type":99}}`), "5"},
		{"type 99", "3.2.4 3.2.22 3.4.24 8.2.4", "", "", with(`{"b":{"$type":99}}`), "2 " + syntax},
		{"an unknown operator", "3.2.0 8.2.4", "", "", with(`{"b":{"$foo":1}}`), "2 " + syntax},
		{"an expression", "4.2.0 8.2.4", "", "", with(`{"$expr":{"$eq":[1,1]}}`), "224 " + syntax},
		{"partial and sparse", "3.2.0 8.2.4", "", "", `{"key":{"a":1},"sparse":true,"partialFilterExpression":{"b":1}}`, "67 " + rules.IndexPartialSparse.ID()},
		{"partial and not sparse", "8.2.4", "", "", `{"key":{"a":1},"sparse":false,"partialFilterExpression":{"b":1}}`, "-"},
		{"before there are filters", "2.2.0 2.6.12 3.0.15", "", "", with(`{"b":1}`), "5"},
		{"anything before there are filters", "2.6.12 3.0.15", "", "", with(`5`), "5"},
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
		{"capped, refused", "5.2.0 5.3.2 6.0.0 6.0.7 6.0.24 6.1.0 6.3.2 7.0.0 7.0.24", capped, "", after(`5`), "67 " + rules.IndexCapped.ID()},
		{"capped, unspecified", "6.0.25 7.0.25 7.0.41", capped, "", after(`5`), "unspecified " + rules.IndexCappedUnspecified.ID()},
		{"capped, deletes", "7.1.0 8.2.4", capped, "", after(`5`), "5"},
		{"capped without TTL", "7.0.0", capped, "", `{"key":{"a":1}}`, "-"},
		{"capped and clustered", "7.1.0 8.2.4", `{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "", after(`5`), "6049202 " + rules.IndexCappedCluster.ID()},
		{"capped and clustered, before the seconds", "5.3.0 8.2.4", `{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "", after(`-1`), "6049202 " + rules.IndexCappedCluster.ID()},
		{"capped and clustered, before their type", "7.0.0", `{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "", after(`"x"`), "6049202 " + rules.IndexCappedCluster.ID()},
		{"capped and clustered, without TTL", "7.1.0 8.2.4", `{"capped":true,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "", `{"key":{"a":1}}`, "-"},
		{"clustered", "5.3.0 8.2.4", clustered, "", after(`5`), "5"},
		{"clustered before there are any", "5.2.0", clustered, "", after(`5`), "unspecified " + rules.IndexUnspecified.ID()},
		{"a clustered collection's own key", "5.3.0 8.2.4", clustered, "", ttl(`{"_id":1}`, ""), "197 " + rules.IndexID.ID()},
		{"a clustered collection's own key as it is listed", "7.3.0 " + fixture.Latest, clustered, "", ttl(`{"_id":1}`, `,"unique":true,"clustered":true`), "exists"},
		{"a view", "3.4.0 8.2.4", `{"viewOn":"x"}`, "", after(`5`), "166 " + rules.IndexView.ID()},
		{"a view before there are any", "3.2.22", `{"viewOn":"x"}`, "", after(`5`), "unspecified " + rules.IndexUnspecified.ID()},
		{"a view, after the TTL options", "4.2.0 8.2.4", `{"viewOn":"x"}`, "", after(`-1`), "67 " + rules.SecondsNegative.ID()},
		{"time-series, too early", "5.2.0 6.0.0 6.2.0", series, "", ttl(`{"t":1}`, onMeta), "72 " + rules.IndexSeries.ID()},
		{"time-series, too early for a filter", "5.0.0 5.1.1", series, "", `{"key":{"t":1},"partialFilterExpression":{"m.kind":"x"}}`, "72 " + rules.IndexSeriesFilter.ID()},
		{"time-series, an index of two fields on the buckets", "5.0.0 5.1.1", series, "", ttl(`{"t":1}`, ""), "67 " + rules.CompoundRefused.ID()},
		{"time-series, on the meta field, too early", "5.0.0 5.1.1", series, "", ttl(`{"m":1}`, ""), "72 " + rules.IndexSeries.ID()},
		{"time-series, the range first, too early", "5.0.0", series, "", `{"key":{"m":1},"expireAfterSeconds":-1}`, "67 " + rules.SecondsNegative.ID()},
		{"time-series, unknown names before unique, too early", "5.0.0", series, "", `{"key":{"m":1},"unique":true,"foo":1}`, "197 " + rules.IndexUnknownField.ID()},
		{"time-series, a hashed time", "5.0.0 8.2.4", series, "", `{"key":{"t":"hashed"}}`, "67 " + rules.IndexSeriesKey.ID()},
		{"time-series without a filter, too early", "5.2.0 6.2.0", series, "", ttl(`{"t":1}`, ""), "72 " + rules.IndexSeries.ID()},
		{"time-series, on a measurement, too early", "5.0.0 5.1.1", series, "", `{"key":{"x":1}}`, "67 " + rules.IndexSeriesKey.ID()},
		{"time-series, text", "5.0.0 8.2.4", series, "", `{"key":{"m":"text"}}`, "72 " + rules.IndexSeriesKey.ID()},
		{"time-series, sparse on a measurement", "6.0.0 8.2.4", series, "", `{"key":{"x":1},"sparse":false}`, "72 " + rules.IndexSeriesKey.ID()},
		{"time-series, sparse on metadata", "6.0.0 8.2.4", series, "", `{"key":{"m.a":1,"t":1},"sparse":true}`, "-"},
		{"time-series", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta), "5"},
		{"time-series without a filter", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, ""), "72 " + rules.IndexSeriesFilter.ID()},
		{"time-series, filter on a measurement", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, `,"partialFilterExpression":{"m":1,"x":1}`), "72 " + rules.IndexSeriesFilter.ID()},
		{"time-series on another field", "6.3.0 8.2.4", series, "", ttl(`{"m":1}`, onMeta), "72 " + rules.IndexSeriesKey.ID()},
		{"time-series on several", "6.3.0 8.2.4", series, "", ttl(`{"t":1,"m":1}`, onMeta), "67 " + rules.CompoundRefused.ID()},
		{"time-series with a collation", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta+`,"collation":{"locale":"fr"}`), "85 " + rules.IndexSeriesCollation.ID()},
		{"time-series, unique", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta+`,"unique":true`), "72 " + rules.IndexSeriesUnique.ID()},
		{"time-series, unique, with an unknown field", "6.3.0 8.2.4", series, "", `{"key":{"t":1},"unique":true,"foo":1}`, "72 " + rules.IndexSeriesUnique.ID()},
		{"time-series, the simple collation", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta+`,"collation":{"locale":"simple"}`), "85 " + rules.IndexSeriesCollation.ID()},
		{"time-series on the meta field below 0", "6.3.0 8.2.4", series, "", `{"key":{"m":1},"expireAfterSeconds":-1,"partialFilterExpression":{"m":1}}`, "72 " + rules.IndexSeriesKey.ID()},
		{"time-series, not unique in so many words", "6.3.0 8.2.4", series, "", ttl(`{"t":1}`, onMeta+`,"unique":false`), "5"},
		{"time-series, unique, without TTL", "5.0.0 8.2.4", series, "", `{"key":{"t":1},"unique":true}`, "72 " + rules.IndexSeriesUnique.ID()},
		{"time-series without TTL", "5.0.0 8.2.4", series, "", `{"key":{"t":1}}`, "-"},
		{"time-series on a measurement, without TTL", "6.3.0 8.2.4", series, "", `{"key":{"x":1}}`, "-"},
		{"time-series before there are any", "4.4.29", series, "", `{"key":{"t":1}}`, "unspecified " + rules.IndexUnspecified.ID()},
	})
}

// TestCreateIndexesOrder: of two faults, the one that the server checks first decides.
func TestCreateIndexesOrder(t *testing.T) {
	series := `{"timeseries":{"timeField":"t","metaField":"m"}}`
	checkIndexes(t, []indexVector{
		{"an unknown option before the type", "8.2.4", "", "", `{"key":{"a":1},"expireAfterSeconds":"x","foo":1}`, "197 " + rules.IndexUnknownField.ID()},
		{"_id before the type", "8.2.4", "", "", `{"key":{"_id":1},"expireAfterSeconds":"x"}`, "197 " + rules.IndexID.ID()},
		{"the filter's syntax before _id", "3.6.0 4.2.0 8.2.4", "", "", `{"key":{"_id":1},"partialFilterExpression":{"$foo":1}}`, "2 " + rules.IndexFilterSyntax.ID()},
		{"_id before the filter's syntax", "3.4.24", "", "", `{"key":{"_id":1},"partialFilterExpression":{"$foo":1}}`, "197 " + rules.IndexID.ID()},
		{"the filter's syntax before the name", "3.6.0 4.2.0 8.2.4", "", "", `{"key":{"a":1},"name":"_id_","partialFilterExpression":{"$foo":1}}`, "2 " + rules.IndexFilterSyntax.ID()},
		{"an unknown option before a name's type", "3.4.24 4.2.0 8.2.4", "", "", `{"name":5,"key":{"a":1},"foo":1}`, "197 " + rules.IndexUnknownField.ID()},
		{"an unknown option before hidden's type", "4.4.0 8.2.4", "", "", `{"hidden":5,"key":{"a":1},"foo":1}`, "197 " + rules.IndexUnknownField.ID()},
		{"the key where it comes", "3.4.24 4.2.0 8.2.4", "", "", `{"key":{"a":0},"name":5}`, "67 " + rules.IndexKey.ID()},
		{"the name where it comes", "3.4.24 4.2.0 8.2.4", "", "", `{"name":5,"key":{"a":0}}`, "14 " + rules.IndexFieldType.ID()},
		{"what is missing comes last", "3.4.24 4.2.0 8.2.4", "", "", `{"name":"x","v":"1"}`, "14 " + rules.IndexVersion.ID()},
		{"v before the name, long ago", "3.0.15 3.2.22", "", "", `{"key":{"a":1},"name":5,"v":3}`, "67 " + rules.IndexVersion.ID()},
		{"the name before v, longer ago", "2.6.12", "", "", `{"key":{"a":1},"name":5,"v":3}`, "67 " + rules.IndexName.ID()},
		{"a conflict before v, longer ago", "2.2.0 2.4.14", "", `[{"key":{"a":1},"name":"a_1"}]`, `{"key":{"a":1},"v":3}`, "exists"},
		{"a conflict before what the type asks for", "3.4.24 4.0.28", "", `[{"key":{"a":"hashed","b":1},"name":"n"}]`, `{"key":{"a":"hashed","b":1},"name":"n"}`, "exists"},
		{"what the type asks for", "3.4.24 4.0.28 4.2.0", "", "", `{"key":{"a":"hashed","b":1},"name":"n"}`, "16763 " + rules.IndexSpecial.ID()},
		{"an unknown locale before a conflict", "3.4.24 4.2.0", "", `[{"key":{"a":1},"name":"a_1"}]`, `{"key":{"a":1},"unique":true,"collation":{"locale":"xx"}}`, "2 " + rules.IndexCollation.ID()},
		{"a filter's syntax before the type", "8.2.4", "", "", `{"key":{"a":1},"expireAfterSeconds":"x","partialFilterExpression":{"$foo":1}}`, "2 " + rules.IndexFilterSyntax.ID()},
		{"the type before the filter's language", "8.2.4", "", "", `{"key":{"a":1},"expireAfterSeconds":"x","partialFilterExpression":{"a":{"$ne":1}}}`, "67 " + rules.SecondsType.ID()},
		{"the range before the fields", "8.2.4", "", "", `{"key":{"a":1,"b":1},"expireAfterSeconds":-1}`, "67 " + rules.SecondsNegative.ID()},
		{"the fields before the wildcard", "8.2.4", "", "", `{"key":{"$**":1,"b":1},"expireAfterSeconds":1}`, "67 " + rules.CompoundRefused.ID()},
		{"the range before the wildcard", "8.2.4", "", "", `{"key":{"$**":1},"expireAfterSeconds":-1}`, "67 " + rules.SecondsNegative.ID()},
		{"the range before a capped collection", "7.0.0", `{"capped":true}`, "", after(`-1`), "67 " + rules.SecondsNegative.ID()},
		{"the filter before a capped collection", "7.0.0", `{"capped":true}`, "", `{"key":{"a":1},"expireAfterSeconds":1,"partialFilterExpression":{"a":{"$ne":1}}}`, "67 " + rules.IndexFilterLanguage.ID()},
		{"a capped collection before a conflict", "7.0.0", `{"capped":true}`, `[{"key":{"a":1}}]`, after(`1`), "67 " + rules.IndexCapped.ID()},
		{"a collation before the filter's field", "8.2.4", series, "", `{"key":{"t":1},"expireAfterSeconds":1,"collation":{"locale":"fr"},"partialFilterExpression":{"x":1}}`, "85 " + rules.IndexSeriesCollation.ID()},
		{"the filter's field before the type", "8.2.4", series, "", `{"key":{"t":1},"expireAfterSeconds":"x"}`, "72 " + rules.IndexSeriesFilter.ID()},
		{"the time field before the type", "8.2.4", series, "", `{"key":{"x":1},"expireAfterSeconds":"x","partialFilterExpression":{"m":1}}`, "72 " + rules.IndexSeriesKey.ID()},
	})
}

// TestCreateIndexesWithoutName: the server's reply about an index without a name. It comes
// before all checks except those of the fields and the key.
func TestCreateIndexesWithoutName(t *testing.T) {
	for _, tt := range []struct {
		versions, index, want string
	}{
		{"3.4.0 4.2.0 5.0.9 8.2.4 " + fixture.Latest, after(`5`), "9 " + rules.IndexName.ID()},
		{"2.6.0 3.0.15 3.2.22", after(`5`), "67 " + rules.IndexName.ID()},
		{"2.2.0 2.4.14", after(`5`), "12523 " + rules.IndexName.ID()},
		{"8.2.4", `{"key":{"_id":1},"expireAfterSeconds":5}`, "9 " + rules.IndexName.ID()},
		{"8.2.4", after(`-1`), "9 " + rules.IndexName.ID()},
		{"8.2.4", `{"expireAfterSeconds":5}`, "9 " + rules.IndexKey.ID()},
		{"8.2.4", `{"key":{"a":0},"expireAfterSeconds":5}`, "67 " + rules.IndexKey.ID()},
		{"8.2.4", `{"key":{"a":1},"bogus":5}`, "197 " + rules.IndexUnknownField.ID()},
	} {
		for version := range strings.FieldsSeq(tt.versions) {
			_, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, commandDocument(t, tt.index), fixture.Profile(t, version), commandNow)
			if got := outcome(t, err); got != tt.want {
				t.Errorf("createIndexes(%s) on %s = %s, want %s", tt.index, version, got, tt.want)
			}
		}
	}
}

// named returns the index of after, with a name.
func nameOf(seconds string) string {
	return `{"key":{"a":1},"name":"a_1","expireAfterSeconds":` + seconds + `}`
}

// TestCreateIndexesReason: the texts of refusals, which callers compare.
func TestCreateIndexesReason(t *testing.T) {
	tests := []struct{ version, index, want string }{
		{"8.2.4", after(`5`), "The 'name' field is a required property of an index specification"},
		{"2.6.12", after(`5`), "no index name specified"},
		{"8.2.4", nameOf(`"x"`), ". Index spec: " + nameOf(`"x"`) + " :: caused by :: TTL index 'expireAfterSeconds' option must be numeric, but received a type of 'string"},
		{"6.2.0", nameOf(`-1`), ". Index spec: " + nameOf(`-1`) + " :: caused by :: TTL index 'expireAfterSeconds' option cannot be less than 0"},
		{"6.1.0", nameOf(`-1`), "TTL index 'expireAfterSeconds' option cannot be less than 0. Index spec: " + nameOf(`-1`)},
		{"4.2.0", nameOf(`"x"`), "TTL index 'expireAfterSeconds' option must be numeric, but received a type of 'string'. Index spec: " + nameOf(`"x"`)},
		{"4.2.0", nameOf(`2147483647`), "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number. Index spec: " + nameOf(`2147483647`)},
		{"8.2.4", nameOf(twoTo31), ". Index spec: " + nameOf(twoTo31) + " :: caused by :: TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer"},
		{"8.2.4", nameOf(aNaN), ". Index spec: " + nameOf(aNaN) + " :: caused by :: TTL index 'expireAfterSeconds' option must not be NaN"},
		{"8.2.4", `{"key":{"_id":1},"name":"_id_1","expireAfterSeconds":5}`, `The field 'expireAfterSeconds' is not valid for an _id index specification. Specification: {"key":{"_id":1},"name":"_id_1","expireAfterSeconds":5}`},
		{"8.2.4", `{"key":{"a":1,"b":1},"name":"a_1_b_1","expireAfterSeconds":5}`, `TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: {"key":{"a":1,"b":1},"name":"a_1_b_1","expireAfterSeconds":5}`},
		{"5.3.2", `{"key":{"$**":1},"name":"all","expireAfterSeconds":5}`, "Index type 'wildcard' cannot be a TTL index"},
		{"6.0.0", `{"key":{"$**":1},"name":"all","expireAfterSeconds":5}`, "cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the 'expireAfterSeconds' option"},
	}
	for _, tt := range tests {
		_, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, commandDocument(t, tt.index), fixture.Profile(t, tt.version), commandNow)
		if refused, ok := err.(*mongo.SpecError); !ok || withoutTypes(refused.Reason) != withoutTypes(tt.want) {
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
	_, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, commandDocument(t, after(`5`)), mongo.Profile{}, policy.MaxInstant)
	if !errors.Is(err, mongo.ErrUnknownVersion) {
		t.Errorf("on no release: %v, want mongo.ErrUnknownVersion", err)
	}
}

// keyOf is a key pattern of n fields.
func keyOf(n int) string {
	var fields []string
	for i := range n {
		fields = append(fields, `"f`+strconv.Itoa(i)+`":1`)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// TestCreateIndexesIgnored: Ignored lists the options that a release stores without
// reading them.
func TestCreateIndexesIgnored(t *testing.T) {
	const index = `{"key":{"a":1},"name":"n","partialFilterExpression":{"b":1},"collation":{"locale":"fr"},"hidden":true,"foo":1,"sparse":false,"v":1}`
	for release, want := range map[string]string{
		"2.4.14": "partialFilterExpression collation hidden foo",
		"3.0.15": "partialFilterExpression collation hidden foo",
		"3.2.22": "collation hidden foo",
	} {
		made, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, commandDocument(t, index), fixture.Profile(t, release), commandNow)
		if got := strings.Join(made.Ignored, " "); err != nil || got != want {
			t.Errorf("%s ignores %q, %v, want %q", release, got, err, want)
		}
	}
}
