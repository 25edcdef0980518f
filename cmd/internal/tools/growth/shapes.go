//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A shape is hostile input, in the sizes n and 2n.
type shape struct {
	name string
	n    int
	// make writes files of size n and returns the arguments of the tool.
	make func(w *world, n int) []string
}

// limited are the shapes whose size the tool limits to 2n: patterns and fields of a
// policy file, indexes of a collection, and collections of an archive that are migrated.
var limited = []string{"migrate-archive", "policy-indexes", "policy-keys-unknown", "policy-patterns-long"}

// A world is a folder for the files of a shape.
type world struct {
	ttl, dir string
	err      error // the first of writing
}

func (w *world) write(name string, content []byte) string {
	path := filepath.Join(w.dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if w.err == nil {
		w.err = err
	}
	return path
}

const now = "2026-11-20T00:00:00Z"

func shapes() []shape {
	return []shape{
		{"archive-forecast", 1000, func(w *world, n int) []string { return []string{"forecast", "--now", now, w.archive(n)} }},
		{"archive-audit", 400, func(w *world, n int) []string { return []string{"audit", "--now", now, w.archive(n)} }},
		{"archive-audit-old", 200, func(w *world, n int) []string {
			return []string{"audit", "--now", now, "--server", "2.4.0", w.archive(n)}
		}},
		{"archive-audit-moving", 200, func(w *world, n int) []string {
			return []string{"audit", "--now", now, "--moving-to", "9.0.0", w.archive(n)}
		}},
		{"archive-plan", 200, func(w *world, n int) []string {
			return []string{"plan", "--now", now, w.write("p.yaml", rules(`{namespace: "*", key: at, expireAfterSeconds: 20}`, 1)), w.archive(n)}
		}},
		{"archive-plan-init", 400, func(w *world, n int) []string { return []string{"plan", "init", w.archive(n)} }},
		{"archive-ns", 400, func(w *world, n int) []string {
			return []string{"forecast", "--now", now, "--ns", "shop.*c" + strings.Repeat("*", 50), w.archive(n)}
		}},
		{"archive-part", 400, func(w *world, n int) []string {
			return []string{"forecast", "--format", "part", "--now", now, w.archive(n)}
		}},
		{"archive-pass-ends", 400, func(w *world, n int) []string {
			return []string{"audit", "--now", now, "--server", "2.4.0", w.archiveOf(n, strings.Replace(anIndex, `"options":{}`, `"options":{"capped":true,"size":4096}`, 1))}
		}},
		{"tar-forecast", 500, func(w *world, n int) []string { return []string{"forecast", "--now", now, w.tar(n)} }},
		{"tar-audit", 200, func(w *world, n int) []string { return []string{"audit", "--now", now, w.tar(n)} }},
		{"folder-forecast", 200, func(w *world, n int) []string { return []string{"forecast", "--now", now, w.folder(n)} }},
		{"folder-audit", 400, func(w *world, n int) []string { return []string{"audit", "--now", now, w.folder(n)} }},
		{"listing-collections", 500, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("l.json", []byte(`{"cursor":{"id":0,"ns":"shop.$cmd.listCollections","firstBatch":[`+many(n, `{"name":"c#","type":"collection","options":{}}`)+`]}}`))}
		}},
		{"listing-indexes", 400, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.listing(n, `"key":{"at":1},"expireAfterSeconds":5`)}
		}},
		{"listing-lines", 400, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("l.json", []byte(strings.ReplaceAll(many(n, `{"v":2,"key":{"a#":1},"name":"a#","ns":"shop.c#","expireAfterSeconds":5}`), "},{", "}\n{")))}
		}},
		{"listing-shell", 200, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("l.txt", []byte(`[`+many(n, `{v: 2, key: {a#: 1}, name: 'a#', expireAfterSeconds: 5}`)+`]`))}
		}},
		{"indexes-audit", 20, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.indexes(n, `"key":{"f#":1},"expireAfterSeconds":5`)}
		}},
		{"indexes-on-one-field", 10, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.indexes(n, `"key":{"at":1},"expireAfterSeconds":5,"partialFilterExpression":{"a":#}`)}
		}},
		{"indexes-faulty", 10, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.indexes(n, `"key":{"f#":1},"expireAfterSeconds":{"$numberDouble":"NaN"}`)}
		}},
		{"indexes-plan", 10, func(w *world, n int) []string {
			return []string{"plan", "--now", now, w.write("p.yaml", rules(`{namespace: "*", key: at, expireAfterSeconds: 20}`, 1)), w.indexes(n, `"key":{"f#":1},"expireAfterSeconds":5`)}
		}},
		{"indexes-too-many", 2000, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.metadata(many(n, `{"v":2,"key":{"f#":1},"name":"f#","expireAfterSeconds":5}`))}
		}},
		{"indexes-forecast", 60, func(w *world, n int) []string {
			w.metadata(many(n, `{"v":2,"key":{"f#":1},"name":"f#","expireAfterSeconds":5}`))
			return []string{"forecast", "--now", now, w.write("m.bson", bytes.Repeat(bson(`{"_id":1,"f1":{"$date":"2026-11-01T00:00:00Z"}}`), 100))}
		}},
		{"filter-predicates", 4000, func(w *world, n int) []string { return w.filter(`{"a":{` + many(n, `"$gt":#`) + `}}`) }},
		{"filter-or", 2000, func(w *world, n int) []string { return w.filter(`{"$or":[` + many(n, `{"a":#}`) + `]}`) }},
		{"filter-or-fields", 500, func(w *world, n int) []string { return w.filter(`{"$or":[` + many(n, `{"f#":#}`) + `]}`) }},
		{"filter-in-numbers", 4000, func(w *world, n int) []string { return w.filter(`{"a":{"$in":[` + many(n, `#`) + `]}}`) }},
		{"filter-in-texts", 4000, func(w *world, n int) []string { return w.filter(`{"a":{"$in":[` + many(n, `"x#"`) + `]}}`) }},
		{"filter-in-objects", 2000, func(w *world, n int) []string { return w.filter(`{"a":{"$in":[` + many(n, `{"x":#}`) + `]}}`) }},
		{"filter-in-arrays", 2000, func(w *world, n int) []string { return w.filter(`{"a":{"$in":[` + many(n, `[#]`) + `]}}`) }},
		{"filter-in-dates", 2000, func(w *world, n int) []string {
			return w.filter(`{"a":{"$in":[` + many(n, `{"$date":{"$numberLong":"#"}}`) + `]}}`)
		}},
		{"filter-in-decimals", 1000, func(w *world, n int) []string {
			return w.filter(`{"a":{"$in":[` + many(n, `{"$numberDecimal":"#E-6000"}`) + `]}}`)
		}},
		{"filter-in-binaries", 1000, func(w *world, n int) []string {
			return w.filter(`{"a":{"$in":[` + many(n, `{"$uuid":"00000000-0000-0000-0000-0000000@"}`) + `]}}`)
		}},
		{"filter-in-ids", 1000, func(w *world, n int) []string {
			return w.filter(`{"a":{"$in":[` + many(n, `{"$oid":"0000000000000000000@"}`) + `]}}`)
		}},
		{"filter-in-regexes", 1000, func(w *world, n int) []string {
			return w.in(n, `{"$regularExpression":{"pattern":"x#","options":"i"}}`)
		}},
		{"filter-in-nulls", 4000, func(w *world, n int) []string { return w.in(n, `null`) }},
		{"filter-in-booleans", 4000, func(w *world, n int) []string { return w.in(n, `true,false`) }},
		{"filter-in-timestamps", 1000, func(w *world, n int) []string { return w.in(n, `{"$timestamp":{"t":#,"i":1}}`) }},
		{"filter-in-longs", 2000, func(w *world, n int) []string { return w.in(n, `{"$numberLong":"#"}`) }},
		{"filter-in-doubles", 2000, func(w *world, n int) []string { return w.in(n, `{"$numberDouble":"#.5"}`) }},
		{"filter-in-keys", 2000, func(w *world, n int) []string { return w.in(n, `{"$minKey":1},{"$maxKey":1}`) }},
		{"filter-in-code", 1000, func(w *world, n int) []string { return w.in(n, `{"$code":"x#"},{"$code":"x#","$scope":{"a":#}}`) }},
		{"filter-in-symbols", 2000, func(w *world, n int) []string { return w.in(n, `{"$symbol":"x#"}`) }},
		{"filter-in-undefined", 2000, func(w *world, n int) []string { return w.in(n, `{"$undefined":true}`) }},
		{"filter-in-pointers", 1000, func(w *world, n int) []string {
			return w.in(n, `{"$dbPointer":{"$ref":"x#","$id":{"$oid":"00000000000000000000000a"}}}`)
		}},
		{"filter-depth", 20, func(w *world, n int) []string {
			return w.filter(strings.Repeat(`{"$and":[`, n) + `{"a":1}` + strings.Repeat(`]}`, n))
		}},
		{"filter-path", 10_000, func(w *world, n int) []string { return w.filter(`{"` + strings.Repeat("a.", n) + `b":1}`) }},
		{"filter-moving", 2000, func(w *world, n int) []string {
			return append(w.filter(`{`+many(n, `"a.f#":null`)+`}`), "--server", "8.0.4", "--moving-to", "9.0.0")
		}},
		{"policy-rules", 1000, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", rules(`{namespace: shop.c#, key: at, expireAfterSeconds: 20}`, n))}
		}},
		{"policy-rules-missing", 500, func(w *world, n int) []string {
			return []string{"plan", "--now", now, w.write("p.yaml", rules(`{namespace: shop.d#, key: at, expireAfterSeconds: 20}`, n)), w.archive(1)}
		}},
		{"policy-rules-of-archive", 300, func(w *world, n int) []string {
			return []string{"plan", "--now", now, w.write("p.yaml", rules(`{namespace: shop.c#, key: at, expireAfterSeconds: 20}`, n)), w.archive(n)}
		}},
		{"policy-indexes", 50, func(w *world, n int) []string {
			return []string{"plan", "--now", now, "--namespace", "shop.m", w.write("p.yaml", rules(`{namespace: shop.m, indexes: [`+many(n, `{key: f#, expireAfterSeconds: 20}`)+`]}`, 1)), w.metadata("")}
		}},
		{"policy-patterns", 400, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", rules(`{namespace: "shop.c#*", key: at, expireAfterSeconds: 20}`, n))}
		}},
		{"policy-patterns-long", 500, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", rules(`{namespace: "`+strings.Repeat("*a", 20)+`#", key: at, expireAfterSeconds: 20}`, n))}
		}},
		{"policy-pattern-long", 2000, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", []byte(string(rules(`{namespace: "`+strings.Repeat("*a", n)+`", key: at, expireAfterSeconds: 20}`, 1))+
				`  - {namespace: "`+strings.Repeat("a", n)+`", key: at, expireAfterSeconds: 20}`+"\n"))}
		}},
		{"policy-keys-unknown", 499, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", []byte("version: 1\n"+strings.ReplaceAll(many(n, "k#: 1"), ",", "\n")+"\n"))}
		}},
		{"policy-keys-many-rules", 1000, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", rules(`{namespace: shop.c#, kex: at, keyy: 1, expireAfterSecond: 20}`, n))}
		}},
		{"policy-filter", 400, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", rules(`{namespace: shop.c, key: at, expireAfterSeconds: 20, partialFilterExpression: {`+many(n, "f#: 1")+`}}`, 1))}
		}},
		{"policy-filter-list", 4000, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", rules(`{namespace: shop.c, key: at, expireAfterSeconds: 20, partialFilterExpression: {a: {$in: [`+many(n, "#")+`]}}}`, 1))}
		}},
		{"policy-depth", 2000, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", []byte("version: 1\nrules: "+strings.Repeat("[", n)+"\n"))}
		}},
		{"policy-aliases", 500, func(w *world, n int) []string {
			return []string{"plan", w.write("p.yaml", []byte("version: 1\nx: &a {b: 1}\nrules: ["+many(n, "*a")+"]\n"))}
		}},
		{"parts-inputs", 200, func(w *world, n int) []string { return []string{"forecast", "merge", w.parts(n, "c#.bson")} }},
		{"parts-of-one-collection", 200, func(w *world, n int) []string { return []string{"forecast", "merge", w.parts(n, "x#.jsonl")} }},
		{"by-values", 1500, func(w *world, n int) []string {
			return []string{"forecast", "--now", now, "--by", "tenant", "--index", `{"at":1}`, "--expire-after", "30d", w.values(n)}
		}},
		{"by-values-part", 2000, func(w *world, n int) []string {
			return []string{"forecast", "--format", "part", "--now", now, "--by", "tenant", "--index", `{"at":1}`, "--expire-after", "30d", w.values(n)}
		}},
		{"by-values-audit", 2000, func(w *world, n int) []string {
			return []string{"audit", "--now", now, "--documents", w.values(n), w.metadata(`{"v":2,"key":{"AT":1},"name":"AT_1","expireAfterSeconds":5}`)}
		}},
		{"candidates-fields", 500, func(w *world, n int) []string {
			return []string{"audit", "--now", now, "--candidates", "--documents", w.write("d.jsonl", []byte(`{`+many(n, `"f#":{"$date":"2026-01-01T00:00:00Z"}`)+"}\n"+`{`+many(n, `"f#":{"$date":"2026-11-19T00:00:00Z"}`)+"}\n")), w.metadata("")}
		}},
		{"containers", 500, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("c.json", []byte(`[`+many(n, `{"id":"c#","partitionKey":{"paths":["/p"],"kind":"Hash"},"defaultTtl":3600000}`)+`]`))}
		}},
		{"template-resources", 300, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("t.json", []byte(`{"$schema":"x","parameters":{`+many(n, `"p#":{"type":"int","defaultValue":#}`)+`},"resources":[`+
				many(n, `{"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers","properties":{"resource":{"id":"c#","defaultTtl":"[parameters('p#')]"}}}`)+`]}`))}
		}},
		{"template-variables", 300, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("t.json", []byte(`{"$schema":"x","variables":{"v":1,`+many(n, `"v#":"[variables('v')]"`)+`},"resources":[`+
				many(n, `{"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers","properties":{"resource":{"id":"c#","defaultTtl":"[variables('v#')]"}}}`)+`]}`))}
		}},
		{"program-javascript", 300, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("a.js", lines(n, `db.collection("c#").createIndex({at: 1}, {expireAfterSeconds: 5});`))}
		}},
		{"program-python", 300, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("a.py", lines(n, `db.c#.create_index("at", expireAfterSeconds=5)`))}
		}},
		{"program-go", 300, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("a.go", append([]byte("package p\n"), lines(n, `var i# = mongo.IndexModel{Keys: bson.D{{"at", 1}}, Options: options.Index().SetExpireAfterSeconds(5)}`)...))}
		}},
		{"program-terraform", 300, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("a.tf", []byte(strings.ReplaceAll(many(n, aContainer("#")), "\n,", "\n")))}
		}},
		{"program-bicep", 300, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("a.bicep", lines(n, `var v# = #`+"\n"+`resource c# 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@@2023-04-15' = {`+"\n  properties: {\n    resource: {\n      id: 'c#'\n      defaultTtl: v#\n    }\n  }\n}"))}
		}},
		{"program-unread", 1000, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("a.ts", lines(n, `const o# = {expireAfterSeconds: x#};`))}
		}},
		{"program-brackets", 4000, func(w *world, n int) []string {
			return []string{"audit", "--now", now, w.write("a.js", []byte("x.createIndex("+strings.Repeat("{a:[", n)))}
		}},
		{"program-java", 300, func(w *world, n int) []string {
			return w.program("A.java", n, `db.getCollection("c#").createIndex(Indexes.ascending("at"), new IndexOptions().expireAfter(5L, TimeUnit.DAYS));`)
		}},
		{"program-java-fields", 300, func(w *world, n int) []string {
			return w.program("A.java", n, "@@Document(collection = \"c#\")\npublic class C# {\n  @@Indexed(expireAfterSeconds = 5)\n  private Date at;\n}")
		}},
		{"program-kotlin", 300, func(w *world, n int) []string {
			return w.program("a.kt", n, `mongoTemplate.indexOps("c#").ensureIndex(Index().on("at", Sort.Direction.ASC).expire(Duration.ofDays(2)))`)
		}},
		{"program-csharp", 300, func(w *world, n int) []string {
			return w.program("a.cs", n, `var o# = new CreateIndexOptions { ExpireAfter = TimeSpan.FromDays(7) };`+"\n"+
				`database.GetCollection<Log>("c#").Indexes.CreateOne(new CreateIndexModel<Log>(Builders<Log>.IndexKeys.Ascending("at"), o#));`)
		}},
		{"program-csharp-chain", 300, func(w *world, n int) []string {
			return w.program("a.cs", 1, `db.DefineContainer("logs", "/id")`+strings.Repeat(`.WithPath("x")`, n)+`.WithDefaultTimeToLive(TimeSpan.FromDays(7)).CreateAsync();`)
		}},
		{"program-php", 300, func(w *world, n int) []string {
			return w.program("a.php", n, `<?php $client->shop->c#->createIndex(['at' => 1], ['expireAfterSeconds' => 60]); ?>`)
		}},
		{"program-php-variables", 300, func(w *world, n int) []string {
			return w.program("a.php", n, `<?php $v# = $client->shop->c#; $v#->createIndex(['at' => 1], ['expireAfterSeconds' => 60]); ?>`)
		}},
		{"program-ruby", 300, func(w *world, n int) []string {
			return w.program("a.rb", n, `client[:c#].indexes.create_one({ at: 1 }, expire_after: 3600)`)
		}},
		{"program-ruby-classes", 300, func(w *world, n int) []string {
			return w.program("a.rb", n, `class C#`+"\n  include Mongoid::Document\n  index({ at: 1 }, { expire_after_seconds: 1.week })\nend")
		}},
		{"program-shell", 300, func(w *world, n int) []string {
			return w.program("a.sh", n, `az cosmosdb sql container create -a a -d shop -n c# --ttl 3600`+"\n"+`mongosh --eval 'db.c#.createIndex({at: 1}, {expireAfterSeconds: 5})'`)
		}},
		{"program-powershell", 300, func(w *world, n int) []string {
			return w.program("a.ps1", n, `New-AzCosmosDBSqlContainer -AccountName a -DatabaseName shop -Name c# -TtlInSeconds 3600`)
		}},
		{"program-rust", 300, func(w *world, n int) []string {
			return w.program("a.rs", n, `let m# = IndexModel::builder().keys(doc! { "at": 1 }).options(IndexOptions::builder().expire_after(Duration::from_secs(5)).build()).build();`)
		}},
		{"program-chain", 2000, func(w *world, n int) []string {
			return w.program("a.js", 1, `db.collection("c")`+strings.Repeat(`.a()`, n)+`.createIndex({at: 1}, {expireAfterSeconds: 5});`)
		}},
		{"program-chain-of-variables", 300, func(w *world, n int) []string {
			return w.program("a.js", 1, "const v0 = 5;\n"+chain(n, "const v%d = v%d;\n")+fmt.Sprintf("db.c.createIndex({at: 1}, {expireAfterSeconds: v%d});", n))
		}},
		{"program-chain-of-sums", 1000, func(w *world, n int) []string {
			return w.program("a.js", 1, `db.c.createIndex({at: 1}, {expireAfterSeconds: 1`+strings.Repeat(` * 1`, n)+`});`)
		}},
		{"program-chain-go", 1000, func(w *world, n int) []string {
			return w.program("a.go", 1, "package p\nvar i = mongo.IndexModel{Keys: bson.D{{\"at\", 1}}, Options: options.Index()"+strings.Repeat(`.SetName("x")`, n)+".SetExpireAfterSeconds(1"+strings.Repeat(" + 1", n)+")}")
		}},
		{"terraform-chain", 200, func(w *world, n int) []string {
			return w.program("a.tf", 1, "locals {\n v0 = 5\n"+chain(n, "v%d = local.v%d + 1\n")+"}\n"+aContainer(fmt.Sprint("local.v", n)))
		}},
		{"terraform-operators", 100, func(w *world, n int) []string {
			return w.program("a.tf", 1, aContainer("1"+strings.Repeat(" + 1", n)))
		}},
		{"terraform-signs", 100, func(w *world, n int) []string { return w.program("a.tf", 1, aContainer(strings.Repeat("-", n)+"1")) }},
		{"terraform-files", 50, func(w *world, n int) []string {
			for i := range n {
				w.write(fmt.Sprintf("f/a%d.tf", i), []byte(strings.ReplaceAll(`variable "v#" { default = # }`+"\n"+aContainer("var.v#"), "#", fmt.Sprint(i))))
			}
			return []string{"audit", "--now", now, filepath.Join(w.dir, "f")}
		}},
		{"terraform-modules", 50, func(w *world, n int) []string {
			for i := range n {
				w.write(fmt.Sprintf("f/m%d/main.tf", i), []byte(`variable "ttl" {}`+"\n"+aContainer("var.ttl")))
			}
			w.write("f/main.tf", lines(n, "module \"m#\" {\n  source = \"./m#\"\n  ttl = #\n}"))
			return []string{"audit", "--now", now, filepath.Join(w.dir, "f")}
		}},
		{"terraform-module-calls", 50, func(w *world, n int) []string {
			w.write("f/m/main.tf", []byte(`variable "ttl" {}`+"\n"+strings.Repeat(aContainer("var.ttl"), n)))
			w.write("f/main.tf", lines(n, "module \"m#\" {\n  source = \"./m\"\n  ttl = #\n}"))
			return []string{"audit", "--now", now, filepath.Join(w.dir, "f")}
		}},
		{"folder-links", 200, func(w *world, n int) []string {
			dir := w.folder(n)
			for i := range n {
				if err := os.Symlink("shop", filepath.Join(dir, fmt.Sprint("link", i))); w.err == nil {
					w.err = err
				}
			}
			return []string{"audit", "--now", now, dir}
		}},
		{"explain-fields", 2000, func(w *world, n int) []string {
			return []string{"explain", "--now", now, "--index", `{"at":1}`, "--expire-after", "10", w.write("d.json", []byte(`{`+many(n, `"f#":{"$date":"2026-01-01T00:00:00Z"}`)+`}`))}
		}},
		{"explain-array", 2000, func(w *world, n int) []string {
			return []string{"explain", "--now", now, "--index", `{"at":1}`, "--expire-after", "10", w.write("d.json", []byte(`{"at":[`+many(n, `{"$date":{"$numberLong":"1790000000#"}}`)+`]}`))}
		}},
		{"explain-arrays", 300, func(w *world, n int) []string {
			return []string{"explain", "--now", now, "--why", "--index", `{"a.b.at":1}`, "--expire-after", "10", w.write("d.json", []byte(`{"a":[`+many(n, `{"b":[{"at":#},{"at":{"$date":"2026-01-01T00:00:00Z"}}]}`)+`]}`))}
		}},
		{"explain-indexes", 30, func(w *world, n int) []string {
			return []string{"explain", "--now", now, "--why", "--metadata", w.metadata(many(n, `{"v":2,"key":{"f#":1},"name":"f#","expireAfterSeconds":5}`)), w.write("d.json", []byte(`{`+many(n, `"f#":{"$date":"2026-01-01T00:00:00Z"}`)+`}`))}
		}},
		{"explain-id", 1000, func(w *world, n int) []string {
			return []string{"explain", "--now", now, "--id", "5", "--index", `{"at":1}`, "--expire-after", "30d", w.values(n)}
		}},
		{"migrate-archive", 250, func(w *world, n int) []string {
			return []string{"migrate", "--to", "cosmos-nosql", "--now", now, w.archive(n)}
		}},
		{"migrate-values", 500, func(w *world, n int) []string {
			return []string{"migrate", "--to", "cosmos-nosql", "--now", now, "--index", `{"at":1}`, "--expire-after", "30d", "--force", "--out", filepath.Join(w.dir, "out.jsonl"), w.values(n)}
		}},
		{"migrate-fields", 2000, func(w *world, n int) []string {
			return []string{"migrate", "--to", "cosmos-nosql", "--now", now, "--index", `{"at":1}`, "--expire-after", "30d", "--force", "--out", filepath.Join(w.dir, "out.jsonl"),
				w.write("d.jsonl", []byte(`{"_id":1,`+many(n, `"f#":[#]`)+"}\n"))}
		}},
		{"migrate-filter", 500, func(w *world, n int) []string {
			return []string{"migrate", "--to", "cosmos-nosql", "--now", now, "--index", `{"at":1}`, "--expire-after", "30d", "--partial", `{"a":{"$in":[` + many(n, "#") + `]}}`, w.values(n)}
		}},
		{"migrate-back", 500, func(w *world, n int) []string {
			return []string{"migrate", "--to", "mongodb", "--now", now, "--container", `{"defaultTtl":3600}`, "--force", "--out", filepath.Join(w.dir, "out.jsonl"),
				w.write("i.jsonl", lines(n, `{"id":"i#","_ts":1790000000,"ttl":1#}`))}
		}},
		{"rejudge", 10_000, func(w *world, n int) []string {
			return []string{"conform", "rejudge", w.write("r.json", []byte(`{"format":"1.0","implementation":{"protocol":1,"name":"x","version":"1","ops":["mongodb.decide"],"systems":{"mongodb":"8.0.4"}},"checks":[`+
				many(n, `{"id":"i#","rev":1,"in":"#","target":{"system":"mongodb","version":"8.0.4"},"level":"must","outcome":"pass","answer":{"out":{"state":"never"}},"rules":["mongo.date"]}`)+`]}`))}
		}},
		{"rejudge-known", 10_000, func(w *world, n int) []string {
			return []string{"conform", "rejudge", w.write("r.json", []byte(`{"format":"1.0","implementation":{"protocol":1,"name":"x","version":"1","ops":["mongodb.decide"],"systems":{"mongodb":"8.0.4"}},"known":[`+
				many(n, `{"id":"i#","reason":"x"}`)+`],"checks":[]}`))}
		}},
		{"plan-days", 200, func(w *world, n int) []string {
			return []string{"plan", "--now", now, "--max-deletes-per-day", "10", "--namespace", "shop.m", "--documents", w.write("d.jsonl", lines(n, `{"_id":#,"at":{"$date":{"$numberLong":"179@00000"}}}`)),
				w.write("p.yaml", rules(`{namespace: shop.m, key: at, expireAfterSeconds: 20}`, 1)), w.metadata(`{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":2000000000}`)}
		}},
		{"plan-days-apart", 200, func(w *world, n int) []string {
			return []string{"plan", "--now", now, "--max-deletes-per-day", "10", "--namespace", "shop.m", "--documents", w.write("d.jsonl", lines(n, `{"_id":#,"at":{"$date":{"$numberLong":"1@0000000"}}}`)),
				w.write("p.yaml", rules(`{namespace: shop.m, key: at, expireAfterSeconds: 20}`, 1)), w.metadata(`{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":2000000000}`)}
		}},
		{"baseline", 300, func(w *world, n int) []string {
			metadata := w.listing(n, `"key":{"at":1},"expireAfterSeconds":{"$numberDouble":"NaN"}`)
			return []string{"audit", "--now", now, "--baseline", w.write("b.json", []byte(`{"version":1,"findings":[`+many(n, `{"namespace":"shop.c#","index":"i","rule":"mongo.nan-zero","severity":"deletes","count":1}`)+`]}`)), metadata}
		}},
	}
}

// many returns text n times with commas between. In it # stands for how many came before,
// @ for the same in five digits, and @@ for @.
func many(n int, text string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.NewReplacer("@@", "@", "#", fmt.Sprint(i), "@", fmt.Sprintf("%05d", i)).Replace(text))
	}
	return b.String()
}

// lines is many with an end of line behind each.
func lines(n int, text string) []byte {
	return []byte(strings.ReplaceAll(strings.TrimSuffix(many(n, text+"\x00"), "\x00"), "\x00,", "\n") + "\n")
}

// chain returns text for each number up to n, with the number and the one before.
func chain(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, text, i+1, i)
	}
	return b.String()
}

// rules returns a policy file with a rule n times.
func rules(rule string, n int) []byte {
	return []byte("version: 1\nrules:\n  - " + strings.ReplaceAll(strings.TrimSuffix(many(n, rule+"\x00"), "\x00"), "\x00,", "\n  - ") + "\n")
}

func bson(text string) []byte {
	v, err := policy.ParseExtJSON([]byte(text))
	if err != nil {
		panic(err)
	}
	b, err := policy.AppendBSON(nil, v)
	if err != nil {
		panic(err)
	}
	return b
}

// anIndex is the metadata of a collection with a TTL index.
const anIndex = `{"options":{},"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":10}]}`

var aDocument = bson(`{"_id":1,"at":{"$date":"2026-11-19T00:00:00Z"}}`)

// archive writes an archive of n collections with a document each.
func (w *world) archive(n int) string { return w.archiveOf(n, anIndex) }

func (w *world) archiveOf(n int, metadata string) string {
	list := make([]dumptest.Collection, n)
	for i := range list {
		list[i] = dumptest.Collection{Name: fmt.Sprint("c", i), Metadata: metadata, Blocks: [][]byte{aDocument}}
	}
	return w.write("a.archive", dumptest.Archive("8.0.4", list...))
}

// tar writes a tar file of n collections, with all metadata behind the documents.
func (w *world) tar(n int) string {
	var out bytes.Buffer
	t := tar.NewWriter(&out)
	add := func(name string, content []byte) {
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content))}); err != nil {
			panic(err)
		}
		t.Write(content)
	}
	for i := range n {
		add(fmt.Sprintf("dump/shop/c%d.bson", i), aDocument)
	}
	for i := range n {
		add(fmt.Sprintf("dump/shop/c%d.metadata.json", i), []byte(anIndex))
	}
	t.Close()
	return w.write("t.tar", out.Bytes())
}

func (w *world) folder(n int) string {
	for i := range n {
		w.write(fmt.Sprintf("dump/shop/c%d.bson", i), aDocument)
		w.write(fmt.Sprintf("dump/shop/c%d.metadata.json", i), []byte(anIndex))
	}
	return filepath.Join(w.dir, "dump")
}

// indexes writes the listings of n collections, each with as many indexes as a server
// allows.
func (w *world) indexes(n int, index string) string {
	var all []string
	for i := range n {
		all = append(all, many(64, fmt.Sprintf(`{"v":2,"name":"i#","ns":"shop.c%d",%s}`, i, index)))
	}
	return w.write("l.json", []byte("["+strings.Join(all, ",")+"]"))
}

// listing writes the listings of n collections with one index each.
func (w *world) listing(n int, index string) string {
	return w.write("l.json", []byte(`[`+many(n, `{"v":1,"name":"i","ns":"shop.c#",`+index+`}`)+`]`))
}

func (w *world) metadata(indexes string) string {
	return w.write("m.metadata.json", []byte(`{"options":{},"indexes":[`+indexes+`],"collectionName":"m"}`))
}

func (w *world) filter(filter string) []string {
	return []string{"audit", "--now", now, w.metadata(`{"v":2,"key":{"t":1},"name":"t","expireAfterSeconds":10,"partialFilterExpression":` + filter + `}`)}
}

// in audits a filter of a list in which element stands n times.
func (w *world) in(n int, element string) []string {
	return w.filter(`{"a":{"$in":[` + many(n, element) + `]}}`)
}

// program audits a program of n lines.
func (w *world) program(name string, n int, line string) []string {
	return []string{"audit", "--now", now, w.write(name, append(lines(n, line), "// mongo, cosmos\n"...))}
}

// aContainer is a container of Terraform.
func aContainer(ttl string) string {
	return "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  name = \"c\"\n  default_ttl = " + ttl + "\n}\n"
}

// values writes n documents, each with its own value and with a field in its own
// spelling.
func (w *world) values(n int) string {
	return w.write("d.jsonl", []byte(strings.ReplaceAll(many(n, `{"_id":#,"at":{"$date":"2026-11-01T00:00:00Z"},"tenant":"t#","f#":1}`), "},{\"_id", "}\n{\"_id")))
}

// parts writes n parts of one input each: copies of the part of one file, with another
// number for each #.
func (w *world) parts(n int, name string) string {
	input := w.write(strings.Replace(name, "#", "NUMBER", 1), aDocument)
	if strings.HasSuffix(name, ".jsonl") {
		w.write(filepath.Base(input), []byte(`{"_id":1,"at":{"$date":"2026-11-19T00:00:00Z"}}`+"\n"))
	}
	return w.write("parts.json", []byte(strings.ReplaceAll(many(n, strings.ReplaceAll(w.part(input), "NUMBER", "#")), "\n,", "\n")))
}

// part returns the part that the tool makes from an input.
func (w *world) part(input string) string {
	out, err := exec.Command(w.ttl, "forecast", "--format", "part", "--now", now, "--index", `{"at":1}`, "--expire-after", "10", input).Output()
	if w.err == nil {
		w.err = err
	}
	return string(out)
}
