package mongo

import "fmt"

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
	conversionSteps = []step[conversion]{{v(2, 2, 0), conversionPlain}, {v(5, 0, 0), conversionSaturating}}
	decimalSteps    = []step[bool]{{v(3, 4, 0), true}}
	// SERVER-56676, and SERVER-68477 with its backports: the rapid releases of 5
	// came before it. SERVER-68359 in 4.2 and 4.4; the changelogs of 4.2.22 and
	// 4.2.23 both list it.
	nanSteps = []step[nanMeaning]{
		{v(2, 2, 0), nanAborts},
		{v(4, 2, 22), nanSkipped},
		{v(4, 4, 0), nanAborts},
		{v(4, 4, 16), nanSkipped},
		{v(5, 0, 0), nanZero},
		{v(5, 0, 14), nanSkipped},
		{v(5, 1, 0), nanZero},
		{v(6, 0, 2), nanSkipped},
	}
	notNumberSteps = []step[notNumberMeaning]{{v(2, 2, 0), notNumberZero}, {v(2, 4, 9), notNumberSkipped}}
	// Hashed indexes came with 2.4. The query that deletes has matched by the
	// document, not by the index, until the monitor scanned indexes itself.
	hashedSteps = []step[bool]{{v(2, 4, 0), true}, {v(3, 2, 0), false}}
	// The monitor of 6.1 still looks at the type alone, that of 7.0 at the
	// range; between them SERVER-69091 is not dated.
	rangeSteps = []step[rangeMeaning]{
		{v(2, 2, 0), rangeUsed},
		{v(6, 2, 0), rangeUnspecified},
		{v(7, 0, 0), rangeSkipped},
	}
	int32Steps = []step[bool]{{v(7, 3, 0), true}}
	querySteps = []step[bool]{{v(2, 2, 0), true}, {v(3, 2, 0), false}}
	// From 3.2 on the ends of the scan are compared in two ways; 4.2 has no
	// MMAPv1.
	versionZeroSteps = []step[versionZeroMeaning]{
		{v(2, 2, 0), versionZeroUnsigned},
		{v(3, 2, 0), versionZeroUnspecified},
		{v(4, 2, 0), versionZeroNone},
	}
	// SERVER-38445 tells of it; the check came with 4.0.
	cutoffSteps    = []step[bool]{{v(4, 0, 0), true}}
	timestampSteps = []step[bool]{{v(2, 2, 0), true}, {v(3, 0, 0), false}}
	filterSteps    = []step[filterLanguage]{{v(3, 2, 0), filtersFlat}, {v(6, 0, 0), filtersNested}}
	nullSteps      = []step[bool]{{v(2, 2, 0), true}, {v(8, 0, 0), false}}
	typeSteps      = []step[bool]{{v(2, 2, 0), true}, {v(3, 6, 0), false}}
	// That 4.4 reads them as 4.2 does is not established.
	operandSteps = []step[operandReading]{{v(3, 2, 0), operandsLoose}, {v(3, 4, 0), operandsTyped}, {v(5, 0, 0), operandsChecked}}
	extremeSteps = []step[bool]{{v(4, 2, 0), true}}
	// The release notes name 9.0; the changelog lists SERVER-36681 under 9.0.1,
	// which is of the same day as 9.0.0.
	brokenPathSteps = []step[brokenPathMeaning]{{v(9, 0, 0), brokenPathsNull}}
	// SERVER-77586 has the monitor take such an index; for the late patches of
	// 6.0 and 7.0 see createCappedSteps.
	cappedSteps = []step[cappedMeaning]{
		{v(2, 2, 0), cappedKeeps},
		{v(6, 0, 25), cappedUnspecified},
		{v(6, 1, 0), cappedKeeps},
		{v(7, 0, 25), cappedUnspecified},
		{v(7, 1, 0), cappedDeletes},
	}
	seriesSteps      = []step[bool]{{v(5, 0, 0), true}}
	seriesIndexSteps = []step[bool]{{v(6, 3, 0), true}}
	seriesIDSteps    = []step[bool]{{v(8, 3, 0), true}}
	// SERVER-79864 brought the skip, SERVER-97368 took it away, each with its
	// backports.
	extendedRangeSteps = []step[extendedRangeMeaning]{
		{v(5, 0, 0), extendedRangeOrdinary},
		{v(5, 0, 24), extendedRangeSkipped},
		{v(5, 1, 0), extendedRangeOrdinary},
		{v(6, 0, 13), extendedRangeSkipped},
		{v(6, 1, 0), extendedRangeOrdinary},
		{v(7, 0, 5), extendedRangeSkipped},
		{v(7, 1, 0), extendedRangeOrdinary},
		{v(7, 2, 0), extendedRangeSkipped},
		{v(8, 0, 12), extendedRangeDeletes},
	}
	// 5.0 gives no start; which of 5.1 and 5.2 is the first to give one is not
	// established. SERVER-76560, with its backports, is taken for the change to
	// 1970 (inferred); which of the rapid releases from 7.1 on have it is open.
	scanStartSteps = []step[scanStartMeaning]{
		{v(5, 0, 0), scanStartNone},
		{v(5, 1, 0), scanStartUnspecified},
		{v(5, 3, 0), scanStartEarliest},
		{v(6, 0, 13), scanStart1970},
		{v(6, 1, 0), scanStartEarliest},
		{v(7, 0, 5), scanStart1970},
		{v(7, 1, 0), scanStartUnspecified},
		{v(8, 0, 0), scanStart1970},
	}
	// SERVER-67816. Its backports to releases before 8.0 change nothing: they
	// skip a collection that holds a date before 1970.
	roundsDownSteps = []step[bool]{{v(8, 0, 4), true}}
	clusteredSteps  = []step[bool]{{v(5, 3, 0), true}}

	// collMod changes an index's expireAfterSeconds since 2.4. It is read
	// strictly from 5.1 on; that 5.0 is too is not established.
	collModSteps = []step[commandReading]{
		{v(2, 4, 0), readingLax},
		{v(4, 4, 0), readingManual},
		{v(5, 0, 0), readingOpen},
		{v(5, 1, 0), readingStrict},
	}
	createSteps = []step[commandReading]{
		{v(3, 4, 0), readingManual},
		{v(4, 2, 0), readingStrict},
	}
	collModNameSteps    = []step[bool]{{v(3, 4, 0), true}}
	collModConvertSteps = []step[bool]{{v(5, 1, 0), true}}
	// SERVER-68477 and its backports again.
	collModRangeSteps = []step[collModRange]{
		{v(2, 4, 0), collModStoresAny},
		{v(5, 0, 0), collModSinceEpoch},
		{v(5, 0, 14), collModClamps},
		{v(5, 1, 0), collModSinceEpoch},
		{v(6, 0, 2), collModClamps},
	}
	collModCappedSteps = []step[acceptance]{
		{v(2, 4, 0), accepted},
		{v(5, 0, 0), acceptanceUnspecified},
		{v(5, 1, 0), refused},
		{v(6, 0, 25), acceptanceUnspecified},
		{v(6, 1, 0), refused},
		{v(7, 0, 25), acceptanceUnspecified},
		{v(7, 1, 0), accepted},
	}
	// SERVER-63859 disallows what 4.4 does not know.
	collModViewSteps = []step[acceptance]{
		{v(2, 4, 0), refused},
		{v(5, 0, 0), acceptanceUnspecified},
		{v(5, 0, 7), refused},
		{v(5, 1, 0), acceptanceUnspecified},
		{v(5, 2, 2), refused},
	}
	collModReplySteps = []step[bool]{{v(2, 4, 0), true}, {v(4, 4, 0), false}}
	// The source of 4.4 copies elements, and SERVER-62068 of 5.3 the numbers.
	// That 5.0 is as 4.4 is inferred.
	collModFormSteps = []step[collModReplyForm]{
		{v(2, 4, 0), repliesElements},
		{v(5, 1, 0), repliesUnspecified},
		{v(5, 3, 0), repliesSeconds},
	}
	collModRewriteSteps = []step[bool]{{v(8, 1, 0), true}} // SERVER-92366
	prepareUniqueSteps  = []step[bool]{{v(6, 0, 0), true}}
	bucketSpanSteps     = []step[bool]{{v(6, 3, 0), true}}

	// SERVER-10075; then SERVER-68477 with its backports. The rapid releases of
	// 5 came before it.
	createRangeSteps = []step[createRange]{
		{v(2, 2, 0), createRangeUnchecked},
		{v(4, 2, 0), createRangeSinceEpoch},
		{v(5, 0, 14), createRangeInt32},
		{v(5, 1, 0), createRangeSinceEpoch},
		{v(6, 0, 2), createRangeInt32},
	}
	// SERVER-69091 is not dated.
	createNaNSteps = []step[acceptance]{
		{v(2, 2, 0), accepted},
		{v(6, 2, 0), acceptanceUnspecified},
		{v(7, 0, 0), refused},
	}
	// SERVER-26287 refuses, SERVER-77586 takes again. SERVER-107495 may have
	// brought that to 6.0 and 7.0. It is younger than 6.0.24; and 7.0.24 came
	// with the test of SERVER-104771, for which a TTL index on a capped
	// collection must be forced. Later patches are open.
	createCappedSteps = []step[acceptance]{
		{v(2, 2, 0), accepted},
		{v(5, 2, 0), refused},
		{v(6, 0, 25), acceptanceUnspecified},
		{v(6, 1, 0), refused},
		{v(7, 0, 25), acceptanceUnspecified},
		{v(7, 1, 0), accepted},
	}
	// Before 2.6 an index is inserted into system.indexes.
	namelessSteps = []step[ErrorCode]{{v(2, 2, 0), noIndexName}, {v(2, 6, 0), CannotCreateIndex}, {v(3, 4, 0), FailedToParse}}
	optionSteps   = []step[bool]{{v(3, 4, 0), true}}
	hiddenSteps   = []step[bool]{{v(4, 4, 0), true}}
	wildcardSteps = []step[bool]{{v(4, 2, 0), true}}
	// What the releases before 3.0 do in a conflict is not established.
	signatureSteps = []step[signature]{
		{v(3, 0, 0), signatureKey},
		{v(3, 4, 0), signatureCollation},
		{v(5, 0, 0), signatureOptions},
	}
	nameSteps           = []step[bool]{{v(4, 2, 0), true}}
	reasonSteps         = []step[bool]{{v(6, 2, 0), true}}
	wildcardReasonSteps = []step[bool]{{v(6, 0, 0), true}}
	listsCollationSteps = []step[bool]{{v(9, 0, 0), true}} // SERVER-89953
	// 6.0.16 sends numbers, 8.2.1 names; live servers say so, and their sources.
	parserCodeSteps  = []step[parserCodeNames]{{v(2, 2, 0), parserCodesNumbered}, {v(6, 1, 0), parserCodesUnspecified}, {v(8, 0, 0), parserCodesNamed}}
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
		conversion:           at(conversionSteps, version),
		decimals:             at(decimalSteps, version),
		nan:                  at(nanSteps, version),
		notNumber:            at(notNumberSteps, version),
		hashedDeletes:        at(hashedSteps, version),
		outOfRange:           at(rangeSteps, version),
		storesInt32:          at(int32Steps, version),
		byQuery:              at(querySteps, version),
		versionZero:          at(versionZeroSteps, version),
		cutoffChecked:        at(cutoffSteps, version),
		timestampsOpen:       at(timestampSteps, version),
		filters:              at(filterSteps, version),
		nullMatchesUndefined: at(nullSteps, version),
		typeInsideArrays:     at(typeSteps, version),
		extremeKeysOrdered:   at(extremeSteps, version),
		operands:             at(operandSteps, version),
		brokenPaths:          at(brokenPathSteps, version),
		capped:               at(cappedSteps, version),
		timeSeries:           at(seriesSteps, version),
		timeSeriesIndexes:    at(seriesIndexSteps, version),
		seriesRefusesID:      at(seriesIDSteps, version),
		extendedRange:        at(extendedRangeSteps, version),
		scanStart:            at(scanStartSteps, version),
		roundsDown:           at(roundsDownSteps, version),
		clustered:            at(clusteredSteps, version),
		namespaces:           namespacesOf(version),
		collMod:              at(collModSteps, version),
		create:               at(createSteps, version),
		collModNames:         at(collModNameSteps, version),
		collModConverts:      at(collModConvertSteps, version),
		collModRange:         at(collModRangeSteps, version),
		collModCapped:        at(collModCappedSteps, version),
		collModViews:         at(collModViewSteps, version),
		collModRepliesChange: at(collModReplySteps, version),
		collModReplies:       at(collModFormSteps, version),
		collModRewrites:      at(collModRewriteSteps, version),
		prepareUnique:        at(prepareUniqueSteps, version),
		bucketSpans:          at(bucketSpanSteps, version),
		createRange:          at(createRangeSteps, version),
		createNaN:            at(createNaNSteps, version),
		createCapped:         at(createCappedSteps, version),
		nameless:             at(namelessSteps, version),
		optionsChecked:       at(optionSteps, version),
		hiddenIndexes:        at(hiddenSteps, version),
		wildcardIndexes:      at(wildcardSteps, version),
		signature:            at(signatureSteps, version),
		namesConflict:        at(nameSteps, version),
		reasonLast:           at(reasonSteps, version),
		wildcardReasonLast:   at(wildcardReasonSteps, version),
		listsCollation:       at(listsCollationSteps, version),
		parserCodes:          at(parserCodeSteps, version),
		rangeReasons:         at(rangeReasonSteps, version),
	}, nil
}
