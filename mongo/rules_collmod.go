package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// The codes of refusals that the server has no name for.
const (
	bucketSpan       ErrorCode = 5510500
	clusteredUnique  ErrorCode = 5979700
	clusteredFlag    ErrorCode = 5979703
	clusteredVersion ErrorCode = 5979704
	hiddenClusterKey ErrorCode = 6011800
	clusteredView    ErrorCode = 6026500
	clusteredSize    ErrorCode = 6049200
	clusteredCapped  ErrorCode = 6049201
	clusteredMax     ErrorCode = 6049204
)

// The sources of these rules.
var (
	srcCollMod        = serverFile("collMod", "src/mongo/db/catalog/coll_mod.cpp")
	srcCollModIndex   = serverFile("collMod of an index", "src/mongo/db/catalog/coll_mod_index.cpp")
	srcCollModIDL     = serverFile("collMod's fields", "src/mongo/db/coll_mod.idl")
	srcIDL            = serverFile("parser of commands", "src/mongo/idl/idl_parser.cpp")
	srcCreate         = serverFile("create", "src/mongo/db/commands/create_command.cpp")
	srcCreateOld      = serverFile("create of the branches v3.4 to v4.4", "src/mongo/db/commands/dbcommands.cpp")
	srcCreateChecks   = serverFile("creation of collections", "src/mongo/db/catalog/create_collection.cpp")
	srcClusteredUtil  = serverFile("clustered collections", "src/mongo/db/catalog/clustered_collection_util.cpp")
	srcViewTicket     = policy.Citation{Title: "SERVER-63859", Address: "https://jira.mongodb.org/browse/SERVER-63859"}
	srcReplyTicket    = policy.Citation{Title: "SERVER-62068", Address: "https://jira.mongodb.org/browse/SERVER-62068"}
	srcRewriteTicket  = policy.Citation{Title: "SERVER-92366", Address: "https://jira.mongodb.org/browse/SERVER-92366"}
	srcCollModTest    = serverFile("collmod.js", "jstests/core/collmod.js")
	srcConvertTest    = serverFile("coll_mod_convert_to_ttl.js", "jstests/core/coll_mod_convert_to_ttl.js")
	srcSeriesTest     = serverFile("timeseries_create.js", "jstests/core/timeseries/timeseries_create.js")
	srcExpireTest     = suiteFile("collMod/test_collMod_index_expire.py")
	srcIdentifierTest = suiteFile("collMod/test_collMod_index_identifier.py")
	srcArgumentTest   = suiteFile("collMod/test_collMod_index_argument.py")
	srcPrepareTest    = suiteFile("collMod/test_collMod_index_prepare_unique.py")
	srcUniqueTest     = suiteFile("collMod/test_collMod_index_unique.py")
	srcHiddenTest     = suiteFile("collMod/test_collMod_index_hidden.py")
	srcOwnModTest     = suiteFile("collMod/test_collMod_time_series_expire.py")
	srcOwnCreateTest  = suiteFile("create/test_create_expire_after_seconds.py")
	srcBucketTest     = suiteFile("create/test_create_timeseries_validation.py")
	srcClusterTest    = suiteFile("create/test_create_clustered_index_validation.py")
	srcSizeTest       = suiteFile("create/test_create_size.py")
)

// suiteFile cites a test of a suite that runs against mongod 8.2.4.
func suiteFile(path string) policy.Citation {
	return policy.Citation{Title: "Functional tests run against MongoDB", Address: "documentdb/functional-tests: documentdb_tests/compatibility/tests/core/collections/commands/" + path}
}

// How commands are read.
var (
	ruleCommandUnspecified = &policy.Rule{ID: "mongo.command-unspecified",
		Versions:  "collMod of 2.2 and 5.0, by name up to 3.2, unique and prepareUnique up to 5.3; create up to 3.2; clusteredIndex up to 5.2, bucketRoundingSeconds up to 6.2",
		Citations: from(srcCollMod, srcCreateChecks), Confidence: policy.Unestablished,
		Statement: "How this release reads the field, or the command, is not established. For 5.0 it is open whether collMod refuses what is wrong by type or by name as 4.4 does or as 5.1 does."}
	ruleCommandType = &policy.Rule{ID: "mongo.command-type", Versions: "collMod since 5.1, create since 4.2; collMod's name, keyPattern and hidden by hand before",
		Citations: from(srcExpireTest, srcOwnModTest, srcOwnCreateTest, srcIDL), Confidence: policy.VendorTest,
		Statement: "A field of a command that has another type than it takes is refused (TypeMismatch). Null counts as absent, except in collMod's own expireAfterSeconds and in clusteredIndex. Where types are looked at by hand, null is no type that is taken, and the code is InvalidOptions."}
	ruleCommandUnknown = &policy.Rule{ID: "mongo.command-unknown-field", Versions: "collMod: options always, fields of index since 4.4; create since 3.4",
		Citations: from(srcArgumentTest, srcCollMod, srcCreateOld, srcIDL), Confidence: policy.VendorTest,
		Statement: "A field that the command does not know is refused: with 40415 where commands are read strictly (collMod since 5.1, create since 4.2), which is named IDLUnknownField since 8.0 and has no name up to 6.0, with InvalidOptions before. Up to 4.2 collMod ignores what it does not know of index. The expireAfterSeconds of a collection is such a field up to 4.4."}
	ruleCommandMissing = &policy.Rule{ID: "mongo.command-missing-field", Versions: "4.2 and later", Citations: from(srcBucketTest, srcClusterTest, srcIDL), Confidence: policy.VendorTest,
		Statement: "timeseries without timeField, and clusteredIndex without key or unique, are refused (40414, which is named IDLFailedToParse since 8.0 and has no name up to 6.0), null counting as absent."}
	ruleCommandValue = &policy.Rule{ID: "mongo.command-value", Versions: "5.0 and later", Citations: from(srcBucketTest, srcSizeTest, srcIDL), Confidence: policy.VendorTest,
		Statement: "A number outside the range of its field, or a word that is none of its words, is refused as it is read (BadValue): bucketMaxSpanSeconds and bucketRoundingSeconds take 1 to 31536000, once they are whole."}
)

// The rules of a change of an index by collMod, in the order of its checks.
var (
	ruleCollModView = &policy.Rule{ID: "mongo.collmod-view", Citations: from(srcArgumentTest, srcOwnModTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "A view has no indexes and no expireAfterSeconds: collMod refuses both options (InvalidOptions)."}
	ruleCollModViewUnspecified = &policy.Rule{ID: "mongo.collmod-view-unspecified", Versions: "5.0.0 to 5.0.6, 5.1 to 5.2.1", Citations: from(srcViewTicket), Confidence: policy.Unestablished,
		Statement: "What collMod makes of the expireAfterSeconds of a view is not established: later releases disallow it, and earlier ones do not know it."}
	ruleCollModAddress = &policy.Rule{ID: "mongo.collmod-address", Citations: from(srcIdentifierTest, srcCollModTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "An index is addressed by its name or by its key pattern; both, or neither, is refused (InvalidOptions)."}
	ruleCollModNothing = &policy.Rule{ID: "mongo.collmod-nothing", Citations: from(srcExpireTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "A command that says of an index nothing that could be changed is refused (InvalidOptions); since 5.1 that is what expireAfterSeconds null amounts to."}
	ruleCollModNotNumber = &policy.Rule{ID: "mongo.collmod-not-number", Versions: "up to 4.4", Citations: from(srcCollMod), Confidence: policy.FromSource,
		Statement: "An index's new expireAfterSeconds that is no number, null included, is refused (InvalidOptions)."}
	ruleCollModSeries = &policy.Rule{ID: "mongo.collmod-timeseries", Versions: "5.0 and later", Citations: from(srcCollMod, srcCollModTest), Confidence: policy.VendorTest,
		Statement: "collMod changes expireAfterSeconds of no index of a time-series collection (InvalidOptions), whichever index it is; the collection's own option is to be used."}
	ruleCollModCapped = &policy.Rule{ID: "mongo.collmod-capped", Versions: "5.1 to 6.0.24, 6.1 to 7.0.24", Citations: from(srcCollMod, srcCappedDeletes), Confidence: policy.VendorTest,
		Statement: "collMod changes expireAfterSeconds of no index of a capped collection (InvalidOptions). Other releases take it."}
	ruleCollModCappedUnspecified = &policy.Rule{ID: "mongo.collmod-capped-unspecified", Versions: "5.0; 6.0.25 and later in 6.0, 7.0.25 and later in 7.0", Citations: from(srcCollMod, srcCappedBackport), Confidence: policy.Unestablished,
		Statement: "Whether the release lets collMod change expireAfterSeconds of an index of a capped collection is not established: 4.4 does and 5.1 does not; and a ticket whose patch is not pinned brings what 7.1 does to 6.0 and 7.0."}
	ruleCollModNegative = &policy.Rule{ID: "mongo.collmod-negative", Versions: "5.0 and later", Citations: from(srcExpireTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "An index's new expireAfterSeconds below 0, once it is a whole number, is refused (InvalidOptions), minus infinity included: -0.9 is 0 as a double and -1 as a decimal. Up to 4.4 it is stored and used."}
	ruleCollModLarge = &policy.Rule{ID: "mongo.collmod-before-1970", Versions: "5.0.0 to 5.0.13, 5.1 to 6.0.1", Citations: from(srcCollMod, srcValidate, srcNaN), Confidence: policy.FromSource,
		Statement: "An index's new expireAfterSeconds above the seconds since 1970 is refused (InvalidOptions), once it is a whole number of at most 2147483647."}
	ruleCollModHidden = &policy.Rule{ID: "mongo.collmod-hidden", Versions: "4.4 and later", Citations: from(srcHiddenTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "The index on _id cannot be hidden (BadValue), nor can a clustered collection's own key (6011800). Any other may be, together with a change of its expireAfterSeconds."}
	ruleCollModNotFound = &policy.Rule{ID: "mongo.collmod-not-found", Citations: from(srcIdentifierTest, srcClusterTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "An index that is not there is refused (IndexNotFound). So is a clustered collection's own key, which is no index, and a text index by the pattern it was made with, which is not the one it keeps."}
	ruleCollModAmbiguous = &policy.Rule{ID: "mongo.collmod-ambiguous", Citations: from(srcCollModTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "A key pattern that several indexes have is refused (AmbiguousIndexKeyPattern); their names tell them apart."}
	ruleCollModNoTTL = &policy.Rule{ID: "mongo.collmod-no-ttl", Versions: "up to 5.0", Citations: from(srcManualTTL, srcCollMod), Confidence: policy.Documented,
		Statement: "collMod gives expireAfterSeconds to no index that has none (InvalidOptions). Since 5.1 it turns one of a single field into a TTL index."}
	ruleCollModWildcard = &policy.Rule{ID: "mongo.collmod-wildcard", Versions: "5.1 and later", Citations: from(srcExpireTest), Confidence: policy.Inferred,
		Statement: "A wildcard index is no TTL index. The command makes mongod 8.2.4 crash; what it should answer, and is answered here, is InvalidOptions."}
	ruleCollModStored = &policy.Rule{ID: "mongo.collmod-stored-not-number", Citations: from(srcCollMod), Confidence: policy.FromSource,
		Statement: "An index whose stored expireAfterSeconds is no number cannot be given another by collMod (InvalidOptions)."}
	ruleCollModID = &policy.Rule{ID: "mongo.collmod-id", Versions: "5.1 and later", Citations: from(srcExpireTest, srcConvertTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "The index on _id becomes no TTL index (InvalidOptions)."}
	ruleCollModCompound = &policy.Rule{ID: "mongo.collmod-compound", Versions: "5.1 and later", Citations: from(srcExpireTest, srcConvertTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "An index of several fields becomes no TTL index (InvalidOptions), nor does a text index, which keeps several."}
	ruleCollModUnique = &policy.Rule{ID: "mongo.collmod-unique", Versions: "6.0 and later", Citations: from(srcUniqueTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "An index is made unique only after prepareUnique (InvalidOptions), and unique is not taken back (BadValue)."}
	ruleCollModPrepare = &policy.Rule{ID: "mongo.collmod-prepare-unique", Versions: "6.0 and later", Citations: from(srcPrepareTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "A change of prepareUnique goes together with no other, that of expireAfterSeconds included (InvalidOptions). Setting it to what it is changes nothing and goes with any."}
	ruleCollModReplyUnspecified = &policy.Rule{ID: "mongo.collmod-reply-unspecified", Versions: "5.1 and 5.2; 6.2 and 6.3", Citations: from(srcCollModIndex, srcReplyTicket), Confidence: policy.Unestablished,
		Statement: "Whether 5.1 and 5.2 report the stored and the given number as they are or their whole seconds is not established; it matters for a fraction and for NaN. A stored expireAfterSeconds below 0 or above 2147483647 is reported as it is up to 6.1 and as 0 since 7.0; between them it is not established."}
)

// The rules of a collection's own expireAfterSeconds, and of creating it.
var (
	ruleOwnKind = &policy.Rule{ID: "mongo.collection-seconds-kind", Versions: "5.0 and later", Citations: from(srcOwnCreateTest, srcOwnModTest, srcCreate), Confidence: policy.VendorTest,
		Statement: "Only a time-series collection, and since 5.3 a clustered one, has an expireAfterSeconds of its own: create and collMod refuse it for ordinary and capped collections, and create for views (InvalidOptions)."}
	ruleOwnText = &policy.Rule{ID: "mongo.collection-seconds-text", Versions: "5.0 and later", Citations: from(srcOwnModTest, srcCollMod), Confidence: policy.VendorTest,
		Statement: "collMod takes the text off, in exactly these letters, which takes a collection's own expireAfterSeconds away; any other text is refused (InvalidOptions)."}
	ruleOwnNegative = &policy.Rule{ID: "mongo.collection-seconds-negative", Versions: "5.0 and later", Citations: from(srcOwnCreateTest, srcOwnModTest), Confidence: policy.VendorTest,
		Statement: "A collection's own expireAfterSeconds below 0, once it is a whole number, is refused (InvalidOptions)."}
	ruleOwnLarge = &policy.Rule{ID: "mongo.collection-seconds-before-1970", Versions: "5.0 and later", Citations: from(srcOwnCreateTest, srcOwnModTest, srcValidate), Confidence: policy.VendorTest,
		Statement: "A collection's own expireAfterSeconds above the seconds since 1970, or whose milliseconds do not fit 64 bits, is refused (InvalidOptions); equal to the clock it is taken. 2147483648, which no index may have, is legal here from 2038 on."}
	ruleCreateCapped = &policy.Rule{ID: "mongo.create-capped", Versions: "4.2 and later", Citations: from(srcSizeTest, srcCreate), Confidence: policy.VendorTest,
		Statement: "A capped collection needs a size, and size and max need a capped collection (InvalidOptions)."}
	ruleCreateCluster = &policy.Rule{ID: "mongo.create-clustered", Versions: "5.3 and later", Citations: from(srcClusterTest, srcClusteredUtil, srcCreateChecks), Confidence: policy.VendorTest,
		Statement: "A clustered collection is clustered by {_id: 1} (InvalidIndexSpecificationOption), unique (5979700), of version 2 (5979704), given as a document (5979703), no view (6026500), without size (6049200) and max (6049204), and capped only together with expireAfterSeconds (6049201) where the server's test commands are enabled."}
	ruleCreateSeries = &policy.Rule{ID: "mongo.create-timeseries", Versions: "5.0 and later", Citations: from(srcBucketTest, srcSeriesTest, srcCreate), Confidence: policy.VendorTest,
		Statement: "A time-series collection is not capped, clustered or a view, its time and meta fields are top-level fields that differ, and the meta field is not _id (InvalidOptions)."}
	ruleCreateBuckets = &policy.Rule{ID: "mongo.create-buckets", Versions: "5.0 and later", Citations: from(srcBucketTest, srcSeriesTest, srcSeriesOptions), Confidence: policy.VendorTest,
		Statement: "Since 6.3 bucketMaxSpanSeconds can be set, together with an equal bucketRoundingSeconds and without granularity (InvalidOptions otherwise). Beside a granularity, and before 6.3 (5510500), it is the granularity's or absent."}
)

// collModRules are those by which collMod and create refuse.
var collModRules = []*policy.Rule{
	ruleCommandUnspecified, ruleCommandType, ruleCommandUnknown, ruleCommandMissing, ruleCommandValue,
	ruleCollModView, ruleCollModViewUnspecified, ruleCollModAddress, ruleCollModNothing, ruleCollModNotNumber, ruleCollModSeries, ruleCollModCapped,
	ruleCollModCappedUnspecified, ruleCollModNegative, ruleCollModLarge, ruleCollModHidden, ruleCollModNotFound,
	ruleCollModAmbiguous, ruleCollModNoTTL, ruleCollModWildcard, ruleCollModStored, ruleCollModID, ruleCollModCompound,
	ruleCollModUnique, ruleCollModPrepare, ruleCollModReplyUnspecified,
	ruleOwnKind, ruleOwnText, ruleOwnNegative, ruleOwnLarge,
	ruleCreateCapped, ruleCreateCluster, ruleCreateSeries, ruleCreateBuckets,
}

// strictRules are those of commands that are read strictly.
var strictRules = []*policy.Rule{ruleCommandType, ruleCommandUnknown, ruleCommandMissing, ruleCommandValue}

// collModStatements are what collMod and create do with what they take.
var collModStatements = []*policy.Rule{
	{ID: "mongo.collmod-conversion", Versions: "5.0 and later", Citations: from(srcExpireTest, srcCollModIDL), Confidence: policy.VendorTest,
		Statement: "collMod takes an index's new expireAfterSeconds as the nearest whole number that fits 32 bits: what is above 2147483647, and infinity, becomes 2147483647, and NaN becomes 0, by which every document whose date is not in the future expires. createIndexes refuses them all."},
	{ID: "mongo.collmod-stores-any", Versions: "up to 4.4", Citations: from(srcCollMod), Confidence: policy.FromSource,
		Statement: "collMod stores any whole number of 64 bits as an index's expireAfterSeconds, NaN as 0; below 0 it makes documents expire before their date."},
	{ID: "mongo.collmod-reply", Citations: from(srcExpireTest, srcCollModIndex, srcCollMod), Confidence: policy.VendorTest,
		Statement: "collMod reports the old and the new expireAfterSeconds of an index, also if they are equal, and the new one alone for an index that had none. Up to 4.2 it reports them only if they differ. A collection's own is not reported."},
	{ID: "mongo.collmod-reply-elements", Versions: "up to 5.0", Citations: from(srcCollMod), Confidence: policy.FromSource,
		Statement: "collMod reports the stored and the given value as they are, in their types: a fraction with what it has behind the point, NaN as NaN. What it stores is the whole number all the same. That 5.0 is as 4.4 is inferred."},
	{ID: "mongo.collmod-reply-seconds", Versions: "5.3 and later", Citations: from(srcReplyTicket, srcExpireTest, srcCollModIndex), Confidence: policy.VendorTest,
		Statement: "collMod reports whole seconds as an int64, whatever the types of the stored and the given number."},
	{ID: "mongo.collmod-reply-invalid", Versions: "5.3 and later", Citations: from(srcCollModIndex), Confidence: policy.FromSource,
		Statement: "A stored NaN is reported as 0 and always replaced; since 7.0 so is every stored number that no index may have."},
	{ID: "mongo.collmod-rewrites", Versions: "8.1 and later", Citations: from(srcRewriteTicket), Confidence: policy.Documented,
		Statement: "A stored double or decimal is replaced by an int32 also if its whole seconds are the new ones. From 5.3 to 8.0 that changes nothing, so that 10000.7 stays in the catalog; the delay is the same."},
	{ID: "mongo.collmod-special", Versions: "5.1 and later", Citations: from(srcExpireTest), Confidence: policy.VendorTest,
		Statement: "A hashed, 2d or 2dsphere index of one field takes expireAfterSeconds by collMod, and deletes nothing by it."},
	{ID: "mongo.collection-seconds-conversion", Versions: "5.0 and later", Citations: from(srcOwnCreateTest, srcOwnModTest), Confidence: policy.VendorTest,
		Statement: "A collection's own expireAfterSeconds is stored as whole seconds of 64 bits: doubles truncated, decimals rounded half to even, NaN as 0."},
	{ID: "mongo.collection-seconds-off", Versions: "5.0 and later", Citations: from(srcOwnModTest), Confidence: policy.VendorTest,
		Statement: "Taking away a collection's own expireAfterSeconds that it does not have changes nothing and succeeds."},
}
