package transfer

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestAppendID(t *testing.T) {
	long := strings.Repeat("x", maxID)
	oid := [12]byte{0x50, 0x7f, 0x1f, 0x77, 0xbc, 0xf8, 0x6c, 0xd7, 0x99, 0x43, 0x90, 0x11}
	data := []byte("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff")
	tests := []struct {
		v         policy.Value
		want, why string
	}{
		{policy.StringValue("Ä b"), "Ä b", ""},
		{policy.StringValue(long), long, ""},
		{policy.StringValue(long + "x"), "", "more than 1023 bytes"},
		{policy.StringValue(""), "", "is empty"},
		{policy.StringValue("a/b"), "", `"/"`},
		{policy.StringValue(`a\b`), "", `"\\"`},
		{policy.StringValue("a?b"), "", `"?"`},
		{policy.StringValue("a#b"), "", `"#"`},
		{policy.ObjectIDValue(oid), "507f1f77bcf86cd799439011", ""},
		{policy.Int32Value(-5), "-5", ""},
		{policy.Int64Value(math.MaxInt64), "9223372036854775807", ""},
		{policy.DoubleValue(1), "1", ""},
		{policy.DoubleValue(1.5), "1.5", ""},
		{policy.DoubleValue(math.Copysign(0, -1)), "0", ""},
		{policy.DecimalValue(0x303C_0000_0000_0000, 120), "1.20", ""},
		{policy.BoolValue(true), "true", ""},
		{policy.DateValue(1_700_000_000_000), "2023-11-14T22:13:20.000Z", ""},
		{policy.BinaryValue(4, data), "00112233-4455-6677-8899-aabbccddeeff", ""},
		{policy.BinaryValue(0, data[:3]), "001122", ""},
		{policy.Value{}, "", "is missing"},
		{policy.NullValue(), "", "is null"},
		{policy.ObjectValue(policy.D{}), "", "is object"},
	}
	for _, tt := range tests {
		got, err := appendID([]byte("before"), tt.v)
		if tt.why == "" && (err != nil || string(got) != "before"+tt.want) || tt.why != "" && (err == nil || !strings.Contains(err.Error(), tt.why)) {
			t.Errorf("appendID(%.60s) = %.60s, %v, want %.60s, or %q", tt.v, got, err, tt.want, tt.why)
		}
	}
}

// bsonOf returns the BSON of documents in Extended JSON, one after another.
func bsonOf(t testing.TB, documents ...string) []byte {
	t.Helper()
	var all []byte
	for _, text := range documents {
		doc, err := valuefunc.F.ExtJSONToBSON(nil, []byte(text), dump.MaxBSON)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, doc.Bytes()...)
	}
	return all
}

// never is an evaluator that keeps every document.
type never struct{}

func (never) Decide(policy.Document, policy.Instant) policy.Decision { return policy.Decision{} }

func keep(policy.Document, policy.Decision) (Edit, error) { return Edit{Fidelity: Exact}, nil }

func itemsOf(t testing.TB, text []byte) (string, Result) {
	t.Helper()
	s, err := dump.NewStream("in", bytes.NewReader(text), dump.BSON, dump.BSON)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out bytes.Buffer
	run := Run{Evaluator: never{}, Rewrite: keep, Form: JSON, Item: &Item{IDFrom: "_id", Stamp: policy.Int64Value(7)}, ID: "_id"}
	if err := run.copy(t.Context(), &out, s); err != nil {
		t.Fatal(err)
	}
	return out.String(), run.Result
}

func deep(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }

// TestRefusedItems: a document is left out and reported if the service would refuse it,
// or if JSON cannot hold one of its values.
func TestRefusedItems(t *testing.T) {
	large := strings.Repeat("x", MaxItem-len(`{"_id":1,"a":"","id":"1","_ts":7}`))
	tests := []struct{ document, why string }{
		{`{"_id":1,"a":"Q"}`, `its field "a" holds bytes that are not UTF-8`},
		{`{"_id":1,"Q":1}`, "not UTF-8"},
		{`{"_id":1,"a":{"b":[{"Q":1}]}}`, "not UTF-8"},
		{`{"_id":1,"a":{"$code":"Q"}}`, "not UTF-8"},
		{`{"_id":1,"a":{"$regularExpression":{"pattern":"Q","options":""}}}`, "not UTF-8"},
		{`{"_id":"Q"}`, "not UTF-8"},
		{`{"_id":1,"b":{"a":1,"c":2,"a":3}}`, `its field "b" has a field twice`},
		{`{"_id":1,"a":1,"a":2}`, "twice"},
		{`{"_id":1,` + numbered(30) + `,"k7":1}`, "twice"},
		{`{"_id":1,"id":"x"}`, `it has a field "id" already`},
		{`{"_id":1,"_ts":5}`, `its field "_ts" would be lost`},
		{`{"a":1}`, `its field "_id" is missing`},
		{`{"_id":1,"a":"` + large + `x"}`, "larger than the 2 MB"},
		{`{"_id":1,"a":["` + large + large + `"]}`, "larger than the 2 MB"},
		{`{"_id":1,"a":"` + large + `"}`, ""},
		{`{"_id":1,"a":` + deep(126) + `}`, ""},
		{`{"_id":1,"b":{"a":1,"c":2},"a":3,` + numbered(30) + `}`, ""},
	}
	for _, tt := range tests {
		text := bytes.ReplaceAll(bsonOf(t, tt.document), []byte("Q"), []byte("\x9b"))
		out, r := itemsOf(t, text)
		switch {
		case tt.why == "" && (r.Exact != 1 || !strings.HasSuffix(out, "\"id\":\"1\",\"_ts\":7}\n")):
			t.Errorf("%.60s: %+v, %.100s, want an item", tt.document, r, out)
		case tt.why != "" && (out != "" || r.Conflicts != 1 || !strings.Contains(r.First[0].What, "left out: ") || !strings.Contains(r.First[0].What, tt.why)):
			t.Errorf("%.60s: %+v, %.100s, want it left out: %s", tt.document, r, out, tt.why)
		}
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":%d,`, i, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// TestIDsCollide: the different keys 1 and "1" of MongoDB give the same id of an item, and
// the later document is left out.
func TestIDsCollide(t *testing.T) {
	out, r := itemsOf(t, bsonOf(t, `{"_id":1}`, `{"_id":"1"}`, `{"_id":2}`, `{"_id":{"$numberDecimal":"2"}}`, `{"_id":"3"}`))
	want := `{"_id":1,"id":"1","_ts":7}` + "\n" + `{"_id":2,"id":"2","_ts":7}` + "\n" + `{"id":"3","_ts":7}` + "\n"
	if out != want || r.Exact != 3 || r.Conflicts != 2 || r.Documents != 5 || r.Unchecked {
		t.Errorf("%+v, wrote\n%swant\n%s", r, out, want)
	}
	want1 := Exception{dump.Sample{ID: `"1"`, File: "in", Offset: 14}, "left out: an earlier document has this id", 0}
	if len(r.First) != 2 || r.First[0] != want1 {
		t.Errorf("named: %+v, want %+v first", r.First, want1)
	}
}

// TestIDSetIsBounded: a full set adds no more identifiers, and still finds the
// identifiers in it.
func TestIDSetIsBounded(t *testing.T) {
	var s idSet
	hash := func(i uint64) uint64 { return i*0x9e3779b97f4a7c15<<1 | 1 }
	for i := range uint64(maxIDs + 5) {
		if s.add(hash(i)) {
			t.Fatalf("%d is known before it was added", i)
		}
	}
	if !s.isFull() || len(s.hashes) != maxIDs || !s.add(hash(7)) || s.add(hash(maxIDs+1)) {
		t.Errorf("%d are taken in, want %d, and those known", len(s.hashes), maxIDs)
	}
}

// TestUnchecked: once the set is full, later ids are reported as unchecked, unless they come
// from _ids of one kind, which are unique.
func TestUnchecked(t *testing.T) {
	var full idSet // which changes no more
	for i := 0; !full.isFull(); i++ {
		full.add(hashOf([]byte(strconv.Itoa(-i - 1))))
	}
	for _, tt := range []struct {
		idFrom, docs string
		full, want   bool
	}{
		{"_id", `{"_id":1,"n":1} {"_id":2,"n":1}`, true, false},
		{"_id", `{"_id":1,"n":1} {"_id":"2","n":1}`, true, true},
		{"n", `{"_id":1,"n":1} {"_id":2,"n":2}`, true, true},
		{"n", `{"_id":1,"n":1} {"_id":2,"n":2}`, false, false},
	} {
		run := Run{Evaluator: never{}, Rewrite: keep, Form: JSON, Item: &Item{IDFrom: tt.idFrom, Stamp: policy.Int64Value(7)}, ID: "_id"}
		if tt.full {
			run.ids = full
		}
		s, err := dump.NewStream("in", bytes.NewReader(bsonOf(t, strings.Fields(tt.docs)...)), dump.BSON, dump.BSON)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.copy(t.Context(), io.Discard, s); err != nil || run.Result.Documents != 2 || run.Result.Unchecked != tt.want {
			t.Errorf("ids from %s of %s: %+v, %v, want two documents, unchecked %t", tt.idFrom, tt.docs, run.Result, err, tt.want)
		}
		s.Close()
	}
}

// TestCopyInOrder: many blocks of documents are written in their order.
func TestCopyInOrder(t *testing.T) {
	var documents, want []string
	for i := range 60_000 {
		x := strings.Repeat("x", i%40)
		documents = append(documents, fmt.Sprintf(`{"_id":%d,"t":"%s"}`, i, x))
		want = append(want, fmt.Sprintf(`{"_id":%d,"t":"%s","id":"%[1]d","_ts":7}`+"\n", i, x))
	}
	if out, r := itemsOf(t, bsonOf(t, documents...)); out != strings.Join(want, "") || r.Exact != 60_000 {
		t.Errorf("%d documents, or not in their order", r.Exact)
	}
}
