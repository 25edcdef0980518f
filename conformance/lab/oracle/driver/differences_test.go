package driver

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// isKnown reports whether v holds a value that the driver reads in a way known to differ.
// The driver sorts the options of a regular expression, as BSON demands of a writer; the
// library keeps what is stored. Half a surrogate pair in front of a whole one makes the
// driver replace both; the library replaces the half, as encoding/json does.
func isKnown(v policy.Value) bool {
	if text, ok := v.AsString(); ok && strings.ContainsRune(text, utf8.RuneError) {
		return true
	}
	if _, options, ok := v.AsRegex(); ok {
		return !slices.IsSorted([]rune(options)) || strings.ToValidUTF8(options, "") != options
	}
	for f := v.Fields(); f.Next(); {
		if isKnown(f.Value()) || strings.ContainsRune(f.Name(), utf8.RuneError) {
			return true
		}
	}
	for e := v.Elements(); e.Next(); {
		if isKnown(e.Value()) {
			return true
		}
	}
	return v.Kind() == policy.CodeWithScope && isKnown(valuefunc.F.Scope(v))
}

// longExponent matches the decimals for which decimalForDriver reports false.
var longExponent = regexp.MustCompile(`[eE][-+]?[0-9]{18}`)

// decimalForDriver returns a decimal in a form that the driver reads correctly. It
// removes a plus sign before a zero or a point, because with the sign the driver counts
// leading zeros as digits. It reports false for an exponent of 18 characters or more: the
// driver refuses an exponent beyond int64, even if the number is zero.
func decimalForDriver(text string) (string, bool) {
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if strings.HasPrefix(text, "+0") || strings.HasPrefix(text, "+.") {
		text = text[1:]
	}
	return text, len(exponent) < 18
}

// TestExtJSONOnlyTheDriverAccepts: each text is refused by the library on
// purpose.
func TestExtJSONOnlyTheDriverAccepts(t *testing.T) {
	for _, test := range []struct{ text, why string }{
		{`{"a":{"$date":1577836800000}}`, "Extended JSON v1 had numbers in $date"},
		{`{"a":{"$binary":"AAE=","$type":"00"}}`, "Extended JSON v1 had $type beside $binary"},
		{`{"a":{"$date":"2020-01-01T00:00:00.1234567Z"}}`, "a Date has milliseconds; the rest would be lost"},
		{`{"a":{"$date":"2020-01-01T00:00:00,5Z"}}`, "RFC 3339 has a point, no comma"},
		{`{"a":{"$numberInt":"+5"}}`, "no writer writes a plus sign"},
		{`{"a":{"$numberLong":"000000000000000000000005"}}`, "no writer writes leading zeros; twenty characters hold any int64"},
		{`{"a":{"$numberDouble":"0x1p3"}}`, "JSON has no hexadecimal numbers"},
		{`{"a":{"$numberDouble":"inf"}}`, "the specification spells it Infinity"},
		{`{"a":{"$binary":{"base64":"AB==","subType":"00"}}}`, "the last bits would be lost"},
		{`{"a":{"$binary":{"base64":"AAE=\n","subType":"00"}}}`, "base64 in JSON has no line breaks"},
		{`{"a":{"$binary":{"base64":"","subType":"0005"}}}`, "a subtype has two digits"},
		{`{"a":{"x":1,"$oid":"507f1f77bcf86cd799439011"}}`, "a type wrapper stands alone, also if its name comes last"},
		{"{\"a\":\"\xff\"}", "JSON text is UTF-8"},
		{"{\"a\":\"\n\"}", "JSON text has no control characters"},
		{`{"a":1} {}`, "the input holds one value"},
		{`{"a":` + strings.Repeat("[", 150) + strings.Repeat("]", 150) + "}", "nesting is limited to 128 levels"},
	} {
		if _, err := driverBSON([]byte(test.text)); err != nil {
			t.Errorf("the driver refuses %.80s, too: %v", test.text, err)
		}
		if v, err := policy.ParseExtJSON([]byte(test.text)); err == nil {
			t.Errorf("ParseExtJSON(%.80s) = %s, want an error: %s", test.text, v, test.why)
		}
	}
}

// TestBSONOnlyTheDriverAccepts: the library refuses bytes that the driver checks only
// when the value is read, or never.
func TestBSONOnlyTheDriverAccepts(t *testing.T) {
	for _, test := range []struct{ bytes, why string }{
		{"\x09\x00\x00\x00\x08a\x00\x02\x00", "a boolean is 0 or 1"},
		{"\x0e\x00\x00\x00\x02a\x00\x02\x00\x00\x00xx\x00", "a string ends with a NUL"},
		{"\x13\x00\x00\x00\x05a\x00\x06\x00\x00\x00\x02\x09\x00\x00\x00xx\x00", "subtype 2 says its length twice"},
		{"\x0d\x00\x00\x00\x03a\x00\x05\x00\x00\x00\x01\x00", "an embedded document ends with a NUL"},
		{"\x05\x00\x00\x00\x00\x00", "nothing follows the document"},
	} {
		if err := bson.Raw(test.bytes).Validate(); err != nil {
			t.Errorf("the driver refuses %q, too: %v", test.bytes, err)
		}
		if _, err := policy.ParseBSON([]byte(test.bytes)); err == nil {
			t.Errorf("ParseBSON(%q) accepts it, but %s", test.bytes, test.why)
		}
	}
}

// TestCanonicalDifferences: the driver and this library write these values differently.
func TestCanonicalDifferences(t *testing.T) {
	for _, test := range []struct {
		value        policy.Value
		ours, theirs string
		why          string
	}{
		{policy.RegexValue("a", "xi"), `{"$regularExpression":{"pattern":"a","options":"xi"}}`,
			`{"$regularExpression":{"pattern":"a","options":"ix"}}`, "what is stored is written; the driver sorts"},
		{valuefunc.F.DBPointerValue(`"`, [12]byte{}), `{"$dbPointer":{"$ref":"\"","$id":{"$oid":"000000000000000000000000"}}}`,
			`{"$dbPointer":{"$ref":""","$id":{"$oid":"000000000000000000000000"}}}`, "the driver writes what is not JSON"},
		{policy.DecimalValue(0x3041ED09BEAD87C0, 0x378D8E6400000000), `{"$numberDecimal":"0"}`,
			`{"$numberDecimal":"10000000000000000000000000000000000"}`, "IEEE 754 has it that too long a coefficient is zero"},
		{policy.BinaryValue(2, nil), `{"$binary":{"base64":"","subType":"02"}}`,
			`{"$binary":{"base64":"AAAAAA==","subType":"02"}}`, "the inner length of subtype 2 is no data; the driver forgets that if there is none"},
	} {
		b, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "a", Value: test.value}}))
		if err != nil {
			t.Fatal(err)
		}
		if got := test.value.String(); got != test.ours {
			t.Errorf("%s, want %s: %s", got, test.ours, test.why)
		}
		theirs, err := bson.MarshalExtJSON(bson.Raw(b), true, false)
		if want := `{"a":` + test.theirs + `}`; err != nil || string(theirs) != want {
			t.Errorf("the driver writes %s, %v, want %s", theirs, err, want)
		}
	}
}

// TestExtJSONOnlyTheLibraryAccepts: the driver refuses each text, and the
// library accepts it on purpose.
func TestExtJSONOnlyTheLibraryAccepts(t *testing.T) {
	for _, test := range []struct{ text, why string }{
		{`{"a":{"$numberDecimal":"0E-99999999999999999999"}}`, "a zero may have any exponent"},
		{`{"a":{"$numberDecimal":"+000000000000000000000000000000000001"}}`, "leading zeros are no digits, whatever the sign"},
	} {
		if v, err := driverBSON([]byte(test.text)); err == nil {
			t.Errorf("the driver accepts %s, too: %q", test.text, v)
		}
		if _, err := policy.ParseExtJSON([]byte(test.text)); err != nil {
			t.Errorf("ParseExtJSON(%s): %v, but %s", test.text, err, test.why)
		}
	}
}
