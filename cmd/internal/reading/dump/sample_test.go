package dump

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestIDOf(t *testing.T) {
	long := strings.Repeat("ä", maxID)
	for text, want := range map[string]ID{
		`{"_id":"a\"b"}`:         `"a\"b"`,
		`{"id":1}`:               "",
		`{"_id":"` + long + `"}`: ID(`"\"` + long[:maxID-2] + `…"`),
	} {
		doc, err := policy.ParseJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := IDOf(&doc, "_id"); got != want {
			t.Errorf("IDOf(%.40s) = %s, want %s", text, got, want)
		}
	}
}

// The excerpt of a document costs the same for documents of any size.
func TestIDOfLarge(t *testing.T) {
	fields := make(policy.D, 100_000)
	for i := range fields {
		fields[i] = policy.E{Key: strings.Repeat("k", 100), Value: policy.NullValue()}
	}
	many, text := policy.ObjectValue(fields), strings.Repeat("\x01", 1<<20)
	for name, v := range map[string]policy.Value{
		"object": many, "array": policy.ListValue(policy.A{policy.StringValue(text), many}), "string": policy.StringValue(text),
		"symbol": valuefunc.F.RareValue(policy.Symbol, text), "code": valuefunc.F.RareValue(policy.Code, text), "scope": valuefunc.F.CodeWithScopeValue(text, fields),
		"pattern": policy.RegexValue("[", text[:1<<19]), "options": policy.RegexValue(text, ""), "pointer": valuefunc.F.DBPointerValue(text, [12]byte{}),
		"binary": policy.BinaryValue(0, []byte(text)), "name": policy.ObjectValue(policy.D{{Key: text, Value: policy.NullValue()}}),
	} {
		if got := len(appendSome(nil, v)); got <= maxID || got > 32*maxID {
			t.Errorf("%s: %d bytes were written to show %d", name, got, maxID)
		}
		if id := IDOf(policy.D{{Key: "_id", Value: v}}, "_id"); !strings.HasSuffix(string(id), `…"`) || len(id) > 3*maxID {
			t.Errorf("%s: IDOf = %s, want a short text that ends in an ellipsis", name, id)
		}
	}
}

func TestIDShort(t *testing.T) {
	for id, want := range map[ID]string{
		`{"$oid":"6ad7e46e5f3a91c2000000dc"}`: "6ad7e46e5f3a91c2000000dc",
		`{"$numberLong":"7"}`:                 "7",
		`"x"`:                                 `"x"`,
		"":                                    "(none)",
		`{"$date":{"$numberLong":"0"}}`:       `{"$date":{"$numberLong":"0"}}`,
	} {
		if got := id.Short(); got != want {
			t.Errorf("ID(%s).Short() = %q, want %q", id, got, want)
		}
	}
}

func TestSampleJSON(t *testing.T) {
	for sample, want := range map[Sample]string{
		{`{"$oid":"6ad7e46e5f3a91c2000000dc"}`, "a", 7}: `{"id":{"$oid":"6ad7e46e5f3a91c2000000dc"},"file":"a","offset":7}`,
		{File: "b"}: `{"id":null,"file":"b","offset":0}`,
	} {
		if got, err := json.Marshal(sample); err != nil || string(got) != want {
			t.Errorf("%+v is encoded as %s, %v, want %s", sample, got, err, want)
		}
		var read Sample
		if err := json.Unmarshal([]byte(want), &read); err != nil || read != sample {
			t.Errorf("%s is read as %+v, %v, want %+v", want, read, err, sample)
		}
	}
}
