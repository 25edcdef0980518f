package independent

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// read returns Extended JSON as a tree. {"#": {…}} means an array whose elements have the
// given names.
func read(t *testing.T, text string) *node {
	t.Helper()
	return treeOf(t, fixture.Value(t, text))
}

func treeOf(t *testing.T, v policy.Value) *node {
	t.Helper()
	n := &node{typ: byte(v.Kind())}
	switch v.Kind() {
	case policy.Int32:
		n.whole, _ = v.AsInt64()
	case policy.String:
		n.text, _ = v.AsString()
	case policy.Null, policy.Undefined, policy.MinKey, policy.MaxKey:
	case policy.List:
		for e := v.Elements(); e.Next(); {
			n.fields = append(n.fields, member{strconv.Itoa(len(n.fields)), treeOf(t, e.Value())})
		}
	case policy.Object:
		for f := v.Fields(); f.Next(); {
			n.fields = append(n.fields, member{f.Name(), treeOf(t, f.Value())})
		}
		if len(n.fields) == 1 && n.fields[0].name == "#" {
			n = &node{typ: tArray, fields: n.fields[0].value.fields}
		}
	default:
		t.Fatalf("no tree of %v", v)
	}
	return n
}

// TestModelOfKeys has the assertions of btree_key_generator_test.cpp (mongodb/mongo:
// src/mongo/db/index), and at the end statements of its source about names.
func TestModelOfKeys(t *testing.T) {
	for _, tt := range []struct{ path, doc, want string }{
		{"a", `{"b":4,"a":5}`, `5`},
		{"a.b", `{"a":{"b":4},"c":1}`, `4`},
		{"a", `{"a":[1,2,3]}`, `1 2 3`},
		{"a.b", `{"a":{"b":[1,2]}}`, `1 2`},
		{"a.b", `{"a":[{"x":1},{"b":1},{"b":2}]}`, `null 1 2`},
		{"a.b", `{"a":[1,2]}`, `null`},
		{"a.b", `{"a":[{"b":1},{"b":[1,2,3]}]}`, `1 2 3`},
		{"a", `{"a":[]}`, `{"$undefined":true}`},
		{"a.b", `{"a":[]}`, `null`},
		{"a.b", `{"a":[{"b":[]}]}`, `{"$undefined":true}`},
		{"a.b", `{"a":1}`, `null`},
		{"a.0", `{"a":[1]}`, `1`},
		{"a.0.0", `{"a":[[1]]}`, `1`},
		{"a.0.b", `{"a":[{"b":1}]}`, `1`},
		{"a.0.b", `{"a":[[{"b":1},{"b":2}]]}`, `1 2`},
		{"a.b.c.3", `{"a":{"b":{"c":[0,1,2,[3]]}}}`, `[3]`},
		{"a.b.c.3", `{"a":{"b":{"c":[0,1,2,[]]}}}`, `{"$undefined":true}`},
		{"a.0.1.2.b.0", `{"a":[[1,[1,2,[{"b":[[],2]}]]],1]}`, `{"$undefined":true}`},
		{"a.2", `{"a":[{"2":5}]}`, `5`},
		{"a.2", `{"a":[[1,2,5]]}`, `null`},
		{"a.2", `{"a":[[1,2,5],[3,4,6],[0,1,2]]}`, `[0,1,2]`},
		{"a.b.2", `{"a":[{"b":[[1,2,5]]}]}`, `null`},
		{"a.2", `{"a":[[1,2,5],{"2":6}]}`, `null 6`},
		{"a.b.1", `{"a":[{"b":[1,2]}]}`, `2`},
		{"a.0", `{"a":[{"0":1}]}`, `error 16746`},
		{"a.0.b", `{"a":[{"b":[1,2]},{"b":3}]}`, `1 2`},
		{"a.0", `{"a":{"#":{"1":5}}}`, `null`},
		{"a.1", `{"a":{"#":{"1":5,"2":6}}}`, `5`},
		{"a.0", `{"a":{"#":{"1":{"0":5}}}}`, `5`},
		{"a.b", `{"a":{"#":{"b":5}}}`, `5`},
		{"a.b", `{"a":{"#":{"b":5,"c":{"b":6}}}}`, `error 16746`},
	} {
		keys, err := indexKeys(read(t, tt.doc).fields, strings.Split(tt.path, "."), nil)
		got := map[string]bool{}
		for _, key := range keys {
			got[key.String()] = true
		}
		want := map[string]bool{}
		if err != nil {
			got["error 16746"] = true
		}
		if tt.want == "error 16746" {
			want[tt.want] = true
		} else {
			for text := range strings.SplitSeq(tt.want, " ") {
				want[read(t, text).String()] = true
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("keys of %s by %s = %v, want %v", tt.doc, tt.path, got, want)
		}
	}
}

// TestModelOfFilters has the assertions of vendor tests about {"a.b": null}, first by the
// old reading, then by the reading of 9.0 (mongodb/mongo: jstests/core/query/ne/ne_null.js
// and nin/nin_null.js, null_query_semantics.js, and their namesakes with _disable_fix in
// jstests/noPassthrough).
func TestModelOfFilters(t *testing.T) {
	old := filterRelease{nested: true, arrays: true, ordered: true}
	now := old
	now.late = true
	legacy := now
	legacy.legacy = true
	for _, tt := range []struct {
		doc      string
		old, now truth
	}{
		{`{"a":[1,{"c":1}]}`, yes, yes},
		{`{"a":1}`, yes, yes},
		{`{"a":[1]}`, no, yes},
		{`{"a":[[1]]}`, no, yes},
		{`{"a":[]}`, no, yes},
		{`{"a":[[]]}`, no, yes},
		{`{"a":[{}]}`, yes, yes},
		{`{}`, yes, yes},
		{`{"a":{}}`, yes, yes},
		{`{"a":null}`, yes, yes},
		{`{"a":[null]}`, no, yes},
		{`{"a":[[],{"b":3}]}`, no, yes},
		{`{"a":[[2],{"b":3}]}`, no, yes},
		{`{"a":[[{"b":3}],4]}`, no, yes},
		{`{"a":[[[{"b":null}]]]}`, no, yes},
		{`{"a":[[{"b":2}],[{"b":3}]]}`, no, yes},
		{`{"a":[{"b":2},[{"b":3}]]}`, no, yes},
		{`{"a":[{"b":[[3]]}]}`, no, no},
		{`{"a":{"b":[[2]]}}`, no, no},
		{`{"a":[5,{"b":5}]}`, no, yes},
		{`{"a":[{},{"b":5}]}`, yes, yes},
		{`{"a":[{"b":1},{"b":3},{"b":"string"}]}`, no, no},
		{`{"a":[{"b":{"$undefined":true}},{"b":3}]}`, no, no},
		{`{"a":[{"b":null},{"b":3},{"b":null}]}`, yes, yes},
	} {
		for _, c := range []clause{
			{op: "$eq", of: bare(tNull)}, {op: "$in", list: []*node{int32Of(75), bare(tNull)}}, {op: "$gte", of: bare(tNull)},
		} {
			c.path = []string{"a", "b"}
			doc := read(t, tt.doc)
			if gotOld, gotLegacy, gotNow := old.says(c, doc), legacy.says(c, doc), now.says(c, doc); gotOld != tt.old || gotLegacy != tt.old || gotNow != tt.now {
				t.Errorf("null on a.b by %s in %s = %s, legacy %s, 9.0 %s, want %s, %s, %s", c.op, tt.doc,
					truthNames[gotOld], truthNames[gotLegacy], truthNames[gotNow], truthNames[tt.old], truthNames[tt.old], truthNames[tt.now])
			}
		}
	}
}
