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
		Statement: "Bytes that are not a well-formed document are never decided; the item is kept."})
	ruleOff = engine.Rule(engine.Entry{ID: "cosmos.off", Citations: from(srcPython, srcPage), Confidence: engine.VendorTest,
		Statement: "Without defaultTtl on the container TTL is off: nothing expires, and an item's ttl is not looked at."})
	ruleContainerUnspecified = engine.Rule(engine.Entry{ID: "cosmos.container-unspecified", Citations: from(srcPage, srcIndexPolicy), Confidence: engine.Unspecified,
		Statement: "A defaultTtl other than -1 and 1 to 2147483647 is refused when it is set, and so is any defaultTtl with indexing mode none; what a container with such settings does is unspecified, and the item is kept."})
	ruleDuplicateUnspecified = engine.Rule(engine.Entry{ID: "cosmos.duplicate-unspecified", Citations: from(srcJSON), Confidence: engine.Unspecified,
		Statement: "Where ttl, _ts or another property that decides occurs twice in one item, or defaultTtl or another setting twice in one container, which of them counts is unspecified; the item is kept, through either API."})
	ruleItemNever = engine.Rule(engine.Entry{ID: "cosmos.item-never", Citations: from(srcPython, srcPage), Confidence: engine.VendorTest,
		Statement: "An item whose ttl is -1 never expires, whatever the container's default is."})
	ruleItemUnspecified = engine.Rule(engine.Entry{ID: "cosmos.item-unspecified", Citations: from(srcPage), Confidence: engine.Unspecified,
		Statement: "An item's ttl that is null, 0, below -1, above 2147483647 or no integer is refused while TTL is on; what a stored one does is unspecified, and the item is kept."})
	ruleNoDefault = engine.Rule(engine.Entry{ID: "cosmos.no-default", Citations: from(srcPython, srcPage, srcTerraform), Confidence: engine.VendorTest,
		Statement: "In a container whose defaultTtl is -1 an item without ttl never expires."})
	rulePathUnspecified = engine.Rule(engine.Entry{ID: "cosmos.path-unspecified", Citations: from(srcDotnetDoc), Confidence: engine.Unspecified,
		Statement: "With ttlPropertyPath, the outcome for an item with no integer from 1 on at that path, or with any ttl of its own, -1 included, is unspecified, and the item is kept; the reply to an invalid path is unspecified too."})
	ruleNoTimestamp = engine.Rule(engine.Entry{ID: "cosmos.no-timestamp", Citations: from(srcPage), Confidence: engine.Inferred,
		Statement: "The time to live counts from _ts; an item shown without an integer _ts has no known deadline."})
	ruleUnreachable = engine.Rule(engine.Entry{ID: "cosmos.unreachable", Citations: from(srcPage), Confidence: engine.Inferred,
		Statement: "A deadline beyond the last instant of a 64-bit millisecond clock is never reached."})
	ruleItem = engine.Rule(engine.Entry{ID: "cosmos.item", Citations: from(srcPage, srcPage2017, srcPython), Confidence: engine.Documented,
		Statement: "An item's own ttl overrides the container's default: it is expired from the second _ts + ttl on, that second included."})
	ruleDefault = engine.Rule(engine.Entry{ID: "cosmos.default", Citations: from(srcPage, srcPage2017, srcPython), Confidence: engine.Documented,
		Statement: "An item without ttl is expired from the second _ts + defaultTtl on, that second included."})
	rulePath = engine.Rule(engine.Entry{ID: "cosmos.path", Citations: from(srcDotnetDoc, srcDotnet), Confidence: engine.Inferred,
		Statement: "With ttlPropertyPath the default counts from the integer seconds since 1970 at that path instead of _ts. The SDK says so, and its test reads one item before the deadline; no source shows one expire."})
)

// The rules of the API for MongoDB that the core does not have.
var (
	ruleMongoOff = engine.Rule(engine.Entry{ID: "cosmos.mongo-off", Citations: from(srcMongoPage), Confidence: engine.Documented,
		Statement: "Without an index that has expireAfterSeconds nothing expires, and a document's ttl is inert; an index on _ts without the option is not a TTL index."})
	ruleMongoIndexUnspecified = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-unspecified", Citations: from(srcMongoPage, srcFeature), Confidence: engine.Unspecified,
		Statement: "What some stored TTL indexes do is unspecified, and the document is kept: several of one collection; those of several fields; hashed, sparse and partial ones; those on _id or on the field ttl, and without the capability EnableTtlOnCustomPath on any field but _ts; on _ts those with an option other than -1 and 1 to 2147483647."})
	ruleMongoTTLUnspecified = engine.Rule(engine.Entry{ID: "cosmos.mongo-ttl-unspecified", Citations: from(srcMongoPage), Confidence: engine.Unspecified,
		Statement: "A document's ttl that is a whole number the core refuses (0, or below -1) is stored, but its effect is unspecified; the document is kept."})
	ruleMongoTTLVersion = engine.Rule(engine.Entry{ID: "cosmos.mongo-ttl-version-unspecified", Citations: from(srcFeature32, srcMongoPage, srcDocLevel), Confidence: engine.Unspecified, Versions: "3.2, without mongoEnableDocLevelTTL",
		Statement: "Whether a document's ttl counts on server version 3.2 without the capability mongoEnableDocLevelTTL is unspecified: the page of its features says that it knows TTL of collections only, and the page of documents' ttl makes no such exception. A document with a ttl that counts in later versions is kept."})
	ruleMongoTTLIgnored = engine.Rule(engine.Entry{ID: "cosmos.mongo-ttl-ignored", Citations: from(srcMongoPage), Confidence: engine.Documented,
		Statement: "A document's ttl counts only if it is an int32, an int64 that fits one, or a double without fraction that fits one; any other is stored and ignored, and the collection's value applies."})
	ruleMongoFieldMissing = engine.Rule(engine.Entry{ID: "cosmos.mongo-field-missing", Citations: from(srcFeature), Confidence: engine.Documented,
		Statement: "With a TTL index on a field of its own, a document without that field never expires."})
	ruleMongoFieldType = engine.Rule(engine.Entry{ID: "cosmos.mongo-field-type", Citations: from(srcFeature), Confidence: engine.Documented,
		Statement: "With a TTL index on a field of its own, only a date or a number of Unix milliseconds counts, and in an array the smallest of them. A number that no 64-bit clock can hold does not count."})
	ruleMongoFieldArray = engine.Rule(engine.Entry{ID: "cosmos.mongo-field-array-unspecified", Citations: from(srcFeature, srcIndexing), Confidence: engine.Unspecified,
		Statement: "Which value counts if the path to the field leads through an array is unspecified; the document is kept."})
	ruleMongoFieldTTL = engine.Rule(engine.Entry{ID: "cosmos.mongo-field-ttl-unspecified", Citations: from(srcFeature), Confidence: engine.Unspecified,
		Statement: "Whether a document's ttl counts beside a TTL index on another field is unspecified; the document is kept."})
	ruleMongoField = engine.Rule(engine.Entry{ID: "cosmos.mongo-field", Citations: from(srcFeature), Confidence: engine.Documented, Versions: "4.2 and later, with EnableTtlOnCustomPath",
		Statement: "With a TTL index on a field of its own, a document expires expireAfterSeconds after the date or number of milliseconds there. Whether it expires in that very millisecond already is unspecified, so it is taken to expire in the next one."})
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
