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
	Operands      OperandReading
	Features      filterFeatures
	BrokenPaths   BrokenPathMeaning
	Capped        cappedMeaning
	ExtendedRange ExtendedRangeMeaning
	ScanStart     ScanStartMeaning
	CreateRange   createRange
	Signature     signature
	ParserCodes   parserCodeNames
	// These are the treatments of an expireAfterSeconds that is NaN, that is not a
	// number, or whose whole seconds are below 0 or above 2147483647.
	Nan, NotNumber, OutOfRange optionMeaning
	// In which kinds of namespaces anything is deleted.
	Namespaces [NamespaceKinds]processing

	Decimals      bool // the release knows the type Decimal128
	StoresInt32   bool // the catalog holds whole seconds as int32, converted when an index is created
	HashedDeletes bool // a hashed TTL index deletes as others do
	// An index of a type that the release does not know is an ordinary one; later
	// releases refuse it.
	UnknownTypesPlain bool
	SecondsWrap       bool // the milliseconds of a delay are the lowest 64 bits of the product; later releases check them
	CutoffChecked     bool // the pass fails where the clock less a negative delay does not fit 64 bits; earlier releases compute on
	// The monitor deletes by an ordinary query rather than by scanning the index:
	// a date equal to the cutoff is not yet expired, and neither the index's type
	// nor that of the option is looked at.
	ByQuery       bool
	ErrorsEndPass bool // an error at one index ends the pass over its database; later releases go on with the next
	// A replication timestamp sorts among the dates: it is compared, as 64 bits,
	// with the milliseconds of the cutoff.
	TimestampsSort bool

	NullMatchesUndefined bool // in a filter {f: null} matches an undefined f
	TypeAny              bool // $type may be any number
	TypeZero             bool // $type may be 0, the type of no value
	TypeInsideArrays     bool // $type looks at an array's elements only
	ExtremeKeysOrdered   bool // nothing is less than MinKey or greater than MaxKey; earlier releases matched every other type

	Clustered         bool // there are collections clustered by _id
	Encrypted         bool // there are collections with encryptedFields
	TimeSeries        bool // there are time-series collections
	TimeSeriesIndexes bool // they may have TTL indexes beside their own option
	BucketSpans       bool // the span of their buckets can be set apart from granularity
	// A time-series collection, which has no index on _id, accepts none of the name
	// _id_. It is unspecified how earlier releases treat an index on _id there.
	SeriesRefusesID bool
	// A bucket's first time is rounded towards the past. Earlier releases round it
	// towards 1970, and keep the time itself as the bucket's minimum where that is
	// earlier.
	RoundsDown bool

	CollMod, Create      CommandReading
	Arguments            commandArguments
	CollModOptions       CollModOptions
	CollModStores        collModStorage
	EitherEngine         bool // MMAPv1 or another storage engine may hold the data
	CollModReads         doubleReading
	CollModKeeps         bool  // it keeps a change of an index in spite of a fault elsewhere in the command
	CollModNotFound      int32 // by which an index that is not there is refused
	CollModNames         bool  // collMod finds an index by its name
	CollModConverts      bool  // it turns an index without expireAfterSeconds into a TTL index
	CollModRange         collModRange
	CollModCapped        acceptance // of expireAfterSeconds for an index of a capped collection
	CollModViews         acceptance // of an expireAfterSeconds of a view itself
	CollModReplies       collModReplyForm
	CollModRepliesChange bool // it replies with the old and the new option only if they differ
	CollModRewrites      bool // it replaces an equal number of another type by an int32; earlier releases leave it
	PrepareUnique        bool // it knows unique and prepareUnique

	CreateSize, CreateMax          int32 // by which create refuses a negative size, and a max beyond 31 bits; 0 if it accepts that
	CreateTypes                    bool  // create refuses a size and a max that are no numbers, and looks at max without capped too
	Specs                          specReading
	CreateNaN                      acceptance // by createIndexes, of an expireAfterSeconds of NaN
	CreateRepairsNaN               bool       // the catalog holds 2147483647 for an expireAfterSeconds of NaN
	CreateCapped                   acceptance // by createIndexes, of a TTL index in a capped collection
	CreateHidden                   acceptance // by createIndexes, of an index that exists and differs in hidden; accepted, it changes nothing
	ClusteredSeconds               acceptance // by createIndexes, of expireAfterSeconds beside clustered
	CreateVersionZero              acceptance // by createIndexes, of v: 0; unspecified where the storage engine decides
	OriginalSpecs                  acceptance // by createIndexes, of originalSpec
	HaystackOption                 acceptance // by createIndexes, of bucketSize; where it is not accepted there are no geoHaystack indexes
	StorageCode                    int32      // by which a storageEngine that is not a document is refused; 0 where it is not looked at
	FiltersFirst                   bool       // partial filters are parsed as the specification is read, and the name * is refused
	NamespaceChecked, NamesBounded bool       // ns must be the collection's own; an index's name is at most 127 bytes with it
	OptionTypes                    bool       // the types of all options are looked at
	VersionFirst                   bool       // v is looked at before all else; before, as the index is built
	EmptyTypeRefused               bool       // an empty text in the key is refused
	FtsReserved                    bool       // a field _fts is that of text indexes alone
	TypesKnown                     bool       // an index type that is not known is refused; 2.2 makes a plain index
	HiddenIndexes, WildcardIndexes bool       // the release has such
	CompoundWildcards              bool       // wildcard indexes may have other fields
	CompoundHashed                 bool       // hashed indexes may have other fields
	SeriesFilters                  bool       // an index of a time-series collection may have a filter, and measurements in its key
	NamesConflict                  bool       // the very index that exists under another name is refused
	CollationConflict              bool       // an index of the same name and key, but of another collation, is in conflict by its options
	SparseCompared                 bool       // sparse is compared as it is written
	ListsCollation                 bool       // listIndexes shows the collation {locale: "simple"} for an index without one

	BsonSize, GetField, MinN bool // aggregation has the operators $bsonSize, $getField, $minN

	// The reason for which createIndexes refuses expireAfterSeconds stands behind the
	// specification, and a wildcard index's behind another.
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
	ConversionUnspecified conversion = iota // of no release
	ConversionPlain                         // as C does on x86-64: a number beyond 64 bits is the smallest integer
	ConversionSaturating                    // a number beyond 64 bits is the nearest that fits
)

// optionMeaning is the monitor's treatment of a stored expireAfterSeconds that
// no index should have.
type optionMeaning uint8

// The meanings. SERVER-68477 is about NaN, SERVER-11194 about what is not a
// number (https://jira.mongodb.org/browse/SERVER-68477 and SERVER-11194).
const (
	OptionUnspecified optionMeaning = iota // unspecified
	OptionUsed                             // it is a delay like any other
	OptionZero                             // it is 0: what has a date in the past expires
	OptionSkipped                          // the index is skipped
	OptionAborts                           // every pass over the index fails
)

// versionZeroMeaning is the effect of an index of version 0. The storage engine
// MMAPv1 alone has such indexes, which were the only ones up to 1.8.
type versionZeroMeaning uint8

const (
	VersionZeroUnspecified versionZeroMeaning = iota // unspecified
	VersionZeroUnsigned                              // it orders dates before 1970 after all others, where the query does not find them
	VersionZeroNone                                  // there is none
)

// FilterLanguage is the language of a partialFilterExpression.
type FilterLanguage uint8

const (
	FiltersNone   FilterLanguage = iota // no partial indexes
	FiltersFlat                         // a conjunction of comparisons, $exists and $type
	FiltersNested                       // also $or, $in, geometry, and nesting
)

// An OperandReading says how a filter reads the operands of $size and $mod. It refuses both
// in any case, with another code if they are malformed.
type OperandReading uint8

const (
	OperandsChecked  OperandReading = iota // $size is a whole number from 0 that fits 32 bits, $mod are two that fit 64 bits
	OperandsNumbered                       // $size is not a Decimal128, and $mod are two numbers of any size
	OperandsTyped                          // and the remainder of $mod may be anything
	OperandsLoose                          // $size may also be a text, below 0 or not a whole number
)

// filterFeatures says how the parser of a partial filter treats clauses that are not
// predicates on a document's fields.
type filterFeatures uint8

// The features. Up to 3.4 $expr and $jsonSchema are not known, and $type may be a
// fraction.
const (
	FeaturesNone      filterFeatures = iota // there are no partial filters
	FeaturesIsolated                        // $isolated is a clause, which no partial index may have
	FeaturesIgnored                         // it is passed over
	FeaturesBanned                          // it is refused as are other features
	FeaturesForgotten                       // it is not known
)

// A BrokenPathMeaning says how a filter treats a dotted path that ends early at an array
// that is empty or whose elements are not documents. The tickets are SERVER-36681 and those
// of the server parameter that undoes the change.
type BrokenPathMeaning uint8

const (
	BrokenPathsSkipped    BrokenPathMeaning = iota // {"a.b": null} does not match {a: [1]}
	BrokenPathsNull                                // it matches it
	BrokenPathsLegacyNull                          // it does not match it because of a server parameter
)

// cappedMeaning is the effect of a TTL index on a capped collection.
type cappedMeaning uint8

const (
	CappedUnspecified cappedMeaning = iota // unspecified
	CappedKeeps                            // nothing: every delete fails, or the monitor does not know the index
	CappedDeletes                          // deletes like any other
)

// ExtendedRangeMeaning is the treatment of a time-series collection that is
// flagged as holding dates outside 1970 to 2038.
type ExtendedRangeMeaning uint8

const (
	ExtendedRangeUnspecified ExtendedRangeMeaning = iota // unspecified
	ExtendedRangeOrdinary                                // the flag is not looked at: the ordinary scan runs
	ExtendedRangeSkipped                                 // the whole collection is skipped
	ExtendedRangeDeletes                                 // expires by the buckets' own bounds
)

// ScanStartMeaning is the start of the scan for the own option of a time-series
// or clustered collection.
type ScanStartMeaning uint8

// The meanings. The scan of a time-series collection goes over ObjectIds, whose
// time is 32 bits of seconds; that of a clustered collection goes over Dates.
const (
	ScanStartUnspecified ScanStartMeaning = iota // unspecified
	ScanStartNone                                // with the first document
	ScanStartEarliest                            // with the earliest Date: cut to 32 bits of seconds that is 2017-11-28T00:21:29Z
	ScanStart1970                                // with 1970-01-01T00:00:00.000Z
)

// A CommandReading says how a release reads the collMod or create command.
type CommandReading uint8

const (
	ReadingUnspecified CommandReading = iota // unspecified
	ReadingOn                                // as ReadingLax; after a fault the next field is read, and the last fault is the one that is reported
	ReadingLax                               // an unknown field of index is ignored; types are looked at one by one
	ReadingManual                            // an unknown field is refused with InvalidOptions; types are looked at one by one
	ReadingEither                            // either as ReadingManual or as ReadingStrict
	ReadingStrict                            // every field has its types, null is absent, and an unknown field is refused
)

// commandArguments are the fields, beside its own, that a command ignores in releases that
// read its fields one by one (mongodb/mongo: src/mongo/db/commands.h, isGenericArgument).
type commandArguments uint8

// The fields.
const (
	ArgumentsNone           commandArguments = iota
	ArgumentsTime                            // maxTimeMS
	ArgumentsDollar                          // maxTimeMS, and what begins with a dollar sign
	ArgumentsListed                          // a list, among them writeConcern and lsid, without comment
	ArgumentsOfTransactions                  // also databaseVersion, autocommit, startTransaction
	ArgumentsOfCoordinators                  // also coordinator, stmtId
	ArgumentsCommented                       // those of today, among them comment and what begins with a dollar sign
)

// CollModOptions are the options of collMod in releases that read its fields one by
// one.
type CollModOptions uint8

const (
	OptionsNone         CollModOptions = iota // of no release
	OptionsOfSizes                            // usePowerOf2Sizes
	OptionsOfIndexes                          // also index
	OptionsOfPadding                          // also noPadding
	OptionsOfValidation                       // also validator, validationLevel and validationAction
	OptionsOfViews                            // also viewOn and pipeline
	OptionsWithoutSizes                       // usePowerOf2Sizes and noPadding are gone
	OptionsOfImages                           // also recordPreImages
)

// A doubleReading says how collMod reads a double that does not fit 64 bits (mongodb/mongo:
// src/mongo/bson/bsonelement.h, numberLong and safeNumberLong).
type doubleReading uint8

const (
	ReadsSaturating doubleReading = iota // the nearest number, NaN as 0
	ReadsPlain                           // the smallest number, NaN too
	ReadsLoosely                         // as ReadsSaturating, except that 2^63 itself is the smallest number
)

// collModStorage says how collMod stores an index's expireAfterSeconds.
type collModStorage uint8

// MMAPv1 overwrites the stored number and keeps its type; the other storage engines
// rewrite the definition.
const (
	StoresUnspecified collModStorage = iota // of no release
	StoresByDouble                          // over the stored number, an int32 or a double by way of a double
	StoresInPlace                           // over the stored number, of which an int32 takes the low 32 bits
	StoresByEngine                          // StoresInPlace or StoresAnew: the engine is not known
	StoresAnew                              // as an int64, or as StoresInt32 says
)

// CollModRange is the range that collMod applies to an index's
// expireAfterSeconds, after conversion to a whole number.
type collModRange uint8

const (
	CollModRangeUnspecified collModRange = iota // unspecified
	CollModStoresAny                            // what fits 64 bits is stored, below 0 also
	CollModSinceEpoch                           // 0 to the seconds since 1970; above 2147483647 counts as that
	CollModClamps                               // 0 and more; above 2147483647 counts as that
)

// collModReplyForm is the form in which collMod replies with the old and the new
// expireAfterSeconds of an index.
type collModReplyForm uint8

const (
	RepliesUnspecified collModReplyForm = iota // unspecified: either of the others
	RepliesElements                            // the stored and the given value, as they are
	RepliesSeconds                             // their whole seconds, as an int64
)

// An acceptance says whether a release accepts a definition.
type acceptance uint8

const (
	AcceptanceUnspecified acceptance = iota // unspecified
	Accepted
	Refused
)

// CreateRange is the range that createIndexes requires of expireAfterSeconds,
// after conversion to a whole number.
type createRange uint8

const (
	CreateRangeUnspecified createRange = iota // of no release
	CreateRangeUnchecked                      // nothing: what is not a number is stored too
	CreateRangeSinceEpoch                     // 0 to the seconds since 1970
	CreateRangeInt32                          // 0 to 2147483647
)

// parserCodeNames says how a release names the error codes of its command parser.
type parserCodeNames uint8

const (
	ParserCodesUnspecified parserCodeNames = iota // unspecified
	ParserCodesNumbered                           // as any code without a name: "Location40415"
	ParserCodesNamed                              // by names of their own: "IDLUnknownField"
)

// A specReading says how a release reads the specification of an index.
type specReading uint8

const (
	SpecsUnspecified specReading = iota // of no release
	SpecsInserted                       // it is inserted into system.indexes
	SpecsByCatalog                      // the catalog looks at it as a whole, and keeps fields that it does not know
	SpecsByField                        // unknown fields are refused, and the others looked at in their order
)

// signature names the properties that distinguish two indexes of one
// collection.
type signature uint8

// The signatures. Each from SignatureKey on includes those before it.
const (
	SignatureUnspecified signature = iota // of no release
	SignatureAny                          // the name or the key pattern, and where it exists nothing is done
	SignatureKey                          // the key pattern
	SignatureCollation                    // the collation
	SignatureOptions                      // sparse, unique and the partial filter
)
