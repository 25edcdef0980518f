package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A commandVector is a command and its outcome in a release, derived from the server's
// source and tests. The clock is at second 1,700,000,000, 2023-11-14T22:13:20Z.
type commandVector struct {
	why, version string
	options      string // options of the collection; empty for an ordinary collection
	existing     string // indexes of the collection; empty for the TTL index a_1 on {a: 1} with 3600 seconds
	command      string
	// want is "old new stored", "code rule", or "unspecified rule".
	want string
}

const commandNow policy.Instant = 1_700_000_000_000

// commandDocument reads a command.
func commandDocument(t testing.TB, text string) policy.D {
	t.Helper()
	return policy.DOf(drawn.Value(t, text))
}

// commandProfile returns the profile of a release, which a storage engine may follow:
// "4.0.28/mmapv1".
func commandProfile(t rapid.TB, version string) mongo.Profile {
	t.Helper()
	release, engine, ok := strings.Cut(version, "/")
	p := fixture.Profile(t, release)
	if !ok {
		return p
	}
	p, err := p.WithParameter(behaviour.EngineParameter, policy.StringValue(engine))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// outcome returns an error in the notation of vectors.
func outcome(t testing.TB, err error) string {
	t.Helper()
	refused, ok := refusedBy(err)
	switch {
	case ok && errors.Is(err, policy.ErrUnspecified):
		if refused.Code != 0 || !strings.HasSuffix(refused.Rule.String(), "-unspecified") {
			t.Errorf("%v is unspecified by a rule that is not", err)
		}
		return "unspecified " + refused.Rule.String()
	case !ok:
		t.Fatalf("the error %v is no SpecError", err)
	case !hasCode(err, refused.Code) || refused.CodeName == "" && refused.Code < 40000 || refused.Reason == "" || refused.Field == "":
		t.Errorf("%+v lacks a reason or a field, or its code has no name", refused)
	}
	return fmt.Sprintf("%d %s", refused.Code, refused.Rule)
}

// short returns a number in the notation of vectors: an int32 without a suffix, an int64
// with an L.
func short(v policy.Value) string {
	n, ok := v.AsInt64()
	switch {
	case v.IsMissing():
		return "-"
	case !ok:
		return v.String()
	case v.Kind() == policy.Int64:
		return fmt.Sprintf("%dL", n)
	}
	return fmt.Sprint(n)
}

func collModOutcome(t testing.TB, v commandVector) string {
	t.Helper()
	existing := orElse(v.existing, `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":3600}]`)
	c, err := mongo.ParseCollectionSpec(drawn.Value(t, orElse(v.options, `{}`)), drawn.Value(t, existing))
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(c.Indexes)
	reply, err := hidden.ValidateCollMod(c, commandDocument(t, v.command), commandProfile(t, v.version), commandNow)
	if !slices.EqualFunc(before, c.Indexes, func(x, y mongo.IndexSpec) bool {
		return short(x.ExpireAfterSeconds) == short(y.ExpireAfterSeconds) && x.Hidden == y.Hidden
	}) {
		t.Errorf("%s: the collection that was passed in has changed", v.why)
	}
	if err != nil && reply.Index == "" {
		return outcome(t, err)
	}
	stored := reply.Collection.ExpireAfterSeconds
	for _, x := range reply.Collection.Indexes {
		if x.Name == reply.Index {
			stored = x.ExpireAfterSeconds
		}
	}
	all := short(reply.Old) + " " + short(reply.New) + " " + short(stored)
	if err != nil { // the change is made in spite of the error
		all += " " + outcome(t, err)
	}
	return all
}

func checkCollMod(t *testing.T, vectors []commandVector) {
	t.Helper()
	for _, v := range vectors {
		if got := collModOutcome(t, v); got != v.want {
			t.Errorf("%s: collMod(%s, %s, %s) on %s = %s, want %s", v.why, v.options, v.existing, v.command, v.version, got, v.want)
		}
	}
}

// expire is a collMod of the index a_1 to some seconds.
func expire(seconds string) string {
	return `{"index":{"name":"a_1","expireAfterSeconds":` + seconds + `}}`
}

const (
	aNaN        = `{"$numberDouble":"NaN"}`
	aNaNDecimal = `{"$numberDecimal":"NaN"}`
	infinity    = `{"$numberDouble":"Infinity"}`
	minusInf    = `{"$numberDouble":"-Infinity"}`
	infDecimal  = `{"$numberDecimal":"Infinity"}`
	minusInfDec = `{"$numberDecimal":"-Infinity"}`
	twoTo31     = `{"$numberLong":"2147483648"}`
)

func TestCollModConverts(t *testing.T) {
	checkCollMod(t, []commandVector{
		{"int32", "8.2.4", "", "", expire(`50`), "3600L 50L 50"},
		{"int64", "8.2.4", "", "", expire(`{"$numberLong":"50"}`), "3600L 50L 50"},
		{"a double is truncated", "8.2.4", "", "", expire(`{"$numberDouble":"50.7"}`), "3600L 50L 50"},
		{"decimals are rounded", "8.2.4", "", "", expire(`{"$numberDecimal":"50.4"}`), "3600L 50L 50"},
		{"half to even, down", "8.2.4", "", "", expire(`{"$numberDecimal":"50.5"}`), "3600L 50L 50"},
		{"decimals are rounded up", "8.2.4", "", "", expire(`{"$numberDecimal":"50.7"}`), "3600L 51L 51"},
		{"half to even, up", "8.2.4", "", "", expire(`{"$numberDecimal":"51.5"}`), "3600L 52L 52"},
		{"the lower bound", "8.2.4", "", "", expire(`0`), "3600L 0L 0"},
		{"-0.9 is 0", "8.2.4", "", "", expire(`{"$numberDouble":"-0.9"}`), "3600L 0L 0"},
		{"minus zero", "8.2.4", "", "", expire(`{"$numberDouble":"-0.0"}`), "3600L 0L 0"},
		{"a decimal -0.5 is 0", "8.2.4", "", "", expire(`{"$numberDecimal":"-0.5"}`), "3600L 0L 0"},
		{"a decimal -0.6 is -1", "8.2.4", "", "", expire(`{"$numberDecimal":"-0.6"}`), "72 " + rules.CollModNegative.ID()},
		{"the upper bound", "8.2.4", "", "", expire(`2147483647`), "3600L 2147483647L 2147483647"},
		{"one above it", "8.2.4", "", "", expire(twoTo31), "3600L 2147483647L 2147483647"},
		{"a double above it", "8.2.4", "", "", expire(`{"$numberDouble":"2147483648.0"}`), "3600L 2147483647L 2147483647"},
		{"a decimal that rounds above it", "8.2.4", "", "", expire(`{"$numberDecimal":"2147483647.5"}`), "3600L 2147483647L 2147483647"},
		{"infinity", "8.2.4", "", "", expire(infinity), "3600L 2147483647L 2147483647"},
		{"a decimal infinity", "8.2.4", "", "", expire(infDecimal), "3600L 2147483647L 2147483647"},
		{"NaN", "8.2.4", "", "", expire(aNaN), "3600L 0L 0"},
		{"a decimal NaN", "8.2.4", "", "", expire(aNaNDecimal), "3600L 0L 0"},
		{"-1", "8.2.4", "", "", expire(`-1`), "72 " + rules.CollModNegative.ID()},
		{"-1 in 64 bits", "8.2.4", "", "", expire(`{"$numberLong":"-1"}`), "72 " + rules.CollModNegative.ID()},
		{"-1.5", "8.2.4", "", "", expire(`{"$numberDouble":"-1.5"}`), "72 " + rules.CollModNegative.ID()},
		{"a decimal -0.9", "8.2.4", "", "", expire(`{"$numberDecimal":"-0.9"}`), "72 " + rules.CollModNegative.ID()},
		{"the lowest int32", "8.2.4", "", "", expire(`-2147483648`), "72 " + rules.CollModNegative.ID()},
		{"below int32", "8.2.4", "", "", expire(`{"$numberLong":"-2147483649"}`), "72 " + rules.CollModNegative.ID()},
		{"minus infinity is not clamped", "8.2.4", "", "", expire(minusInf), "72 " + rules.CollModNegative.ID()},
		{"a decimal minus infinity", "8.2.4", "", "", expire(minusInfDec), "72 " + rules.CollModNegative.ID()},

		{"clamps since SERVER-68477", "6.0.2", "", "", expire(twoTo31), "3600L 2147483647L 2147483647L"},
		{"and in 6.1", "6.1.0", "", "", expire(infinity), "3600L 2147483647L 2147483647L"},
		{"and in its backport", "5.0.14", "", "", expire(twoTo31), "3600 2147483647 2147483647L"},
		{"not before in 5.0", "5.0.13", "", "", expire(twoTo31), "unspecified " + rules.CommandUnspecified.ID()},
		{"the clock's second in 5.0", "5.0.13", "", "", expire(`1700000000`), "3600 1700000000 1700000000L"},
		{"the main branch before 5.0 stores it", "5.0-dev", "", "", expire(twoTo31), "3600 2147483647 2147483647L"},
		{"nor in 5.1", "5.1.0", "", "", expire(infinity), "72 " + rules.CollModLarge.ID()},
		{"nor in 5.3", "5.3.2", "", "", expire(`2147483647`), "72 " + rules.CollModLarge.ID()},
		{"nor in 6.0.1", "6.0.1", "", "", expire(`2147483647`), "72 " + rules.CollModLarge.ID()},
		{"the clock's second is taken", "6.0.1", "", "", expire(`1700000000`), "3600L 1700000000L 1700000000L"},
		{"the next is not", "6.0.1", "", "", expire(`1700000001`), "72 " + rules.CollModLarge.ID()},
		{"but is, a release later", "6.0.2", "", "", expire(`1700000001`), "3600L 1700000001L 1700000001L"},
		{"NaN is 0 in 5.0", "5.0.0", "", "", expire(aNaN), "3600 0 0L"},
		{"negative in 5.0", "5.0.0", "", "", expire(`-1`), "unspecified " + rules.CommandUnspecified.ID()},
		{"negative on the main branch before 5.0", "5.0-dev", "", "", expire(minusInf), "3600 -2147483648 -2147483648L"},
		{"negative in 4.4", "4.4.29", "", "", expire(`-1`), "3600 -1 -1L"},
		{"nothing clamps in 4.4", "4.4.29", "", "", expire(twoTo31), "3600 2147483648L 2147483648L"},
		{"infinity in 4.4", "4.4.29", "", "", expire(infinity), "3600 " + infinity + " 9223372036854775807L"},
		{"minus infinity in 4.2", "4.2.0", "", "", expire(minusInf), "3600 " + minusInf + " -9223372036854775808L"},
		{"NaN is 0 in 4.4", "4.4.29", "", "", expire(aNaN), "3600 " + aNaN + " 0L"},
		{"a fraction in 4.0", "4.0.0/wiredTiger", "", "", expire(`{"$numberDouble":"50.7"}`), `3600 {"$numberDouble":"50.7"} 50L`},
		{"3.2 knows no decimals", "3.2.22", "", "", `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":{"$numberDecimal":"1"}}}`, "unspecified " + rules.CommandUnspecified.ID()},
		{"the catalog holds int32 since 7.3", "7.3.0", "", "", expire(`50`), "3600L 50L 50"},
		{"and int64 before", "7.2.2", "", "", expire(`50`), "3600L 50L 50L"},
	})
}

func TestCollModTypes(t *testing.T) {
	var vectors []commandVector
	for _, v := range []string{`"100"`, `true`, `false`, `[100]`, `{"x":1}`, `{"$oid":"507f1f77bcf86cd799439011"}`,
		`{"$date":{"$numberLong":"0"}}`, `{"$timestamp":{"t":1,"i":1}}`, `{"$regularExpression":{"pattern":".*","options":"i"}}`, `{"$minKey":1}`} {
		vectors = append(vectors,
			commandVector{v, "8.2.4", "", "", expire(v), "14 " + rules.CommandType.ID()},
			commandVector{v, "5.1.0", "", "", expire(v), "14 " + rules.CommandType.ID()},
			commandVector{v, "5.0.31", "", "", expire(v), "14 " + rules.CommandType.ID()},
			commandVector{v, "4.4.29", "", "", expire(v), "72 " + rules.CollModNotNumber.ID()},
			commandVector{v, "4.0.0", "", "", expire(v), "72 " + rules.CollModNotNumber.ID()})
	}
	checkCollMod(t, append(vectors, []commandVector{
		{"null is absent", "8.2.4", "", "", expire(`null`), "72 " + rules.CollModNothing.ID()},
		{"null is absent in 5.1", "5.1.0", "", "", expire(`null`), "72 " + rules.CollModNothing.ID()},
		{"undefined too", "8.2.4", "", "", expire(`{"$undefined":true}`), "72 " + rules.CollModNothing.ID()},
		{"null, either way refused", "5.0.0", "", "", expire(`null`), "72 " + rules.CollModNothing.ID()},
		{"null counts as absent", "5.0.0", "", "", `{"index":{"name":"a_1","expireAfterSeconds":null,"hidden":true}}`, "- - 3600"},
		{"another null", "5.0.0", "", "", `{"index":{"name":"a_1","keyPattern":null,"expireAfterSeconds":1}}`, "3600 1 1L"},
		{"a null index", "5.0.0", "", "", `{"index":null}`, "- - -"},
		{"null is no number in 4.4", "4.4.29", "", "", expire(`null`), "72 " + rules.CollModNotNumber.ID()},
		{"nothing to change", "8.2.4", "", "", `{"index":{"name":"a_1"}}`, "72 " + rules.CollModNothing.ID()},
		{"nothing to change in 4.4", "4.4.0", "", "", `{"index":{"name":"a_1"}}`, "72 " + rules.CollModNothing.ID()},
		{"hidden is nothing in 4.2", "4.2.0", "", "", `{"index":{"name":"a_1","hidden":true}}`, "72 " + rules.CollModNothing.ID()},
		{"a null index changes nothing", "8.2.4", "", "", `{"index":null}`, "- - -"},
		{"an index that is not one", "8.2.4", "", "", `{"index":"a_1"}`, "14 " + rules.CommandType.ID()},
		{"an index that is not one, by hand", "4.4.0", "", "", `{"index":"a_1"}`, "10065 " + rules.CollModNotDocument.ID()},
		{"nor in 2.4", "2.4.0", "", "", `{"index":null}`, "10065 " + rules.CollModNotDocument.ID()},
		{"an array holds nothing", "4.2.0", "", "", `{"index":[{"name":"a_1","expireAfterSeconds":1}]}`, "72 " + rules.CollModAddress.ID()},
		{"an array holds nothing in 3.2", "3.2.22", "", "", `{"index":[1]}`, "72 " + rules.CollModAddress.ID()},
		{"a name of another type", "8.2.4", "", "", `{"index":{"name":1,"expireAfterSeconds":1}}`, "14 " + rules.CommandType.ID()},
		{"a name of another type, by hand", "4.4.0", "", "", `{"index":{"name":1,"expireAfterSeconds":1}}`, "72 " + rules.CommandType.ID()},
		{"a null name, by hand", "4.2.0", "", "", `{"index":{"name":null,"expireAfterSeconds":1}}`, "72 " + rules.CommandType.ID()},
		{"a null name is absent", "8.2.4", "", "", `{"index":{"name":null,"expireAfterSeconds":1}}`, "72 " + rules.CollModAddress.ID()},
		{"a key of another type", "8.2.4", "", "", `{"index":{"keyPattern":"a","expireAfterSeconds":1}}`, "14 " + rules.CommandType.ID()},
		{"a key of another type, by hand", "4.4.0", "", "", `{"index":{"keyPattern":"a","expireAfterSeconds":1}}`, "72 " + rules.CommandType.ID()},
		{"hidden takes numbers", "8.2.4", "", "", `{"index":{"name":"a_1","hidden":1,"expireAfterSeconds":1}}`, "3600L 1L 1"},
		{"hidden takes no text", "8.2.4", "", "", `{"index":{"name":"a_1","hidden":"true","expireAfterSeconds":1}}`, "14 " + rules.CommandType.ID()},
		{"hidden is a boolean in 4.4", "4.4.0", "", "", `{"index":{"name":"a_1","hidden":1,"expireAfterSeconds":1}}`, "72 " + rules.CommandType.ID()},
		{"an unknown field of index", "8.2.4", "", "", `{"index":{"name":"a_1","bogus":1}}`, "40415 " + rules.CommandUnknown.ID()},
		{"an unknown field of index in 5.1", "5.1.0", "", "", `{"index":{"name":"a_1","bogus":1}}`, "40415 " + rules.CommandUnknown.ID()},
		{"an unknown field of index in 5.0", "5.0.0", "", "", `{"index":{"name":"a_1","bogus":1}}`, "40415 " + rules.CommandUnknown.ID()},
		{"an unknown field of index is ignored in 4.4", "4.4.0", "", "", `{"index":{"name":"a_1","bogus":1,"expireAfterSeconds":7}}`, "3600 7 7L"},
		{"an unknown field of index is ignored in 4.2", "4.2.0", "", "", `{"index":{"name":"a_1","bogus":1,"expireAfterSeconds":7}}`, "3600 7 7L"},
		{"an unknown option", "8.2.4", "", "", `{"bogus":1}`, "40415 " + rules.CommandUnknown.ID()},
		{"an unknown option in 5.0", "5.0.0", "", "", `{"bogus":1}`, "40415 " + rules.CommandUnknown.ID()},
		{"an unknown option in 4.4", "4.4.0", "", "", `{"bogus":1}`, "72 " + rules.CommandUnknown.ID()},
		{"the command's name, comments and write concerns", "8.2.4", "", "", `{"collMod":"c","comment":1,"writeConcern":{},"$db":"d","index":{"name":"a_1","expireAfterSeconds":1}}`, "3600L 1L 1"},
		{"the collection's own option is unknown to 4.4", "4.4.0", "", "", `{"expireAfterSeconds":1}`, "72 " + rules.CommandUnknown.ID()},
		{"unique is unspecified before 6.0", "5.3.0", "", "", `{"index":{"name":"a_1","unique":true}}`, "unspecified " + rules.CommandUnspecified.ID()},
		{"2.2 changes no TTL index", "2.2.0", "", "", `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":1}}`, "72 " + rules.CommandUnknown.ID()},
		{"2.4 does", "2.4.0", "", "", `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":1}}`, "3600 1 1"},
		{"3.2 by name", "3.2.22", "", "", expire(`1`), "72 " + rules.CollModAddress.ID()},
		{"3.2 by a name that is ignored", "3.2.22", "", "", `{"index":{"name":"b_1","keyPattern":{"a":1},"expireAfterSeconds":1}}`, "3600 1 1"},
		{"2.4 by a name of another type", "2.4.14", "", "", `{"index":{"name":5,"keyPattern":{"a":1},"expireAfterSeconds":1}}`, "3600 1 1"},
		{"3.4 by name", "3.4.0", "", "", expire(`1`), "3600 1 1"},
		{"3.2 by an empty key", "3.2.22", "", "", `{"index":{"keyPattern":{},"expireAfterSeconds":1}}`, "72 " + rules.CollModAddress.ID()},
		{"3.2 by a key that is not a document", "3.2.22", "", "", `{"index":{"keyPattern":"a","expireAfterSeconds":1}}`, "72 " + rules.CollModAddress.ID()},
		{"3.4 by an empty key", "3.4.0", "", "", `{"index":{"keyPattern":{},"expireAfterSeconds":1}}`, "27 " + rules.CollModNotFound.ID()},
		{"3.2 by no such key, at first", "3.2.11", "", "", `{"index":{"keyPattern":{"b":1},"expireAfterSeconds":1}}`, "72 " + rules.CollModNotFound.ID()},
		{"3.2 by no such key, later", "3.2.12", "", "", `{"index":{"keyPattern":{"b":1},"expireAfterSeconds":1}}`, "27 " + rules.CollModNotFound.ID()},
	}...))
}

func TestCollModTargets(t *testing.T) {
	const (
		two      = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":3600},{"key":{"a":1},"name":"a_de","collation":{"locale":"de"},"expireAfterSeconds":60}]`
		plain    = `[{"key":{"a":1},"name":"a_1"}]`
		compound = `[{"key":{"a":1,"b":1},"name":"a_1"}]`
		byKey    = `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":7}}`
		cluster  = `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`
		byID     = `{"index":{"keyPattern":{"_id":1},"expireAfterSeconds":7}}`
	)
	checkCollMod(t, []commandVector{
		{"by key", "8.2.4", "", "", byKey, "3600L 7L 7"},
		{"numbers of a key compare across types", "8.2.4", "", "", `{"index":{"keyPattern":{"a":{"$numberDouble":"1.0"}},"expireAfterSeconds":7}}`, "3600L 7L 7"},
		{"the clustered key by its name cannot be hidden", "8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`, `[{"key":{"_id":1},"name":"own","clustered":true}]`, `{"index":{"name":"own","hidden":true}}`, "6011800 " + rules.CollModHidden.ID()},
		{"nor by its pattern", "5.3.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`, `[{"key":{"_id":1},"name":"own","clustered":true}]`, `{"index":{"keyPattern":{"_id":1},"hidden":true}}`, "6011800 " + rules.CollModHidden.ID()},
		{"not by the name that it does not have", "8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`, `[{"key":{"_id":1},"name":"own","clustered":true}]`, `{"index":{"name":"_id_","hidden":true}}`, "27 " + rules.CollModNotFound.ID()},
		{"nor by the other direction", "8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "[]", `{"index":{"keyPattern":{"_id":-1},"hidden":true}}`, "27 " + rules.CollModNotFound.ID()},
		{"an index of a system collection", "8.2.4", `{"ns":"admin.system.version"}`, "", `{"index":{"name":"a_1","hidden":true}}`, "2 " + rules.CollModHidden.ID()},
		{"an index of a system collection in 4.4", "4.4.0", `{"ns":"db.system.js"}`, "", `{"index":{"name":"a_1","hidden":true}}`, "2 " + rules.CollModHidden.ID()},
		{"an index of buckets", "8.2.4", `{"ns":"db.system.buckets.c"}`, "", `{"index":{"name":"a_1","hidden":true}}`, "- - 3600"},
		{"directions do not", "8.2.4", "", "", `{"index":{"keyPattern":{"a":-1},"expireAfterSeconds":7}}`, "27 " + rules.CollModNotFound.ID()},
		{"no such name", "8.2.4", "", "", `{"index":{"name":"b_1","expireAfterSeconds":7}}`, "27 " + rules.CollModNotFound.ID()},
		{"no such name in 4.4", "4.4.0", "", "", `{"index":{"name":"b_1","expireAfterSeconds":7}}`, "27 " + rules.CollModNotFound.ID()},
		{"no such name in 5.0", "5.0.0", "", "", `{"index":{"name":"b_1","expireAfterSeconds":7}}`, "27 " + rules.CollModNotFound.ID()},
		{"an empty key", "8.2.4", "", "", `{"index":{"keyPattern":{},"expireAfterSeconds":7}}`, "27 " + rules.CollModNotFound.ID()},
		{"both", "8.2.4", "", "", `{"index":{"name":"a_1","keyPattern":{"a":1},"expireAfterSeconds":7}}`, "72 " + rules.CollModAddress.ID()},
		{"both in 4.2", "4.2.0", "", "", `{"index":{"name":"a_1","keyPattern":{"a":1},"expireAfterSeconds":7}}`, "72 " + rules.CollModAddress.ID()},
		{"neither", "8.2.4", "", "", `{"index":{"expireAfterSeconds":7}}`, "72 " + rules.CollModAddress.ID()},
		{"neither, and nothing", "8.2.4", "", "", `{"index":{}}`, "72 " + rules.CollModAddress.ID()},
		{"neither in 5.0", "5.0.0", "", "", `{"index":{"expireAfterSeconds":7}}`, "72 " + rules.CollModAddress.ID()},
		{"two indexes of one key", "8.2.4", "", two, byKey, "181 " + rules.CollModAmbiguous.ID()},
		{"two indexes of one key in 3.4", "3.4.0", "", two, byKey, "181 " + rules.CollModAmbiguous.ID()},
		{"their names tell them apart", "8.2.4", "", two, `{"index":{"name":"a_de","expireAfterSeconds":7}}`, "60L 7L 7"},

		{"converts", "8.2.4", "", plain, expire(`50`), "- 50L 50"},
		{"converts since 5.1", "5.1.0", "", plain, expire(`50`), "- 50 50L"},
		{"not in 5.0", "5.0.31", "", plain, expire(`50`), "72 " + rules.CollModNoTTL.ID()},
		{"not in 4.4", "4.4.0", "", plain, expire(`50`), "72 " + rules.CollModNoTTL.ID()},
		{"not in 2.6", "2.6.0", "", plain, byKey, "72 " + rules.CollModNoTTL.ID()},
		{"hashed", "8.2.4", "", `[{"key":{"a":"hashed"},"name":"a_1"}]`, expire(`50`), "- 50L 50"},
		{"2dsphere", "8.2.4", "", `[{"key":{"a":"2dsphere"},"name":"a_1"}]`, expire(`50`), "- 50L 50"},
		{"text", "8.2.4", "", `[{"key":{"a":"text"},"name":"a_1"}]`, expire(`50`), "72 " + rules.CollModCompound.ID()},
		{"text as it is listed", "8.2.4", "", `[{"key":{"_fts":"text","_ftsx":1},"name":"a_1"}]`, expire(`50`), "72 " + rules.CollModCompound.ID()},
		{"text by the key it was made with", "8.2.4", "", `[{"key":{"a":"text"},"name":"a_1"}]`, `{"index":{"keyPattern":{"a":"text"},"expireAfterSeconds":7}}`, "27 " + rules.CollModNotFound.ID()},
		{"text by the key it keeps", "8.2.4", "", `[{"key":{"b":1,"a":"text","c":1},"name":"a_1"}]`, `{"index":{"keyPattern":{"b":1,"_fts":"text","_ftsx":1,"c":1},"expireAfterSeconds":7}}`, "72 " + rules.CollModCompound.ID()},
		{"wildcard", "8.2.4", "", `[{"key":{"$**":1},"name":"a_1"}]`, expire(`50`), "72 " + rules.CollModWildcard.ID()},
		{"wildcard under a path", "6.0.0", "", `[{"key":{"b.$**":1},"name":"a_1"}]`, expire(`50`), "72 " + rules.CollModWildcard.ID()},
		{"wildcard before", "4.4.0", "", `[{"key":{"$**":1},"name":"a_1"}]`, expire(`50`), "72 " + rules.CollModNoTTL.ID()},
		{"compound", "8.2.4", "", compound, expire(`50`), "72 " + rules.CollModCompound.ID()},
		{"compound before", "5.0.0", "", compound, expire(`50`), "72 " + rules.CollModNoTTL.ID()},
		{"compound with the option from before 4.2", "8.2.4", "", `[{"key":{"a":1,"b":1},"name":"a_1","expireAfterSeconds":3600}]`, expire(`50`), "3600L 50L 50"},
		{"_id by name, not listed", "8.2.4", "", "", `{"index":{"name":"_id_","expireAfterSeconds":7}}`, "72 " + rules.CollModID.ID()},
		{"_id by key, not listed", "8.2.4", "", "", byID, "72 " + rules.CollModID.ID()},
		{"_id by key, listed", "8.2.4", "", `[{"key":{"_id":1},"name":"_id_"}]`, byID, "72 " + rules.CollModID.ID()},
		{"_id before", "4.4.0", "", "", byID, "72 " + rules.CollModNoTTL.ID()},
		{"_id descending", "8.2.4", "", `[{"key":{"_id":-1},"name":"a_1"}]`, expire(`7`), "72 " + rules.CollModID.ID()},
		{"_id with the option, from an old catalog", "8.2.4", "", `[{"key":{"_id":1},"name":"a_1","expireAfterSeconds":5}]`, expire(`7`), "5L 7L 7"},
		{"_id hashed is another index", "8.2.4", "", `[{"key":{"_id":"hashed"},"name":"a_1"}]`, expire(`7`), "- 7L 7"},
		{"a stored text", "8.2.4", "", `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":"x"}]`, expire(`50`), "72 " + rules.CollModStored.ID()},
		{"a stored text in 4.0", "4.0.0", "", `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":"x"}]`, expire(`50`), "72 " + rules.CollModStored.ID()},
		{"a stored null", "8.2.4", "", `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":null}]`, expire(`50`), "72 " + rules.CollModStored.ID()},

		{"a clustered collection's own key", "8.2.4", cluster, "[]", byID, "27 " + rules.CollModNotFound.ID()},
		{"as listIndexes shows it", "8.2.4", cluster, `[{"key":{"_id":1},"name":"_id_","unique":true,"clustered":true}]`, `{"index":{"name":"_id_","expireAfterSeconds":7}}`, "27 " + rules.CollModNotFound.ID()},
		{"another index of it", "8.2.4", cluster, "", byKey, "3600L 7L 7"},
		{"an impossible collection", "5.2.0", cluster, "", byKey, "unspecified " + rules.CommandUnspecified.ID()},
		{"another", "4.4.0", `{"timeseries":{"timeField":"t"}}`, "", byKey, "unspecified " + rules.CommandUnspecified.ID()},
		{"time series", "8.2.4", `{"timeseries":{"timeField":"t"}}`, "", byKey, "72 " + rules.CollModSeries.ID()},
		{"time series in 5.0", "5.0.0", `{"timeseries":{"timeField":"t"}}`, "", byKey, "72 " + rules.CollModSeries.ID()},
		{"capped, accepted", "4.4.29", `{"capped":true}`, "", byKey, "3600 7 7L"},
		{"capped in 5.0", "5.0.0", `{"capped":true}`, "", byKey, "3600 7 7L"},
		{"capped, refused", "5.1.0", `{"capped":true}`, "", byKey, "72 " + rules.CollModCapped.ID()},
		{"capped, refused still", "6.0.24", `{"capped":true}`, "", byKey, "72 " + rules.CollModCapped.ID()},
		{"capped, unspecified in late patches", "6.0.25", `{"capped":true}`, "", byKey, "unspecified " + rules.CollModCappedUnspecified.ID()},
		{"capped, refused still", "7.0.24", `{"capped":true}`, "", byKey, "72 " + rules.CollModCapped.ID()},
		{"capped, unspecified in late patches", "7.0.25", `{"capped":true}`, "", byKey, "unspecified " + rules.CollModCappedUnspecified.ID()},
		{"capped, accepted again", "7.1.0", `{"capped":true}`, "", byKey, "3600L 7L 7L"},
		{"capped, and no index yet", "7.1.0", `{"capped":true}`, plain, byKey, "- 7L 7L"},
		{"a view", "8.2.4", `{"viewOn":"c"}`, "[]", byKey, "72 " + rules.CollModView.ID()},
		{"a view in 4.4", "4.4.0", `{"viewOn":"c"}`, "[]", byKey, "72 " + rules.CollModView.ID()},
		{"a view in 5.0", "5.0.0", `{"viewOn":"c"}`, "[]", byKey, "72 " + rules.CollModView.ID()},
	})
}

// TestCollModFirstFault: if there are two faults, the one that the server finds
// first decides.
func TestCollModFirstFault(t *testing.T) {
	const nowhere = `{"index":{"name":"b_1","expireAfterSeconds":%s}}`
	missing := func(seconds string) string { return fmt.Sprintf(nowhere, seconds) }
	checkCollMod(t, []commandVector{
		{"types before addresses", "8.2.4", "", "", `{"index":{"expireAfterSeconds":"x"}}`, "14 " + rules.CommandType.ID()},
		{"addresses before types, by hand", "4.4.0", "", "", `{"index":{"expireAfterSeconds":"x"}}`, "72 " + rules.CollModAddress.ID()},
		{"the fields in their order", "8.2.4", "", "", `{"index":{"bogus":1,"expireAfterSeconds":"x"}}`, "40415 " + rules.CommandUnknown.ID()},
		{"and the other way round", "8.2.4", "", "", `{"index":{"expireAfterSeconds":"x","bogus":1}}`, "14 " + rules.CommandType.ID()},
		{"types before the view", "8.2.4", `{"viewOn":"c"}`, "[]", expire(`"x"`), "14 " + rules.CommandType.ID()},
		{"the view before addresses", "8.2.4", `{"viewOn":"c"}`, "[]", `{"index":{"expireAfterSeconds":1}}`, "72 " + rules.CollModView.ID()},
		{"addresses before nothing", "8.2.4", "", "", `{"index":{"expireAfterSeconds":null}}`, "72 " + rules.CollModAddress.ID()},
		{"time series before the range", "8.2.4", `{"timeseries":{"timeField":"t"}}`, "", expire(`-1`), "72 " + rules.CollModSeries.ID()},
		{"time series before the index", "8.2.4", `{"timeseries":{"timeField":"t"}}`, "", missing(`1`), "72 " + rules.CollModSeries.ID()},
		{"capped before the range", "6.0.0", `{"capped":true}`, "", expire(`-1`), "72 " + rules.CollModCapped.ID()},
		{"capped before the index", "6.0.0", `{"capped":true}`, "", missing(`1`), "72 " + rules.CollModCapped.ID()},
		{"the range before the index", "8.2.4", "", "", missing(`-1`), "72 " + rules.CollModNegative.ID()},
		{"the clock before the index", "6.0.0", "", "", missing(`2147483647`), "72 " + rules.CollModLarge.ID()},
		{"numbers before the index, by hand", "4.4.0", "", "", missing(`"x"`), "72 " + rules.CollModNotNumber.ID()},
		{"the range before _id", "8.2.4", "", "", `{"index":{"name":"_id_","expireAfterSeconds":-1}}`, "72 " + rules.CollModNegative.ID()},
		{"_id before hidden", "8.2.4", "", "", `{"index":{"name":"_id_","expireAfterSeconds":1,"hidden":true}}`, "72 " + rules.CollModID.ID()},
		{"the index before unique", "8.2.4", "", "", `{"index":{"name":"b_1","unique":false}}`, "27 " + rules.CollModNotFound.ID()},
		{"the index before the collection's option", "8.2.4", "", "", `{"expireAfterSeconds":1,"index":{"name":"b_1","expireAfterSeconds":1}}`, "27 " + rules.CollModNotFound.ID()},
		{"the collection's option before prepareUnique", "8.2.4", "", "", `{"expireAfterSeconds":1,"index":{"name":"a_1","prepareUnique":true}}`, "72 " + rules.OwnKind.ID()},
		{"the options in their order, by hand", "4.4.0", "", "", `{"index":{"name":"b_1","expireAfterSeconds":1},"bogus":1}`, "27 " + rules.CollModNotFound.ID()},
		{"and the other way round, by hand", "4.4.0", "", "", `{"bogus":1,"index":{"name":"b_1","expireAfterSeconds":1}}`, "72 " + rules.CommandUnknown.ID()},
	})
}

func TestCollModBesideTTL(t *testing.T) {
	const prepared = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":3600,"prepareUnique":true}]`
	checkCollMod(t, []commandVector{
		{"hidden together", "8.2.4", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7,"hidden":true}}`, "3600L 7L 7"},
		{"hidden together in 4.4", "4.4.0", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7,"hidden":true}}`, "3600 7 7L"},
		{"hidden alone reports no seconds", "8.2.4", "", "", `{"index":{"name":"a_1","hidden":true}}`, "- - 3600"},
		{"_id is not hidden", "8.2.4", "", "", `{"index":{"name":"_id_","hidden":true}}`, "2 " + rules.CollModHidden.ID()},
		{"nor a cluster key by name", "8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "[]", `{"index":{"name":"_id_","hidden":true}}`, "6011800 " + rules.CollModHidden.ID()},
		{"nor by key", "5.3.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "[]", `{"index":{"keyPattern":{"_id":1},"hidden":true}}`, "6011800 " + rules.CollModHidden.ID()},
		{"prepareUnique together", "8.2.4", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7,"prepareUnique":true}}`, "72 " + rules.CollModPrepare.ID()},
		{"prepareUnique together in 6.0", "6.0.0", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7,"prepareUnique":true}}`, "72 " + rules.CollModPrepare.ID()},
		{"prepareUnique beside another option", "8.2.4", "", "", `{"validator":{},"index":{"name":"a_1","prepareUnique":true}}`, "72 " + rules.CollModPrepare.ID()},
		{"prepareUnique alone", "8.2.4", "", "", `{"collMod":"c","comment":1,"index":{"name":"a_1","prepareUnique":true}}`, "- - 3600"},
		{"prepareUnique beside a null", "8.2.4", "", "", `{"validator":null,"index":{"name":"a_1","prepareUnique":true}}`, "- - 3600"},
		{"prepareUnique off already", "8.2.4", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7,"prepareUnique":false}}`, "3600L 7L 7"},
		{"prepareUnique on already", "8.2.4", "", prepared, `{"index":{"name":"a_1","expireAfterSeconds":7,"prepareUnique":1}}`, "3600L 7L 7"},
		{"prepareUnique taken back", "8.2.4", "", prepared, `{"index":{"name":"a_1","expireAfterSeconds":7,"prepareUnique":0}}`, "72 " + rules.CollModPrepare.ID()},
		{"a dry run", "6.0.0", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7},"dryRun":true}`, "72 " + rules.CollModDryRun.ID()},
		{"a dry run of no index", "6.0.0", "", "", `{"index":{"name":"other","expireAfterSeconds":7},"dryRun":{"$numberDouble":"NaN"}}`, "72 " + rules.CollModDryRun.ID()},
		{"a dry run of nothing", "8.2.4", "", "", `{"dryRun":1}`, "72 " + rules.CollModDryRun.ID()},
		{"a dry run of what is not made unique", "8.2.4", "", prepared, `{"index":{"name":"a_1","unique":false},"dryRun":true}`, "72 " + rules.CollModDryRun.ID()},
		{"a dry run of unique", "8.2.4", "", prepared, `{"index":{"name":"a_1","unique":true},"dryRun":true}`, "- - 3600"},
		{"a dry run of unique, unprepared", "8.2.4", "", "", `{"index":{"name":"a_1","unique":true},"dryRun":true}`, "72 " + rules.CollModUnique.ID()},
		{"a dry run of unique and the delay", "8.2.4", "", prepared, `{"index":{"name":"a_1","unique":true,"expireAfterSeconds":7},"dryRun":true}`, "72 " + rules.CollModDryRun.ID()},
		{"no dry run", "8.2.4", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7},"dryRun":{"$numberDouble":"-0.0"}}`, "3600L 7L 7"},
		{"no dry run, null", "8.2.4", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7},"dryRun":null}`, "3600L 7L 7"},
		{"a dry run that is text", "8.2.4", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7},"dryRun":"true"}`, "14 " + rules.CommandType.ID()},
		{"a dry run before there is any", "4.4.29", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7},"dryRun":true}`, "72 " + rules.CommandUnknown.ID()},
		{"a dry run before it is established", "5.2.0", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7},"dryRun":true}`, "unspecified " + rules.CommandUnspecified.ID()},
		{"unique already", "8.2.4", "", `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":3600,"unique":true}]`, `{"index":{"name":"a_1","expireAfterSeconds":7,"prepareUnique":true}}`, "3600L 7L 7"},
		{"unique already, and again", "8.2.4", "", `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":3600,"unique":true}]`, `{"index":{"name":"a_1","expireAfterSeconds":7,"unique":true}}`, "3600L 7L 7"},
		{"unique unprepared", "8.2.4", "", "", `{"index":{"name":"a_1","expireAfterSeconds":7,"unique":true}}`, "72 " + rules.CollModUnique.ID()},
		{"unique prepared", "8.2.4", "", prepared, `{"index":{"name":"a_1","expireAfterSeconds":7,"unique":true}}`, "3600L 7L 7"},
		{"unique taken back", "8.2.4", "", prepared, `{"index":{"name":"a_1","unique":false}}`, "2 " + rules.CollModUnique.ID()},
	})
}

func TestCollModReplies(t *testing.T) {
	stored := func(v string) string { return `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":` + v + `}]` }
	checkCollMod(t, []commandVector{
		{"both, also if equal", "8.2.4", "", "", expire(`3600`), "3600L 3600L 3600"},
		{"both, also if equal, since 4.4", "4.4.0", "", "", expire(`3600`), "3600 3600 3600"},
		{"not up to 4.2", "4.2.0", "", "", expire(`3600`), "- - 3600"},
		{"nor in 2.4", "2.4.0", "", "", `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":3600}}`, "- - 3600"},
		{"equal across types in 4.2", "4.2.0", "", "", expire(`{"$numberDouble":"3600.0"}`), "- - 3600"},
		{"a fraction more is a change in 4.2", "4.2.0", "", "", expire(`{"$numberDouble":"3600.5"}`), `3600 {"$numberDouble":"3600.5"} 3600L`},
		{"a change in 4.2", "4.2.0", "", "", expire(`7200`), "3600 7200 7200L"},
		{"NaN is what it was in 4.2", "4.2.0", "", stored(aNaN), expire(aNaN), `- - {"$numberDouble":"NaN"}`},
		{"a stored NaN is 0", "8.2.4", "", stored(aNaN), expire(`7`), "0L 7L 7"},
		{"a stored NaN is replaced by 0", "8.2.4", "", stored(aNaN), expire(`0`), "0L 0L 0"},
		{"a stored NaN in 5.0", "5.0.0", "", stored(aNaNDecimal), expire(`0`), aNaNDecimal + " 0 0L"},
		{"a stored NaN in 5.1", "5.1.0", "", stored(aNaN), expire(`0`), "unspecified " + rules.CollModReplyUnspecified.ID()},
		{"a stored NaN in 5.3", "5.3.0", "", stored(aNaN), expire(`0`), "0L 0L 0L"},
		{"a stored NaN in 6.2", "6.2.0", "", stored(aNaN), expire(`7`), "0L 7L 7L"},
		{"a stored NaN in 4.2", "4.2.0", "", stored(aNaN), expire(`7`), aNaN + " 7 7L"},
		{"invalid is 0 since 7.0", "7.0.0", "", stored(`-5`), expire(`7`), "0L 7L 7L"},
		{"beyond 32 bits is invalid", "7.0.0", "", stored(twoTo31), expire(`2147483647`), "0L 2147483647L 2147483647L"},
		{"reported as it is up to 6.1", "6.1.0", "", stored(`-5`), expire(`7`), "-5L 7L 7L"},
		{"unspecified between", "6.2.0", "", stored(`-5`), expire(`7`), "unspecified " + rules.CollModReplyUnspecified.ID()},
		{"unspecified between, above", "6.3.0", "", stored(twoTo31), expire(`7`), "unspecified " + rules.CollModReplyUnspecified.ID()},
		{"an old fraction", "8.2.4", "", stored(`{"$numberDouble":"60.9"}`), expire(`7`), "60L 7L 7"},
		{"an equal fraction is normalised", "8.1.0", "", stored(`{"$numberDouble":"60.9"}`), expire(`60`), "60L 60L 60"},
		{"an equal fraction stays", "8.0.16", "", stored(`{"$numberDouble":"60.9"}`), expire(`60`), `60L 60L {"$numberDouble":"60.9"}`},
		{"an equal fraction is another element", "5.0.0", "", stored(`{"$numberDouble":"60.9"}`), expire(`60`), `{"$numberDouble":"60.9"} 60 60L`},
		{"an equal int64 is not", "7.3.0", "", stored(`{"$numberLong":"60"}`), expire(`60`), "60L 60L 60L"},
		{"elements, as they are", "4.4.29", "", stored(`{"$numberDouble":"10.7"}`), expire(`{"$numberDouble":"10.0"}`), `{"$numberDouble":"10.7"} {"$numberDouble":"10.0"} 10L`},
		{"elements in 2.4", "2.4.0", "", stored(`{"$numberDouble":"10.7"}`), `{"index":{"keyPattern":{"a":1},"expireAfterSeconds":{"$numberDouble":"10.0"}}}`, `{"$numberDouble":"10.7"} {"$numberDouble":"10.0"} {"$numberDouble":"10.0"}`},
		{"an int32 in 5.0", "5.0.31", "", stored(`{"$numberDouble":"10.7"}`), expire(`{"$numberDecimal":"10.0"}`), `{"$numberDouble":"10.7"} 10 10L`},
		{"a fraction, unspecified", "5.1.0", "", stored(`{"$numberDouble":"10.7"}`), expire(`10`), "unspecified " + rules.CollModReplyUnspecified.ID()},
		{"a new fraction", "5.2.1", "", "", expire(`{"$numberDouble":"10.7"}`), "3600 10 10L"},
		{"a new fraction for a new TTL index", "5.2.1", "", `[{"key":{"a":1},"name":"a_1"}]`, expire(`{"$numberDouble":"10.7"}`), "- 10 10L"},
		{"the same number either way", "5.2.1", "", stored(`{"$numberDouble":"10.0"}`), expire(`{"$numberDecimal":"7.0"}`), `{"$numberDouble":"10.0"} 7 7L`},
		{"whole seconds", "5.3.0", "", stored(`{"$numberDouble":"10.7"}`), expire(`{"$numberDouble":"7.9"}`), "10L 7L 7L"},
		{"an equal fraction stays before", "7.2.0", "", stored(`{"$numberDouble":"60.9"}`), expire(`60`), `60L 60L {"$numberDouble":"60.9"}`},
	})
}

// TestCollModOwn: collMod changes or refuses the own expireAfterSeconds of a time-series
// or clustered collection.
func TestCollModOwn(t *testing.T) {
	own := func(v string) string { return `{"expireAfterSeconds":` + v + `}` }
	const (
		series = `{"timeseries":{"timeField":"t"},"expireAfterSeconds":{"$numberLong":"60"}}`
		never  = `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`
		ttl    = `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":{"$numberLong":"60"}}`
	)
	var vectors []commandVector
	for _, v := range []string{`null`, `true`, `false`, `[100]`, `{"a":1}`, `{"$oid":"507f1f77bcf86cd799439011"}`, `{"$date":{"$numberLong":"0"}}`, `{"$maxKey":1}`} {
		vectors = append(vectors, commandVector{v, "8.2.4", series, "[]", own(v), "14 " + rules.CommandType.ID()},
			commandVector{v, "5.0.0", series, "[]", own(v), "14 " + rules.CommandType.ID()})
	}
	for _, v := range []string{`"Off"`, `"OFF"`, `""`, `"on"`, `"off "`, `" off"`} {
		vectors = append(vectors, commandVector{v, "8.2.4", series, "[]", own(v), "72 " + rules.OwnText.ID()})
	}
	checkCollMod(t, append(vectors, []commandVector{
		{"off", "8.2.4", series, "[]", own(`"off"`), "- - -"},
		{"off for a clustered one", "5.3.0", ttl, "[]", own(`"off"`), "- - -"},
		{"off without TTL", "8.2.4", never, "[]", own(`"off"`), "- - -"},
		{"a number is not reported", "8.2.4", series, "[]", own(`100`), "- - 100L"},
		{"a fraction", "8.2.4", series, "[]", own(`{"$numberDouble":"100.9"}`), "- - 100L"},
		{"a decimal", "8.2.4", series, "[]", own(`{"$numberDecimal":"100.9"}`), "- - 101L"},
		{"-0.9 is 0", "8.2.4", series, "[]", own(`{"$numberDouble":"-0.9"}`), "- - 0L"},
		{"a decimal -0.5 is 0", "8.2.4", series, "[]", own(`{"$numberDecimal":"-0.5"}`), "- - 0L"},
		{"NaN is 0", "8.2.4", series, "[]", own(aNaN), "- - 0L"},
		{"a decimal NaN is 0", "5.0.0", series, "[]", own(aNaNDecimal), "- - 0L"},
		{"an added one", "8.2.4", never, "[]", own(`3600`), "- - 3600L"},
		{"-1", "8.2.4", series, "[]", own(`-1`), "72 " + rules.OwnNegative.ID()},
		{"a decimal -0.9", "8.2.4", series, "[]", own(`{"$numberDecimal":"-0.9"}`), "72 " + rules.OwnNegative.ID()},
		{"minus infinity", "8.2.4", series, "[]", own(minusInf), "72 " + rules.OwnNegative.ID()},
		{"infinity", "8.2.4", series, "[]", own(infinity), "72 " + rules.OwnLarge.ID()},
		{"infinity in 5.0", "5.0.0", series, "[]", own(infDecimal), "72 " + rules.OwnLarge.ID()},
		{"the clock's second", "8.2.4", series, "[]", own(`1700000000`), "- - 1700000000L"},
		{"the next", "8.2.4", series, "[]", own(`1700000001`), "72 " + rules.OwnLarge.ID()},
		{"the last whose milliseconds fit", "8.2.4", series, "[]", own(`{"$numberLong":"9223372036854775"}`), "72 " + rules.OwnLarge.ID()},
		{"milliseconds that do not fit", "8.2.4", series, "[]", own(`{"$numberLong":"9223372036854776"}`), "72 " + rules.OwnLarge.ID()},
		{"an ordinary collection", "8.2.4", "", "", own(`100`), "72 " + rules.OwnKind.ID()},
		{"an ordinary collection in 5.0", "5.0.0", "", "", own(`100`), "72 " + rules.OwnKind.ID()},
		{"off for an ordinary collection", "8.2.4", "", "", own(`"off"`), "72 " + rules.OwnKind.ID()},
		{"a capped collection", "8.2.4", `{"capped":true}`, "", own(`100`), "72 " + rules.OwnKind.ID()},
		{"a view", "8.2.4", `{"viewOn":"c"}`, "[]", own(`100`), "72 " + rules.CollModView.ID()},
		{"a view, unspecified", "5.0.6", `{"viewOn":"c"}`, "[]", own(`100`), "unspecified " + rules.CollModViewUnspecified.ID()},
		{"a view since 5.0.7", "5.0.7", `{"viewOn":"c"}`, "[]", own(`100`), "72 " + rules.CollModView.ID()},
		{"a view, unspecified again", "5.2.1", `{"viewOn":"c"}`, "[]", own(`"off"`), "unspecified " + rules.CollModViewUnspecified.ID()},
		{"a view since 5.2.2", "5.2.2", `{"viewOn":"c"}`, "[]", own(`"off"`), "72 " + rules.CollModView.ID()},
		{"a view in 4.4", "4.4.29", `{"viewOn":"c"}`, "[]", own(`100`), "72 " + rules.CollModView.ID()},
		{"a type before the view", "8.2.4", `{"viewOn":"c"}`, "[]", own(`true`), "14 " + rules.CommandType.ID()},
		{"the kind before the text", "8.2.4", "", "", own(`"on"`), "72 " + rules.OwnKind.ID()},
		{"together with an index", "8.2.4", ttl, "", `{"expireAfterSeconds":9,"index":{"name":"a_1","hidden":true}}`, "- - 3600"},
	}...))
}

// TestCollModReasons: a refusal has the text of the server, which callers compare.
func TestCollModReasons(t *testing.T) {
	const (
		capped, series = `{"capped":true}`, `{"timeseries":{"timeField":"t"}}`
		indexes        = `[{"key":{"a":1},"name":"a_1","expireAfterSeconds":60},{"key":{"b":1},"name":"b_1"},
			{"key":{"b":1,"c":1},"name":"b_1_c_1"},{"key":{"c":1},"name":"c_1","expireAfterSeconds":"x"}]`
	)
	for _, tt := range []struct{ version, options, command, reason string }{
		{"8.2.4", "{}", expire(`"x"`), "BSON field 'collMod.index.expireAfterSeconds' is the wrong type 'string', expected types '[long, int, decimal, double]'"},
		{"8.2.4", "{}", expire(`true`), "BSON field 'collMod.index.expireAfterSeconds' is the wrong type 'bool', expected types '[long, int, decimal, double]'"},
		{"8.2.4", "{}", `{"index":{"name":5,"hidden":true}}`, "BSON field 'collMod.index.name' is the wrong type 'int', expected type 'string'"},
		{"8.2.4", series, `{"expireAfterSeconds":null}`, "BSON field 'collMod.expireAfterSeconds' is the wrong type 'null', expected types '[string, long]'"},
		{"8.2.4", "{}", `{"index":{"bogus":5}}`, "BSON field 'collMod.index.bogus' is an unknown field."},
		{"8.2.4", "{}", expire(`null`), "no expireAfterSeconds, hidden, unique, or prepareUnique field"},
		{"4.4.0", "{}", `{"index":{"name":"a_1"}}`, "no expireAfterSeconds or hidden field"},
		{"4.2.0", "{}", `{"index":{"name":"a_1"}}`, "no expireAfterSeconds field"},
		{"4.4.0", "{}", expire(`"x"`), "expireAfterSeconds field must be a number"},
		{"4.4.0", "{}", `{"bogus":5}`, "unknown option to collMod: bogus"},
		{"8.2.4", "{}", expire(`-1`), "TTL index 'expireAfterSeconds' option cannot be less than 0"},
		{"6.0.0", "{}", expire(infinity), "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number"},
		{"8.2.4", "{}", `{"index":{"name":"_id_","expireAfterSeconds":1}}`, "the _id field does not support TTL indexes"},
		{"8.2.4", "{}", `{"index":{"keyPattern":{"b":1,"c":1},"expireAfterSeconds":1}}`, "TTL indexes are single-field indexes, compound indexes do not support TTL"},
		{"8.2.4", "{}", `{"index":{"keyPattern":{"c":1},"expireAfterSeconds":1}}`, "existing expireAfterSeconds field is not a number"},
		{"5.0.0", "{}", `{"index":{"keyPattern":{"b":1},"expireAfterSeconds":1}}`, "no expireAfterSeconds field to update"},
		{"8.2.4", series, expire(`1`), "TTL indexes are not supported for time-series collections. Please refer to the documentation and use the top-level 'expireAfterSeconds' option instead"},
		{"7.0.0", capped, expire(`1`), "TTL indexes are not supported for capped collections."},
		{"8.2.4", series, `{"expireAfterSeconds":"x"}`, "Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: 'x'. Accepted value is 'off'"},
		{"8.2.4", "{}", `{"expireAfterSeconds":1}`, "'expireAfterSeconds' option is only supported on collections clustered by _id"},
		{"7.1.1", series, `{"expireAfterSeconds":` + infinity + `}`, "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number"},
		{"7.2.0", series, `{"expireAfterSeconds":` + infinity + `}`, "TTL index 'expireAfterSeconds' option cannot overflow int64_t when cast as milliseconds, found 9223372036854775807"},
		{"8.0.0", series, `{"expireAfterSeconds":2147483647}`, "TTL index 'expireAfterSeconds' option cannot exceed time since last epoch"},
		{"8.0.0", series, `{"expireAfterSeconds":-1}`, "TTL index 'expireAfterSeconds' option cannot be less than 0"},
	} {
		c, err := mongo.ParseCollectionSpec(drawn.Value(t, tt.options), drawn.Value(t, indexes))
		if err != nil {
			t.Fatal(err)
		}
		_, err = hidden.ValidateCollMod(c, commandDocument(t, tt.command), fixture.Profile(t, tt.version), commandNow)
		if refused, ok := refusedBy(err); !ok || refused.Reason != tt.reason {
			t.Errorf("collMod(%s, %s) on %s = %v, want %q", tt.options, tt.command, tt.version, err, tt.reason)
		}
	}
}

// TestCollModAfterwards: the collection after a collMod also has the command's other
// changes, on the addressed index only.
func TestCollModAfterwards(t *testing.T) {
	c := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{
		{Name: "b_1", Key: policy.D{{Key: "b", Value: policy.Int32Value(1)}}},
		{Name: "a_1", Key: policy.D{{Key: "a", Value: policy.Int32Value(1)}}},
	}}
	reply, err := hidden.ValidateCollMod(c, commandDocument(t, `{"index":{"name":"a_1","expireAfterSeconds":9,"hidden":true}}`), fixture.Profile(t, "8.2.4"), commandNow)
	if err != nil {
		t.Fatal(err)
	}
	first, second := reply.Collection.Indexes[0], reply.Collection.Indexes[1]
	if reply.Index != "a_1" || short(second.ExpireAfterSeconds) != "9" || !second.Hidden || !first.ExpireAfterSeconds.IsMissing() || first.Hidden {
		t.Errorf("afterwards %+v, want a_1 alone hidden and with 9 seconds", reply)
	}
	c.Indexes[1].PrepareUnique = true
	reply, err = hidden.ValidateCollMod(c, commandDocument(t, `{"index":{"name":"a_1","unique":true}}`), fixture.Profile(t, "8.2.4"), commandNow)
	if x := reply.Collection.Indexes[1]; err != nil || !x.Unique || x.PrepareUnique {
		t.Errorf("afterwards %+v, %v, want a unique index", reply, err)
	}
	reply, err = hidden.ValidateCollMod(c, commandDocument(t, `{"index":{"name":"a_1","unique":true},"dryRun":true}`), fixture.Profile(t, "8.2.4"), commandNow)
	if x := reply.Collection.Indexes[1]; err != nil || x.Unique || !x.PrepareUnique {
		t.Errorf("after a dry run %+v, %v, want the index as it was", reply, err)
	}
	reply, err = hidden.ValidateCollMod(c, commandDocument(t, `{"index":{"name":"a_1","prepareUnique":false}}`), fixture.Profile(t, "8.2.4"), commandNow)
	if x := reply.Collection.Indexes[1]; err != nil || x.Unique || x.PrepareUnique {
		t.Errorf("afterwards %+v, %v, want an ordinary index", reply, err)
	}
}

func TestCollModZeroProfile(t *testing.T) {
	for _, command := range []policy.D{nil, {{Key: "index"}}, {{Key: "expireAfterSeconds", Value: policy.Int32Value(1)}}} {
		if reply, err := hidden.ValidateCollMod(mongo.CollectionSpec{}, command, mongo.Profile{}, 0); !errors.Is(err, mongo.ErrUnknownVersion) {
			t.Errorf("hidden.ValidateCollMod(%v) of no release = %+v, %v, want mongo.ErrUnknownVersion", command, reply, err)
		}
	}
}

// TestCollModRulesHaveVectors: some vector of the suite has a refusal by each rule that
// refuses commands.
func TestCollModRulesHaveVectors(t *testing.T) {
	named := drawn.NamedInVectors(t)
	for _, r := range rules.CollModRules {
		if !named[r.ID()] {
			t.Errorf("%s refuses no vector", r)
		}
	}
}
