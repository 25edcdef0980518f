package adapter

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A question is one run request, and what the vendor's sources make of it.
type question struct {
	why    string
	target string // "mongodb 6.0.1", or a system alone, or all of the target in JSON
	in     string // without the braces; $n stands for a date of n milliseconds
	want   string // "expired 1700003600000 mongo.date index", "never mongo.field-null"
}

// dates writes $n as a date in every place.
func dates(in string) string {
	parts := strings.Split(in, "$")
	for i, p := range parts[1:] {
		n := len(p) - len(strings.TrimLeft(p, "-0123456789"))
		if n == 0 {
			parts[i+1] = "$" + p // an operator or a wrapper
			continue
		}
		parts[i+1] = `{"$date":{"$numberLong":"` + p[:n] + `"}}` + p[n:]
	}
	return strings.Join(parts, "")
}

func (q question) request(op string) string {
	target := q.target
	if !strings.HasPrefix(target, "{") {
		system, version, _ := strings.Cut(target, " ")
		target = fmt.Sprintf(`{"system":%q}`, system)
		if version != "" {
			target = fmt.Sprintf(`{"system":%q,"version":%q}`, system, version)
		}
	}
	return fmt.Sprintf(`{"cmd":"run","seq":1,"op":%q,"target":%s,"in":{%s}}`, op, target, dates(q.in))
}

// brief returns the answer in the form of question.want.
func brief(t *testing.T, reply string) string {
	t.Helper()
	var a struct {
		Seq json.RawMessage
		Out *struct {
			State    string
			Deadline *struct {
				Date struct {
					Long string `json:"$numberLong"`
				} `json:"$date"`
			}
			Index, Rule string
		}
		Error       *refusal
		Skip, Fault string
	}
	if err := json.Unmarshal([]byte(reply), &a); err != nil || string(a.Seq) != "1" {
		t.Fatalf("answer %s: %v", reply, err)
	}
	switch {
	case a.Error != nil:
		return fmt.Sprintf("error %d %s", a.Error.Code, a.Error.CodeName)
	case a.Skip != "":
		return "skip " + a.Skip
	case a.Fault != "":
		return "fault " + a.Fault
	}
	words := []string{a.Out.State}
	if a.Out.Deadline != nil {
		words = append(words, a.Out.Deadline.Date.Long)
	}
	words = append(words, a.Out.Rule)
	if a.Out.Index != "" {
		words = append(words, a.Out.Index)
	}
	return strings.Join(words, " ")
}

func askAll(t *testing.T, op string, questions []question) {
	t.Helper()
	for _, q := range questions {
		request := q.request(op)
		if got := brief(t, askOne(t, request)); got != q.want {
			t.Errorf("%s:\n%s\nis answered %q, want %q", q.why, request, got, q.want)
		}
	}
}

// The deadlines are worked out by hand: 1,700,000,000,000 ms is
// 2023-11-14T22:13:20Z.
func TestDecideMongoDB(t *testing.T) {
	const (
		hour     = `"indexes":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":3600}]`
		past     = `"now":$1800000000000,"document":{"at":$1700000000000}`
		nan      = past + `,"indexes":[{"key":{"at":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}]`
		series   = `"now":$1800000000000,"document":{"t":$1700000000000},"indexes":[],"collection":{"timeseries":{"timeField":"t"%s},"expireAfterSeconds":10}`
		cluster  = `"indexes":[],"collection":{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":10}`
		twoTimes = `"indexes":[{"key":{"a":1},"name":"first","expireAfterSeconds":10},{"key":{"b":1},"name":"second","expireAfterSeconds":5}]`
	)
	askAll(t, "mongodb.decide", []question{
		{"the deadline itself", "mongodb 6.0.1", `"now":$1700003600000,"document":{"at":$1700000000000},` + hour, "expired 1700003600000 mongo.date at_1"},
		{"a millisecond before", "mongodb 6.0.1", `"now":$1700003599999,"document":{"at":$1700000000000},` + hour, "pending 1700003600000 mongo.date at_1"},
		{"2.2 to 3.0 were strict", "mongodb 3.0.15", `"now":$1700003600000,"document":{"at":$1700000000000},` + hour, "pending 1700003600001 mongo.date-strict at_1"},
		{"before 1970", "mongodb 8.0.4", `"now":$-1,"document":{"at":$-3600001},` + hour, "expired -1 mongo.date at_1"},
		{"the last date there is", "mongodb 8.0.4", `"now":$1700003600000,"document":{"at":$9223372036854775807},` + hour, "never mongo.unreachable"},
		{"no version asks about the newest", "mongodb", `"now":$1700003600000,"document":{"at":$1700000000000},` + hour, "expired 1700003600000 mongo.date at_1"},
		{"a string", "mongodb 8.0.4", `"now":$1700003600000,"document":{"at":"2023-11-14T22:13:20Z"},` + hour, "never mongo.field-not-date"},
		{"milliseconds", "mongodb 8.0.4", `"now":$1700003600000,"document":{"at":1700000000000},` + hour, "never mongo.field-not-date"},
		{"null", "mongodb 8.0.4", `"now":$1700003600000,"document":{"at":null},` + hour, "never mongo.field-null"},
		{"missing", "mongodb 8.0.4", `"now":$1700003600000,"document":{},` + hour, "never mongo.field-missing"},
		{"the earliest of an array", "mongodb 8.0.4", `"now":$1700003600000,"document":{"at":["x",$1700000000000,$1600000000000]},` + hour, "expired 1600003600000 mongo.array-earliest at_1"},
		{"an array in an array", "mongodb 8.0.4", `"now":$1700003600000,"document":{"at":[[$1600000000000]]},` + hour, "never mongo.array-nested"},
		{"a name that nobody gave", "mongodb 8.0.4", past + `,"indexes":[{"key":{"at":-1},"expireAfterSeconds":1,"hidden":true,"sparse":true}]`, "expired 1700000001000 mongo.date at_-1"},
		{"a fraction", "mongodb 6.0.9", past + `,"indexes":[{"key":{"at":1},"name":"i","expireAfterSeconds":4.5}]`, "expired 1700000004000 mongo.date i"},
		{"68 years are not for ever", "mongodb 8.0.4", `"now":$1705720447000,"document":{"at":$-441763200000},"indexes":[{"key":{"at":1},"name":"i","expireAfterSeconds":2147483647}]`, "expired 1705720447000 mongo.date i"},
		{"compound, from before 4.2", "mongodb 4.2.0", past + `,"indexes":[{"key":{"at":1,"b":1},"expireAfterSeconds":1}]`, "never mongo.index-compound"},
		{"hashed", "mongodb 8.0.4", past + `,"indexes":[{"key":{"at":"hashed"},"expireAfterSeconds":1}]`, "never mongo.index-special"},
		{"no TTL index", "mongodb 8.0.4", past + `,"indexes":[{"key":{"at":1}}]`, "never mongo.no-ttl"},
		{"no index", "mongodb 8.0.4", past + `,"indexes":[]`, "never mongo.no-ttl"},

		{"NaN up to 4.4", "mongodb 4.4.29", nan, "never mongo.nan-aborts"},
		{"NaN in 5.0.0", "mongodb 5.0.0", nan, "expired 1700000000000 mongo.date at_1"},
		{"NaN in 5.0.13", "mongodb 5.0.13", nan, "expired 1700000000000 mongo.date at_1"},
		{"NaN in 5.0.14", "mongodb 5.0.14", nan, "never mongo.nan-skipped"},
		{"NaN in 6.0.1", "mongodb 6.0.1", nan, "expired 1700000000000 mongo.date at_1"},
		{"NaN in 6.0.2", "mongodb 6.0.2", nan, "never mongo.nan-skipped"},
		{"NaN in 8.2", "mongodb 8.2.4", nan, "never mongo.nan-skipped"},

		{"the manual's {D: 1}", "mongodb 8.0.4", `"now":$1800000000000,"document":{"at":$1700000000000,"D":1},"indexes":[{"key":{"at":1},"name":"i","expireAfterSeconds":10,"partialFilterExpression":{"D":1}}]`, "expired 1700000010000 mongo.date i"},
		{"the manual's {D: 3}", "mongodb 8.0.4", `"now":$1800000000000,"document":{"at":$1700000000000,"D":3},"indexes":[{"key":{"at":1},"name":"i","expireAfterSeconds":10,"partialFilterExpression":{"D":1}}]`, "never mongo.filter-mismatch"},
		{"a filter that no catalog holds", "mongodb 8.0.4", past + `,"indexes":[{"key":{"at":1},"expireAfterSeconds":10,"partialFilterExpression":{"D":{"$ne":1}}}]`, "error 67 CannotCreateIndex"},
		{"a filter that the sources leave open", "mongodb 8.0.4", past + `,"indexes":[{"key":{"at":1},"expireAfterSeconds":10,"partialFilterExpression":{"D":{"$geoWithin":{"$centerSphere":[[0,0],1]}}}}]`, "never mongo.filter-unspecified"},

		{"the earliest of several indexes", "mongodb 8.0.4", `"now":$1800000000000,"document":{"a":$1700000000000,"b":$1700000000000},` + twoTimes, "expired 1700000005000 mongo.date second"},
		{"one index does not protect from the other", "mongodb 8.0.4", `"now":$1800000000000,"document":{"a":$1700000000000},` + twoTimes, "expired 1700000010000 mongo.date first"},
		{"capped, 4.4", "mongodb 4.4.0", past + `,"collection":{"capped":true},` + hour, "never mongo.capped"},
		{"capped, 7.1", "mongodb 7.1.0", past + `,"collection":{"capped":true},` + hour, "expired 1700003600000 mongo.date at_1"},
		// A minute's rounding down, an hour's span, ten seconds.
		{"a time-series collection", "mongodb 7.0.0", fmt.Sprintf(series, ""), "expired 1700003590000 mongo.timeseries-bucket collection"},
		// An hour's rounding down, a day's span, ten seconds.
		{"of minutes", "mongodb 7.0.0", fmt.Sprintf(series, `,"granularity":"minutes"`), "expired 1700085610000 mongo.timeseries-bucket collection"},
		{"flagged, up to 8.0.4", "mongodb 8.0.4", strings.Replace(fmt.Sprintf(series, ""), `"collection":{`, `"collection":{"requiresExtendedRangeSupport":true,`, 1), "never mongo.timeseries-extended-range"},
		{"a clustered collection", "mongodb 6.0.0", cluster + `,"now":$1700000010000,"document":{"_id":$1700000000000}`, "expired 1700000010000 mongo.clustered collection"},
		{"begins with 1970", "mongodb 6.0.0", cluster + `,"now":$1700000010000,"document":{"_id":$-1}`, "never mongo.clustered-before-1970"},
		{"a null option is none", "mongodb 6.0.0", past + `,"collection":null,` + hour, "expired 1700003600000 mongo.date at_1"},

		{"a release of the future", "mongodb 9.0.0", past + "," + hour, "skip mongo: no profile for this server version: 9.0.0 is not from 2.2 to 8.2"},
		{"a release of the past", "mongodb 2.0.9", past + "," + hour, "skip mongo: no profile for this server version: 2.0.9 is not from 2.2 to 8.2"},
		{"not a release", "mongodb 8.0-rc1", past + "," + hour, `fault target.version: "8.0-rc1" is no release such as 8.0.4`},
		{"another system", "cosmos-mongo 4.2", past + "," + hour, `skip mongodb.decide answers for the system mongodb, not for "cosmos-mongo"`},
		{"no target", "null", past + "," + hour, `skip mongodb.decide answers for the system mongodb, not for "null"`},
		{"no system", "{}", past + "," + hour, "fault target.system: missing; want a string"},
		{"a version that is a number", `{"system":"mongodb","version":8.0}`, past + "," + hour, "fault target.version: want a string, got 8.0"},
		{"no now", "mongodb 8.0.4", `"document":{},` + hour, `fault in.now: missing; want a date such as {"$date":{"$numberLong":"0"}}`},
		{"now as a number", "mongodb 8.0.4", `"now":5,"document":{},` + hour, `fault in.now: want a date such as {"$date":{"$numberLong":"0"}}, got 5`},
		{"no document", "mongodb 8.0.4", `"now":$5,` + hour, "fault in.document: missing; want a document"},
		{"an array for a document", "mongodb 8.0.4", `"now":$5,"document":[],` + hour, "fault in.document: want a document, got []"},
		{"no indexes", "mongodb 8.0.4", `"now":$5,"document":{}`, "fault in.indexes: missing; want an array of documents"},
		{"a number among the indexes", "mongodb 8.0.4", `"now":$5,"document":{},"indexes":[{"key":{"a":1}},3]`, `fault in.indexes: element 1: want a document, got {"$numberInt":"3"}`},
		{"an index without a key", "mongodb 8.0.4", `"now":$5,"document":{},"indexes":[{"name":"a"}]`, "fault in.indexes: indexes[0]: mongo: key: is missing, want a document such as {createdAt: 1}: TypeMismatch (14)"},
		{"options that are none", "mongodb 8.0.4", `"now":$5,"document":{},"indexes":[],"collection":7`, "fault in.collection: want a document, got 7"},
	})
}

func TestDecideCosmos(t *testing.T) {
	cell := func(container, item string) string {
		return `"now":$1700000010000,"container":{"id":"c"` + container + `},"item":{"id":"1"` + item + `,"_ts":1700000000}`
	}
	off, minus, ten := "", `,"defaultTtl":-1`, `,"defaultTtl":10`
	askAll(t, "cosmos.decide", []question{
		{"off, no ttl", "cosmos-nosql", cell(off, ""), "never cosmos.off"},
		{"off beats -1", "cosmos-nosql", cell(off, `,"ttl":-1`), "never cosmos.off"},
		{"off beats a ttl", "cosmos-nosql", cell(off, `,"ttl":1`), "never cosmos.off"},
		{"null is off", "cosmos-nosql", cell(`,"defaultTtl":null`, `,"ttl":1`), "never cosmos.off"},
		{"-1, no ttl", "cosmos-nosql", cell(minus, ""), "never cosmos.no-default"},
		{"-1, -1", "cosmos-nosql", cell(minus, `,"ttl":-1`), "never cosmos.item-never"},
		{"-1, a ttl", "cosmos-nosql", cell(minus, `,"ttl":11`), "pending 1700000011000 cosmos.item"},
		{"the default, on the second", "cosmos-nosql", cell(ten, ""), "expired 1700000010000 cosmos.default"},
		{"-1 wins", "cosmos-nosql", cell(ten, `,"ttl":-1`), "never cosmos.item-never"},
		{"the item's ttl is longer", "cosmos-nosql", cell(ten, `,"ttl":11`), "pending 1700000011000 cosmos.item"},
		{"the item's ttl is shorter", "cosmos-nosql", cell(ten, `,"ttl":9`), "expired 1700000009000 cosmos.item"},
		{"a sum beyond 32 bits", "cosmos-nosql", cell(ten, `,"ttl":2147483647`), "pending 3847483647000 cosmos.item"},
		{"zero", "cosmos-nosql", cell(ten, `,"ttl":0`), "never cosmos.item-unspecified"},
		{"a string", "cosmos-nosql", cell(ten, `,"ttl":"5"`), "never cosmos.item-unspecified"},
		{"another spelling", "cosmos-nosql", cell(ten, `,"TTL":-1`), "expired 1700000010000 cosmos.default"},
		{"an escaped name", "cosmos-nosql", cell(ten, `,"\u0074tl":-1`), "never cosmos.item-never"},
		{"a millisecond before", "cosmos-nosql", `"now":$1700000009999,"container":{"defaultTtl":10},"item":{"_ts":1700000000}`, "pending 1700000010000 cosmos.default"},
		{"no _ts", "cosmos-nosql", `"now":$1700000009999,"container":{"defaultTtl":10},"item":{}`, "never cosmos.no-timestamp"},
		{"an absurd ttl", "cosmos-nosql", cell(ten, `,"ttl":1e1000000000`), "never cosmos.item-unspecified"},
		{"an item that is none", "cosmos-nosql", `"now":$5,"container":{},"item":[]`, "fault in.item: want an object, got []"},
		{"no container", "cosmos-nosql", `"now":$5,"item":{}`, "fault in.container: missing; want an object"},
		{"a path that is none", "cosmos-nosql", `"now":$5,"container":{"ttlPropertyPath":7},"item":{}`, `fault in.container: cosmos: ttlPropertyPath is int, want a string such as "/createdAt"`},
	})
}

func TestDecideCosmosMongo(t *testing.T) {
	on := func(seconds, document string) string {
		return `"now":$1700000010000,"indexes":[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":` + seconds + `}],"document":{` + document + `},"_ts":1700000000`
	}
	const custom = `{"system":"cosmos-mongo","version":"4.2","capabilities":["EnableTtlOnCustomPath"]}`
	field := func(document string) string {
		return `"now":$1700000010000,"indexes":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":10}],"document":{` + document + `},"_ts":1700000000`
	}
	askAll(t, "cosmosmongo.decide", []question{
		{"the collection's value", "cosmos-mongo", on("10", ``), "expired 1700000010000 cosmos.default _ts_1"},
		{"int32", "cosmos-mongo", on("10", `"ttl":20`), "pending 1700000020000 cosmos.item _ts_1"},
		{"int64", "cosmos-mongo", on("10", `"ttl":{"$numberLong":"20"}`), "pending 1700000020000 cosmos.item _ts_1"},
		{"a double without fraction", "cosmos-mongo", on("10", `"ttl":20.0`), "pending 1700000020000 cosmos.item _ts_1"},
		{"a double with one", "cosmos-mongo", on("10", `"ttl":20.5`), "expired 1700000010000 cosmos.mongo-ttl-ignored _ts_1"},
		{"an int64 that does not fit", "cosmos-mongo", on("10", `"ttl":{"$numberLong":"2147483649"}`), "expired 1700000010000 cosmos.mongo-ttl-ignored _ts_1"},
		{"a decimal", "cosmos-mongo", on("10", `"ttl":{"$numberDecimal":"20"}`), "expired 1700000010000 cosmos.mongo-ttl-ignored _ts_1"},
		{"-1", "cosmos-mongo", on("10", `"ttl":-1`), "never cosmos.item-never"},
		{"zero", "cosmos-mongo", on("10", `"ttl":0`), "never cosmos.mongo-ttl-unspecified"},
		{"no default", "cosmos-mongo", on("-1", ``), "never cosmos.no-default"},
		{"no default, but a ttl", "cosmos-mongo", on("-1", `"ttl":5`), "expired 1700000005000 cosmos.item _ts_1"},
		{"no TTL index", "cosmos-mongo", `"now":$5,"indexes":[{"key":{"_ts":1}}],"document":{"ttl":1},"_ts":1`, "never cosmos.mongo-off"},
		{"a field, without the capability", "cosmos-mongo 4.2", field(`"at":$0`), "never cosmos.mongo-index-unspecified"},
		{"a field: a date", custom, field(`"at":$1700000000000`), "expired 1700000010000 cosmos.mongo-field at_1"},
		{"a field: milliseconds", custom, field(`"at":{"$numberLong":"1700000000001"}`), "pending 1700000010001 cosmos.mongo-field at_1"},
		{"a field: the smallest of an array", custom, field(`"at":[$1800000000000,{"$numberLong":"1600000000000"}]`), "expired 1600000010000 cosmos.mongo-field at_1"},
		{"a field: missing", custom, field(``), "never cosmos.mongo-field-missing"},
		{"a field: another type", custom, field(`"at":"x"`), "never cosmos.mongo-field-type"},
		{"_ts in the document", "cosmos-mongo", `"now":$1700000010000,"indexes":[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":10}],"document":{"_ts":1700000000}`, "expired 1700000010000 cosmos.default _ts_1"},
		{"_ts beyond int32", "cosmos-mongo", `"now":$1700000010000,"indexes":[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":10}],"document":{},"_ts":4000000000`, "pending 4000000010000 cosmos.default _ts_1"},
		{"_ts with a fraction", "cosmos-mongo", `"now":$5,"indexes":[],"document":{},"_ts":1.5`, "fault in._ts: want a whole number of seconds, got 1.5"},
		{"_ts that is NaN", "cosmos-mongo", `"now":$5,"indexes":[],"document":{},"_ts":{"$numberDouble":"NaN"}`, `fault in._ts: want a whole number of seconds, got {"$numberDouble":"NaN"}`},
		{"an index without a key", "cosmos-mongo", `"now":$5,"indexes":[{"name":"a"}],"document":{},"_ts":1`, "fault in.indexes: cosmos: index field key is missing, want a document such as {_ts: 1}"},
		{"capabilities that are none", `{"system":"cosmos-mongo","capabilities":[7]}`, on("10", ""), "fault target.capabilities: want an array of strings, got [7]"},
	})
}

// TestEcho asks for every type back as it was, in its canonical form.
func TestEcho(t *testing.T) {
	for _, value := range []string{
		`null`, `true`, `false`, `""`, `"\u0000"`, `"𝄞 <&>\"\\"`, `[]`, `{}`, `{"":{"":[[[]],{}]}}`,
		`{"b":{"$numberInt":"1"},"a":{"$numberInt":"2"}}`,
		`{"$numberInt":"-2147483648"}`, `{"$numberInt":"2147483647"}`,
		`{"$numberLong":"-9223372036854775808"}`, `{"$numberLong":"9223372036854775807"}`, `{"$numberLong":"1"}`,
		`{"$numberDouble":"NaN"}`, `{"$numberDouble":"Infinity"}`, `{"$numberDouble":"-Infinity"}`,
		`{"$numberDouble":"-0.0"}`, `{"$numberDouble":"0.0"}`, `{"$numberDouble":"0.1"}`,
		`{"$numberDouble":"1.7976931348623157E+308"}`, `{"$numberDouble":"5E-324"}`,
		`{"$numberDecimal":"NaN"}`, `{"$numberDecimal":"-Infinity"}`, `{"$numberDecimal":"-0"}`, `{"$numberDecimal":"1.10"}`,
		`{"$numberDecimal":"9.999999999999999999999999999999999E+6144"}`, `{"$numberDecimal":"1E-6176"}`,
		`{"$date":{"$numberLong":"-9223372036854775808"}}`, `{"$date":{"$numberLong":"-1"}}`,
		`{"$date":{"$numberLong":"253402300800000"}}`, `{"$date":{"$numberLong":"9223372036854775807"}}`,
		`{"$oid":"5d0c1b9a7e9f4c0f9a3b6f2d"}`, `{"$timestamp":{"t":4294967295,"i":1}}`,
		`{"$binary":{"base64":"AAEC","subType":"80"}}`, `{"$regularExpression":{"pattern":"a\"b","options":"im"}}`,
		`{"$undefined":true}`, `{"$minKey":1}`, `{"$maxKey":1}`, `{"$symbol":"s"}`, `{"$code":"f"}`,
		`{"$code":"f","$scope":{"a":{"$numberInt":"1"}}}`, `{"$dbPointer":{"$ref":"db.c","$id":{"$oid":"5d0c1b9a7e9f4c0f9a3b6f2d"}}}`,
	} {
		for _, v := range []string{value, "[" + value + "]", `{"x":{"y":` + value + `}}`} {
			got := askOne(t, `{"cmd":"run","seq":1,"op":"self.echo","in":{"value":`+v+`}}`)
			if want := `{"seq":1,"out":{"value":` + v + `}}`; got != want && !sameJSON(t, got, want) {
				t.Errorf("the echo of %s is %s", v, got)
			}
		}
	}
}

// sameJSON compares what JSON texts stand for: escapes may be written in
// several ways. Numbers stand in quotes here, so none is rounded, but the order
// of members counts and is compared by the texts.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	return unescaped(t, a) == unescaped(t, b)
}

func unescaped(t *testing.T, text string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	var b strings.Builder
	for d.More() {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%T %v\n", token, token)
	}
	return b.String()
}

// TestEchoPlainNumbers: integers that fit are int32, all others doubles.
func TestEchoPlainNumbers(t *testing.T) {
	for plain, want := range map[string]string{
		`0`: `{"$numberInt":"0"}`, `2147483647`: `{"$numberInt":"2147483647"}`, `-2147483648`: `{"$numberInt":"-2147483648"}`,
		`2147483648`: `{"$numberDouble":"2.147483648E+09"}`, `1.0`: `{"$numberDouble":"1.0"}`, `1e0`: `{"$numberDouble":"1.0"}`, `-0.0`: `{"$numberDouble":"-0.0"}`,
	} {
		got := askOne(t, `{"cmd":"run","seq":1,"op":"self.echo","in":{"value":`+plain+`}}`)
		if want := `{"seq":1,"out":{"value":` + want + `}}`; got != want {
			t.Errorf("the echo of %s is %s, want %s", plain, got, want)
		}
	}
}

// TestUnclaimed: what is not claimed is skipped, not guessed.
func TestUnclaimed(t *testing.T) {
	claimed := map[string]bool{}
	for _, name := range operationNames() {
		claimed[name] = true
	}
	for _, op := range []string{"mongodb.createIndexes", "mongodb.collMod", "mongodb.create", "cosmos.validateContainer", "cosmos.validateItem", "cosmosmongo.createIndexes", "cosmos.sweep"} {
		got := askOne(t, `{"cmd":"run","seq":1,"op":"`+op+`","target":{"system":"x"},"in":{}}`)
		if !claimed[op] && !strings.Contains(got, `"skip":"no operation`) {
			t.Errorf("%s is answered %s, want a skip", op, got)
		}
	}
}
