package cosmos

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ruleIndexingRebuild is the rule of the warning about a change of settings.
var ruleIndexingRebuild = engine.Rule(engine.Entry{ID: "cosmos.indexing-rebuild", Citations: from(srcPageJapanese, srcPage2017), Confidence: engine.Documented,
	Statement: "If TTL is switched on, the service builds the container's index again. After any other change of the TTL setting the service updates the index. In indexing mode consistent this work does not affect queries. In mode lazy, the results of queries can be incomplete and wrong until the work is done."})

// The sources about writes that patch an item.
var (
	srcTTLPatch    = policy.Citation{Title: "Distributed cache on Azure Cosmos DB: the test of a patch of ttl", Address: "Azure/Microsoft.Extensions.Caching.Cosmos: pull request 89"}
	srcPatchSilent = policy.Citation{Title: "Report of a patch that left _ts as it was", Address: "Azure/azure-cosmos-dotnet-v3: issue 3617"}
)

// statements are the rules that decide nothing by themselves: about the
// numbers, the effects of writes and settings over time, and the visibility of
// items.
var statements = []policy.Rule{
	// Rules about the numbers.
	engine.Rule(engine.Entry{ID: "cosmos.seconds", Citations: from(srcPage, srcDotnetDoc), Confidence: engine.Documented,
		Statement: "A time to live is a number of whole seconds after the item's last write, from 1 to 2147483647. It does not count from the creation of the item, and is not a date. An SDK that takes a duration drops the fraction of a second, so it sends 0 for 900 ms. The sum _ts + ttl can need more than 32 bits."}),
	engine.Rule(engine.Entry{ID: "cosmos.timestamp", Citations: from(srcPage2017, srcDotnetDoc), Confidence: engine.Documented,
		Statement: "_ts is the time of the last write in whole seconds since 1970. ttl is whole seconds too, so fractions of a second of the clock make no difference."}),
	engine.Rule(engine.Entry{ID: "cosmos.timestamp-rounding-unspecified", Citations: from(srcPage2017, srcDotnetDoc), Confidence: engine.Unspecified,
		Statement: "No source says how the service rounds the time of a write to the whole seconds of _ts. So the deadline _ts + ttl may be up to a second earlier or later than (time of the write) + ttl. If you give this library only the time of the write, it rounds that time down."}),
	engine.Rule(engine.Entry{ID: "cosmos.server-clock", Citations: from(srcPageJapanese, srcPage2017), Confidence: engine.Documented,
		Statement: "The clock of the service counts. An item whose _ts is in the future by that clock has not expired."}),
	engine.Rule(engine.Entry{ID: "cosmos.property-name", Citations: from(srcPage, policy.Citation{Title: "In-memory emulator: parity runs against the Windows emulator", Address: "lemonlion/CosmosDB.InMemoryEmulator: tests/CosmosDB.InMemoryEmulator.Tests.Integration/FakeCosmosHandlerTtlTests.cs"}), Confidence: engine.Reported,
		Statement: "Only a property with the exact name ttl, at the top of an item, counts. TTL, _ttl, TimeToLive, and a ttl within another property are ordinary data."}),
	engine.Rule(engine.Entry{ID: "cosmos.not-written", Citations: from(srcDotnet), Confidence: engine.VendorTest,
		Statement: "The service does not write the container's default into items. An item that was stored without ttl is read without ttl."}),
	engine.Rule(engine.Entry{ID: "cosmos.whole-items", Citations: from(srcPageJanuary, srcPage2017), Confidence: engine.Documented,
		Statement: "An item expires as a whole. To let a part of an item expire alone, store that part as an item of its own."}),
	engine.Rule(engine.Entry{ID: "cosmos.sdk-null", Citations: from(srcDotnetDoc, srcPage2017, policy.Citation{Title: "JavaScript SDK: TTL tests", Address: "Azure/azure-cosmos-js: test/functional/ttl.spec.ts"}), Confidence: engine.FromSource,
		Statement: "In the documentation and in the SDKs for .NET, Java, Python and Go, a property that is null counts as left out. So a container whose defaultTtl is null has TTL off, and an item whose ttl is null has the container's default. The SDK for Node.js sends a null to the service as JSON, and the service refuses it."}),
	engine.Rule(engine.Entry{ID: "cosmos.portal", Citations: from(srcPortal, srcPage2017), Confidence: engine.FromSource,
		Statement: "In the portal, Off means no defaultTtl, On (no default) means a defaultTtl of -1, and On means the number of seconds beside it. A new container begins with Off. You can make the setting when you create the container, or change it later in the portal or by a replace of the container. The portal would show a defaultTtl of 0 as Off, but the service refuses 0."}),

	// Rules about writes and settings over time.
	engine.Rule(engine.Entry{ID: "cosmos.write-restarts", Citations: from(srcPage2017, srcMongoPage, srcTTLPatch, srcPatchSilent), Confidence: engine.Disputed,
		Statement: "In the APIs for NoSQL and for MongoDB alike, a replace, an upsert or a patch sets an item's _ts, and so restarts its time to live. A read restarts nothing. Tests confirm the restart for an upsert and a patch. One report of 2022, about an account of three regions, says that a patch left _ts unchanged. This library counts from the _ts that the item shows."}),
	engine.Rule(engine.Entry{ID: "cosmos.write-unchanged-unspecified", Citations: from(srcPageJanuary, srcPage2017, srcTTLPatch), Confidence: engine.Unspecified,
		Statement: "No source says whether a replace or an upsert that changes nothing restarts the time to live. A patch that sets ttl to its present value does restart it: a test of Microsoft's distributed cache against the emulator shows that. This library counts from the _ts that the item shows."}),
	engine.Rule(engine.Entry{ID: "cosmos.ttl-update", Citations: from(srcPageJanuary, srcPage2017), Confidence: engine.Documented,
		Statement: "A client can change an item's ttl like any other property, by a replace, an upsert or a patch. The service checks the new ttl as it checks the ttl of a new item. After a write that removes ttl, the container's default applies, counted from the _ts of that write. To keep an item forever, set its ttl to -1. A client cannot write _ts."}),
	engine.Rule(engine.Entry{ID: "cosmos.setting-now", Citations: from(srcMongoPage, srcPage), Confidence: engine.Documented,
		Statement: "An item expires by the container's present setting, and not by the setting at the time of the item's last write. If you switch TTL on or lower the default, items that are old enough expire at once."}),
	engine.Rule(engine.Entry{ID: "cosmos.setting-off", Citations: from(srcPage2017, srcPage), Confidence: engine.Documented,
		Statement: "If you remove defaultTtl, TTL is off, and an item's own ttl does not count. The item's ttl counts again when TTL is on again. To remove only the default and keep TTL on, set defaultTtl to -1."}),
	engine.Rule(engine.Entry{ID: "cosmos.revived", Citations: from(srcRevived), Confidence: engine.Reported,
		Statement: "An expired item that the service has not purged is visible again if you change the container's TTL setting so that the item's deadline is in the future. A purged item does not come back."}),
	ruleIndexingRebuild,
	engine.Rule(engine.Entry{ID: "cosmos.indexing-consistent", Citations: from(srcIndexPolicy), Confidence: engine.Documented,
		Statement: "In indexing mode consistent the service always indexes id and _ts. So TTL works even if the indexing policy excludes every path."}),

	// Rules about the visibility of expired items.
	engine.Rule(engine.Entry{ID: "cosmos.expired-invisible", Citations: from(srcPython, srcPage), Confidence: engine.VendorTest,
		Statement: "An expired item disappears at once: reads and deletes answer 404, and queries leave the item out. In MongoDB, by contrast, an expired document stays visible until the server deletes it."}),
	engine.Rule(engine.Entry{ID: "cosmos.expired-writes", Citations: from(srcPageJanuary, srcPage2017), Confidence: engine.Documented,
		Statement: "The documentation says that no operation is possible on an expired item. So a replace or a patch should not find the item, but no test shows the service's answer. Tests show only the answer to a read: 404."}),
	engine.Rule(engine.Entry{ID: "cosmos.id-free", Citations: from(srcPython), Confidence: engine.VendorTest,
		Statement: "A new item can be created with the id of an expired one."}),
	engine.Rule(engine.Entry{ID: "cosmos.purge", Citations: from(srcPage, srcPage2017), Confidence: engine.Documented,
		Statement: "A background task purges an expired item some time after its deadline, with request units that are left over. Microsoft bills serverless accounts for these request units. No source gives the time of the purge, and no answer of this library depends on it."}),
	engine.Rule(engine.Entry{ID: "cosmos.leaks", Citations: from(
		policy.Citation{Title: "Report of counts with expired items", Address: "Azure/azure-cosmos-dotnet-v3: issue 4494"},
		policy.Citation{Title: "Report of expired items that the vNext emulator lists", Address: "Azure/azure-cosmos-db-emulator-docker: issue 239"},
		policy.Citation{Title: "Report of a defaultTtl of -2 in the vNext emulator", Address: "Azure/azure-cosmos-db-emulator-docker: issue 215"}), Confidence: engine.Reported,
		Statement: "Reports describe three defects. Aggregates counted expired items that were not purged yet. The vNext emulator listed expired items for up to 5 minutes. The vNext emulator also showed a container's defaultTtl as -2. An item that has expired stays expired, even if such a defect shows it."}),
	engine.Rule(engine.Entry{ID: "cosmos.replicas-unspecified", Citations: from(srcPage), Confidence: engine.Unspecified,
		Statement: "No source says whether a read from a replica that lags behind can return an item whose deadline has passed. Such an item has expired even if a read returns it."}),
	engine.Rule(engine.Entry{ID: "cosmos.refusal-text-unspecified", Citations: from(srcZeroDefault), Confidence: engine.Unspecified,
		Statement: "For some refusals this library has the service's own text: a defaultTtl of 0, a ttl of 0 or null, indexing mode none, a TTL index on a field other than _ts, and a TTL index that exists with another expireAfterSeconds. All other texts of refusals were written for this library, and say so at their end."}),

	engine.Rule(engine.Entry{ID: "cosmos.change-feed", Citations: from(policy.Citation{Title: "Azure Cosmos DB: change feed modes", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/change-feed-modes.md"}), Confidence: engine.Documented,
		Statement: "In the mode \"all versions and deletes\" the change feed reports each item that TTL deleted, and marks it with timeToLiveExpired. The report comes when the service purges the item, not when the item expires. In the mode \"latest version\" the change feed reports no deletions."}),
	engine.Rule(engine.Entry{ID: "cosmos.restore", Citations: from(srcBackup, policy.Citation{Title: "Azure Resource Manager: parameters of a restore", Address: "https://learn.microsoft.com/en-us/javascript/api/@azure/arm-cosmosdb/restoreparametersbase"}), Confidence: engine.Documented,
		Statement: "A restore brings back the containers' TTL settings, so old items expire at once in the restored account. To prevent that, restore with TTL off: set the parameter restoreWithTtlDisabled, or use --disable-ttl of the Azure command line (az). The parameter exists for the restore of an account, and of a single container, database, graph or table."}),
	engine.Rule(engine.Entry{ID: "cosmos.fabric", Citations: from(srcFabric), Confidence: engine.Documented,
		Statement: "Cosmos DB in Microsoft Fabric has the same TTL rules. It has its own documentation."}),

	// Rules about the property path and the analytical store.
	engine.Rule(engine.Entry{ID: "cosmos.path-dropped", Citations: from(policy.Citation{Title: "Azure Cosmos DB explorer", Address: "Azure/cosmos-explorer: issue 274"}, srcDotnetDoc), Confidence: engine.Reported,
		Statement: "The .NET SDK marks the container property ttlPropertyPath as obsolete since 2019-08-21. The portal and the resource templates do not have the property."}),
	engine.Rule(engine.Entry{ID: "cosmos.analytical-keeps-setting", Citations: from(srcAnalytical, srcDotnetDoc), Confidence: engine.Documented,
		Statement: "If an update of a container leaves out analyticalStorageTtl, the container keeps its previous analyticalStorageTtl. If the update leaves out defaultTtl, the container loses its defaultTtl."}),
	engine.Rule(engine.Entry{ID: "cosmos.analytical-independent", Citations: from(srcAnalytical), Confidence: engine.Documented,
		Statement: "The analytical store goes by analyticalStorageTtl, and ignores the ttl of items. So an item that has expired in the transactional store can stay in the analytical store. If no item has a ttl and analyticalStorageTtl equals defaultTtl, the analytical store mirrors the transactional store. If analyticalStorageTtl is larger than defaultTtl, the analytical store keeps history."}),
	engine.Rule(engine.Entry{ID: "cosmos.analytical-restore", Citations: from(srcBackup, srcAnalytical), Confidence: engine.Documented,
		Statement: "Backups do not contain the analytical store, so a restored container has none. The original container keeps its analytical store. If TTL has removed an item from the original container and you insert the item there again, that container's analytical store holds the item twice."}),
	engine.Rule(engine.Entry{ID: "cosmos.analytical-revived", Citations: from(srcAnalytical), Confidence: engine.Documented,
		Statement: "If you set analyticalStorageTtl back to -1, every expired row of the analytical store is visible again."}),

	// Rules about the API for MongoDB.
	engine.Rule(engine.Entry{ID: "cosmos.mongo-core", Citations: from(srcMongoPage, srcIndexing), Confidence: engine.Documented,
		Statement: "The API for MongoDB uses the same TTL as the API for NoSQL. The expireAfterSeconds of an index on _ts is the container's default, whether the index is ascending or descending. The default applies to existing documents too."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-no-default", Citations: from(srcTerraform), Confidence: engine.Reported,
		Statement: "In the API for MongoDB expireAfterSeconds -1 on _ts is legal. It switches TTL on without a default, so only documents with their own ttl expire. Old advice says that 0 or a negative number switches TTL off. The advice was true of one tool only: for such a number that tool created no index. MongoDB itself refuses -1."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-timestamp", Citations: from(srcMongoPage), Confidence: engine.Documented,
		Statement: "Clients of the API for MongoDB can neither read nor write _ts. To compute a deadline, a program must get the time of the last write in another way."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-field-boundary-unspecified", Citations: from(srcFeature), Confidence: engine.Unspecified,
		Statement: "A TTL index on a field other than _ts gives a document a deadline in milliseconds. No source says whether the document expires in the millisecond of the deadline, or only in the next millisecond. This library keeps the document in the millisecond of the deadline."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-coll-mod", Citations: from(srcFeature), Confidence: engine.Documented,
		Statement: "The API for MongoDB has no collMod. To change expireAfterSeconds, drop the index and create it again."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-doc-level-ttl", Citations: from(srcDocLevel, srcCapabilityList), Confidence: engine.Documented, Versions: "3.2",
		Statement: "On server version 3.2 a document's ttl counts if the account has the capability mongoEnableDocLevelTTL. Later versions need no capability for this."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-server-versions", Citations: from(srcFeature70, srcFeature32), Confidence: engine.Documented,
		Statement: "Accounts of the API for MongoDB have server version 3.2, 3.6, 4.0, 4.2, 5.0, 6.0 or 7.0. This library answers for no other version."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-custom-path-account", Citations: from(srcCapabilities), Confidence: engine.Documented,
		Statement: "The capability EnableTtlOnCustomPath cannot be removed from an account. An account with continuous backup cannot have the capability."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-not-vcore", Citations: from(
		policy.Citation{Title: "DocumentDB, TTL indexes", Address: "microsoft/documentdb: pg_documentdb/src/ttl/ttl_index.c"},
		policy.Citation{Title: "DocumentDB, creation of indexes", Address: "microsoft/documentdb: pg_documentdb/src/commands/create_indexes.c"},
		policy.Citation{Title: "DocumentDB, collMod", Address: "microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c"}), Confidence: engine.FromSource,
		Statement: "Azure DocumentDB (vCore) has an engine of its own, and not that of MongoDB. Its TTL index is on a date, and _ts and ttl mean nothing there. Its source shows four differences from MongoDB. A document expires one millisecond after date + expireAfterSeconds. In a minute the engine deletes at most 10,000 documents per index. collMod keeps only the lowest 32 bits of expireAfterSeconds. Capped, clustered and time-series collections do not exist. The rules documentdb.… describe the open engine; --server documentdb@0.112 judges by them."}),
}
