package driver

import (
	"bytes"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// checkBSON compares how the library and the driver read b.
func checkBSON(t interface{ Fatalf(string, ...any) }, b []byte) {
	doc, err := policy.ParseBSON(b)
	if got, want := err == nil, driverAccepts(b); got != want {
		t.Fatalf("ParseBSON(%q) = %v, does the driver accept it? %t", b, err, want)
	}
	if err != nil {
		return
	}
	if err := sameDocument(doc.Value(), b); err != nil {
		t.Fatalf("%q: %v", b, err)
	}
}

func TestPropertyBSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, err := policy.AppendBSON(nil, policy.ObjectValue(kinds.Documents(3).Draw(t, "document")))
		if err != nil {
			t.Fatal(err)
		}
		checkBSON(t, b)
		if !driverAccepts(b) {
			t.Fatalf("the driver refuses %q", b)
		}
	})
}

// TestPropertyDamagedBSON changes a byte or a length of a good document.
func TestPropertyDamagedBSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, err := policy.AppendBSON(nil, policy.ObjectValue(kinds.Documents(2).Draw(t, "document")))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
			b[at] = rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte{0, 1, 2, 4, 5, 0x0f, 0x7f, 0xff})).Draw(t, "to")
		}
		checkBSON(t, b)
	})
}

// TestPropertyCanonicalExtJSON: the library and the driver write the same text, and read
// the same value from it.
func TestPropertyCanonicalExtJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := policy.ObjectValue(kinds.Documents(3).Draw(t, "document"))
		b, err := policy.AppendBSON(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		text := policy.AppendExtJSON(nil, v)
		byDriver, err := bson.MarshalExtJSON(bson.Raw(b), true, false)
		if err != nil || !bytes.Equal(text, byDriver) {
			t.Fatalf("AppendExtJSON = %s, the driver: %s, %v", text, byDriver, err)
		}
		checkExtJSON(t, text)

		relaxed, err := bson.MarshalExtJSON(bson.Raw(b), false, false)
		if err != nil {
			t.Fatal(err)
		}
		checkExtJSON(t, relaxed)
	})
}

// checkExtJSON compares how the library and the driver read an object.
func checkExtJSON(t interface{ Fatalf(string, ...any) }, text []byte) {
	v, err := policy.ParseExtJSON(text)
	if err != nil {
		t.Fatalf("ParseExtJSON(%s): %v", text, err)
	}
	byDriver, err := driverBSON(text)
	if err != nil {
		t.Fatalf("the driver refuses %s: %v", text, err)
	}
	if err := sameDocument(v, byDriver); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func TestPropertyDecimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := draw.Decimals.Draw(t, "decimal")
		v, high, low := policy.DecimalValue(bits[0], bits[1]), bits[0], bits[1]
		want := bson.NewDecimal128(high, low).String()
		if got := v.String(); got != `{"$numberDecimal":"`+want+`"}` {
			t.Fatalf("decimal %#x %#x is %s, the driver's is %s", high, low, got, want)
		}
	})
}

// TestPropertyDecimalText draws texts that are decimals or nearly so.
func TestPropertyDecimalText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[-+]?[0-9]{0,40}\.?[0-9]{0,5}([eE][-+]?[0-9]{1,4})?`),
			rapid.StringMatching(`[-+]?(0{0,40}[1-9][0-9]{0,33}0{0,40})(\.0{0,10})?([eE][-+]?61[0-9]{2})?`),
			rapid.StringMatching(`[-+]?(NaN|nan|inf|INF|Infinity|infinity|i|n|infinit)`),
			rapid.StringMatching(`[-+.eE0-9n]{0,8}`),
		).Draw(t, "text")
		checkDecimalText(t, text)
	})
}

func checkDecimalText(t interface{ Fatalf(string, ...any) }, text string) {
	forDriver, ok := decimalForDriver(text)
	if !ok {
		return
	}
	want, wantErr := bson.ParseDecimal128(forDriver)
	v, err := policy.ParseExtJSON([]byte(`{"$numberDecimal":"` + text + `"}`))
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("decimal %s: %v, the driver: %v, %v", text, err, want, wantErr)
	}
	high, low, _ := v.AsDecimal()
	wantHigh, wantLow := want.GetBytes()
	if err == nil && (high != wantHigh || low != wantLow) {
		t.Fatalf("decimal %s: %s, the driver: %s", text, v, want)
	}
}

func FuzzBSON(f *testing.F) {
	for _, text := range seeds {
		if b, err := driverBSON([]byte(text)); err == nil {
			f.Add(b)
		}
	}
	draw := func(r fuzzing.Random) []byte {
		return r.Damage(r.Document(3, "a", "b", "c"), "\x00\x01\x02\x03\x04\x05\x08\x0f\x10\x7f\xff")
	}
	fuzzing.Texts(f, draw, func(t testing.TB, b []byte) { checkBSON(t, b) })
}

// FuzzExtJSON: the driver accepts every text that the library accepts, and reads the same
// value, except for the differences that isKnown lists.
func FuzzExtJSON(f *testing.F) {
	for _, text := range seeds {
		f.Add([]byte(text))
	}
	draw := func(r fuzzing.Random) []byte { return r.Damage(r.ExtJSON(2, "a", "b", "$date", "é"), `{}[],:"$-0.eE`) }
	fuzzing.Texts(f, draw, func(t testing.TB, text []byte) {
		v, err := policy.ParseExtJSON(text)
		if err != nil || v.Kind() != policy.Object || isKnown(v) || longExponent.Match(text) {
			return
		}
		checkExtJSON(t, text)
	})
}

func FuzzDecimal(f *testing.F) {
	for _, text := range []string{"0", "-1.20E+3", "9.999999999999999999999999999999999E+6144", "1E-6176", "NaN", "-inf", "1E6145", "0E-99999"} {
		f.Add([]byte(text))
	}
	fuzzing.Texts(f, fuzzing.Random.DecimalText, func(t testing.TB, b []byte) {
		text := string(b)
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r > '~' }) {
			return // it would not be one plain JSON string
		}
		checkDecimalText(t, text)
	})
}

var seeds = []string{
	`{}`, `{"a":1,"b":2147483648,"c":1.5,"d":-0.0,"e":1e300,"a":null}`,
	`{"_id":{"$oid":"507f1f77bcf86cd799439011"},"t":{"$date":"2020-01-01T00:00:00.5Z"},"u":{"$date":{"$numberLong":"-1"}}}`,
	`{"a":[1,[true,{"b":"\u00e9\ud83d\ude00"}]],"n":{"$numberInt":"5"},"l":{"$numberLong":"-5"},"d":{"$numberDouble":"NaN"}}`,
	`{"d":{"$numberDecimal":"1.20E-10"},"b":{"$binary":{"base64":"AAE=","subType":"02"}},"u":{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}}`,
	`{"c":{"$code":"f()"},"s":{"$code":"g()","$scope":{"x":{"$numberInt":"1"}}},"y":{"$symbol":"s"},"u":{"$undefined":true}}`,
	`{"t":{"$timestamp":{"t":1,"i":2}},"r":{"$regularExpression":{"pattern":"^a","options":"i"}},"m":{"$minKey":1},"M":{"$maxKey":1}}`,
	`{"p":{"$dbPointer":{"$ref":"d.c","$id":{"$oid":"507f1f77bcf86cd799439011"}}},"q":{"$gt":5,"$type":"date","$exists":true}}`,
	`{"ref":{"$ref":"c","$id":{"$oid":"507f1f77bcf86cd799439011"},"$db":"d"},"o":{"$options":"i","$regex":"^a"}}`,
}
