package mongosh

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestLiteral: the literal of each value keeps its type.
func TestLiteral(t *testing.T) {
	tests := []struct{ value, want string }{
		{`{"a":1,"$b_9":-1}`, `{a: 1, $b_9: -1}`},
		{`{"a.b":1}`, `{"a.b": 1}`},
		{`{"a b":1,"class":1}`, `{"a b": 1, class: 1}`},
		{`{"9a":1}`, `{"9a": 1}`},
		{`{"0":1}`, `{"0": 1}`},
		{`{"b":1,"0":1}`, `new Map([["b", 1], ["0", 1]])`},
		{`{"a":{"b":1,"12":{"c":true}}}`, `{a: new Map([["b", 1], ["12", {c: true}]])}`},
		{`{"__proto__":1}`, `{["__proto__"]: 1}`},
		{`{"":1}`, `{"": 1}`},
		{`"it's \"quoted\" \\"`, `"it's \"quoted\" \\"`},
		{`"\u001b[31m\u0000\n\u2028\u202e"`, `"\u{1b}[31m\u{0}\u{a}\u{2028}\u{202e}"`},
		{`"Grüße 👋"`, `"Grüße 👋"`},
		{`"${x}` + "`" + `"`, `"${x}` + "`" + `"`},
		{`[1,[],{}]`, `[1, [], {}]`},
		{`null`, `null`},
		{`true`, `true`},
		{`{"$numberLong":"5"}`, `NumberLong("5")`},
		{`{"$numberDouble":"5.0"}`, `Double(5)`},
		{`{"$numberDouble":"-0.0"}`, `Double(-0)`},
		{`{"$numberDouble":"0.5"}`, `0.5`},
		{`{"$numberDouble":"1e300"}`, `Double(1e+300)`},
		{`{"$numberDouble":"NaN"}`, `NaN`},
		{`{"$numberDouble":"-Infinity"}`, `-Infinity`},
		{`{"$numberDecimal":"1.50"}`, `NumberDecimal("1.50")`},
		{`{"$date":"2026-11-20T00:00:00Z"}`, `ISODate("2026-11-20T00:00:00.000Z")`},
		{`{"$date":{"$numberLong":"-62200000000000"}}`, `new Date(-62200000000000)`},
		{`{"$date":{"$numberLong":"253402300800000"}}`, `new Date(253402300800000)`},
		{`{"$oid":"6ad0cf085f3a91c200000059"}`, `ObjectId("6ad0cf085f3a91c200000059")`},
		{`{"$timestamp":{"t":1,"i":2}}`, `Timestamp({t: 1, i: 2})`},
		{`{"$minKey":1}`, `MinKey()`},
		{`{"$maxKey":1}`, `MaxKey()`},
		{`{"$binary":{"base64":"aGk=","subType":"00"}}`, `BinData(0, "aGk=")`},
	}
	for _, tt := range tests {
		v, err := policy.ParseExtJSON([]byte(tt.value))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := Literal(v); got != tt.want || !ok {
			t.Errorf("Literal(%s) = %s, %v, want %s", tt.value, got, ok, tt.want)
		}
	}
}

// TestLiteralRefuses: a value without an expression makes no command.
func TestLiteralRefuses(t *testing.T) {
	one := policy.Int32Value(1)
	for why, v := range map[string]policy.Value{
		"a field twice":          policy.ObjectValue(policy.D{{Key: "a", Value: one}, {Key: "a", Value: one}}),
		"no text":                policy.StringValue("\xff"),
		"no text as a name":      policy.ObjectValue(policy.D{{Key: "\xff", Value: one}}),
		"a date past JavaScript": policy.DateValue(8_640_000_000_000_001),
		"a regular expression":   policy.RegexValue("x", ""),
		"undefined":              valuefunc.F.RareValue(policy.Undefined, ""),
		"in an array":            policy.ListValue(policy.A{valuefunc.F.RareValue(policy.Undefined, "")}),
		"in a document":          policy.ObjectValue(policy.D{{Key: "a", Value: valuefunc.F.RareValue(policy.Undefined, "")}}),
	} {
		if text, ok := Literal(v); ok {
			t.Errorf("%s: Literal = %s, want none", why, text)
		}
	}
	if text, ok := Command("\xff", policy.D{}); ok {
		t.Errorf("mongosh of a database that is no text = %s, want none", text)
	}
	many := policy.D{}
	for i := range maxFields + 1 {
		many = append(many, policy.E{Key: string(rune('a' + i)), Value: one})
	}
	if _, ok := Literal(policy.ObjectValue(many)); ok {
		t.Error("a document of very many fields is written")
	}
}
