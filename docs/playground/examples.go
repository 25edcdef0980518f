package playground

import "github.com/ttlpolicy/ttlpolicy/internal/reasons"

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

const (
	groupDisagree = "The documents disagree: MongoDB"
	groupErrata   = "The documents disagree: Azure Cosmos DB"
	groupUnknown  = "Not known"
)

const oldDate = `{ at: ISODate("2026-11-20T11:00:00Z") }`

var disagreements = []Example{
	{groupDisagree, "NaN in 4.4: an error in the log", "X1", onMongo("4.4.15", nanIndex, oldDate, "2026-11-20T12:00:00Z")},
	{groupDisagree, "Zero seconds are legal", "X2", onMongo("", `{ key: { at: 1 }, expireAfterSeconds: 0 }`, `{ at: ISODate("2026-11-20T12:00:00Z") }`, "2026-11-20T12:00:00Z")},
	{groupDisagree, "Time series with dates before 1970", "X3", onMongo("8.0.4", seriesHour, "{\n  _id: ObjectId(\"fffffff00000000000000000\"),\n  control: {\n    version: 1,\n    min: { t: ISODate(\"1969-12-31T00:00:00Z\") },\n    max: { t: ISODate(\"1969-12-31T00:30:00Z\") }\n  }\n}", "2026-11-20T12:00:00Z")},
	{groupDisagree, "A bucket goes by its minimum", "X4", onMongo("", seriesHour, `{ t: ISODate("2026-11-20T10:30:20Z") }`, "2026-11-20T12:29:59Z")},
	{groupDisagree, "A compound index is ignored, and refused since 4.2", "X5", onMongo("", `{ key: { at: 1, b: 1 }, expireAfterSeconds: 10 }`, oldDate, "2026-11-20T12:00:00Z")},
	{groupDisagree, "A capped collection", "X6", onMongo("4.4.29", "{\n  options: { capped: true, size: 4096 },\n  indexes: [{ key: { at: 1 }, expireAfterSeconds: 10 }]\n}", oldDate, "2026-11-20T12:00:00Z")},
	{groupDisagree, "A partial TTL index of a time series", "X7", onMongo("", "{\n  options: { timeseries: { timeField: \"t\", metaField: \"m\" } },\n  indexes: [{\n    key: { t: 1 }, expireAfterSeconds: 60,\n    partialFilterExpression: { m: \"a\" }\n  }]\n}", `{ t: ISODate("2026-11-20T11:00:00Z"), m: "a" }`, "2026-11-20T12:30:00Z")},
	{groupDisagree, "NaN, which is never shown since 5.0", "X8", onMongo("6.0.1", nanIndex, oldDate, "2026-11-20T12:00:00Z")},
	{groupDisagree, "NaN repaired to 68 years", "X9", onMongo("5.0.31", `{ key: { at: 1 }, name: "at_1", expireAfterSeconds: 2147483647 }`, `{ at: ISODate("1958-01-01T00:00:00Z") }`, "2026-11-20T12:00:00Z")},
	{groupDisagree, "A hidden index deletes", "X10", onMongo("", `{ key: { at: 1 }, expireAfterSeconds: 10, hidden: true }`, oldDate, "2026-11-20T12:00:00Z")},
	{groupDisagree, "Time series before 1970 in 8.0.11", "X11", onMongo("8.0.11", seriesHour, "{\n  _id: ObjectId(\"fffffff00000000000000000\"),\n  control: {\n    version: 1,\n    min: { t: ISODate(\"1969-12-31T00:00:00Z\") },\n    max: { t: ISODate(\"1969-12-31T00:30:00Z\") }\n  }\n}", "2026-11-20T12:00:00Z")},
	{groupDisagree, "Time series before 2017-11-28", "X12", onMongo("7.0.4", seriesHour, `{ t: ISODate("2015-01-01T00:00:00Z") }`, "2026-11-20T12:00:00Z")},
	{groupDisagree, "null on a dotted path, by release", "", onMongo("9.0.2", "{\n  key: { at: 1 }, expireAfterSeconds: 3600,\n  partialFilterExpression: { \"a.b\": null }\n}", `{ at: ISODate("2026-11-20T10:00:00Z"), a: [] }`, "2026-11-20T12:00:00Z")},
	{groupDisagree, "Exactly at the deadline in 3.0", "", onMongo("3.0.15", `{ key: { at: 1 }, expireAfterSeconds: 3600 }`, oldDate, "2026-11-20T12:00:00Z")},
}

const seriesHour = "db.createCollection(\"weather\", {\n  timeseries: { timeField: \"t\", granularity: \"seconds\" },\n  expireAfterSeconds: 3600\n})"

var errata = []Example{
	{groupErrata, "2147483648 is no int32", "E1", onAPI(tsIndex, `{ ttl: NumberLong(2147483648), _ts: 1795176000 }`, "@1795176012")},
	{groupErrata, "A property called TTL is data", "E3", onCore(`{"defaultTtl": 10}`, `{"id": "1", "TTL": 60, "_ts": 1795176000}`, "@1795176012")},
	{groupErrata, "Exactly at ttl + _ts", "E4", onCore(`{"defaultTtl": -1}`, `{"id": "1", "ttl": 60, "_ts": 1795176000}`, "@1795176060")},
	{groupErrata, "TimeToLive is data, too", "E5", onCore(`{"defaultTtl": -1}`, `{"id": "1", "TimeToLive": 60, "_ts": 1795176000}`, "@1795176060")},
	{groupErrata, "TTL on another field that holds no date", "E6", State{System: "cosmos-mongo", Release: "4.2", CustomPath: true, Now: "2026-11-20T12:00:00Z",
		Policy: `{ key: { at: 1 }, name: "at_1", expireAfterSeconds: 10 }`, Document: `{ at: "2026-11-20T11:59:55Z", _ts: 1795175995 }`}},
	{groupErrata, "A default of -5", "E8", onCore(`{"defaultTtl": -5}`, `{"id": "1", "_ts": 1795176000}`, "@1795179600")},
	{groupErrata, "ttl -1 never expires", "E9", onCore(`{"defaultTtl": 3600}`, `{"id": "1", "ttl": -1, "_ts": 1795176000}`, "@1795262400")},
	{groupErrata, "Never by default is -1", "E10", onCore(`{"defaultTtl": -1}`, `{"id": "1", "_ts": 1795176000}`, "@1795348800")},
	{groupErrata, "null on the container", "null", onCore(`{"defaultTtl": null}`, `{"id": "1", "ttl": 60, "_ts": 1795176000}`, "@1795262400")},
	{groupErrata, "null on an item", "null", onCore(`{"defaultTtl": 3600}`, `{"id": "1", "ttl": null, "_ts": 1795176000}`, "@1795262400")},
	{groupErrata, "Lazy indexing", "lazy", onCore("{\n  \"defaultTtl\": 3600,\n  \"indexingPolicy\": {\"indexingMode\": \"lazy\"}\n}", `{"id": "1", "_ts": 1795176000}`, "@1795177800")},
	{groupErrata, "TTL on another field without the capability", "fields", onAPI(`{ key: { at: 1 }, name: "at_1", expireAfterSeconds: 10 }`, `{ at: ISODate("2026-11-20T11:59:55Z"), _ts: 1795175995 }`, "2026-11-20T12:00:00Z")},
}

var unknown = []Example{
	{groupUnknown, "A ttl while TTL is off", "U1", onCore(`{}`, `{"id": "1", "ttl": 0, "_ts": 1795176000}`, "@1795262400")},
	{groupUnknown, "A ttl of text", "U2", onCore(`{"defaultTtl": -1}`, `{"id": "1", "ttl": "60", "_ts": 1795176000}`, "@1795262400")},
	{groupUnknown, "An invalid ttl from before", "U3", onCore(`{"defaultTtl": 10}`, `{"id": "1", "ttl": -7, "_ts": 1795176000}`, "@1795262400")},
	{groupUnknown, "ttl 0", "U4", onCore(`{"defaultTtl": 10}`, `{"id": "1", "ttl": 0, "_ts": 1795176000}`, "@1795262400")},
	{groupUnknown, "ttlPropertyPath without the property", "U5", onCore("{\n  \"defaultTtl\": 10,\n  \"ttlPropertyPath\": \"/at\"\n}", `{"id": "1", "_ts": 1795176000}`, "@1795262400")},
	{groupUnknown, "ttl: 0 in the API for MongoDB", "U6", onAPI(tsIndex, `{ ttl: 0, _ts: 1795176000 }`, "@1795176012")},
	{groupUnknown, "A descending index on _ts", "U7", onAPI(`{ key: { _ts: -1 }, name: "_ts_-1", expireAfterSeconds: 10 }`, `{ _ts: 1795176000 }`, "@1795176012")},
	{groupUnknown, "A ttl beside TTL on a field", "U8", State{System: "cosmos-mongo", Release: "4.2", CustomPath: true, Now: "2026-11-20T12:00:00Z",
		Policy: `{ key: { at: 1 }, name: "at_1", expireAfterSeconds: 10 }`, Document: `{ at: ISODate("2026-11-20T11:00:00Z"), ttl: 60, _ts: 1795175995 }`}},
	{groupUnknown, "The millisecond of a field's deadline", "U9", State{System: "cosmos-mongo", Release: "4.2", CustomPath: true, Now: "2026-11-20T12:00:00Z",
		Policy: `{ key: { at: 1 }, name: "at_1", expireAfterSeconds: 10 }`, Document: `{ at: ISODate("2026-11-20T11:59:50Z"), _ts: 1795175990 }`}},
	{groupUnknown, "Two ttl in one item", "U11", onCore(`{"defaultTtl": 10}`, `{"id": "1", "ttl": 60, "ttl": 5, "_ts": 1795176000}`, "@1795176030")},
	{groupUnknown, "A second TTL index", "U12", State{System: "cosmos-mongo", Release: "4.2", CustomPath: true, Now: "2026-11-20T12:00:00Z",
		Policy: "[\n  { key: { _ts: 1 }, name: \"_ts_1\", expireAfterSeconds: 10 },\n  { key: { at: 1 }, name: \"at_1\", expireAfterSeconds: 10 }\n]", Document: `{ at: ISODate("2026-11-20T11:59:50Z"), _ts: 1795175990 }`}},
	{groupUnknown, "A field within an array", "U13", State{System: "cosmos-mongo", Release: "4.2", CustomPath: true, Now: "2026-11-20T12:00:00Z",
		Policy: `{ key: { "a.at": 1 }, name: "a.at_1", expireAfterSeconds: 10 }`, Document: `{ a: [{ at: ISODate("2026-11-20T11:59:00Z") }], _ts: 1795175990 }`}},
	{groupUnknown, "A document's ttl on server version 3.2", "U14", State{System: "cosmos-mongo", Release: "3.2", Now: "@1795176012",
		Policy: tsIndex, Document: `{ ttl: 20, _ts: 1795176000 }`}},
}
