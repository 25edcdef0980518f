package program

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestReadForms: the forms in which public programs and templates define policies are
// read. Forms that cannot be read are reported with their line.
func TestReadForms(t *testing.T) {
	for _, tt := range []struct {
		why, file, text string
		want            []string
	}{
		{"a setting in a class without a word of the service", "Settings.cs", "public class Settings {\n  public int? DefaultTimeToLive = 3600;\n}\n", []string{`2  container {"defaultTtl":3600}`}},
		{"a cache with such a setting", "Cache.cs", "var cache = new Cache { DefaultTimeToLive = 3600 };\n", nil},
		{"a container's builder of .NET", "a.cs", "await db.DefineContainer(\"logs\", \"/id\").WithDefaultTimeToLive(TimeSpan.FromDays(7)).CreateAsync();\n", []string{`1 logs container {"id":"logs","defaultTtl":604800}`}},
		{"Entity Framework, in a block", "a.cs", "modelBuilder.Entity<Token>(b =>\n{\n    b.ToContainer(\"Tokens\");\n    b.HasDefaultTimeToLive(60 * 60);\n});\n", []string{`4 Tokens container {"id":"Tokens","defaultTtl":3600}`}},
		{"Entity Framework, in a chain", "a.cs", "modelBuilder.Entity<Vote>()\n    .ToContainer(nameof(Vote))\n    .HasDefaultTimeToLive(60 * 60);\n", []string{`3 Vote container {"id":"Vote","defaultTtl":3600}`}},
		{"a command in C#", "a.cs", "var command = new BsonDocument {\n    { \"collMod\", \"wind\" },\n    { \"expireAfterSeconds\", 7200 }\n};\n", []string{"3 expireAfterSeconds: the key of its index is not read"}},
		{"Spring Data for Cosmos DB", "A.java", "// com.azure.spring.data.cosmos\n@Container(containerName = \"carts\", timeToLive = 3600)\npublic class A {}\n", []string{`2 carts container {"id":"carts","defaultTtl":3600}`}},
		{"a command in a text", "A.java", "db.runCommand(Document.parse(\"{createIndexes: 'logs', indexes: [{key: {at: 1}, name: 'x', expireAfterSeconds: 60}]}\"));\n", []string{`1 logs index {"key":{"at":1},"name":"x","expireAfterSeconds":60}`}},
		{"a text that is made of others", "A.java", "String c = \"{createIndexes: 'logs', indexes: [{key: {at: 1}, expireAfterSeconds: \" + n + \"}]}\";\n", []string{"1 expireAfterSeconds: it stands in a text that is not read"}},
		{"a sentence", "A.java", "throw new Error(\"write expireAfterSeconds: it is needed\");\n", nil},

		{"Laravel", "m.php", "<?php\nSchema::create('tokens', function (Blueprint $collection) {\n    $collection->expire('seen', 60 * 60);\n    $collection->index('at', null, null, ['expireAfterSeconds' => 5]);\n});\nSchema::connection('mongodb')->create('mails', function (Blueprint $t) {\n    $t->expire('at', now()->addYear());\n});\n$redis->expire('x', 5);\n",
			[]string{`3 tokens index {"key":{"seen":1},"expireAfterSeconds":3600}`, `4 tokens index {"key":{"at":1},"expireAfterSeconds":5}`, "7 expire: its value is now()->addYear(), which is not evaluated here"}},
		{"Doctrine in comments", "Item.php", "<?php\n/**\n * @ODM\\Document(db=\"shop\", collection=\"items\")\n * @ODM\\Indexes({\n *   @ODM\\Index(keys={\"lock\"=\"asc\"}, options={\"expireAfterSeconds\"=60*5})\n * })\n */\nclass Item {\n  /** @ODM\\Field(type=\"date\") @ODM\\Index(expireAfterSeconds=5) */\n  private $seen;\n}\n/** expireAfterSeconds: a comment */\n",
			[]string{`5 items index {"key":{"lock":1},"expireAfterSeconds":300}`, `9 items index {"key":{"seen":1},"expireAfterSeconds":5}`}},
		{"Doctrine in attributes", "Item.php", "<?php\n#[ODM\\Document(collection: 'items')]\nclass Item {\n  #[ODM\\Field(type: 'date')] #[ODM\\Index(expireAfterSeconds: 6)]\n  private ?\\DateTime $at = null;\n}\n", []string{`4 items index {"key":{"at":1},"expireAfterSeconds":6}`}},
		{"PHP's driver, with a variable", "a.php", "<?php\n$c = (new MongoDB\\Client($uri))->shop->logs;\n$c->createIndex(['at' => 1], ['expireAfterSeconds' => 60]);\n(new Client)->shop->mails->createIndex(['at' => 1], ['expireAfterSeconds' => 5]);\n$this->db->codes->createIndex(['at' => 1], ['expireAfterSeconds' => 7]);\n",
			[]string{`3 shop.logs index {"key":{"at":1},"expireAfterSeconds":60}`, `4 shop.mails index {"key":{"at":1},"expireAfterSeconds":5}`, `5 codes index {"key":{"at":1},"expireAfterSeconds":7}`}},
		{"variables of PHP", "a.php", "<?php\nclass A { public ?int $expireAfterSeconds = null;\n function f($expireAfterSeconds = 5) { $this->expireAfterSeconds = $expireAfterSeconds; } }\n", []string{"3 expireAfterSeconds: its value is $expireAfterSeconds, which is not evaluated here"}},

		{"Rust's driver", "db.rs", "async fn index<'a>(db: &'a Database) -> Result<()> {\n    let logs = db.collection::<bson::Document>(\"logs\");\n    logs.create_index(\n        IndexModel::builder()\n            .keys(doc! { \"at\": 1 })\n            .options(IndexOptions::builder().expire_after(Duration::from_secs(60 * 15)).build())\n            .build(),\n    ).await?;\n    let options = IndexOptions::builder().expire_after(Some(Duration::from_secs(5))).build();\n    let model = IndexModel::builder().keys(doc! {\"seen\": -1}).options(options).build();\n    db.collection::<User>(\"users\").create_index(model, None).await?;\n    let c = 'x'; agent.expire_after(LIMIT);\n    Ok(())\n}\n",
			[]string{`4 logs index {"key":{"at":1},"expireAfterSeconds":900}`, `10 users index {"key":{"seen":-1},"expireAfterSeconds":5}`, "12 expire_after: its value is LIMIT, which is not evaluated here"}},

		{"models of mongoose with names", "t.ts", "const s = new Schema({ at: { type: Date, expires: 3600 } });\nexport default model<IToken>('Token', s, 'tokens');\nconst m = new mongoose.Schema({ at: { type: Date, expires: '1h' } }, { collection: 'mails', timestamps: true });\nconst u = new Schema({ at: Date });\nu.index({ at: 1 }, { expireAfterSeconds: 5 });\nmongoose.model('User', u, 'users');\n",
			[]string{`1 tokens index {"key":{"at":1},"expireAfterSeconds":3600}`, `3 mails index {"key":{"at":1},"expireAfterSeconds":3600}`, `5 users index {"key":{"at":1},"expireAfterSeconds":5}`}},
		{"schemas of NestJS and MikroORM with names", "v.ts", "@Schema({ timestamps: true, collection: 'visits' })\nexport class Visit {\n  @Prop({ type: Date, expires: 60 })\n  createdAt: Date;\n}\n@Entity({ collection: 'audits' })\nexport class Audit {\n  @Index({ options: { expireAfterSeconds: 5 } })\n  @Property()\n  at!: Date;\n}\n",
			[]string{`3 visits index {"key":{"createdAt":1},"expireAfterSeconds":60}`, `8 audits index {"key":{"at":1},"expireAfterSeconds":5}`}},

		{"a constant", "idx.js", "const EXPIRE_AFTER_SECONDS = 3600;\ndb.collection(\"logs\").createIndex({at: 1}, {expireAfterSeconds: EXPIRE_AFTER_SECONDS});\n", []string{`2 logs index {"key":{"at":1},"expireAfterSeconds":3600}`}},
		{"a constant of Python", "idx.py", "EXPIRE_AFTER_SECONDS = 3600\nasync def f(db, expire_after_seconds=5):\n    await db.logs.create_index(\"at\", expireAfterSeconds=EXPIRE_AFTER_SECONDS)\n", []string{`3 logs index {"key":{"at":1},"expireAfterSeconds":3600}`}},
		{"a short form", "idx.js", "const expireAfterSeconds = 3600;\ndb.collection(\"logs\").createIndex({at: 1}, {expireAfterSeconds});\n", []string{`2 logs index {"key":{"at":1},"expireAfterSeconds":3600}`}},
		{"a short form of no constant", "idx.js", "db.collection(\"logs\").createIndex({at: 1}, {expireAfterSeconds});\n", []string{"1 expireAfterSeconds: expireAfterSeconds is expireAfterSeconds, which is not evaluated here; write the value itself"}},
		{"a short form of a container", "c.js", "const defaultTtl = 3600;\nawait containers.createIfNotExists({ id: \"carts\", partitionKey: \"/id\", defaultTtl });\n", []string{`2 carts container {"id":"carts","defaultTtl":3600}`}},
		{"options that do not decide", "idx.js", "db.logs.createIndex({at: 1}, {background: isProd, name: NAME, collation: {locale}, unique, expireAfterSeconds: 5});\n", []string{`1 logs index {"key":{"at":1},"expireAfterSeconds":5}`}},
		{"a filter that is not evaluated", "idx.js", "db.logs.createIndex({at: 1}, {partialFilterExpression: {kind: KIND}, expireAfterSeconds: 5});\n", []string{"1 expireAfterSeconds: partialFilterExpression is KIND, which is not evaluated here; write the value itself"}},
		{"a parameter", "A.java", "class A {\n  private static final int EXPIRE_AFTER_SECONDS = 3600;\n  void f(MongoCollection<Document> logs, long expireAfterSeconds) {\n    logs.createIndex(Indexes.ascending(\"at\"), new IndexOptions().expireAfter(expireAfterSeconds, TimeUnit.SECONDS));\n  }\n}\n", []string{"4 expireAfter: its value is expireAfterSeconds, which is not evaluated here"}},
		{"parameters of containers", "Outbox.cs", "// Cosmos\nsealed class Delete(Record record, int ttlInSeconds, Context context) : Operation(record, context)\n{\n  void Apply() { json.Add(\"ttl\", ttlInSeconds); Next(record, ttlInSeconds, context); }\n}\n", nil},
		{"a pattern", "a.cs", "// Cosmos\nif (settings is { DefaultTimeToLive: null or > -1 }) { throw new Exception(); }\n", nil},
		{"types, and what is taken out of others", "t.ts", "interface Options { defaultTtl: number; expireAfterSeconds?: number }\nconst { expireAfterSeconds } = options;\nfunction f(expireAfterSeconds: number, { expireAfterSeconds: seconds, mongo }: Options) { return expireAfterSeconds * 2 }\nconst g = ({ expireAfterSeconds }) => { use(expireAfterSeconds) };\n", []string{"3 expireAfterSeconds: its value is seconds, which is not evaluated here"}},
		{"caches without a word of one", "lru.ts", "const o: O = { defaultTTL: 60 * 1000 };\nclass LRU { constructor(private defaultTTL = 5000) { this.defaultTTL = defaultTTL } }\nconst defaultTimeToLive = \"30 minutes\";\n", nil},
		{"a setting of a program's own", "settings.py", "DEFAULT_TTL = 300\n\ndef get(key, ttl=DEFAULT_TTL):\n    return store.get(key, ttl, default_ttl=5)\n", nil},
		{"a value in a game", "a.cs", "private const float defaultTimeToLive = 4000.0f;\nvoid Start() { timeToLive = defaultTimeToLive; }\n", nil},
		{"a value of Go", "a.go", "package a\nconst defaultTTL = 5\nfunc f(defaultTTL int) { g(defaultTTL) }\n", nil},
		{"az rest", "deploy.sh", "U=https://management.azure.com/subscriptions/1/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/a\naz rest --method put --url \"$U/sqlDatabases/shop/containers/carts?api-version=2024-05-15&x=1\" \\\n  --body '{\"properties\": {\"resource\": {\"id\": \"carts\", \"defaultTtl\": 86400000}}}'\naz rest --method put --uri $U/mongodbDatabases/shop/collections/$NAME --body=\"{\\\"properties\\\": {\\\"resource\\\": {\\\"indexes\\\": [{\\\"key\\\": {\\\"keys\\\": [\\\"_ts\\\"]}, \\\"options\\\": {\\\"expireAfterSeconds\\\": 5}}]}}}\"\naz rest -m put -u $U/sqlDatabases/shop/containers/logs -b \"{\\\"properties\\\": {\\\"resource\\\": {\\\"defaultTtl\\\": $TTL}}}\"\naz rest -m put -u $U/sqlDatabases/shop/containers/x --body @x.json\naz rest -u https://graph.microsoft.com/v1.0/groups -b '{\"properties\": {\"resource\": {\"id\": \"x\"}}}'\n",
			[]string{`2 shop.carts container {"id":"carts","defaultTtl":86400000}`, `4 shop index {"key":{"_ts":1},"expireAfterSeconds":5}`, "5 defaultTtl: the body of its request is not written out in the script as JSON", "6 --body: the file x.json was not read: the path after @ is read only if the script was given as a file or in a folder"}},
		{"the shell's commands in a script of an image", "mongo-init.sh", "#!/bin/bash\nset -e\nmongo <<EOF\nuse ${MONGO_INITDB_DATABASE}\ndb.createUser({ user: '${NAME}', roles: [{ role: 'dbOwner', db: 'shop' }] });\ndb.codes.createIndex({ \"at\": 1 }, { expireAfterSeconds: 3600 });\nEOF\n", []string{`6 codes index {"key":{"at":1},"expireAfterSeconds":3600}`}},
		{"such commands with a database", "mongo-init.sh", "mongo -- \"$MONGO_INITDB_DATABASE\" <<- EOFMONGO\n\n    var admin = db.getSiblingDB('admin');\n    db = db.getSiblingDB('shop')\n    db.marks.createIndex( { \"seen\": 1 }, { expireAfterSeconds: 21*86400 } );\nEOFMONGO\n", []string{`5 shop.marks index {"key":{"seen":1},"expireAfterSeconds":1814400}`}},
		{"a command for a container", "run.sh", "docker run --net host mongo:4 mongo --eval 'db.gpu.createIndex({updated: 1}, {expireAfterSeconds: 30})' -u $U localhost/$NAME\n", []string{`1 gpu index {"key":{"updated":1},"expireAfterSeconds":30}`}},
		{"a request of the az tool", "run.sh", "az rest --method put --uri /x/Microsoft.DocumentDB/databaseAccounts/$A/sqlDatabases/$D/containers/$C --body '\n{ \"properties\": { \"resource\": { \"id\": \"$C\",\n  \"defaultTtl\": 86400 } } }'\n", []string{`1  container {"defaultTtl":86400}`}},
		{"an index of mongoose in a field", "m.js", "module.exports = mongoose.model('Code', mongoose.Schema({ at: { type: Date, default: Date.now, index: { expires: '120s' } } }), 'codes')\n", []string{`1 codes index {"key":{"at":1},"expireAfterSeconds":120}`}},
		{"a loop over collections", "ttl.js", "Object.entries(delays).forEach(([name, seconds]) => {\n  db[name].createIndex({ at: 1 }, { expireAfterSeconds: seconds, name: `ttl_${seconds}`, background: true });\n});\n", []string{"2 expireAfterSeconds: its value is seconds, which is not evaluated here"}},
		{"a schema of Prisma", "schema.prisma", "// expireAfterSeconds: a comment\nmodel A {\n  at DateTime @ttl(expireAfterSeconds: 60)\n}\n", []string{"3 expireAfterSeconds: its form is not known here"}},
		{"a configuration in YAML", "indexes.yaml", "indexes:\n  - key: {at: 1}\n    expireAfterSeconds: 60\nhelp: \"expireAfterSeconds: in words\"\nspec:\n  expireAfter: 720h\n", []string{"3 expireAfterSeconds: its form is not known here"}},
		{"a container in YAML", "container.yaml", "apiVersion: documentdb.azure.com/v1api20210515\nspec:\n  resource:\n    id: carts\n    defaultTtl: 3600\n", []string{"5 defaultTtl: its form is not known here"}},
		{"commands for the shell in a script", "run.sh", "mongosh --eval 'db.runCommand({collMod: \"logs\", index: {keyPattern: {at: 1}, expireAfterSeconds: 60}})'\n", []string{`1 logs change {"collMod":"logs","index":{"keyPattern":{"at":1},"expireAfterSeconds":60}}`}},
	} {
		got := lines(Read(tt.file, tt.text, now))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", tt.why, strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
		}
	}
}

// TestEveryOption: a name that is an option in some SDK is read, or reported as unread,
// in every kind of file. A name that other systems use too counts only if the file
// mentions a database.
func TestEveryOption(t *testing.T) {
	sure := []string{
		"expireAfterSeconds", "expire_after_seconds", "SetExpireAfterSeconds", "withExpireAfterSeconds", "ExpireAfterSeconds", "DefaultTimeToLiveInSeconds", "setDefaultTimeToLiveInSeconds",
		"analyticalStorageTtl", "analytical_storage_ttl", "AnalyticalStoreTimeToLiveInSeconds", "HasAnalyticalStoreTimeToLive", "default_ttl_seconds",
	}
	shared := map[string]string{ // names that other systems use too, each with a word that marks a database
		"expireAfter": "mongo", "setExpireAfter": "mongo", "ExpireAfter": "MongoDB", "expire_after": "create_index",
		"defaultTtl": "cosmos", "default_ttl": "partition_key", "DefaultTimeToLive": "Cosmos", "WithDefaultTimeToLive": "Cosmos", "HasDefaultTimeToLive": "ToContainer", "ttlInSeconds": "cosmos",
	}
	check := func(file, text string) {
		t.Helper()
		if f := Read(file, text, now); !f.Found() {
			t.Errorf("Read(%s, %q): nothing, want a policy or that the option is not read", file, text)
		}
	}
	for _, ext := range slices.Sorted(maps.Keys(extensions)) {
		for _, name := range sure {
			for _, form := range []string{" = 60\n", ": 60\n", ": limit\n"} {
				if (ext == ".tf" || ext == ".tofu" || ext == ".hcl") && form != " = 60\n" {
					continue // this form is not valid Terraform
				}
				check("a"+ext, "x {\n  "+name+form+"}\n")
			}
		}
		if l := extensions[ext]; l == terraform || l == config || l == shell || l == bicep {
			continue
		}
		for name, word := range shared {
			if ext == ".go" && (name == "expire_after" || name == "expireAfter") {
				continue // names in a driver of Go begin with capitals
			}
			check("a"+ext, "x = \""+word+"\"\ny {\n  "+name+" = 60\n}\n")
		}
	}
}
