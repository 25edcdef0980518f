package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

// checkLazy lets d parse text, and compares the error and the named fields with the
// result of ExtJSONToBSON.
func checkLazy(t testing.TB, d *extDocument, text string, limit int, names ...string) {
	t.Helper()
	want, wantErr := hidden.ExtJSONToBSON(nil, []byte(text), limit)
	err := d.Parse([]byte(text), limit)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("Parse(%.200s) = %v, want %v", text, err, wantErr)
	}
	var values []Value
	for _, name := range names {
		values = append(values, d.Field(name))
	}
	for i, name := range names { // earlier values stay unchanged
		if want := want.Field(name); !identical(values[i], want) {
			t.Fatalf("%.200s: Field(%q) = %s, want %s", text, name, show(values[i]), show(want))
		}
	}
}

// checkListed compares the fields that d lists with the fields that ExtJSONToBSON reads,
// in order.
func checkListed(t testing.TB, d *extDocument, text string) {
	t.Helper()
	list := D{}
	for i := range d.Len() {
		name, v := d.FieldAt(i)
		list = append(list, E{name, v})
	}
	want, _ := hidden.ExtJSONToBSON(nil, []byte(text), 1<<24)
	if !identical(ObjectValue(list), ObjectValue(DOf(want.Value()))) {
		t.Fatalf("%.200s lists %s, want %s", text, show(ObjectValue(list)), show(want.Value()))
	}
}

// TestExtJSONIsBSON: fields and errors are those of ExtJSONToBSON, whatever fields were
// requested from earlier documents.
func TestExtJSONIsBSON(t *testing.T) {
	texts := []string{
		`{}`, ``, `[]`, `{"a":1}x`, `{"a":1,"a":2}`, `{"b":1,"b":2,"a":3}`, `{"a":{"b":1,"b":2},"b":[{"a":1},{"$oid":"0123456789abcdef01234567"}]}`,
		`{"$date":"2020-01-01T00:00:00Z"}`, `{"a":1,"$date":"2020-01-01T00:00:00Z"}`, `{"a":{"b":1,"$date":"2020-01-01T00:00:00Z"}}`,
		`{"a":{"$date":"2020-01-01T00:00:00Z","b":1}}`, `{"a":{"\u0024date":"2020-01-01T00:00:00Z"}}`, `{"\u0061":1,"a":2}`, `{"a\u0000":1}`, `{"é":1,"a":2}`,
		`{"a":1e3,"b":1e400}`, `{"a":{"b":1e400}}`, `{"a":[1e400]}`, `{"a":1` + strings.Repeat("0", 400) + `}`, `{"a":` + strings.Repeat("9", 30) + `}`, `{"a":-0,"b":NaN}`,
		`{"a":{"$ref":"c","$id":{"$oid":"0123456789abcdef01234567"}},"b":{"$id":1,"$oid":"0123456789abcdef01234567"}}`, `{"a":{"$gt":5,"$type":"date"}}`,
		`{"a" : { "$date" : "2020-01-01T00:00:00.5+01:00" } , "b" : { "$oid" : "0123456789ABCDEF01234567" } }`,
		`{"a":{"$oid":"0123456789abcdef0123456"}}`, `{"a":{"$oid":"0123456789abcdef0123456x"}}`, `{"a":{"$oid":"0123456789abcdef012345678"}}`, `{"a":{"$oid":"0123456789abcdef01234567"`,
		`{"a":{"$date":{"$numberLong":"1"}},"b":{"$date":{"$numberLong":"-0"}}}`, `{"a":{"$date":{"$numberLong":"1"},"b":2}}`, `{"a":{"$date":{"$numberLong":"1"`, `{"a":{"$date":{"$numberLong":"07"}}}`, `{"a":{"$date":{"$numberLong":"9223372036854775808"}}}`,
		`{"a":{"$numberInt":"2147483648"}}`, `{"a":{"$numberInt":"-2147483648"},"b":{"$numberInt":"007"}}`, `{"a":{"$numberLong":"2147483648"}}`, `{"a":{"$numberLong":"1.5"}}`, `{"a":{"$numberLong":""}}`,
		`{"a":{"$numberDouble":"1.5"},"b":{"$numberDouble":"1e400"}}`, `{"a":{"$numberDouble":"NaN"},"b":{"$numberDouble":"-Infinity"}}`, `{"a":{"$numberDouble":"1e300"}}`,
		`{"a":{"$binary":{"base64":"AA==","subType":"0"}},"b":{"$code":"x","$scope":{"a":1}}}`, `{"a":{"$binary":{"base64":"A","subType":"0"}}}`, `{"a":{"$undefined":false}}`,
		`{"a":"x\"y","b":"` + strings.Repeat("long ", 50) + `é\n"}`, "{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}",
		`{"a":` + strings.Repeat(`[`, maxDepth-1) + strings.Repeat(`]`, maxDepth-1) + `}`, `{"a":` + strings.Repeat(`[`, maxDepth) + strings.Repeat(`]`, maxDepth) + `}`,
		`{"a":` + strings.Repeat(`[`, maxDepth-1) + `{"$oid":"0123456789abcdef01234567"}` + strings.Repeat(`]`, maxDepth-1) + `}`,
	}
	for _, v := range extJSONVectors {
		texts = append(texts, v.canonical, `{"a":`+v.canonical+`,"b":[`+v.canonical+`]}`)
	}
	for _, date := range []string{"2020-02-29T00:00:00Z", "2021-02-29T00:00:00Z", "2020-00-01T00:00:00Z", "2020-13-01T00:00:00Z", "2020-01-00T00:00:00Z", "2020-04-31T23:59:59.999Z", "2020-01-01T24:00:00Z",
		"2020-01-01T00:60:00Z", "2020-01-01T00:00:60Z", "2020-01-01T00:00:00", "2020-01-01T00:00:00.Z", "2020-01-01T00:00:00.1234Z", "2020-01-01T00:00:00+0130", "2020-01-01T00:00:00-01:30", "2020-01-01T00:00:00+24:00",
		"2020-01-01T00:00:00+00:60", "2020-01-01T00:00:00+1", "2020-01-01T00:00:00+01:3", "2020-1-01T00:00:00Z", "20x0-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"} {
		texts = append(texts, `{"a":{"$date":"`+date+`"}}`)
	}
	var learnt extDocument
	for _, text := range texts {
		var fresh extDocument
		checkLazy(t, &fresh, text, 1<<24, "a", "b", "c", "é", "")
		checkListed(t, &fresh, text)
		checkLazy(t, &learnt, text, 1<<24, "b", "a")
		checkLazy(t, &learnt, text, 1<<24, "a", "b", "_id", "1", "2", "3", "4", "5", "6", "a")
		checkListed(t, &learnt, text)
	}
	checkLazy(t, &learnt, `{"a":"`+strings.Repeat("x", 200)+`"}`, 100, "a")
	large := `{"a":[` + strings.Repeat(`0,`, maxQuick/2) + `0],"b":1}`
	checkLazy(t, &learnt, large, 1<<20, "b")
	checkLazy(t, &learnt, large, 1<<24, "b")
	if learnt.Release(100); learnt.dst != nil || !learnt.Field("a").IsMissing() {
		t.Error("Release keeps the document or its memory")
	}
}

// TestMaxGrowth: the BSON of a text of at most maxQuick bytes is at most maxGrowth times
// as long as the text.
func TestMaxGrowth(t *testing.T) {
	for _, element := range []string{"0,", "{},", "[],", `"",`, "1e9,", `{"":0},`} {
		n := (maxQuick - 10) / len(element)
		text := `{"":[` + strings.Repeat(element, n) + `0]}`
		bson, err := hidden.ExtJSONToBSON(nil, []byte(text), 1<<30)
		if err != nil || len(bson.raw) > maxGrowth*len(text) {
			t.Errorf("%s %d times: %d bytes of text, %d of BSON, %v, want %d times as many at most", element, n, len(text), len(bson.raw), err, maxGrowth)
		}
	}
}

// TestExtJSONAllocates: after a first document, reading dates and numbers in similar
// documents allocates nothing.
func TestExtJSONAllocates(t *testing.T) {
	text := []byte(`{"_id":{"$oid":"0123456789abcdef01234567"},"at":{"$date":"2020-01-01T00:00:00Z"},"n":{"$numberLong":"5"},"o":{"p":1}}`)
	var d extDocument
	look := func() {
		if err := d.Parse(text, 1<<20); err != nil || d.Field("at").IsMissing() || d.Field("o").IsMissing() || !d.Field("x").IsMissing() {
			t.Fatal("not read")
		}
	}
	look()
	if n := testing.AllocsPerRun(100, look); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// FuzzExtJSON: a requested field equals that of the wholly converted document.
func FuzzExtJSON(f *testing.F) {
	f.Add([]byte(`{"a":{"$date":"2020-01-01T00:00:00.5+01:00"},"b":[-0,1e3,{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}]}`))
	fuzzing.Texts(f, damagedExtJSON, func(t testing.TB, b []byte) {
		var d extDocument
		checkLazy(t, &d, string(b), 1<<20, "a")
		checkLazy(t, &d, string(b), 1<<20, "b", "é", "a")
		checkLazy(t, &d, string(b), 1<<20, "a", "b", "é")
		if _, err := hidden.ExtJSONToBSON(nil, b, 1<<20); err == nil {
			checkListed(t, &d, string(b))
		}
	})
}

// damagedExtJSON draws Extended JSON, often with damage.
func damagedExtJSON(r fuzzing.Random) []byte {
	return r.Damage(r.ExtJSON(2, "a", "b", "$date", "é"), `{}[],:"$-0.eE`)
}
