package command

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// describe returns a collection in the form of a vector: its kind, the granularity,
// rounding and span of a time series, and its own expireAfterSeconds.
func describe(c mongo.CollectionSpec) string {
	var words []string
	series := c.TimeSeries
	granularity, ok := series.Field("granularity").AsString()
	if !ok {
		granularity = "-"
	}
	for word, is := range map[string]bool{"capped": c.Capped, "clustered": c.Clustered, "view": c.View} {
		if is {
			words = append(words, word)
		}
	}
	if len(words) > 1 {
		words = []string{"capped", "clustered"} // no other two kinds occur together
	}
	if !series.IsMissing() {
		words = append(words, "series", granularity, short(series.Field("bucketRoundingSeconds")), short(series.Field("bucketMaxSpanSeconds")))
	}
	if len(words) == 0 {
		words = []string{"ordinary"}
	}
	return strings.Join(append(words, short(c.ExpireAfterSeconds)), " ")
}

func checkCreate(t *testing.T, vectors []commandVector) {
	t.Helper()
	for _, v := range vectors {
		c, err := hidden.ValidateCreate(commandDocument(t, v.command), fixture.Profile(t, v.version), commandNow)
		got := describe(c)
		if err != nil {
			got = outcome(t, err)
		}
		if got != v.want {
			t.Errorf("%s: create(%s) on %s = %s, want %s", v.why, v.command, v.version, got, v.want)
		}
	}
}

// creation returns a vector for the command create.
func creation(why, version, command, want string) commandVector {
	return commandVector{why: why, version: version, command: command, want: want}
}

// createSeries returns the command that creates a time-series collection with the given
// expireAfterSeconds.
func createSeries(seconds string) string {
	return `{"timeseries":{"timeField":"t"},"expireAfterSeconds":` + seconds + `}`
}

// createCluster returns the command that creates a clustered collection with further
// options.
func createCluster(more string) string {
	return `{"clusteredIndex":{"key":{"_id":1},"unique":true}` + more + `}`
}

func TestCreateSeconds(t *testing.T) {
	const usual = "series seconds - 3600 "
	var vectors []commandVector
	for _, v := range []string{`true`, `false`, `"3600"`, `{"a":1}`, `[3600]`, `{"$oid":"507f1f77bcf86cd799439011"}`,
		`{"$date":{"$numberLong":"0"}}`, `{"$timestamp":{"t":0,"i":0}}`, `{"$minKey":1}`} {
		vectors = append(vectors, creation(v, "8.2.4", createSeries(v), "14 "+rules.CommandType.ID()), creation(v, "5.0.0", createSeries(v), "14 "+rules.CommandType.ID()))
	}
	checkCreate(t, append(vectors,
		creation("int32", "8.2.4", createSeries(`3600`), usual+"3600L"),
		creation("int64", "8.2.4", createSeries(`{"$numberLong":"3600"}`), usual+"3600L"),
		creation("double", "5.0.0", createSeries(`{"$numberDouble":"3600.0"}`), usual+"3600L"),
		creation("decimal", "8.2.4", createSeries(`{"$numberDecimal":"3600"}`), usual+"3600L"),
		creation("null is absent", "8.2.4", createSeries(`null`), usual+"-"),
		creation("zero", "8.2.4", createSeries(`0`), usual+"0L"),
		creation("a double is truncated", "8.2.4", createSeries(`{"$numberDouble":"100.9"}`), usual+"100L"),
		creation("a decimal is rounded half to even", "8.2.4", createSeries(`{"$numberDecimal":"100.5"}`), usual+"100L"),
		creation("and up", "8.2.4", createSeries(`{"$numberDecimal":"101.5"}`), usual+"102L"),
		creation("NaN is 0", "8.2.4", createSeries(aNaN), usual+"0L"),
		creation("NaN is 0 from the beginning", "5.0.0", createSeries(aNaN), usual+"0L"),
		creation("a decimal NaN is 0", "8.2.4", createSeries(aNaNDecimal), usual+"0L"),
		creation("minus zero", "8.2.4", createSeries(`{"$numberDouble":"-0.0"}`), usual+"0L"),
		creation("a decimal minus zero", "8.2.4", createSeries(`{"$numberDecimal":"-0"}`), usual+"0L"),
		creation("-0.9 is 0", "8.2.4", createSeries(`{"$numberDouble":"-0.9"}`), usual+"0L"),
		creation("a decimal -0.5 is 0", "8.2.4", createSeries(`{"$numberDecimal":"-0.5"}`), usual+"0L"),
		creation("a decimal -0.9 is -1", "8.2.4", createSeries(`{"$numberDecimal":"-0.9"}`), "72 "+rules.OwnNegative.ID()),
		creation("-1", "8.2.4", createSeries(`-1`), "72 "+rules.OwnNegative.ID()),
		creation("-1 from the beginning", "5.0.0", createSeries(`-1`), "72 "+rules.OwnNegative.ID()),
		creation("minus infinity", "8.2.4", createSeries(minusInf), "72 "+rules.OwnNegative.ID()),
		creation("a decimal minus infinity", "8.2.4", createSeries(minusInfDec), "72 "+rules.OwnNegative.ID()),
		creation("infinity", "8.2.4", createSeries(infinity), "72 "+rules.OwnLarge.ID()),
		creation("a decimal infinity", "7.0.0", createSeries(infDecimal), "72 "+rules.OwnLarge.ID()),
		creation("milliseconds that do not fit", "8.2.4", createSeries(`{"$numberLong":"9223372036854776"}`), "72 "+rules.OwnLarge.ID()),
		creation("the clock's second", "8.2.4", createSeries(`1700000000`), usual+"1700000000L"),
		creation("the next", "8.2.4", createSeries(`1700000001`), "72 "+rules.OwnLarge.ID()),
		creation("far beyond", "5.0.0", createSeries(`{"$numberLong":"9999999999"}`), "72 "+rules.OwnLarge.ID()),
		creation("clustered", "8.2.4", createCluster(`,"expireAfterSeconds":3600`), "clustered 3600L"),
		creation("clustered, since 5.3", "5.3.0", createCluster(`,"expireAfterSeconds":`+aNaN), "clustered 0L"),
		creation("clustered, not before", "5.2.1", createCluster(`,"expireAfterSeconds":3600`), "72 "+rules.OwnKind.ID()),
		creation("clustered, without", "8.2.4", createCluster(``), "clustered -"),
		creation("clustered, far beyond", "8.2.4", createCluster(`,"expireAfterSeconds":{"$numberLong":"9999999999"}`), "72 "+rules.OwnLarge.ID()),
		creation("ordinary", "8.2.4", `{"expireAfterSeconds":3600}`, "72 "+rules.OwnKind.ID()),
		creation("ordinary in 5.0", "5.0.0", `{"expireAfterSeconds":3600}`, "72 "+rules.OwnKind.ID()),
		creation("ordinary with null", "8.2.4", `{"expireAfterSeconds":null}`, "ordinary -"),
		creation("ordinary and negative", "8.2.4", `{"expireAfterSeconds":-1}`, "72 "+rules.OwnKind.ID()),
		creation("capped", "8.2.4", `{"capped":true,"size":4096,"expireAfterSeconds":3600}`, "72 "+rules.OwnKind.ID()),
		creation("a view", "8.2.4", `{"viewOn":"c","pipeline":[],"expireAfterSeconds":3600}`, "72 "+rules.OwnKind.ID()),
		creation("4.4 knows no such option", "4.4.29", `{"expireAfterSeconds":3600}`, "40415 "+rules.CommandUnknown.ID()),
		creation("nor 4.2", "4.2.0", createSeries(`1`), "40415 "+rules.CommandUnknown.ID()),
		creation("nor 4.0, which says it otherwise", "4.0.0", `{"expireAfterSeconds":3600}`, "72 "+rules.CommandUnknown.ID()),
		creation("nor 3.4", "3.4.0", createSeries(`1`), "72 "+rules.CommandUnknown.ID()),
		creation("3.2 ignores it", "3.2.0", `{"expireAfterSeconds":3600}`, "ordinary -"),
		creation("any release, without options", "2.2.0", `{"comment":"x"}`, "ordinary -"),
		creation("any release, capped", "3.2.22", `{"capped":true,"size":4096,"max":9}`, "capped -"),
		creation("3.2, capped without size", "3.2.22", `{"capped":true}`, "14832 "+rules.CreateCapped.ID()),
		creation("3.2, a size that is not of a capped one", "3.2.22", `{"size":4096}`, "ordinary -"),
		creation("3.2, an option", "3.2.22", `{"validator":{}}`, "ordinary -"),
	))
}

// TestCreateOld: create has the expected outcomes up to 4.2. They were read in the source
// at the tags of these releases (mongodb/mongo: src/mongo/db/pdfile.cpp of 2.2 and 2.4,
// src/mongo/db/catalog/database.cpp of 2.6, later
// src/mongo/db/catalog/collection_options.cpp; src/mongo/db/commands/create.idl of 4.2).
func TestCreateOld(t *testing.T) {
	const tooMany = `{"capped":true,"size":4096,"max":{"$numberLong":"2147483648"}}`
	checkCreate(t, []commandVector{
		creation("2.2 ignores what it does not know", "2.2.0", createSeries(`1`), "ordinary -"),
		creation("3.2 has no views", "3.2.22", `{"viewOn":""}`, "ordinary -"),
		creation("nor clustered collections", "3.2.22", createCluster(``), "ordinary -"),
		creation("3.4 has views", "3.4.0", `{"viewOn":"c","pipeline":[]}`, "view -"),
		creation("on nothing", "3.4.21", `{"viewOn":""}`, "2 "+rules.CommandValue.ID()),
		creation("on no text", "4.0.10", `{"viewOn":5}`, "2 "+rules.CommandValue.ID()),
		creation("on a symbol", "4.0.10", `{"viewOn":{"$symbol":"c"}}`, "2 "+rules.CommandValue.ID()),
		creation("on null", "4.0.10", `{"viewOn":null}`, "2 "+rules.CommandValue.ID()),
		creation("on nothing in 4.2", "4.2.0", `{"viewOn":""}`, "2 "+rules.CommandValue.ID()),
		creation("on no text in 4.2", "4.2.0", `{"viewOn":5}`, "14 "+rules.CommandType.ID()),
		creation("a size below 0 in 2.2", "2.2.7", `{"size":-1}`, "10083 "+rules.CommandValue.ID()),
		creation("a size below 0 in 2.4", "2.4.14", `{"capped":true,"size":-1}`, "10083 "+rules.CommandValue.ID()),
		creation("a size below 0 in 2.6", "2.6.0", `{"size":-1}`, "2 "+rules.CommandValue.ID()),
		creation("a size below 0 in 4.0", "4.0.10", `{"capped":true,"size":{"$numberDouble":"-1.0"}}`, "2 "+rules.CommandValue.ID()),
		creation("a size that is not a number", "4.0.10", `{"size":"-1"}`, "ordinary -"),
		creation("a size that is not a number in 2.6.1", "2.6.1", `{"size":"-1"}`, "2 "+rules.CommandValue.ID()),
		creation("a size that is not a number in 2.6.2", "2.6.2", `{"size":"-1"}`, "ordinary -"),
		creation("a size that is not a number in 2.4", "2.4.14", `{"size":"-1"}`, "ordinary -"),
		creation("a max of what is not capped in 2.6.0", "2.6.0", `{"max":{"$numberLong":"2147483648"}}`, "2 "+rules.CommandValue.ID()),
		creation("a max of what is not capped in 2.6.2", "2.6.2", `{"max":{"$numberLong":"2147483648"}}`, "ordinary -"),
		creation("a max that is not a number in 2.6.0", "2.6.0", `{"max":null}`, "2 "+rules.CommandValue.ID()),
		creation("a size of NaN", "4.0.10", `{"capped":true,"size":`+aNaN+`}`, "2 "+rules.CommandValue.ID()),
		creation("a size of NaN in 4.2", "4.2.0", `{"capped":true,"size":`+aNaN+`}`, "capped -"),
		creation("a size below 0 in 4.2", "4.2.0", `{"capped":true,"size":-1}`, "2 "+rules.CommandValue.ID()),
		creation("a size below 0 without capped in 4.2", "4.2.0", `{"size":-1}`, "72 "+rules.CreateCapped.ID()),
		creation("a petabyte", "3.4.0", `{"size":{"$numberLong":"1125899906842624"}}`, "ordinary -"),
		creation("beyond a petabyte", "3.4.0", `{"size":{"$numberLong":"1125899906842625"}}`, "2 "+rules.CommandValue.ID()),
		creation("beyond a petabyte in 3.2", "3.2.22", `{"size":{"$numberLong":"1125899906842625"}}`, "ordinary -"),
		creation("a max beyond 31 bits in 2.2", "2.2.7", tooMany, "capped -"),
		creation("a max beyond 31 bits in 2.4", "2.4.0", tooMany, "16495 "+rules.CommandValue.ID()),
		creation("a max beyond 31 bits in 2.6", "2.6.0", tooMany, "2 "+rules.CommandValue.ID()),
		creation("a max beyond 31 bits in 4.2", "4.2.0", tooMany, "2 "+rules.CommandValue.ID()),
		creation("the greatest max is none", "2.6.0", `{"capped":true,"size":4096,"max":{"$numberLong":"9223372036854775807"}}`, "capped -"),
		creation("a max of what is not capped", "4.0.10", `{"max":{"$numberLong":"2147483648"}}`, "ordinary -"),
		creation("capped without size in 2.2", "2.2.0", `{"capped":true}`, "14832 "+rules.CreateCapped.ID()),
		creation("capped without size in 4.0", "4.0.10", `{"capped":true,"size":"4096"}`, "14832 "+rules.CreateCapped.ID()),
		creation("capped without size in 4.2", "4.2.0", `{"capped":true}`, "72 "+rules.CreateCapped.ID()),
		creation("capped, with extents", "4.0.10", `{"capped":true,"$nExtents":1}`, "capped -"),
		creation("a comment in 3.2", "3.2.22", `{"comment":"x"}`, "ordinary -"),
		creation("a comment in 3.4", "3.4.0", `{"comment":"x"}`, "72 "+rules.CommandUnknown.ID()),
		creation("a comment in 4.0", "4.0.10", `{"comment":"x"}`, "72 "+rules.CommandUnknown.ID()),
		creation("a comment in 4.2", "4.2.0", `{"comment":"x"}`, "40415 "+rules.CommandUnknown.ID()),
		creation("a comment in 4.4", "4.4.0", `{"comment":"x"}`, "ordinary -"),
		creation("arguments of 3.4", "3.4.21", `{"writeConcern":{},"maxTimeMS":9}`, "ordinary -"),
		creation("no other in 3.4", "3.4.21", `{"lsid":{}}`, "72 "+rules.CommandUnknown.ID()),
		creation("nor what begins with a dollar sign", "3.4.21", `{"$db":"d"}`, "72 "+rules.CommandUnknown.ID()),
		creation("arguments of 3.6", "3.6.0", `{"writeConcern":{},"lsid":{},"$db":"d"}`, "ordinary -"),
		creation("not any that begins with a dollar sign", "3.6.0", `{"$x":1}`, "72 "+rules.CommandUnknown.ID()),
		creation("not those of transactions", "3.6.13", `{"autocommit":false}`, "72 "+rules.CommandUnknown.ID()),
		creation("those of 4.0", "4.0.0", `{"autocommit":false}`, "ordinary -"),
		creation("not those of coordinators", "4.0.10", `{"stmtId":1}`, "72 "+rules.CommandUnknown.ID()),
		creation("those of 4.2", "4.2.0", `{"stmtId":1}`, "ordinary -"),
		creation("images before 4.4", "4.2.0", `{"recordPreImages":true}`, "40415 "+rules.CommandUnknown.ID()),
		creation("images", "4.4.0", `{"recordPreImages":true}`, "ordinary -"),
		creation("options of 6.0 in 4.4", "4.4.0", `{"encryptedFields":{}}`, "40415 "+rules.CommandUnknown.ID()),
		creation("idIndex with viewOn", "3.4.0", `{"viewOn":"","idIndex":{"key":{"_id":1}}}`, "72 "+rules.CreateIDIndex.ID()),
		creation("idIndex with autoIndexId", "4.0.10", `{"idIndex":{"key":{"_id":1}},"autoIndexId":false}`, "72 "+rules.CreateIDIndex.ID()),
		creation("idIndex and what is unknown, in 3.2", "3.2.22", `{"idIndex":1,"autoIndexId":false}`, "ordinary -"),
		creation("size before what is unknown", "3.4.0", `{"size":-1,"bogus":1}`, "2 "+rules.CommandValue.ID()),
		creation("what is unknown before size", "3.4.0", `{"bogus":1,"size":-1}`, "72 "+rules.CommandUnknown.ID()),
	})
}

func TestCreateKinds(t *testing.T) {
	checkCreate(t, []commandVector{
		creation("clustered, with an idIndex", "8.2.4", createCluster(`,"idIndex":{"key":{"_id":1},"name":"_id_"}`), "72 "+rules.CreateCluster.ID()),
		creation("clustered, with an empty idIndex", "5.3.0", createCluster(`,"idIndex":{}`), "clustered -"),
		creation("clustered, without an index on _id", "5.3.0", createCluster(`,"autoIndexId":false`), "6026501 "+rules.CreateCluster.ID()),
		creation("clustered, with one", "8.2.4", createCluster(`,"autoIndexId":1`), "clustered -"),
		creation("a time field with a null byte", "8.2.4", `{"timeseries":{"timeField":"a\u0000b"}}`, "2 "+rules.CommandValue.ID()),
		creation("nothing", "8.2.4", `{}`, "ordinary -"),
		creation("the command's name and what all commands take", "8.2.4", `{"create":"c","comment":1,"$db":"d"}`, "ordinary -"),
		creation("what is not looked at", "8.2.4", `{"validator":{"$bogus":1},"collation":{"locale":"nowhere"},"storageEngine":{"none":5}}`, "ordinary -"),
		creation("an unknown option", "8.2.4", `{"bogus":1}`, "40415 "+rules.CommandUnknown.ID()),
		creation("an unknown option in 3.6", "3.6.0", `{"capped":true,"bogus":1}`, "14832 "+rules.CreateCapped.ID()),
		creation("known options in 3.6", "3.6.0", `{"capped":true,"size":1,"max":1}`, "capped -"),
		creation("a view in 3.6", "3.6.0", `{"viewOn":"c"}`, "view -"),
		creation("a view", "8.2.4", `{"viewOn":"c"}`, "view -"),
		creation("a view on nothing", "8.2.4", `{"viewOn":""}`, "2 "+rules.CommandValue.ID()),
		creation("a view on 5", "8.2.4", `{"viewOn":5}`, "14 "+rules.CommandType.ID()),
		creation("capped", "8.2.4", `{"capped":true,"size":4096}`, "capped -"),
		creation("capped by any number but 0", "8.2.4", `{"capped":`+aNaN+`,"size":4096}`, "capped -"),
		creation("by a decimal", "8.2.4", `{"capped":{"$numberDecimal":"0.5"},"size":4096}`, "capped -"),
		creation("0 is not capped", "8.2.4", `{"capped":{"$numberDouble":"-0.0"}}`, "ordinary -"),
		creation("nor is a decimal 0", "8.2.4", `{"capped":{"$numberDecimal":"-0"}}`, "ordinary -"),
		creation("capped without size", "8.2.4", `{"capped":true}`, "72 "+rules.CreateCapped.ID()),
		creation("capped with size null", "8.2.4", `{"capped":true,"size":null}`, "72 "+rules.CreateCapped.ID()),
		creation("size without capped", "8.2.4", `{"size":4096}`, "72 "+rules.CreateCapped.ID()),
		creation("max without capped", "5.0.0", `{"capped":false,"max":5}`, "72 "+rules.CreateCapped.ID()),
		creation("size 0", "8.2.4", `{"capped":true,"size":0}`, "2 "+rules.CommandValue.ID()),
		creation("size 0.9", "8.2.4", `{"capped":true,"size":{"$numberDouble":"0.9"}}`, "2 "+rules.CommandValue.ID()),
		creation("a petabyte", "8.2.4", `{"capped":true,"size":{"$numberLong":"1125899906842624"}}`, "capped -"),
		creation("a byte more", "8.2.4", `{"capped":true,"size":{"$numberLong":"1125899906842625"}}`, "2 "+rules.CommandValue.ID()),
		creation("size as text", "8.2.4", `{"capped":true,"size":"4096"}`, "14 "+rules.CommandType.ID()),
		creation("max -5 is none", "8.2.4", `{"capped":true,"size":1,"max":-5}`, "capped -"),
		creation("the greatest max", "8.2.4", `{"capped":true,"size":1,"max":{"$numberDouble":"2147483647.9"}}`, "capped -"),
		creation("max 2^31", "8.2.4", `{"capped":true,"size":1,"max":{"$numberDecimal":"2147483647.5"}}`, "2 "+rules.CommandValue.ID()),
		creation("4.4 is not asked for a size", "4.4.0", `{"capped":true,"size":0,"max":2147483647}`, "capped -"),
	})
}

func TestCreateClustered(t *testing.T) {
	index := func(fields string) string { return `{"clusteredIndex":{` + fields + `}}` }
	checkCreate(t, []commandVector{
		creation("named", "8.2.4", index(`"key":{"_id":1},"unique":true,"name":"x","v":2`), "clustered -"),
		creation("1 of any type", "8.2.4", index(`"key":{"_id":{"$numberDecimal":"1.0"}},"unique":42`), "clustered -"),
		creation("not unique", "8.2.4", index(`"key":{"_id":1},"unique":false`), "5979700 "+rules.CreateCluster.ID()),
		creation("unique 0", "5.3.0", index(`"key":{"_id":1},"unique":0`), "5979700 "+rules.CreateCluster.ID()),
		creation("without unique", "8.2.4", index(`"key":{"_id":1}`), "40414 "+rules.CommandMissing.ID()),
		creation("unique null", "8.2.4", index(`"key":{"_id":1},"unique":null`), "40414 "+rules.CommandMissing.ID()),
		creation("without key", "8.2.4", index(`"unique":true`), "40414 "+rules.CommandMissing.ID()),
		creation("key null", "8.2.4", index(`"key":null,"unique":true`), "40414 "+rules.CommandMissing.ID()),
		creation("key as text", "8.2.4", index(`"key":"_id","unique":true`), "14 "+rules.CommandType.ID()),
		creation("another key", "8.2.4", index(`"key":{"x":1},"unique":true`), "197 "+rules.CreateCluster.ID()),
		creation("descending", "8.2.4", index(`"key":{"_id":-1},"unique":true`), "197 "+rules.CreateCluster.ID()),
		creation("compound", "8.2.4", index(`"key":{"_id":1,"b":1},"unique":true`), "197 "+rules.CreateCluster.ID()),
		creation("unique as text", "8.2.4", index(`"key":{"_id":1},"unique":"yes"`), "14 "+rules.CommandType.ID()),
		creation("version 1", "8.2.4", index(`"key":{"_id":1},"unique":true,"v":1`), "5979704 "+rules.CreateCluster.ID()),
		creation("version NaN", "8.2.4", index(`"key":{"_id":1},"unique":true,"v":`+aNaN), "5979704 "+rules.CreateCluster.ID()),
		creation("version 2.9", "8.2.4", index(`"key":{"_id":1},"unique":true,"v":{"$numberDouble":"2.9"}`), "clustered -"),
		creation("an unknown field", "8.2.4", index(`"key":{"_id":1},"unique":true,"x":1`), "40415 "+rules.CommandUnknown.ID()),
		creation("true", "8.2.4", `{"clusteredIndex":true}`, "5979703 "+rules.CreateCluster.ID()),
		creation("1", "8.2.4", `{"clusteredIndex":1}`, "5979703 "+rules.CreateCluster.ID()),
		creation("false", "8.2.4", `{"clusteredIndex":false}`, "ordinary -"),
		creation("0", "8.2.4", `{"clusteredIndex":{"$numberDouble":"-0.0"}}`, "ordinary -"),
		creation("false with seconds", "8.2.4", `{"clusteredIndex":false,"expireAfterSeconds":1}`, "72 "+rules.OwnKind.ID()),
		creation("false with a size", "8.2.4", `{"clusteredIndex":false,"capped":true,"size":4096}`, "6049200 "+rules.CreateCluster.ID()),
		creation("null is no type of it", "8.2.4", `{"clusteredIndex":null}`, "14 "+rules.CommandType.ID()),
		creation("text", "8.2.4", `{"clusteredIndex":"hello"}`, "14 "+rules.CommandType.ID()),
		creation("before 5.3", "5.2.0", `{"clusteredIndex":true}`, "unspecified "+rules.CommandUnspecified.ID()),
		creation("a view, before 5.3", "5.2.0", createCluster(`,"viewOn":"c"`), "unspecified "+rules.CommandUnspecified.ID()),
		creation("capped, before 5.3", "5.2.0", createCluster(`,"capped":true`), "72 "+rules.CreateCapped.ID()),

		creation("capped needs seconds", "8.2.4", createCluster(`,"capped":true`), "6049201 "+rules.CreateCluster.ID()),
		creation("capped needs seconds, not null", "8.2.4", createCluster(`,"capped":true,"expireAfterSeconds":null`), "6049201 "+rules.CreateCluster.ID()),
		creation("capped with seconds", "8.2.4", createCluster(`,"capped":true,"expireAfterSeconds":10`), "capped clustered 10L"),
		creation("a size", "8.2.4", createCluster(`,"capped":true,"size":4096,"expireAfterSeconds":10`), "6049200 "+rules.CreateCluster.ID()),
		creation("a size, not capped", "5.3.0", createCluster(`,"size":4096`), "6049200 "+rules.CreateCluster.ID()),
		creation("a max", "8.2.4", createCluster(`,"capped":true,"max":5,"expireAfterSeconds":10`), "6049204 "+rules.CreateCluster.ID()),
		creation("a max, not capped", "8.2.4", createCluster(`,"max":100`), "6049204 "+rules.CreateCluster.ID()),
		creation("a view", "8.2.4", createCluster(`,"viewOn":"c"`), "6026500 "+rules.CreateCluster.ID()),
		creation("a view of nothing clustered", "8.2.4", `{"clusteredIndex":false,"viewOn":"c"}`, "view -"),
		creation("a time series", "8.2.4", createCluster(`,"timeseries":{"timeField":"t"}`), "72 "+rules.CreateSeries.ID()),
	})
}

func TestCreateTimeSeries(t *testing.T) {
	fields := func(more string) string { return `{"timeseries":{"timeField":"t"` + more + `}}` }
	beside := func(more string) string { return `{"timeseries":{"timeField":"t"},` + more + `}` }
	bounds := func(span, rounding string) string {
		return fields(`,"bucketMaxSpanSeconds":` + span + `,"bucketRoundingSeconds":` + rounding)
	}
	checkCreate(t, []commandVector{
		creation("the least", "5.0.0", fields(``), "series seconds - 3600 -"),
		creation("null is absent", "8.2.4", `{"timeseries":null}`, "ordinary -"),
		creation("no document", "8.2.4", `{"timeseries":"t"}`, "14 "+rules.CommandType.ID()),
		creation("without timeField", "8.2.4", `{"timeseries":{}}`, "40414 "+rules.CommandMissing.ID()),
		creation("timeField null", "5.0.0", `{"timeseries":{"timeField":null}}`, "40414 "+rules.CommandMissing.ID()),
		creation("timeField 5", "8.2.4", `{"timeseries":{"timeField":5}}`, "14 "+rules.CommandType.ID()),
		creation("timeField empty", "8.2.4", `{"timeseries":{"timeField":""}}`, "series seconds - 3600 -"),
		creation("timeField with a dot", "8.2.4", `{"timeseries":{"timeField":"a.b"}}`, "72 "+rules.CreateSeries.ID()),
		creation("metaField null", "8.2.4", fields(`,"metaField":null`), "series seconds - 3600 -"),
		creation("metaField 5", "8.2.4", fields(`,"metaField":5`), "14 "+rules.CommandType.ID()),
		creation("metaField with a dot", "8.2.4", fields(`,"metaField":"a.b"`), "72 "+rules.CreateSeries.ID()),
		creation("metaField _id", "5.0.0", fields(`,"metaField":"_id"`), "72 "+rules.CreateSeries.ID()),
		creation("metaField timeField", "8.2.4", fields(`,"metaField":"t"`), "72 "+rules.CreateSeries.ID()),
		creation("metaField empty", "8.2.4", fields(`,"metaField":""`), "series seconds - 3600 -"),
		creation("an unknown field", "8.2.4", fields(`,"x":1`), "40415 "+rules.CommandUnknown.ID()),
		creation("seconds", "8.2.4", fields(`,"granularity":"seconds"`), "series seconds - 3600 -"),
		creation("minutes", "5.0.0", fields(`,"granularity":"minutes"`), "series minutes - 86400 -"),
		creation("hours", "8.2.4", fields(`,"granularity":"hours"`), "series hours - 2592000 -"),
		creation("null", "8.2.4", fields(`,"granularity":null`), "series seconds - 3600 -"),
		creation("days", "8.2.4", fields(`,"granularity":"days"`), "2 "+rules.CommandValue.ID()),
		creation("granularity 5", "8.2.4", fields(`,"granularity":5`), "14 "+rules.CommandType.ID()),

		creation("a span and a rounding", "8.2.4", bounds(`300`, `300`), "series - 300 300 -"),
		creation("since 6.3", "6.3.0", bounds(`300`, `300`), "series - 300 300 -"),
		creation("not before", "6.2.1", bounds(`300`, `300`), "5510500 "+rules.CreateBuckets.ID()),
		creation("nor in 5.0", "5.0.0", fields(`,"bucketMaxSpanSeconds":300`), "5510500 "+rules.CreateBuckets.ID()),
		creation("the usual span before", "5.0.0", fields(`,"bucketMaxSpanSeconds":3600`), "series seconds - 3600 -"),
		creation("the usual span of minutes before", "6.2.0", fields(`,"granularity":"minutes","bucketMaxSpanSeconds":86400`), "series minutes - 86400 -"),
		creation("a rounding beside it, before", "6.2.0", bounds(`3600`, `60`), "unspecified "+rules.CommandUnspecified.ID()),
		creation("the least", "8.2.4", bounds(`1`, `1`), "series - 1 1 -"),
		creation("the greatest", "8.2.4", bounds(`31536000`, `31536000`), "series - 31536000 31536000 -"),
		creation("a second more", "8.2.4", bounds(`31536001`, `31536001`), "2 "+rules.CommandValue.ID()),
		creation("zero", "8.2.4", bounds(`0`, `0`), "2 "+rules.CommandValue.ID()),
		creation("negative", "8.2.4", bounds(`-1`, `-1`), "2 "+rules.CommandValue.ID()),
		creation("NaN", "8.2.4", bounds(aNaN, aNaN), "2 "+rules.CommandValue.ID()),
		creation("infinity", "8.2.4", bounds(infinity, infinity), "2 "+rules.CommandValue.ID()),
		creation("minus infinity", "8.2.4", bounds(minusInfDec, minusInfDec), "2 "+rules.CommandValue.ID()),
		creation("text", "8.2.4", bounds(`"300"`, `300`), "14 "+rules.CommandType.ID()),
		creation("they differ", "8.2.4", bounds(`300`, `600`), "72 "+rules.CreateBuckets.ID()),
		creation("equal once they are whole", "8.2.4", bounds(`{"$numberDouble":"3.9"}`, `3`), "series - 3 3 -"),
		creation("equal once they are rounded", "8.2.4", bounds(`{"$numberDecimal":"3.5"}`, `4`), "series - 4 4 -"),
		creation("a span alone", "8.2.4", fields(`,"bucketMaxSpanSeconds":300`), "72 "+rules.CreateBuckets.ID()),
		creation("the usual span alone", "8.2.4", fields(`,"bucketMaxSpanSeconds":3600`), "72 "+rules.CreateBuckets.ID()),
		creation("a rounding alone", "8.2.4", fields(`,"bucketRoundingSeconds":300`), "72 "+rules.CreateBuckets.ID()),
		creation("both beside a granularity", "8.2.4", fields(`,"granularity":"seconds","bucketMaxSpanSeconds":300,"bucketRoundingSeconds":300`), "72 "+rules.CreateBuckets.ID()),
		creation("a rounding beside a granularity", "8.2.4", fields(`,"granularity":"hours","bucketRoundingSeconds":86400`), "72 "+rules.CreateBuckets.ID()),
		creation("the granularity's span beside it", "8.2.4", fields(`,"granularity":"hours","bucketMaxSpanSeconds":2592000`), "series hours - 2592000 -"),
		creation("another's span beside it", "8.2.4", fields(`,"granularity":"hours","bucketMaxSpanSeconds":86400`), "72 "+rules.CreateBuckets.ID()),

		creation("capped", "8.2.4", beside(`"capped":true,"size":4096`), "72 "+rules.CreateSeries.ID()),
		creation("not capped", "8.2.4", beside(`"capped":false`), "series seconds - 3600 -"),
		creation("a view", "8.2.4", beside(`"viewOn":"c"`), "72 "+rules.CreateSeries.ID()),
		creation("a validator", "5.0.0", beside(`"validator":{}`), "72 "+rules.CreateSeries.ID()),
		creation("an index on _id", "8.2.4", beside(`"idIndex":{}`), "72 "+rules.CreateSeries.ID()),
		creation("what goes with it", "8.2.4", beside(`"collation":{"locale":"de"},"storageEngine":{},"indexOptionDefaults":{},"comment":1,"validator":null`), "series seconds - 3600 -"),
		creation("before 5.0", "4.4.29", fields(``), "40415 "+rules.CommandUnknown.ID()),
	})
}

// TestCreateFirstFault: if there are two faults, the one that the server finds
// first decides.
func TestCreateFirstFault(t *testing.T) {
	checkCreate(t, []commandVector{
		creation("types before all else", "8.2.4", `{"capped":true,"expireAfterSeconds":"x"}`, "14 "+rules.CommandType.ID()),
		creation("fields in their order", "8.2.4", `{"timeseries":{},"expireAfterSeconds":"x"}`, "40414 "+rules.CommandMissing.ID()),
		creation("and the other way round", "8.2.4", `{"expireAfterSeconds":"x","timeseries":{}}`, "14 "+rules.CommandType.ID()),
		creation("what is missing comes last", "8.2.4", `{"timeseries":{"metaField":5}}`, "14 "+rules.CommandType.ID()),
		creation("size before seconds", "8.2.4", `{"capped":true,"expireAfterSeconds":1}`, "72 "+rules.CreateCapped.ID()),
		creation("size before max", "8.2.4", createCluster(`,"max":5,"size":5`), "6049200 "+rules.CreateCluster.ID()),
		creation("max before seconds", "8.2.4", createCluster(`,"capped":true,"max":5`), "6049204 "+rules.CreateCluster.ID()),
		creation("seconds before unique", "8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":false},"capped":true}`, "6049201 "+rules.CreateCluster.ID()),
		creation("unique before key", "8.2.4", `{"clusteredIndex":{"key":{"x":1},"unique":false}}`, "5979700 "+rules.CreateCluster.ID()),
		creation("key before range", "8.2.4", `{"clusteredIndex":{"key":{"x":1},"unique":true},"expireAfterSeconds":-1}`, "197 "+rules.CreateCluster.ID()),
		creation("range before version", "8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":true,"v":1},"expireAfterSeconds":-1}`, "72 "+rules.OwnNegative.ID()),
		creation("beside before fields", "8.2.4", `{"timeseries":{"timeField":"a.b"},"viewOn":"c"}`, "72 "+rules.CreateSeries.ID()),
		creation("fields before buckets", "8.2.4", `{"timeseries":{"timeField":"t","metaField":"t","bucketMaxSpanSeconds":5}}`, "72 "+rules.CreateSeries.ID()),
		creation("buckets before range", "8.2.4", `{"timeseries":{"timeField":"t","bucketMaxSpanSeconds":5},"expireAfterSeconds":-1}`, "72 "+rules.CreateBuckets.ID()),
		creation("kind before range", "8.2.4", `{"expireAfterSeconds":`+infinity+`}`, "72 "+rules.OwnKind.ID()),
		creation("view before unique", "8.2.4", `{"clusteredIndex":{"key":{"_id":1},"unique":false},"viewOn":"c"}`, "6026500 "+rules.CreateCluster.ID()),
	})
}

// TestCreateReasons: the texts of refusals, which callers compare.
func TestCreateReasons(t *testing.T) {
	for _, tt := range []struct{ version, command, field, reason string }{
		{"8.2.4", `{"expireAfterSeconds":1}`, "expireAfterSeconds", "'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex' option is specified"},
		{"5.2.1", `{"expireAfterSeconds":1}`, "expireAfterSeconds", "'expireAfterSeconds' is only supported on time-series collections"},
		{"8.2.4", createSeries(`true`), "expireAfterSeconds", "BSON field 'create.expireAfterSeconds' is the wrong type 'bool', expected types '[long, int, decimal, double]'"},
		{"4.4.0", `{"expireAfterSeconds":1}`, "expireAfterSeconds", "BSON field 'create.expireAfterSeconds' is an unknown field."},
		{"8.2.4", `{"timeseries":{}}`, "timeseries.timeField", "BSON field 'create.timeseries.timeField' is missing but a required field"},
		{"8.2.4", `{"timeseries":{"timeField":"t"},"capped":true,"size":4096}`, "capped", "'timeseries' is not allowed with 'capped'"},
		{"8.2.4", `{"timeseries":{"timeField":"a.b"}}`, "timeseries.timeField", "'timeField' must be a top-level field and not contain a '.'"},
		{"8.2.4", `{"timeseries":{"timeField":"t","metaField":"_id"}}`, "timeseries.metaField", `'metaField' cannot be "_id"`},
		{"8.2.4", `{"timeseries":{"timeField":"t","metaField":"t"}}`, "timeseries.metaField", "'metaField' cannot be the same as 'timeField'"},
		{"8.2.4", `{"timeseries":{"timeField":"t","bucketMaxSpanSeconds":5}}`, "timeseries.bucketRoundingSeconds", "Time-series 'bucketRoundingSeconds' must be equal to 'bucketMaxSpanSeconds'"},
		{"8.2.4", `{"timeseries":{"timeField":"t","bucketMaxSpanSeconds":0}}`, "timeseries.bucketMaxSpanSeconds", "BSON field 'create.timeseries.bucketMaxSpanSeconds' value must be >= 1, actual value '0'"},
		{"6.0.0", `{"timeseries":{"timeField":"t","bucketMaxSpanSeconds":5}}`, "timeseries.bucketMaxSpanSeconds", "Timeseries 'bucketMaxSpanSeconds' is not configurable to a value other than the default of 3600 for the provided granularity"},
		{"8.2.4", createCluster(`,"size":5`), "size", "'size' field for capped collections is not allowed on clustered collections. Did you mean 'capped: true' with 'expireAfterSeconds'?"},
		{"8.2.4", createCluster(`,"max":5`), "max", "'max' field for capped collections is not allowed on clustered collections. Did you mean 'capped: true' with 'expireAfterSeconds'?"},
		{"8.2.4", createCluster(`,"capped":true`), "expireAfterSeconds", "A capped clustered collection requires the 'expireAfterSeconds' field"},
		{"7.3.4", createSeries(`-1`), "expireAfterSeconds", "TTL index 'expireAfterSeconds' option cannot be less than 0"},
		{"7.1.1", createSeries(infinity), "expireAfterSeconds", "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number"},
		{"7.2.0", createSeries(infinity), "expireAfterSeconds", "TTL index 'expireAfterSeconds' option cannot overflow int64_t when cast as milliseconds, found 9223372036854775807"},
	} {
		_, err := hidden.ValidateCreate(commandDocument(t, tt.command), fixture.Profile(t, tt.version), commandNow)
		if refused, ok := refusedBy(err); !ok || refused.Reason != tt.reason || refused.Field != tt.field {
			t.Errorf("create(%s) on %s = %v, want %s: %q", tt.command, tt.version, err, tt.field, tt.reason)
		}
	}
}

// TestCreateCompiles: the evaluator compiles the collections that create makes.
func TestCreateCompiles(t *testing.T) {
	const date policy.Instant = 1_600_000_000_000
	for _, tt := range []struct {
		command, doc string
		deadline     policy.Instant
	}{
		{createSeries(aNaN), `{"t":{"$date":{"$numberLong":"1600000000000"}}}`, 1_599_999_960_000 + 3_600_000},
		{`{"timeseries":{"timeField":"t","granularity":"minutes"},"expireAfterSeconds":10}`, `{"t":{"$date":{"$numberLong":"1600000000000"}}}`, 1_599_998_400_000 + 86_410_000},
		{`{"timeseries":{"timeField":"t","bucketMaxSpanSeconds":7,"bucketRoundingSeconds":7},"expireAfterSeconds":10}`, `{"t":{"$date":{"$numberLong":"1600000000000"}}}`, 1_599_999_996_000 + 17_000},
		{createCluster(`,"expireAfterSeconds":10`), `{"_id":{"$date":{"$numberLong":"1600000000000"}}}`, date + 10_000},
	} {
		p := fixture.Profile(t, "8.2.4")
		made, err := hidden.ValidateCreate(commandDocument(t, tt.command), p, commandNow)
		if err != nil {
			t.Fatal(err)
		}
		c, err := mongo.CompileCollection(made, p)
		if err != nil {
			t.Fatal(err)
		}
		if d := c.Decide(drawn.Value(t, tt.doc), 0); d.State != policy.Pending || drawn.Deadline(d) != tt.deadline {
			t.Errorf("%s: %v at %d, want the deadline %d", tt.command, d.State, drawn.Deadline(d), tt.deadline)
		}
	}
}

func TestCreateZeroProfile(t *testing.T) {
	for _, command := range []policy.D{nil, {{Key: "timeseries"}}, {{Key: "expireAfterSeconds", Value: policy.Int32Value(1)}}} {
		if c, err := hidden.ValidateCreate(command, mongo.Profile{}, 0); !errors.Is(err, mongo.ErrUnknownVersion) {
			t.Errorf("hidden.ValidateCreate(%v) of no release = %s, %v, want mongo.ErrUnknownVersion", command, describe(c), err)
		}
	}
}

// TestCreateAgain: what create does if the collection exists.
func TestCreateAgain(t *testing.T) {
	const clustered = `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":60}`
	for _, tt := range []struct{ release, first, again, want string }{
		{"2.6.12", `{}`, `{}`, "unspecified"},
		{"3.0.15", `{}`, `{}`, "48"},
		{"6.0.24", `{}`, `{}`, "48"},
		{"7.0.0", `{}`, `{}`, ""},
		{"7.0.0", `{}`, `{"comment":"x","maxTimeMS":5}`, ""},
		{"7.0.0", clustered, clustered, ""},
		{"7.0.0", clustered, `{"expireAfterSeconds":60.9,"clusteredIndex":{"key":{"_id":1},"unique":true}}`, ""},
		{"7.0.0", clustered, `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":61}`, "48"},
		{"7.0.0", clustered, `{"clusteredIndex":{"key":{"_id":1},"unique":true}}`, "48"},
		{"7.0.0", clustered, `{}`, "48"},
		{"7.0.0", `{}`, clustered, "48"},
		{"7.0.0", `{"timeseries":{"timeField":"t"}}`, `{"timeseries":{"timeField":"t","granularity":"seconds"}}`, ""},
		{"7.0.0", `{"timeseries":{"timeField":"t"}}`, `{"timeseries":{"timeField":"t","granularity":"hours"}}`, "48"},
		{"7.0.0", `{}`, `{"capped":true,"size":4096}`, "48"},
		{"7.0.0", `{"capped":true,"size":4096}`, `{"capped":true,"size":4096}`, "unspecified"},
		{"7.0.0", `{}`, `{"validator":{}}`, "unspecified"},
		{"7.0.0", `{"viewOn":"a"}`, `{"viewOn":"a"}`, "unspecified"},
		{"7.0.0", `{}`, `{"capped":true}`, "unspecified"},
		{"6.0.24", `{}`, `{"nonsense":1}`, "unspecified"},
	} {
		p, now := fixture.Profile(t, tt.release), policy.Instant(1_700_000_000_000)
		made, err := Create("shop.logs", policy.DOf(fixture.Value(t, tt.first)), p, now)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		err = CreateAgain(made, policy.DOf(fixture.Value(t, tt.again)), now)
		if refused := new(mongo.SpecError); errors.As(err, &refused) {
			got = strconv.Itoa(int(refused.Code))
		}
		if errors.Is(err, policy.ErrUnspecified) {
			got = "unspecified"
		}
		if got != tt.want {
			t.Errorf("%s: create %s after %s: %q, want %q (%v)", tt.release, tt.again, tt.first, got, tt.want, err)
		}
	}
}
