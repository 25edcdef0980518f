package program

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// now is 2026-11-20T00:00:00Z.
const now = policy.Instant(1_795_132_800_000)

// lines returns a line of text for each policy of a file, with its line number, its
// names, and its index or container; and a line for each unread mention of a time to
// live.
func lines(f File) (list []string) {
	for _, p := range f.Policies {
		name := strings.Trim(p.Database+"."+p.Name, ".")
		if p.Container.Kind() == policy.Object {
			list = append(list, fmt.Sprintf("%d %s container %s", p.Line, name, relaxed(p.Container)))
			continue
		}
		if !p.Options.IsMissing() {
			list = append(list, fmt.Sprintf("%d %s options %s", p.Line, name, relaxed(p.Options)))
		}
		for _, x := range p.Steps {
			if x.Change != nil {
				list = append(list, fmt.Sprintf("%d %s change %s", x.Line, name, relaxed(policy.ObjectValue(x.Change))))
				continue
			}
			list = append(list, fmt.Sprintf("%d %s index %s", x.Line, name, relaxed(x.Index)))
		}
	}
	for _, u := range f.Unread {
		list = append(list, fmt.Sprintf("%d %s: %s", u.Line, u.Word, u.Why))
	}
	return list
}

// relaxed writes a value without the types of its numbers.
func relaxed(v policy.Value) string {
	text := v.String()
	for _, kind := range []string{"Int", "Long", "Double"} {
		for {
			before, rest, found := strings.Cut(text, `{"$number`+kind+`":"`)
			if !found {
				break
			}
			number, after, _ := strings.Cut(rest, `"}`)
			text = before + number + after
		}
	}
	return text
}

// TestRead: the policies that are read in each language, and the definitions that are
// refused.
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		why, file, text string
		want            []string
	}{
		{"statements of Go alone", "a.go", "model := mongo.IndexModel{\n\tKeys:    bson.D{{Key: \"at\", Value: 1}},\n\tOptions: options.Index().SetExpireAfterSeconds(60),\n}\n_ = model\n",
			[]string{`1  index {"key":{"at":1},"expireAfterSeconds":60}`}},
		{"declarations of Go alone", "a.go", "var model = mongo.IndexModel{Keys: bson.D{{\"at\", 1}}, Options: options.Index().SetExpireAfterSeconds(60)}\n",
			[]string{`1  index {"key":{"at":1},"expireAfterSeconds":60}`}},
		{"a script of the shell", "init-mongo.js", "db = db.getSiblingDB('shop');\ndb.logs.createIndex({at: 1}, {expireAfterSeconds: 60});\ndb.sessions.createIndex(\n  {seen: 1},\n  {expireAfterSeconds: 60 * 30}\n);\ndb.users.createIndex({email: 1}, {unique: true});\n",
			[]string{`2 shop.logs index {"key":{"at":1},"expireAfterSeconds":60}`, `3 shop.sessions index {"key":{"seen":1},"expireAfterSeconds":1800}`}},
		{"changes in order", "init.js", "db.logs.createIndex({at: 1}, {expireAfterSeconds: 60});\ndb.runCommand({collMod: 'logs', index: {keyPattern: {at: 1}, expireAfterSeconds: 5}});\ndb.logs.dropIndex('at_1');\ndb.runCommand({collMod: 'mails', index: {name: 'ttl', expireAfterSeconds: 5}});\ndb.runCommand({collMod: 'wind', expireAfterSeconds: 5});\ndb.runCommand({collMod: 'rain', index: {name: 'x', hidden: true}});\n",
			[]string{`1 logs index {"key":{"at":1},"expireAfterSeconds":60}`, `2 logs change {"collMod":"logs","index":{"keyPattern":{"at":1},"expireAfterSeconds":5}}`, `3 logs change {"dropIndexes":true,"index":"at_1"}`,
				"4 expireAfterSeconds: collMod names an index that is not made here, so that its key is not known", "5 expireAfterSeconds: collMod changes a collection that is not created here"}},
		{"a migration and its way back", "m.py", "class M(Migration):\n    def upgrade(self):\n        self.db['logs'].create_index('at', expireAfterSeconds=60)\n    def downgrade(self):\n        self.db['logs'].drop_index('at_1')\n        self.db['logs'].create_index('at', expireAfterSeconds=5)\n",
			[]string{`3 logs index {"key":{"at":1},"expireAfterSeconds":60}`, `5 logs change {"dropIndexes":true,"index":"at_1"}`, `6 logs index {"key":{"at":1},"expireAfterSeconds":5}`}},
		{"collMod in Go", "db.go", "package db\n\nvar c = bson.D{{\"collMod\", \"logs\"}, {\"index\", bson.D{{\"keyPattern\", bson.D{{\"at\", 1}}}, {\"expireAfterSeconds\", 60}}}}\nvar d = bson.D{{Key: \"collMod\", Value: \"mails\"}, {Key: \"index\", Value: bson.M{\"keyPattern\": bson.M{\"at\": 1}, \"expireAfterSeconds\": 5}}}\n",
			[]string{`3 logs change {"collMod":"logs","index":{"keyPattern":{"at":1},"expireAfterSeconds":60}}`, `4 mails change {"collMod":"mails","index":{"keyPattern":{"at":1},"expireAfterSeconds":5}}`}},
		{"collMod in PHP", "db.php", "<?php\n$db->command(['collMod' => 'logs', 'index' => ['keyPattern' => ['at' => 1], 'expireAfterSeconds' => 60]]);\n",
			[]string{`2 logs change {"collMod":"logs","index":{"keyPattern":{"at":1},"expireAfterSeconds":60}}`}},
		{"collMod in Ruby", "db.rb", "client.database.command(collMod: 'logs', index: { keyPattern: { at: 1 }, expireAfterSeconds: 60 })\n",
			[]string{`1 logs change {"collMod":"logs","index":{"keyPattern":{"at":1},"expireAfterSeconds":60}}`}},
		{"time-series collections", "init.js", "use weather\ndb.createCollection('wind', {timeseries: {timeField: 't'}, expireAfterSeconds: 86400})\ndb.createCollection('rain', {timeseries: {timeField: 't'}, expireAfterSeconds: 3600})",
			[]string{`2 weather.wind options {"timeseries":{"timeField":"t"},"expireAfterSeconds":86400}`, `3 weather.rain options {"timeseries":{"timeField":"t"},"expireAfterSeconds":3600}`}},
		{"Node's driver with constants", "db.ts", "const DAY = 24 * 60 * 60;\nconst TTL: number = 7 * DAY;\nexport async function up(db: Db) {\n  await db.collection('tokens').createIndex({ createdAt: 1 }, { expireAfterSeconds: TTL });\n  await db.collection('mails').createIndexes([{ key: { sentAt: 1 }, expireAfterSeconds: DAY }]);\n}\n",
			[]string{`4 tokens index {"key":{"createdAt":1},"expireAfterSeconds":604800}`, `5 mails index {"key":{"sentAt":1},"expireAfterSeconds":86400}`}},
		{"an option from the environment", "db.js", "db.logs.createIndex({ at: 1 }, { expireAfterSeconds: Number(process.env.TTL) });",
			[]string{`1 expireAfterSeconds: expireAfterSeconds is "Number(process.env.TTL)", which is not evaluated here; write the value itself`}},
		{"schemas of mongoose", "models.js", "const a = new Schema({ at: { type: Date, expires: '1h' } });\nconst b = new mongoose.Schema({ at: Date });\nb.index({ at: 1 }, { expireAfterSeconds: 5 });\nconst c = new Schema({ seen: { type: Date, expires: 60 * 60 } }, { timestamps: true });\n",
			[]string{`1  index {"key":{"at":1},"expireAfterSeconds":3600}`, `3  index {"key":{"at":1},"expireAfterSeconds":5}`, `4  index {"key":{"seen":1},"expireAfterSeconds":3600}`}},
		{"a misplaced parenthesis", "model.js", "const s = new Schema({ createdAt: Date });\ns.index({ createdAt: 1 }), { expireAfterSeconds: 60 };\n",
			[]string{`2 expireAfterSeconds: it stands behind the parenthesis of index(…), so that the index is made without it`}},
		{"a token of another kind beside a schema", "auth.js", "const s = new Schema({ name: String });\nconst token = jwt.sign({}, key, { expiresIn: '1d' });\nres.cookie('a', 'b', { expires: new Date() });\n", nil},
		{"NestJS", "log.schema.ts", "@Schema({ timestamps: true })\nexport class Log {\n  @Prop({ type: Date, expires: 3600 })\n  createdAt: Date;\n\n  @Prop({ type: Date, expires: ttl })\n  seenAt?: Date;\n}\n",
			[]string{`3  index {"key":{"createdAt":1},"expireAfterSeconds":3600}`, `6 expires: its value is ttl, which is not evaluated here`}},
		{"typegoose and MikroORM", "log.ts", "@index({ createdAt: 1 }, { expireAfterSeconds: 60 })\nclass A {}\n@Index({ properties: ['seen'], options: { expireAfterSeconds: 90 } })\nclass B {\n  @Index({ options: { expireAfterSeconds: 30 } })\n  at!: Date;\n}\n",
			[]string{`1  index {"key":{"createdAt":1},"expireAfterSeconds":60}`, `3  index {"key":{"seen":1},"expireAfterSeconds":90}`, `5  index {"key":{"at":1},"expireAfterSeconds":30}`}},
		{"the type of an option", "types.ts", "interface IndexOptions { expireAfterSeconds?: number; unique: boolean }\nif (x.expireAfterSeconds === 5) log(x.expireAfterSeconds);\n", nil},

		{"pymongo", "db.py", "TTL = timedelta(days=7)\ndb.logs.create_index(\"at\", expireAfterSeconds=3600)  # an hour\ndb['tokens'].create_index([(\"at\", pymongo.ASCENDING)], expireAfterSeconds=int(TTL.total_seconds()))\n# db.x.create_index('at', expireAfterSeconds=5)\nawait coll.create_indexes([IndexModel([('seen', 1)], expireAfterSeconds=60 * 60 * 24)])\n",
			[]string{`2 logs index {"key":{"at":1},"expireAfterSeconds":3600}`, `3 tokens index {"key":{"at":1},"expireAfterSeconds":604800}`, `5  index {"key":{"seen":1},"expireAfterSeconds":86400}`}},
		{"MongoEngine", "models.py", "class Page(Document):\n    meta = {\n        'indexes': [\n            {'fields': ['created'], 'expireAfterSeconds': 3600}\n        ]\n    }\n# mongoengine\n",
			[]string{`4  index {"key":{"created":1},"expireAfterSeconds":3600}`}},
		{"Azure's SDK for Python", "cosmos.py", "database.create_container_if_not_exists(id=\"carts\", partition_key=PartitionKey(path=\"/id\"), default_ttl=3600)\ndatabase.create_container(id=\"logs\", partition_key=p, default_ttl=settings.ttl)\n# azure.cosmos\n",
			[]string{`1 carts container {"id":"carts","defaultTtl":3600}`, `2 default_ttl: its value is settings.ttl, which is not evaluated here`}},

		{"Go", "db.go", "package db\n\nconst day = 24 * time.Hour\n\nfunc f(db *mongo.Database) {\n\tmodel := mongo.IndexModel{\n\t\tKeys:    bson.D{{Key: \"at\", Value: 1}},\n\t\tOptions: options.Index().SetExpireAfterSeconds(int32((7 * day).Seconds())),\n\t}\n\tdb.Collection(\"logs\").Indexes().CreateOne(ctx, model)\n\tdb.Collection(\"tokens\").Indexes().CreateOne(ctx, mongo.IndexModel{Keys: bson.M{\"at\": -1}, Options: options.Index().SetExpireAfterSeconds(60)})\n\topts := options.Index().SetExpireAfterSeconds(ttl)\n}\n",
			[]string{`6 logs index {"key":{"at":1},"expireAfterSeconds":604800}`, `11 tokens index {"key":{"at":-1},"expireAfterSeconds":60}`, `12 SetExpireAfterSeconds: its value is ttl, which is not evaluated here`}},
		{"Go, two functions with variables of the same names", "db.go", "package db\n\nfunc a(db *mongo.Database) {\n\to := options.Index().SetExpireAfterSeconds(60)\n\tm := mongo.IndexModel{Keys: bson.M{\"at\": 1}, Options: o}\n\tdb.Collection(\"logs\").Indexes().CreateOne(ctx, m)\n}\n\nfunc b(db *mongo.Database) {\n\to := options.Index().SetExpireAfterSeconds(5)\n\tm := mongo.IndexModel{Keys: bson.M{\"seen\": 1}, Options: o}\n\tdb.Collection(\"mails\").Indexes().CreateOne(ctx, m)\n}\n\nfunc c(db *mongo.Database) {\n\tm := mongo.IndexModel{Keys: bson.M{\"at\": 1}, Options: options.Index().SetExpireAfterSeconds(7)}\n\tdb.Collection(\"tokens\").Indexes().CreateOne(ctx, m)\n\tm = mongo.IndexModel{Keys: bson.M{\"seen\": 1}, Options: options.Index().SetExpireAfterSeconds(8)}\n\tdb.Collection(\"carts\").Indexes().CreateOne(ctx, m)\n}\n",
			[]string{`4  index {"key":{"at":1},"expireAfterSeconds":60}`, `10  index {"key":{"seen":1},"expireAfterSeconds":5}`, `16 tokens index {"key":{"at":1},"expireAfterSeconds":7}`, `18 carts index {"key":{"seen":1},"expireAfterSeconds":8}`}},
		{"Go, options set in no function", "db.go", "package db\n\nvar o = options.Index().SetExpireAfterSeconds(60)\n\nfunc a() { use(mongo.IndexModel{Keys: bson.M{\"at\": 1}, Options: o}) }\n\nfunc b() { use(mongo.IndexModel{Keys: bson.M{\"seen\": 1}, Options: o}) }\n",
			[]string{`3 SetExpireAfterSeconds: the key of its index is not read`}},
		{"mgo and Azure's SDK for Go", "db.go", "package db\n\nvar i = mgo.Index{Key: []string{\"-at\"}, ExpireAfter: 2 * time.Hour}\nvar p = azcosmos.ContainerProperties{ID: \"carts\", DefaultTimeToLive: to.Ptr(int32(60 * 60))}\n",
			[]string{`3  index {"key":{"at":-1},"expireAfterSeconds":7200}`, `4 carts container {"id":"carts","defaultTtl":3600}`}},

		{"Spring Data", "Token.java", "@Document(collection = \"tokens\")\npublic class Token {\n  @Indexed(name = \"ttl\", expireAfterSeconds = 60 * 60)\n  private Date createdAt;\n  @Field(\"seen_at\")\n  @Indexed(expireAfter = \"10d\")\n  private Instant seenAt;\n  @Indexed(expireAfter = \"#{@ttl}\")\n  private Instant other;\n  @Indexed(unique = true) private String name;\n}\n",
			[]string{`3 tokens index {"key":{"createdAt":1},"expireAfterSeconds":3600}`, `6 tokens index {"key":{"seen_at":1},"expireAfterSeconds":864000}`, `8 expireAfter: its value is "#{@ttl}", which is not evaluated here`}},
		{"Java's driver", "Db.java", "MongoCollection<Document> logs = db.getCollection(\"logs\");\nlogs.createIndex(Indexes.ascending(\"at\"), new IndexOptions().expireAfter(30L, TimeUnit.DAYS).name(\"x\"));\nIndexOptions o = new IndexOptions().expireAfter(60L, TimeUnit.SECONDS);\ndb.getCollection(\"mails\").createIndex(new Document(\"at\", 1), o);\n",
			[]string{`2 logs index {"key":{"at":1},"expireAfterSeconds":2592000,"name":"x"}`, `4 mails index {"key":{"at":1},"expireAfterSeconds":60}`}},
		{"Spring's template, in Kotlin", "Config.kt", "// mongo\nmongoTemplate.indexOps(\"logs\").ensureIndex(Index().on(\"at\", Sort.Direction.ASC).expire(Duration.ofDays(2)))\nclass A { @Indexed(expireAfterSeconds = 5) val at: Instant }\n",
			[]string{`2 logs index {"key":{"at":1},"expireAfterSeconds":172800}`, `3  index {"key":{"at":1},"expireAfterSeconds":5}`}},
		{"Azure's SDK for Java", "Cosmos.java", "CosmosContainerProperties p = new CosmosContainerProperties(\"carts\", \"/id\");\np.setDefaultTimeToLiveInSeconds(3600);\n",
			[]string{`2 carts container {"id":"carts","defaultTtl":3600}`}},

		{"C#", "Db.cs", "var logs = database.GetCollection<Log>(\"logs\");\nvar options = new CreateIndexOptions { ExpireAfter = TimeSpan.FromDays(7) };\nlogs.Indexes.CreateOne(new CreateIndexModel<Log>(Builders<Log>.IndexKeys.Ascending(x => x.CreatedAt), options));\nawait logs.Indexes.CreateOneAsync(Builders<Log>.IndexKeys.Descending(\"seen\"), new CreateIndexOptions { ExpireAfter = new TimeSpan(0, 30, 0) });\n// MongoDB\n",
			[]string{`3 logs index {"key":{"CreatedAt":1},"expireAfterSeconds":604800}`, `4 logs index {"key":{"seen":-1},"expireAfterSeconds":1800}`}},
		{"an option that is left out", "A.cs", "// MongoDB\nrecord A(TimeSpan? ExpireAfter = null);\n", nil},
		{"a name that is not known", "main.bicep", "param n string\nresource c 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15' = {\n  properties: { resource: { id: n, defaultTtl: 5 } }\n}\n", []string{`3  container {"defaultTtl":5}`}},
		{"Azure's SDK for .NET", "Cosmos.cs", "var p = new ContainerProperties(\"carts\", \"/id\") { DefaultTimeToLive = 60 * 60 };\nvar q = new ContainerProperties { Id = \"logs\", DefaultTimeToLive = -1, AnalyticalStoreTimeToLiveInSeconds = -1 };\n// Cosmos\n",
			[]string{`1 carts container {"id":"carts","defaultTtl":3600}`, `2 logs container {"id":"logs","defaultTtl":-1,"analyticalStorageTtl":-1}`}},

		{"PHP", "db.php", "<?php\n$collection = $client->shop->logs;\n$collection->createIndex(['at' => 1], ['expireAfterSeconds' => 3600]);\n$client->selectCollection('shop', 'tokens')->createIndex(array('at' => -1), array('expireAfterSeconds' => 60 * 60));\n#[ODM\\Document(collection: 'mails')]\n#[ODM\\Index(keys: ['sentAt' => 'asc'], expireAfterSeconds: 60)]\nclass Mail {}\n",
			[]string{`3 shop.logs index {"key":{"at":1},"expireAfterSeconds":3600}`, `4 shop.tokens index {"key":{"at":-1},"expireAfterSeconds":3600}`, `6 mails index {"key":{"sentAt":1},"expireAfterSeconds":60}`}},
		{"Mongoid and Ruby's driver", "log.rb", "class Log\n  include Mongoid::Document\n  store_in collection: \"logs\"\n  index({ created_at: 1 }, { expire_after_seconds: 1.week })\n  index({ seen: 1 }, expire_after_seconds: TTL)\nend\nclient[:tokens].indexes.create_one({ at: 1 }, expire_after: 3600)\n",
			[]string{`4 logs index {"key":{"created_at":1},"expireAfterSeconds":604800}`, `7 tokens index {"key":{"at":1},"expireAfterSeconds":3600}`, `5 expire_after_seconds: its value is TTL, which is not evaluated here`}},

		{"Terraform without its reader", "main.tf", "resource \"azurerm_cosmosdb_mongo_collection\" \"c\" {\n  default_ttl_seconds = 777\n}\n", []string{`2 default_ttl_seconds: its form is not known here`}},

		{"Bicep", "main.bicep", "param ttl int = 3600\nparam other int\nvar lists = [\n  { name: 'carts', ttl: 60 }\n  { name: 'logs', ttl: ttl }\n]\nresource c 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15' = [for l in lists: {\n  name: l.name\n  properties: {\n    resource: {\n      id: l.name\n      defaultTtl: l.ttl\n    }\n  }\n}]\nresource m 'Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections@2024-05-15' = {\n  name: 'acc/db/tokens'\n  properties: {\n    resource: {\n      indexes: [\n        { key: { keys: ['_id'] } }\n        { key: { keys: ['_ts'] }, options: { expireAfterSeconds: 777 } }\n      ]\n    }\n  }\n}\nresource d 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15' = {\n  properties: { resource: { id: 'd', defaultTtl: other } }\n}\nmodule x 'br/public:cosmos:1' = {\n  params: { defaultTtl: 5 }\n}\n",
			[]string{`12 carts container {"id":"carts","defaultTtl":60}`, `12 logs container {"id":"logs","defaultTtl":3600}`, `22 tokens index {"key":{"_ts":1},"expireAfterSeconds":777}`,
				`28 defaultTtl: defaultTtl is not a value that is evaluated here`, `31 defaultTtl: it stands in no resource of a container or a collection`}},

		{"the az tool", "deploy.sh", "az cosmosdb sql container create \\\n  --account-name a --database-name shop \\\n  --name carts --ttl 3600\naz cosmosdb sql container update -a a -d shop -n logs --ttl \"$TTL\"\n# az cosmosdb sql container create -n x --ttl 5\naz cosmosdb mongodb collection create -a a -d shop -n tokens --idx '[{\"key\": {\"keys\": [\"_ts\"]}, \"options\": {\"expireAfterSeconds\": 777}}]'\nmongosh --eval 'db.mails.createIndex({at: 1}, {expireAfterSeconds: 5})'\n",
			[]string{`1 shop.carts container {"id":"carts","defaultTtl":3600}`, `6 shop.tokens index {"key":{"_ts":1},"expireAfterSeconds":777}`, `7 mails index {"key":{"at":1},"expireAfterSeconds":5}`, `4 --ttl: its value is $TTL, which is not evaluated here`}},
		{"PowerShell", "deploy.ps1", "New-AzCosmosDBSqlContainer -AccountName a `\n  -DatabaseName shop -Name carts -TtlInSeconds 3600\n", []string{`1 shop.carts container {"id":"carts","defaultTtl":3600}`}},
	} {
		got := lines(Read(tt.file, tt.text, now))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", tt.why, strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
		}
	}
}

// TestGoByTokens: the build for browsers has no parser of Go, and reads the usual forms by
// their tokens.
func TestGoByTokens(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"m := mongo.IndexModel{\n\tKeys: bson.D{{Key: \"at\", Value: 1}},\n\tOptions: options.Index().SetExpireAfterSeconds(60),\n}\n", `1  index {"key":{"at":1},"expireAfterSeconds":60}`},
		{"m := mongo.IndexModel{Keys: bson.D{{\"at\", -1}}, Options: options.Index().SetExpireAfterSeconds(60)}\n", `1  index {"key":{"at":-1},"expireAfterSeconds":60}`},
		{"m := mongo.IndexModel{Keys: bson.M{\"at\": 1}, Options: options.Index().SetExpireAfterSeconds(60)}\n", `1  index {"key":{"at":1},"expireAfterSeconds":60}`},
		{"m := mongo.IndexModel{Keys: bson.D{{Key: \"text\", Value: 1}, {Key: \"b\", Value: \"2dsphere\"}}, Options: options.Index().SetExpireAfterSeconds(60)}\n",
			`1  index {"key":{"text":1,"b":"2dsphere"},"expireAfterSeconds":60}`},
		{"m := mongo.IndexModel{Keys: bson.D{{Key: \"at\", Value: up}}, Options: options.Index().SetExpireAfterSeconds(60)}\n", "1 SetExpireAfterSeconds: the key of its index is not read"},
	} {
		b := &Builder{Text: tt.text, now: now, isSource: true, thousands: map[int64]bool{}}
		b.readTokens(cLexis)
		if got := strings.Join(lines(b.file()), "; "); got != tt.want {
			t.Errorf("%s\t%s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestReadIsBounded: a short text whose values would grow large, and a deeply nested
// text, are read within bounds.
func TestReadIsBounded(t *testing.T) {
	sums := "package p\n\nvar m = mongo.IndexModel{Options: options.Index().SetExpireAfterSeconds(a60)}\n\nconst a0 = 1\n"
	products := "const a0 = 7;\n"
	for i := range 60 {
		sums += fmt.Sprintf("const a%d = a%d * a%d\n", i+1, i, i)
		products += fmt.Sprintf("const a%d = a%d + a%d;\n", i+1, i, i)
	}
	products += "db.c.createIndex({at: 1}, {expireAfterSeconds: a60});\n"
	for _, tt := range []struct{ file, text string }{
		{"main.go", sums},
		{"main.js", products},
		{"main.js", strings.Repeat("expireAfterSeconds: {", 40_000)},
		{"main.java", "mongo " + strings.Repeat("createIndex(expireAfter(", 40_000)},
		{"main.rb", "mongo " + strings.Repeat("index({a: 1}, expire_after_seconds: x) ", 20_000)},
		{"main.cs", "mongo " + strings.Repeat("a.ExpireAfter = b; ", 50_000)},
		{"main.bicep", strings.Repeat("var a = [a, a]\n", 10_000) + "resource c 'x/sqlDatabases/containers@1' = {\n properties: { resource: { defaultTtl: a } }\n}\n"},
		{"main.sh", strings.Repeat("az cosmosdb sql container create --ttl ", 20_000)},
	} {
		f := Read(tt.file, tt.text, now)
		if len(f.Unread) == 0 {
			t.Errorf("%s %.40q: nothing is refused", tt.file, tt.text)
		}
	}
}

// TestReadIsFlat: brackets, operators and words in a row take no more than 4 MiB of stack. More
// would end the process.
func TestReadIsFlat(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(4 << 20))
	const n = 40_000
	forms := map[string]string{
		"main.js": "db.collection('c').createIndex({at: 1}, {expireAfterSeconds: %s});\n", "main.py": "db.c.create_index('at', expireAfterSeconds=%s)\n", "main.kt": "IndexOptions().expireAfter(%s, TimeUnit.SECONDS)\n",
		"main.php": "<?php $c->createIndex(['a' => 1], ['expireAfterSeconds' => %s]);\n", "main.rb": "index({ a: 1 }, { expire_after_seconds: %s })\n", "main.rs": "IndexOptions::builder().expire_after(%s)\n", "main.sh": "az cosmosdb sql container create --ttl %s\n",
		"main.go":    "package p\nvar i = mongo.IndexModel{Keys: bson.D{{\"at\", 1}}, Options: options.Index().SetExpireAfterSeconds(%s)}\n",
		"main.bicep": "var v = %s\nresource c 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2023-04-15' = {\n  name: 'c'\n  properties: { resource: { id: 'c', defaultTtl: v } }\n}\n",
	}
	parts := []string{"[", "(", "{a:", "-", "!", "1+", "a?1:", "a.", "a[0].", "f(", "a=>", "new ", "[]", "*", "<-", "func(){", "${", "`${", "not ", "await ", "@", "::", "<", "if a {} else "}
	for file, form := range forms {
		for _, part := range parts {
			Read(file, fmt.Sprintf(form, strings.Repeat(part, n/len(part))+"1"), now) // it returns, without an overflow of the stack
		}
	}
}

// FuzzRead: no file makes the package panic, lines are within the file, and every policy
// that is read can be written.
func FuzzRead(f *testing.F) {
	names := []string{"a.js", "a.py", "a.go", "a.java", "a.php", "a.rb", "a.tf", "a.bicep", "a.sh", "a", "a.rs", "a.yaml", "a.cs", "a.prisma"}
	for i, seed := range []string{
		"db.c.createIndex({at: 1}, {expireAfterSeconds: 60 * T})", "c.create_index('at', expireAfterSeconds=timedelta(days=1))",
		"package p\nvar m = mongo.IndexModel{Keys: bson.D{{\"a\", 1}}, Options: options.Index().SetExpireAfterSeconds(5)}",
		"@Indexed(expireAfterSeconds = 5) private Date at;", "$c->createIndex(['a' => 1], ['expireAfterSeconds' => 5]);", "index({ a: 1 }, { expire_after_seconds: 1.day })",
		"resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = 5\n}", "resource c 'x/sqlDatabases/containers@1' = {\n properties: { resource: { defaultTtl: 5 } }\n}",
		"az cosmosdb sql container create --ttl 5", "new CreateIndexModel<T>(Builders<T>.IndexKeys.Ascending(x => x.A), new CreateIndexOptions { ExpireAfter = TimeSpan.FromDays(7) })",
		"", "IndexModel::builder().keys(doc! {\"a\": 1}).options(IndexOptions::builder().expire_after(Duration::from_secs(5)).build())", "indexes:\n- key: {a: 1}\n  expireAfterSeconds: 5",
		"b.ToContainer(\"a\").HasDefaultTimeToLive(5)", "@expireAfterSeconds(5)",
	} {
		f.Add(uint8(i), seed)
	}
	for _, seed := range []string{
		"variable \"v\" {\n  type = object({ a = optional(number, 5), b = optional(list(object({ c = optional(string) })), []) })\n  default = \"x\"\n}\nresource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = try(var.v.b[0].c, lookup(var.v, \"a\", null))\n}",
	} {
		f.Add(uint8(6), seed)
	}
	f.Add(uint8(4), "<?php /** @ODM\\Index(keys={\"a\"=\"asc\"}, expireAfterSeconds=5) */ #[ODM\\Index(expireAfterSeconds: 5)] $c->expire('a', 5);")
	f.Add(uint8(0), "async function down(db) {\n db.c.createIndex({a: 1}, {expireAfterSeconds: 9})\n db.c.dropIndex('b_1')\n db.runCommand({collMod: 'c', index: {name: 'a_1', expireAfterSeconds: 5}})\n}")
	f.Fuzz(func(t *testing.T, name uint8, text string) {
		file := Read(names[int(name)%len(names)], text, now)
		last := strings.Count(text, "\n") + 1
		for _, p := range file.Policies {
			if p.Line < 1 || p.Line > last {
				t.Fatalf("line %d of %d", p.Line, last)
			}
			for _, x := range p.Steps {
				written := x.Index
				if written.IsMissing() {
					written = policy.ObjectValue(x.Change)
				}
				if _, err := policy.ParseExtJSON([]byte(written.String())); err != nil || x.Line < 1 || x.Line > last {
					t.Fatalf("line %d, %s: %v", x.Line, x.Index, err)
				}
			}
		}
		for _, u := range file.Unread {
			if u.Line < 1 || u.Line > last || u.Word == "" {
				t.Fatalf("%+v of %d lines", u, last)
			}
		}
	})
}

// TestLongTexts: messages repeat only a part of a file's text, and a text that is too long
// for a name is not a name.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("9*", 100_000) + "x"
	f := Read("main.go", "package p\n\nvar m = mongo.IndexModel{Options: options.Index().SetExpireAfterSeconds("+long+")}\n", now)
	if len(f.Unread) != 1 || len(f.Unread[0].Why) > maxWhy+10 {
		t.Errorf("unread: %d, %.400v, want one of at most %d bytes", len(f.Unread), f.Unread, maxWhy)
	}
	f = Read("main.js", "db.getCollection('"+strings.Repeat("x", 10_000)+"').createIndex({at: 1}, {expireAfterSeconds: 5})", now)
	if len(f.Policies) != 1 || f.Policies[0].Name != "" {
		t.Errorf("policies: %.300v, want one without a name", f.Policies)
	}
}
