package cosmos

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The sources of these rules.
var (
	srcIndexPolicy     = policy.Citation{Title: "Azure Cosmos DB: indexing policies", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/index-policy.md"}
	srcIndexNone       = policy.Citation{Title: "Report of TTL with indexing mode none", Address: "MicrosoftDocs/azure-docs: issue 29213"}
	srcZeroDefault     = policy.Citation{Title: "Report of a defaultTtl of 0", Address: "Azure/azure-cli: issue 7508"}
	srcZeroItem        = policy.Citation{Title: "Report of a ttl of 0", Address: "Azure/Microsoft.Extensions.Caching.Cosmos: issue 79"}
	srcZeroTaken       = policy.Citation{Title: "JavaScript SDK: the test of 0 is taken out", Address: "Azure/azure-sdk-for-js: pull request 5257"}
	srcPythonNow       = policy.Citation{Title: "Python SDK: TTL tests of today", Address: "Azure/azure-sdk-for-python: sdk/cosmos/azure-cosmos/tests/test_ttl.py"}
	srcNullItem        = policy.Citation{Title: "Report of a ttl of null", Address: "MicrosoftDocs/azure-docs: issue 107151"}
	srcLazy            = policy.Citation{Title: "Java SDK: collection tests against the service", Address: "Azure/azure-cosmosdb-java: sdk/src/test/java/com/microsoft/azure/cosmosdb/rx/CollectionCrudTest.java"}
	srcPathTest        = policy.Citation{Title: ".NET SDK: container settings tests against the emulator", Address: "Azure/azure-cosmos-dotnet-v3: Microsoft.Azure.Cosmos/tests/Microsoft.Azure.Cosmos.EmulatorTests/Fluent/ContainerSettingsTests.cs"}
	srcRevived         = policy.Citation{Title: "Report of items that came back", Address: "MicrosoftDocs/azure-docs: issue 24025"}
	srcZeroRefused     = policy.Citation{Title: "Report of an analyticalStorageTtl of 0 that was refused", Address: "Azure/azure-cosmos-dotnet-v3: issue 4715"}
	srcNullWrong       = policy.Citation{Title: "Report that null does not switch the analytical store off, and 0 not always", Address: "Azure/azure-cosmos-dotnet-v3: issue 4849"}
	srcNullKept        = policy.Citation{Title: "Report of an analyticalStorageTtl of null without effect", Address: "Azure/azure-cosmos-dotnet-v3: issue 4634"}
	srcZeroReplaces    = policy.Citation{Title: "Terraform provider: report of an analytical_storage_ttl of 0 that forces a replacement", Address: "hashicorp/terraform-provider-azurerm: issue 29252"}
	srcAnalytical      = policy.Citation{Title: "Azure Cosmos DB analytical store", Address: "https://learn.microsoft.com/azure/cosmos-db/analytical-store-introduction"}
	srcFieldSilent     = policy.Citation{Title: "Report of a TTL index on another field that 3.2 took", Address: "gravitee-io/issues: issue 3374"}
	srcField           = policy.Citation{Title: "Report of a TTL index on another field", Address: "animir/node-rate-limiter-flexible: issue 206"}
	srcCapabilities    = policy.Citation{Title: "Azure Cosmos DB for MongoDB: capabilities", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/how-to-configure-capabilities.md"}
	srcFeature70       = policy.Citation{Title: "Azure Cosmos DB for MongoDB 7.0: features", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/feature-support-70.md"}
	srcSessionZero     = policy.Citation{Title: "Report of expireAfterSeconds 0 on _ts", Address: "mongodb-js/connect-mongodb-session: issue 90"}
	srcSessionAgain    = policy.Citation{Title: "Report of an index on _ts that exists", Address: "mongodb-js/connect-mongodb-session: issue 119"}
	srcAgain           = policy.Citation{Title: "Report of an index that exists with different options", Address: "eclipse-basyx/basyx-java-server-sdk: issue 80"}
	srcRestCollections = policy.Citation{Title: "Azure Cosmos DB REST API: replace a collection", Address: "https://learn.microsoft.com/rest/api/cosmos-db/replace-a-collection"}
	srcCapabilityList  = policy.Citation{Title: "Terraform provider: capabilities of an account", Address: "hashicorp/terraform-provider-azurerm: internal/services/cosmos/cosmosdb_account_resource.go"}
	srcFabric          = policy.Citation{Title: "Cosmos DB in Microsoft Fabric: configure time to live", Address: "MicrosoftDocs/fabric-docs: docs/database/cosmos-db/how-to-configure-time-to-live.md"}
	srcBackup          = policy.Citation{Title: "Azure Cosmos DB: continuous backup", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/continuous-backup-restore-introduction.md"}
	srcPortal          = policy.Citation{Title: "Azure Cosmos DB explorer", Address: "Azure/cosmos-explorer: src/Explorer/Controls/Settings/SettingsComponent.tsx"}
)

// The rules by which settings and items are refused, or accepted with a warning.
var (
	ruleDefaultRefused = engine.Rule(engine.Entry{ID: "cosmos.default-refused", Citations: from(srcPython, srcZeroDefault, srcPage), Confidence: engine.VendorTest,
		Statement: "The service refuses a defaultTtl that is null, 0 or a whole number below -1, with status 400. To switch TTL off, leave the property out."})
	ruleDefaultRange = engine.Rule(engine.Entry{ID: "cosmos.default-range", Citations: from(srcPage, srcZeroDefault), Confidence: engine.Documented,
		Statement: "The service refuses every defaultTtl above 2147483647, with status 400. It also refuses 0 and every number that is -2 or below, even 0.0, -2.5 and -1e30. The documentation and the text of the refusal give this range. No test sends a number above 2147483647, or a number with a fraction or an exponent. For 64-bit integers such as 0 and -2 see cosmos.default-refused."})
	ruleDefaultUnspecified = engine.Rule(engine.Entry{ID: "cosmos.default-type-unspecified", Citations: from(srcPage), Confidence: engine.Unspecified,
		Statement: "No source says what the service answers if defaultTtl is a string or a boolean. The answer is also unknown if defaultTtl is a number in range that is written with a fraction or an exponent, such as 10.0."})
	ruleIndexingNone = engine.Rule(engine.Entry{ID: "cosmos.indexing-none", Citations: from(srcIndexNone, srcIndexPolicy, srcPage2017), Confidence: engine.Documented,
		Statement: "The service refuses indexing mode none together with any defaultTtl, even -1, with status 400, because TTL needs an index. The order in which the two are set does not matter."})
	ruleIndexingLeftOut = engine.Rule(engine.Entry{ID: "cosmos.indexing-left-out-unspecified", Citations: from(srcRestCollections), Confidence: engine.Unspecified,
		Statement: "If a container has indexing mode none, no source gives the reply to a replace that sets defaultTtl and leaves out indexingPolicy. The service either keeps the mode none and refuses the defaultTtl, or sets the default indexing policy and accepts the defaultTtl."})
	rulePathWithoutDefault = engine.Rule(engine.Entry{ID: "cosmos.path-without-default", Citations: from(srcPathTest, srcDotnet), Confidence: engine.VendorTest,
		Statement: "The service refuses ttlPropertyPath without defaultTtl, with status 400."})
	ruleIndexingLazy = engine.Rule(engine.Entry{ID: "cosmos.indexing-lazy", Citations: from(srcLazy, srcIndexPolicy), Confidence: engine.VendorTest,
		Statement: "The service accepts indexing mode lazy. For most accounts it stores the mode consistent instead. It stores lazy only for accounts that already had a lazy container, and for accounts that Microsoft exempted on request."})
	ruleItemOffUnspecified = engine.Rule(engine.Entry{ID: "cosmos.item-off-unspecified", Citations: from(srcPage), Confidence: engine.Unspecified,
		Statement: "No source says whether the service refuses an item with an invalid ttl while TTL is off. While TTL is off, nothing expires, whatever an item's ttl is."})
	ruleItemZero = engine.Rule(engine.Entry{ID: "cosmos.item-zero", Citations: from(srcPythonNow, srcPython, srcZeroItem, srcZeroTaken), Confidence: engine.Disputed,
		Statement: "While TTL is on, the service refuses an item whose ttl is 0, with status 400. Reports of 2024 and the current tests of the Python SDK show that. A change of the JavaScript SDK in 2019 says the opposite: that the service supports 0. A program whose model has ttl as a plain number sends 0 if it never set the number."})
	ruleItemRefused = engine.Rule(engine.Entry{ID: "cosmos.item-refused", Citations: from(srcPython, srcNullItem, srcPage), Confidence: engine.VendorTest,
		Statement: "While TTL is on, the service refuses an item whose ttl is null or a whole number below -1, with status 400. A refused write changes nothing, so an existing item keeps its deadline."})
	ruleItemRange = engine.Rule(engine.Entry{ID: "cosmos.item-range", Citations: from(srcPage, srcZeroItem), Confidence: engine.Documented,
		Statement: "While TTL is on, the service refuses an item whose ttl is above 2147483647, with status 400. It also refuses every ttl that is -2 or below, even -2.5 and -1e30. The documentation and the text of the refusal give this range. No test sends a number above 2147483647, or a number with a fraction or an exponent. For 64-bit integers such as -2 see cosmos.item-refused."})
	ruleItemTypeUnspecified = engine.Rule(engine.Entry{ID: "cosmos.item-type-unspecified", Citations: from(srcPage), Confidence: engine.Unspecified,
		Statement: "No source says what the service answers in two cases. First, an item's ttl is a string or a boolean. Second, the ttl is a number in range, but written with a fraction or an exponent, such as 10.0."})
)

// The rules of the analytical store.
var (
	ruleAnalyticalOff = engine.Rule(engine.Entry{ID: "cosmos.analytical-off", Citations: from(srcAnalytical, srcDotnetDoc), Confidence: engine.Documented,
		Statement: "A container has no analytical store if analyticalStorageTtl is missing, 0 or null."})
	ruleAnalyticalUnspecified = engine.Rule(engine.Entry{ID: "cosmos.analytical-unspecified", Citations: from(srcAnalytical), Confidence: engine.Unspecified,
		Statement: "No source says what happens with an analyticalStorageTtl that is not a whole number from -1 to 2147483647. This library keeps the rows."})
	ruleAnalyticalDisableUnspecified = engine.Rule(engine.Entry{ID: "cosmos.analytical-disable-unspecified", Citations: from(srcAnalytical, srcTerraform, srcZeroRefused, srcNullWrong, srcZeroReplaces), Confidence: engine.Unspecified,
		Statement: "Sources differ on whether analyticalStorageTtl 0 switches off an analytical store that is on. Microsoft's current page asks the customer to open a support case. In 2022 the Azure command line (az) switched the store off. Reports say that the service refuses 0 in some accounts, such as accounts with continuous backup."})
	ruleAnalyticalNullUnspecified = engine.Rule(engine.Entry{ID: "cosmos.analytical-null-unspecified", Citations: from(srcAnalytical, srcDotnetDoc, srcNullKept, srcNullWrong), Confidence: engine.Unspecified,
		Statement: "An update in JSON can contain analyticalStorageTtl: null. No source says what this null does to an analytical store that is switched on. SDKs do not send the null, so an update by an SDK keeps the store's previous value."})
	ruleAnalyticalNever = engine.Rule(engine.Entry{ID: "cosmos.analytical-never", Citations: from(srcAnalytical), Confidence: engine.Documented,
		Statement: "If analyticalStorageTtl is -1, rows of the analytical store never expire."})
	ruleAnalytical = engine.Rule(engine.Entry{ID: "cosmos.analytical", Citations: from(srcAnalytical, srcDotnetDoc), Confidence: engine.Documented,
		Statement: "The service hides a row of the analytical store analyticalStorageTtl seconds after the item's last write in the transactional store. It does not erase the row. The item's own ttl has no effect on the row. At the instant _ts + analyticalStorageTtl this library already counts the row as hidden."})
)

// The rules by which the API for MongoDB refuses an index.
var (
	ruleIndexField = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-field", Citations: from(srcField, srcFeature, srcCapabilities), Confidence: engine.Reported, Versions: "3.6 and later",
		Statement: "Without the capability EnableTtlOnCustomPath the service refuses expireAfterSeconds on a field other than _ts (code 2). With the capability an account of server version 4.2 or later can have such an index. Accounts of 3.6 and 4.0 refuse it even with the capability. For 3.2 see cosmos.mongo-index-field-unspecified."})
	ruleIndexFieldUnspecified = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-field-unspecified", Citations: from(srcFieldSilent, srcFeature), Confidence: engine.Unspecified, Versions: "3.2",
		Statement: "No source says whether accounts of server version 3.2 always refuse expireAfterSeconds on a field other than _ts. One report says that an account of 3.2 accepted such an index without an error, and that nothing expired by the index."})
	ruleIndexWildcard = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-wildcard", Citations: from(srcIndexing), Confidence: engine.Documented, Versions: "4.2 and later, with EnableTtlOnCustomPath",
		Statement: "The service refuses expireAfterSeconds on a wildcard index. If the account has the capability EnableTtlOnCustomPath, no source gives the code of the refusal. In other accounts the code is 2 (cosmos.mongo-index-field)."})
	ruleIndexKind = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-kind", Citations: from(srcFeature70, srcCapabilities), Confidence: engine.Documented,
		Statement: "Hashed and partial indexes cannot have expireAfterSeconds. The service does not support hashed indexes at all. A partial index must be unique, and a unique index cannot have expireAfterSeconds. No source gives the code of the refusal."})
	ruleIndexZero = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-zero", Citations: from(srcSessionZero), Confidence: engine.Reported,
		Statement: "A report says that the service refuses expireAfterSeconds 0 on _ts. No source gives the code of the refusal."})
	ruleIndexAgain = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-again", Citations: from(srcSessionAgain, srcAgain), Confidence: engine.Reported,
		Statement: "The service refuses a second TTL index on _ts with a different expireAfterSeconds (code 85). To change expireAfterSeconds, drop the index first, and create it again. TTL is off until the new index exists."})
	ruleIndexAgainUnspecified = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-again-unspecified", Citations: from(srcSessionAgain, srcFeature70), Confidence: engine.Unspecified,
		Statement: "If a field has an index already, and you create a TTL index on the same field, no source gives the reply in three cases. First, the two indexes have different names. Second, the existing index has no expireAfterSeconds. Third, the field is not _ts, and the two indexes have different expireAfterSeconds."})
	ruleIndexSecond = engine.Rule(engine.Entry{ID: "cosmos.mongo-index-second", Citations: from(srcFeature), Confidence: engine.Documented, Versions: "4.2 and later, with EnableTtlOnCustomPath",
		Statement: "A collection cannot have TTL indexes on two fields. If it has a TTL index on one field, the service refuses a TTL index on any other field, even on _ts. No source gives the code of the refusal."})
)

// refusing are the rules about requests: none of them decides about a stored item.
var refusing = []policy.Rule{
	ruleDefaultRefused, ruleDefaultRange, ruleDefaultUnspecified, ruleIndexingNone, ruleIndexingLeftOut, rulePathWithoutDefault, ruleIndexingLazy,
	ruleItemOffUnspecified, ruleItemZero, ruleItemRefused, ruleItemRange, ruleItemTypeUnspecified,
	ruleAnalyticalUnspecified, ruleAnalyticalDisableUnspecified, ruleAnalyticalNullUnspecified,
	ruleIndexField, ruleIndexFieldUnspecified, ruleIndexWildcard, ruleIndexKind, ruleIndexSecond, ruleIndexZero, ruleIndexAgain, ruleIndexAgainUnspecified,
}

// analytical are the rules about rows of the analytical store. No evaluator consults them.
var analytical = []policy.Rule{ruleAnalyticalOff, ruleAnalyticalNever, ruleAnalytical}
