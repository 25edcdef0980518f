package cosmos

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The sources that rules cite.
var (
	srcPage     = policy.Citation{Title: "Azure Cosmos DB: Time to Live (TTL)", Address: "https://learn.microsoft.com/azure/cosmos-db/time-to-live"}
	srcPage2017 = policy.Citation{Title: "Time to live in Azure Cosmos DB, page of 08/29/2017", Address: "joelhulen/azure-docs: articles/cosmos-db/time-to-live.md"}
	// From the vendor's repositories: an earlier page, and the page of 08/29/2017 in
	// Japanese.
	srcPageJanuary  = policy.Citation{Title: "Expire data in DocumentDB with time to live, page of 01/13/2017", Address: "MicrosoftDocs/azure-docs: articles/documentdb/documentdb-time-to-live.md"}
	srcPageJapanese = policy.Citation{Title: "Time to live in Azure Cosmos DB, page of 08/29/2017, in Japanese", Address: "MicrosoftDocs/azure-docs.ja-jp: articles/cosmos-db/time-to-live.md"}

	srcMongoPage = policy.Citation{Title: "Azure Cosmos DB for MongoDB: per-document time to live", Address: "https://learn.microsoft.com/azure/cosmos-db/mongodb/time-to-live"}
	srcPython    = policy.Citation{Title: "Python SDK: TTL tests against the service", Address: "Azure/azure-cosmos-python: test/ttl_tests.py"}
	srcDotnet    = policy.Citation{Title: ".NET SDK: container tests against the emulator", Address: "Azure/azure-cosmos-dotnet-v3: Microsoft.Azure.Cosmos/tests/Microsoft.Azure.Cosmos.EmulatorTests/CosmosContainerTests.cs"}
	srcDotnetDoc = policy.Citation{Title: ".NET SDK: container properties", Address: "Azure/azure-cosmos-dotnet-v3: Microsoft.Azure.Cosmos/src/Resource/Settings/ContainerProperties.cs"}
	srcTerraform = policy.Citation{Title: "Terraform provider: -1 on a TTL index", Address: "hashicorp/terraform-provider-azurerm: pull request 15736"}
	srcFeature   = policy.Citation{Title: "Azure Cosmos DB for MongoDB: feature support", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/feature-support-50.md"}
	srcFeature32 = policy.Citation{Title: "Azure Cosmos DB for MongoDB 3.2: features", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/feature-support-32.md"}
	srcDocLevel  = policy.Citation{Title: "Expire data with the API for MongoDB, page of 08/10/2018", Address: "MicrosoftDocs/azure-docs: articles/cosmos-db/mongodb-time-to-live.md"}
	srcIndexing  = policy.Citation{Title: "Azure Cosmos DB for MongoDB: indexing", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/indexing.md"}
	srcJSON      = policy.Citation{Title: "RFC 8259", Address: "https://www.rfc-editor.org/rfc/rfc8259"}
	srcBSON      = policy.Citation{Title: "BSON specification", Address: "https://bsonspec.org/spec.html"}
)

func from(sources ...policy.Citation) []policy.Citation { return sources }

// The rules of the core engine. coreLadder has them in the order of consultation.
var (
	ruleMalformed = engine.Rule(engine.Entry{ID: "cosmos.malformed", Citations: from(srcJSON, srcBSON), Confidence: engine.Documented,
		Statement: "If the bytes are not a well-formed document, this library keeps the item and gives no deadline."})
	ruleOff = engine.Rule(engine.Entry{ID: "cosmos.off", Citations: from(srcPython, srcPage), Confidence: engine.VendorTest,
		Statement: "If the container has no defaultTtl, TTL is off. Nothing expires, and an item's own ttl does not count."})
	ruleContainerUnspecified = engine.Rule(engine.Entry{ID: "cosmos.container-unspecified", Citations: from(srcPage, srcIndexPolicy), Confidence: engine.Unspecified,
		Statement: "The service refuses a defaultTtl that is neither -1 nor a whole number from 1 to 2147483647. With indexing mode none the service refuses every defaultTtl. No source says what happens to the items of a container that has such settings already. This library keeps the item."})
	ruleDuplicateUnspecified = engine.Rule(engine.Entry{ID: "cosmos.duplicate-unspecified", Citations: from(srcJSON), Confidence: engine.Unspecified,
		Statement: "No source says which value counts if a property stands twice in the JSON: ttl or _ts in an item, or defaultTtl or another setting in a container. This library keeps the item, in the API for NoSQL and in the API for MongoDB."})
	ruleItemNever = engine.Rule(engine.Entry{ID: "cosmos.item-never", Citations: from(srcPython, srcPage), Confidence: engine.VendorTest,
		Statement: "An item whose ttl is -1 never expires, whatever the container's default is."})
	ruleItemUnspecified = engine.Rule(engine.Entry{ID: "cosmos.item-unspecified", Citations: from(srcPage), Confidence: engine.Unspecified,
		Statement: "While TTL is on, the service refuses to write an item whose ttl is null, 0, below -1, above 2147483647 or not an integer. No source says what happens to an item that has such a ttl already. This library keeps that item."})
	ruleNoDefault = engine.Rule(engine.Entry{ID: "cosmos.no-default", Citations: from(srcPython, srcPage, srcTerraform), Confidence: engine.VendorTest,
		Statement: "In a container whose defaultTtl is -1 an item without ttl never expires."})
	rulePathUnspecified = engine.Rule(engine.Entry{ID: "cosmos.path-unspecified", Citations: from(srcDotnetDoc), Confidence: engine.Unspecified,
		Statement: "In a container with ttlPropertyPath, no source says what happens to two kinds of items. First, items whose value at that path is not an integer of at least 1. Second, items with a ttl of their own, even -1. This library keeps all these items. If ttlPropertyPath is not a valid path, no source gives the service's reply."})
	ruleNoTimestamp = engine.Rule(engine.Entry{ID: "cosmos.no-timestamp", Citations: from(srcPage), Confidence: engine.Inferred,
		Statement: "The time to live counts from _ts. This library does not know the deadline of an item without an integer _ts."})
	ruleUnreachable = engine.Rule(engine.Entry{ID: "cosmos.unreachable", Citations: from(srcPage), Confidence: engine.Inferred,
		Statement: "An item never expires if its deadline, in milliseconds since 1970, does not fit a signed number of 64 bits."})
	ruleItem = engine.Rule(engine.Entry{ID: "cosmos.item", Citations: from(srcPage, srcPage2017, srcPython), Confidence: engine.Documented,
		Statement: "An item's own ttl overrides the container's default. The item expires at _ts + ttl, in seconds since 1970. At that instant it counts as expired."})
	ruleDefault = engine.Rule(engine.Entry{ID: "cosmos.default", Citations: from(srcPage, srcPage2017, srcPython), Confidence: engine.Documented,
		Statement: "An item without ttl expires at _ts + defaultTtl, in seconds since 1970. At that instant it counts as expired."})
	rulePath = engine.Rule(engine.Entry{ID: "cosmos.path", Citations: from(srcDotnetDoc, srcDotnet), Confidence: engine.Inferred,
		Statement: "With ttlPropertyPath, defaultTtl counts from the property at that path, and not from _ts. The property holds whole seconds since 1970. The comments of the .NET SDK say so. A test of that SDK reads an item that has not reached its deadline. No source shows an item that has expired by such a deadline."})
)

// The rules of the API for MongoDB that the core does not have.
var (
	ruleMongoOff = engine.Rule(engine.Entry{ID: "cosmos.mongo-off", Citations: from(srcMongoPage), Confidence: engine.Documented,
		Statement: "Without an index that has expireAfterSeconds, nothing expires, and a document's ttl does not count. An index on _ts is a TTL index only if it has expireAfterSeconds."})
	ruleMongoIndexUnspecified = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-unspecified", Citations: from(srcMongoPage, srcFeature), Confidence: engine.Unspecified,
		Statement: "No source says what the following stored TTL indexes do, and this library keeps the documents: two or more TTL indexes of one collection; an index of several fields; a hashed, sparse or partial index; an index on _id or on the field ttl; an index on _ts whose expireAfterSeconds is neither -1 nor 1 to 2147483647; and, without the capability EnableTtlOnCustomPath, an index on any field but _ts."})
	ruleMongoTTLUnspecified = engine.Rule(engine.Entry{ID: "cosmos.mongo-ttl-unspecified", Citations: from(srcMongoPage), Confidence: engine.Unspecified,
		Statement: "In the API for MongoDB the service stores a document's ttl even if it is 0 or a whole number below -1. No source says what such a ttl does there. The API for NoSQL refuses such a ttl. This library keeps the document."})
	ruleMongoTTLVersion = engine.Rule(engine.Entry{ID: "cosmos.mongo-ttl-version-unspecified", Citations: from(srcFeature32, srcMongoPage, srcDocLevel), Confidence: engine.Unspecified, Versions: "3.2, without mongoEnableDocLevelTTL",
		Statement: "In an account of server version 3.2 without the capability mongoEnableDocLevelTTL, no source settles whether a document's own ttl counts. The page about the features of 3.2 names only TTL of collections. The page about documents' ttl makes no exception for 3.2. This library keeps every document whose ttl would count in an account of version 3.6 or later."})
	ruleMongoTTLIgnored = engine.Rule(engine.Entry{ID: "cosmos.mongo-ttl-ignored", Citations: from(srcMongoPage), Confidence: engine.Documented,
		Statement: "A document's ttl counts only if its type is int32, int64 or double, and its value is a whole number from -2147483648 to 2147483647. The service stores any other ttl, but ignores it: the document expires as if it had no ttl."})
	ruleMongoFieldMissing = engine.Rule(engine.Entry{ID: "cosmos.mongo-field-missing", Citations: from(srcFeature), Confidence: engine.Documented,
		Statement: "If the TTL index is on a field other than _ts, a document without that field never expires."})
	ruleMongoFieldType = engine.Rule(engine.Entry{ID: "cosmos.mongo-field-type", Citations: from(srcFeature), Confidence: engine.Documented,
		Statement: "If the TTL index is on a field other than _ts, only a date or a number of milliseconds since 1970 counts. In an array the earliest date or number counts. A number too large for a 64-bit clock does not count."})
	ruleMongoFieldArray = engine.Rule(engine.Entry{ID: "cosmos.mongo-field-array-unspecified", Citations: from(srcFeature, srcIndexing), Confidence: engine.Unspecified,
		Statement: "If the TTL index is on a field other than _ts, and the path to the field leads through an array, no source says which value counts. This library keeps the document."})
	ruleMongoFieldTTL = engine.Rule(engine.Entry{ID: "cosmos.mongo-field-ttl-unspecified", Citations: from(srcFeature), Confidence: engine.Unspecified,
		Statement: "No source says whether a document's ttl counts if the TTL index is on a field other than _ts. This library keeps the document."})
	ruleMongoField = engine.Rule(engine.Entry{ID: "cosmos.mongo-field", Citations: from(srcFeature), Confidence: engine.Documented, Versions: "4.2 and later, with EnableTtlOnCustomPath",
		Statement: "If the TTL index is on a field other than _ts, the deadline of a document is the time in that field + expireAfterSeconds. The field holds a date or a number of milliseconds. No source says whether the document has already expired in the millisecond of the deadline itself. In this library the document expires one millisecond after the deadline."})
)

// coreLadder holds the rules of a container in the order in which it consults them.
var coreLadder = []policy.Rule{
	ruleMalformed, ruleOff, ruleContainerUnspecified, ruleDuplicateUnspecified, rulePathUnspecified, ruleItemNever, ruleItemUnspecified,
	ruleNoDefault, ruleNoTimestamp, ruleUnreachable, ruleItem, rulePath, ruleDefault,
}

// mongoLadder holds the rules of a collection of the API for MongoDB whose TTL index is on
// _ts, in the order in which it consults them.
var mongoLadder = []policy.Rule{
	ruleMalformed, ruleMongoOff, ruleMongoIndexUnspecified, ruleDuplicateUnspecified, ruleMongoTTLVersion, ruleItemNever, ruleMongoTTLUnspecified,
	ruleNoDefault, ruleNoTimestamp, ruleUnreachable, ruleItem, ruleMongoTTLIgnored, ruleDefault,
}

// fieldLadder is the ladder of a TTL index on a field other than _ts.
var fieldLadder = []policy.Rule{
	ruleMalformed, ruleDuplicateUnspecified, ruleMongoFieldTTL, ruleMongoFieldArray, ruleMongoFieldMissing, ruleMongoFieldType, ruleUnreachable, ruleMongoField,
}
