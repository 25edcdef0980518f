package cosmos

import "github.com/ttlpolicy/ttlpolicy/policy"

// The sources of these rules.
var (
	srcIndexPolicy  = policy.Citation{Title: "Azure Cosmos DB: indexing policies", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/index-policy.md"}
	srcIndexNone    = policy.Citation{Title: "Report of TTL with indexing mode none", Address: "MicrosoftDocs/azure-docs: issue 29213"}
	srcZeroDefault  = policy.Citation{Title: "Report of a defaultTtl of 0", Address: "Azure/azure-cli: issue 7508"}
	srcZeroItem     = policy.Citation{Title: "Report of a ttl of 0", Address: "Azure/Microsoft.Extensions.Caching.Cosmos: issue 79"}
	srcZeroTaken    = policy.Citation{Title: "JavaScript SDK: the test of 0 is taken out", Address: "Azure/azure-sdk-for-js: pull request 5257"}
	srcPythonNow    = policy.Citation{Title: "Python SDK: TTL tests of today", Address: "Azure/azure-sdk-for-python: sdk/cosmos/azure-cosmos/tests/test_ttl.py"}
	srcNullItem     = policy.Citation{Title: "Report of a ttl of null", Address: "MicrosoftDocs/azure-docs: issue 107151"}
	srcLazy         = policy.Citation{Title: "Java SDK: collection tests against the service", Address: "Azure/azure-cosmosdb-java: sdk/src/test/java/com/microsoft/azure/cosmosdb/rx/CollectionCrudTest.java"}
	srcPathTest     = policy.Citation{Title: ".NET SDK: container settings tests against the emulator", Address: "Azure/azure-cosmos-dotnet-v3: Microsoft.Azure.Cosmos/tests/Microsoft.Azure.Cosmos.EmulatorTests/Fluent/ContainerSettingsTests.cs"}
	srcRevived      = policy.Citation{Title: "Report of items that came back", Address: "MicrosoftDocs/azure-docs: issue 24025"}
	srcAnalytical   = policy.Citation{Title: "Azure Cosmos DB analytical store", Address: "https://learn.microsoft.com/azure/cosmos-db/analytical-store-introduction"}
	srcField        = policy.Citation{Title: "Report of a TTL index on another field", Address: "animir/node-rate-limiter-flexible: issue 206"}
	srcCapabilities = policy.Citation{Title: "Azure Cosmos DB for MongoDB: capabilities", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/how-to-configure-capabilities.md"}
	srcPortal       = policy.Citation{Title: "Azure Cosmos DB explorer", Address: "Azure/cosmos-explorer: src/Explorer/Controls/Settings/SettingsComponent.tsx"}
)

// The rules by which settings and items are refused, in the order they are
// checked.
var (
	ruleDefaultRefused = &policy.Rule{ID: "cosmos.default-refused", Citations: from(srcPython, srcZeroDefault, srcPage), Confidence: policy.VendorTest,
		Statement: "A defaultTtl of null, 0, -2 or less, or 2147483648 or more is refused with status 400, written with a fraction or without one. Off is to leave the property out."}
	ruleDefaultUnspecified = &policy.Rule{ID: "cosmos.default-type-unspecified", Citations: from(srcPage), Confidence: policy.Unestablished,
		Statement: "The reply to a defaultTtl that is a string or a boolean is not established, nor that to any other number with a fraction or an exponent, such as 10.0."}
	ruleIndexingNone = &policy.Rule{ID: "cosmos.indexing-none", Citations: from(srcIndexNone, srcIndexPolicy, srcPage2017), Confidence: policy.Documented,
		Statement: "TTL needs an index: indexing mode none and any defaultTtl, -1 included, are refused together with status 400, whichever of them is set last. A replacement that says nothing of the mode is taken to leave it."}
	rulePathWithoutDefault = &policy.Rule{ID: "cosmos.path-without-default", Citations: from(srcPathTest, srcDotnet), Confidence: policy.VendorTest,
		Statement: "ttlPropertyPath without defaultTtl is refused with status 400."}
	ruleIndexingLazy = &policy.Rule{ID: "cosmos.indexing-lazy", Citations: from(srcLazy, srcIndexPolicy), Confidence: policy.VendorTest,
		Statement: "Indexing mode lazy is taken and stored as consistent."}
	ruleItemOffUnspecified = &policy.Rule{ID: "cosmos.item-off-unspecified", Citations: from(srcPage), Confidence: policy.Unestablished,
		Statement: "Whether an item's ttl that would be refused is looked at while TTL is off is not established; nothing expires by it."}
	ruleItemZero = &policy.Rule{ID: "cosmos.item-zero", Citations: from(srcPythonNow, srcPython, srcZeroItem, srcZeroTaken), Confidence: policy.Disputed,
		Statement: "While TTL is on, an item whose ttl is 0 is refused with status 400; so a typed model whose plain number was never set is. One SDK's change of 2019 says that 0 is supported; reports of 2024 and the current tests say that it is not."}
	ruleItemRefused = &policy.Rule{ID: "cosmos.item-refused", Citations: from(srcPython, srcNullItem, srcPage), Confidence: policy.VendorTest,
		Statement: "While TTL is on, an item whose ttl is null, -2 or less, or 2147483648 or more is refused with status 400, written with a fraction or without one. Nothing is written then, so that the item there keeps its time."}
	ruleItemTypeUnspecified = &policy.Rule{ID: "cosmos.item-type-unspecified", Citations: from(srcPage), Confidence: policy.Unestablished,
		Statement: "The reply to an item's ttl that is a string or a boolean is not established, nor that to any other number with a fraction or an exponent, such as 10.0."}
)

// The rules of the analytical store, in the order they are consulted.
var (
	ruleAnalyticalOff = &policy.Rule{ID: "cosmos.analytical-off", Citations: from(srcAnalytical, srcDotnetDoc), Confidence: policy.Documented,
		Statement: "Without analyticalStorageTtl, or with 0 or null, a container has no analytical store."}
	ruleAnalyticalUnspecified = &policy.Rule{ID: "cosmos.analytical-unspecified", Citations: from(srcAnalytical), Confidence: policy.Unestablished,
		Statement: "What an analyticalStorageTtl outside -1, 0 and 1 to 2147483647 does is not established; rows are kept."}
	ruleAnalyticalDisableUnspecified = &policy.Rule{ID: "cosmos.analytical-disable-unspecified", Citations: from(srcAnalytical, srcTerraform), Confidence: policy.Unestablished,
		Statement: "An analytical store that is on cannot be switched off by its user; the reply to 0 is not established."}
	ruleAnalyticalNever = &policy.Rule{ID: "cosmos.analytical-never", Citations: from(srcAnalytical), Confidence: policy.Documented,
		Statement: "With analyticalStorageTtl -1 rows are kept without limit."}
	ruleAnalytical = &policy.Rule{ID: "cosmos.analytical", Citations: from(srcAnalytical, srcDotnetDoc), Confidence: policy.Documented,
		Statement: "A row is hidden, not erased, analyticalStorageTtl seconds after the item's last write in the transactional store, whatever the item's ttl; that very second is taken to count, as everywhere else."}
)

// The rules by which the API for MongoDB refuses an index.
var (
	ruleIndexField = &policy.Rule{ID: "cosmos.mongo-index-field", Citations: from(srcField, srcFeature, srcCapabilities), Confidence: policy.Reported,
		Statement: "expireAfterSeconds on a field other than _ts is refused with code 2, except on accounts of server version 4.2 or later with the capability EnableTtlOnCustomPath."}
	ruleIndexWildcard = &policy.Rule{ID: "cosmos.mongo-index-wildcard", Citations: from(srcIndexing), Confidence: policy.Documented, Versions: "4.2 and later, with EnableTtlOnCustomPath",
		Statement: "A wildcard index has no TTL. With what code one is refused is not established; without the capability it is that of any other field."}
	ruleIndexSecond = &policy.Rule{ID: "cosmos.mongo-index-second", Citations: from(srcFeature), Confidence: policy.Documented, Versions: "4.2 and later, with EnableTtlOnCustomPath",
		Statement: "A collection has one TTL field: beside an index on a field of its own there is none on _ts, nor on another. With what code a second is refused is not established."}
)

// refusing are the rules that decide nothing about a stored item.
var refusing = []*policy.Rule{
	ruleDefaultRefused, ruleDefaultUnspecified, ruleIndexingNone, rulePathWithoutDefault, ruleIndexingLazy,
	ruleItemOffUnspecified, ruleItemZero, ruleItemRefused, ruleItemTypeUnspecified,
	ruleAnalyticalDisableUnspecified, ruleIndexField, ruleIndexWildcard, ruleIndexSecond,
}

// analyticalLadder is the order in which an analytical store consults its
// rules.
var analyticalLadder = []*policy.Rule{ruleAnalyticalOff, ruleAnalyticalUnspecified, ruleAnalyticalNever, ruleNoTimestamp, ruleUnreachable, ruleAnalytical}
