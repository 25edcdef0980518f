package plan

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadFile: what is read, as the canonical Extended JSON of the catalog.
func TestReadFile(t *testing.T) {
	f, err := parseFile("policy.yaml", []byte(`# how long we keep what
version: 1
server: 8.0
defaults: {key: createdAt, expireAfterSeconds: 30d}
rules:
  - namespace: shop.jobs
    indexes:
      - key: {purgeAt: -1}
        expireAfterSeconds: 0
      - key: 'done.at'
        expireAfterSeconds: 86_400
        partialFilterExpression: {state: done, n: {$gt: 1.5}, at: {$lt: {$date: "2026-01-01T00:00:00Z"}}, ok: true, no: null, list: [1, "2"], 7: x}
        name: done
  - namespace: shop.typed
    key: '{at: 1}'
    partialFilterExpression: '{at: {$gte: ISODate("2026-01-01")}}'
  - {namespace: shop.audit, expireAfterSeconds: none}
  - {namespace: "shop.*"}
  - {namespace: carts, defaultTtl: -1}
  - {namespace: "*", defaultTtl: off}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range f.Rules {
		r := &f.Rules[i]
		line := r.Namespace.text
		if r.isCosmos() {
			got = append(got, line+" "+r.DefaultTTL.word+" "+span(r.DefaultTTL.n))
			continue
		}
		for j := range r.all() {
			x := f.indexOf(&r.all()[j])
			got = append(got, strings.Join([]string{line, f.secondsOf(&r.all()[j]).word, span(x.seconds), x.key.String(), x.partial.String(), x.name}, " "))
		}
	}
	want := []string{
		`shop.jobs  0 s {"purgeAt":{"$numberInt":"-1"}} missing `,
		`shop.jobs  1 d {"done.at":{"$numberInt":"1"}} {"state":"done","n":{"$gt":{"$numberDouble":"1.5"}},"at":{"$lt":{"$date":{"$numberLong":"1767225600000"}}},"ok":true,"no":null,"list":[{"$numberInt":"1"},"2"],"7":"x"} done`,
		`shop.typed  30 d {"at":{"$numberInt":"1"}} {"at":{"$gte":{"$date":{"$numberLong":"1767225600000"}}}} `,
		`shop.audit none 0 s {"createdAt":{"$numberInt":"1"}} missing `,
		`shop.*  30 d {"createdAt":{"$numberInt":"1"}} missing `,
		`carts  -1 s`,
		`* off 0 s`,
	}
	if diff := cmp.Diff(want, got); diff != "" || f.Server.String() != "8.0.0" {
		t.Errorf("server %v; rules differ (-want +got):\n%s", f.Server, diff)
	}
}

// TestReadFileRefuses: each mistake, with its line and column.
func TestReadFileRefuses(t *testing.T) {
	const head = "version: 1\nrules:\n"
	for _, tt := range []struct{ text, want string }{
		{"", "p:1:1: no documents in stream"},
		{"rules: []", "p:1:1: the file begins with version: 1"},
		{"version: 2\n", `p:1:10: this tool reads version 1, and here is "2"`},
		{"version: 1\n", "p:1:1: there is no rule"},
		{"version: 1\nrulez: []\n", "p:2:1: no field is called rulez here"},
		{"version: 1\nversion: 1\n", `p:2:1: mapping key "version" already defined at line 1`},
		{"version: 1\nrules: yes\n", "p:2:8: this is "},
		{"version: 1\nserver: 1.0\nrules: []\n", "p:2:9: "},
		{"version: 1\n---\nversion: 1\n", "expected single document"},
		{"version: 1\nrules: a: b\n", "p:2:9: mapping values are not allowed"},
		{"\tversion: 1", "p:1:1: found character that cannot start any token"},
		{"\xff", "p:1:1: "},
		{strings.Repeat("[", 20000), "exceeded max depth"},
		{head + "- expireAfterSeconds: 1\n", "p:1:1: a rule has no namespace"},
		{head + "- namespace: a.b\n", "p:3:14: how long? say expireAfterSeconds"},
		{head + "- namespace: [a]\n", "p:3:14: want a namespace"},
		{head + "- namespace: a.b\n  expireAfterSeconds: soon\n", `p:4:23: cannot read "soon"`},
		{head + "- namespace: a.b\n  expireAfterSeconds: 3mo\n", "p:4:23: "},
		{head + "- namespace: a.b\n  expireAfterSeconds: -1\n", "p:4:23: -1 s is not from 0"},
		{head + "- namespace: a.b\n  expireAfterSeconds: 100y\n", "p:4:23: 3153600000 s is not from 0"},
		{head + "- namespace: a.b\n  expireAfterSeconds: off\n", "p:4:23: off is a defaultTtl; say none"},
		{head + "- namespace: a.b\n  expireAfterSeconds: none\n  key: a\n", "p:4:23: none means that nothing deletes"},
		{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  partialFilterExpression: {a: 1}\n", "p:5:28: a filter is part of an index"},
		{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: {}\n", "p:5:8: the key names no field"},
		{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: a\n  partialFilterExpression: {a: 2026-01-01}\n", "p:6:28: \"2026-01-01\" is read as !!timestamp"},
		{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: a\n  partialFilterExpression: '{a: '\n", "p:6:28: "},
		{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: a\n  partialFilterExpression: [1]\n", "p:6:28: a list is no document"},
		{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  expireAfter: 1\n", "p:5:3: no field is called expireAfter here"},
		{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  indexes: [{key: a, expireAfterSeconds: 1}]\n", "p:3:14: put every index"},
		{head + "- namespace: a.b\n  indexes: [{key: a, expireAfterSeconds: 1}, {key: a, expireAfterSeconds: 2}]\n", "p:4:52: an index of this rule before takes in the same documents"},
		{head + "- namespace: a.b\n  defaultTtl: none\n", "p:4:15: say off"},
		{head + "- namespace: a.b\n  defaultTtl: 1\n  key: a\n", "p:3:14: defaultTtl is for containers"},
		{head + "- {namespace: a.*, expireAfterSeconds: 1}\n- {namespace: a.b, expireAfterSeconds: 1}\n", "p:4:15: no collection gets here: rule a.* in line 3 decides before"},
		{"version: 1\nrules:\n- &a {namespace: a.b, expireAfterSeconds: 1, key: {x: *a}}\n", "p:3:"},
	} {
		if _, err := parseFile("p", []byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("parseFile(%.100q) = %v, want an error with %q", tt.text, err, tt.want)
		}
	}
}

// TestReadFileIsBounded: aliases within aliases do not grow.
func TestReadFileIsBounded(t *testing.T) {
	text := "version: 1\nrules:\n- namespace: a.b\n  key: a\n  expireAfterSeconds: 1\n  partialFilterExpression:\n    a: &a {x: 1}\n"
	for c := 'b'; c < 'z'; c++ {
		text += "    " + string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "]\n"
	}
	if _, err := parseFile("p", []byte(text)); err == nil || !strings.Contains(err.Error(), "alias") {
		t.Errorf("aliases of aliases: %v, want an error about them", err)
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add("version: 1\nrules:\n- {namespace: a.b, key: {a: 1}, expireAfterSeconds: 30d, partialFilterExpression: '{a: 1}'}\n")
	f.Add("version: 1\nserver: 8.0.4\ndefaults: {key: a}\nrules:\n- {namespace: c, defaultTtl: off}\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := parseFile("p", []byte(text))
		if err == nil && len(file.Rules) == 0 {
			t.Errorf("parseFile(%q) has no rule, and no error", text)
		}
	})
}

// TestSchema holds the published schema to the types: the same fields everywhere.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("../../../docs/policy.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	type object struct {
		AdditionalProperties *bool
		Properties           map[string]json.RawMessage
	}
	var schema struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var defaults object
	if err := json.Unmarshal(schema.Properties["defaults"], &defaults); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		of     reflect.Type
		object object
	}{
		{reflect.TypeFor[File](), schema.object}, {reflect.TypeFor[Defaults](), defaults},
		{reflect.TypeFor[Rule](), schema.Defs["rule"]}, {reflect.TypeFor[Index](), schema.Defs["index"]},
	} {
		var got []string
		for name := range tt.object.Properties {
			got = append(got, name)
		}
		want := fieldsOf(tt.of)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" || tt.object.AdditionalProperties == nil || *tt.object.AdditionalProperties {
			t.Errorf("%v: the schema's fields differ, or it allows others (-want +got):\n%s", tt.of, diff)
		}
	}
}

// fieldsOf returns what the fields of a type are called in YAML.
func fieldsOf(of reflect.Type) (names []string) {
	for i := range of.NumField() {
		switch name, _, _ := strings.Cut(of.Field(i).Tag.Get("yaml"), ","); {
		case of.Field(i).Anonymous:
			names = append(names, fieldsOf(of.Field(i).Type)...)
		case name != "":
			names = append(names, name)
		}
	}
	return names
}
