package main

import "go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

// hazards is what an audit is for: a dump of an old server whose TTL indexes
// nearly all do something else than they seem to, and settings of Cosmos DB
// that do so too.
var hazards = part{
	name: "hazards",
	file: "hazards/events.bson",
	docs: 200,
	beside: map[string]string{
		"hazards/prelude.json": `{"ServerVersion":"4.4.29","ToolVersion":"100.9.4"}`,
		"hazards/events.metadata.json": metadata("events", "8c1de7f20b6a4d7c9f5512e0a4b7d903",
			`{"v":{"$numberInt":"2"},"key":{"at":{"$numberInt":"1"}},"name":"at_1","expireAfterSeconds":{"$numberDouble":"NaN"}}`,
			`{"v":{"$numberInt":"2"},"key":{"born":{"$numberInt":"1"}},"name":"born_1","expireAfterSeconds":{"$numberInt":"2147483647"}}`,
			`{"v":{"$numberInt":"2"},"key":{"region":{"$numberInt":"1"},"at":{"$numberInt":"1"}},"name":"region_1_at_1","expireAfterSeconds":{"$numberInt":"86400"}}`,
			`{"v":{"$numberInt":"2"},"key":{"user":"hashed"},"name":"user_hashed","expireAfterSeconds":{"$numberInt":"86400"}}`,
			`{"v":{"$numberInt":"2"},"key":{"seenAt":{"$numberInt":"1"}},"name":"seenAt_1","expireAfterSeconds":{"$numberInt":"604800"}}`,
			`{"v":{"$numberInt":"2"},"key":{"at":{"$numberInt":"-1"}},"name":"purges","expireAfterSeconds":{"$numberInt":"3600"},"partialFilterExpression":{"kind":"purge"}}`,
			`{"v":{"$numberInt":"2"},"key":{"cachedAt":{"$numberInt":"1"}},"name":"cachedAt_1","expireAfterSeconds":{"$numberDouble":"0.9"},"hidden":true}`),
		"hazards/container.json": `{
  "id": "carts",
  "partitionKey": { "paths": ["/customer"], "kind": "Hash", "version": 2 },
  "indexingPolicy": { "indexingMode": "consistent", "automatic": true }
}
`,
		"hazards/template.json": template,
	},
	append: appendEvent,
}

// template is what Bicep compiles containers to.
const template = `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "contentVersion": "1.0.0.0",
  "parameters": {
    "account": { "type": "string", "defaultValue": "shop-account" },
    "keep": { "type": "int", "defaultValue": 86400000 }
  },
  "resources": [
    {
      "type": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers",
      "apiVersion": "2024-05-15",
      "name": "[format('{0}/{1}/{2}', parameters('account'), 'shop', 'events')]",
      "properties": {
        "resource": {
          "id": "events",
          "partitionKey": { "paths": ["/user"], "kind": "Hash" },
          "defaultTtl": "[parameters('keep')]"
        }
      }
    },
    {
      "type": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers",
      "apiVersion": "2024-05-15",
      "name": "[format('{0}/{1}/{2}', parameters('account'), 'shop', 'blobs')]",
      "properties": {
        "resource": {
          "id": "blobs",
          "partitionKey": { "paths": ["/id"], "kind": "Hash" },
          "indexingPolicy": { "indexingMode": "none" },
          "defaultTtl": -1
        }
      }
    },
    {
      "type": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers",
      "apiVersion": "2024-05-15",
      "name": "[format('{0}/{1}/{2}', parameters('account'), 'shop', 'sessions')]",
      "properties": {
        "resource": {
          "id": "sessions",
          "partitionKey": { "paths": ["/id"], "kind": "Hash" },
          "defaultTTL": 3600
        }
      }
    }
  ]
}
`

var regions = []string{"ams", "fra", "iad", "sin"}

func appendEvent(dst []byte, r *random, i, n int) []byte {
	at := int64(now) - int64(r.below(60*day))
	start, dst := bsoncore.AppendDocumentStart(dst)
	dst = bsoncore.AppendInt32Element(dst, "_id", int32(i))
	dst = bsoncore.AppendStringElement(dst, "kind", r.among([]string{"click", "view", "order"}))
	dst = bsoncore.AppendStringElement(dst, "region", r.among(regions))
	dst = bsoncore.AppendDateTimeElement(dst, "at", at)
	dst = bsoncore.AppendStringElement(dst, "seenAt", iso(at))
	// The users are 18 to 83 years old, and some were born more than 68 years ago.
	dst = bsoncore.AppendDateTimeElement(dst, "born", int64(now)-18*365*day-int64(r.below(65))*365*day)
	if r.below(3) == 0 {
		dst = bsoncore.AppendDateTimeElement(dst, "cachedAt", at+hour)
	}
	return end(dst, start)
}
