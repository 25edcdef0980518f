package mongo

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Profile is how a release behaves where releases differ. It is opaque: rules ask
// it about one behaviour, and only the steps in profile_steps.go compare versions.
// Profiles compare with ==, so two releases with one Profile decide alike. Get
// one from [ProfileOf], and have it follow a server parameter that changes what
// expires with [Profile.WithParameter]. The zero Profile is that of no release:
// it keeps every document.
type Profile struct {
	// What is not described here is described at its type.
	conversion    conversion
	versionZero   versionZeroMeaning
	filters       filterLanguage
	operands      operandReading
	features      filterFeatures
	brokenPaths   brokenPathMeaning
	capped        cappedMeaning
	extendedRange extendedRangeMeaning
	scanStart     scanStartMeaning
	createRange   createRange
	signature     signature
	parserCodes   parserCodeNames
	// How an expireAfterSeconds is used that is NaN, that is not a number, and whose
	// whole seconds are below 0 or above 2147483647.
	nan, notNumber, outOfRange optionMeaning
	// In which kinds of namespaces anything is deleted.
	namespaces [namespaceKinds]processing

	decimals      bool // the release knows the type Decimal128
	storesInt32   bool // the catalog holds whole seconds as int32, converted when an index is created
	hashedDeletes bool // a hashed TTL index deletes as others do
	// An index of a type that the release does not know is an ordinary one; later
	// releases refuse it.
	unknownTypesPlain bool
	secondsWrap       bool // the milliseconds of a delay are the lowest 64 bits of the product; later releases check them
	cutoffChecked     bool // the pass fails where the clock less a negative delay does not fit 64 bits; earlier releases compute on
	// The monitor deletes by an ordinary query rather than by scanning the index:
	// a date equal to the cutoff is not yet expired, and neither the index's type
	// nor that of the option is looked at.
	byQuery       bool
	errorsEndPass bool // an error at one index ends the pass over its database; later releases go on with the next
	// A replication timestamp sorts among the dates: it is compared, as 64 bits,
	// with the milliseconds of the cutoff.
	timestampsSort bool

	nullMatchesUndefined bool // in a filter {f: null} matches an undefined f
	typeAny              bool // $type may be any number
	typeZero             bool // $type may be 0, the type of no value
	typeInsideArrays     bool // $type looks at an array's elements only
	extremeKeysOrdered   bool // nothing is less than MinKey or greater than MaxKey; earlier releases matched every other type

	clustered         bool // there are collections clustered by _id
	encrypted         bool // there are collections with encryptedFields
	timeSeries        bool // there are time-series collections
	timeSeriesIndexes bool // they may have TTL indexes beside their own option
	bucketSpans       bool // the span of their buckets can be set apart from granularity
	// A time-series collection, which has no index on _id, accepts none of the name
	// _id_. What earlier releases make of an index on _id there is unspecified.
	seriesRefusesID bool
	// A bucket's first time is rounded towards the past. Earlier releases round it
	// towards 1970, and keep the time itself as the bucket's minimum where that is
	// earlier.
	roundsDown bool

	collMod, create      commandReading
	arguments            commandArguments
	collModOptions       collModOptions
	collModStores        collModStorage
	eitherEngine         bool // MMAPv1 or another storage engine may hold the data
	collModReads         doubleReading
	collModKeeps         bool      // it keeps a change of an index in spite of a fault elsewhere in the command
	collModNotFound      ErrorCode // by which an index that is not there is refused
	collModNames         bool      // collMod finds an index by its name
	collModConverts      bool      // it turns an index without expireAfterSeconds into a TTL index
	collModRange         collModRange
	collModCapped        acceptance // of expireAfterSeconds for an index of a capped collection
	collModViews         acceptance // of an expireAfterSeconds of a view itself
	collModReplies       collModReplyForm
	collModRepliesChange bool // it replies with the old and the new option only if they differ
	collModRewrites      bool // it replaces an equal number of another type by an int32; earlier releases leave it
	prepareUnique        bool // it knows unique and prepareUnique

	createSize, createMax          ErrorCode // by which create refuses a negative size, and a max beyond 31 bits; 0 if it accepts that
	createTypes                    bool      // create refuses a size and a max that are no numbers, and looks at max without capped too
	specs                          specReading
	createNaN                      acceptance // by createIndexes, of an expireAfterSeconds of NaN
	createRepairsNaN               bool       // the catalog holds 2147483647 for an expireAfterSeconds of NaN
	createCapped                   acceptance // by createIndexes, of a TTL index in a capped collection
	createHidden                   acceptance // by createIndexes, of an index that exists and differs in hidden; accepted, it changes nothing
	createVersionZero              acceptance // by createIndexes, of v: 0; unspecified where the storage engine decides
	originalSpecs                  acceptance // by createIndexes, of originalSpec
	haystackOption                 acceptance // by createIndexes, of bucketSize; where it is not accepted there are no geoHaystack indexes
	storageCode                    ErrorCode  // by which a storageEngine that is no document is refused; 0 where it is not looked at
	filtersFirst                   bool       // partial filters are parsed as the specification is read, and the name * is refused
	namespaceChecked, namesBounded bool       // ns must be the collection's own; an index's name is at most 127 bytes with it
	optionTypes                    bool       // the types of all options are looked at
	versionFirst                   bool       // v is looked at before all else; before, as the index is built
	emptyTypeRefused               bool       // an empty text in the key is refused
	ftsReserved                    bool       // a field _fts is that of text indexes alone
	typesKnown                     bool       // an index type that is not known is refused; 2.2 makes a plain index
	hiddenIndexes, wildcardIndexes bool       // the release has such
	compoundWildcards              bool       // wildcard indexes may have other fields
	compoundHashed                 bool       // hashed indexes may have other fields
	seriesFilters                  bool       // an index of a time-series collection may have a filter, and measurements in its key
	namesConflict                  bool       // the very index that exists under another name is refused
	collationConflict              bool       // an index of the same name and key, but of another collation, is in conflict by its options
	sparseCompared                 bool       // sparse is compared as it is written
	listsCollation                 bool       // see ListsSimpleCollation

	bsonSize, getField, minN bool // aggregation has the operators; see HasOperator

	// The reason for which createIndexes refuses expireAfterSeconds stands behind the
	// specification, and a wildcard index's behind another.
	reasonLast, wildcardReasonLast bool
	// The refusal of a collection's own expireAfterSeconds distinguishes an overflow
	// from a delay before 1970. From 8.3 on the text of the latter differs between
	// time-series and clustered collections (SERVER-107163); it is unspecified,
	// and not distinguished here.
	rangeReasons bool
}

// ReadsNaNAsZero reports whether an index whose stored expireAfterSeconds is NaN
// deletes as if it were 0: what has a date in the past expires. It is false where
// NaN deletes nothing, and for the zero Profile. Up to 3.2 the conversion of C
// makes it 0 (mongodb/mongo: src/mongo/db/ttl.cpp), from 5.0.0 on one of the
// server's own (https://jira.mongodb.org/browse/SERVER-68477). Servers are taken
// to run on x86-64; builds of 3.4 to 4.4 for ARM64 convert it to 0 too.
//
// Experimental: it may change in a minor release.
func (p Profile) ReadsNaNAsZero() bool { return p.nan == optionZero }

// conversion is how a stored number becomes whole seconds. Doubles are
// truncated towards zero and decimals rounded half to even in every release.
type conversion uint8

const (
	conversionUnspecified conversion = iota // of no release
	conversionPlain                         // as C does on x86-64: a number beyond 64 bits is the smallest integer
	conversionSaturating                    // a number beyond 64 bits is the nearest that fits
)

// optionMeaning is what the monitor does by a stored expireAfterSeconds that no
// index should have.
type optionMeaning uint8

// The meanings. SERVER-68477 is about NaN, SERVER-11194 about what is not a
// number (https://jira.mongodb.org/browse/SERVER-68477 and SERVER-11194).
const (
	optionUnspecified optionMeaning = iota // unspecified
	optionUsed                             // it is a delay like any other
	optionZero                             // it is 0: what has a date in the past expires
	optionSkipped                          // the index is skipped
	optionAborts                           // every pass over the index fails
)

// versionZeroMeaning is what an index of version 0 does. The storage engine
// MMAPv1 alone has such indexes, which were the only ones up to 1.8.
type versionZeroMeaning uint8

const (
	versionZeroUnspecified versionZeroMeaning = iota // unspecified
	versionZeroUnsigned                              // it orders dates before 1970 after all others, where the query does not find them
	versionZeroNone                                  // there is none
)

// filterLanguage is what a partialFilterExpression may say.
type filterLanguage uint8

const (
	filtersNone   filterLanguage = iota // no partial indexes
	filtersFlat                         // a conjunction of comparisons, $exists and $type
	filtersNested                       // also $or, $in, geometry, and nesting
)

// operandReading is how the operands of $size and $mod are read in a filter, where
// both are refused in any case: with another code if they are malformed.
type operandReading uint8

const (
	operandsChecked  operandReading = iota // $size is a whole number from 0 that fits 32 bits, $mod are two that fit 64 bits
	operandsNumbered                       // $size is not a Decimal128, and $mod are two numbers of any size
	operandsTyped                          // and the remainder of $mod may be anything
	operandsLoose                          // $size may also be a text, below 0 or not a whole number
)

// filterFeatures is what the parser of a partial filter makes of what is no predicate on
// a document's fields.
type filterFeatures uint8

// The features. Up to 3.4 $expr and $jsonSchema are not known, and $type may be a
// fraction.
const (
	featuresNone      filterFeatures = iota // there are no partial filters
	featuresIsolated                        // $isolated is a clause, which no partial index may have
	featuresIgnored                         // it is passed over
	featuresBanned                          // it is refused as are other features
	featuresForgotten                       // it is not known
)

// brokenPathMeaning is what a filter makes of a dotted path that an array
// breaks off: one that is empty, or whose elements are not documents. The tickets
// are SERVER-36681 and those of the server parameter that undoes it.
type brokenPathMeaning uint8

const (
	brokenPathsSkipped    brokenPathMeaning = iota // {"a.b": null} does not match {a: [1]}
	brokenPathsNull                                // it matches it
	brokenPathsLegacyNull                          // it does not match it because of a server parameter
)

// cappedMeaning is what a TTL index on a capped collection does.
type cappedMeaning uint8

const (
	cappedUnspecified cappedMeaning = iota // unspecified
	cappedKeeps                            // nothing: every delete fails, or the monitor does not know the index
	cappedDeletes                          // deletes like any other
)

// extendedRangeMeaning is what happens to a time-series collection that is
// flagged as holding dates outside 1970 to 2038.
type extendedRangeMeaning uint8

const (
	extendedRangeUnspecified extendedRangeMeaning = iota // unspecified
	extendedRangeOrdinary                                // the flag is not looked at: the ordinary scan runs
	extendedRangeSkipped                                 // the whole collection is skipped
	extendedRangeDeletes                                 // expires by the buckets' own bounds
)

// scanStartMeaning is where the scan begins by which a time-series or clustered
// collection's own option deletes.
type scanStartMeaning uint8

// The meanings. The scan of a time-series collection is of ObjectIds, whose
// time is 32 bits of seconds; that of a clustered collection is of Dates.
const (
	scanStartUnspecified scanStartMeaning = iota // unspecified
	scanStartNone                                // with the first document
	scanStartEarliest                            // with the earliest Date: cut to 32 bits of seconds that is 2017-11-28T00:21:29Z
	scanStart1970                                // with 1970-01-01T00:00:00.000Z
)

// commandReading is how a release reads the collMod or create command.
type commandReading uint8

const (
	readingUnspecified commandReading = iota // unspecified
	readingOn                                // as readingLax; after a fault the next field is read, and the last fault is the one that is reported
	readingLax                               // an unknown field of index is ignored; types are looked at one by one
	readingManual                            // an unknown field is refused with InvalidOptions; types are looked at one by one
	readingEither                            // either as readingManual or as readingStrict
	readingStrict                            // every field has its types, null is absent, and an unknown field is refused
)

// commandArguments are the fields beside its own that a command passes over where its
// fields are looked at one by one (mongodb/mongo: src/mongo/db/commands.h, isGenericArgument).
type commandArguments uint8

// The fields.
const (
	argumentsNone           commandArguments = iota
	argumentsTime                            // maxTimeMS
	argumentsDollar                          // maxTimeMS, and what begins with a dollar sign
	argumentsListed                          // a list, among them writeConcern and lsid, without comment
	argumentsOfTransactions                  // also databaseVersion, autocommit, startTransaction
	argumentsOfCoordinators                  // also coordinator, stmtId
	argumentsCommented                       // those of today, among them comment and what begins with a dollar sign
)

// collModOptions are the options that collMod has where its fields are looked at one by
// one.
type collModOptions uint8

const (
	optionsNone         collModOptions = iota // of no release
	optionsOfSizes                            // usePowerOf2Sizes
	optionsOfIndexes                          // also index
	optionsOfPadding                          // also noPadding
	optionsOfValidation                       // also validator, validationLevel and validationAction
	optionsOfViews                            // also viewOn and pipeline
	optionsWithoutSizes                       // usePowerOf2Sizes and noPadding are gone
	optionsOfImages                           // also recordPreImages
)

// doubleReading is how collMod reads a double that does not fit 64 bits (mongodb/mongo:
// src/mongo/bson/bsonelement.h, numberLong and safeNumberLong).
type doubleReading uint8

const (
	readsSaturating doubleReading = iota // the nearest number, NaN as 0
	readsPlain                           // the smallest number, NaN too
	readsLoosely                         // as readsSaturating, except that 2^63 itself is the smallest number
)

// collModStorage is how collMod stores an index's expireAfterSeconds.
type collModStorage uint8

// The ways. MMAPv1 writes over the stored number, whose type stays as it is; the other
// storage engines write the definition anew.
const (
	storesUnspecified collModStorage = iota // of no release
	storesByDouble                          // over the stored number, an int32 or a double by way of a double
	storesInPlace                           // over the stored number, of which an int32 takes the low 32 bits
	storesByEngine                          // storesInPlace or storesAnew: the engine is not known
	storesAnew                              // as an int64, or as storesInt32 says
)

// collModRange is what collMod makes of an index's expireAfterSeconds, once it
// is a whole number.
type collModRange uint8

const (
	collModRangeUnspecified collModRange = iota // unspecified
	collModStoresAny                            // what fits 64 bits is stored, below 0 also
	collModSinceEpoch                           // 0 to the seconds since 1970; above 2147483647 counts as that
	collModClamps                               // 0 and more; above 2147483647 counts as that
)

// collModReplyForm is the form in which collMod replies with the old and the new
// expireAfterSeconds of an index.
type collModReplyForm uint8

const (
	repliesUnspecified collModReplyForm = iota // unspecified: either of the others
	repliesElements                            // the stored and the given value, as they are
	repliesSeconds                             // their whole seconds, as an int64
)

// acceptance is whether a release accepts a definition.
type acceptance uint8

const (
	acceptanceUnspecified acceptance = iota // unspecified
	accepted
	refused
)

// createRange is what createIndexes asks of expireAfterSeconds, once it is a
// whole number.
type createRange uint8

const (
	createRangeUnspecified createRange = iota // of no release
	createRangeUnchecked                      // nothing: what is not a number is stored too
	createRangeSinceEpoch                     // 0 to the seconds since 1970
	createRangeInt32                          // 0 to 2147483647
)

// parserCodeNames is how the codes of the parser of commands are named.
type parserCodeNames uint8

const (
	parserCodesUnspecified parserCodeNames = iota // unspecified
	parserCodesNumbered                           // as any code without a name: "Location40415"
	parserCodesNamed                              // by names of their own: "IDLUnknownField"
)

// specReading is how a release reads the specification of an index.
type specReading uint8

const (
	specsUnspecified specReading = iota // of no release
	specsInserted                       // it is inserted into system.indexes
	specsByCatalog                      // the catalog looks at it as a whole, and keeps fields that it does not know
	specsByField                        // unknown fields are refused, and the others looked at in their order
)

// signature is what distinguishes two indexes of one collection.
type signature uint8

// The signatures. Each from signatureKey on includes those before it.
const (
	signatureUnspecified signature = iota // of no release
	signatureAny                          // the name or the key pattern, and where it exists nothing is done
	signatureKey                          // the key pattern
	signatureCollation                    // the collation
	signatureOptions                      // sparse, unique and the partial filter
)

// LegacyNullParameter is the server parameter by which a partial filter reads
// null on dotted paths as it did up to 8.3. It is false unless it is set. Set
// it when the server starts: a filter keeps the way in which its index was
// opened (mongodb/mongo: src/mongo/db/query/query_execution_knobs.idl,
// src/mongo/db/matcher/path.h; that it holds for indexes in use is inferred).
const LegacyNullParameter = "internalQueryLegacyDottedPathNullSemantics"

// EngineParameter is how [Profile.WithParameter] is told the storage engine of a server of
// 3.0 to 4.0, by the name that serverStatus shows as storageEngine.name. The engine decides
// what collMod stores of an expireAfterSeconds: mmapv1 writes it over the old number and in
// its type (mongodb/mongo: src/mongo/db/storage/mmap_v1/catalog/namespace_details_collection_entry.cpp
// and src/mongo/db/storage/kv/kv_collection_catalog_entry.cpp, updateTTLSetting). It is no
// parameter of setParameter: mongod is started with --storageEngine.
const EngineParameter = "storageEngine"

// ErrParameter is wrapped by the error for a server parameter that the release
// does not have, that changes nothing about what expires, or whose value is of
// another type.
var ErrParameter = errors.New("mongo: no such server parameter")

// WithParameter returns the profile of a server on which a parameter is set.
// There are two that change what expires: [LegacyNullParameter], a Bool, from
// 9.0 on, whose default gives p back; and [EngineParameter], the String "mmapv1",
// "wiredTiger" or "inMemory", from 3.0 to 4.0, without which it is not known. For any other
// parameter, release or value it returns an error that wraps [ErrParameter], and the zero
// Profile.
func (p Profile) WithParameter(name string, value policy.Value) (Profile, error) {
	legacy, isBool := value.AsBool()
	switch {
	case name == EngineParameter:
		return p.withEngine(value)
	case name != LegacyNullParameter:
		return Profile{}, fmt.Errorf("%w: %q; known are %s and %s", ErrParameter, name, LegacyNullParameter, EngineParameter)
	case p.brokenPaths == brokenPathsSkipped:
		return Profile{}, fmt.Errorf("%w: this release has no %s", ErrParameter, name)
	case !isBool:
		return Profile{}, fmt.Errorf("%w: %s is a bool, not %s", ErrParameter, name, value.Kind())
	}
	p.brokenPaths = brokenPathsNull
	if legacy {
		p.brokenPaths = brokenPathsLegacyNull
	}
	return p, nil
}

// withEngine is WithParameter for the storage engine. What was said of it before does not count.
func (p Profile) withEngine(engine policy.Value) (Profile, error) {
	// Every release of 3.0 to 4.0 has either engine; 2.6 has the one alone, 4.2 the other.
	if !p.eitherEngine {
		return Profile{}, fmt.Errorf("%w: in this release nothing depends on %s", ErrParameter, EngineParameter)
	}
	switch name, _ := engine.AsString(); name {
	case "mmapv1":
		p.collModStores = storesInPlace
	case "wiredTiger", "inMemory":
		p.collModStores = storesAnew
	default:
		return Profile{}, fmt.Errorf("%w: %s is mmapv1, wiredTiger or inMemory, not %s", ErrParameter, EngineParameter, value.Shown(engine))
	}
	return p, nil
}

// HasOperator reports whether aggregation of the release has an operator that not all
// releases have: $bsonSize, since 4.4, $getField, since 5.0, or $minN, since 5.2. It is
// false for any other name, and for the zero Profile
// (https://www.mongodb.com/docs/manual/reference/operator/aggregation/bsonSize/,
// …/getField/ and …/minN/).
//
// Experimental: it may change in a minor release.
func (p Profile) HasOperator(name string) bool {
	switch name {
	case "$bsonSize":
		return p.bsonSize
	case "$getField":
		return p.getField
	case "$minN":
		return p.minN
	}
	return false
}

// CodeName returns the codeName that a release sends with a code, or "" where
// that is unspecified, so that only the number can be compared. The codes
// of the parser of commands, IDLFailedToParse and IDLUnknownField, had no
// name up to 6.0 ("Location40415"), and have theirs since 8.0 (mongodb/mongo:
// src/mongo/base/error_codes.yml).
func (p Profile) CodeName(c ErrorCode) string {
	switch {
	case c != idlFailedToParse && c != idlUnknownField || p.parserCodes == parserCodesNamed:
		return c.Name()
	case p.parserCodes == parserCodesNumbered:
		return c.location()
	}
	return ""
}
