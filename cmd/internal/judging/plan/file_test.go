package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"
)

// wholeFile is a policy file with every field.
const wholeFile = `# how long we keep what
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
`

// TestReadFile compares the rules of a file, as canonical Extended JSON, with the
// expected rules.
func TestReadFile(t *testing.T) {
	f, err := parseFile("policy.yaml", []byte(wholeFile))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range f.Rules {
		r := &f.Rules[i]
		line := r.Namespace.text
		if r.isCosmos() {
			got = append(got, line+" "+r.DefaultTTL.word+" "+catalog.Span(r.DefaultTTL.n))
			continue
		}
		for _, index := range r.all() {
			x := f.indexOf(index)
			got = append(got, strings.Join([]string{line, f.secondsOf(index).word, catalog.Span(x.Seconds), x.Key.String(), x.Partial.String(), x.Name}, " "))
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

// refusedFiles are policy files with one mistake each, and the errors about the mistakes.
// If bySchema is true, a reader with the schema refuses the file too. Otherwise the mistake
// concerns two places, or the schema does not know the value of a text such as 100y.
var refusedFiles = []struct {
	text, want string
	bySchema   bool
}{
	{"", "p:1:1: the file is empty; it begins with version: 1", true},
	{"rules: []", "p:1:1: the version is missing; the file begins with version: 1", true},
	{"version: 2\n", `p:1:10: this tool reads version 1, not "2"`, true},
	{"version: 1\n", "p:1:1: there is no rule; write one below rules", true},
	{"version: 1\nrulez: []\n", "p:2:1: no field is called rulez here; did you mean rules?", true},
	{"version: 1\nversion: 1\n", `p:2:1: mapping key "version" already defined at line 1`, true},
	{"version: 1\nrules: yes\n", "p:2:8: this is ", true},
	{"version: 1\nserver: 1.0\nrules: []\n", "p:2:9: no profile for this server version", true},
	{"version: 1\n---\nversion: 1\n", "p:1:1: there are several documents, with --- between them; write one", true},
	{"version: 1\nrules: a: b\n", "p:2:9: mapping values are not allowed", true},
	{"\tversion: 1", "p:1:1: no value begins so; indent by spaces, not tabs", true},
	{"\xff", "p:1:1: ", true},
	{strings.Repeat("[", 20000), "exceeded max depth", true},
	{head + "- expireAfterSeconds: 1\n", "p:3:23: a rule has no namespace", true},
	{head + "- defaultTtl: off\n", "p:3:15: a rule has no namespace", true},
	{head + "- indexes: [{key: a, expireAfterSeconds: 1}]\n", "p:3:19: a rule has no namespace", true},
	{head + "- namespace: a.b\n", "p:3:14: the time to live is missing; set expireAfterSeconds", true},
	{head + "- namespace: [a]\n", "p:3:14: want a namespace", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: soon\n", `p:4:23: cannot read "soon"`, true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 3mo\n", "p:4:23: ", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: -1\n", "p:4:23: -1 s is not from 0", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 100y\n", "p:4:23: 3153600000 s is not from 0", false},
	{head + "- namespace: a.b\n  expireAfterSeconds: off\n", "p:4:23: off is a defaultTtl; say none", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: none\n  key: a\n", "p:4:23: none means that nothing deletes", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  partialFilterExpression: {a: 1}\n", "p:5:28: a filter is part of an index", false},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: {}\n", "p:5:8: the key names no field", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: a\n  partialFilterExpression: {a: 2026-01-01}\n", "p:6:28: \"2026-01-01\" is read as !!timestamp", false},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: a\n  partialFilterExpression: '{a: '\n", "p:6:28: ", false},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: a\n  partialFilterExpression: [1]\n", "p:6:28: a list is not a document", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  expireAfter: 1\n", "p:5:3: no field is called expireAfter here", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  indexes: [{key: a, expireAfterSeconds: 1}]\n", "p:3:14: put every index", true},
	{head + "- namespace: a.b\n  indexes: [{key: a, expireAfterSeconds: 1}, {key: a, expireAfterSeconds: 2}]\n", "p:4:52: an earlier index of this rule takes in the same documents", false},
	{head + "- namespace: a.b\n  defaultTtl: none\n", "p:4:15: none is an expireAfterSeconds; say off", true},
	{head + "- namespace: a.b\n  defaultTtl: 1\n  key: a\n", "p:3:14: defaultTtl is for containers", true},
	{head + "- {namespace: a.*, expireAfterSeconds: 1}\n- {namespace: a.b, expireAfterSeconds: 1}\n", "p:4:15: no collection or container reaches this rule: rule a.* in line 3 decides about all", false},
	{"version: 1\nrules:\n- &a {namespace: a.b, expireAfterSeconds: 1, key: {x: *a}}\n", "p:3:", true},
	{head + "- namespace: a.b\n  key: a\n  expireAfterSeconds: 1\n  partialFilterExpression:\n", "p:6:27: nothing is written here", true},
	{head + "- namespace: a.b\n  key: a\n  expireAfterSeconds: ~\ndefaults: {expireAfterSeconds: 1}\n", "p:5:23: nothing is written here", true},
	{head + "- namespace: a.b\n  defaultTtl:\ndefaults: {expireAfterSeconds: 1}\n", "p:4:14: nothing is written here", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  indexes: []\n", "p:5:12: no index is listed", true},
	{head + "- namespace: a.b\n  indexes: [~]\n", "p:4:13: nothing is written here", true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 010\n", `p:4:23: "010" is read differently`, false},
	{head + "- namespace: a.b\n  expireAfterSeconds: 010d\n", `p:4:23: "010d" is read differently`, true},
	{head + "- namespace: a.b\n  expireAfterSeconds: +5d\n", `p:4:23: "+5d" is read differently`, true},
	{head + "- namespace: a.b\n  expireAfterSeconds: _5d\n", `p:4:23: "_5d" is read differently`, true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: 5\n", `p:5:8: "5" is no text`, true},
	{head + "- namespace: 5\n  expireAfterSeconds: 1\n", `p:3:14: "5" is no text`, true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: a\n  name: true\n", `p:6:9: "true" is no text`, true},
	{head + "- namespace: a.b\n  expireAfterSeconds: 1\n  key: a\n  name: ''\n", "p:6:9: nothing is written here", true},
	{head + "- namespace: a.b\n  indexes: [{key: a, expireAfterSeconds: 1}]\n  name: ''\n", "p:5:9: nothing is written here", true},
	{head + "- namespace: a\n  defaultTtl: -2\n", "p:4:15: -2 s is not from -1", true},
	{head + "- namespace: a\n  defaultTtl: 2147483648\n", "p:4:15: 2147483648 s is not from -1", true},
	{"version: '1'\nrules: [{namespace: a.b, expireAfterSeconds: 1}]\n", "p:1:10: this tool reads version 1", true},
	{"version: 1\ndefaults:\nrules: [{namespace: a.b, expireAfterSeconds: 1}]\n", "p:2:10: nothing is written here", true},
}

const head = "version: 1\nrules:\n"

// TestCheckIndexes: CheckIndexes returns an error for an index that the release refuses.
func TestCheckIndexes(t *testing.T) {
	for _, tt := range []struct{ index, want string }{
		{"key: at", ""},
		{"key: {at: -1}", ""},
		{"key: {a: 1, b: 1}", "p:4:42: MongoDB " + fixture.Latest + " refuses this index: TTL indexes are single-field indexes"},
		{"key: _id", "p:4:42: MongoDB " + fixture.Latest + " refuses this index: The field 'expireAfterSeconds' is not valid for an _id index"},
		{"key: $at", "p:4:42: MongoDB " + fixture.Latest + " refuses this index: Index key contains an illegal field name"},
		{"key: at, partialFilterExpression: {a: {$ne: 1}}", "p:4:42: MongoDB " + fixture.Latest + " refuses this index: Expression not supported in partial index"},
		{"key: at, partialFilterExpression: {$or: [{a: 1}, {a: 2}]}", ""},
		{"key: at, partialFilterExpression: {$or: [{a: 1}, {a: 2}]}\nserver: 5.0.9", "p:4:42: MongoDB 5.0.9 refuses this index: unsupported expression in partial index"},
		{"key: at, partialFilterExpression: {a: 1}\nserver: 3.0.15", "p:4:42: MongoDB 3.0.15 would keep partialFilterExpression without reading it"},
	} {
		index, server, _ := strings.Cut(tt.index, "\n")
		f, err := parseFile("p", []byte(head+"- namespace: a.b\n  indexes: [{expireAfterSeconds: 1, "+index+"}]\n"+server+"\n"))
		if err == nil {
			err = f.CheckIndexes(1_790_000_000_000)
		}
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("CheckIndexes of %s = %v, want %q", tt.index, err, tt.want)
		}
	}
}

// TestReadFileRefuses: the error about each mistake has its line and column.
func TestReadFileRefuses(t *testing.T) {
	for _, tt := range refusedFiles {
		if _, err := parseFile("p", []byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("parseFile(%.100q) = %v, want an error with %q", tt.text, err, tt.want)
		}
	}
}

// TestReadFileIsBounded: a small file with nested aliases does not become large.
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

// TestSchema checks that the published schema and the Go types have the same fields.
func TestSchema(t *testing.T) {
	schema := schemaOf(t).Schema()
	for of, object := range map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[File](): schema, reflect.TypeFor[Defaults](): schema.Properties["defaults"],
		reflect.TypeFor[Rule](): schema.Defs["rule"], reflect.TypeFor[Index](): schema.Defs["index"],
	} {
		got, want := slices.Sorted(maps.Keys(object.Properties)), slices.Sorted(slices.Values(fieldsOf(of)))
		more := object.AdditionalProperties // the schema false is the negation of the schema true
		if diff := cmp.Diff(want, got); diff != "" || more == nil || more.Not == nil {
			t.Errorf("%v: the schema's fields differ, or it allows others (-want +got):\n%s", of, diff)
		}
	}
}

// schemaOf returns the published schema.
func schemaOf(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/policy.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// checkBySchema reads YAML text as an editor does, and validates it against the schema.
func checkBySchema(schema *jsonschema.Resolved, text string) error {
	var file any
	if err := yaml.Load([]byte(text), &file); err != nil {
		return err
	}
	return schema.Validate(asJSON(file))
}

// asJSON converts a value of YAML to a value of JSON, in which all names are strings.
func asJSON(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = asJSON(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = asJSON(v[name])
		}
	case map[any]any:
		named := map[string]any{}
		for name, one := range v {
			named[fmt.Sprint(name)] = asJSON(one)
		}
		return named
	}
	return v
}

// TestSchemaAgrees: the schema accepts every file that the reader accepts, and refuses the
// mistakes that refusedFiles says.
func TestSchemaAgrees(t *testing.T) {
	schema := schemaOf(t)
	example, err := os.ReadFile("../../../../docs/policy.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(example), wholeFile} {
		if err := checkBySchema(schema, text); err != nil {
			t.Errorf("the schema refuses %v of\n%s", err, text)
		}
	}
	for _, tt := range refusedFiles {
		if err := checkBySchema(schema, tt.text); (err != nil) != tt.bySchema {
			t.Errorf("the schema says %v of %q; want an error: %v", err, tt.text, tt.bySchema)
		}
	}
}

// TestPropertySchema: the schema accepts every file that the reader accepts, with any
// combination of fields and values.
func TestPropertySchema(t *testing.T) {
	schema := schemaOf(t)
	fields := []string{"key", "expireAfterSeconds", "partialFilterExpression", "name", "defaultTtl", "indexes"}
	values := []string{"", "~", "a", "5", "0", "-1", "-2", "1.5", "true", "none", "off", "30d", "007", "1_000s", "3000000000", "{}", "{a: 1}", "{a: ~}", "[]", "'{a: 1}'", "''",
		"[{key: a, expireAfterSeconds: 1}]", "[{key: b}]", "[{expireAfterSeconds: none}]", "[~]", "2026-01-01", "*x", "[{key: a, name: b, partialFilterExpression: {a: 1}, expireAfterSeconds: 5}, {key: b, expireAfterSeconds: 1h}]"}
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		draw := func(list []string) string { return rapid.SampledFrom(list).Draw(t, "part") }
		text := draw([]string{"version: 1\n", "version: 1\n", "version: 1\ndefaults: {expireAfterSeconds: 5}\n", "version: 1\ndefaults: {key: a}\nserver: 8.0\n", "version: 1\ndefaults: {}\n", "version: 1\nserver: 8.0.4\n"})
		text += "rules:\n- namespace: " + draw([]string{"a.b", "'*'", "5", "", "carts"}) + "\n"
		for range rapid.IntRange(0, 3).Draw(t, "fields") {
			text += "  " + draw(fields) + ": " + draw(values) + "\n"
		}
		if _, err := parseFile("p", []byte(text)); err == nil {
			accepted++
			if err := checkBySchema(schema, text); err != nil {
				t.Fatalf("the reader accepts what the schema refuses, %v:\n%s", err, text)
			}
		}
	})
	if accepted == 0 && !testing.Short() { // with -short, too few files are drawn
		t.Error("no drawn file is accepted")
	}
}

// fieldsOf returns the YAML names of a type's fields.
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

// TestSizes: a policy file beyond a limit is refused, and the error names the place of the
// first excess element.
func TestSizes(t *testing.T) {
	rules := func(n int, line string) string {
		var b strings.Builder
		b.WriteString("version: 1\nrules:\n")
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	const named, starred = " - {namespace: d.%d, defaultTtl: 1}\n", " - {namespace: d.%05d.*, defaultTtl: 1}\n"
	fields := "version: 1\nrules:\n - {namespace: a, key: t, expireAfterSeconds: 1, partialFilterExpression: {f: 1"
	for i := range maxFields {
		fields += fmt.Sprintf(", f%d: 1", i)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"many names", rules(20_000, named), ""},
		{"patterns", rules(maxPatterns, starred), ""},
		{"one pattern more", rules(maxPatterns+1, starred), "p:1003:16: more than 1000 rules have a namespace with *; write names, or wider patterns"},
		{"a pattern of many asterisks", rules(1, " - {namespace: 'd.%d"+strings.Repeat("*a", 400_000)+"', defaultTtl: 1}\n"), ""},
		{"fields", fields + "}}\n", "p:3:75: this mapping has 1001 fields; at most 1000 are allowed"},
		{"a name twice", rules(1, named) + rules(1, named)[len("version: 1\nrules:\n"):], "p:4:16: no collection or container reaches this rule: rule d.0 in line 3 decides about all that it matches"},
	} {
		_, err := parseFile("p", []byte(tt.text))
		if got := fmt.Sprint(err); got != tt.want && (err != nil || tt.want != "") {
			t.Errorf("%s: %s, want %q", tt.name, got, tt.want)
		}
	}
}

// BenchmarkReadRules shows that the time of reading grows in proportion to the size of
// the file.
func BenchmarkReadRules(b *testing.B) {
	for _, n := range []int{2_000, 4_000, 8_000} {
		text := []byte("version: 1\nrules:\n")
		for i := range n {
			text = fmt.Appendf(text, " - {namespace: shop.collection%d, key: createdAt, expireAfterSeconds: 30d}\n", i)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := parseFile("p", text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
