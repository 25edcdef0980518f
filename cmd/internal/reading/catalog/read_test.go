package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const oneIndex = `{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`

// read reads policies from a text.
func read(t testing.TB, text string) []*Target {
	t.Helper()
	targets, err := Read("policies", strings.NewReader(text))
	if err != nil {
		t.Fatalf("Read(%s): %v", text, err)
	}
	return targets
}

// TestRead: every form of policies is read, and its targets have their titles.
func TestRead(t *testing.T) {
	tests := []struct{ why, text, want string }{
		{"one index", oneIndex, "collection policies 1"},
		{"getIndexes", "[\n  " + oneIndex + ",\n  " + oneIndex + "\n]", "collection policies 2"},
		{"an index a line", oneIndex + "\n" + oneIndex + "\n", "collection policies 2"},
		{"over several lines", strings.ReplaceAll(oneIndex, ",", ",\n"), "collection policies 1"},
		{"with a byte order mark", "\ufeff" + oneIndex, "collection policies 1"},
		{"a namespace of old", `[{"ns":"shop.logs","key":{"t":1},"name":"a"},{"ns":"shop.x.y","key":{"t":1},"name":"a"},{"ns":"shop.logs","key":{"u":1},"name":"b"}]`, "collection shop.logs 2, collection shop.x.y 1"},
		{"listIndexes", `{"cursor":{"id":0,"ns":"shop.logs","firstBatch":[` + oneIndex + `,` + oneIndex + `]},"ok":1}`, "collection shop.logs 2"},
		{"two replies", `{"cursor":{"id":{"$numberLong":"0"},"ns":"shop.a","firstBatch":[` + oneIndex + `]}}` + "\n" + `{"cursor":{"ns":"shop.b","firstBatch":[` + oneIndex + `]}}`, "collection shop.a 1, collection shop.b 1"},
		{"listCollections", `{"cursor":{"id":0,"ns":"shop.$cmd.listCollections","firstBatch":[{"name":"w","type":"timeseries","options":{"timeseries":{"timeField":"t"}},"info":{}}]}}`, "collection shop.w 0"},
		{"a time-series collection and its buckets", `{"cursor":{"id":0,"ns":"shop.$cmd.listCollections","firstBatch":[{"name":"w","type":"timeseries","options":{"timeseries":{"timeField":"t"}}},{"name":"system.buckets.w","type":"collection","options":{"clusteredIndex":true,"timeseries":{"timeField":"t"}}}]}}`, "collection shop.w 0"},
		{"the buckets first", `{"cursor":{"id":0,"ns":"shop.$cmd.listCollections","firstBatch":[{"name":"system.buckets.w","type":"collection","options":{"clusteredIndex":true,"timeseries":{"timeField":"t"}}},{"name":"w","type":"timeseries","options":{"timeseries":{"timeField":"t"}}}]}}`, "collection shop.w 0"},
		{"listIndexes of buckets", `{"cursor":{"id":0,"ns":"shop.system.buckets.w","firstBatch":[{"key":{"t":1},"name":"t_1"}]}}`, "collection shop.w 1"},
		{"getCollectionInfos() in the shell", `[{name: 'c', type: 'collection', options: {clusteredIndex: true, expireAfterSeconds: Long('60')}, info: {uuid: UUID('1ba4d9f3-76d7-4f0e-8bd1-3f24a2a6fd37')}}, {name: 'v', type: 'view', options: {viewOn: 'c', pipeline: [{$match: {a: /x/i}}]}},]`, "collection c 0, collection v 0"},
		{"listCollections in the shell", `{cursor: {id: Long('0'), ns: 'shop.$cmd.listCollections', firstBatch: [{name: 'w', type: 'timeseries', options: {timeseries: {timeField: 't'}}}]}, ok: 1}`, "collection shop.w 0"},
		{"a collection of listCollections", `{"name":"w","type":"collection","options":{}}`, "collection w 0"},
		{"mongodump", `{"collectionName":"logs","indexes":[` + oneIndex + `],"uuid":"x"}`, "collection logs 1"},
		{"mongodump of old", `{"options":{},"indexes":[` + oneIndex + `]}`, "collection policies 1"},
		{"a container", `{"id":"carts","defaultTtl":5}`, "container carts"},
		{"a container that is off", `{"id":"carts","indexingPolicy":{}}`, "container carts"},
		{"containers", `[{"id":"a","partitionKey":{}},{"id":"b","partitionKey":{}}]`, "container a, container b"},
		{"the REST API's list", `{"_rid":"x","DocumentCollections":[{"id":"a"},{"id":"b"}]}`, "container a, container b"},
		{"the az tool", `{"id":"/subscriptions/s/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/acc/sqlDatabases/db/containers/c","name":"c","resource":{"id":"c","defaultTtl":5},"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers"}`, "container db.c"},
		{"mongosh's own notation", "[\n  { v: 2, key: { _id: 1 }, name: '_id_' }\n]", "collection policies 1"},
		{"the shell", "use shop\ndb.logs.createIndex({t: 1}, {expireAfterSeconds: 1})\n", "collection shop.logs 1"},
		{"a command in JSON", `{"createIndexes":"logs","indexes":[` + oneIndex + `,` + oneIndex + `]}`, "collection policies 2"},
		{"pymongo", `db.logs.create_index("t", expireAfterSeconds=1)`, "collection logs 1"},
		{"mongoose", `new Schema({ t: { type: Date, expires: '1h' } })`, "collection policies:1 1"},
		{"what is not evaluated", `schema.index({t: 1}, {expireAfterSeconds: TTL})`, "policies:1: expireAfterSeconds mentions a time to live, but no policy could be read there: expireAfterSeconds is TTL, which is not evaluated here; write the value itself"},
		{"Compass", `[{"ns":"shop.logs","name":"t_1","key":{"t":1},"fields":[],"cardinality":"single","extra":{"expireAfterSeconds":1}}]`, "collection shop.logs 1"},
		{"Azure Resource Manager", `{"properties":{"resource":{"id":"c","defaultTtl":5}}}`, "container c"},
		{"Bicep", "resource: {\n  id: 'c'\n  defaultTtl: 5\n}", "policies:3: defaultTtl mentions a time to live, but no policy could be read there"},
		{"Terraform", "resource \"azurerm_cosmosdb_sql_container\" \"c\" {\n  default_ttl = 5\n}", "policies:2: default_ttl mentions a time to live, but no policy could be read there"},
		{"the list of the az tool", `[{"name":"c","resource":{"id":"c","defaultTtl":5},"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers"}]`, "container c"},
	}
	for _, tt := range tests {
		if got := listed(read(t, tt.text)); got != tt.want {
			t.Errorf("%s: read %s, want %s", tt.why, got, tt.want)
		}
	}
}

// listed returns the names of targets.
func listed(targets []*Target) string {
	var parts []string
	for _, target := range targets {
		switch {
		case target.unread != nil:
			parts = append(parts, target.unread.Error())
		case target.IsContainer():
			parts = append(parts, "container "+target.Title())
		default:
			parts = append(parts, fmt.Sprintf("collection %s %d", target.Title(), len(target.collection.indexes)))
		}
	}
	return strings.Join(parts, ", ")
}

// TestReadBuckets: a time-series collection has its description under its own name, even if
// its buckets are listed too.
func TestReadBuckets(t *testing.T) {
	const own = `{"name":"w","type":"timeseries","options":{"timeseries":{"timeField":"t"}}}`
	const behind = `{"name":"system.buckets.w","type":"collection","options":{"clusteredIndex":true,"timeseries":{"timeField":"t"}}}`
	for batch, want := range map[string]string{
		own:                `{"timeseries":{"timeField":"t"}}`,
		own + "," + behind: `{"timeseries":{"timeField":"t"}}`,
		behind + "," + own: `{"timeseries":{"timeField":"t"}}`,
		behind:             `{"clusteredIndex":true,"timeseries":{"timeField":"t"}}`,
	} {
		targets := read(t, `{"cursor":{"id":0,"ns":"shop.$cmd.listCollections","firstBatch":[`+batch+`]}}`)
		if options := targets[0].collection.options.String(); len(targets) != 1 || options != want {
			t.Errorf("%s: %d targets, the first with %s, want one with %s", batch, len(targets), options, want)
		}
	}
}

// TestReadBSON: a reply in BSON, as a driver receives it, is read plain and compressed.
func TestReadBSON(t *testing.T) {
	v, err := policy.ParseExtJSON([]byte(`{"cursor":{"id":{"$numberLong":"0"},"ns":"shop.logs","firstBatch":[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := policy.AppendBSON(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(raw)
	z.Close()
	for _, b := range [][]byte{raw, packed.Bytes()} {
		targets, err := Read("reply", bytes.NewReader(b))
		if err != nil || listed(targets) != "collection shop.logs 1" {
			t.Errorf("Read(BSON) = %s, %v", listed(targets), err)
			continue
		}
		if c, err := targets[0].Collection(Options{}); err != nil || !c.Spec.Indexes[0].ExpireAfterSeconds.IsNaN() {
			t.Errorf("Collection of Read(BSON) = %v, %v, want NaN for the delay of its index", c.Spec, err)
		}
	}
}

// TestReadRefuses: the error names the input and the byte, and no policy is
// guessed.
func TestReadRefuses(t *testing.T) {
	deep := strings.Repeat(`{"key":`, 200) + "1" + strings.Repeat("}", 200)
	tests := []struct{ why, text, want string }{
		{"nothing", "", "policies: the file is empty"},
		{"spaces", " \n ", "policies: no index, collection or container found"},
		{"an empty list", "[]", "policies: no index, collection or container found"},
		{"no JSON", "hello", `policies: the input begins with "hello"`},
		{"mongosh's own notation, cut off", "[\n  { v: 2, key: { _id: 1 }, name: '_id_' }\n", "policies: document at byte 4: malformed Extended JSON at byte 2"},
		{"an option within the key, in JSON", `{"createdAt": 1, "expireAfterSeconds": 3600}`, "policies: expireAfterSeconds stands within the key"},
		{"an option within the key, as the shell has it", `{createdAt: 1, expireAfterSeconds: 3600}`, "write {key: {createdAt: 1}, expireAfterSeconds: 3600}"},
		{"a document beside an index", oneIndex + "\n" + `{"_id":1,"createdAt":"x"}`, "not an index"},
		{"unquoted names in an array", "[{ v: 2 }]", "EJSON.stringify"},
		{"cut off", `{"key":{"t":1}`, "policies: document at byte 0: "},
		{"the second document", oneIndex + "\n{\"key\":}\n", "policies: document at byte 58: malformed Extended JSON at byte 7"},
		{"a document of the application", `{"_id":1,"createdAt":"x"}`, "document at byte 0: not an index"},
		{"an error of the server", `{"ok":0,"errmsg":"ns does not exist","code":26}`, `the server's reply is an error: "ns does not exist"`},
		{"half a list", `{"cursor":{"id":{"$numberLong":"77"},"firstBatch":[` + oneIndex + `]}}`, "only the first batch"},
		{"no list", `{"cursor":{"id":0}}`, "no cursor.firstBatch"},
		{"a list of something else", `{"cursor":{"firstBatch":[{"a":1}]}}`, "neither an index nor a collection"},
		{"metadata of something else", `{"indexes":[{"a":1}]}`, "indexes[0] is not an index"},
		{"nested without end", deep, "nested deeper than 128 levels"},
		{"brackets without end", strings.Repeat("[", 1000), "policies: document at byte"},
		{"a length that lies", "\xff\xff\x00\x00\x02key\x00", "policies: document at byte 0: "},
		{"an archive", "\x6d\xe2\x99\x81", "mongodump --archive"},
		{"broken gzip", "\x1f\x8b\x08\x00", "policies: "},
		{"an exponent", `{"key":{"t":1},"expireAfterSeconds":{"$numberDecimal":"1e1000000000x"}}`, "document at byte 0: malformed Extended JSON"},
	}
	for _, tt := range tests {
		targets, err := Read("policies", strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Read = %s, %v, want an error with %q", tt.why, listed(targets), err, tt.want)
		}
	}
}

// TestReadIsBounded: reading an endless input ends.
func TestReadIsBounded(t *testing.T) {
	_, err := Read("policies", &endless{text: `{"key":{"t":1},"name":"` + strings.Repeat("x", 10_000) + `"}` + "\n"})
	if err == nil || !strings.Contains(err.Error(), "longer than 16 MiB") {
		t.Errorf("Read of an endless input = %v, want that it is too long", err)
	}
	_, err = Read("policies", &endless{text: `{"key":[`})
	if err == nil {
		t.Error("Read of an endless document = nil, want an error")
	}
	var many strings.Builder
	for i := range dump.MaxCollections + 1 {
		fmt.Fprintf(&many, `{"key":{"t":1},"ns":"a.c%d"}`+"\n", i)
	}
	if _, err := Read("policies", strings.NewReader(many.String())); !errors.Is(err, dump.ErrManyCollections) {
		t.Errorf("Read of %d collections = %v, want %v", dump.MaxCollections+1, err, dump.ErrManyCollections)
	}
}

// TestManyIndexes: the time to read indexes grows with their number, not with
// its square.
func TestManyIndexes(t *testing.T) {
	targets := read(t, "["+strings.Repeat(oneIndex+",", maxIndexes)+oneIndex+"]")
	if _, err := targets[0].Collection(Options{}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("policies: %d indexes of one collection", maxIndexes+1)) {
		t.Errorf("Collection of %d indexes = %v, want an error", maxIndexes+1, err)
	}
	var b strings.Builder
	const many = 20_000
	for i := range many {
		fmt.Fprintf(&b, "{\"ns\":\"a.%d\",\"key\":{\"a\":1}}\n", i)
	}
	if got := len(read(t, b.String())); got != many {
		t.Errorf("read %d collections, want %d", got, many)
	}
}

// endless repeats a text.
type endless struct {
	text string
	rest string
}

func (e *endless) Read(b []byte) (int, error) {
	if e.rest == "" {
		e.rest = strings.Repeat(e.text, 1000)
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestFind: Find returns the targets in a dump's folder, also if the file of their documents
// is lost, and an error for a path that does not exist.
func TestFind(t *testing.T) {
	dir := fixture.Files(t, map[string]string{
		"dump/shop/logs.metadata.json":           `{"indexes":[` + oneIndex + `]}`,
		"dump/shop/logs.bson":                    "",
		"dump/shop/a%2Fb.metadata.json":          `{"indexes":[]}`,
		"dump/shop/named.metadata.json":          `{"collectionName":"a very long name","indexes":[]}`,
		"dump/shop/named.bson.gz":                "",
		"dump/shop/weather.metadata.json":        `{"options":{"timeseries":{"timeField":"t"}},"indexes":[]}`,
		"dump/shop/system.buckets.weather.bson":  "",
		"dump/shop/wind.metadata.json":           `{"options":{"timeseries":{"timeField":"t"}},"indexes":[]}`,
		"dump/shop/wind.bson":                    "",
		"dump/shop/system.views.metadata.json":   `{"indexes":[]}`,
		"dump/shop/readme.json":                  `{`,
		"dump/other/logs.metadata.json.gz":       `{"indexes":[` + oneIndex + `]}`,
		"dump/prelude.json":                      `{"ServerVersion":"4.4.29"}`,
		"dump/other/deeper/things.metadata.json": `{"indexes":[]}`,
		"plain/orphan.bson":                      "\x05\x00\x00\x00\x00",
		"plain/empty.bson":                       "",
	})
	targets, err := Find(filepath.Join(dir, "dump"), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, target := range targets {
		line := target.Title()
		for _, f := range target.Documents {
			line += " " + filepath.Base(f.Input.Path)
		}
		got = append(got, line)
	}
	want := "deeper.things things.bson, other.logs logs.bson, shop.a/b a%2Fb.bson, shop.logs logs.bson, shop.a very long name named.bson.gz, shop.weather system.buckets.weather.bson, shop.wind wind.bson"
	if strings.Join(got, ", ") != want {
		t.Errorf("found %s, want %s", strings.Join(got, ", "), want)
	}
	for path, want := range map[string]string{
		"dump/shop/logs.metadata.json": "collection shop.logs 1",
		"dump/shop/logs.bson":          "collection shop.logs 1",
	} {
		targets, err := Find(filepath.Join(dir, path), nil, false)
		if err != nil || listed(targets) != want || len(targets[0].Documents) != 0 {
			t.Errorf("Find(%s) = %s, %v, want %s without documents", path, listed(targets), err, want)
		}
	}
	if c, err := targets[3].Collection(Options{}); err != nil || c.Release.String() != "4.4.29" || c.IsAssumed {
		t.Errorf("judged as %s, %v, want the release of the dump", c.Release, err)
	}
	for path, want := range map[string]string{
		"plain":                 "no *.metadata.json of mongodump in this folder",
		"plain/orphan.bson":     "has no *.metadata.json beside it",
		"plain/empty.bson":      "empty.bson: the file is empty",
		"nowhere":               "nowhere",
		"dump/shop/readme.json": "readme.json: document at byte 0",
	} {
		if _, err := Find(filepath.Join(dir, path), nil, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%s) = %v, want %q", path, err, want)
		}
	}
	targets, err = Find(dump.Stdin, strings.NewReader(oneIndex), true)
	if err != nil || listed(targets) != "collection standard input 1" {
		t.Errorf("Find(-) = %s, %v", listed(targets), err)
	}
}

// TestRename: a target gets a name that its listing lacks.
func TestRename(t *testing.T) {
	target := read(t, oneIndex)[0]
	target.Rename("shop.a.b")
	if target.Database != "shop" || target.Name != "a.b" {
		t.Errorf("Rename(shop.a.b) = %q, %q", target.Database, target.Name)
	}
	target.Rename("logs")
	if target.Name != "logs" {
		t.Errorf("Rename(logs) = %q", target.Name)
	}
	carts := read(t, `{"id":"x","partitionKey":{}}`)[0]
	carts.Rename("a.b")
	if carts.Name != "a.b" {
		t.Errorf("Rename of a container = %q", carts.Name)
	}
}

// TestLongSources: a file that is too long to be read is named, except a JSON file whose
// beginning mentions no time to live.
func TestLongSources(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat(`{"a": 1}`+"\n", maxSource/9+2)
	for name, text := range map[string]string{"export.json": long, "state.json": `{"default_ttl": 60}` + long, "program.js": long} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	targets, _, err := findSources(dir)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, target := range targets {
		if target.unread != nil && strings.Contains(target.unread.Error(), "larger than 16 MiB") {
			named = append(named, filepath.Base(target.File))
		}
	}
	if got := strings.Join(named, " "); got != "program.js state.json" {
		t.Errorf("named as too long: %q, want program.js and state.json", got)
	}
}
