// Package behaviour describes the behaviour of each release of MongoDB where
// releases differ.
package behaviour

// A Profile describes the behaviour of a release where releases differ. Rules read single
// behaviours from it, and only the steps in this package compare releases. The name of a
// field, with a small first letter, is the name of the behaviour in testdata/boundaries
// and in the texts of rules. The zero Profile belongs to no release: it keeps every
// document.
type Profile struct {
	// The type's documentation describes each field without a comment.
	Conversion    conversion
	VersionZero   versionZeroMeaning
	Filters       FilterLanguage
	Sizes         SizeReading
	Mods          ModReading
	Features      filterFeatures
	BrokenPaths   BrokenPathMeaning
	Capped        cappedMeaning
	ExtendedRange ExtendedRangeMeaning
	ScanStart     ScanStartMeaning
	CreateRange   createRange
	Signature     signature
	ParserCodes   parserCodeNames
	// Nan, NotNumber and OutOfRange are the treatments of an expireAfterSeconds that is NaN,
	// that is not a number, or whose whole seconds are below 0 or above 2147483647.
	Nan, NotNumber, OutOfRange optionMeaning
	// Namespaces says in which kinds of namespaces the release deletes anything.
	Namespaces [NamespaceKinds]processing

	Decimals      bool // the release knows the type Decimal128
	StoresInt32   bool // the catalog holds whole seconds as int32, converted when an index is created
	HashedDeletes bool // a hashed TTL index deletes like an ordinary TTL index
	// UnknownTypesPlain means that an index of an unknown type is an ordinary index;
	// later releases refuse it.
	UnknownTypesPlain bool
	SecondsWrap       bool // a delay in milliseconds is the lowest 64 bits of the product; later releases check for overflow
	CutoffChecked     bool // the pass fails if the clock minus a negative delay does not fit 64 bits; earlier releases go on with the wrapped number
	// ByQuery means that the monitor deletes by an ordinary query rather than by a scan
	// of the index: a date equal to the cutoff is not yet expired, and neither the type
	// of the index nor the type of the option matters.
	ByQuery       bool
	ErrorsEndPass bool // an error at one index ends the pass over its database; later releases go on with the next
	// TimestampsSort means that a replication timestamp sorts among the dates: its 64
	// bits are compared with the milliseconds of the cutoff.
	TimestampsSort bool

	NullMatchesUndefined bool // in a filter {f: null} matches an undefined f
	TypeAny              bool // $type may be any number
	TypeZero             bool // $type may be 0, the type of no value
	TypeInsideArrays     bool // $type tests only the elements of an array, not the array
	SampleRates          bool // $sampleRate is a clause, which no partial index may have
	ComparisonsInside    internalComparisons
	ExtremeKeysOrdered   bool // $lt MinKey and $gt MaxKey match nothing; in earlier releases they match every other type

	Clustered         bool // there are collections clustered by _id
	Encrypted         bool // there are collections with encryptedFields
	TimeSeries        bool // there are time-series collections
	TimeSeriesIndexes bool // time-series collections may have TTL indexes beside their own option
	BucketSpans       bool // the span of buckets can be set independently of granularity
	// SeriesRefusesID means that a time-series collection, which has no index on _id,
	// refuses an index named _id_. In earlier releases the treatment of an index on _id
	// of a time-series collection is unspecified.
	SeriesRefusesID bool
	// SeriesRounds says whether a bucket's first time is rounded at all.
	SeriesRounds acceptance
	// RoundsDown means that a bucket's first time is rounded towards the past. Earlier
	// releases round the time towards 1970, and keep the unrounded time as the bucket's
	// minimum if it is earlier.
	RoundsDown bool

	CollMod, Create CommandReading
	Arguments       commandArguments
	CollModOptions  CollModOptions
	CollModStores   collModStorage
	EitherEngine    bool // MMAPv1 or another storage engine may hold the data
	CollModReads    doubleReading
	CollModKeeps    bool  // collMod keeps a change of an index in spite of a fault elsewhere in the command
	CollModNotFound int32 // the error code for an index that does not exist
	CollModNames    bool  // collMod finds an index by its name
	CollModConverts bool  // collMod turns an index without expireAfterSeconds into a TTL index
	CollModRange    collModRange
	CollModCapped   acceptance // whether collMod accepts expireAfterSeconds for an index of a capped collection
	CollModViews    acceptance // whether collMod accepts expireAfterSeconds for a view itself
	CollModReplies  collModReplyForm
	// LaterOptions says whether collMod and create know the options that came after 5.0,
	// such as changeStreamPreAndPostImages.
	LaterOptions         acceptance
	CollModRepliesChange bool // collMod replies with the old and the new option only if they differ
	CollModRewrites      bool // collMod replaces an equal number of another type by an int32; earlier releases leave the number
	PrepareUnique        bool // collMod knows unique and prepareUnique

	CreateAgain           acceptance // whether create accepts the options of a collection that exists, and changes nothing
	CreateSize, CreateMax int32      // the error codes for a negative size and for a max beyond 31 bits; 0 if create accepts the value
	// RangeCode is the code of the parser of commands for a number outside a range; 0 if it
	// is unspecified.
	RangeCode                      int32
	CreateTypes                    bool // create refuses a size or max that is not a number, and checks max even without capped
	Specs                          specReading
	CreateNaN                      acceptance // whether createIndexes accepts an expireAfterSeconds of NaN
	CreateRepairsNaN               bool       // the catalog holds 2147483647 for an expireAfterSeconds of NaN
	CreateCapped                   acceptance // whether createIndexes accepts a TTL index in a capped collection
	TransactionIndexes             acceptance // whether createIndexes accepts an index of config.transactions
	CreateHidden                   acceptance // whether createIndexes accepts an index that exists with another value of hidden; if so, nothing changes
	ClusteredSeconds               acceptance // whether createIndexes accepts expireAfterSeconds beside clustered
	CreateVersionZero              acceptance // whether createIndexes accepts v: 0; unspecified if the storage engine decides
	OriginalSpecs                  acceptance // whether createIndexes accepts originalSpec
	HaystackOption                 acceptance // whether createIndexes accepts bucketSize; a release that does not has no geoHaystack indexes
	StorageCode                    int32      // the error code for a storageEngine that is not a document; 0 if storageEngine is not checked
	FiltersFirst                   bool       // partial filters are parsed while the specification is read, and the name * is refused
	NamespaceChecked, NamesBounded bool       // ns must be the collection's namespace; the namespace and the index's name together have at most 127 bytes
	OptionTypes                    bool       // the types of all options are checked
	VersionFirst                   bool       // v is checked first; in earlier releases it is checked when the index is built
	EmptyTypeRefused               bool       // an empty string in the key is refused
	FtsReserved                    bool       // only text indexes may have a field _fts
	TypesKnown                     bool       // an unknown index type is refused; 2.2 makes a plain index
	HiddenIndexes, WildcardIndexes bool       // the release has hidden indexes, wildcard indexes
	CompoundWildcards              bool       // wildcard indexes may have other fields
	CompoundHashed                 bool       // hashed indexes may have other fields
	SeriesFilters                  bool       // an index of a time-series collection may have a filter, and fields of measurements in its key
	NamesConflict                  bool       // an index that exists under another name is refused
	CollationConflict              bool       // an index that exists with another collation but the same name and key is refused with IndexOptionsConflict
	ProjectionsDistinguish         bool       // wildcardProjection distinguishes two indexes, as SignatureOptions does
	ListsCollation                 bool       // listIndexes shows the collation {locale: "simple"} for an index without one

	// DocumentDB means that the engine is that of the product DocumentDB: a date must be
	// before the cutoff, the documents are found by index terms and comparisons of its own,
	// and its createIndexes, collMod and create are its own.
	DocumentDB      bool
	DocumentDBLater bool // a release of DocumentDB after 0.108, whose collMod may know hidden, unique, prepareUnique and reindex

	BsonSize bool // aggregation has the operator $bsonSize

	// ReasonLast means that createIndexes reports the specification first, and then the
	// reason for which it refuses expireAfterSeconds. WildcardReasonLast means that it
	// reports "cannot make a TTL index" first, and then the reason for which it refuses
	// expireAfterSeconds for a wildcard index.
	ReasonLast, WildcardReasonLast bool
	// RangeReasons means that the refusal of a collection's own expireAfterSeconds
	// distinguishes an overflow from a delay before 1970. From 8.3 on the text about a
	// delay before 1970 differs between time-series and clustered collections
	// (SERVER-107163); this package leaves that text unspecified.
	RangeReasons bool
}

// A conversion says how a stored number becomes whole seconds. Doubles are truncated
// towards zero and decimals rounded half to even in every release.
type conversion uint8

const (
	ConversionUnspecified conversion = iota // the zero value, which no release has
	ConversionPlain                         // like C on x86-64: a number beyond 64 bits becomes the smallest integer
	ConversionSaturating                    // a number beyond 64 bits becomes the nearest integer that fits
)

// optionMeaning is the monitor's treatment of a stored expireAfterSeconds that
// no index should have.
type optionMeaning uint8

// The meanings. SERVER-68477 is about NaN, SERVER-11194 about values that are not numbers
// (https://jira.mongodb.org/browse/SERVER-68477 and SERVER-11194).
const (
	OptionUnspecified optionMeaning = iota // unspecified
	OptionUsed                             // the option is used as a delay
	OptionZero                             // the option counts as 0: documents with a date in the past expire
	OptionSkipped                          // the index is skipped
	OptionAborts                           // every pass over the index fails
)

// versionZeroMeaning is the effect of an index of version 0. Only the storage engine
// MMAPv1 has indexes of version 0. Up to 1.8 all indexes had this version.
type versionZeroMeaning uint8

const (
	VersionZeroUnspecified versionZeroMeaning = iota // unspecified
	VersionZeroUnsigned                              // the index sorts dates before 1970 after all others, where the query does not find them
	VersionZeroNone                                  // there are no indexes of version 0
)

// FilterLanguage is the language of a partialFilterExpression.
type FilterLanguage uint8

const (
	FiltersNone   FilterLanguage = iota // no partial indexes
	FiltersFlat                         // a conjunction of comparisons, $exists and $type
	FiltersNested                       // also $or, $in, geometry operators, and nesting
)

// A SizeReading says which operands of $size are well-formed. A partial filter refuses
// $size in any case, but a malformed operand has another code.
type SizeReading uint8

const (
	SizesChecked     SizeReading = iota // a whole number from 0 that fits 32 bits
	SizesUnspecified                    // as SizesChecked, but whether it may be a Decimal128 is unspecified
	SizesTyped                          // as SizesChecked, but not a Decimal128
	SizesLoose                          // also a string, a number below 0 or one that is not whole
)

// A ModReading says which operands of $mod are well-formed, and whether its divisor is
// 0. As to refusals $mod is like $size.
type ModReading uint8

const (
	ModsChecked ModReading = iota // two numbers whose whole parts fit 64 bits
	ModsWide                      // two numbers, cut to 64 bits: what does not fit becomes the smallest integer
	ModsNarrow                    // two numbers, cut to 32 bits
	ModsLoose                     // as ModsNarrow, but the remainder may be anything
)

// filterFeatures says how the parser of a partial filter treats clauses that are not
// predicates on a document's fields.
type filterFeatures uint8

// The features. Up to 3.4 $expr and $jsonSchema are unknown, and $type may be a fraction.
const (
	FeaturesNone      filterFeatures = iota // there are no partial filters
	FeaturesIsolated                        // $isolated is a clause, which no partial index may have
	FeaturesIgnored                         // $isolated is ignored
	FeaturesBanned                          // $isolated is refused like other features that a filter cannot have
	FeaturesForgotten                       // $isolated is unknown
)

// internalComparisons are the comparisons that a server makes for itself, and knows in
// filters of clients. No partial index may have one.
type internalComparisons uint8

const (
	InternalNone         internalComparisons = iota // none is known
	InternalEquality                                // $_internalExprEq
	InternalInequalities                            // also $_internalExprGt, $_internalExprGte, $_internalExprLt, $_internalExprLte
)

// A BrokenPathMeaning says how a filter treats a dotted path that ends early at an array
// that is empty or whose elements are not documents. The tickets are SERVER-36681, and
// those of the server parameter that undoes the change of SERVER-36681.
type BrokenPathMeaning uint8

const (
	BrokenPathsSkipped     BrokenPathMeaning = iota // {"a.b": null} does not match {a: [1]}
	BrokenPathsNull                                 // {"a.b": null} matches {a: [1]}
	BrokenPathsLegacyNull                           // {"a.b": null} does not match {a: [1]}, because of a server parameter
	BrokenPathsUnspecified                          // unspecified
)

// cappedMeaning is the effect of a TTL index on a capped collection.
type cappedMeaning uint8

const (
	CappedUnspecified cappedMeaning = iota // unspecified
	CappedKeeps                            // nothing: every delete fails, or the monitor does not know the index
	CappedDeletes                          // the index deletes like any other
)

// ExtendedRangeMeaning is the treatment of a time-series collection that is
// flagged as holding dates outside 1970 to 2038.
type ExtendedRangeMeaning uint8

const (
	ExtendedRangeUnspecified ExtendedRangeMeaning = iota // unspecified
	ExtendedRangeOrdinary                                // the flag is ignored: the ordinary scan runs
	ExtendedRangeSkipped                                 // the whole collection is skipped
	ExtendedRangeDeletes                                 // buckets expire by their own bounds
)

// ScanStartMeaning is the start of the scan for the own option of a time-series
// or clustered collection.
type ScanStartMeaning uint8

// The meanings. The scan of a time-series collection goes over ObjectIds, whose time is
// 32 bits of seconds. The scan of a clustered collection goes over Dates.
const (
	ScanStartUnspecified ScanStartMeaning = iota // unspecified
	ScanStartNone                                // the scan starts with the first document
	ScanStartEarliest                            // the scan starts with the earliest Date; cut to 32 bits of seconds, that is 2017-11-28T00:21:29Z
	ScanStart1970                                // the scan starts with 1970-01-01T00:00:00.000Z
)

// A CommandReading says how a release reads the collMod or create command.
type CommandReading uint8

const (
	ReadingUnspecified CommandReading = iota // unspecified
	ReadingOn                                // as ReadingLax, but after a fault the reading goes on, and the last fault is reported
	ReadingLax                               // an unknown field of index is ignored; types are checked field by field
	ReadingManual                            // an unknown field is refused with InvalidOptions; types are checked field by field
	ReadingStrict                            // every field has fixed types, null counts as absent, and an unknown field is refused
)

// commandArguments are the generic arguments, which every command accepts (mongodb/mongo:
// src/mongo/db/commands.h, isGenericArgument; since 4.2
// src/mongo/db/command_generic_argument.cpp; since 5.0 src/mongo/idl/generic_argument.idl).
type commandArguments uint8

// The fields.
const (
	ArgumentsNone                  commandArguments = iota
	ArgumentsTime                                   // maxTimeMS
	ArgumentsDollar                                 // maxTimeMS, and names that begin with a dollar sign
	ArgumentsListed                                 // a list of names that has writeConcern and lsid, but not comment
	ArgumentsOfTransactions                         // also databaseVersion, autocommit, startTransaction
	ArgumentsOfCoordinators                         // also coordinator, stmtId
	ArgumentsCommented                              // also comment, clientOperationKey; and maxTimeMSOpOnly, which is refused to clients
	ArgumentsOfVersions                             // also apiVersion, apiStrict, apiDeprecationErrors, $configTime, $topologyTime
	ArgumentsOfRetriesUnspecified                   // txnRetryCounter and mayBypassWriteBlocking are unspecified
	ArgumentsOfTenants                              // also txnRetryCounter, mayBypassWriteBlocking, $tenant
	ArgumentsOfPrefixesUnspecified                  // expectPrefix is unspecified
	ArgumentsOfPrefixes                             // also expectPrefix
)

// CollModOptions are the options of collMod in releases that read its fields one by
// one.
type CollModOptions uint8

const (
	OptionsNone         CollModOptions = iota // the zero value, which no release has
	OptionsOfSizes                            // usePowerOf2Sizes
	OptionsOfIndexes                          // also index
	OptionsOfPadding                          // also noPadding
	OptionsOfValidation                       // also validator, validationLevel and validationAction
	OptionsOfViews                            // also viewOn and pipeline
	OptionsWithoutSizes                       // as OptionsOfViews, without usePowerOf2Sizes and noPadding
	OptionsOfImages                           // also recordPreImages
)

// A doubleReading says how collMod reads a double that does not fit 64 bits (mongodb/mongo:
// src/mongo/bson/bsonelement.h, numberLong and safeNumberLong).
type doubleReading uint8

const (
	ReadsSaturating doubleReading = iota // as the nearest integer; NaN as 0
	ReadsPlain                           // as the smallest integer, even NaN
	ReadsLoosely                         // as ReadsSaturating, except that 2^63 itself becomes the smallest integer
)

// collModStorage says how collMod stores an index's expireAfterSeconds.
type collModStorage uint8

// MMAPv1 overwrites the stored number and keeps its type; the other storage engines
// rewrite the definition.
const (
	StoresUnspecified collModStorage = iota // the zero value, which no release has
	StoresByDouble                          // overwrites the stored number; for a stored int32 or double the new number is converted to a double first
	StoresInPlace                           // overwrites the stored number; a stored int32 gets the low 32 bits
	StoresByEngine                          // as StoresInPlace or StoresAnew, depending on the engine, which is not known
	StoresAnew                              // as an int64, or as StoresInt32 says
)

// collModRange is the range that collMod applies to an index's
// expireAfterSeconds, after conversion to a whole number.
type collModRange uint8

const (
	CollModRangeUnspecified collModRange = iota // unspecified
	CollModStoresAny                            // any number that fits 64 bits is stored, even below 0
	CollModStoresInt32                          // the nearest number that fits 32 bits is stored, even below 0
	CollModSinceEpoch                           // 0 to the seconds since 1970; a number above 2147483647 becomes 2147483647
	CollModClamps                               // at least 0; a number above 2147483647 becomes 2147483647
)

// collModReplyForm is the form in which collMod replies with the old and the new
// expireAfterSeconds of an index.
type collModReplyForm uint8

const (
	RepliesUnspecified collModReplyForm = iota // unspecified: RepliesParsed or RepliesSeconds
	RepliesElements                            // the stored and the given value, unconverted
	RepliesParsed                              // the stored value, unconverted, and the given one as an int32
	RepliesSeconds                             // the whole seconds of both values, as an int64
)

// An acceptance says whether a release accepts a definition.
type acceptance uint8

const (
	AcceptanceUnspecified acceptance = iota // unspecified
	Accepted
	Refused
)

// createRange is the range that createIndexes requires of expireAfterSeconds,
// after conversion to a whole number.
type createRange uint8

const (
	CreateRangeUnspecified createRange = iota // the zero value, which no release has
	CreateRangeUnchecked                      // any value, even one that is not a number
	CreateRangeSinceEpoch                     // 0 to the seconds since 1970
	CreateRangeInt32                          // 0 to 2147483647
)

// parserCodeNames says how a release names the error codes of its command parser.
type parserCodeNames uint8

const (
	ParserCodesUnspecified parserCodeNames = iota // unspecified
	ParserCodesNumbered                           // like a code without a name: "Location40415"
	ParserCodesNamed                              // each code has a name: "IDLUnknownField"
)

// A specReading says how a release reads the specification of an index.
type specReading uint8

const (
	SpecsUnspecified specReading = iota // the zero value, which no release has
	SpecsInserted                       // the specification is inserted into system.indexes
	SpecsByCatalog                      // the catalog checks the specification as a whole, and keeps unknown fields
	SpecsByField                        // unknown fields are refused, and the others are checked in their order
)

// signature is the set of properties that distinguish two indexes of a collection.
type signature uint8

// The signatures. SignatureCollation includes SignatureKey, and SignatureOptions includes
// both.
const (
	SignatureUnspecified signature = iota // the zero value, which no release has
	SignatureAny                          // the name or the key pattern; if an index has the same, nothing is created
	SignatureKey                          // the key pattern
	SignatureCollation                    // the collation
	SignatureOptions                      // sparse, unique and the partial filter
)
