package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Rules about the reading of commands.
var (
	CommandUnspecified = rule(engine.Entry{ID: "mongo.command-unspecified",
		Citations: from(srcCollMod, srcCreateChecks), Confidence: engine.Unspecified,
		Statement: "How this release reads the field, or the command, is unspecified: decimals {in decimals@2.2}, unique and prepareUnique {in prepareUnique@2.2}, clusteredIndex {in clustered@2.2}, bucketRoundingSeconds {in bucketSpans@2.2}, and what collMod makes of an index's new expireAfterSeconds below 0 or above the seconds since 1970 {in collModRange@5.0}."})
	CommandType = rule(engine.Entry{ID: "mongo.command-type",
		Citations: from(srcExpireTest, srcOwnModTest, srcOwnCreateTest, srcIDL), Confidence: engine.VendorTest,
		Statement: "A field of a command that has another type than it accepts is refused (TypeMismatch), by collMod {in collMod@5.0} and by create {in create@4.2}. Null counts as absent, except in collMod's own expireAfterSeconds and in clusteredIndex. Before that collMod looks by hand at the types of name and keyPattern, in 4.4 of hidden, and of a view's pipeline and viewOn. Where types are looked at by hand, null is not a type that is accepted, and the code is InvalidOptions, or 10065 for a value that is no document and 13111 for one that is no text."})
	CommandUnknown = rule(engine.Entry{ID: "mongo.command-unknown-field",
		Citations: from(srcArgumentTest, srcCollModOld, srcCollMod, srcCreateOld, srcIDL), Confidence: engine.VendorTest,
		Statement: "A field that the command does not know is refused. Releases that read commands strictly (collMod {in collMod@5.0}, create {in create@4.2}) refuse it with 40415, and earlier releases with InvalidOptions. The code 40415 is named IDLUnknownField {in parserCodes@8.0} and has no name {in parserCodes@2.2}. {In create@2.2} create ignores an unknown field, and {in collMod@2.2/3.2.12} collMod ignores an unknown field of index. The expireAfterSeconds of a collection is an unknown field {in timeSeries@2.2}. A comment is accepted {in arguments@4.4}, and collMod accepts a writeConcern {in arguments@3.6/4.0/4.2/4.4}. Every release has a list of the arguments that each command accepts. An argument that is not in the list is refused, also if it begins with a dollar sign. {In collMod@2.2} collMod goes on after an unknown field, as after any other fault, and reports the last fault. In 2.4 and 2.6 it changes an index in spite of the fault; 3.0 undoes that change."})
	CommandMissing = rule(engine.Entry{ID: "mongo.command-missing-field", Citations: from(srcBucketTest, srcClusterTest, srcIDL), Confidence: engine.VendorTest,
		Statement: "timeseries without timeField, and clusteredIndex without key or unique, are refused (40414, which is named IDLFailedToParse {in parserCodes@8.0} and has no name {in parserCodes@2.2}), null counting as absent."})
	CommandValue = rule(engine.Entry{ID: "mongo.command-value", Citations: from(srcBucketTest, srcSizeTest, srcIDL), Confidence: engine.VendorTest,
		Statement: "A number outside the range of its field, or a word that its field does not accept, is refused when the field is read (BadValue, or 51024 {in rangeCode@2.2}). bucketMaxSpanSeconds and bucketRoundingSeconds accept 1 to 31536000, once they are converted to whole numbers. A timeField has no null byte. {In timeSeries@2.2} create refuses a size below 0 (10083 {in createSize@2.2}), and in 2.6.0 and 2.6.1 a size that is not a number. It refuses a max of a capped collection beyond 31 bits (16495 in 2.4, accepted in 2.2). It refuses {in create@3.4/4.2} a size above a petabyte and an empty viewOn, and {in create@3.4} a viewOn that is no text. A pipeline needs a viewOn. An apiVersion must be \"1\" (322). apiStrict and apiDeprecationErrors need an apiVersion (4886600). A command with apiStrict has no field outside of that version of the API (323). maxTimeMSOpOnly is for servers alone (72)."})
)

// The rules of a change of an index by collMod, in the order of its checks.
var (
	CollModView = rule(engine.Entry{ID: "mongo.collmod-view", Citations: from(srcArgumentTest, srcOwnModTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "A view has no indexes and no expireAfterSeconds: collMod refuses both options (InvalidOptions), and a validator too. The options pipeline and viewOn are for views alone."})
	CollModViewUnspecified = rule(engine.Entry{ID: "mongo.collmod-view-unspecified", Citations: from(srcViewTicket), Confidence: engine.Unspecified,
		Statement: "What collMod makes of the expireAfterSeconds of a view is unspecified: later releases disallow it, and earlier ones do not know it."})
	CollModAddress = rule(engine.Entry{ID: "mongo.collmod-address", Citations: from(srcIdentifierTest, srcCollModTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "An index is addressed by its name or by its key pattern; both, or neither, is refused (InvalidOptions). {In collModNames@2.2} a name is ignored, and a key pattern that is missing or empty is refused."})
	CollModNothing = rule(engine.Entry{ID: "mongo.collmod-nothing", Citations: from(srcExpireTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "A command that names an index but nothing of it to change is refused (InvalidOptions); {in collMod@5.0} expireAfterSeconds null counts as nothing."})
	CollModNotNumber = rule(engine.Entry{ID: "mongo.collmod-not-number", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "An index's new expireAfterSeconds that is not a number, null included, is refused (InvalidOptions)."})
	CollModSeries = rule(engine.Entry{ID: "mongo.collmod-timeseries", Citations: from(srcCollMod, srcCollModTest), Confidence: engine.VendorTest,
		Statement: "collMod refuses to change expireAfterSeconds of any index of a time-series collection (InvalidOptions); change the collection's own option instead."})
	CollModCapped = rule(engine.Entry{ID: "mongo.collmod-capped", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "collMod refuses to change expireAfterSeconds of an index of a capped collection (InvalidOptions). Other releases accept it."})
	CollModCappedUnspecified = rule(engine.Entry{ID: "mongo.collmod-capped-unspecified", Citations: from(srcCollMod, srcCappedBackport), Confidence: engine.Unspecified,
		Statement: "Whether the release lets collMod change expireAfterSeconds of an index of a capped collection is unspecified: a ticket whose patch is not pinned brings what 7.1 does to 6.0 and 7.0."})
	CollModNegative = rule(engine.Entry{ID: "mongo.collmod-negative", Citations: from(srcExpireTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "An index's new expireAfterSeconds below 0, once it is a whole number, is refused (InvalidOptions), minus infinity included: -0.9 is 0 as a double and -1 as a decimal. {In collModRange@2.4} it is stored and used."})
	CollModLarge = rule(engine.Entry{ID: "mongo.collmod-before-1970", Citations: from(srcCollMod, srcValidate, srcNaN), Confidence: engine.FromSource,
		Statement: "An index's new expireAfterSeconds above the seconds since 1970 is refused (InvalidOptions), once it is a whole number of at most 2147483647."})
	CollModHidden = rule(engine.Entry{ID: "mongo.collmod-hidden", Citations: from(srcHiddenTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "The index on _id cannot be hidden (BadValue), nor can a clustered collection's own key, by its pattern or by the name that it has (6011800), nor an index of a system collection (BadValue). Any other index may be hidden, also together with a change of its expireAfterSeconds."})
	CollModNotFound = rule(engine.Entry{ID: "mongo.collmod-not-found", Citations: from(srcIdentifierTest, srcClusterTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "An index that is not there is refused (IndexNotFound; InvalidOptions {in collModNotFound@3.2.0}). A clustered collection's own key is refused too, because it is not an index. A text index is refused if the command names it by the key pattern with which it was created, because the index keeps another pattern."})
	CollModAmbiguous = rule(engine.Entry{ID: "mongo.collmod-ambiguous", Citations: from(srcCollModTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "A key pattern that several indexes have is refused (AmbiguousIndexKeyPattern); their names tell them apart."})
	CollModNoTTL = rule(engine.Entry{ID: "mongo.collmod-no-ttl", Citations: from(srcManualTTL, srcCollMod), Confidence: engine.Documented,
		Statement: "collMod refuses to give expireAfterSeconds to an index that has none (InvalidOptions). {In collModConverts@5.1} it turns an index of a single field into a TTL index."})
	CollModWildcard = rule(engine.Entry{ID: "mongo.collmod-wildcard", Citations: from(srcExpireTest), Confidence: engine.Inferred,
		Statement: "A wildcard index cannot become a TTL index. The command makes mongod 8.2.4 crash; it should answer InvalidOptions, which is the answer here."})
	CollModStored = rule(engine.Entry{ID: "mongo.collmod-stored-not-number", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "An index whose stored expireAfterSeconds is not a number cannot be given another by collMod (InvalidOptions)."})
	CollModID = rule(engine.Entry{ID: "mongo.collmod-id", Citations: from(srcExpireTest, srcConvertTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses to turn the index on _id into a TTL index (InvalidOptions)."})
	CollModCompound = rule(engine.Entry{ID: "mongo.collmod-compound", Citations: from(srcExpireTest, srcConvertTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses to turn an index of several fields into a TTL index (InvalidOptions), or a text index, which keeps several."})
	CollModUnique = rule(engine.Entry{ID: "mongo.collmod-unique", Citations: from(srcUniqueTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "An index is made unique only after prepareUnique (InvalidOptions), and unique cannot be undone (BadValue)."})
	CollModPrepare = rule(engine.Entry{ID: "mongo.collmod-prepare-unique", Citations: from(srcPrepareTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "A change of prepareUnique cannot go together with another change, such as one of expireAfterSeconds (InvalidOptions). To set prepareUnique to its present value changes nothing, and can go together with any change."})
	CollModDryRun = rule(engine.Entry{ID: "mongo.collmod-dry-run", Citations: from(srcDryRunTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "dryRun changes nothing, and is for unique alone: together with a change of expireAfterSeconds it is refused (InvalidOptions)."})
	CollModSeriesOption = rule(engine.Entry{ID: "mongo.collmod-timeseries-option", Citations: from(srcCollMod), Confidence: engine.Inferred,
		Statement: "A time-series collection has no validator, and keeps no documents from before their changes: collMod refuses the options that set these (InvalidOptions). For 5.0 this is inferred."})
	CollModNotDocument = rule(engine.Entry{ID: "mongo.collmod-not-document", Citations: from(srcCollModOld, srcCollMod), Confidence: engine.FromSource,
		Statement: "An index that is not a document is refused (10065). An array counts as a document that has none of the fields."})
	CollModInPlaceDecimal = rule(engine.Entry{ID: "mongo.collmod-in-place-decimal", Versions: "3.4 to 4.0", Citations: from(srcMMAPv1Update), Confidence: engine.FromSource,
		Statement: "A stored decimal cannot be written over, so that MMAPv1 refuses another expireAfterSeconds (16632). Other storage engines accept it."})
	CollModEngineUnspecified = rule(engine.Entry{ID: "mongo.collmod-engine-unspecified", Citations: from(srcMMAPv1Update, srcKVUpdate), Confidence: engine.Unspecified,
		Statement: "Without the storage engine it is unspecified what collMod stores of a number that does not fit the type of the stored one: MMAPv1 writes it over the old number, of which an int32 takes the low 32 bits, and other engines store it as an int64. The parameter storageEngine tells it, by the name that serverStatus shows."})
	CollModReplyUnspecified = rule(engine.Entry{ID: "mongo.collmod-reply-unspecified", Citations: from(srcCollModIndex, srcReplyTicket), Confidence: engine.Unspecified,
		Statement: "Whether 5.1 and 5.2 report the stored number as it is or its whole seconds is unspecified; it matters for a fraction and for NaN. A stored expireAfterSeconds below 0 or above 2147483647 is reported as it is {in outOfRange@2.2} and as 0 {in outOfRange@7.0}; between them it is unspecified."})
)

// The rules of a collection's own expireAfterSeconds, and of the command create.
var (
	OwnKind = rule(engine.Entry{ID: "mongo.collection-seconds-kind", Citations: from(srcOwnCreateTest, srcOwnModTest, srcCreate), Confidence: engine.VendorTest,
		Statement: "Only a time-series collection, and {in clustered@5.3} a clustered one, has an expireAfterSeconds of its own: create and collMod refuse it for ordinary and capped collections, and create for views (InvalidOptions)."})
	OwnText = rule(engine.Entry{ID: "mongo.collection-seconds-text", Citations: from(srcOwnModTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod accepts the text off, in exactly these letters, which removes a collection's own expireAfterSeconds; any other text is refused (InvalidOptions)."})
	OwnNegative = rule(engine.Entry{ID: "mongo.collection-seconds-negative", Citations: from(srcOwnCreateTest, srcOwnModTest), Confidence: engine.VendorTest,
		Statement: "A collection's own expireAfterSeconds below 0, once it is a whole number, is refused (InvalidOptions)."})
	OwnLarge = rule(engine.Entry{ID: "mongo.collection-seconds-before-1970", Citations: from(srcOwnCreateTest, srcOwnModTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "A collection's own expireAfterSeconds above the seconds since 1970, or whose milliseconds do not fit 64 bits, is refused (InvalidOptions); equal to the clock it is accepted. 2147483648, which no index may have, is legal here from 2038 on."})
	CreateCapped = rule(engine.Entry{ID: "mongo.create-capped", Citations: from(srcSizeTest, srcCreate), Confidence: engine.VendorTest,
		Statement: "A capped collection needs a size (InvalidOptions; 14832 {in create@2.2/3.4}). {In create@4.2} size and max need a capped collection (InvalidOptions)."})
	CreateExists = rule(engine.Entry{ID: "mongo.create-exists", Citations: from(srcUserCreate, srcCreateChecks, srcAgainTicket), Confidence: engine.FromSource,
		Statement: "A collection or view that exists is not created again: {in createAgain@3.0} create refuses (NamespaceExists). {In createAgain@7.0} it refuses only other options than those of the collection; with the same it succeeds, and changes nothing."})
	CreateExistsUnspecified = rule(engine.Entry{ID: "mongo.create-exists-unspecified", Citations: from(srcUserCreate, srcAgainTicket), Confidence: engine.Unspecified,
		Statement: "Which error create has for a collection that exists is unspecified {in createAgain@2.2}, where it has no code, and if the command is refused for another reason too. {In createAgain@7.0} it is unspecified whether create compares other options than capped, clusteredIndex, timeseries and expireAfterSeconds, and with which defaults."})
	CreateIDIndex = rule(engine.Entry{ID: "mongo.create-id-index", Citations: from(srcCreateOld), Confidence: engine.FromSource,
		Statement: "idIndex cannot go with viewOn or autoIndexId (InvalidOptions). The server checks this before the contents of idIndex."})
	CreateCluster = rule(engine.Entry{ID: "mongo.create-clustered", Citations: from(srcClusterTest, srcClusteredUtil, srcCreateChecks), Confidence: engine.VendorTest,
		Statement: "A clustered collection is clustered by {_id: 1} (InvalidIndexSpecificationOption), unique (5979700), of version 2 (5979704), given as a document (5979703), no view (6026500), without idIndex (InvalidOptions), autoIndexId: false (6026501), size (6049200) and max (6049204), and capped only together with expireAfterSeconds (6049201) where the server's test commands are enabled."})
	CreateSeries = rule(engine.Entry{ID: "mongo.create-timeseries", Citations: from(srcBucketTest, srcSeriesTest, srcCreate), Confidence: engine.VendorTest,
		Statement: "A time-series collection is not capped, clustered or a view, its time and meta fields are top-level fields that differ, and the meta field is not _id (InvalidOptions)."})
	CreateBuckets = rule(engine.Entry{ID: "mongo.create-buckets", Citations: from(srcBucketTest, srcSeriesTest, srcSeriesOptions), Confidence: engine.VendorTest,
		Statement: "{In bucketSpans@6.3} bucketMaxSpanSeconds can be set, together with an equal bucketRoundingSeconds and without granularity (InvalidOptions otherwise). Beside a granularity, and {in bucketSpans@2.2} (5510500), it is the granularity's or absent."})
)

// CollModRules are the rules by which collMod and create refuse.
var CollModRules = []policy.Rule{
	CommandUnspecified, CommandType, CommandUnknown, CommandMissing, CommandValue,
	CollModView, CollModViewUnspecified, CollModAddress, CollModNothing, CollModNotNumber, CollModSeries, CollModCapped,
	CollModCappedUnspecified, CollModNegative, CollModLarge, CollModHidden, CollModNotFound,
	CollModAmbiguous, CollModNoTTL, CollModWildcard, CollModStored, CollModID, CollModCompound,
	CollModUnique, CollModPrepare, CollModDryRun, CollModReplyUnspecified,
	CollModSeriesOption, CollModNotDocument, CollModInPlaceDecimal, CollModEngineUnspecified,
	OwnKind, OwnText, OwnNegative, OwnLarge,
	CreateCapped, CreateExists, CreateExistsUnspecified, CreateIDIndex, CreateCluster, CreateSeries, CreateBuckets,
}

// collModStatements are the rules about accepted collMod and create commands.
var collModStatements = []policy.Rule{
	rule(engine.Entry{ID: "mongo.collmod-conversion", Versions: "{conversion@5.0}", Citations: from(srcExpireTest, srcCollModIDL), Confidence: engine.VendorTest,
		Statement: "collMod reads an index's new expireAfterSeconds as a whole number of 32 bits: doubles truncated, decimals rounded half to even. What is above 2147483647, and infinity, becomes 2147483647. NaN becomes 0, by which every document whose date is not in the future expires. createIndexes refuses numbers above 2147483647 and infinity; it stores NaN as 2147483647 {in createRepairsNaN@5.0.14}, and refuses NaN {in createNaN@7.0}."}),
	rule(engine.Entry{ID: "mongo.collmod-stores-any", Versions: "{conversion@2.2}", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "collMod stores any whole number of 64 bits as an index's expireAfterSeconds, below 0 too, which makes documents expire before their date. NaN is 0, and a double that does not fit is the nearest number that does. {In collModReads@2.2} both are the smallest number, on x86-64, and {in collModReads@2.2/3.2.12} 2^63 is. {In collModStores@2.4/2.6/3.0} what is stored may be cut to the type of the old number."}),
	rule(engine.Entry{ID: "mongo.collmod-in-place", Versions: "{collModStores@2.4/2.6/3.0}", Citations: from(srcUpdate24, srcUpdate26, srcMMAPv1Update), Confidence: engine.FromSource,
		Statement: "{In collModStores@2.4/2.6}, and with MMAPv1 {in eitherEngine@3.0}, collMod writes an index's new expireAfterSeconds over the stored number and in its type, while it reports the number as given. An int32 takes the low 32 bits: 4294967296 becomes 0 and 2147483648 becomes -2147483648, by which every document with a past date expires. {In collModStores@2.4} whatever does not fit becomes -2147483648. A double takes any number, in 2.4 with its fraction. The other storage engines store an int64."}),
	rule(engine.Entry{ID: "mongo.collmod-reply", Citations: from(srcExpireTest, srcCollModIndex, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod reports the old and the new expireAfterSeconds of an index, also if they are equal, and the new one alone for an index that had none. {In collModRepliesChange@2.4} it reports them only if they differ. A collection's own is not reported."}),
	rule(engine.Entry{ID: "mongo.collmod-reply-elements", Versions: "{collModReplies@2.4/5.0}", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "collMod replies with the stored and the given value in their own types: 10.7 is shown as 10.7 and NaN as NaN, although collMod stores a whole number. {In collModReplies@5.0} only the stored value is shown so, and the given one as a whole number of 32 bits."}),
	rule(engine.Entry{ID: "mongo.collmod-reply-seconds", Versions: "{collModReplies@5.3}", Citations: from(srcReplyTicket, srcExpireTest, srcCollModIndex), Confidence: engine.VendorTest,
		Statement: "collMod reports whole seconds as an int64, whatever the types of the stored and the given number."}),
	rule(engine.Entry{ID: "mongo.collmod-reply-invalid", Versions: "{collModReplies@5.3}", Citations: from(srcCollModIndex), Confidence: engine.FromSource,
		Statement: "A stored NaN is reported as 0 and always replaced; {in outOfRange@7.0} so is every stored number that no index may have."}),
	rule(engine.Entry{ID: "mongo.collmod-rewrites", Versions: "{collModRewrites@8.1}", Citations: from(srcRewriteTicket, srcCollModIndex), Confidence: engine.Documented,
		Statement: "A stored double or decimal is replaced by an int32 also if its whole seconds are the new ones. From 5.3 to 8.0 that changes nothing, so that 10000.7 stays in the catalog; the delay is the same."}),
	rule(engine.Entry{ID: "mongo.collmod-special", Versions: "{collModConverts@5.1}", Citations: from(srcExpireTest), Confidence: engine.VendorTest,
		Statement: "A hashed, 2d or 2dsphere index of one field can be given expireAfterSeconds by collMod, and deletes nothing by it."}),
	rule(engine.Entry{ID: "mongo.collection-seconds-conversion", Versions: "{timeSeries@5.0}", Citations: from(srcOwnCreateTest, srcOwnModTest), Confidence: engine.VendorTest,
		Statement: "A collection's own expireAfterSeconds is stored as whole seconds of 64 bits: doubles truncated, decimals rounded half to even, NaN as 0."}),
	rule(engine.Entry{ID: "mongo.collection-seconds-off", Versions: "{timeSeries@5.0}", Citations: from(srcOwnModTest), Confidence: engine.VendorTest,
		Statement: "collMod with off succeeds and changes nothing where a collection has no expireAfterSeconds of its own."}),
}

// The rules by which createIndexes refuses an index, in the order of its
// checks.
var (
	IndexUnspecified = rule(engine.Entry{ID: "mongo.createindexes-unspecified", Citations: from(srcValidate), Confidence: engine.Unspecified,
		Statement: "What this release does with the field, or with such a collection, is unspecified; or the storage engine decides, or the refusal has no code."})
	IndexUnknownField = rule(engine.Entry{ID: "mongo.createindexes-unknown-field", Citations: from(srcValidate, srcSpecTest), Confidence: engine.VendorTest,
		Statement: "An option that the release does not know refuses the index, before anything else is looked at: so it is with hidden {in hiddenIndexes@2.2}, wildcardProjection {in wildcardIndexes@2.2}, prepareUnique {in prepareUnique@2.2} and clustered {in clustered@2.2}. A field _id is known. {In specs@2.2/2.6} any other option is kept, and tells two indexes apart."})
	IndexFieldType = rule(engine.Entry{ID: "mongo.createindexes-field-type", Citations: from(srcValidate, srcSpecTest), Confidence: engine.VendorTest,
		Statement: "An option of the wrong type refuses the index (TypeMismatch). The options are checked in the order in which they are given; expireAfterSeconds has a refusal of its own. {In specs@3.4} the server checks the types of the key, the name and collation, {in filtersFirst@3.6} also of the filter, {in hiddenIndexes@4.4} of hidden, and {in optionTypes@5.0} of all options, where a flag may also be a number. {In optionTypes@2.2} a flag may have any value."})
	IndexKey = rule(engine.Entry{ID: "mongo.createindexes-key", Citations: from(srcKeyTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "An index needs a key pattern (FailedToParse without one, {in specs@3.4}) of at least one field, each with a number other than 0 or the name of an index type, of which there is one in a key (CannotCreateIndex; 31303 for two hashed fields {in compoundHashed@4.4}); {in specs@3.4} no field stands twice in it (BadValue). It has at most 2048 bytes and 32 fields (13103). {In specs@2.2/2.6} 0, NaN and true are directions too, and {in emptyTypeRefused@2.2} an empty text. {In specs@2.2} a document as a direction is refused with 10098, an empty key with 12504, a long one with 12524, and an unknown type with 16734 in 2.4 alone. There are no geoHaystack indexes {in haystackOption@5.0/5.1}."})
	IndexName = rule(engine.Entry{ID: "mongo.createindexes-name", Citations: from(srcValidate, srcIndexCatalog), Confidence: engine.FromSource,
		Statement: "An index needs a name. Drivers and shells make one, and the server does not: it refuses an index without a name (FailedToParse {in specs@3.4}, CannotCreateIndex {in specs@2.6}, 12523 {in specs@2.2}). The name must not be empty and, {in filtersFirst@3.6}, must not be *. Two indexes of a collection cannot have the same name; {in namesBounded@2.2} the name and the namespace together have at most 127 bytes. Only the index on _id can have the name _id_; {in seriesRefusesID@8.3} no index of a time-series collection can have it."})
	IndexID = rule(engine.Entry{ID: "mongo.createindexes-id", Citations: from(srcSpecTest, srcValidate, srcTTLErrorsTest), Confidence: engine.VendorTest,
		Statement: "The index on _id accepts no expireAfterSeconds, no partial filter and no other option, which is checked before its TTL options and, {in filtersFirst@3.6}, after a filter's syntax; its key must be {_id: 1} (BadValue). A hashed index on _id is an index like others. {In specs@2.2/2.6} an index on _id with an option is in conflict with the one that exists (IndexOptionsConflict), and {in specs@2.2} nothing happens."})
	IndexFilterSyntax = rule(engine.Entry{ID: "mongo.createindexes-filter-syntax", Citations: from(srcPartialDrop, srcValidate), Confidence: engine.VendorTest,
		Statement: "A partial filter that is no expression of the query language, or that asks for JavaScript, text search or $expr, refuses the index: with BadValue, and $expr and $jsonSchema with QueryFeatureNotAllowed {in features@3.6/4.0}. {In features@3.2/3.4} these two are unknown, JavaScript and text search are refused with 81, and a filter that is no document with CannotCreateIndex. $isolated is refused with CannotCreateIndex in 3.2, passed over in 3.4, and refused with QueryFeatureNotAllowed in 3.6. What an operand may be depends on the release: {in typeAny@3.2} $type may be any number, {in typeZero@3.2} it may be 0, and {in features@3.2/3.4} a fraction for MinKey; {in mods@3.2} the remainder of $mod may be anything, which 64 bits bound {in mods@4.4.10}; {in sizes@3.2} $size may be a text, below 0 or a fraction. $sampleRate is known {in sampleRates@4.4.2}, $_internalExprEq {in comparisonsInside@3.6.3}, and its inequalities {in comparisonsInside@5.0}: no partial filter has them."})
	IndexVersion = rule(engine.Entry{ID: "mongo.createindexes-version", Citations: from(srcValidate, srcSpecTest), Confidence: engine.FromSource,
		Statement: "{In specs@3.4} the version v of an index is 1 or 2. A v that is not a number is refused with TypeMismatch, a number that is not whole or does not fit 32 bits with BadValue, and any other number with CannotCreateIndex. A v of 1 together with a collation is refused with CannotCreateIndex too. In older releases v is 0 or 1. Any other v is refused: with CannotCreateIndex in 3.0 and 3.2, and {in createVersionZero@2.2} with 14803, or with 13118 if it is not a number."})
	IndexCollation = rule(engine.Entry{ID: "mongo.createindexes-collation", Citations: from(srcValidate, srcSpecTest, srcCollator, srcIndexCatalog), Confidence: engine.FromSource,
		Statement: "A collation is a document with a locale that the server has (BadValue for an empty one and for an unknown locale), and with options of their types and words. A text, 2d or geoHaystack index has none but the simple one (CannotCreateIndex), and the index on _id has that of the collection (BadValue). The catalog keeps it with all its options."})
	IndexNamespace = rule(engine.Entry{ID: "mongo.createindexes-namespace", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "The field ns of a specification must be a string (TypeMismatch) and the namespace of the collection (BadValue) {in namespaceChecked@2.2}; later releases ignore the field. Three kinds of collections refuse every index: those in which the monitor never deletes (InvalidNamespace, or BadValue if the name holds .system. but does not begin with system.), the oplog (CannotCreateIndex), and {in transactionIndexes@3.6} config.transactions (IllegalOperation)."})
	IndexSpecial = rule(engine.Entry{ID: "mongo.createindexes-special-options", Citations: from(srcValidate, srcAccess, srcText), Confidence: engine.FromSource,
		Statement: "A text, 2d, 2dsphere, geoHaystack, hashed or wildcard index has requirements of its own for its key and its options. A collection has at most one text index. The option weights belongs to a text index alone {in optionTypes@5.0}, and the option wildcardProjection to a wildcard index alone. The server first checks the key and the options as in a plain index. It checks most requirements of the index type later, after it has found that the index does not exist yet."})
	IndexStorage = rule(engine.Entry{ID: "mongo.createindexes-storage-engine", Citations: from(srcIndexCatalog), Confidence: engine.FromSource,
		Statement: "storageEngine must be a document that is not empty, or else the code is CannotCreateIndex ({in storageCode@3.0} BadValue). Each field in it must hold a document (BadValue) and have the name of a storage engine of the server (InvalidOptions)."})
	IndexPrepareUnique = rule(engine.Entry{ID: "mongo.createindexes-prepare-unique", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "unique together with prepareUnique is refused (CannotCreateIndex): an index is unique or about to be."})
	IndexClustered = rule(engine.Entry{ID: "mongo.createindexes-clustered", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "clustered describes the collection that create makes: false is refused (6492800), true without unique (CannotCreateIndex), and true with it in a collection that is not clustered (6243700). expireAfterSeconds beside it is an unknown field {in clusteredSeconds@2.2}, and {in clusteredSeconds@7.3} changes nothing. No index has the name of a clustered collection's own key (6100906)."})
	IndexEncrypted = rule(engine.Entry{ID: "mongo.createindexes-encrypted", Citations: from(srcCreateIndexes), Confidence: engine.FromSource,
		Statement: "A collection with encryptedFields cannot have a TTL index (6346501)."})
	IndexHidden = rule(engine.Entry{ID: "mongo.createindexes-hidden", Citations: from(srcCreateIndexes), Confidence: engine.FromSource,
		Statement: "An index of a system collection cannot have the option hidden, neither true nor false (BadValue)."})
	IndexSeriesCollation = rule(engine.Entry{ID: "mongo.createindexes-timeseries-collation", Citations: from(srcSeriesConvert), Confidence: engine.FromSource,
		Statement: "An index of a time-series collection cannot have a partial filter and a collation, be it the simple one (IndexOptionsConflict)."})
	IndexSeries = rule(engine.Entry{ID: "mongo.createindexes-timeseries", Citations: from(srcSeriesConvert), Confidence: engine.FromSource,
		Statement: "A time-series collection cannot have a TTL index."})
	IndexSeriesUnique = rule(engine.Entry{ID: "mongo.createindexes-timeseries-unique", Citations: from(srcSeriesConvert, srcSeriesIndexTest), Confidence: engine.FromSource,
		Statement: "An index of a time-series collection cannot be unique."})
	IndexSeriesFilter = rule(engine.Entry{ID: "mongo.createindexes-timeseries-filter", Citations: from(srcSeriesIndexing, srcSeriesConvert), Confidence: engine.VendorTest,
		Statement: "A TTL index of a time-series collection needs a partial filter on the meta field, or on fields within it, alone. {In seriesFilters@2.2} no index of such a collection can have a filter."})
	SecondsType = rule(engine.Entry{ID: "mongo.createindexes-seconds-type", Citations: from(srcOptionsTest, srcTTLTypesTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "expireAfterSeconds must be a number; null and booleans are not numbers."})
	SecondsNaN = rule(engine.Entry{ID: "mongo.createindexes-seconds-nan", Citations: from(srcTTLErrorsTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "expireAfterSeconds must not be NaN, of either type. {In createNaN@2.2} it is read as 0 while it is checked."})
	SecondsNaNUnspecified = rule(engine.Entry{ID: "mongo.createindexes-seconds-nan-unspecified", Citations: from(srcNaN, srcValidate), Confidence: engine.Unspecified,
		Statement: "Whether createIndexes refuses NaN yet is unspecified."})
	SecondsRange = rule(engine.Entry{ID: "mongo.createindexes-seconds-range", Citations: from(srcOptionsTest, srcValidate, srcNaN), Confidence: engine.VendorTest,
		Statement: "expireAfterSeconds must fit 32 bits once it is a whole number; 2147483647 does."})
	SecondsNegative = rule(engine.Entry{ID: "mongo.createindexes-seconds-negative", Citations: from(srcOptionsTest, srcTTLErrorsTest), Confidence: engine.VendorTest,
		Statement: "expireAfterSeconds must not be below 0 once it is a whole number."})
	SecondsBefore1970 = rule(engine.Entry{ID: "mongo.createindexes-seconds-before-1970", Citations: from(srcOptionsTest, srcValidate, srcNaN), Confidence: engine.VendorTest,
		Statement: "expireAfterSeconds must not reach back before 1970: its milliseconds are at most those since then, so that 2147483647 is refused."})
	CompoundRefused = rule(engine.Entry{ID: "mongo.createindexes-compound", Citations: from(srcOptionsTest, srcManualTTL), Confidence: engine.VendorTest,
		Statement: "An index of several fields cannot have expireAfterSeconds. A field of that name in the key is a field like others."})
	IndexSeriesKey = rule(engine.Entry{ID: "mongo.createindexes-timeseries-key", Citations: from(srcSeriesIndexing, srcSeriesConvert), Confidence: engine.VendorTest,
		Statement: "A TTL index of a time-series collection has the time field as its only key; the server checks the key before the options. Such a collection has no text indexes, no sparse indexes on measurements, and {in seriesFilters@2.2} no indexes on measurements at all."})
	IndexView = rule(engine.Entry{ID: "mongo.createindexes-view", Citations: from(indexTest("commands/createIndexes/test_createIndexes_errors.py"), srcCreateIndexes), Confidence: engine.VendorTest,
		Statement: "A view has no indexes."})
	IndexWildcard = rule(engine.Entry{ID: "mongo.createindexes-wildcard", Citations: from(srcTTLErrorsTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "A wildcard index cannot have expireAfterSeconds."})
	IndexPartialSparse = rule(engine.Entry{ID: "mongo.createindexes-partial-sparse", Citations: from(srcPartialDrop, srcPartial, srcIndexCatalog), Confidence: engine.VendorTest,
		Statement: "An index cannot be partial and sparse."})
	IndexFilterLanguage = rule(engine.Entry{ID: "mongo.createindexes-filter-language", Citations: from(srcPartialDrop, srcPartial), Confidence: engine.VendorTest,
		Statement: "A partial filter speaks a small part of the query language: comparisons, $exists: true, $type and $and; {in filters@6.0} also $or, $in, geometry and four levels of nesting."})
	IndexCappedCluster = rule(engine.Entry{ID: "mongo.createindexes-capped-clustered", Citations: from(srcTTLOptions), Confidence: engine.FromSource,
		Statement: "A capped collection that is clustered cannot have a TTL index beside its own option."})
	IndexCapped = rule(engine.Entry{ID: "mongo.createindexes-capped", Citations: from(srcIndexCatalog, srcCappedSync, srcCappedCasing, srcCappedManual), Confidence: engine.FromSource,
		Statement: "A capped collection cannot have a TTL index. Releases up to 5.1, and those from 5.2 to 6.0 while their feature compatibility version is below 5.2, accept one that never deletes; those {in capped@7.1} accept one that does."})
	IndexCappedUnspecified = rule(engine.Entry{ID: "mongo.createindexes-capped-unspecified", Citations: from(srcCappedDeletes, srcCappedBackport), Confidence: engine.Unspecified,
		Statement: "Whether a capped collection can have a TTL index is unspecified: a ticket brings what 7.1 does to these lines, and the patch is not pinned."})
	IndexConflict = rule(engine.Entry{ID: "mongo.createindexes-conflict", Citations: from(srcSignatureTest, srcIndexSignature, srcHiddenConflict, srcHiddenReport), Confidence: engine.VendorTest,
		Statement: "A second index on the same key is refused if only expireAfterSeconds differs, or only the name; {in createHidden@8.0} also if only hidden does. Another collation makes it another index {in signature@3.4/5.0}. {In signature@5.0} so do another partial filter, in whatever order its clauses are, and another sparse, unique or wildcardProjection; hidden, v and background never do. {In signature@2.2/2.6/3.4} filters are compared as they are written, and {in namesConflict@2.2} nothing happens if only the name differs. Another collation under the same name is in conflict by its options {in collationConflict@3.4}, and by the name {in signature@5.0}. {In signature@2.2} nothing happens where there is an index of the name or of the key, whatever its options."})
	IndexConflictUnspecified = rule(engine.Entry{ID: "mongo.createindexes-conflict-unspecified", Citations: from(srcIndexCatalog, srcHiddenReport), Confidence: engine.Unspecified,
		Statement: "What becomes of an index that differs from one that exists in hidden alone is unspecified."})
)

// createIndexRules are the rules by which createIndexes refuses an index, or by which its
// reply is unspecified.
var createIndexRules = []policy.Rule{
	IndexUnspecified, IndexUnknownField, IndexFieldType, IndexKey, IndexName, IndexVersion, IndexCollation, IndexNamespace,
	IndexPrepareUnique, IndexClustered, IndexID, IndexFilterSyntax, IndexSpecial, IndexStorage, IndexHidden, IndexEncrypted,
	IndexSeriesCollation, IndexSeriesUnique, IndexSeries, IndexSeriesFilter,
	SecondsType, SecondsNaN, SecondsNaNUnspecified, SecondsRange, SecondsNegative, SecondsBefore1970,
	CompoundRefused,
	IndexSeriesKey, IndexView, IndexWildcard, IndexPartialSparse, IndexFilterLanguage, IndexCappedCluster,
	IndexCapped, IndexCappedUnspecified, IndexConflict, IndexConflictUnspecified,
}

// createIndexStatements are the rules about indexes that createIndexes accepts.
var createIndexStatements = []policy.Rule{
	rule(engine.Entry{ID: "mongo.createindexes-unchecked", Versions: "{createRange@2.2}", Citations: from(srcCreateIndexes, srcTTLChecks, srcIndexCatalog), Confidence: engine.FromSource,
		Statement: "expireAfterSeconds is not checked: strings, negative numbers and indexes of several fields are stored with it."}),
	rule(engine.Entry{ID: "mongo.createindexes-conversion", Versions: "{createRange@4.2/5.0.14}", Citations: from(srcBSONElement, srcTTLStoredTest), Confidence: engine.FromSource,
		Statement: "A double is truncated towards zero and a decimal rounded half to even before the range is looked at, so that -0.9 is a legal 0 as a double and an illegal -1 as a decimal."}),
	rule(engine.Entry{ID: "mongo.createindexes-stored", Versions: "{storesInt32@7.3}", Citations: from(srcNonInt, srcTTLStoredTest), Confidence: engine.VendorTest,
		Statement: "The catalog keeps expireAfterSeconds as an int32. Releases older than those of this rule keep the number as it was given, and use it as the same whole seconds. NaN is an exception: {in createRepairsNaN@5.0.14} they keep 2147483647 in its place."}),
	rule(engine.Entry{ID: "mongo.createindexes-special", Citations: from(srcCreateTTLTest, srcIndexCatalog), Confidence: engine.VendorTest,
		Statement: "Hashed, text, 2d and 2dsphere indexes can have expireAfterSeconds, by which they never delete."}),
	rule(engine.Entry{ID: "mongo.createindexes-no-op", Citations: from(srcSignatureTest, srcIndexCatalog), Confidence: engine.VendorTest,
		Statement: "An index that exists under the same name with the same options is created without effect, numbers of different types being the same, and a collation the same as with all its options."}),
}

// The rules of a move to another release, in the order in which they are consulted.
var (
	MoveListedUnspecified = rule(engine.Entry{ID: "mongo.move-listed-unspecified", Versions: "from 5.1 to 5.3, and from 5.0.14 to 6.3",
		Citations: from(srcNaN, srcInvalid), Confidence: engine.Unspecified,
		Statement: "An initial sync and a dump carry away what listIndexes shows. What these releases show for this expireAfterSeconds, NaN up to 5.3 and later other invalid values, is unspecified."})
	MoveRefused = rule(engine.Entry{ID: "mongo.move-refused", Citations: from(srcOptionsTest, srcCreateTTLTest), Confidence: engine.VendorTest,
		Statement: "A restore creates the indexes anew. An index that createIndexes of the destination refuses is missing afterwards, and nothing expires by it."})
	MoveFilterUnspecified = rule(engine.Entry{ID: "mongo.move-filter-unspecified", Citations: from(srcPartial), Confidence: engine.Unspecified,
		Statement: "One of the two releases does not know an expression of the partial filter, or what the filter matches there is unspecified; so it is unspecified which documents the index then holds."})
	MoveFilterMore = rule(engine.Entry{ID: "mongo.move-filter-more", Citations: from(srcNullPaths, srcNull, srcTypeManual, srcComparisons, srcPartial), Confidence: engine.Documented,
		Statement: "At the destination the partial filter takes in documents that it leaves out where the index comes from: by null at a dotted path those in which an array breaks the path off, {in brokenPaths@9.0}; by null those with an undefined field, {in nullMatchesUndefined@2.2}; by $type: \"array\" those with an array, {in typeInsideArrays@3.6}; by $lt and $gt with MinKey and MaxKey those with any other type, {in extremeKeysOrdered@2.2}. A document gets its key when it is written or the index is built there, by an initial sync or a restore for instance, and expires from then on; that this is when follows from how indexes work."})
	MoveFilterFewer = rule(engine.Entry{ID: "mongo.move-filter-fewer", Citations: from(srcNullPaths, srcNull, srcTypeManual, srcComparisons, srcPartial), Confidence: engine.Documented,
		Statement: "At the destination the partial filter leaves out documents that it takes in where the index comes from, and these stay. A document that the index holds already may expire all the same, until the index is built anew; that follows from how indexes work."})
	MoveUnspecified = rule(engine.Entry{ID: "mongo.move-unspecified", Citations: from(srcNaN, srcMonitor), Confidence: engine.Unspecified,
		Statement: "What the index does in one of the two releases, or whether createIndexes accepts it, is unspecified, and so is what the move does to documents."})
	MoveNaNZero = rule(engine.Entry{ID: "mongo.move-nan-zero", Versions: "to 2.2 to 3.2, 5.0.0 to 5.0.13, 5.1 to 6.0.1", Citations: from(srcManualExpire, srcNaN), Confidence: engine.Documented,
		Statement: "expireAfterSeconds NaN, by which other releases delete nothing, arrives where it is read as 0: by an upgrade or a downgrade, an initial sync, or a restored dump. Every document whose date is not in the future expires at once."})
	Move68Years = rule(engine.Entry{ID: "mongo.move-68-years", Citations: from(srcNaNTest, srcMonitorTest), Confidence: engine.VendorTest,
		Statement: "Later releases list 2147483647 in place of an expireAfterSeconds that no index may have, and write it when a member becomes primary. 2147483647 is a delay of 68 years like any other: documents with older dates, which were safe before, expire."})
	MoveStarts = rule(engine.Entry{ID: "mongo.move-wakes", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "The index deletes nothing where it comes from and deletes at the destination, which uses its expireAfterSeconds as it is."})
	MoveEarlier = rule(engine.Entry{ID: "mongo.move-earlier", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "The destination deletes documents earlier: {in byQuery@3.2} by one millisecond, as the date of the cutoff itself has expired."})
	MoveStops = rule(engine.Entry{ID: "mongo.move-sleeps", Citations: from(srcMonitorTest, srcNaN, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "The index deletes where it comes from; the destination skips it, or its passes fail, so that what would have expired stays."})
	MoveLater = rule(engine.Entry{ID: "mongo.move-later", Citations: from(srcMonitor, srcInvalid, srcOldTTL), Confidence: engine.FromSource,
		Statement: "The destination deletes documents later: {in byQuery@2.2} by one millisecond, and by a repaired expireAfterSeconds of 2147483647 after 68 years."})
	MoveUnchanged = rule(engine.Entry{ID: "mongo.move-unchanged", Citations: from(srcMonitor, srcNonInt, srcOldTTL), Confidence: engine.FromSource,
		Statement: "The index decides about every document at the destination as it did where it comes from, also if expireAfterSeconds is written down there as another number."})
)

// MoveRules are the rules that [Move.Rule] may be, besides mongo.no-ttl.
var MoveRules = []policy.Rule{
	MoveListedUnspecified, MoveRefused, MoveFilterUnspecified, MoveUnspecified,
	MoveNaNZero, Move68Years, MoveStarts, MoveEarlier,
	MoveFilterMore, MoveFilterFewer, MoveStops, MoveLater, MoveUnchanged,
}
