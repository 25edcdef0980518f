package main

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// TestTypicalMistakes: each typical wrong command line gives one line that says what to
// do. DIR stands for a temporary folder of the test, and SHOP for the sample of a dump.
func TestTypicalMistakes(t *testing.T) {
	t.Parallel()
	dir := fixture.Files(t, map[string]string{
		"alone.bson": contents(t, logs), "x.jsonl": "{\"a\":1}\n", "x.zip": "PK\x03\x04", "x.csv": "_id,at\n1,2\n", "folder/readme.txt": "hello", "cut.bson": "\x12\x00\x00\x00",
		"listing.json": `[{"v":2,"key":{"at":1},"name":"at_1"}]`,
		"x.png":        "\x89PNG\r\n\x1a\n\x00\x00", "README.md": "# Shop\n\nRead this first.\n", "empty.json": "", "x.pdf": "%PDF-1.7\n", "prose.yaml": "Shop\n====\n", "index.php": "<?php\nclass Audit {}\n",
	})
	const (
		usage, input, finding = cli.ExitUsage, cli.ExitInput, cli.ExitFindings
		delay                 = "--index '{createdAt: 1}' --expire-after 30d "
		name                  = `; name the policy: --index '{"createdAt":1}' --expire-after 30d, or --container '{"defaultTtl":3600}'`
		exists                = "; to judge an index that exists, give it as listIndexes shows it, with its v"
		instants              = "; write it as 2026-11-20T08:00:00Z, 2026-11-20, '2026-11-20 08:00:00' (UTC), +30d or @1795161600"
	)
	for _, tc := range []struct {
		why, line string
		code      cli.ExitCode
		want      string
	}{
		{"a command, misspelt", "forcast SHOP/logs.bson", usage, `no command "forcast"; did you mean "forecast"?; see 'ttl --help'`},
		{"nothing to forecast", "forecast", usage, `no input; name files, folders, or "-" for standard input; see 'ttl forecast --help'`},
		{"a flag, misspelt", "forecast --expire-afer 7d SHOP/logs.bson", usage, "unknown flag: --expire-afer; did you mean --expire-after?; see 'ttl forecast --help'"},
		{"a flag of another tool", "forecast --database shop", usage, "unknown flag: --database; see 'ttl forecast --help'"},
		{"a flag without its value", "forecast SHOP/logs.bson --index", usage, "flag needs an argument: --index; see 'ttl forecast --help'"},
		{"a variable that is not set", "forecast --save-expired= SHOP/logs.bson", usage, "--save-expired: the value is empty"},
		{"an unknown form", "forecast --format pdf SHOP/logs.bson", usage, "--format pdf: want one of text, json, prometheus, html, part"},
		{"what if it were 7 days?", "forecast --expire-after 7d SHOP/logs.bson", usage, `--expire-after 7d has no effect without an --index that is a key; add one, such as --index '{"createdAt":1}'; or see what it would change by --what-if 7d`},
		{"a filter of nothing", "forecast --partial '{kind: 1}' SHOP/logs.bson", usage, `--partial has no effect without an --index that is a key; add one, such as --index '{"createdAt":1}' --expire-after 30d`},
		{"a file that is not there", "forecast DIR/no.bson", input, "stat DIR/no.bson: no such file or directory"},
		{"a dump without metadata", "forecast DIR/alone.bson", usage, "DIR/alone.bson has no metadata.json beside it" + name},
		{"an export without a policy", "forecast DIR/x.jsonl", usage, "DIR/x.jsonl has no metadata.json beside it" + name},
		{"the metadata for the documents", "forecast SHOP/logs.metadata.json", usage, "SHOP/logs.metadata.json describes a collection and holds no documents; name the .bson file beside it, or give it with --metadata"},
		{"the documents for the metadata", "explain --metadata SHOP/logs.bson {}", input, "--metadata SHOP/logs.bson: these are documents; their indexes are in the file beside it whose name ends in .metadata.json"},
		{"a folder without a dump", "forecast DIR/folder", input, "DIR/folder: no .bson file in this folder; name the files to read"},
		{"a zip file", "forecast " + delay + "DIR/x.zip", input, "DIR/x.zip: this is a zip file or an Office document; unpack it first"},
		{"a table", "forecast " + delay + "DIR/x.csv", input, `DIR/x.csv: the input begins with "_id,at\n1,2\n", which is neither BSON nor JSON; --input names the kind`},
		{"a picture to forecast", "forecast DIR/x.png", input, "DIR/x.png: this is a picture (PNG), not a dump or an export"},
		{"a picture to forecast by a policy", "forecast " + delay + "DIR/x.png", input, "DIR/x.png: this is a picture (PNG), not a dump or an export"},
		{"a picture to explain", "explain DIR/x.png", input, "DIR/x.png: this is a picture (PNG), not a dump or an export"},
		{"a document of a PDF", "explain --id 5 DIR/x.pdf", input, "DIR/x.pdf: this is a PDF, not a dump or an export"},
		{"a PDF to audit", "audit DIR/x.pdf", input, "DIR/x.pdf: this is a PDF, not a dump or an export"},
		{"a picture for a policy file", "plan DIR/x.png", input, "DIR/x.png: want a policy file, which begins with version: 1; this is a picture (PNG), not a dump or an export"},
		{"a program for a policy file", "plan DIR/index.php", input, "DIR/index.php: this is a program or a template; write a policy file with: ttl plan init DIR/index.php"},
		{"prose for a policy file", "plan DIR/prose.yaml", input, "DIR/prose.yaml: want a policy file, which begins with version: 1; this is prose, not a dump or an export"},
		{"a picture for a database", "plan SHOP/../../../docs/policy.example.yaml DIR/x.png", input, "DIR/x.png: this is a picture (PNG), not a dump or an export"},
		{"a policy file of a picture", "plan init DIR/x.png", input, "DIR/x.png: this is a picture (PNG), not a dump or an export"},
		{"a picture to migrate", "migrate --to cosmos-nosql DIR/x.png", input, "DIR/x.png: this is a picture (PNG), not a dump or an export"},
		{"the readme to forecast", "forecast DIR/README.md", input, "DIR/README.md: this is prose, not a dump or an export"},
		{"the readme to plan init", "plan init DIR/README.md", input, "DIR/README.md: no policy found in this prose"},
		{"the readme to explain", "explain DIR/README.md", input, "DIR/README.md: this is prose, not a dump or an export"},
		{"the readme to migrate", "migrate --to cosmos-nosql DIR/README.md", input, "DIR/README.md: this is prose, not a dump or an export"},
		{"an empty file to forecast", "forecast DIR/empty.json", input, "DIR/empty.json: the file is empty"},
		{"an empty file to explain", "explain DIR/empty.json", input, "DIR/empty.json: the file is empty"},
		{"an empty file to audit", "audit DIR/empty.json", input, "DIR/empty.json: the file is empty"},
		{"an empty policy file", "plan DIR/empty.json", input, "DIR/empty.json:1:1: the file is empty; it begins with version: 1"},
		{"an empty file to migrate", "migrate --to cosmos-nosql DIR/empty.json", input, "DIR/empty.json: the file is empty"},
		{"a server without its scheme", "forecast localhost:27017/shop", usage, "there is no file localhost:27017/shop; the address of a server begins with mongodb://, as in mongodb://localhost:27017/shop"},
		{"a server to audit without its scheme", "audit db.example.net:27017", usage, "there is no file db.example.net:27017; the address of a server begins with mongodb://, as in mongodb://db.example.net:27017"},
		{"a server to migrate without its scheme", "migrate --to cosmos-nosql 127.0.0.1:27017", usage, "there is no file 127.0.0.1:27017, and this command reads no servers. Dump it first: mongodump --uri=mongodb://127.0.0.1:27017 --out=dump, then: ttl migrate dump"},
		{"a scheme, misspelt", "forecast mongdb://ann:secret@example.net/shop", usage, "nothing is read from mongdb://; did you mean mongodb://?"},
		{"an option of an address, misspelt", "forecast mongodb://127.0.0.1:1/shop?tlls=true", usage, "the address has an option that the driver in this tool does not know: tlls; did you mean tls?"},
		{"a list of no servers", "forecast mongodb://,/shop", usage, "host 1 of the address is not HOST or HOST:PORT, with a port from 1 to 65535; an IPv6 address stands in brackets, as in mongodb://one:27017,[::1]:27017"},
		{"a port that is not one", "audit mongodb://127.0.0.1:99999/shop", usage, "host 1 of the address is not HOST or HOST:PORT, with a port from 1 to 65535; an IPv6 address stands in brackets, as in mongodb://one:27017,[::1]:27017"},
		{"a server with a password", "forecast mongodb+srv://ann:secret@example.net/shop", usage, "this address has a password, which the list of processes shows to everybody on this machine; put the whole address into the environment variable TTL_MONGODB_URI, and name mongodb+srv:///shop"},
		{"a server", "migrate --to cosmos-nosql mongodb+srv://ann:secret@example.net/shop", usage, "mongodb+srv:// is a server, and this command reads files. Dump it first: mongodump --uri=… --out=dump, then: ttl migrate dump"},
		{"an object store", "audit s3://bucket/dump", usage, "s3:// is an object store, and ttl reads files. Copy the object first, or pipe it into: ttl audit -"},
		{"an address", "migrate --to cosmos-nosql https://example.net/x.bson", usage, "https:// is an address, and ttl reads files. Fetch it first, or pipe it into: ttl migrate -"},
		{"standard input twice", "forecast " + delay + "- SHOP/logs.bson -", usage, `"-" is standard input, which can be read only once`},
		{"parts from standard input twice", "forecast merge - -", usage, `"-" is standard input, which can be read only once`},
		{"a scheme in capitals", "forecast MONGODB://ann:secret@example.net/shop", usage, "MONGODB:// is written in small letters: mongodb://"},
		{"a server for a policy file", "plan mongodb://ann:secret@example.net/shop", input, "name the policy file first, then the database: ttl plan policy.yaml dump/shop; 'ttl plan init' writes a policy file"},
		{"a folder for a policy file", "plan SHOP", input, "name the policy file first, then the database: ttl plan policy.yaml dump/shop; 'ttl plan init' writes a policy file"},
		{"an object store for what stands", "plan init s3://bucket/dump", input, "s3:// is an object store, and ttl reads files. Copy the object first, or pipe it into: ttl plan init -"},
		{"another scheme", "forecast FTP://ann:secret@example.net/x", usage, "FTP:// is an address, and ttl reads files. Fetch it first, or pipe it into: ttl forecast -"},
		{"a number out of range", "forecast --max-docs-per-second 99999999999999999999 SHOP/logs.bson", usage, "--max-docs-per-second 99999999999999999999: want a whole number; see 'ttl forecast --help'"},
		{"a rate in words", "forecast --delete-rate fast SHOP/logs.bson", usage, "--delete-rate fast: want a number; see 'ttl forecast --help'"},
		{"a time without a unit", "conform run --timeout 5 -- true", usage, "--timeout 5: want a time such as 30s or 5m; see 'ttl conform run --help'"},
		{"a day in words", "forecast --now yesterday SHOP/logs.bson", usage, `--now: cannot read "yesterday"; write it as -1d, or a date such as 2026-11-20`},
		{"a day to come in words", "audit --now tomorrow SHOP", usage, `--now: cannot read "tomorrow"; write it as +1d, or a date such as 2026-11-20`},
		{"a date of another country", "forecast --now 20.11.2026 SHOP/logs.bson", usage, `--now: cannot read "20.11.2026"` + instants},
		{"seconds without @", "forecast --now 1795161600 SHOP/logs.bson", usage, "--now: 1795161600 has no unit; write @1795161600 for seconds since 1970, or 1795161600ms for milliseconds"},
		{"milliseconds without their unit", "forecast --now 1795161600000 SHOP/logs.bson", usage, "--now: 1795161600000 has no unit; write 1795161600000ms for milliseconds since 1970"},
		{"what if nothing expired?", "forecast --what-if off SHOP/logs.bson", usage, "--what-if off: want a time to live, such as 90d; to see what stays without a time to live, compare with a policy file: ttl plan"},
		{"a thousand in words", "plan --max-deletes-per-day many SHOP/../../../docs/policy.example.yaml SHOP", input, "--max-deletes-per-day many: want a number of documents, 1 or more, such as 100000, 100k or 2M"},
		{"milliseconds for seconds", "forecast --now @1795161600000 SHOP/logs.bson", usage, "--now: @1795161600000 is in the year 58856, because @ counts seconds; write milliseconds as 1795161600000ms"},
		{"items written in milliseconds", "migrate --to cosmos-nosql --written-at @1795161600000 SHOP/logs.bson", usage, "--written-at: @1795161600000 is in the year 58856, because @ counts seconds; write milliseconds as 1795161600000ms"},
		{"an import in words", "migrate --to cosmos-nosql --written-at today SHOP/logs.bson", usage, `--written-at: cannot read "today"` + strings.Replace(instants, ", +30d", "", 1)},
		{"a release of another service", "explain --index '{_ts: 1}' --expire-after 1d --cosmos-mongo --server new {}", usage, `--server: server version "new", want one such as 4.2`},
		{"a key without a delay", "forecast --index '{createdAt: 1}' SHOP/logs.bson", usage, "--index {createdAt: 1}: the time to live is missing; add --expire-after, such as --expire-after 30d"},
		{"a delay in words", "forecast --index '{a: 1}' --expire-after soon SHOP/logs.bson", usage, `--expire-after: cannot read "soon"; write seconds, or a time such as 30d, 12h, 90m, 1y (365 days)`},
		{"a month", "forecast --index '{a: 1}' --expire-after 1mo SHOP/logs.bson", usage, `--expire-after: "1mo": a month has 28 to 31 days, and a server counts seconds; write days, such as 30d`},
		{"a negative delay", "explain --index '{a: 1}' --expire-after -1 {}", input, `MongoDB ` + fixture.Latest + ` refuses this index: expireAfterSeconds: TTL index 'expireAfterSeconds' option cannot be less than 0: CannotCreateIndex (67)` + exists},
		{"a compound key", "explain --index '{a: 1, b: 1}' --expire-after 1d {}", input, `MongoDB ` + fixture.Latest + ` refuses this index: key: TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: {"key":{"a":{"$numberInt":"1"},"b":{"$numberInt":"1"}},"name":"a_1_b_1","expireAfterSeconds":{"$numberInt":"86400"}}: CannotCreateIndex (67)` + exists},
		{"the index on _id", "explain --index '{_id: 1}' --expire-after 1d {}", input, `MongoDB ` + fixture.Latest + ` refuses this index: expireAfterSeconds: The field 'expireAfterSeconds' is not valid for an _id index specification. Specification: {"key":{"_id":{"$numberInt":"1"}},"name":"_id_1","expireAfterSeconds":{"$numberInt":"86400"}}: InvalidIndexSpecificationOption (197)` + exists},
		{"a filter that no index has", "explain --index '{a: 1}' --expire-after 1d --partial '{k: {$ne: 1}}' {}", input, "MongoDB " + fixture.Latest + " refuses this index: partialFilterExpression.k.$ne: Expression not supported in partial index: CannotCreateIndex (67)" + exists},
		{"an option, misspelt", "explain --index '{key: {a: 1}, expireAfterSecond: 5}' {}", input, `MongoDB ` + fixture.Latest + ` refuses this index: expireAfterSecond: The field 'expireAfterSecond' is not valid for an index specification. Specification: {"key":{"a":{"$numberInt":"1"}},"expireAfterSecond":{"$numberInt":"5"},"name":"a_1"}: InvalidIndexSpecificationOption (197). expireAfterSecond is not an option of an index; expireAfterSeconds is. Without expireAfterSeconds the index has no time to live.`},
		{"a field for a key", "forecast --index createdAt --expire-after 1d SHOP/logs.bson", usage, `--index createdAt: write the key with its braces: --index '{"createdAt":1}'`},
		{"a key that ends too soon", "explain --index '{createdAt:' --expire-after 1d {}", usage, "--index {createdAt:: at byte 11: the text ends here; want a value"},
		{"a whole index and a delay", "explain --index '{key: {a: 1}}' --expire-after 1d {}", usage, "--index {key: {a: 1}} is a whole index; put expireAfterSeconds and partialFilterExpression into it"},
		{"a ttl of 0", "explain --container '{\"defaultTtl\": 0}' '{\"_ts\": 1}'", input, "--container: Azure Cosmos DB refuses this container: defaultTtl: The input defaultTtl '0' is invalid. Ensure to provide a nonzero positive integer less than or equal to '2147483647', or '-1' which means never expire.: status 400"},
		{"a container that is not there", "explain --container container.jsn {}", input, "--container: neither JSON nor a file: open container.jsn: no such file or directory"},
		{"a container in a release", "explain --container {} --server 8.0 {}", usage, "--container is for Cosmos DB for NoSQL; leave out --index, --metadata, --server and --cosmos-mongo"},
		{"half a release", "explain " + delay + "--server 8 {}", usage, `--server: version "8" is not of the form 8.0, 8.0.4 or documentdb@0.112`},
		{"a release of the future", "explain " + delay + "--server 99.0 {}", usage, "--server: no profile for this server version: 99.0.0 is not from " + fixture.Range},
		{"no policy", "explain {}", usage, `no policy: give --index '{"createdAt":1}' --expire-after 30d, --metadata FILE or --container '{"defaultTtl":3600}'`},
		{"missing quotes", "explain " + delay + "{createdAt: 1}", usage, "explain takes one document, and there are 2 arguments; put a document with spaces between quotes: '{createdAt: …}'; see 'ttl explain --help'"},
		{"a slip in the shell's syntax", "explain " + delay + "'{createdAt: ISODate(2026-11-01)}'", input, `the document: at byte 24: want "," or ")", not '-'`},
		{"a document that ends too soon", "explain " + delay + `'{"createdAt":'`, input, `the document: malformed Extended JSON at byte 13, field "createdAt": the input ends inside the document: want a value`},
		{"many documents to explain", "explain " + delay + "SHOP/logs.bson", input, "SHOP/logs.bson: more than one document; give one, pick one with --id, or use 'ttl forecast' for all of them"},
		{"an identifier that is not there", "explain --id 5 SHOP/logs.bson", input, "no document of SHOP/logs.bson has the identifier 5; 2,000 documents were looked at"},
		{"a folder to explain", "explain " + delay + "SHOP", input, "SHOP: this is a folder; --id picks one of its documents"},
		{"an identifier in the metadata", "explain --id 5 SHOP/logs.metadata.json", usage, "SHOP/logs.metadata.json describes a collection and holds no documents; name the .bson file beside it, or give it with --metadata"},
		{"an identifier in one document", "explain --id 5 " + delay + "DIR/x.jsonl", input, "no document of DIR/x.jsonl has the identifier 5; 1 document was looked at"},
		{"an identifier behind damage", "explain --id 5 " + delay + "DIR/cut.bson", input, "DIR/cut.bson: document at byte 0: the input ends inside the document: 18 bytes wanted, 4 left"},
		{"no document to explain", "explain --index '{a: 1}' --expire-after 1 ''", usage, `standard input: no document; give one, such as '{"createdAt":{"$date":"2026-11-01T00:00:00Z"}}', a file, or standard input`},
		{"a container that ends too soon", "explain --container '{\"defaultTtl\":' {}", input, `--container: malformed JSON at byte 14, field "defaultTtl": the input ends inside the document: want a value`},
		{"an unknown kind of input", "forecast --input xml SHOP/logs.bson", usage, `--input: unknown kind of input "xml", want bson, extjson, json or auto`},
		{"a width without a unit", "forecast --bucket 5 SHOP/logs.bson", usage, `--bucket: "5" is not a bucket width; write 1 to 10000 with a unit: 30s, 15m, 6h, 1d, 2w, 1mo, 1y`},
		{"a condition, misspelt", "forecast --fail-if 'expird>1%' SHOP/logs.bson", usage, `--fail-if: "expird" is not one of bad, documents, expired, never, pending, unknown, and not a time such as 24h, 7d or 2w; bytes may follow`},
		{"a condition that holds", "forecast --now 2026-11-20 --fail-if 'expired>1%' SHOP/logs.bson", finding, "--fail-if expired>1% holds for shop.logs: 200 of 2,000 documents"},
		{"documents to audit", "audit SHOP/../cosmos/items.jsonl", input, "SHOP/../cosmos/items.jsonl: document at byte 0: not an index, a reply of listIndexes, metadata of mongodump, or a container of Cosmos DB; documents are given with --documents"},
		{"a migration to nowhere", "migrate SHOP/logs.bson", usage, "migrate to where? give --to cosmos-nosql, --to cosmos-mongo or --to mongodb"},
		{"a file that is there", "migrate --to cosmos-nosql --out DIR/x.csv SHOP/logs.bson", usage, "--out DIR/x.csv: the file exists; --force replaces it"},
		{"a deadline within another field", "migrate --to mongodb --field meta.expireAt --container '{\"defaultTtl\":60}'", usage, "--field meta.expireAt: a TTL index on this name reads a nested field, but the deadline is written at the top level; name a field without a dot"},
		{"a deadline for an identifier", "migrate --to mongodb --field _id --container '{\"defaultTtl\":60}'", usage, `--field _id: MongoDB has no TTL index on it: The field 'expireAfterSeconds' is not valid for an _id index specification. Specification: {"key":{"_id":{"$numberInt":"1"}},"expireAfterSeconds":{"$numberInt":"0"},"name":"_id_1"}`},
		{"a folder that is not there", "migrate --to cosmos-nosql --out DIR/no/x.jsonl SHOP/logs.bson", input, "--out: DIR/no/x.jsonl: the folder DIR/no does not exist"},
		{"two dumps to migrate into one file", "migrate --to cosmos-nosql --out DIR/x SHOP/logs.bson SHOP/sessions.bson", usage, "there are 2 collections, and --out is one file; --out-folder writes one of each, or choose a collection with --ns"},
		{"vectors of nobody", "conform copy", usage, "whose answers? give --target, such as --target mongodb@6.0.1 or --target cosmos-nosql"},
		{"no suite", "conform list --suite DIR/no", input, "--suite DIR/no: not a valid suite; 'ttl conform lint DIR/no' says: sources.json:1: open sources.json: no such file or directory"},
		{"vectors of an unknown operation", "conform list --op decide", usage, "--op decide: want one of cosmos.decide, cosmos.history, cosmos.validateContainer, cosmos.validateItem, cosmosmongo.createIndexes, cosmosmongo.decide, documentdb.collMod, documentdb.create, documentdb.createIndexes, documentdb.decide, mongodb.collMod, mongodb.create, mongodb.createIndexes, mongodb.decide, mongodb.history"},
		{"a rule, misspelt", "rules mongo.aray-earliest", input, `no rule "mongo.aray-earliest"; did you mean mongo.array-earliest?`},
	} {
		t.Run(tc.why, func(t *testing.T) {
			names := strings.NewReplacer("DIR", dir, "SHOP", samples+"shop")
			r := ttl(t, "", arguments(names.Replace(tc.line))...)
			if want := "ttl: " + names.Replace(tc.want) + "\n"; r.code != tc.code || r.err != want || r.out != "" && tc.code != finding {
				t.Errorf("ttl %s: exit %d\n%s%s\nwant %d\n%s", tc.line, r.code, r.out, r.err, tc.code, want)
			}
		})
	}
}
