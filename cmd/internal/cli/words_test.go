package cli

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestWords(t *testing.T) {
	tests := []struct{ got, want string }{
		{Number(0), "0"}, {Number(999), "999"}, {Number(1000), "1,000"}, {Number(-1234567), "-1,234,567"},
		{Documents(1), "1 document"}, {Documents(12031), "12,031 documents"},
		{Size(999), "999 B"}, {Size(1000), "1.0 kB"}, {Size(999_950), "1.0 MB"}, {Size(2_226_557_449), "2.2 GB"},
		{KindName(policy.Missing), "nothing"}, {KindName(policy.Int64), "a number (long)"}, {KindName(policy.ObjectID), "an ObjectId"},
		{KindName(policy.String), "a string"}, {KindName(policy.Null), "null"}, {KindName(policy.List), "an array"},
		{Identifier(`{"$oid":"6ad7e46e5f3a91c2000000dc"}`), "6ad7e46e5f3a91c2000000dc"}, {Identifier(`{"$numberLong":"7"}`), "7"},
		{Visible("Grüße, 👋"), "Grüße, 👋"}, {Visible("a\x1b[2J\x00\u202e\n"), `a\u{1b}[2J\u{0}\u{202e}\u{a}`},
		{Identifier(`"x"`), `"x"`}, {Identifier(""), "(none)"}, {Identifier(`{"$date":{"$numberLong":"0"}}`), `{"$date":{"$numberLong":"0"}}`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestID(t *testing.T) {
	long := strings.Repeat("ä", maxID)
	for text, want := range map[string]string{
		`{"_id":"a\"b"}`:         `"a\"b"`,
		`{"id":1}`:               "",
		`{"_id":"` + long + `"}`: `"\"` + long[:maxID-2] + `…"`,
	} {
		doc, err := policy.ParseJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := ID(&doc, "_id"); got != want {
			t.Errorf("ID(%.40s) = %s, want %s", text, got, want)
		}
	}
}
