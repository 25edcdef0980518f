package cosmos

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ruleIndexingRebuild is the rule of the warning about a change of settings.
var ruleIndexingRebuild = engine.Rule(engine.Entry{ID: "cosmos.indexing-rebuild", Citations: from(srcPageJapanese, srcPage2017), Confidence: engine.Documented,
	Statement: "A change of the TTL setting changes the underlying index, and switching TTL on builds it anew. In consistent mode nobody notices; in lazy mode queries are neither complete nor correct meanwhile."})

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
		Statement: "A time to live is 1 to 2147483647 whole seconds, counted from the last write, not from the creation; it is not an absolute date. The sum with _ts needs more than 32 bits. An SDK that takes a duration cuts it to whole seconds, so that 900 ms are sent as 0."}),
	engine.Rule(engine.Entry{ID: "cosmos.timestamp", Citations: from(srcPage2017, srcDotnetDoc), Confidence: engine.Documented,
		Statement: "_ts is the time of the last write in whole seconds since 1970. As ttl is whole too, fractions of a second of the clock make no difference."}),
	engine.Rule(engine.Entry{ID: "cosmos.timestamp-rounding-unspecified", Citations: from(srcPage2017, srcDotnetDoc), Confidence: engine.Unspecified,
		Statement: "How the service rounds the time of a write to the whole seconds of _ts is unspecified; so an item may live up to a second less or more than its ttl. The _ts that an item shows is exact; a time of writing is rounded down here."}),
	engine.Rule(engine.Entry{ID: "cosmos.server-clock", Citations: from(srcPageJapanese, srcPage2017), Confidence: engine.Documented,
		Statement: "The service's clock counts. An item whose _ts is in the future by that clock has simply not expired."}),
	engine.Rule(engine.Entry{ID: "cosmos.property-name", Citations: from(srcPage, policy.Citation{Title: "In-memory emulator: parity runs against the Windows emulator", Address: "lemonlion/CosmosDB.InMemoryEmulator: tests/CosmosDB.InMemoryEmulator.Tests.Integration/FakeCosmosHandlerTtlTests.cs"}), Confidence: engine.Reported,
		Statement: "Only the property ttl at the root of an item counts, spelled exactly so: TTL, _ttl, TimeToLive and a ttl within another property are data like any other."}),
	engine.Rule(engine.Entry{ID: "cosmos.not-written", Citations: from(srcDotnet), Confidence: engine.VendorTest,
		Statement: "The service writes no default into items: one stored without ttl comes back without."}),
	engine.Rule(engine.Entry{ID: "cosmos.whole-items", Citations: from(srcPageJanuary, srcPage2017), Confidence: engine.Documented,
		Statement: "Items expire as a whole. What is to expire separately needs an item of its own."}),
	engine.Rule(engine.Entry{ID: "cosmos.sdk-null", Citations: from(srcDotnetDoc, srcPage2017, policy.Citation{Title: "JavaScript SDK: TTL tests", Address: "Azure/azure-cosmos-js: test/functional/ttl.spec.ts"}), Confidence: engine.FromSource,
		Statement: "Where pages and the SDKs for .NET, Java, Python and Go say null they mean a property that is left out: off for a container, the default for an item. The SDK for Node.js sends a null as it is. Written out as JSON, null is refused."}),
	engine.Rule(engine.Entry{ID: "cosmos.portal", Citations: from(srcPortal, srcPage2017), Confidence: engine.FromSource,
		Statement: "In the portal Off is no defaultTtl, On (no default) is -1, On is the number. Off is where every container begins; the setting is made at creation or later, there or by a replace. The portal shows a 0, which the service does not take, as Off."}),

	// Rules about writes and settings over time.
	engine.Rule(engine.Entry{ID: "cosmos.write-restarts", Citations: from(srcPage2017, srcMongoPage, srcTTLPatch, srcPatchSilent), Confidence: engine.Disputed,
		Statement: "A write that changes an item restarts the clock, because it sets _ts: a replace, an upsert or a patch, through either API. A read does not restart the clock. Tests show that an upsert and a patch restart it; a report of 2022 about an account of three regions says that a patch left _ts as it was. The clock starts at the _ts that the item shows."}),
	engine.Rule(engine.Entry{ID: "cosmos.write-unchanged-unspecified", Citations: from(srcPageJanuary, srcPage2017, srcTTLPatch), Confidence: engine.Unspecified,
		Statement: "Whether a replace or an upsert that changes nothing restarts the clock is unspecified. A patch that sets ttl to the value that it has does, by a test of the vendor's cache against the emulator. The _ts that the item shows counts."}),
	engine.Rule(engine.Entry{ID: "cosmos.ttl-update", Citations: from(srcPageJanuary, srcPage2017), Confidence: engine.Documented,
		Statement: "An item's ttl is changed like any property, also by a patch, with the same checks; _ts cannot be written. Without ttl the container's default counts from that write; only -1 exempts the item."}),
	engine.Rule(engine.Entry{ID: "cosmos.setting-now", Citations: from(srcMongoPage, srcPage), Confidence: engine.Documented,
		Statement: "The container's setting counts when an item is read, not when it was written: switching TTL on, or a lower default, expires old items at once."}),
	engine.Rule(engine.Entry{ID: "cosmos.setting-off", Citations: from(srcPage2017, srcPage), Confidence: engine.Documented,
		Statement: "Removing defaultTtl switches TTL off, also for items with a ttl of their own; that ttl counts again once TTL is on. -1 is not off: it removes only the default."}),
	engine.Rule(engine.Entry{ID: "cosmos.revived", Citations: from(srcRevived), Confidence: engine.Reported,
		Statement: "An item that has expired and was not purged yet is visible again if the setting is changed so that it has not expired after all."}),
	ruleIndexingRebuild,
	engine.Rule(engine.Entry{ID: "cosmos.indexing-consistent", Citations: from(srcIndexPolicy), Confidence: engine.Documented,
		Statement: "In consistent mode id and _ts are indexed whatever the policy excludes, so TTL works with every path excluded."}),

	// Rules about the visibility of expired items.
	engine.Rule(engine.Entry{ID: "cosmos.expired-invisible", Citations: from(srcPython, srcPage), Confidence: engine.VendorTest,
		Statement: "An expired item is gone at once: reads and deletes answer 404, and queries leave it out. MongoDB's expired documents stay visible until they are removed."}),
	engine.Rule(engine.Entry{ID: "cosmos.expired-writes", Citations: from(srcPageJanuary, srcPage2017), Confidence: engine.Documented,
		Statement: "No operation is possible on an expired item: a replace or a patch does not find the item. No test shows that they answer 404 too."}),
	engine.Rule(engine.Entry{ID: "cosmos.id-free", Citations: from(srcPython), Confidence: engine.VendorTest,
		Statement: "An item can be created under the id of an expired one."}),
	engine.Rule(engine.Entry{ID: "cosmos.purge", Citations: from(srcPage, srcPage2017), Confidence: engine.Documented,
		Statement: "A task in the background purges expired items at an unspecified later time, with request units that are left over; serverless accounts are billed for it. The time of the purge is no part of an answer."}),
	engine.Rule(engine.Entry{ID: "cosmos.leaks", Citations: from(
		policy.Citation{Title: "Report of counts with expired items", Address: "Azure/azure-cosmos-dotnet-v3: issue 4494"},
		policy.Citation{Title: "Report of expired items that the vNext emulator lists", Address: "Azure/azure-cosmos-db-emulator-docker: issue 239"},
		policy.Citation{Title: "Report of a defaultTtl of -2 in the vNext emulator", Address: "Azure/azure-cosmos-db-emulator-docker: issue 215"}), Confidence: engine.Reported,
		Statement: "Aggregates were seen to count items that had expired and were not purged yet. The vNext emulator was seen to list them for up to 5 minutes, and to show the defaultTtl of a container as -2. These are defects; the right answer about such an item is that it has expired."}),
	engine.Rule(engine.Entry{ID: "cosmos.replicas-unspecified", Citations: from(srcPage), Confidence: engine.Unspecified,
		Statement: "Whether a read from a replica that lags behind may find an item past its deadline is unspecified. It is a question about the read: the item has expired, for every operation."}),
	engine.Rule(engine.Entry{ID: "cosmos.refusal-text-unspecified", Citations: from(srcZeroDefault), Confidence: engine.Unspecified,
		Statement: "The service's refusal was seen for a defaultTtl of 0, a ttl of 0 and null, indexing mode none, a TTL index on another field, and an index that exists with another value. Any other text is this library's own, and says so at its end."}),

	engine.Rule(engine.Entry{ID: "cosmos.change-feed", Citations: from(policy.Citation{Title: "Azure Cosmos DB: change feed modes", Address: "MicrosoftDocs/azure-databases-docs: articles/cosmos-db/change-feed-modes.md"}), Confidence: engine.Documented,
		Statement: "In mode all versions and deletes the change feed reports each item that TTL deleted, with timeToLiveExpired, once it is purged and not when it expires. In mode latest version it reports no deletion."}),
	engine.Rule(engine.Entry{ID: "cosmos.restore", Citations: from(srcBackup, policy.Citation{Title: "Azure Resource Manager: parameters of a restore", Address: "https://learn.microsoft.com/en-us/javascript/api/@azure/arm-cosmosdb/restoreparametersbase"}), Confidence: engine.Documented,
		Statement: "A restore brings the containers' TTL settings back, so that old items expire at once in the restored account. With the parameter restoreWithTtlDisabled, or --disable-ttl of az, it has TTL off. The parameter exists for an account, and for a single container, database, graph or table too."}),
	engine.Rule(engine.Entry{ID: "cosmos.fabric", Citations: from(srcFabric), Confidence: engine.Documented,
		Statement: "Cosmos DB in Microsoft Fabric has the same rules of TTL, on pages of its own."}),

	// Rules about the property path and the analytical store.
	engine.Rule(engine.Entry{ID: "cosmos.path-dropped", Citations: from(policy.Citation{Title: "Azure Cosmos DB explorer", Address: "Azure/cosmos-explorer: issue 274"}, srcDotnetDoc), Confidence: engine.Reported,
		Statement: "ttlPropertyPath is marked obsolete in the SDK that has it, since 2019-08-21, and is in neither the portal nor the resource templates."}),
	engine.Rule(engine.Entry{ID: "cosmos.analytical-keeps-setting", Citations: from(srcAnalytical, srcDotnetDoc), Confidence: engine.Documented,
		Statement: "An update without analyticalStorageTtl keeps the previous value, unlike one without defaultTtl."}),
	engine.Rule(engine.Entry{ID: "cosmos.analytical-independent", Citations: from(srcAnalytical), Confidence: engine.Documented,
		Statement: "The analytical store knows no ttl of items, and what expires in the transactional store stays in it. With equal settings the analytical store mirrors the transactional store; with a larger setting it keeps history."}),
	engine.Rule(engine.Entry{ID: "cosmos.analytical-restore", Citations: from(srcBackup, srcAnalytical), Confidence: engine.Documented,
		Statement: "The analytical store is not in backups, so a restore does not bring it back. Items that are inserted again after a restore are in the analytical store twice."}),
	engine.Rule(engine.Entry{ID: "cosmos.analytical-revived", Citations: from(srcAnalytical), Confidence: engine.Documented,
		Statement: "Going back to -1 shows every hidden row again."}),

	// Rules about the API for MongoDB.
	engine.Rule(engine.Entry{ID: "cosmos.mongo-core", Citations: from(srcMongoPage, srcIndexing), Confidence: engine.Documented,
		Statement: "The API for MongoDB uses the core's TTL: an index on _ts with expireAfterSeconds, ascending or descending, is the container's default, and applies to the existing items too."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-no-default", Citations: from(srcTerraform), Confidence: engine.Reported,
		Statement: "expireAfterSeconds -1 is legal and means on, without a default. MongoDB refuses it. Old advice that 0 or a negative number switches TTL off is about a tool that left the index out then."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-timestamp", Citations: from(srcMongoPage), Confidence: engine.Documented,
		Statement: "Clients of the API for MongoDB can neither read nor write _ts, so a program that decides must get it from elsewhere."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-field-boundary-unspecified", Citations: from(srcFeature), Confidence: engine.Unspecified,
		Statement: "Whether a document expires in the very millisecond of a field's deadline or after it is unspecified; it is kept in that millisecond. The page says of fractions of a second only that it goes by milliseconds."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-coll-mod", Citations: from(srcFeature), Confidence: engine.Documented,
		Statement: "There is no collMod: to change the value, drop the index and create it again."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-doc-level-ttl", Citations: from(srcDocLevel, srcCapabilityList), Confidence: engine.Documented, Versions: "3.2",
		Statement: "On server version 3.2 a document's ttl counts if the account has the capability mongoEnableDocLevelTTL. Later versions need no capability for it."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-server-versions", Citations: from(srcFeature70, srcFeature32), Confidence: engine.Documented,
		Statement: "Accounts of the API for MongoDB have server version 3.2, 3.6, 4.0, 4.2, 5.0, 6.0 or 7.0. Any other has no answer."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-custom-path-account", Citations: from(srcCapabilities), Confidence: engine.Documented,
		Statement: "The capability EnableTtlOnCustomPath cannot be removed once an account has it, and an account with continuous backup cannot have it."}),
	engine.Rule(engine.Entry{ID: "cosmos.mongo-not-vcore", Citations: from(
		policy.Citation{Title: "DocumentDB, TTL indexes", Address: "microsoft/documentdb: pg_documentdb/src/ttl/ttl_index.c"},
		policy.Citation{Title: "DocumentDB, creation of indexes", Address: "microsoft/documentdb: pg_documentdb/src/commands/create_indexes.c"},
		policy.Citation{Title: "DocumentDB, collMod", Address: "microsoft/documentdb: pg_documentdb/src/commands/coll_mod.c"}), Confidence: engine.FromSource,
		Statement: "Azure DocumentDB (vCore) is another engine, whose TTL index is on a date; _ts and ttl mean nothing there. It is not MongoDB either. By its source it deletes a document once the date plus the delay lies before the clock, and not yet in the millisecond in which they are equal. It deletes at most 10,000 documents of an index in a minute. It cuts a longer delay in collMod to 32 bits, and has no capped, clustered or time-series collections. The rules documentdb.… describe the open engine; --server documentdb@0.112 judges by them."}),
}
