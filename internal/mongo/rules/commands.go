package rules

import (
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Rules about the reading of commands.
var (
	CommandUnspecified = rule(engine.Entry{ID: "mongo.command-unspecified",
		Citations: from(srcCollMod, srcCreateChecks), Confidence: engine.Unspecified,
		Statement: "No source says how collMod and create read some fields in some releases. These fields are: any field that holds a decimal ({in decimals@2.2}); unique and prepareUnique ({in prepareUnique@2.2}); clusteredIndex ({in clustered@2.2}); and bucketRoundingSeconds ({in bucketSpans@2.2}). For an index's new expireAfterSeconds that is below 0 or above the number of seconds since 1970, no source says what collMod does {in collModRange@5.0}."})
	CommandType = rule(engine.Entry{ID: "mongo.command-type",
		Citations: from(srcExpireTest, srcOwnModTest, srcOwnCreateTest, srcIDL), Confidence: engine.VendorTest,
		Statement: "{In collMod@5.0} collMod refuses every field of the wrong type (TypeMismatch). {In create@4.2} create does too. Null has the wrong type in three fields: clusteredIndex, backwards in a collation, and a collection's own expireAfterSeconds in collMod. In every other field of these releases null counts as absent. {In collMod@2.2/3.2.12} collMod checks the types of only some fields, and null has the wrong type in these. The code of such a refusal is InvalidOptions for an index's name, keyPattern and (in 4.4) hidden, and for a view's pipeline and viewOn. It is 10065 for validator, and 13111 for validationLevel and validationAction."})
	CommandUnknown = rule(engine.Entry{ID: "mongo.command-unknown-field",
		Citations: from(srcArgumentTest, srcCollModOld, srcCollMod, srcCreateOld, srcIDL), Confidence: engine.VendorTest,
		Statement: "{In collMod@5.0} collMod refuses an unknown field with code 40415. {In collMod@2.2/3.2.12} collMod refuses an unknown field with InvalidOptions, but ignores unknown fields inside index. {In create@4.2} create refuses an unknown field with code 40415. {In create@3.4} create refuses it with InvalidOptions, and {in create@2.2} create ignores unknown fields. The code 40415 has no name {in parserCodes@2.2}, and has the name IDLUnknownField {in parserCodes@8.0}. For 6.1 to 7.3 no source gives the name. Each release also knows some arguments besides the options of the command. Examples are comment ({in arguments@4.4}) and, in collMod, writeConcern ({in arguments@3.6/4.0/4.2/4.4}). A name that begins with a dollar sign is unknown if it is not one of these arguments. {In timeSeries@2.2} a collection's own expireAfterSeconds is an unknown field. {In collMod@2.2} collMod does not stop at a fault, such as an unknown field. It reads the whole command, and then reports the last fault. If such a command also changes an index, 2.4 and 2.6 keep the change, and 3.0 to 3.2.11 undo it."})
	CommandMissing = rule(engine.Entry{ID: "mongo.command-missing-field", Citations: from(srcBucketTest, srcClusterTest, srcIDL), Confidence: engine.VendorTest,
		Statement: "create refuses a timeseries without timeField, a clusteredIndex without key, and a clusteredIndex without unique (40414). Null counts as absent. The code 40414 has no name {in parserCodes@2.2}, and has the name IDLFailedToParse {in parserCodes@8.0}. For 6.1 to 7.3 no source gives the name."})
	CommandValue = rule(engine.Entry{ID: "mongo.command-value", Citations: from(srcBucketTest, srcSizeTest, srcIDL), Confidence: engine.VendorTest,
		Statement: "collMod and create refuse a number outside the range of its field (BadValue; 51024 {in rangeCode@2.2}), and a string that is not one of the field's allowed values (BadValue). bucketMaxSpanSeconds and bucketRoundingSeconds must be whole numbers from 1 to 31536000. timeField must not contain a null byte. pipeline requires viewOn. apiVersion must be \"1\" (else error 322). apiStrict and apiDeprecationErrors require apiVersion (else error 4886600). With apiStrict: true, create and collMod refuse every field that is not in version 1 of the API (error 323). Only servers can send maxTimeMSOpOnly (else error 72). {In timeSeries@2.2} create refuses a size below 0 (BadValue; 10083 {in createSize@2.2}). In 2.4 to 4.4 it refuses a capped collection's max above 2147483647 (BadValue; 16495 in 2.4). In 2.6.0 and 2.6.1 it refuses a size that is not a number. {In create@3.4/4.2} it refuses a size above a petabyte and an empty viewOn. {In create@3.4} it refuses a viewOn that is not a text."})
)

// The rules of a change of an index by collMod, in the order of its checks.
var (
	CollModView = rule(engine.Entry{ID: "mongo.collmod-view", Citations: from(srcArgumentTest, srcOwnModTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses index, expireAfterSeconds and validator for a view (InvalidOptions), because a view has none of them. It refuses pipeline and viewOn for any collection but a view."})
	CollModViewUnspecified = rule(engine.Entry{ID: "mongo.collmod-view-unspecified", Citations: from(srcViewTicket), Confidence: engine.Unspecified,
		Statement: "No source says what collMod of 5.0.0 to 5.0.6, 5.1 and 5.2 answers if it sets expireAfterSeconds of a view itself, and not of an index. Later releases refuse to set it. Releases before 5.0 have no expireAfterSeconds of a whole collection or view."})
	CollModAddress = rule(engine.Entry{ID: "mongo.collmod-address", Citations: from(srcIdentifierTest, srcCollModTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "{In collModNames@3.4} collMod needs either the name of an index or its key pattern. It refuses a command with both or with neither (InvalidOptions). {In collModNames@2.2} it ignores a name, and refuses a command whose key pattern is missing or empty."})
	CollModNothing = rule(engine.Entry{ID: "mongo.collmod-nothing", Citations: from(srcExpireTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses a command that names an index but sets none of its options (InvalidOptions). {In collMod@5.0} an option that is null counts as not set."})
	CollModNotNumber = rule(engine.Entry{ID: "mongo.collmod-not-number", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "{In collModRange@2.4} collMod refuses to set expireAfterSeconds of an index to a value that is not a number, such as null (InvalidOptions)."})
	CollModSeries = rule(engine.Entry{ID: "mongo.collmod-timeseries", Citations: from(srcCollMod, srcCollModTest), Confidence: engine.VendorTest,
		Statement: "collMod refuses to change expireAfterSeconds of an index of a time-series collection (InvalidOptions). Change the collection's own expireAfterSeconds instead."})
	CollModCapped = rule(engine.Entry{ID: "mongo.collmod-capped", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "In 5.1 to 6.0.24 and in 6.1 to 7.0.24 collMod refuses to change expireAfterSeconds of an index of a capped collection (InvalidOptions). Up to 5.0 and since 7.1 collMod accepts the change. For 6.0.25 and later in 6.0, and for 7.0.25 and later in 7.0, no source says whether collMod refuses the change (mongo.collmod-capped-unspecified)."})
	CollModCappedUnspecified = rule(engine.Entry{ID: "mongo.collmod-capped-unspecified", Citations: from(srcCollMod, srcCappedBackport), Confidence: engine.Unspecified,
		Statement: "{In capped@7.1} collMod can change expireAfterSeconds of an index of a capped collection. SERVER-107495 is the ticket that allows this change in 6.0 and 7.0 too. No source gives the first patch releases of 6.0 and 7.0 that allow it."})
	CollModNegative = rule(engine.Entry{ID: "mongo.collmod-negative", Citations: from(srcExpireTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "{In collModRange@5.0.14/5.1} collMod converts an index's new expireAfterSeconds to whole seconds, and then refuses a negative number, even minus infinity (InvalidOptions). The double -0.9 becomes 0, which collMod accepts; the decimal -0.9 becomes -1, which collMod refuses. {In collModRange@2.4} collMod stores a negative number, and the server uses it. No source says what collMod does with a negative number {in collModRange@5.0} (mongo.command-unspecified)."})
	CollModLarge = rule(engine.Entry{ID: "mongo.collmod-before-1970", Citations: from(srcCollMod, srcValidate, srcNaN), Confidence: engine.FromSource,
		Statement: "collMod refuses to set an index's expireAfterSeconds to more seconds than have passed since 1970 (InvalidOptions). Before that check collMod turns a fraction into a whole number, and a number above 2147483647 into 2147483647."})
	CollModHidden = rule(engine.Entry{ID: "mongo.collmod-hidden", Citations: from(srcHiddenTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod cannot hide three kinds of indexes: the index on _id (BadValue), a clustered collection's own key (6011800), and indexes of system collections (BadValue). collMod can hide any other index, and can change expireAfterSeconds of that index in the same command."})
	CollModNotFound = rule(engine.Entry{ID: "mongo.collmod-not-found", Citations: from(srcIdentifierTest, srcClusterTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses an index that does not exist (IndexNotFound; InvalidOptions {in collModNotFound@3.2.0}). In a clustered collection the clustered key is not an index, so collMod does not find it. collMod finds a text index by its name, but not by the key pattern with which the index was created: the server stores another pattern."})
	CollModAmbiguous = rule(engine.Entry{ID: "mongo.collmod-ambiguous", Citations: from(srcCollModTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses a key pattern that several indexes have (AmbiguousIndexKeyPattern). Use the name of the index instead."})
	CollModNoTTL = rule(engine.Entry{ID: "mongo.collmod-no-ttl", Citations: from(srcManualTTL, srcCollMod), Confidence: engine.Documented,
		Statement: "Before 5.1 collMod refuses to give expireAfterSeconds to an index that has none (InvalidOptions). {In collModConverts@5.1} collMod turns an index of a single field into a TTL index."})
	CollModWildcard = rule(engine.Entry{ID: "mongo.collmod-wildcard", Citations: from(srcExpireTest), Confidence: engine.Inferred,
		Statement: "A wildcard index cannot become a TTL index. If collMod sets expireAfterSeconds of a wildcard index, mongod 8.2.4 crashes. For such a command this library answers as if the server refused the change (InvalidOptions)."})
	CollModStored = rule(engine.Entry{ID: "mongo.collmod-stored-not-number", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "If the stored expireAfterSeconds of an index is not a number, collMod refuses to change it (InvalidOptions)."})
	CollModID = rule(engine.Entry{ID: "mongo.collmod-id", Citations: from(srcExpireTest, srcConvertTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses to turn an index with the key {_id: 1} or {_id: -1} into a TTL index (InvalidOptions)."})
	CollModCompound = rule(engine.Entry{ID: "mongo.collmod-compound", Citations: from(srcExpireTest, srcConvertTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses to turn an index of several fields into a TTL index (InvalidOptions). It also refuses every text index, because the server stores each text index as an index of several fields."})
	CollModUnique = rule(engine.Entry{ID: "mongo.collmod-unique", Citations: from(srcUniqueTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses to make an index unique before prepareUnique is set (InvalidOptions). It refuses unique: false for a unique index (BadValue)."})
	CollModPrepare = rule(engine.Entry{ID: "mongo.collmod-prepare-unique", Citations: from(srcPrepareTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses a change of prepareUnique together with another change, such as one of expireAfterSeconds (InvalidOptions). If the index already has the given value of prepareUnique, collMod makes the other change."})
	CollModDryRun = rule(engine.Entry{ID: "mongo.collmod-dry-run", Citations: from(srcDryRunTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses dryRun together with a change of expireAfterSeconds (InvalidOptions). dryRun works only with unique: true and no other change. It tests whether the index can become unique, and changes nothing."})
	CollModSeriesOption = rule(engine.Entry{ID: "mongo.collmod-timeseries-option", Citations: from(srcCollMod), Confidence: engine.Inferred,
		Statement: "A time-series collection has no validator and no pre-images of documents. So collMod refuses options such as validator and recordPreImages for it (InvalidOptions). For 5.0 this library infers these refusals."})
	CollModNotDocument = rule(engine.Entry{ID: "mongo.collmod-not-document", Citations: from(srcCollModOld, srcCollMod), Confidence: engine.FromSource,
		Statement: "If the field index of the command is an array, collMod reads the array as an empty document, which names no index (mongo.collmod-address). If the field is neither a document nor an array, collMod refuses the command with code 10065."})
	CollModInPlaceDecimal = rule(engine.Entry{ID: "mongo.collmod-in-place-decimal", Versions: "3.4 to 4.0", Citations: from(srcMMAPv1Update), Confidence: engine.FromSource,
		Statement: "MMAPv1 refuses to change an expireAfterSeconds that is stored as a decimal (16632), because it cannot overwrite a decimal in place. Other storage engines accept the change."})
	CollModEngineUnspecified = rule(engine.Entry{ID: "mongo.collmod-engine-unspecified", Citations: from(srcMMAPv1Update, srcKVUpdate), Confidence: engine.Unspecified,
		Statement: "If an index's new expireAfterSeconds does not fit the type of the stored number, the storage engine decides what collMod stores. MMAPv1 keeps the stored type: in an int32 it stores the low 32 bits, so 4294967296 becomes 0. Other engines store an int64. To get an answer, give this library the name of the engine, which serverStatus and the server parameter storageEngine show."})
	CollModReplyUnspecified = rule(engine.Entry{ID: "mongo.collmod-reply-unspecified", Citations: from(srcCollModIndex, srcReplyTicket), Confidence: engine.Unspecified,
		Statement: "In two cases no source says which old expireAfterSeconds collMod reports. First, the stored number is a fraction or NaN in 5.1 and 5.2. The reply then shows either the stored number or its whole seconds. Second, the stored number is below 0 or above 2147483647 in 6.2 and 6.3. The reply then shows either the stored number, as in releases {in outOfRange@2.2}, or 0, as {in outOfRange@7.0}."})
)

// The rules of a collection's own expireAfterSeconds, and of the command create.
var (
	OwnKind = rule(engine.Entry{ID: "mongo.collection-seconds-kind", Citations: from(srcOwnCreateTest, srcOwnModTest, srcCreate), Confidence: engine.VendorTest,
		Statement: "Except for time-series collections and, {in clustered@5.3}, clustered collections, create and collMod refuse a collection's own expireAfterSeconds (InvalidOptions). create also refuses it for a view (InvalidOptions). For collMod of a view see mongo.collmod-view."})
	OwnText = rule(engine.Entry{ID: "mongo.collection-seconds-text", Citations: from(srcOwnModTest, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod refuses every string but \"off\" as a collection's own expireAfterSeconds (InvalidOptions). The string \"off\", in lower case, removes the option."})
	OwnNegative = rule(engine.Entry{ID: "mongo.collection-seconds-negative", Citations: from(srcOwnCreateTest, srcOwnModTest), Confidence: engine.VendorTest,
		Statement: "create and collMod refuse a negative expireAfterSeconds of the collection itself (InvalidOptions). Before this check they convert the number to whole seconds. The double -0.9 becomes 0, which they accept; the decimal -0.9 becomes -1, which they refuse."})
	OwnLarge = rule(engine.Entry{ID: "mongo.collection-seconds-before-1970", Citations: from(srcOwnCreateTest, srcOwnModTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "create and collMod refuse a collection's own expireAfterSeconds that is greater than the number of seconds since 1970 (InvalidOptions). They accept a value equal to that number. So from 2038 on they accept 2147483648. In an index, by contrast, 2147483647 is the largest number."})
	CreateCapped = rule(engine.Entry{ID: "mongo.create-capped", Citations: from(srcSizeTest, srcCreate), Confidence: engine.VendorTest,
		Statement: "create refuses a capped collection without a size (InvalidOptions; 14832 {in create@2.2/3.4}). {In create@4.2} create refuses a size or a max for a collection that is not capped (InvalidOptions)."})
	CreateExists = rule(engine.Entry{ID: "mongo.create-exists", Citations: from(srcUserCreate, srcCreateChecks, srcAgainTicket), Confidence: engine.FromSource,
		Statement: "{In createAgain@3.0} create refuses a collection or view that exists already (NamespaceExists). {In createAgain@7.0} create refuses it only if its options differ from those of the command. If the options are the same, create succeeds and changes nothing."})
	CreateExistsUnspecified = rule(engine.Entry{ID: "mongo.create-exists-unspecified", Citations: from(srcUserCreate, srcAgainTicket), Confidence: engine.Unspecified,
		Statement: "In three cases no source says what create answers if the collection exists already. First, create would refuse the command for another reason too. Second, the release is 2.6 or earlier: its error for an existing collection has no code, so this library gives none. Third, the release is 7.0 or later, and the command has options besides capped, clusteredIndex, timeseries and expireAfterSeconds. create then compares the command with the collection, but no source says which of these options and which defaults it compares."})
	CreateIDIndex = rule(engine.Entry{ID: "mongo.create-id-index", Citations: from(srcCreateOld), Confidence: engine.FromSource,
		Statement: "create refuses idIndex together with viewOn or autoIndexId (InvalidOptions). This check comes before the checks of what idIndex contains."})
	CreateCluster = rule(engine.Entry{ID: "mongo.create-clustered", Citations: from(srcClusterTest, srcClusteredUtil, srcCreateChecks), Confidence: engine.VendorTest,
		Statement: "In create, clusteredIndex must be a document (else error 5979703). Its key must be {_id: 1} (else InvalidIndexSpecificationOption), unique must be true (else 5979700), and the version must be 2 (else 5979704). A clustered collection cannot be a view (6026500). It cannot have idIndex (InvalidOptions), autoIndexId: false (6026501), size (6049200) or max (6049204). It can be capped only if it has expireAfterSeconds and the server's test commands are enabled (else 6049201)."})
	CreateSeries = rule(engine.Entry{ID: "mongo.create-timeseries", Citations: from(srcBucketTest, srcSeriesTest, srcCreate), Confidence: engine.VendorTest,
		Statement: "A time-series collection cannot be capped, clustered or a view (InvalidOptions). Its time field and its meta field must be two different top-level fields. The meta field cannot be _id."})
	CreateBuckets = rule(engine.Entry{ID: "mongo.create-buckets", Citations: from(srcBucketTest, srcSeriesTest, srcSeriesOptions), Confidence: engine.VendorTest,
		Statement: "{In bucketSpans@2.2} bucketMaxSpanSeconds must be absent or equal to the span of the granularity, such as 3600 for \"seconds\". Otherwise create fails with error 5510500. A missing granularity counts as \"seconds\". {In bucketSpans@6.3} create fails with InvalidOptions unless one of two conditions holds. First, a granularity is given, bucketMaxSpanSeconds is absent or equal to its span, and bucketRoundingSeconds is absent. Second, no granularity is given, and bucketMaxSpanSeconds and bucketRoundingSeconds are equal or both absent."})
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
		Statement: "{In conversion@5.0} collMod converts an index's new expireAfterSeconds to a whole number of 32 bits. It truncates a double, and rounds a decimal half to even. A number above 2147483647 becomes 2147483647, and so does infinity. NaN becomes 0: then every document whose date is not in the future expires. createIndexes has other rules for these numbers (mongo.createindexes-seconds-range, mongo.createindexes-seconds-nan)."}),
	rule(engine.Entry{ID: "mongo.collmod-stores-any", Versions: "{conversion@2.2}", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "{In conversion@2.2} collMod stores any whole number of 64 bits as an index's expireAfterSeconds. With a negative number documents expire before their date. {In collModReads@2.2}, on x86-64, NaN and every double beyond 64 bits become -2^63. {In collModReads@3.2.12/4.0.7} NaN becomes 0, and a double beyond 64 bits becomes the nearest whole number of 64 bits. {In collModReads@3.2.12} the double 2^63 is an exception: it becomes -2^63. {In collModStores@2.4/2.6/3.0} the type of the old number can change the number that collMod stores (mongo.collmod-in-place)."}),
	rule(engine.Entry{ID: "mongo.collmod-in-place", Versions: "{collModStores@2.4/2.6/3.0}", Citations: from(srcUpdate24, srcUpdate26, srcMMAPv1Update), Confidence: engine.FromSource,
		Statement: "{In collModStores@2.4/2.6} collMod overwrites the stored expireAfterSeconds of an index and keeps its type. {In eitherEngine@3.0} collMod does so only with the storage engine MMAPv1. With any other engine it stores an int64. Suppose that collMod overwrites an int32, and the new number does not fit 32 bits. Then 2.4 stores -2147483648. 2.6 to 4.0 store the low 32 bits: 4294967296 becomes 0, and 2147483648 becomes -2147483648. With 0 or -2147483648 every document whose date is in the past expires. If collMod overwrites a double, the double can hold any new number. 2.4 also stores the fraction of the new number. The reply shows the number that the command gives."}),
	rule(engine.Entry{ID: "mongo.collmod-reply", Citations: from(srcExpireTest, srcCollModIndex, srcCollMod), Confidence: engine.VendorTest,
		Statement: "collMod replies with the old and the new expireAfterSeconds of an index. If the index had none before, the reply has the new number alone. If the old and the new number are equal, the reply has neither of them {in collModRepliesChange@2.4}, and both of them in later releases. The reply never has a collection's own expireAfterSeconds."}),
	rule(engine.Entry{ID: "mongo.collmod-reply-elements", Versions: "{collModReplies@2.4/5.0}", Citations: from(srcCollMod), Confidence: engine.FromSource,
		Statement: "{In collModReplies@2.4/5.0} collMod replies with the old expireAfterSeconds as it is stored, such as 10.7 or NaN. {In collModReplies@2.4} the reply shows the new number as the command gives it, although collMod stores a whole number. {In collModReplies@5.0} the reply shows the new number as an int32."}),
	rule(engine.Entry{ID: "mongo.collmod-reply-seconds", Versions: "{collModReplies@5.3}", Citations: from(srcReplyTicket, srcExpireTest, srcCollModIndex), Confidence: engine.VendorTest,
		Statement: "{In collModReplies@5.3} the reply of collMod has the old and the new expireAfterSeconds as whole seconds. Both are an int64, even if the stored or the given number has another type."}),
	rule(engine.Entry{ID: "mongo.collmod-reply-invalid", Versions: "{collModReplies@5.3}", Citations: from(srcCollModIndex), Confidence: engine.FromSource,
		Statement: "If the stored expireAfterSeconds is NaN, the reply of collMod has 0 as the old number. {In outOfRange@7.0} the reply also has 0 if the stored number, in whole seconds, is below 0 or above 2147483647. In both cases collMod stores the new number, whatever the new number is."}),
	rule(engine.Entry{ID: "mongo.collmod-rewrites", Versions: "{collModRewrites@8.1}", Citations: from(srcRewriteTicket, srcCollModIndex), Confidence: engine.Documented,
		Statement: "{In collModRewrites@8.1} collMod replaces a stored double or decimal by an int32. From 5.3 to 8.0 collMod keeps the stored number if its whole seconds equal the new seconds. For example, collMod sets 10000 for an index with the stored double 10000.7. {In collModRewrites@8.1} the int32 10000 is stored; from 5.3 to 8.0 the double 10000.7 stays. The delay is 10000 seconds either way."}),
	rule(engine.Entry{ID: "mongo.collmod-special", Versions: "{collModConverts@5.1}", Citations: from(srcExpireTest), Confidence: engine.VendorTest,
		Statement: "{In collModConverts@5.1} collMod can give expireAfterSeconds to a hashed, 2d or 2dsphere index of one field. The index still deletes nothing."}),
	rule(engine.Entry{ID: "mongo.collection-seconds-conversion", Versions: "{timeSeries@5.0}", Citations: from(srcOwnCreateTest, srcOwnModTest), Confidence: engine.VendorTest,
		Statement: "The server stores a collection's own expireAfterSeconds as a whole number of 64 bits. It truncates a double, rounds a decimal half to even, and stores NaN as 0."}),
	rule(engine.Entry{ID: "mongo.collection-seconds-off", Versions: "{timeSeries@5.0}", Citations: from(srcOwnModTest), Confidence: engine.VendorTest,
		Statement: "collMod with expireAfterSeconds: \"off\" succeeds if the collection has no expireAfterSeconds of its own. It changes nothing."}),
}

// The rules by which createIndexes refuses an index, in the order of its
// checks.
var (
	IndexUnspecified = rule(engine.Entry{ID: "mongo.createindexes-unspecified", Citations: from(srcValidate), Confidence: engine.Unspecified,
		Statement: "For some options and some collections, no source says whether createIndexes of certain releases refuses the index. In some of these cases the answer depends on the storage engine. In other cases the server refuses the index, but no source gives the code."})
	IndexUnknownField = rule(engine.Entry{ID: "mongo.createindexes-unknown-field", Citations: from(srcValidate, srcSpecTest), Confidence: engine.VendorTest,
		Statement: "{In specs@3.4} createIndexes refuses an option that the release does not know, before any other check. So it refuses hidden {in hiddenIndexes@2.2}, wildcardProjection {in wildcardIndexes@2.2}, prepareUnique {in prepareUnique@2.2} and clustered {in clustered@2.2}. It accepts and ignores an option named _id. {In specs@2.2/2.6} the server keeps an unknown option, and two indexes that differ only in that option count as different."})
	IndexFieldType = rule(engine.Entry{ID: "mongo.createindexes-field-type", Citations: from(srcValidate, srcSpecTest), Confidence: engine.VendorTest,
		Statement: "createIndexes refuses an option of the wrong type (TypeMismatch). It checks key, name and collation {in specs@3.4}, partialFilterExpression {in filtersFirst@3.6}, hidden {in hiddenIndexes@4.4}, and all options {in optionTypes@5.0}. It checks the options in the order in which they are given. unique and sparse may have any value {in optionTypes@2.2}, and must be a boolean or a number {in optionTypes@5.0}. For expireAfterSeconds see mongo.createindexes-seconds-type."})
	IndexKey = rule(engine.Entry{ID: "mongo.createindexes-key", Citations: from(srcKeyTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "The key pattern of an index needs 1 to 32 fields, in at most 2048 bytes. The value of each field is a direction, which is a number other than 0, or the name of an index type. If several fields have a type, all must have the same type, as in {a: \"text\", b: \"text\"}. createIndexes refuses any other pattern, in most cases with CannotCreateIndex. The code is 13103 for more than 32 fields, and 31303 for two hashed fields ({in compoundHashed@4.4}). {In specs@3.4} createIndexes also refuses an index without a key pattern (FailedToParse), and a field name that occurs twice (BadValue). {In haystackOption@5.0/5.1} the type geoHaystack does not exist. Old releases accept more directions: 0, NaN and true {in specs@2.2/2.6}, and an empty text {in emptyTypeRefused@2.2}. {In specs@2.2} three cases have other codes: 10098 (a direction is a document), 12504 (no field) and 12524 (more than 2048 bytes). In 2.4 the code for an unknown type is 16734."})
	IndexName = rule(engine.Entry{ID: "mongo.createindexes-name", Citations: from(srcValidate, srcIndexCatalog), Confidence: engine.FromSource,
		Statement: "createIndexes refuses an index without a name (FailedToParse; CannotCreateIndex {in specs@2.6}; 12523 {in specs@2.2}). The server does not make a name, but drivers and shells do. A name must not be empty and, {in filtersFirst@3.6}, must not be *. Two indexes of a collection cannot have the same name. {In namesBounded@2.2} the name and the namespace together have at most 127 bytes. Only the index on _id can have the name _id_. {In seriesRefusesID@8.3} no index of a time-series collection can have the name _id_."})
	IndexID = rule(engine.Entry{ID: "mongo.createindexes-id", Citations: from(srcSpecTest, srcValidate, srcTTLErrorsTest), Confidence: engine.VendorTest,
		Statement: "An index with the key {_id: 1} or {_id: -1} is an index on _id. {In specs@3.4} createIndexes refuses every option of such an index except v and collation (InvalidIndexSpecificationOption). So it refuses expireAfterSeconds and a partial filter. It also refuses the direction -1 (BadValue). If the TTL options are wrong too, createIndexes reports one of these errors and not theirs. Only an error in a filter's syntax comes first ({in filtersFirst@3.6}). {In specs@2.6} an index on _id with an option conflicts with the existing index on _id (IndexOptionsConflict). {In specs@2.2} createIndexes succeeds and changes nothing. A hashed index with the key {_id: \"hashed\"} can have options like any other index."})
	IndexFilterSyntax = rule(engine.Entry{ID: "mongo.createindexes-filter-syntax", Citations: from(srcPartialDrop, srcValidate), Confidence: engine.VendorTest,
		Statement: "createIndexes refuses a partial filter that is not valid in the query language (BadValue). For a filter that is not a document the code is CannotCreateIndex {in features@3.2/3.4}. createIndexes refuses JavaScript and text search (BadValue; 81 {in features@3.2/3.4}). It refuses $expr and $jsonSchema (QueryFeatureNotAllowed; BadValue {in features@3.2/3.4}, which do not know them). It refuses $isolated in 3.2 (CannotCreateIndex) and 3.6 (QueryFeatureNotAllowed), but 3.4 ignores $isolated. Some releases accept unusual operands. $type accepts any number {in typeAny@3.2}, and the number 0 {in typeZero@3.2}. $type with a fraction is accepted {in features@3.2/3.4}, and means the type MinKey. $mod accepts a remainder of any type {in mods@3.2}, and any number as the remainder in later releases. The exceptions are 4.4.10 and later in 4.4, and 5.0.4 and later: there the whole part of the remainder must fit 64 bits. $size accepts a text, a negative number or a fraction {in sizes@3.2}. Some releases know operators that no partial filter may have: $sampleRate ({in sampleRates@4.4.2}), $_internalExprEq ({in comparisonsInside@3.6.3/5.0}), and $_internalExprGt, $_internalExprGte, $_internalExprLt and $_internalExprLte ({in comparisonsInside@5.0})."})
	IndexVersion = rule(engine.Entry{ID: "mongo.createindexes-version", Citations: from(srcValidate, srcSpecTest), Confidence: engine.FromSource,
		Statement: "{In specs@3.4} the version v of an index must be 1 or 2, and must be 2 if the index has a collation. If v is not a number, createIndexes refuses the index with TypeMismatch. If v is a fraction or needs more than 32 bits, the code is BadValue. For any other wrong v the code is CannotCreateIndex. In 3.0 and 3.2 v must be 1 (else CannotCreateIndex). For v: 0 the answer of 3.0 depends on the storage engine (mongo.createindexes-unspecified). {In createVersionZero@2.2} v must be 0 or 1. The code is 14803 for any other number, and 13118 if v is not a number."})
	IndexCollation = rule(engine.Entry{ID: "mongo.createindexes-collation", Citations: from(srcValidate, srcSpecTest, srcCollator, srcIndexCatalog), Confidence: engine.FromSource,
		Statement: "createIndexes refuses a collation that is not a document, or that has an option of a wrong type or with an unknown value. For an empty or unknown locale the code is BadValue. A text, 2d or geoHaystack index can have only the simple collation (else CannotCreateIndex). The index on _id can have only the collation of its collection (else BadValue). The catalog stores a collation with all its options, even those that were left out."})
	IndexNamespace = rule(engine.Entry{ID: "mongo.createindexes-namespace", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "createIndexes refuses every index in three kinds of collections. The first kind is system collections that accept no writes, such as system.profile. The code is InvalidNamespace if the collection's name begins with system., and BadValue if it only contains .system. in the middle. The second is the oplog (CannotCreateIndex). The third is config.transactions {in transactionIndexes@3.6} (IllegalOperation). {In namespaceChecked@2.2} the field ns of an index must be a string (else TypeMismatch) that equals the namespace of the collection (else BadValue). Later releases ignore ns."})
	IndexSpecial = rule(engine.Entry{ID: "mongo.createindexes-special-options", Citations: from(srcValidate, srcAccess, srcText), Confidence: engine.FromSource,
		Statement: "Each special index type (text, 2d, 2dsphere, geoHaystack, hashed and wildcard) has its own limits for the key and the options. For example, a collection has at most one text index, and only a wildcard index can have wildcardProjection. {In optionTypes@5.0} only a text index can have weights. The server checks most of these limits last, after the checks that apply to every index, and only if the index does not exist yet."})
	IndexStorage = rule(engine.Entry{ID: "mongo.createindexes-storage-engine", Citations: from(srcIndexCatalog), Confidence: engine.FromSource,
		Statement: "The option storageEngine of an index must be a document that is not empty (else CannotCreateIndex; {in storageCode@3.0} BadValue). Each field of the document must have the name of a storage engine of the server (else InvalidOptions), and must hold a document (else BadValue)."})
	IndexPrepareUnique = rule(engine.Entry{ID: "mongo.createindexes-prepare-unique", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "createIndexes refuses unique together with prepareUnique (CannotCreateIndex)."})
	IndexClustered = rule(engine.Entry{ID: "mongo.createindexes-clustered", Citations: from(srcValidate), Confidence: engine.FromSource,
		Statement: "Only create can make a clustered index. createIndexes refuses clustered: false (6492800) and clustered: true without unique (CannotCreateIndex). In a collection that is not clustered, it also refuses clustered: true with unique: true (6243700). If an index has both clustered and expireAfterSeconds, createIndexes refuses the index ({in clusteredSeconds@2.2}) or ignores its expireAfterSeconds ({in clusteredSeconds@7.3}). No source says what 7.0 to 7.2 do. In a clustered collection no new index can have the name of the clustered index (6100906)."})
	IndexEncrypted = rule(engine.Entry{ID: "mongo.createindexes-encrypted", Citations: from(srcCreateIndexes), Confidence: engine.FromSource,
		Statement: "A collection with encryptedFields cannot have a TTL index (6346501)."})
	IndexHidden = rule(engine.Entry{ID: "mongo.createindexes-hidden", Citations: from(srcCreateIndexes), Confidence: engine.FromSource,
		Statement: "An index of a system collection cannot have the option hidden: createIndexes refuses even hidden: false (BadValue)."})
	IndexSeriesCollation = rule(engine.Entry{ID: "mongo.createindexes-timeseries-collation", Citations: from(srcSeriesConvert), Confidence: engine.FromSource,
		Statement: "An index of a time-series collection cannot have both a partial filter and a collation, not even the simple collation (IndexOptionsConflict)."})
	IndexSeries = rule(engine.Entry{ID: "mongo.createindexes-timeseries", Citations: from(srcSeriesConvert), Confidence: engine.FromSource,
		Statement: "Before 6.3 a time-series collection cannot have a TTL index."})
	IndexSeriesUnique = rule(engine.Entry{ID: "mongo.createindexes-timeseries-unique", Citations: from(srcSeriesConvert, srcSeriesIndexTest), Confidence: engine.FromSource,
		Statement: "An index of a time-series collection cannot be unique."})
	IndexSeriesFilter = rule(engine.Entry{ID: "mongo.createindexes-timeseries-filter", Citations: from(srcSeriesIndexing, srcSeriesConvert), Confidence: engine.VendorTest,
		Statement: "{In timeSeriesIndexes@6.3} a TTL index of a time-series collection needs a partial filter. The filter may use only the collection's meta field, or fields inside the meta field. Before 6.3 there are no TTL indexes of time-series collections. {In seriesFilters@2.2} even an index without expireAfterSeconds cannot have a partial filter in such a collection."})
	SecondsType = rule(engine.Entry{ID: "mongo.createindexes-seconds-type", Citations: from(srcOptionsTest, srcTTLTypesTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "createIndexes refuses an expireAfterSeconds that is not a number, such as null or a boolean."})
	SecondsNaN = rule(engine.Entry{ID: "mongo.createindexes-seconds-nan", Citations: from(srcTTLErrorsTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "{In createNaN@7.0} createIndexes refuses NaN as expireAfterSeconds, both as a double and as a decimal. {In createNaN@2.2} createIndexes accepts NaN. No source says what 6.2 and 6.3 do (mongo.createindexes-seconds-nan-unspecified)."})
	SecondsNaNUnspecified = rule(engine.Entry{ID: "mongo.createindexes-seconds-nan-unspecified", Citations: from(srcNaN, srcValidate), Confidence: engine.Unspecified,
		Statement: "No source says whether createIndexes of 6.2 and 6.3 refuses NaN as expireAfterSeconds."})
	SecondsRange = rule(engine.Entry{ID: "mongo.createindexes-seconds-range", Citations: from(srcOptionsTest, srcValidate, srcNaN), Confidence: engine.VendorTest,
		Statement: "createIndexes converts expireAfterSeconds to a whole number, and refuses a number above 2147483647 or below -2147483648. For other numbers below 0 see mongo.createindexes-seconds-negative."})
	SecondsNegative = rule(engine.Entry{ID: "mongo.createindexes-seconds-negative", Citations: from(srcOptionsTest, srcTTLErrorsTest), Confidence: engine.VendorTest,
		Statement: "createIndexes refuses an expireAfterSeconds below 0. It first converts the number to a whole number (mongo.createindexes-conversion). So it accepts the double -0.9, which becomes 0."})
	SecondsBefore1970 = rule(engine.Entry{ID: "mongo.createindexes-seconds-before-1970", Citations: from(srcOptionsTest, srcValidate, srcNaN), Confidence: engine.VendorTest,
		Statement: "createIndexes refuses an expireAfterSeconds that is greater than the number of seconds since 1970. So it refuses 2147483647 until the year 2038."})
	CompoundRefused = rule(engine.Entry{ID: "mongo.createindexes-compound", Citations: from(srcOptionsTest, srcManualTTL), Confidence: engine.VendorTest,
		Statement: "An index of several fields cannot have the option expireAfterSeconds. Inside the key pattern, as in {a: 1, expireAfterSeconds: 60}, expireAfterSeconds is not the option, but the name of a field."})
	IndexSeriesKey = rule(engine.Entry{ID: "mongo.createindexes-timeseries-key", Citations: from(srcSeriesIndexing, srcSeriesConvert), Confidence: engine.VendorTest,
		Statement: "The key of a TTL index of a time-series collection must be the time field alone. The server checks the key before the options. Other indexes of such a collection have limits too. None of them can be a text index. The key of a sparse index can hold only the time field and fields of the metadata. {In seriesFilters@2.2} this limit holds for the key of every index."})
	IndexView = rule(engine.Entry{ID: "mongo.createindexes-view", Citations: from(indexTest("commands/createIndexes/test_createIndexes_errors.py"), srcCreateIndexes), Confidence: engine.VendorTest,
		Statement: "A view cannot have indexes."})
	IndexWildcard = rule(engine.Entry{ID: "mongo.createindexes-wildcard", Citations: from(srcTTLErrorsTest, srcValidate), Confidence: engine.VendorTest,
		Statement: "A wildcard index cannot have expireAfterSeconds."})
	IndexPartialSparse = rule(engine.Entry{ID: "mongo.createindexes-partial-sparse", Citations: from(srcPartialDrop, srcPartial, srcIndexCatalog), Confidence: engine.VendorTest,
		Statement: "An index cannot be both partial and sparse."})
	IndexFilterLanguage = rule(engine.Entry{ID: "mongo.createindexes-filter-language", Citations: from(srcPartialDrop, srcPartial), Confidence: engine.VendorTest,
		Statement: "A partial filter may use only a small part of the query language: comparisons, $exists: true, $type and $and. Up to 5.3 $and may stand only at the top level. {In filters@6.0} a partial filter may also use $or, $in, $geoWithin and $geoIntersects, and may nest clauses at most four levels deep."})
	IndexCappedCluster = rule(engine.Entry{ID: "mongo.createindexes-capped-clustered", Citations: from(srcTTLOptions), Confidence: engine.FromSource,
		Statement: "A collection that is both capped and clustered cannot have a TTL index. Use the collection's own option expireAfterSeconds instead."})
	IndexCapped = rule(engine.Entry{ID: "mongo.createindexes-capped", Citations: from(srcIndexCatalog, srcCappedSync, srcCappedCasing, srcCappedManual), Confidence: engine.FromSource,
		Statement: "In 5.2 to 6.0.24 and in 6.1 to 7.0.24 createIndexes refuses a TTL index in a capped collection if the feature compatibility version is 5.2 or later. If that version is lower, these releases accept the index, but the index never deletes. In 2.2 to 5.1 createIndexes accepts the index too, but the index never deletes. {In capped@7.1} createIndexes accepts the index, and the index deletes. No source says whether 6.0.25 and later in 6.0, and 7.0.25 and later in 7.0, accept the index (mongo.createindexes-capped-unspecified)."})
	IndexCappedUnspecified = rule(engine.Entry{ID: "mongo.createindexes-capped-unspecified", Citations: from(srcCappedDeletes, srcCappedBackport), Confidence: engine.Unspecified,
		Statement: "{In capped@7.1} createIndexes accepts a TTL index in a capped collection. SERVER-107495 is the ticket to accept such an index in 6.0 and 7.0 too. No source says which patch release of 6.0 and of 7.0 is the first that accepts it."})
	IndexConflict = rule(engine.Entry{ID: "mongo.createindexes-conflict", Citations: from(srcSignatureTest, srcIndexSignature, srcHiddenConflict, srcHiddenReport), Confidence: engine.VendorTest,
		Statement: "Two indexes with the same key can both exist if they differ in the collation ({in signature@3.4/5.0}), or in the partial filter, sparse, unique or wildcardProjection ({in signature@5.0}). Otherwise there cannot be a second index with the same key. For example, createIndexes refuses an index that differs from an existing one only in expireAfterSeconds. Two partial filters that differ only in the order of their clauses count as the same {in signature@5.0}. {In signature@2.2/2.6/3.4} they count as different, and createIndexes refuses the second index. If an index differs only in the name, createIndexes refuses it ({in namesConflict@4.2}), or succeeds and changes nothing ({in namesConflict@2.2}). If an index differs only in hidden, createIndexes refuses it ({in createHidden@8.0}), or succeeds and changes nothing ({in createHidden@2.2}). For hidden in 7.1 to 7.3 see mongo.createindexes-conflict-unspecified. If two indexes have the same key and the same name, but different collations, createIndexes refuses the second (IndexOptionsConflict {in collationConflict@3.4}, IndexKeySpecsConflict {in signature@5.0}). {In signature@2.2} createIndexes succeeds and changes nothing if an index with the same name or the same key exists, whatever its options are."})
	IndexConflictUnspecified = rule(engine.Entry{ID: "mongo.createindexes-conflict-unspecified", Citations: from(srcIndexCatalog, srcHiddenReport), Confidence: engine.Unspecified,
		Statement: "No source says whether createIndexes of 7.1 to 7.3 refuses a new index that equals an existing one in everything but hidden."})
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
		Statement: "{In createRange@2.2} createIndexes does not check expireAfterSeconds. It stores a string or a negative number, and stores the option for an index of several fields too."}),
	rule(engine.Entry{ID: "mongo.createindexes-conversion", Versions: "{createRange@4.2/5.0.14}", Citations: from(srcBSONElement, srcTTLStoredTest), Confidence: engine.FromSource,
		Statement: "createIndexes first converts expireAfterSeconds to a whole number, and then checks that the number is in range. It cuts off the fraction of a double, and rounds a decimal half to even. So the double -0.9 becomes 0, which createIndexes accepts. The decimal -0.9 becomes -1, which it refuses."}),
	rule(engine.Entry{ID: "mongo.createindexes-stored", Versions: "{storesInt32@7.3}", Citations: from(srcNonInt, srcTTLStoredTest), Confidence: engine.VendorTest,
		Statement: "{In storesInt32@7.3} the server stores expireAfterSeconds as an int32. Before 7.3 it stores the number as the command gives it, and uses the whole seconds. NaN is the exception: some releases store 2147483647 in its place ({createRepairsNaN@5.0.14}). The other releases store NaN or refuse it (mongo.createindexes-seconds-nan)."}),
	rule(engine.Entry{ID: "mongo.createindexes-special", Citations: from(srcCreateTTLTest, srcIndexCatalog), Confidence: engine.VendorTest,
		Statement: "createIndexes accepts expireAfterSeconds for hashed, text, 2d and 2dsphere indexes. {In byQuery@3.2} such an index deletes nothing. {In byQuery@2.2} a hashed index deletes (mongo.index-hashed-deletes), and no source says what the other types delete (mongo.index-special-unspecified)."}),
	rule(engine.Entry{ID: "mongo.createindexes-no-op", Citations: from(srcSignatureTest, srcIndexCatalog), Confidence: engine.VendorTest,
		Statement: "createIndexes changes nothing if an index with the same key, the same name and the same options exists. Numbers of different types, such as 60 and 60.0, count as the same. Two collations count as the same if one of them leaves out options for which the other gives the default value."}),
}

// The rules of a move to another release, in the order in which they are consulted.
var (
	MoveListedUnspecified = rule(engine.Entry{ID: "mongo.move-listed-unspecified", Versions: "from 5.0.14 and later in 5.0, and from 6.0.2 to 6.3",
		Citations: from(srcNaN, srcInvalid), Confidence: engine.Unspecified,
		Statement: "An initial sync and a dump copy what listIndexes shows. For an invalid expireAfterSeconds other than NaN, such as -5, no source says what listIndexes shows in 5.0.14 and later in 5.0, and in 6.0.2 to 6.3."})
	MoveRefused = rule(engine.Entry{ID: "mongo.move-refused", Citations: from(srcOptionsTest, srcCreateTTLTest), Confidence: engine.VendorTest,
		Statement: "A restore creates the indexes again. If createIndexes of the new server refuses an index, the index is missing after the restore, and nothing expires by it."})
	MoveFilterUnspecified = rule(engine.Entry{ID: "mongo.move-filter-unspecified", Citations: from(srcPartial), Confidence: engine.Unspecified,
		Statement: "In two cases this library cannot say which documents a partial TTL index holds after a move to another release. In the first case no source says which documents the partial filter matches in the old or in the new release. In the second case one of the two releases does not know an expression of the filter."})
	MoveFilterMore = rule(engine.Entry{ID: "mongo.move-filter-more", Citations: from(srcNullPaths, srcNull, srcTypeManual, srcComparisons, srcPartial), Confidence: engine.Documented,
		Statement: "After a move to another release a partial filter can match documents that it did not match before, and these documents can expire. Four kinds of matches exist in some releases only. First, {in brokenPaths@9.0} null matches at a dotted path if an array on the path is empty, or has an element that is not a document (mongo.filter-null-path). Second, {in nullMatchesUndefined@2.2} null matches an undefined field. Third, {in typeInsideArrays@3.6} $type: \"array\" matches a field that is an array. Fourth, {in extremeKeysOrdered@2.2} $lt and $gt with MinKey or MaxKey match values of any other type. The index takes up such a document when the document is written, or when the index is built again, as by an initial sync or a restore. This library infers that from how indexes work."})
	MoveFilterFewer = rule(engine.Entry{ID: "mongo.move-filter-fewer", Citations: from(srcNullPaths, srcNull, srcTypeManual, srcComparisons, srcPartial), Confidence: engine.Documented,
		Statement: "After a move to another release a partial filter can stop matching documents that it matched before. An index that the new release builds does not hold these documents, so they stay. An index that was built before the move holds these documents until it is built again, so they can still expire by it."})
	MoveUnspecified = rule(engine.Entry{ID: "mongo.move-unspecified", Citations: from(srcNaN, srcMonitor), Confidence: engine.Unspecified,
		Statement: "For some TTL indexes no source says what the index deletes in the old or in the new release. For others no source says whether createIndexes of the new release accepts the index. In both cases it is not known which documents expire after the move."})
	MoveNaNZero = rule(engine.Entry{ID: "mongo.move-nan-zero", Versions: "to 2.2 to 3.2, 5.0.0 to 5.0.13, 5.1 to 6.0.1", Citations: from(srcManualExpire, srcNaN), Confidence: engine.Documented,
		Statement: "The new release reads expireAfterSeconds NaN as 0, and every document whose date is not in the future expires at once. NaN reaches the new release by an upgrade or a downgrade, an initial sync, or a restored dump. An old release that does not read NaN as 0 deletes nothing by an index with NaN."})
	Move68Years = rule(engine.Entry{ID: "mongo.move-68-years", Citations: from(srcNaNTest, srcMonitorTest), Confidence: engine.VendorTest,
		Statement: "By a move to another release an invalid expireAfterSeconds, such as NaN, can become 2147483647 (68 years). Either listIndexes shows that number in place of the invalid value (mongo.seconds-listed), or a member that becomes primary stores it (mongo.seconds-repaired). Then the index deletes documents whose dates are more than 68 years ago. Before the move the index did not delete these documents."})
	MoveStarts = rule(engine.Entry{ID: "mongo.move-wakes", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "Some indexes delete nothing in the old release, but delete documents after a move to the new release. A document then expires at its date + expireAfterSeconds. If the new release replaces an invalid expireAfterSeconds by 2147483647, see mongo.move-68-years."})
	MoveEarlier = rule(engine.Entry{ID: "mongo.move-earlier", Citations: from(srcMonitor, srcOldTTL), Confidence: engine.FromSource,
		Statement: "After a move to another release documents can expire earlier than before. {In byQuery@2.2} a document expires in the millisecond after its deadline. {In byQuery@3.2} it expires in the millisecond of the deadline. For example, after a move from 3.0 to 3.2 a document expires one millisecond earlier."})
	MoveStops = rule(engine.Entry{ID: "mongo.move-sleeps", Citations: from(srcMonitorTest, srcNaN, srcOldTTL), Confidence: engine.VendorTest,
		Statement: "After a move to another release an index that deleted documents before may delete nothing. The new server then either skips the index, or fails in each pass over it. Documents that would have expired stay."})
	MoveLater = rule(engine.Entry{ID: "mongo.move-later", Citations: from(srcMonitor, srcInvalid, srcOldTTL), Confidence: engine.FromSource,
		Statement: "After a move to another release documents may expire later than before, for two reasons. First, {in byQuery@2.2} a document expires one millisecond later than in newer releases. Second, some releases replace an invalid expireAfterSeconds, such as NaN, by 2147483647, which is a delay of 68 years."})
	MoveUnchanged = rule(engine.Entry{ID: "mongo.move-unchanged", Citations: from(srcMonitor, srcNonInt, srcOldTTL), Confidence: engine.FromSource,
		Statement: "After a move to another release many indexes have the same effect on every document as before. If the new release only stores another number for the same delay, such as 3600 in place of 3600.7, the effect is the same too."})
)

// MoveRules are the rules that [Move.Rule] may be, besides mongo.no-ttl.
var MoveRules = []policy.Rule{
	MoveListedUnspecified, MoveRefused, MoveFilterUnspecified, MoveUnspecified,
	MoveNaNZero, Move68Years, MoveStarts, MoveEarlier,
	MoveFilterMore, MoveFilterFewer, MoveStops, MoveLater, MoveUnchanged,
}
