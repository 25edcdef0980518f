package playground

import (
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
)

// An Example is a State worth looking at.
type Example struct {
	Group string `json:"group"`
	Title string `json:"title"`
	// About is the number of the contradiction or gap in docs/disagreements.md
	// that it shows, "" for a sample of a vendor's page.
	About string `json:"about"`
	State State  `json:"state"`
}

// Examples are the code samples of the vendors' pages, and what those pages
// disagree about. The first is what an empty page begins with.
func Examples() []Example {
	var all []Example
	for _, group := range [][]Example{manual, cosmosMongo, cosmosCore, disagreements, errata, unknown} {
		all = append(all, group...)
	}
	return all
}

// onMongo is a State of MongoDB.
func onMongo(release, indexes, document, now string) State {
	return State{System: reasons.MongoDB, Release: release, Policy: indexes, Document: document, Now: now}.normal()
}

// onAPI is a State of the API for MongoDB, version 4.2.
func onAPI(indexes, document, now string) State {
	return State{System: reasons.CosmosMongo, Release: "4.2", Policy: indexes, Document: document, Now: now}.normal()
}

// onCore is a State of Cosmos DB for NoSQL.
func onCore(container, item, now string) State {
	return State{System: reasons.CosmosNoSQL, Policy: container, Document: item, Now: now}.normal()
}

const (
	groupManual = "MongoDB manual: Expire data"
	groupAPI    = "Azure Cosmos DB for MongoDB: samples"
	groupCore   = "Azure Cosmos DB: samples"
)

const logEvents = "db.log_events.createIndex(\n  { createdAt: 1 },\n  { expireAfterSeconds: 10 }\n)"

var manual = []Example{
	{groupManual, "Log events: 10 seconds after createdAt", "", onMongo("", logEvents,
		"db.log_events.insertOne({\n  createdAt: ISODate(\"2026-11-20T11:59:55Z\"),\n  logEvent: 2,\n  logMessage: \"Success!\"\n})", "2026-11-20T12:00:00Z")},
	{groupManual, "The same, with new Date()", "", onMongo("", logEvents, "db.log_events.insertOne({ createdAt: new Date(), logEvent: 2 })", "2026-11-20T12:00:00Z")},
	{groupManual, "An array: one date is old enough", "", onMongo("", logEvents,
		"{\n  createdAt: [\n    ISODate(\"2026-11-20T11:59:00Z\"),\n    ISODate(\"2026-11-20T12:30:00Z\")\n  ]\n}", "2026-11-20T12:00:00Z")},
	{groupManual, "Partial index: D is 1", "", onMongo("", partialIndex, `{ F: ISODate("2019-03-07T20:59:18.428Z"), D: 1 }`, "2019-03-07T20:59:28.428Z")},
	{groupManual, "Partial index: D is 3", "", onMongo("", partialIndex, `{ F: ISODate("2019-03-07T20:59:18.428Z"), D: 3 }`, "2019-03-07T20:59:28.428Z")},
	{groupManual, "At a clock time: 0 seconds after expireAt", "", onMongo("", "db.log_events.createIndex(\n  { expireAt: 1 },\n  { expireAfterSeconds: 0 }\n)",
		"db.log_events.insertOne({\n  expireAt: new Date('July 22, 2013 14:00:00'),\n  logEvent: 2,\n  logMessage: \"Success!\"\n})", "2013-07-22T13:59:30Z")},
	{groupManual, "Atlas: 1 second after expiresAfter", "", onMongo("", `{ key: { expiresAfter: 1 }, expireAfterSeconds: 1 }`, `{ expiresAfter: ISODate("2023-10-01T12:00:00Z") }`, "2023-10-01T12:00:01Z")},
	{groupManual, "Atlas: the value left as a string", "", onMongo("", `{ key: { expiresAfter: 1 }, expireAfterSeconds: 1 }`, `{ expiresAfter: "2023-10-01T12:00:00.00" }`, "2023-10-01T12:00:01Z")},
	{groupManual, "NaN, by release", "", onMongo("5.0.13", nanIndex, `{ at: ISODate("2026-11-20T11:00:00Z") }`, "2026-11-20T12:00:00Z")},
}

const (
	partialIndex = "db.foo.createIndex(\n  { F: 1 },\n  {\n    name: \"Partial-TTL-Index\",\n    partialFilterExpression: { D: 1 },\n    expireAfterSeconds: 10\n  }\n)"
	nanIndex     = `{ key: { at: 1 }, name: "at_1", expireAfterSeconds: NaN }`
	tsIndex      = `db.coll.createIndex({ "_ts": 1 }, { expireAfterSeconds: 10 })`
)

var cosmosMongo = []Example{
	{groupAPI, "The collection's 10 seconds", "", onAPI(tsIndex, `{ id: 1, location: "Paris", _ts: 1795176000 }`, "@1795176012")},
	{groupAPI, "ttl: 20.0", "", onAPI(tsIndex, `{ id: 1, location: "Paris", ttl: 20.0, _ts: 1795176000 }`, "@1795176012")},
	{groupAPI, "ttl: NumberInt(20)", "", onAPI(tsIndex, `{ id: 1, location: "Paris", ttl: NumberInt(20), _ts: 1795176000 }`, "@1795176012")},
	{groupAPI, "ttl: NumberLong(20)", "", onAPI(tsIndex, `{ id: 1, location: "Paris", ttl: NumberLong(20), _ts: 1795176000 }`, "@1795176020")},
	{groupAPI, "ttl: 20.5 means nothing", "", onAPI(tsIndex, `{ id: 1, location: "Paris", ttl: 20.5, _ts: 1795176000 }`, "@1795176012")},
	{groupAPI, "ttl: NumberLong(2147483649) means nothing", "", onAPI(tsIndex, `{ id: 1, location: "Paris", ttl: NumberLong(2147483649), _ts: 1795176000 }`, "@1795176012")},
	{groupAPI, "TTL on another field, by capability", "", State{System: reasons.CosmosMongo, Release: "4.2", CustomPath: true, Now: "2026-11-20T12:00:00Z",
		Policy: `{ key: { at: 1 }, name: "at_1", expireAfterSeconds: 10 }`, Document: `{ at: ISODate("2026-11-20T11:59:55Z"), _ts: 1795175995 }`}},
}

var cosmosCore = []Example{
	{groupCore, "No default, no ttl", "", onCore(`{}`, `{"id": "1", "_ts": 1795176000}`, "@1795179600")},
	{groupCore, "No default, ttl -1", "", onCore(`{}`, `{"id": "1", "ttl": -1, "_ts": 1795176000}`, "@1795179600")},
	{groupCore, "No default, ttl 60", "", onCore(`{}`, `{"id": "1", "ttl": 60, "_ts": 1795176000}`, "@1795179600")},
	{groupCore, "Default -1, no ttl", "", onCore(`{"defaultTtl": -1}`, `{"id": "1", "_ts": 1795176000}`, "@1795179600")},
	{groupCore, "Default -1, ttl -1", "", onCore(`{"defaultTtl": -1}`, `{"id": "1", "ttl": -1, "_ts": 1795176000}`, "@1795179600")},
	{groupCore, "Default -1, ttl 60", "", onCore(`{"defaultTtl": -1}`, `{"id": "1", "ttl": 60, "_ts": 1795176000}`, "@1795176030")},
	{groupCore, "Default 10, no ttl", "", onCore(`{"defaultTtl": 10}`, `{"id": "1", "_ts": 1795176000}`, "@1795176010")},
	{groupCore, "Default 10, ttl -1", "", onCore(`{"defaultTtl": 10}`, `{"id": "1", "ttl": -1, "_ts": 1795176000}`, "@1795176030")},
	{groupCore, "Default 10, ttl 60", "", onCore(`{"defaultTtl": 10}`, `{"id": "1", "ttl": 60, "_ts": 1795176000}`, "@1795176030")},
	{groupCore, "90 days by default", "", onCore(`{"defaultTtl": 7776000}`, `{"id": "1", "_ts": 1795176000}`, "@1797768000")},
	{groupCore, "A sales order of 30 days", "", onCore(`{"defaultTtl": -1}`, "{\n  \"id\": \"SO05\",\n  \"CustomerId\": \"CO18009186470\",\n  \"ttl\": 2592000,\n  \"_ts\": 1795176000\n}", "@1797768000")},
	{groupCore, "Its ttl set to 60 × 30 × 30", "", onCore(`{"defaultTtl": -1}`, `{"id": "SO05", "ttl": 54000, "_ts": 1795176000}`, "@1795230000")},
	{groupCore, "Its ttl taken away: the default applies", "", onCore(`{"defaultTtl": 3600}`, `{"id": "SO05", "_ts": 1795176000}`, "@1795177800")},
}
