package mongo

import "fmt"

// A Profile names the TTL behaviours in which releases differ. Rules ask a
// Profile about one behaviour; nothing outside this file compares versions.
// Profiles compare with ==, so two releases with one Profile decide alike. Get
// one from [ProfileOf], and have it follow a server parameter that changes what
// expires with [Profile.WithParameter]. The zero Profile is that of no release:
// it keeps every document.
type Profile struct {
	// Conversion is how a stored expireAfterSeconds becomes whole seconds.
	Conversion Conversion
	// Decimals tells whether the release knows the type Decimal128.
	Decimals bool
	// NaN is what a stored expireAfterSeconds of NaN does.
	NaN NaNMeaning
	// NotNumber is what a stored expireAfterSeconds that is no number does.
	NotNumber NotNumberMeaning
	// HashedDeletes means that a hashed TTL index deletes as others do.
	HashedDeletes bool
	// OutOfRange is what stored whole seconds below 0 or above 2147483647 do.
	OutOfRange RangeMeaning
	// StoresInt32 means that the catalog holds whole seconds as int32: the
	// option is converted when an index is created.
	StoresInt32 bool
	// ByQuery means that the monitor deletes by an ordinary query rather than
	// by scanning the index: a date equal to the cutoff is not yet expired,
	// and neither the index's type nor that of the option is looked at.
	ByQuery bool
	// VersionZero is what an index of version 0 does.
	VersionZero VersionZeroMeaning
	// CutoffChecked means that the pass fails where the clock less a negative
	// delay does not fit 64 bits. Earlier releases compute on.
	CutoffChecked bool
	// TimestampsOpen means that a replication timestamp sorts among the
	// dates, so that the query may have removed it.
	TimestampsOpen bool
	// Filters is the language of partialFilterExpression.
	Filters FilterLanguage
	// NullMatchesUndefined means that {f: null} matches an undefined f.
	NullMatchesUndefined bool
	// TypeInsideArrays means that $type looks at an array's elements only.
	TypeInsideArrays bool
	// ExtremeKeysOrdered means that nothing is less than MinKey or greater
	// than MaxKey in a filter. Earlier releases took in every other type.
	ExtremeKeysOrdered bool
	// Operands is how the operands of $size and $mod are read in a filter, where
	// both are refused in any case: with another code if they are malformed.
	Operands OperandReading
	// BrokenPaths is what a filter makes of a dotted path that an array breaks
	// off.
	BrokenPaths BrokenPathMeaning
	// Capped is what a TTL index on a capped collection does.
	Capped CappedMeaning
	// TimeSeries tells whether the release has time-series collections.
	TimeSeries bool
	// TimeSeriesIndexes tells whether a time-series collection may have a TTL
	// index beside its own option.
	TimeSeriesIndexes bool
	// SeriesRefusesID means that a time-series collection, which has no index on
	// _id, takes none of the name _id_. What earlier releases make of an index
	// on _id there is not established.
	SeriesRefusesID bool
	// ExtendedRange is what happens to a time-series collection that holds
	// dates outside 1970 to 2038.
	ExtendedRange ExtendedRangeMeaning
	// ScanStart is where the scan by a collection's own option begins.
	ScanStart ScanStartMeaning
	// RoundsDown means that a bucket's first time is rounded towards the past.
	// Earlier releases round it towards 1970, and keep the time itself as the
	// bucket's minimum where that is earlier.
	RoundsDown bool
	// Clustered tells whether the release has collections clustered by _id.
	Clustered bool
	// namespaces are the kinds of namespaces in which anything is deleted.
	namespaces [namespaceKinds]processing
	// CollMod and Create are how the release reads these commands.
	CollMod, Create CommandReading
	// CollModNames tells whether collMod finds an index by its name.
	CollModNames bool
	// CollModConverts tells whether collMod turns an index that has no
	// expireAfterSeconds into a TTL index.
	CollModConverts bool
	// CollModRange is what collMod makes of an index's expireAfterSeconds.
	CollModRange CollModRange
	// CollModCapped is whether collMod takes expireAfterSeconds for an index
	// of a capped collection.
	CollModCapped Acceptance
	// CollModViews is whether collMod takes an expireAfterSeconds of a view itself.
	CollModViews Acceptance
	// CollModRepliesChange means that collMod replies with the old and the new
	// option only if they differ.
	CollModRepliesChange bool
	// CollModReplies is as what collMod replies with them.
	CollModReplies CollModReplyForm
	// CollModRewrites means that collMod writes an int32 in the place of an
	// equal number of another type. Releases that do not leave it as it is.
	CollModRewrites bool
	// PrepareUnique tells whether collMod knows unique and prepareUnique.
	PrepareUnique bool
	// BucketSpans tells whether the span of a time-series collection's buckets
	// can be set apart from granularity.
	BucketSpans bool
	// CreateRange is what createIndexes asks of expireAfterSeconds.
	CreateRange CreateRange
	// CreateNaN is whether createIndexes takes an expireAfterSeconds of NaN.
	CreateNaN Acceptance
	// CreateCapped is whether createIndexes makes a TTL index in a capped
	// collection.
	CreateCapped Acceptance
	// Nameless is the code by which an index without a name is refused.
	Nameless ErrorCode
	// OptionsChecked means that createIndexes refuses an option that it does
	// not know. Earlier releases store and ignore it.
	OptionsChecked bool
	// HiddenIndexes and WildcardIndexes tell whether the release has such.
	HiddenIndexes, WildcardIndexes bool
	// Signature is what tells two indexes of one collection apart.
	Signature Signature
	// NamesConflict means that the very index that exists under another name
	// is refused.
	NamesConflict bool
	// ListsSimpleCollation means that listIndexes shows the collation
	// {locale: "simple"} for an index without one, once the feature compatibility
	// version is the release's own.
	ListsSimpleCollation bool
	// ReasonLast means that the reason for which createIndexes refuses
	// expireAfterSeconds stands behind the specification, and
	// WildcardReasonLast that a wildcard index's stands behind another.
	ReasonLast, WildcardReasonLast bool
	// ParserCodes is how the codes of the parser of commands are named.
	ParserCodes ParserCodeNames
	// RangeReasons means that the refusal of a collection's own
	// expireAfterSeconds tells an overflow from a delay before 1970. From 8.3 on
	// the text of the latter differs between time-series and clustered
	// collections (SERVER-107163); it is not established, and not told apart.
	RangeReasons bool
}

// Conversion is how a stored number becomes whole seconds. Doubles are
// truncated towards zero and decimals rounded half to even in every release.
type Conversion uint8

// The conversions.
const (
	ConversionUnspecified Conversion = iota // of no release
	ConversionPlain                         // as C does: a double beyond 64 bits is undefined
	ConversionSaturating                    // a number beyond 64 bits is the nearest that fits
)

// NaNMeaning is what a stored expireAfterSeconds of NaN does.
type NaNMeaning uint8

// The meanings. MongoDB's ticket SERVER-68477 tells the story.
const (
	NaNUnspecified NaNMeaning = iota // of no release
	NaNAborts                        // every pass over the index fails
	NaNZero                          // it is 0: what has a date in the past expires
	NaNSkipped                       // the index is skipped
)

// VersionZeroMeaning is what an index of version 0 does. The storage engine
// MMAPv1 alone has such indexes, which were the only ones up to 1.8.
type VersionZeroMeaning uint8

// The meanings.
const (
	VersionZeroUnspecified VersionZeroMeaning = iota // not established
	VersionZeroUnsigned                              // it orders dates before 1970 after all others, where the query does not find them
	VersionZeroNone                                  // there is none
)

// NotNumberMeaning is what a stored expireAfterSeconds that is no number does.
type NotNumberMeaning uint8

// The meanings (https://jira.mongodb.org/browse/SERVER-11194).
const (
	NotNumberUnspecified NotNumberMeaning = iota // of no release
	NotNumberZero                                // it is 0: what has a date in the past expires
	NotNumberSkipped                             // the index is skipped
)

// RangeMeaning is what stored whole seconds below 0 or above 2147483647 do.
type RangeMeaning uint8

// The meanings.
const (
	RangeUnspecified RangeMeaning = iota // not established
	RangeUsed                            // they are a delay like any other
	RangeSkipped                         // the index is skipped
)

// FilterLanguage is what a partialFilterExpression may say.
type FilterLanguage uint8

// The languages.
const (
	FiltersNone   FilterLanguage = iota // no partial indexes
	FiltersFlat                         // a conjunction of comparisons, $exists and $type
	FiltersNested                       // also $or, $in, geometry, and nesting
)

// OperandReading is how the operands of $size and $mod are read.
type OperandReading uint8

// The ways.
const (
	OperandsChecked OperandReading = iota // $size is a whole number from 0 that fits 32 bits, $mod are two that fit 64 bits
	OperandsTyped                         // $size is no Decimal128, and the remainder of $mod may be anything
	OperandsLoose                         // $size may also be a text, below 0 or no whole number
)

// BrokenPathMeaning is what a filter makes of a dotted path that an array
// breaks off: one that is empty, or whose elements are no documents. The tickets
// are SERVER-36681 and those of the server parameter that undoes it.
type BrokenPathMeaning uint8

// The meanings.
const (
	BrokenPathsSkipped    BrokenPathMeaning = iota // {"a.b": null} leaves {a: [1]} out
	BrokenPathsNull                                // it takes it in
	BrokenPathsLegacyNull                          // it leaves it out because of a server parameter
)

// CappedMeaning is what a TTL index on a capped collection does.
type CappedMeaning uint8

// The meanings.
const (
	CappedUnspecified CappedMeaning = iota // not established
	CappedKeeps                            // nothing: every delete fails, or the monitor does not know the index
	CappedDeletes                          // deletes like any other
)

// ExtendedRangeMeaning is what happens to a time-series collection that is
// flagged as holding dates outside 1970 to 2038.
type ExtendedRangeMeaning uint8

// The meanings.
const (
	ExtendedRangeUnspecified ExtendedRangeMeaning = iota // not established
	ExtendedRangeOrdinary                                // the flag is not looked at: the ordinary scan runs
	ExtendedRangeSkipped                                 // the whole collection is skipped
	ExtendedRangeDeletes                                 // expires by the buckets' own bounds
)

// ScanStartMeaning is where the scan begins by which a time-series or clustered
// collection's own option deletes.
type ScanStartMeaning uint8

// The meanings. The scan of a time-series collection is of ObjectIds, whose
// time is 32 bits of seconds; that of a clustered collection is of Dates.
const (
	ScanStartUnspecified ScanStartMeaning = iota // not established
	ScanStartNone                                // with the first document
	ScanStartEarliest                            // with the earliest Date: cut to 32 bits of seconds that is 2017-11-28T00:21:29Z
	ScanStart1970                                // with 1970-01-01T00:00:00.000Z
)

// CommandReading is how a release reads the collMod or create command.
type CommandReading uint8

// The ways.
const (
	ReadingUnspecified CommandReading = iota // not established
	ReadingLax                               // an unknown field of index is ignored; types are looked at one by one
	ReadingManual                            // an unknown field is refused with InvalidOptions; types are looked at one by one
	ReadingOpen                              // either as ReadingManual or as ReadingStrict
	ReadingStrict                            // every field has its types, null is absent, and an unknown field is refused
)

// CollModRange is what collMod makes of an index's expireAfterSeconds, once it
// is a whole number.
type CollModRange uint8

// The ranges.
const (
	CollModRangeUnspecified CollModRange = iota // not established
	CollModStoresAny                            // what fits 64 bits is stored, below 0 also
	CollModSinceEpoch                           // 0 to the seconds since 1970; above 2147483647 counts as that
	CollModClamps                               // 0 and more; above 2147483647 counts as that
)

// CollModReplyForm is as what collMod replies with the old and the new
// expireAfterSeconds of an index.
type CollModReplyForm uint8

// The forms.
const (
	RepliesUnspecified CollModReplyForm = iota // not established: either of the others
	RepliesElements                            // the stored and the given value, as they are
	RepliesSeconds                             // their whole seconds, as an int64
)

// Acceptance is whether a release takes a definition.
type Acceptance uint8

// The answers.
const (
	AcceptanceUnspecified Acceptance = iota // not established
	Accepted
	Refused
)

// CreateRange is what createIndexes asks of expireAfterSeconds, once it is a
// whole number.
type CreateRange uint8

// The ranges.
const (
	CreateRangeUnspecified CreateRange = iota // of no release
	CreateRangeUnchecked                      // nothing: what is no number is stored too
	CreateRangeSinceEpoch                     // 0 to the seconds since 1970
	CreateRangeInt32                          // 0 to 2147483647
)

// ParserCodeNames is how the codes of the parser of commands are named.
type ParserCodeNames uint8

// The ways.
const (
	ParserCodesUnspecified ParserCodeNames = iota // not established
	ParserCodesNumbered                           // as any code without a name: "Location40415"
	ParserCodesNamed                              // by names of their own: "IDLUnknownField"
)

// Signature is what tells two indexes of one collection apart.
type Signature uint8

// The signatures. Each takes in those before it.
const (
	SignatureUnspecified Signature = iota // not established
	SignatureKey                          // the key pattern
	SignatureCollation                    // the collation
	SignatureOptions                      // sparse, unique and the partial filter
)

// A step says from which release on a behaviour holds, up to the next step.
// Fixes were backported, so a behaviour may come, go and come again.
type step[T any] struct {
	since Version
	value T
}

// at returns the behaviour that steps give for v, the zero value before the
// first.
func at[T any](steps []step[T], v Version) (value T) {
	for _, s := range steps {
		if v.Compare(s.since) >= 0 {
			value = s.value
		}
	}
	return value
}

func v(major, minor, patch uint16) Version { return Version{major, minor, patch} }

// The tables, each in ascending order of releases.
var (
	// SERVER-56676 brought the careful conversion.
	conversionSteps = []step[Conversion]{{v(2, 2, 0), ConversionPlain}, {v(5, 0, 0), ConversionSaturating}}
	decimalSteps    = []step[bool]{{v(3, 4, 0), true}}
	// SERVER-56676, and SERVER-68477 with its backports: the rapid releases of 5
	// came before it. SERVER-68359 in 4.2 and 4.4; the changelogs of 4.2.22 and
	// 4.2.23 both list it.
	nanSteps = []step[NaNMeaning]{
		{v(2, 2, 0), NaNAborts},
		{v(4, 2, 22), NaNSkipped},
		{v(4, 4, 0), NaNAborts},
		{v(4, 4, 16), NaNSkipped},
		{v(5, 0, 0), NaNZero},
		{v(5, 0, 14), NaNSkipped},
		{v(5, 1, 0), NaNZero},
		{v(6, 0, 2), NaNSkipped},
	}
	notNumberSteps = []step[NotNumberMeaning]{{v(2, 2, 0), NotNumberZero}, {v(2, 4, 9), NotNumberSkipped}}
	// Hashed indexes came with 2.4. The query that deletes has matched by the
	// document, not by the index, until the monitor scanned indexes itself.
	hashedSteps = []step[bool]{{v(2, 4, 0), true}, {v(3, 2, 0), false}}
	// The monitor of 6.1 still looks at the type alone, that of 7.0 at the
	// range; between them SERVER-69091 is not dated.
	rangeSteps = []step[RangeMeaning]{
		{v(2, 2, 0), RangeUsed},
		{v(6, 2, 0), RangeUnspecified},
		{v(7, 0, 0), RangeSkipped},
	}
	int32Steps = []step[bool]{{v(7, 3, 0), true}}
	querySteps = []step[bool]{{v(2, 2, 0), true}, {v(3, 2, 0), false}}
	// From 3.2 on the ends of the scan are compared in two ways; 4.2 has no
	// MMAPv1.
	versionZeroSteps = []step[VersionZeroMeaning]{
		{v(2, 2, 0), VersionZeroUnsigned},
		{v(3, 2, 0), VersionZeroUnspecified},
		{v(4, 2, 0), VersionZeroNone},
	}
	// SERVER-38445 tells of it; the check came with 4.0.
	cutoffSteps    = []step[bool]{{v(4, 0, 0), true}}
	timestampSteps = []step[bool]{{v(2, 2, 0), true}, {v(3, 0, 0), false}}
	filterSteps    = []step[FilterLanguage]{{v(3, 2, 0), FiltersFlat}, {v(6, 0, 0), FiltersNested}}
	nullSteps      = []step[bool]{{v(2, 2, 0), true}, {v(8, 0, 0), false}}
	typeSteps      = []step[bool]{{v(2, 2, 0), true}, {v(3, 6, 0), false}}
	// That 4.4 reads them as 4.2 does is not established.
	operandSteps = []step[OperandReading]{{v(3, 2, 0), OperandsLoose}, {v(3, 4, 0), OperandsTyped}, {v(5, 0, 0), OperandsChecked}}
	extremeSteps = []step[bool]{{v(4, 2, 0), true}}
	// The release notes name 9.0; the changelog lists SERVER-36681 under 9.0.1,
	// which is of the same day as 9.0.0.
	brokenPathSteps = []step[BrokenPathMeaning]{{v(9, 0, 0), BrokenPathsNull}}
	// SERVER-77586 has the monitor take such an index; for the late patches of
	// 6.0 and 7.0 see createCappedSteps.
	cappedSteps = []step[CappedMeaning]{
		{v(2, 2, 0), CappedKeeps},
		{v(6, 0, 25), CappedUnspecified},
		{v(6, 1, 0), CappedKeeps},
		{v(7, 0, 25), CappedUnspecified},
		{v(7, 1, 0), CappedDeletes},
	}
	seriesSteps      = []step[bool]{{v(5, 0, 0), true}}
	seriesIndexSteps = []step[bool]{{v(6, 3, 0), true}}
	seriesIDSteps    = []step[bool]{{v(8, 3, 0), true}}
	// SERVER-79864 brought the skip, SERVER-97368 took it away, each with its
	// backports.
	extendedRangeSteps = []step[ExtendedRangeMeaning]{
		{v(5, 0, 0), ExtendedRangeOrdinary},
		{v(5, 0, 24), ExtendedRangeSkipped},
		{v(5, 1, 0), ExtendedRangeOrdinary},
		{v(6, 0, 13), ExtendedRangeSkipped},
		{v(6, 1, 0), ExtendedRangeOrdinary},
		{v(7, 0, 5), ExtendedRangeSkipped},
		{v(7, 1, 0), ExtendedRangeOrdinary},
		{v(7, 2, 0), ExtendedRangeSkipped},
		{v(8, 0, 12), ExtendedRangeDeletes},
	}
	// 5.0 gives no start; which of 5.1 and 5.2 is the first to give one is not
	// established. SERVER-76560, with its backports, is taken for the change to
	// 1970 (inferred); which of the rapid releases from 7.1 on have it is open.
	scanStartSteps = []step[ScanStartMeaning]{
		{v(5, 0, 0), ScanStartNone},
		{v(5, 1, 0), ScanStartUnspecified},
		{v(5, 3, 0), ScanStartEarliest},
		{v(6, 0, 13), ScanStart1970},
		{v(6, 1, 0), ScanStartEarliest},
		{v(7, 0, 5), ScanStart1970},
		{v(7, 1, 0), ScanStartUnspecified},
		{v(8, 0, 0), ScanStart1970},
	}
	// SERVER-67816. Its backports to releases before 8.0 change nothing: they
	// skip a collection that holds a date before 1970.
	roundsDownSteps = []step[bool]{{v(8, 0, 4), true}}
	clusteredSteps  = []step[bool]{{v(5, 3, 0), true}}

	// collMod changes an index's expireAfterSeconds since 2.4. It is read
	// strictly from 5.1 on; that 5.0 is too is not established.
	collModSteps = []step[CommandReading]{
		{v(2, 4, 0), ReadingLax},
		{v(4, 4, 0), ReadingManual},
		{v(5, 0, 0), ReadingOpen},
		{v(5, 1, 0), ReadingStrict},
	}
	createSteps = []step[CommandReading]{
		{v(3, 4, 0), ReadingManual},
		{v(4, 2, 0), ReadingStrict},
	}
	collModNameSteps    = []step[bool]{{v(3, 4, 0), true}}
	collModConvertSteps = []step[bool]{{v(5, 1, 0), true}}
	// SERVER-68477 and its backports again.
	collModRangeSteps = []step[CollModRange]{
		{v(2, 4, 0), CollModStoresAny},
		{v(5, 0, 0), CollModSinceEpoch},
		{v(5, 0, 14), CollModClamps},
		{v(5, 1, 0), CollModSinceEpoch},
		{v(6, 0, 2), CollModClamps},
	}
	collModCappedSteps = []step[Acceptance]{
		{v(2, 4, 0), Accepted},
		{v(5, 0, 0), AcceptanceUnspecified},
		{v(5, 1, 0), Refused},
		{v(6, 0, 25), AcceptanceUnspecified},
		{v(6, 1, 0), Refused},
		{v(7, 0, 25), AcceptanceUnspecified},
		{v(7, 1, 0), Accepted},
	}
	// SERVER-63859 disallows what 4.4 does not know.
	collModViewSteps = []step[Acceptance]{
		{v(2, 4, 0), Refused},
		{v(5, 0, 0), AcceptanceUnspecified},
		{v(5, 0, 7), Refused},
		{v(5, 1, 0), AcceptanceUnspecified},
		{v(5, 2, 2), Refused},
	}
	collModReplySteps = []step[bool]{{v(2, 4, 0), true}, {v(4, 4, 0), false}}
	// The source of 4.4 copies elements, and SERVER-62068 of 5.3 the numbers.
	// That 5.0 is as 4.4 is inferred.
	collModFormSteps = []step[CollModReplyForm]{
		{v(2, 4, 0), RepliesElements},
		{v(5, 1, 0), RepliesUnspecified},
		{v(5, 3, 0), RepliesSeconds},
	}
	collModRewriteSteps = []step[bool]{{v(8, 1, 0), true}} // SERVER-92366
	prepareUniqueSteps  = []step[bool]{{v(6, 0, 0), true}}
	bucketSpanSteps     = []step[bool]{{v(6, 3, 0), true}}

	// SERVER-10075; then SERVER-68477 with its backports. The rapid releases of
	// 5 came before it.
	createRangeSteps = []step[CreateRange]{
		{v(2, 2, 0), CreateRangeUnchecked},
		{v(4, 2, 0), CreateRangeSinceEpoch},
		{v(5, 0, 14), CreateRangeInt32},
		{v(5, 1, 0), CreateRangeSinceEpoch},
		{v(6, 0, 2), CreateRangeInt32},
	}
	// SERVER-69091 is not dated.
	createNaNSteps = []step[Acceptance]{
		{v(2, 2, 0), Accepted},
		{v(6, 2, 0), AcceptanceUnspecified},
		{v(7, 0, 0), Refused},
	}
	// SERVER-26287 refuses, SERVER-77586 takes again. SERVER-107495 may have
	// brought that to 6.0 and 7.0. It is younger than 6.0.24; and 7.0.24 came
	// with the test of SERVER-104771, for which a TTL index on a capped
	// collection must be forced. Later patches are open.
	createCappedSteps = []step[Acceptance]{
		{v(2, 2, 0), Accepted},
		{v(5, 2, 0), Refused},
		{v(6, 0, 25), AcceptanceUnspecified},
		{v(6, 1, 0), Refused},
		{v(7, 0, 25), AcceptanceUnspecified},
		{v(7, 1, 0), Accepted},
	}
	// Before 2.6 an index is inserted into system.indexes.
	namelessSteps = []step[ErrorCode]{{v(2, 2, 0), noIndexName}, {v(2, 6, 0), CannotCreateIndex}, {v(3, 4, 0), FailedToParse}}
	optionSteps   = []step[bool]{{v(3, 4, 0), true}}
	hiddenSteps   = []step[bool]{{v(4, 4, 0), true}}
	wildcardSteps = []step[bool]{{v(4, 2, 0), true}}
	// What the releases before 3.0 do in a conflict is not established.
	signatureSteps = []step[Signature]{
		{v(3, 0, 0), SignatureKey},
		{v(3, 4, 0), SignatureCollation},
		{v(5, 0, 0), SignatureOptions},
	}
	nameSteps           = []step[bool]{{v(4, 2, 0), true}}
	reasonSteps         = []step[bool]{{v(6, 2, 0), true}}
	wildcardReasonSteps = []step[bool]{{v(6, 0, 0), true}}
	listsCollationSteps = []step[bool]{{v(9, 0, 0), true}} // SERVER-89953
	// 6.0.16 sends numbers, 8.2.1 names; live servers say so, and their sources.
	parserCodeSteps  = []step[ParserCodeNames]{{v(2, 2, 0), ParserCodesNumbered}, {v(6, 1, 0), ParserCodesUnspecified}, {v(8, 0, 0), ParserCodesNamed}}
	rangeReasonSteps = []step[bool]{{v(7, 2, 0), true}} // SERVER-73879
)

// namespaceSteps say in which kinds of namespaces a release deletes. Up to 3.0
// the delete itself refuses system namespaces; from 3.2 on the monitor asks
// userAllowedWriteNS, and skips temporary collections of resharding and those
// being dropped (mongodb/mongo: src/mongo/db/ops/insert.cpp and
// src/mongo/db/ttl.cpp of each branch, src/mongo/db/namespace_string.cpp).
var namespaceSteps = [namespaceKinds][]step[processing]{
	ordinaryName:     {{v(2, 2, 0), processed}},
	systemName:       {{v(2, 2, 0), neverProcessed}},
	insideName:       {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), processingUnspecified}, {v(3, 2, 0), neverProcessed}},
	clientLikeName:   {{v(3, 2, 0), neverProcessed}},
	sessionsInside:   {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), processingUnspecified}, {v(3, 2, 0), neverProcessed}, {v(3, 6, 0), processed}, {v(4, 4, 0), processingUnspecified}},
	dollarName:       {{v(2, 2, 0), neverProcessed}, {v(4, 4, 0), processingUnspecified}},
	systemDatabase:   {{v(3, 2, 0), neverProcessed}, {v(4, 4, 0), processingUnspecified}},
	clientName:       {{v(2, 2, 0), processed}},
	viewsName:        {{v(2, 2, 0), neverProcessed}, {v(3, 4, 0), processed}, {v(5, 0, 0), neverProcessed}},
	indexesName:      {{v(2, 2, 0), neverProcessed}, {v(3, 2, 0), processingUnspecified}, {v(4, 2, 0), neverProcessed}},
	bucketsName:      {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), processed}},
	reshardedBuckets: {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), processingUnspecified}, {v(8, 0, 0), neverProcessed}},
	statisticsName:   {{v(2, 2, 0), neverProcessed}, {v(6, 1, 0), processed}},
	adminName:        {{v(2, 2, 0), neverProcessed}, {v(2, 4, 0), processingUnspecified}, {v(2, 6, 0), processed}},
	newUsersName:     {{v(2, 2, 0), neverProcessed}, {v(2, 4, 0), processingUnspecified}, {v(2, 6, 0), processed}, {v(5, 0, 0), processingUnspecified}},
	keysName:         {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), processed}},
	sessionsName:     {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), processed}},
	indexBuildsName:  {{v(2, 2, 0), neverProcessed}, {v(4, 2, 0), processed}},
	coordinatorName:  {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), processingUnspecified}, {v(6, 0, 0), processed}},
	chunksName:       {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), processingUnspecified}, {v(3, 2, 0), neverProcessed}, {v(4, 4, 0), processingUnspecified}, {v(5, 0, 0), processed}},
	sessionChunks:    {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), processingUnspecified}, {v(3, 2, 0), neverProcessed}, {v(3, 6, 0), processed}, {v(4, 4, 0), processingUnspecified}, {v(5, 0, 0), processed}},
	replsetName:      {{v(2, 2, 0), processed}},
	healthlogName:    {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), processed}, {v(4, 4, 0), processingUnspecified}, {v(5, 0, 0), processed}},
	oplogName:        {{v(2, 2, 0), processed}, {v(5, 0, 0), neverProcessed}},
}

// namespacesOf returns the column of namespaceSteps for a release.
func namespacesOf(version Version) (all [namespaceKinds]processing) {
	for kind, steps := range namespaceSteps {
		all[kind] = at(steps, version)
	}
	return all
}

// The releases that the tables describe: from oldest up to, not including,
// beyond.
var (
	oldest = v(2, 2, 0)
	beyond = v(9, 1, 0)
)

// ProfileOf returns the profile of a release from 2.2 to 9.0. For any other it
// returns an error that wraps [ErrUnknownVersion]. A number between two
// releases that was never released has the profile of the one before it.
func ProfileOf(version Version) (Profile, error) {
	if version.Compare(oldest) < 0 || version.Compare(beyond) >= 0 {
		return Profile{}, fmt.Errorf("%w: %s is not from 2.2 to 9.0", ErrUnknownVersion, version)
	}
	return Profile{
		Conversion:           at(conversionSteps, version),
		Decimals:             at(decimalSteps, version),
		NaN:                  at(nanSteps, version),
		NotNumber:            at(notNumberSteps, version),
		HashedDeletes:        at(hashedSteps, version),
		OutOfRange:           at(rangeSteps, version),
		StoresInt32:          at(int32Steps, version),
		ByQuery:              at(querySteps, version),
		VersionZero:          at(versionZeroSteps, version),
		CutoffChecked:        at(cutoffSteps, version),
		TimestampsOpen:       at(timestampSteps, version),
		Filters:              at(filterSteps, version),
		NullMatchesUndefined: at(nullSteps, version),
		TypeInsideArrays:     at(typeSteps, version),
		ExtremeKeysOrdered:   at(extremeSteps, version),
		Operands:             at(operandSteps, version),
		BrokenPaths:          at(brokenPathSteps, version),
		Capped:               at(cappedSteps, version),
		TimeSeries:           at(seriesSteps, version),
		TimeSeriesIndexes:    at(seriesIndexSteps, version),
		SeriesRefusesID:      at(seriesIDSteps, version),
		ExtendedRange:        at(extendedRangeSteps, version),
		ScanStart:            at(scanStartSteps, version),
		RoundsDown:           at(roundsDownSteps, version),
		Clustered:            at(clusteredSteps, version),
		namespaces:           namespacesOf(version),
		CollMod:              at(collModSteps, version),
		Create:               at(createSteps, version),
		CollModNames:         at(collModNameSteps, version),
		CollModConverts:      at(collModConvertSteps, version),
		CollModRange:         at(collModRangeSteps, version),
		CollModCapped:        at(collModCappedSteps, version),
		CollModViews:         at(collModViewSteps, version),
		CollModRepliesChange: at(collModReplySteps, version),
		CollModReplies:       at(collModFormSteps, version),
		CollModRewrites:      at(collModRewriteSteps, version),
		PrepareUnique:        at(prepareUniqueSteps, version),
		BucketSpans:          at(bucketSpanSteps, version),
		CreateRange:          at(createRangeSteps, version),
		CreateNaN:            at(createNaNSteps, version),
		CreateCapped:         at(createCappedSteps, version),
		Nameless:             at(namelessSteps, version),
		OptionsChecked:       at(optionSteps, version),
		HiddenIndexes:        at(hiddenSteps, version),
		WildcardIndexes:      at(wildcardSteps, version),
		Signature:            at(signatureSteps, version),
		NamesConflict:        at(nameSteps, version),
		ReasonLast:           at(reasonSteps, version),
		WildcardReasonLast:   at(wildcardReasonSteps, version),
		ListsSimpleCollation: at(listsCollationSteps, version),
		ParserCodes:          at(parserCodeSteps, version),
		RangeReasons:         at(rangeReasonSteps, version),
	}, nil
}
