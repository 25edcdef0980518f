package catalog

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// TestWrittenNames: a misspelt option in a program is refused. In a server's listing
// it is kept, because the server ignores it.
func TestWrittenNames(t *testing.T) {
	for _, tt := range []struct {
		text   string
		listed bool
	}{
		{`db.c.createIndex({a: 1}, {expireAfterSeconds: 5, partialFilterExpresion: {b: 1}})`, false},
		{`c.create_index("a", expireAfterSeconds=5, partialFilterExpresion={"b": 1})`, false},
		{`[{v: 2, key: {a: 1}, name: 'a_1', expireAfterSeconds: 5, partialFilterExpresion: {b: 1}}]`, true},
		{`{"indexes":[{"key":{"a":1},"name":"a_1","expireAfterSeconds":5,"partialFilterExpresion":{"b":1}}]}`, true},
		{`db.c.createIndex({a: 1}, {expireAfterSeconds: 5, commitQuorum: 1, background: true, comment: "x"})`, true},
	} {
		list, err := Read("policies", strings.NewReader(tt.text))
		if err == nil && !tt.listed {
			err = list[0].Err()
		}
		switch {
		case tt.listed && (err != nil || len(list) != 1):
			t.Errorf("Read(%s) = %d, %v, want a collection", tt.text, len(list), err)
		case !tt.listed && (err == nil || !strings.Contains(err.Error(), `did you mean "partialFilterExpression"?`)):
			t.Errorf("Read(%s) = %v, want the right name", tt.text, err)
		}
	}
}

// TestWritten: the commands of a program have their effects in order. An index that only
// collMod names is assumed to exist.
func TestWritten(t *testing.T) {
	const series = "db.createCollection('c', {timeseries: {timeField: 't'}, expireAfterSeconds: 60})\n"
	for _, tt := range []struct{ text, want string }{
		{"db.c.createIndex({t: 1}, {expireAfterSeconds: 5})\ndb.c.createIndex({t: 1}, {expireAfterSeconds: 5})\n", "t_1 5 line 1"},
		{"db.c.createIndex({t: 1}, {expireAfterSeconds: 5})\ndb.c.createIndex({t: 1}, {expireAfterSeconds: 6})\n", "t_1 5 line 1; refused line 2"},
		{"db.c.createIndex({t: 1}, {expireAfterSeconds: 5})\ndb.c.drop()\ndb.c.createIndex({u: 1}, {expireAfterSeconds: 6})\n", "u_1 6 line 3"},
		{"db.c.createIndex({t: 1}, {expireAfterSeconds: 5})\ndb.c.createIndex({u: 1}, {expireAfterSeconds: 6})\ndb.c.dropIndex('t_1')\n", "u_1 6 line 2"},
		{"db.c.createIndex({t: 1}, {expireAfterSeconds: 5})\ndb.runCommand({collMod: 'c', index: {name: 't_1', expireAfterSeconds: 90}})\n", "t_1 90 line 2"},
		{"db.runCommand({collMod: 'c', index: {keyPattern: {t: 1}, expireAfterSeconds: 90}})\n", "t_1 90 line 1"},
		{"db.runCommand({collMod: 'c', index: {keyPattern: {t: 1}, expireAfterSeconds: -90}})\n", "refused line 1"},
		{"db.c.createIndex({t: 1}, {expireAfterSeconds: 5})\ndb.runCommand({collMod: 'c', index: {name: 't_1', expireAfterSeconds: -90}})\n", "t_1 5 line 1; refused line 2"},
		{series, "options 60"},
		{series + "db.runCommand({collMod: 'c', expireAfterSeconds: 90})\n", "options 90"},
		{series + "db.runCommand({collMod: 'c', expireAfterSeconds: 'off'})\n", ""},
		{series + "db.c.drop()\n", ""},
	} {
		targets, err := Read("a.js", strings.NewReader(tt.text))
		if err != nil || len(targets) != 1 {
			t.Errorf("Read(%s) = %d, %v, want a collection", tt.text, len(targets), err)
			continue
		}
		const now = 1_795_132_800_000 // 2026-11-20
		c, err := targets[0].Collection(Options{Now: now})
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		w := targets[0].Written(c.Spec, c.Profile, now)
		var got []string
		for i, x := range w.Specs {
			got = append(got, fmt.Sprintf("%s %s line %d", x.Name, Plain(x.ExpireAfterSeconds), w.Lines[i]))
		}
		if n := w.Options.Field("expireAfterSeconds"); !n.IsMissing() {
			got = append(got, "options "+Plain(n))
		}
		for _, r := range w.Refused {
			got = append(got, fmt.Sprintf("refused line %d", r.Line))
		}
		if text := strings.Join(got, "; "); text != tt.want {
			t.Errorf("%s leaves %s, want %s", tt.text, text, tt.want)
		}
	}
}

// TestSources: targets are found in files and folders of programs and templates.
func TestSources(t *testing.T) {
	const template = `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "resources": [
    {
      "type": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers",
      "properties": { "resource": {
        "id": "carts", "partitionKey": {},
        "defaultTtl": 5 } }
    },
    {
      "type": "Microsoft.DocumentDB/databaseAccounts/gremlinDatabases/graphs",
      "properties": { "resource": { "id": "graph",
        "defaultTtl": 60 } }
    },
    {
      "type": "Microsoft.Resources/deployments",
      "properties": { "template": { "parameters": { "defaultTtl": { "defaultValue": 7 } }, "resources": [ {
        "type": "Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections",
        "properties": { "resource": { "id": "tokens", "indexes": [
          { "key": { "keys": ["_ts"] }, "options": {
            "expireAfterSeconds": 60 } } ] } }
      } ] } }
    }
  ]
}`
	for _, tt := range []struct {
		why   string
		files map[string]string
		want  string
	}{
		{"no mention", map[string]string{"a.js": "const a = 5;\n", "b.php": "<?php\n", "c.rs": "fn main() {}\n", "d.cs": "class A {}\n", "e.tf": "locals {}\n"}, "5 without a mention"},
		{"no mention, and a policy", map[string]string{"a.js": "const a = 5;\n", "b.js": "db.logs.createIndex({t: 1}, {expireAfterSeconds: 1})\n"}, "collection logs 1, line 1"},
		{"a resource of another provider of MongoDB", map[string]string{"main.tf": "resource \"acme_mongo_index\" \"x\" {\n  expire_after_seconds = 3600\n}\n"}, "unread [{2 expire_after_seconds a resource of this type is not read false}]"},
		{"a template with another spelling", map[string]string{"azuredeploy.json": strings.Replace(template, `"defaultTtl": 5`, `"DefaultTtl": 5`, 1)}, "container carts, line 8; collection tokens 1, line 21; unread [{13 defaultTtl a resource of this type is not read true}]"},
		{"a resource of another provider", map[string]string{"main.tf": "resource \"aws_cloudfront_distribution\" \"d\" {\n  default_cache_behavior {\n    default_ttl = 3600\n  }\n}\n"}, "1 without a mention"},
		{"another JSON file", map[string]string{"a.js": "const a = 5;\n", "package.json": `{"name": "expireAfterSeconds"}`}, "1 without a mention"},
		{"indexes in JSON", map[string]string{"indexes.json": `[{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}]`}, "collection indexes.json 1, line 0"},
		{"JSON of another form", map[string]string{"a.json": "{\n \"ttl\": {\n  \"expireAfterSeconds\": 5 }\n}"}, "unread [{3 expireAfterSeconds this is neither an index nor a template that is read false}]"},
		{"a template", map[string]string{"azuredeploy.json": template}, "container carts, line 8; collection tokens 1, line 21; unread [{13 defaultTtl a resource of this type is not read true}]"},
		{"containers", map[string]string{
			"a.json": `{"id":"a","partitionKey":{"paths":["/p"]},"analyticalStorageTtl":5}`, "b.json": `{"id":"b","partitionKey":{"paths":["/p"]},"DefaultTimeToLive":5}`,
			"c.json": `{"id":"c","partitionKey":{"paths":["/p"]},"ttl":5}`, "d.js": "",
		}, "container a, line 0; container b, line 0"},
		{"metadata of a collection of the server", map[string]string{"a.js": "", "system.profile.metadata.json": `{"indexes":[{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}]}`}, "1 without a mention"},
		{"nothing", map[string]string{"a.txt": "expireAfterSeconds"}, "no *.metadata.json of mongodump in this folder; name the files to audit"},
		{"packages of others", map[string]string{"node_modules/x/a.js": "db.logs.createIndex({t: 1}, {expireAfterSeconds: 1})\n", "a.js": ""}, "1 without a mention"},
	} {
		dir := fixture.Files(t, tt.files)
		targets, err := FindWithSources(dir, nil, false)
		if got := sourcesIn(targets, err, dir); got != tt.want {
			t.Errorf("%s: found %s, want %s", tt.why, got, tt.want)
		}
	}
}

// sourcesIn returns the targets found in sources as text.
func sourcesIn(targets []*Target, err error, dir string) string {
	if err != nil {
		return strings.TrimPrefix(err.Error(), dir+": ")
	}
	var parts []string
	for _, target := range targets {
		switch name := strings.TrimPrefix(target.Title(), dir+"/"); {
		case target.Silent() > 0:
			parts = append(parts, fmt.Sprintf("%d without a mention", target.Silent()))
		case len(target.Unread()) > 0:
			parts = append(parts, fmt.Sprintf("unread %v", target.Unread()))
		case target.IsContainer():
			parts = append(parts, fmt.Sprintf("container %s, line %d", name, target.LineOf(-1)))
		default:
			parts = append(parts, fmt.Sprintf("collection %s %d, line %d", name, len(target.collection.indexes), target.LineOf(0)))
		}
	}
	return strings.Join(parts, "; ")
}

// TestMarkdown: the fenced blocks of code of a page are read, with their lines.
func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ why, text, want string }{
		{"two languages", "# A\nexpireAfterSeconds\n```js\n\ndb.logs.createIndex({t: 1}, {expireAfterSeconds: 1})\n```\n\n~~~ python\ndb.users.create_index('t', expireAfterSeconds=5)\n~~~\n", "collection logs 1, line 5; collection users 1, line 9"},
		{"a block without a language", "```\ndb.logs.createIndex({t: 1}, {expireAfterSeconds: 1})\n```\n", "collection logs 1, line 2"},
		{"in a list, of more marks, at the end", "1. A\n\n   ````sh\n   az cosmosdb sql container create --name carts --ttl 60\n   ```\n", "container carts, line 4"},
		{"a session", "```console\n$ ttl explain --index '{expireAfterSeconds: 5}'\n$ az cosmosdb sql container create --name carts --ttl 60\n```\n", "container carts, line 3"},
		{"JSON", "A\n\n```json\n{\"id\":\"a\",\"partitionKey\":{},\"defaultTtl\":5}\n```\n```jsonc\n{\n \"x\": {\"expireAfterSeconds\": 5}}\n```\n", "container a, line 4; unread [{8 expireAfterSeconds this is neither an index nor a template that is read false}]"},
		{"a value that is not known", "```java\n\n@Indexed(expireAfterSeconds = LIMIT) Date t;\n```\n", "unread [{3 expireAfterSeconds its value is LIMIT, which is not evaluated here false}]"},
		{"a misspelt option", "A\n```mongosh\ndb.logs.createIndex({t: 1}, {expireAfterSeconds: 1, uniqe: true})\n```\n", `unread [{3 expireAfterSeconds mongo: uniqe: "uniqe" is not an option of an index in any release; did you mean "unique"?: InvalidIndexSpecificationOption (197) false}]`},
		{"no mention", "A\n```js\nconst a = 5;\n```\n```text\nexpireAfterSeconds: 5\n```\n", "1 without a mention"},
		{"no code", "# Guide\n\nA page.\n", "guide.md: no policy found in this prose; in Markdown, only fenced blocks of code are read"},
	} {
		dir := fixture.Files(t, map[string]string{"guide.md": tt.text})
		targets, err := FindWithSources(filepath.Join(dir, "guide.md"), nil, false)
		if got := strings.TrimPrefix(sourcesIn(targets, err, dir), dir+"/"); got != tt.want {
			t.Errorf("%s: found %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestSilentFiles: a program that mentions no time to live is an error for commands that
// need a policy, but not for an audit. A file of any other kind is an error.
func TestSilentFiles(t *testing.T) {
	for name, text := range map[string]string{"user.js": "const a = 5;\n", "user.php": "<?php\n", "user.rs": "fn main() {}\n", "User.cs": "class A {}\n", "guide.md": "```js\nconst a = 5;\n```\n", "cdn.tf": "resource \"aws_cloudfront_distribution\" \"d\" {\n  default_ttl = 5\n}\n", "empty.py": ""} {
		path := filepath.Join(fixture.Files(t, map[string]string{name: text}), name)
		targets, err := FindWithSources(path, nil, false)
		if err != nil || len(targets) != 1 || targets[0].Silent() != 1 {
			t.Errorf("FindWithSources(%s) = %d, %v, want one without a mention", name, len(targets), err)
		}
		if _, err := Find(path, nil, false); !errors.Is(err, ErrNoMention) {
			t.Errorf("Find(%s) = %v, want %v", name, err, ErrNoMention)
		}
	}
	for name, text := range map[string]string{"picture.png": "\x89PNG\r\n\x1a\n", "letter.txt": "Dear reader,\n", "guide.md": "# Guide\n"} {
		path := filepath.Join(fixture.Files(t, map[string]string{name: text}), name)
		if targets, err := FindWithSources(path, nil, false); err == nil || errors.Is(err, ErrNoMention) {
			t.Errorf("FindWithSources(%s) = %d, %v, want that it cannot be read", name, len(targets), err)
		}
	}
}

// FuzzMentionsIn: for any text, the mentions lie within it, in order.
func FuzzMentionsIn(f *testing.F) {
	for _, seed := range []string{`{"a":[{"defaultTtl":5}],"expireAfterSeconds":{"defaultTtl":null}}`, `[[`, `{"defaultTtl"`, `{"a":"defaultTtl"}`, `["defaultTtl"]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		at := 0
		for _, m := range mentionsIn(text) {
			if m.at <= at || m.at > len(text) || !strings.HasPrefix(m.path, "/") {
				t.Fatalf("%q: %+v behind %d", text, m, at)
			}
			at = m.at
		}
	})
}
