package dump

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestDialects: documents in each dialect are decoded. 1393804800000 ms is
// 2014-03-03T00:00:00Z.
func TestDialects(t *testing.T) {
	const at, id = `{"$date":{"$numberLong":"1393804800000"}}`, `{"$oid":"5314a9c7e4b0f1a2b3c4d5e6"}`
	for _, tc := range []struct {
		name, text string
		want       string // the document in canonical Extended JSON
		dialect    Dialect
	}{
		{"version 2", `{"at":{"$date":"2014-03-03T00:00:00Z"}}`, `{"at":` + at + `}`, 0},
		{"mongoexport 2.4, Java's STRICT mode, Debezium", `{ "_id" : { "$oid" : "5314a9c7e4b0f1a2b3c4d5e6" }, "at" : { "$date" : 1393804800000 } }`, `{"_id":` + id + `,"at":` + at + `}`, Version1},
		{"before 1970", `{"at":{"$date":-1}}`, `{"at":{"$date":{"$numberLong":"-1"}}}`, Version1},
		{"a date as a double", `{"at":{"$date":1393804800000.0}}`, `{"at":` + at + `}`, Version1},
		{"mongoexport 2.6 to 4.0", `{"at":{"$date":"2014-03-02T17:00:00.000-0700"}}`, `{"at":` + at + `}`, 0},
		{"numbers in wrappers", `{"n":{"$numberLong":5},"m":{"$numberInt":-1},"d":{"$numberDouble":1.5},"x":{"$numberDecimal":0.1}}`,
			`{"n":{"$numberLong":"5"},"m":{"$numberInt":"-1"},"d":{"$numberDouble":"1.5"},"x":{"$numberDecimal":"0.1"}}`, Version1},
		{"a long in a date", `{"at":{"$date":{"$numberLong":1393804800000}}}`, `{"at":` + at + `}`, Version1},
		{"binary of pymongo 3", `{"b":{"$binary":"AQIDBA==","$type":"80"}}`, `{"b":{"$binary":{"base64":"AQIDBA==","subType":"80"}}}`, Version1},
		{"binary of C#, the type a number", `{"b":{"$type":3,"$binary":"AQIDBA=="}}`, `{"b":{"$binary":{"base64":"AQIDBA==","subType":"03"}}}`, Version1},
		{"UUID of pymongo 3", `{"u":{"$uuid":"00112233445566778899aabbccddeeff"}}`, `{"u":{"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}}}`, Version1},
		{"bare numbers", `{"a":NaN,"b":[Infinity,-Infinity],"c":{"$numberDouble":NaN}}`,
			`{"a":{"$numberDouble":"NaN"},"b":[{"$numberDouble":"Infinity"},{"$numberDouble":"-Infinity"}],"c":{"$numberDouble":"NaN"}}`, BareNumbers | Version1},
		{"microseconds", `{"at":{"$date":"2014-03-03T00:00:00.123999Z"}}`, `{"at":{"$date":{"$numberLong":"1393804800123"}}}`, FineDates},
		{"printjson", `{ "_id" : ObjectId("5314a9c7e4b0f1a2b3c4d5e6"), "at" : ISODate("2014-03-03T00:00:00Z"), "n" : NumberLong(5), "m" : NumberLong("6") }`,
			`{"_id":` + id + `,"at":` + at + `,"n":{"$numberLong":"5"},"m":{"$numberLong":"6"}}`, Shell},
		{"ISODate without a zone is in UTC", `{"at":ISODate("2014-03-03"),"b":ISODate("2014-03-03T00:00:00")}`, `{"at":` + at + `,"b":` + at + `}`, Shell},
		{"the mongo shell", `{ "at" : new Date(1393804800000), "t" : Timestamp(5, 1), "b" : BinData(0, "AQIDBA=="), "r" : /a"b\/c/i, "u" : undefined, "k" : MinKey, "n" : NumberInt(7) }`,
			`{"at":` + at + `,"t":{"$timestamp":{"t":5,"i":1}},"b":{"$binary":{"base64":"AQIDBA==","subType":"00"}},"r":{"$regularExpression":{"pattern":"a\"b\\/c","options":"i"}},"u":{"$undefined":true},"k":{"$minKey":1},"n":{"$numberInt":"7"}}`, Shell},
		{"mongosh", `{ _id: ObjectId('5314a9c7e4b0f1a2b3c4d5e6'), at: ISODate('2014-03-03T00:00:00.000Z'), n: Long('5') }`, `{"_id":` + id + `,"at":` + at + `,"n":{"$numberLong":"5"}}`, Shell},
		{"a reference", `{"r":DBRef("users",ObjectId("5314a9c7e4b0f1a2b3c4d5e6"))}`, `{"r":{"$ref":"users","$id":` + id + `}}`, Shell},
		{"operators are no wrappers", `{"f":{"$type":2},"g":{"$ref":"c","$id":1},"at":{"$date":0}}`,
			`{"f":{"$type":{"$numberInt":"2"}},"g":{"$ref":"c","$id":{"$numberInt":"1"}},"at":{"$date":{"$numberLong":"0"}}}`, Version1},
		{"strings that look like it", `{"s":"ISODate(\"2014\") NaN {","at":{"$date":0}}`, `{"s":"ISODate(\"2014\") NaN {","at":{"$date":{"$numberLong":"0"}}}`, Version1},
	} {
		for _, before := range []Dialect{0, Version1} { // the dialect of the document before
			d := Decoder{Dialects: before}
			doc, err := d.Decode(ExtJSON, []byte(tc.text))
			if err != nil {
				t.Errorf("%s: %v", tc.name, err)
				continue
			}
			if got := string(policy.AppendExtJSON(nil, doc.(*policy.BSON).Value())); got != tc.want || d.Dialects != tc.dialect|before {
				t.Errorf("%s is\n%s in %q, want\n%s in %q", tc.name, got, d.Dialects, tc.want, tc.dialect|before)
			}
		}
	}
}

func TestDialectsRefuse(t *testing.T) {
	for _, tc := range []struct{ name, text, says string }{
		{"no zone", `{"at":{"$date":"2014-03-03T00:00:00"}}`, "it may be of UTC or of where it was written"},
		{"no time", `{"at":{"$date":"2014-03-03"}}`, "it may begin in UTC or at another place"},
		{"a fraction", `{"at":{"$date":1393804800.5}}`, "it may be of milliseconds, as in Extended JSON, or of seconds"},
		{"an exponent", `{"at":{"$date":1.3938048e12}}`, "has a fraction"},
		{"a text that is no date", `{"at":{"$date":"yesterday"}}`, ""},
		{"an unknown call", `{"at":Clock(5)}`, ""},
		{"a date of bsondump up to 2.6", `{ "at" : Date( 1393804800000 ) }`, ""}, // a text in the shell
		{"now", `{"at":new Date()}`, ""},
		{"arguments too many", `{"at":ISODate("2014-03-03","x")}`, ""},
		{"a long that is not one", `{"n":{"$numberLong":1.5}}`, ""},
		{"a field too many", `{"at":{"$date":5,"x":1}}`, ""},
		{"an open call", `{"at":ISODate("2014-03-03"`, ""},
		{"an open regex", `{"at":/abc`, ""},
		{"text behind", `{"at":{"$date":5}}}`, ""},
		{"no document", `ISODate("2014-03-03")`, ""},
		{"a call in a call in a call", `{"n":NumberLong(NumberLong(Clock(1)))}`, ""},
		{"calls without end", `{"n":` + strings.Repeat("x(", 4<<20), ""}, // each call would need a frame of the stack
		{"depth", strings.Repeat(`{"a":`, 1000) + "NaN" + strings.Repeat("}", 1000), ""},
	} {
		for _, before := range []Dialect{0, Version1} {
			d := Decoder{Dialects: before}
			_, err := d.Decode(ExtJSON, []byte(tc.text))
			var bad *policy.SyntaxError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: %v, want a *policy.SyntaxError with %q", tc.name, err, tc.says)
			}
		}
	}
}
