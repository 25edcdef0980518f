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
		{`db.c.create_index("a", expireAfterSeconds=5, partialFilterExpresion={"b": 1})`, false},
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
		{"a resource of another provider of MongoDB", map[string]string{"main.tf": "resource \"acme_mongo_index\" \"x\" {\n  expire_after_seconds = 3600\n}\n"}, "unread [{2 expire_after_seconds  false}]"},
		{"a template with another spelling", map[string]string{"azuredeploy.json": strings.Replace(template, `"defaultTtl": 5`, `"DefaultTtl": 5`, 1)}, "container carts, line 8; collection tokens 1, line 21; unread [{13 defaultTtl a resource of this type, or with expressions, is not read true}]"},
		{"a resource of another provider", map[string]string{"main.tf": "resource \"aws_cloudfront_distribution\" \"d\" {\n  default_cache_behavior {\n    default_ttl = 3600\n  }\n}\n"}, "unread [{3 default_ttl  true}]"},
		{"another JSON file", map[string]string{"a.js": "const a = 5;\n", "package.json": `{"name": "ttl", "keywords": ["throttle"]}`}, "1 without a mention"},
		{"indexes in JSON", map[string]string{"indexes.json": `[{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}]`}, "collection indexes.json 1, line 0"},
		{"JSON of another form", map[string]string{"a.json": "{\n \"ttl\": {\n  \"expireAfterSeconds\": 5 }\n}"}, "unread [{3 expireAfterSeconds  false}]"},
		{"values of Terraform", map[string]string{"terraform.tfvars": "# days\nttl = 86400\n", "main.tf": "variable \"ttl\" {}\n"}, "unread [{2 ttl  false}]"},
		{"values of a template", map[string]string{"prod.parameters.json": "{\"parameters\": {\n \"sessionTtl\": {\"value\": 60}}}", "a.js": ""}, "unread [{2 sessionTtl this is neither an index nor a template that is read false}]"},
		{"a template whose value is an expression", map[string]string{"azuredeploy.json": strings.Replace(template, `"defaultTtl": 5`, `"defaultTtl": "[parameters('ttl')]"`, 1)}, "collection tokens 1, line 21; unread [{8 defaultTtl its value is an expression, which is not evaluated true} {13 defaultTtl a resource of this type, or with expressions, is not read true}]"},
		{"a template", map[string]string{"azuredeploy.json": template}, "container carts, line 8; collection tokens 1, line 21; unread [{13 defaultTtl a resource of this type, or with expressions, is not read true}]"},
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
		case target.Silent > 0:
			parts = append(parts, fmt.Sprintf("%d without a mention", target.Silent))
		case len(target.Unread) > 0:
			parts = append(parts, fmt.Sprintf("unread %v", target.Unread))
		case target.IsContainer():
			parts = append(parts, fmt.Sprintf("container %s, line %d", name, target.LineOf(-1)))
		default:
			parts = append(parts, fmt.Sprintf("collection %s %d, line %d", name, len(target.collection.indexes), target.LineOf(0)))
		}
	}
	return strings.Join(parts, "; ")
}

// TestProse: a page holds no policies, and its mentions have their lines.
func TestProse(t *testing.T) {
	for _, tt := range []struct{ why, text, want string }{
		{"a command", "# A\nexpireAfterSeconds\n```js\n\ndb.logs.createIndex({t: 1}, {expireAfterSeconds: 1})\n```\n", "unread [{2 expireAfterSeconds  false} {5 expireAfterSeconds  false}]"},
		{"a command alone", "```\ndb.logs.createIndex({t: 1}, {expireAfterSeconds: 1})\n```\n", "unread [{2 expireAfterSeconds  false}]"},
		{"az", "A\n\n   ````sh\n   az cosmosdb sql container create --name carts --ttl 60\n   ````\n", "unread [{4 --ttl  true}]"},
		{"JSON", "A\n\n```json\n{\"id\":\"a\",\"partitionKey\":{},\"defaultTtl\":5}\n```\n", "unread [{4 defaultTtl  true}]"},
		{"no mention", "# Guide\n\nA page.\n", "guide.md: no policy found in this prose"},
	} {
		dir := fixture.Files(t, map[string]string{"guide.md": tt.text})
		targets, err := FindWithSources(filepath.Join(dir, "guide.md"), nil, false)
		if got := strings.TrimPrefix(sourcesIn(targets, err, dir), dir+"/"); got != tt.want {
			t.Errorf("%s: found %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestContradictions: outside of a script, the commands about one index or one option must
// agree, because it is not known which of them run. In a script they run in their order.
func TestContradictions(t *testing.T) {
	const one, week = "db.collection('logs').createIndex({ at: 1 }, { expireAfterSeconds: 1 });", "db.collection('logs').createIndex({ at: 1 }, { expireAfterSeconds: 604800 });"
	const else3 = "expireAfterSeconds line 3 says something else about the same index or collection, and which of the two counts is not known false"
	const else1 = "expireAfterSeconds line 1 says something else about the same index or collection, and which of the two counts is not known false"
	for _, tt := range []struct{ why, text, want string }{
		{"two branches", "if (test) " + one + "\nelse\n" + week + "\n", "unread [{1 " + else3 + "} {3 " + else1 + "}]"},
		{"twice the same", "if (test) " + week + "\nelse\n" + week + "\n", "collection logs 1, line 1"},
		{"two indexes", "async function f() {\n" + week + "\ndb.collection('logs').createIndex({ b: 1 }, { expireAfterSeconds: 5 });\n}\n", "collection logs 2, line 2"},
		{"two databases", "f(client.db('a').collection('logs').createIndex({ at: 1 }, { expireAfterSeconds: 1 }));\nf(client.db('b').collection('logs').createIndex({ at: 1 }, { expireAfterSeconds: 2 }));\n", "collection a.logs 1, line 1; collection b.logs 1, line 2"},
		{"collMod", "await " + week + "\n\nawait db.command({ collMod: 'logs', index: { name: 'at_1', expireAfterSeconds: 5 } });\n", "unread [{1 " + else3 + "} {3 " + else1 + "}]"},
		{"a migration", "up: " + week + "\n\ndown: db.collection('logs').dropIndex('at_1');\n", "unread [{1 " + else3 + "}]"},
		{"one name for two keys", "f(" + week + ");\n\ndb.collection('logs').createIndex({ b: 1 }, { name: 'at_1', expireAfterSeconds: 604800 });\n", "unread [{1 " + else3 + "} {3 " + else1 + "}]"},
		{"an option", "f(db.createCollection('w', {timeseries: {timeField: 't'}, expireAfterSeconds: 60}));\n\nf(db.createCollection('w', {timeseries: {timeField: 't'}, expireAfterSeconds: 70}));\n", "unread [{1 " + else3 + "} {3 " + else1 + "}]"},
		{"two schemas", "new Schema({ t: { type: Date, expires: 5 } });\n\nnew Schema({ u: { type: Date, expires: 6 } });\n", strings.ReplaceAll("unread [{1 "+else3+"} {3 "+else1+"}]", "expireAfterSeconds", "expires")},
		{"a script", "use shop\ndb.logs.createIndex({at: 1}, {expireAfterSeconds: 1})\ndb.runCommand({collMod: 'logs', index: {name: 'at_1', expireAfterSeconds: 5}})\n", "collection shop.logs 1, line 3"},
		{"a script that chooses two databases", "db = db.getSiblingDB('a');\ndb.logs.createIndex({at: 1}, {expireAfterSeconds: 1});\ndb = db.getSiblingDB('b');\ndb.logs.createIndex({at: 1}, {expireAfterSeconds: 2});\n", "collection a.logs 1, line 2; collection b.logs 1, line 4"},
	} {
		dir := fixture.Files(t, map[string]string{"a.js": tt.text})
		targets, err := FindWithSources(dir, nil, false)
		if got := sourcesIn(targets, err, dir); got != tt.want {
			t.Errorf("%s: found %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestSilentFiles: a program that mentions no time to live is an error for commands that
// need a policy, but not for an audit. A file of any other kind is an error.
func TestSilentFiles(t *testing.T) {
	for name, text := range map[string]string{"user.js": "const a = 5;\n", "user.php": "<?php\n", "user.rs": "fn main() {}\n", "User.cs": "class A {}\n", "dns.tf": "resource \"aws_route53_record\" \"d\" {\n  ttl = 5\n}\n", "empty.py": ""} {
		path := filepath.Join(fixture.Files(t, map[string]string{name: text}), name)
		targets, err := FindWithSources(path, nil, false)
		if err != nil || len(targets) != 1 || targets[0].Silent != 1 {
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

// TestPrograms: in none of these programs does the text show which delay the server gets. No
// policy is read from them, and the mention of each is found with its line. The delay of a
// component of a span, such as timedelta(days=30).seconds, is 0.
func TestPrograms(t *testing.T) {
	for name, text := range map[string]string{
		"default-parameter.js":    "function make(db, ttl = 604800) {\n  db.collection('logs').createIndex({ at: 1 }, { expireAfterSeconds: ttl }); // HERE\n}\nmake(db, 1);\n",
		"class-field.ts":          "class Logs {\n  ttl = 604800;\n  constructor(o: object) { Object.assign(this, o); }\n  up() { return db.collection('logs').createIndex({ at: 1 }, { expireAfterSeconds: this.ttl }); } // HERE\n}\n",
		"pointer.go":              "package x\n\nvar ttl int32 = 604800\n\nfunc init() { p := &ttl; *p = 1 }\n\nvar o = options.Index().SetExpireAfterSeconds(ttl) // HERE\n",
		"default-name.js":         "function make(name = 'logs') {\n  db.collection(name).createIndex({ at: 1 }, { expireAfterSeconds: 604800 }); // HERE\n}\nmake('sessions');\n",
		"default-parameter.kt":    "fun make(ttl: Long = 604800) {\n  logs.createIndex(Indexes.ascending(\"at\"), IndexOptions().expireAfter(ttl, TimeUnit.SECONDS)) // HERE\n}\n",
		"default-parameter.cs":    "void Make(int ttl = 604800) {\n  logs.Indexes.CreateOne(new CreateIndexModel<Log>(keys, new CreateIndexOptions { ExpireAfter = TimeSpan.FromSeconds(ttl) })); // HERE\n}\n",
		"default-parameter.php":   "<?php\nfunction make($c, $ttl = 604800) {\n  $c->createIndex(['at' => 1], ['expireAfterSeconds' => $ttl]); // HERE\n}\n",
		"computed-key.js":         "const field = process.env.FIELD;\ndb.collection('logs').createIndex({ [field]: 1 }, { expireAfterSeconds: 60 }); // HERE\n",
		"changed-options.js":      "const options = load();\noptions['expireAfterSeconds'] = 1; // HERE\ndb.collection('logs').createIndex({ at: 1 }, options);\n",
		"component.py":            "from datetime import timedelta\ndb.sessions.create_index(\"at\", expireAfterSeconds=timedelta(days=30).seconds) # HERE\n",
		"component-container.py":  "database.create_container(id=\"c\", partition_key=key,\n    default_ttl=timedelta(days=7).seconds) # HERE\n",
		"component.cs":            "var p = new ContainerProperties(\"c\", \"/p\")\n{ DefaultTimeToLive = TimeSpan.FromDays(5).Seconds }; // HERE\n",
		"component-of-builder.cs": "database.DefineContainer(\"c\", \"/p\")\n  .WithDefaultTimeToLive(TimeSpan.FromMilliseconds(900)); // HERE\n",
		"mongoid.rb":              "class Log\n  include Mongoid::Document\n  index({ at: 1 }, { expire_after_seconds: 1.week }) # HERE\nend\n",
		"mongoid-number.rb":       "class Log\n  index({ at: 1 }, { expire_after_seconds: 60 }) # HERE\nend\n",
		"driver.rb":               "client[:logs].indexes.create_one({ at: 1 }, expire_after: 60) # HERE\n",
		"one-object.go":           "package x\n\nvar p = azcosmos.ContainerProperties{\n\tDefaultTimeToLive: to.Ptr(int32(3600)), // HERE\n}\n",
		"arrow.scala":             "val command = Document(\"createIndexes\" -> \"logs\",\n  \"expireAfterSeconds\" -> 604800) // HERE\n",
		"to.kt":                   "val index = Document(mapOf(\"key\" to key,\n  \"expireAfterSeconds\" to 604800)) // HERE\n",
		"map.js":                  "const index = new Map([[\"key\", key],\n  [\"expireAfterSeconds\", 604800]]); // HERE\n",
		"macro.c":                 "#include <bson/bson.h>\nBSON_APPEND_INT32 (&opts, \"expireAfterSeconds\", 604800); // HERE\n",
		"terraform.tfvars":        "# seconds\nttl = 86400000 # HERE\n",
		"main.tf":                 "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = 3600 # HERE\n}\n",
		"main.bicep":              "resource c 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2023-11-15' = {\n  properties: { resource: { id: 'c', defaultTtl: 3600 } } // HERE\n}\n",
		"deploy.sh":               "az cosmosdb sql container update --name c \\\n  --ttl 3600 # HERE\n",
		"deploy.ps1":              "New-AzCosmosDBSqlContainer -Name c -DatabaseName d `\n  -TtlInSeconds 0 # HERE\n",
	} {
		dir := fixture.Files(t, map[string]string{name: text})
		targets, err := FindWithSources(dir, nil, false)
		want := 1 + strings.Count(text[:strings.Index(text, "HERE")], "\n")
		if err != nil || len(targets) != 1 || len(targets[0].Unread) != 1 || targets[0].Unread[0].Line != want {
			t.Errorf("%s: found %s, want a mention in line %d", name, sourcesIn(targets, err, dir), want)
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
		for _, m := range mentionsIn(string(text)) {
			if m.at <= at || m.at > len(text) || !strings.HasPrefix(m.path, "/") {
				t.Fatalf("%q: %+v behind %d", text, m, at)
			}
			at = m.at
		}
	})
}
