package mongo

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Profile names the TTL behaviours in which releases differ. Rules ask a
// Profile about one behaviour; nothing outside this file compares versions.
// Profiles compare with ==, so two releases with one Profile decide alike. Get
// one from [ProfileOf], and have it follow a server parameter that changes what
// expires with [Profile.WithParameter]. The zero Profile is that of no release:
// it keeps every document.
type Profile struct {
	// conversion is how a stored expireAfterSeconds becomes whole seconds.
	conversion conversion
	// decimals means that the release knows the type Decimal128.
	decimals bool
	// nan is what a stored expireAfterSeconds of NaN does.
	nan optionMeaning
	// notNumber is what a stored expireAfterSeconds that is not a number does.
	notNumber optionMeaning
	// hashedDeletes means that a hashed TTL index deletes as others do.
	hashedDeletes bool
	// outOfRange is what stored whole seconds below 0 or above 2147483647 do.
	outOfRange optionMeaning
	// storesInt32 means that the catalog holds whole seconds as int32: the
	// option is converted when an index is created.
	storesInt32 bool
	// byQuery means that the monitor deletes by an ordinary query rather than
	// by scanning the index: a date equal to the cutoff is not yet expired,
	// and neither the index's type nor that of the option is looked at.
	byQuery bool
	// versionZero is what an index of version 0 does.
	versionZero versionZeroMeaning
	// cutoffChecked means that the pass fails where the clock less a negative
	// delay does not fit 64 bits. Earlier releases compute on.
	cutoffChecked bool
	// timestampsOpen means that a replication timestamp sorts among the
	// dates, so that the query may have removed it.
	timestampsOpen bool
	// filters is the language of partialFilterExpression.
	filters filterLanguage
	// nullMatchesUndefined means that {f: null} matches an undefined f.
	nullMatchesUndefined bool
	// typeInsideArrays means that $type looks at an array's elements only.
	typeInsideArrays bool
	// extremeKeysOrdered means that nothing is less than MinKey or greater
	// than MaxKey in a filter. Earlier releases took in every other type.
	extremeKeysOrdered bool
	// operands is how the operands of $size and $mod are read in a filter, where
	// both are refused in any case: with another code if they are malformed.
	operands operandReading
	// brokenPaths is what a filter makes of a dotted path that an array breaks
	// off.
	brokenPaths brokenPathMeaning
	// capped is what a TTL index on a capped collection does.
	capped cappedMeaning
	// timeSeries means that the release has time-series collections.
	timeSeries bool
	// timeSeriesIndexes means that a time-series collection may have a TTL
	// index beside its own option.
	timeSeriesIndexes bool
	// seriesRefusesID means that a time-series collection, which has no index on
	// _id, accepts none of the name _id_. What earlier releases make of an index
	// on _id there is not established.
	seriesRefusesID bool
	// extendedRange is what happens to a time-series collection that holds
	// dates outside 1970 to 2038.
	extendedRange extendedRangeMeaning
	// scanStart is where the scan by a collection's own option begins.
	scanStart scanStartMeaning
	// roundsDown means that a bucket's first time is rounded towards the past.
	// Earlier releases round it towards 1970, and keep the time itself as the
	// bucket's minimum where that is earlier.
	roundsDown bool
	// clustered means that the release has collections clustered by _id.
	clustered bool
	// namespaces are the kinds of namespaces in which anything is deleted.
	namespaces [namespaceKinds]processing
	// collMod and create are how the release reads these commands.
	collMod, create commandReading
	// collModNames means that collMod finds an index by its name.
	collModNames bool
	// collModConverts means that collMod turns an index that has no
	// expireAfterSeconds into a TTL index.
	collModConverts bool
	// collModRange is what collMod makes of an index's expireAfterSeconds.
	collModRange collModRange
	// collModCapped is whether collMod accepts expireAfterSeconds for an index
	// of a capped collection.
	collModCapped acceptance
	// collModViews is whether collMod accepts an expireAfterSeconds of a view itself.
	collModViews acceptance
	// collModRepliesChange means that collMod replies with the old and the new
	// option only if they differ.
	collModRepliesChange bool
	// collModReplies is as what collMod replies with them.
	collModReplies collModReplyForm
	// collModRewrites means that collMod writes an int32 in the place of an
	// equal number of another type. Releases that do not leave it as it is.
	collModRewrites bool
	// prepareUnique means that collMod knows unique and prepareUnique.
	prepareUnique bool
	// bucketSpans means that the span of a time-series collection's buckets
	// can be set apart from granularity.
	bucketSpans bool
	// createRange is what createIndexes asks of expireAfterSeconds.
	createRange createRange
	// createNaN is whether createIndexes accepts an expireAfterSeconds of NaN.
	createNaN acceptance
	// createCapped is whether createIndexes makes a TTL index in a capped
	// collection.
	createCapped acceptance
	// nameless is the code by which an index without a name is refused.
	nameless ErrorCode
	// optionsChecked means that createIndexes refuses an option that it does
	// not know. Earlier releases store and ignore it.
	optionsChecked bool
	// hiddenIndexes and wildcardIndexes mean that the release has such.
	hiddenIndexes, wildcardIndexes bool
	// signature is what distinguishes two indexes of one collection.
	signature signature
	// namesConflict means that the very index that exists under another name
	// is refused.
	namesConflict bool
	// listsCollation means that listIndexes shows the collation
	// {locale: "simple"} for an index without one, once the feature compatibility
	// version is the release's own.
	listsCollation bool
	// reasonLast means that the reason for which createIndexes refuses
	// expireAfterSeconds stands behind the specification, and
	// wildcardReasonLast that a wildcard index's stands behind another.
	reasonLast, wildcardReasonLast bool
	// parserCodes is how the codes of the parser of commands are named.
	parserCodes parserCodeNames
	// rangeReasons means that the refusal of a collection's own
	// expireAfterSeconds distinguishes an overflow from a delay before 1970. From 8.3 on
	// the text of the latter differs between time-series and clustered
	// collections (SERVER-107163); it is not established, and not distinguished here.
	rangeReasons bool
}

// ReadsNaNAsZero reports whether an index whose stored expireAfterSeconds is NaN
// deletes as if it were 0: what has a date in the past expires. It is false where
// NaN deletes nothing, and for the zero Profile
// (https://jira.mongodb.org/browse/SERVER-68477).
func (p Profile) ReadsNaNAsZero() bool { return p.nan == optionZero }

// conversion is how a stored number becomes whole seconds. Doubles are
// truncated towards zero and decimals rounded half to even in every release.
type conversion uint8

// The conversions.
const (
	conversionUnspecified conversion = iota // of no release
	conversionPlain                         // as C does: a double beyond 64 bits is undefined
	conversionSaturating                    // a number beyond 64 bits is the nearest that fits
)

// optionMeaning is what the monitor does by a stored expireAfterSeconds that no
// index should have.
type optionMeaning uint8

// The meanings. SERVER-68477 is about NaN, SERVER-11194 about what is not a
// number (https://jira.mongodb.org/browse/SERVER-68477 and SERVER-11194).
const (
	optionUnspecified optionMeaning = iota // not established
	optionUsed                             // it is a delay like any other
	optionZero                             // it is 0: what has a date in the past expires
	optionSkipped                          // the index is skipped
	optionAborts                           // every pass over the index fails
)

// versionZeroMeaning is what an index of version 0 does. The storage engine
// MMAPv1 alone has such indexes, which were the only ones up to 1.8.
type versionZeroMeaning uint8

// The meanings.
const (
	versionZeroUnspecified versionZeroMeaning = iota // not established
	versionZeroUnsigned                              // it orders dates before 1970 after all others, where the query does not find them
	versionZeroNone                                  // there is none
)

// filterLanguage is what a partialFilterExpression may say.
type filterLanguage uint8

// The languages.
const (
	filtersNone   filterLanguage = iota // no partial indexes
	filtersFlat                         // a conjunction of comparisons, $exists and $type
	filtersNested                       // also $or, $in, geometry, and nesting
)

// operandReading is how the operands of $size and $mod are read.
type operandReading uint8

// The ways.
const (
	operandsChecked operandReading = iota // $size is a whole number from 0 that fits 32 bits, $mod are two that fit 64 bits
	operandsTyped                         // $size is not a Decimal128, and the remainder of $mod may be anything
	operandsLoose                         // $size may also be a text, below 0 or not a whole number
)

// brokenPathMeaning is what a filter makes of a dotted path that an array
// breaks off: one that is empty, or whose elements are not documents. The tickets
// are SERVER-36681 and those of the server parameter that undoes it.
type brokenPathMeaning uint8

// The meanings.
const (
	brokenPathsSkipped    brokenPathMeaning = iota // {"a.b": null} leaves {a: [1]} out
	brokenPathsNull                                // it takes it in
	brokenPathsLegacyNull                          // it leaves it out because of a server parameter
)

// cappedMeaning is what a TTL index on a capped collection does.
type cappedMeaning uint8

// The meanings.
const (
	cappedUnspecified cappedMeaning = iota // not established
	cappedKeeps                            // nothing: every delete fails, or the monitor does not know the index
	cappedDeletes                          // deletes like any other
)

// extendedRangeMeaning is what happens to a time-series collection that is
// flagged as holding dates outside 1970 to 2038.
type extendedRangeMeaning uint8

// The meanings.
const (
	extendedRangeUnspecified extendedRangeMeaning = iota // not established
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
	scanStartUnspecified scanStartMeaning = iota // not established
	scanStartNone                                // with the first document
	scanStartEarliest                            // with the earliest Date: cut to 32 bits of seconds that is 2017-11-28T00:21:29Z
	scanStart1970                                // with 1970-01-01T00:00:00.000Z
)

// commandReading is how a release reads the collMod or create command.
type commandReading uint8

// The ways.
const (
	readingUnspecified commandReading = iota // not established
	readingLax                               // an unknown field of index is ignored; types are looked at one by one
	readingManual                            // an unknown field is refused with InvalidOptions; types are looked at one by one
	readingOpen                              // either as readingManual or as readingStrict
	readingStrict                            // every field has its types, null is absent, and an unknown field is refused
)

// collModRange is what collMod makes of an index's expireAfterSeconds, once it
// is a whole number.
type collModRange uint8

// The ranges.
const (
	collModRangeUnspecified collModRange = iota // not established
	collModStoresAny                            // what fits 64 bits is stored, below 0 also
	collModSinceEpoch                           // 0 to the seconds since 1970; above 2147483647 counts as that
	collModClamps                               // 0 and more; above 2147483647 counts as that
)

// collModReplyForm is as what collMod replies with the old and the new
// expireAfterSeconds of an index.
type collModReplyForm uint8

// The forms.
const (
	repliesUnspecified collModReplyForm = iota // not established: either of the others
	repliesElements                            // the stored and the given value, as they are
	repliesSeconds                             // their whole seconds, as an int64
)

// acceptance is whether a release accepts a definition.
type acceptance uint8

// The answers.
const (
	acceptanceUnspecified acceptance = iota // not established
	accepted
	refused
)

// createRange is what createIndexes asks of expireAfterSeconds, once it is a
// whole number.
type createRange uint8

// The ranges.
const (
	createRangeUnspecified createRange = iota // of no release
	createRangeUnchecked                      // nothing: what is not a number is stored too
	createRangeSinceEpoch                     // 0 to the seconds since 1970
	createRangeInt32                          // 0 to 2147483647
)

// parserCodeNames is how the codes of the parser of commands are named.
type parserCodeNames uint8

// The ways.
const (
	parserCodesUnspecified parserCodeNames = iota // not established
	parserCodesNumbered                           // as any code without a name: "Location40415"
	parserCodesNamed                              // by names of their own: "IDLUnknownField"
)

// signature is what distinguishes two indexes of one collection.
type signature uint8

// The signatures. Each includes those before it.
const (
	signatureUnspecified signature = iota // not established
	signatureKey                          // the key pattern
	signatureCollation                    // the collation
	signatureOptions                      // sparse, unique and the partial filter
)

// LegacyNullParameter is the server parameter by which a partial filter reads
// null on dotted paths as it did up to 8.3. It is false unless it is set. Set
// it when the server starts: a filter keeps the way in which its index was
// opened (mongodb/mongo: src/mongo/db/query/query_execution_knobs.idl,
// src/mongo/db/matcher/path.h; that it holds for open indexes is inferred).
const LegacyNullParameter = "internalQueryLegacyDottedPathNullSemantics"

// ErrParameter is wrapped by the error for a server parameter that the release
// does not have, that changes nothing about what expires, or whose value is of
// another type.
var ErrParameter = errors.New("mongo: no such server parameter")

// WithParameter returns the profile of a server on which a parameter is set.
// There is one that changes what expires, [LegacyNullParameter], a Bool, from
// 9.0 on; its default gives p back. For any other parameter, release or value
// it returns an error that wraps [ErrParameter], and the zero Profile.
func (p Profile) WithParameter(name string, value policy.Value) (Profile, error) {
	legacy, isBool := value.AsBool()
	switch {
	case name != LegacyNullParameter:
		return Profile{}, fmt.Errorf("%w: %q; known is %s", ErrParameter, name, LegacyNullParameter)
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

// CodeName returns the codeName that a release sends with a code, or "" where
// that is not established, so that only the number can be compared. The codes
// of the parser of commands, [IDLFailedToParse] and [IDLUnknownField], had no
// name up to 6.0 ("Location40415"), and have theirs since 8.0 (mongodb/mongo:
// src/mongo/base/error_codes.yml).
func (p Profile) CodeName(c ErrorCode) string {
	switch {
	case c != IDLFailedToParse && c != IDLUnknownField || p.parserCodes == parserCodesNamed:
		return c.Name()
	case p.parserCodes == parserCodesNumbered:
		return c.location()
	}
	return ""
}
