package mongo

import "fmt"

// A step says from which release on a behaviour holds, up to the next step.
// Fixes were backported, so a behaviour may come, go and come again.
type step[T any] struct {
	since Version
	value T
}

// steps are in ascending order of releases.
type steps[T any] []step[T]

// at returns the behaviour of a release, the zero value before the first step.
func (s steps[T]) at(release Version) (value T) {
	for _, step := range s {
		if release.Compare(step.since) >= 0 {
			value = step.value
		}
	}
	return value
}

func v(major, minor, patch uint16) Version { return Version{major, minor, patch} }

// isSince reports whether v is the release of that number or a later one.
func (v Version) isSince(major, minor, patch uint16) bool {
	return v.Compare(Version{major, minor, patch}) >= 0
}

// Latest is the newest release that this package describes. It moves with versions of this
// library, and what is deleted moves with it. It is for tools that show what a release of
// today does, where nobody names one; whoever deletes names the release whose answers count.
var Latest = Version{9, 0, 2}

// The releases that the steps describe: from oldest up to, not including,
// beyond. Later patches of the line of [Latest] are taken to behave as it does.
var (
	oldest = v(2, 2, 0)
	beyond = v(Latest.Major, Latest.Minor+1, 0)
)

// ProfileOf returns the profile of a release from 2.2 to the line of [Latest]. For any
// other it returns an error that wraps [ErrUnknownVersion]. A number between two
// releases that was never released has the profile of the one before it.
func ProfileOf(version Version) (Profile, error) {
	if version.Compare(oldest) < 0 || version.Compare(beyond) >= 0 {
		return Profile{}, fmt.Errorf("%w: %s is not from %d.%d to %d.%d", ErrUnknownVersion, version, oldest.Major, oldest.Minor, Latest.Major, Latest.Minor)
	}
	var p Profile
	p.setOption(version)
	p.setScan(version)
	p.setFilters(version)
	p.setCollections(version)
	p.setCollMod(version)
	p.setCreateIndexes(version)
	p.setReplies(version)
	p.setAggregation(version)
	return p, nil
}

// setOption sets what a stored expireAfterSeconds means.
func (p *Profile) setOption(r Version) {
	p.decimals = r.isSince(3, 4, 0)
	p.storesInt32 = r.isSince(7, 3, 0)
	// SERVER-56676 brought the careful conversion.
	p.conversion = steps[conversion]{{v(2, 2, 0), conversionPlain}, {v(5, 0, 0), conversionSaturating}}.at(r)
	// Up to 3.2 a delay is a plain product, and then one of std::chrono: the
	// smallest integer, which NaN becomes, gives 0. The checked duration came with
	// 3.4.
	p.secondsWrap = !r.isSince(3, 4, 0)
	// SERVER-56676, and SERVER-68477 with its backports: the rapid releases of 5
	// came before it. SERVER-68359 in 4.2 and 4.4; the changelogs of 4.2.22 and
	// 4.2.23 both list it.
	p.nan = steps[optionMeaning]{
		{v(2, 2, 0), optionZero},
		{v(3, 4, 0), optionAborts},
		{v(4, 2, 22), optionSkipped},
		{v(4, 4, 0), optionAborts},
		{v(4, 4, 16), optionSkipped},
		{v(5, 0, 0), optionZero},
		{v(5, 0, 14), optionSkipped},
		{v(5, 1, 0), optionZero},
		{v(6, 0, 2), optionSkipped},
	}.at(r)
	p.notNumber = steps[optionMeaning]{{v(2, 2, 0), optionZero}, {v(2, 4, 9), optionSkipped}}.at(r)
	// The monitor of 6.1 still looks at the type alone, that of 7.0 at the
	// range; between them SERVER-69091 is not dated.
	p.outOfRange = steps[optionMeaning]{{v(2, 2, 0), optionUsed}, {v(6, 2, 0), optionUnspecified}, {v(7, 0, 0), optionSkipped}}.at(r)
}

// setScan sets how the monitor deletes by an index.
func (p *Profile) setScan(r Version) {
	p.byQuery = !r.isSince(3, 2, 0)
	// The query that deletes has matched by the document, not by the index, until
	// the monitor scanned indexes itself. The source of 2.2 has hashed indexes
	// already.
	p.hashedDeletes = p.byQuery
	p.unknownTypesPlain = !r.isSince(2, 4, 0)
	// From 3.2 on the ends of the scan are compared in two ways; 4.2 has no
	// MMAPv1.
	p.versionZero = steps[versionZeroMeaning]{
		{v(2, 2, 0), versionZeroUnsigned},
		{v(3, 2, 0), versionZeroUnspecified},
		{v(4, 2, 0), versionZeroNone},
	}.at(r)
	p.cutoffChecked = r.isSince(4, 0, 6) // SERVER-38445
	p.timestampsSort = !r.isSince(3, 0, 0)
	p.errorsEndPass = !r.isSince(3, 0, 0)
}

// setFilters sets how partial filters are read.
func (p *Profile) setFilters(r Version) {
	p.filters = steps[filterLanguage]{{v(3, 2, 0), filtersFlat}, {v(6, 0, 0), filtersNested}}.at(r)
	p.features = steps[filterFeatures]{{v(3, 2, 0), featuresIsolated}, {v(3, 4, 0), featuresIgnored}, {v(3, 6, 0), featuresBanned}, {v(4, 0, 0), featuresForgotten}}.at(r)
	p.nullMatchesUndefined = !r.isSince(8, 0, 0)
	p.typeAny = r.isSince(3, 2, 0) && !r.isSince(3, 2, 4)
	p.typeZero = r.isSince(3, 2, 0) && !r.isSince(4, 2, 0)
	p.typeInsideArrays = !r.isSince(3, 6, 0)
	p.extremeKeysOrdered = r.isSince(4, 2, 0)
	// SERVER-23664 looks at the remainder.
	p.operands = steps[operandReading]{{v(3, 2, 0), operandsLoose}, {v(3, 4, 0), operandsTyped}, {v(4, 4, 0), operandsNumbered}, {v(5, 0, 0), operandsChecked}}.at(r)
	// The release notes name 9.0; the changelog lists SERVER-36681 under 9.0.1,
	// which is of the same day as 9.0.0.
	p.brokenPaths = steps[brokenPathMeaning]{{v(9, 0, 0), brokenPathsNull}}.at(r)
}

// setCollections sets what kinds of collections there are, and what is deleted
// from them.
func (p *Profile) setCollections(r Version) {
	for kind, steps := range namespaceSteps {
		p.namespaces[kind] = steps.at(r)
	}
	// SERVER-77586 has the monitor delete by such an index; for the late patches
	// of 6.0 and 7.0 see setCreateIndexes.
	p.capped = steps[cappedMeaning]{
		{v(2, 2, 0), cappedKeeps},
		{v(6, 0, 25), cappedUnspecified},
		{v(6, 1, 0), cappedKeeps},
		{v(7, 0, 25), cappedUnspecified},
		{v(7, 1, 0), cappedDeletes},
	}.at(r)
	p.clustered = r.isSince(5, 3, 0)
	p.timeSeries = r.isSince(5, 0, 0)
	p.encrypted = r.isSince(6, 0, 0)
	p.timeSeriesIndexes = r.isSince(6, 3, 0)
	p.seriesRefusesID = r.isSince(8, 3, 0)
	p.bucketSpans = r.isSince(6, 3, 0)
	// SERVER-67816. Its backports to releases before 8.0 change nothing: they
	// skip a collection that holds a date before 1970.
	p.roundsDown = r.isSince(8, 0, 4)
	// SERVER-79864 brought the skip, SERVER-97368 took it away, each with its
	// backports.
	p.extendedRange = steps[extendedRangeMeaning]{
		{v(5, 0, 0), extendedRangeOrdinary},
		{v(5, 0, 24), extendedRangeSkipped},
		{v(5, 1, 0), extendedRangeOrdinary},
		{v(6, 0, 13), extendedRangeSkipped},
		{v(6, 1, 0), extendedRangeOrdinary},
		{v(7, 0, 5), extendedRangeSkipped},
		{v(7, 1, 0), extendedRangeOrdinary},
		{v(7, 2, 0), extendedRangeSkipped},
		{v(8, 0, 12), extendedRangeDeletes},
	}.at(r)
	// 5.0 gives no start; which of 5.1 and 5.2 is the first to give one is
	// unspecified. SERVER-76560, with its backports, is taken for the change to 1970
	// (inferred); which of the rapid releases from 7.1 on have it is unspecified.
	p.scanStart = steps[scanStartMeaning]{
		{v(5, 0, 0), scanStartNone},
		{v(5, 1, 0), scanStartUnspecified},
		{v(5, 3, 0), scanStartEarliest},
		{v(6, 0, 13), scanStart1970},
		{v(6, 1, 0), scanStartEarliest},
		{v(7, 0, 5), scanStart1970},
		{v(7, 1, 0), scanStartUnspecified},
		{v(8, 0, 0), scanStart1970},
	}.at(r)
}

// setCollMod sets how collMod is read. It changes an index's expireAfterSeconds
// since 2.4, and is read strictly from 5.1 on; whether 5.0 is too is
// unspecified.
func (p *Profile) setCollMod(r Version) {
	p.collMod = steps[commandReading]{
		{v(2, 2, 0), readingOn},
		{v(3, 2, 12), readingLax},
		{v(4, 4, 0), readingManual},
		{v(5, 0, 0), readingEither},
		{v(5, 1, 0), readingStrict},
	}.at(r)
	p.collModOptions = steps[collModOptions]{
		{v(2, 2, 0), optionsOfSizes},
		{v(2, 4, 0), optionsOfIndexes},
		{v(3, 0, 0), optionsOfPadding},
		{v(3, 2, 0), optionsOfValidation},
		{v(3, 4, 0), optionsOfViews},
		{v(4, 2, 0), optionsWithoutSizes},
		{v(4, 4, 0), optionsOfImages},
	}.at(r)
	// Backports let 2.6 and 3.0 pass over what begins with a dollar sign.
	p.arguments = steps[commandArguments]{
		{v(2, 2, 0), argumentsNone},
		{v(2, 6, 0), argumentsTime},
		{v(2, 6, 10), argumentsDollar},
		{v(3, 0, 0), argumentsTime},
		{v(3, 0, 3), argumentsDollar},
		{v(3, 6, 0), argumentsListed},
		{v(4, 0, 0), argumentsOfTransactions},
		{v(4, 2, 0), argumentsOfCoordinators},
		{v(4, 4, 0), argumentsCommented},
	}.at(r)
	p.collModNotFound = steps[ErrorCode]{{v(2, 2, 0), IndexNotFound}, {v(3, 2, 0), InvalidOptions}, {v(3, 2, 12), IndexNotFound}}.at(r)
	p.collModKeeps = !r.isSince(3, 0, 0)
	p.collModReads = steps[doubleReading]{{v(2, 2, 0), readsPlain}, {v(3, 2, 12), readsLoosely}, {v(4, 0, 7), readsSaturating}}.at(r)
	p.collModStores = steps[collModStorage]{
		{v(2, 4, 0), storesByDouble},
		{v(2, 6, 0), storesInPlace},
		{v(3, 0, 0), storesByEngine},
		{v(4, 2, 0), storesAnew},
	}.at(r)
	p.eitherEngine = p.collModStores == storesByEngine
	p.collModNames = r.isSince(3, 4, 0)
	p.collModConverts = r.isSince(5, 1, 0)
	p.prepareUnique = r.isSince(6, 0, 0)
	// SERVER-68477 and its backports again.
	p.collModRange = steps[collModRange]{
		{v(2, 4, 0), collModStoresAny},
		{v(5, 0, 0), collModSinceEpoch},
		{v(5, 0, 14), collModClamps},
		{v(5, 1, 0), collModSinceEpoch},
		{v(6, 0, 2), collModClamps},
	}.at(r)
	p.collModCapped = steps[acceptance]{
		{v(2, 4, 0), accepted},
		{v(5, 0, 0), acceptanceUnspecified},
		{v(5, 1, 0), refused},
		{v(6, 0, 25), acceptanceUnspecified},
		{v(6, 1, 0), refused},
		{v(7, 0, 25), acceptanceUnspecified},
		{v(7, 1, 0), accepted},
	}.at(r)
	// SERVER-63859 disallows what 4.4 does not know.
	p.collModViews = steps[acceptance]{
		{v(2, 4, 0), refused},
		{v(5, 0, 0), acceptanceUnspecified},
		{v(5, 0, 7), refused},
		{v(5, 1, 0), acceptanceUnspecified},
		{v(5, 2, 2), refused},
	}.at(r)
	p.collModRepliesChange = r.isSince(2, 4, 0) && !r.isSince(4, 4, 0)
	// The source of 4.4 copies elements, and SERVER-62068 of 5.3 the numbers.
	// That 5.0 is as 4.4 is inferred.
	p.collModReplies = steps[collModReplyForm]{
		{v(2, 4, 0), repliesElements},
		{v(5, 1, 0), repliesUnspecified},
		{v(5, 3, 0), repliesSeconds},
	}.at(r)
	p.collModRewrites = r.isSince(8, 1, 0) // SERVER-92366
}

// setCreateIndexes sets what create and createIndexes accept.
func (p *Profile) setCreateIndexes(r Version) {
	p.create = steps[commandReading]{{v(2, 2, 0), readingLax}, {v(3, 4, 0), readingManual}, {v(4, 2, 0), readingStrict}}.at(r)
	p.createSize = steps[ErrorCode]{{v(2, 2, 0), invalidSize}, {v(2, 6, 0), BadValue}}.at(r)
	p.createTypes = r.isSince(2, 6, 0) && !r.isSince(2, 6, 2) // SERVER-13737
	p.createMax = steps[ErrorCode]{{v(2, 4, 0), cappedMax}, {v(2, 6, 0), BadValue}}.at(r)
	// SERVER-10075; then SERVER-68477 with its backports. The rapid releases of
	// 5 came before it.
	p.createRange = steps[createRange]{
		{v(2, 2, 0), createRangeUnchecked},
		{v(4, 2, 0), createRangeSinceEpoch},
		{v(5, 0, 14), createRangeInt32},
		{v(5, 1, 0), createRangeSinceEpoch},
		{v(6, 0, 2), createRangeInt32},
	}.at(r)
	// SERVER-69091 is not dated.
	p.createNaN = steps[acceptance]{{v(2, 2, 0), accepted}, {v(6, 2, 0), acceptanceUnspecified}, {v(7, 0, 0), refused}}.at(r)
	// A test of requires_fcv_50 shows it; that 6.0 and 6.1 do it follows from the same
	// change. What 6.2 and 6.3 do is as unspecified as whether they accept it.
	p.createRepairsNaN = steps[bool]{{v(5, 0, 14), true}, {v(5, 1, 0), false}, {v(6, 0, 2), true}, {v(6, 2, 0), false}}.at(r)
	// SERVER-26287 refuses, SERVER-77586 accepts again. SERVER-107495 may have
	// brought that to 6.0 and 7.0. It is younger than 6.0.24; and 7.0.24 came
	// with the test of SERVER-104771, for which a TTL index on a capped
	// collection must be forced. Later patches are unspecified.
	p.createCapped = steps[acceptance]{
		{v(2, 2, 0), accepted},
		{v(5, 2, 0), refused},
		{v(6, 0, 25), acceptanceUnspecified},
		{v(6, 1, 0), refused},
		{v(7, 0, 25), acceptanceUnspecified},
		{v(7, 1, 0), accepted},
	}.at(r)
	p.specs = steps[specReading]{{v(2, 2, 0), specsInserted}, {v(2, 6, 0), specsByCatalog}, {v(3, 4, 0), specsByField}}.at(r)
	p.filtersFirst = r.isSince(3, 6, 0)
	p.namespaceChecked = !r.isSince(4, 4, 0)
	p.namesBounded = !r.isSince(4, 2, 0)
	// What 4.4 makes of other types is inferred from the state of 2020-11-20, which is
	// younger.
	p.optionTypes = r.isSince(5, 0, 0)
	p.emptyTypeRefused = r.isSince(4, 4, 0)
	p.versionFirst = r.isSince(3, 0, 0)
	// From 3.0 on MMAPv1 alone has indexes of version 0.
	p.createVersionZero = steps[acceptance]{{v(2, 2, 0), accepted}, {v(3, 0, 0), acceptanceUnspecified}, {v(3, 2, 0), refused}}.at(r)
	p.ftsReserved = r.isSince(3, 2, 0)
	p.typesKnown = r.isSince(2, 4, 0)
	p.storageCode = steps[ErrorCode]{{v(3, 0, 0), BadValue}, {v(3, 2, 0), CannotCreateIndex}}.at(r)
	// Read before 5.0 and in 6.0; between them unspecified.
	p.originalSpecs = steps[acceptance]{{v(2, 2, 0), refused}, {v(5, 0, 0), acceptanceUnspecified}, {v(6, 0, 0), accepted}}.at(r)
	p.haystackOption = steps[acceptance]{{v(2, 2, 0), accepted}, {v(5, 0, 0), refused}, {v(5, 1, 0), acceptanceUnspecified}}.at(r)
	p.compoundHashed = r.isSince(4, 4, 0)
	p.compoundWildcards = r.isSince(7, 0, 0)
	p.seriesFilters = r.isSince(5, 2, 0)
	p.hiddenIndexes = r.isSince(4, 4, 0)
	p.wildcardIndexes = r.isSince(4, 2, 0)
	// 7.0 passes over a difference in hidden, 8.0 refuses it.
	p.createHidden = steps[acceptance]{{v(2, 2, 0), accepted}, {v(7, 1, 0), acceptanceUnspecified}, {v(8, 0, 0), refused}}.at(r)
	p.signature = steps[signature]{
		{v(2, 2, 0), signatureAny},
		{v(2, 6, 0), signatureKey},
		{v(3, 4, 0), signatureCollation},
		{v(5, 0, 0), signatureOptions},
	}.at(r)
	p.namesConflict = r.isSince(4, 2, 0)
	p.collationConflict = r.isSince(3, 4, 0) && !r.isSince(5, 0, 0)
	p.sparseCompared = r.isSince(4, 4, 0) && !r.isSince(5, 0, 0)
}

// setReplies sets what commands reply with.
func (p *Profile) setReplies(r Version) {
	p.reasonLast = r.isSince(6, 2, 0)
	p.wildcardReasonLast = r.isSince(6, 0, 0)
	p.listsCollation = r.isSince(9, 0, 0) // SERVER-89953
	p.rangeReasons = r.isSince(7, 2, 0)   // SERVER-73879
	// 6.0.16 sends numbers, 8.2.1 names; live servers show it, and their sources.
	p.parserCodes = steps[parserCodeNames]{{v(2, 2, 0), parserCodesNumbered}, {v(6, 1, 0), parserCodesUnspecified}, {v(8, 0, 0), parserCodesNamed}}.at(r)
}

// namespaceSteps say in which kinds of namespaces a release deletes. Up to 3.0
// the delete itself refuses system namespaces; from 3.2 on the monitor asks
// userAllowedWriteNS, and skips temporary collections of resharding and those
// being dropped. 2.4.8 brought the names of admin; SERVER-83655 brought back
// new_users, which 5.0 had left out (mongodb/mongo: src/mongo/db/ops/insert.cpp and
// src/mongo/db/ttl.cpp of each branch, src/mongo/db/namespace_string.cpp).
var namespaceSteps = [namespaceKinds]steps[processing]{
	ordinaryName:     {{v(2, 2, 0), processed}},
	systemName:       {{v(2, 2, 0), neverProcessed}},
	insideName:       {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), processed}, {v(3, 2, 0), neverProcessed}},
	clientLikeName:   {{v(2, 2, 0), processed}, {v(3, 2, 0), neverProcessed}},
	sessionsInside:   {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), processed}, {v(3, 2, 0), neverProcessed}, {v(3, 6, 0), processed}, {v(5, 0, 0), processingUnspecified}},
	dollarName:       {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), processingUnspecified}},
	systemDatabase:   {{v(2, 2, 0), processed}, {v(3, 2, 0), neverProcessed}, {v(4, 4, 0), processingUnspecified}},
	dollarDatabase:   {{v(2, 2, 0), neverProcessed}, {v(3, 2, 0), processed}, {v(4, 4, 0), processingUnspecified}},
	clientName:       {{v(2, 2, 0), processed}},
	viewsName:        {{v(2, 2, 0), neverProcessed}, {v(3, 4, 0), processed}, {v(5, 0, 0), neverProcessed}},
	indexesName:      {{v(2, 2, 0), neverProcessed}, {v(3, 2, 0), processingUnspecified}, {v(4, 2, 0), neverProcessed}},
	bucketsName:      {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), processed}},
	reshardedBuckets: {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), processingUnspecified}, {v(8, 0, 0), neverProcessed}},
	statisticsName:   {{v(2, 2, 0), neverProcessed}, {v(6, 1, 0), processed}},
	adminName:        {{v(2, 2, 0), neverProcessed}, {v(2, 4, 8), processed}},
	newUsersName:     {{v(2, 2, 0), neverProcessed}, {v(2, 4, 8), processed}, {v(5, 0, 0), processingUnspecified}, {v(5, 0, 24), processed}, {v(5, 1, 0), processingUnspecified}, {v(6, 0, 13), processed}, {v(6, 1, 0), processingUnspecified}, {v(7, 0, 5), processed}, {v(7, 1, 0), processingUnspecified}, {v(8, 0, 0), processed}},
	keysName:         {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), processed}},
	sessionsName:     {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), processed}},
	indexBuildsName:  {{v(2, 2, 0), neverProcessed}, {v(4, 2, 0), processed}},
	coordinatorName:  {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), processingUnspecified}, {v(6, 0, 0), processed}},
	chunksName:       {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), processed}, {v(3, 2, 0), neverProcessed}, {v(4, 4, 0), processingUnspecified}, {v(5, 0, 0), processed}},
	sessionChunks:    {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), processed}, {v(3, 2, 0), neverProcessed}, {v(3, 6, 0), processed}},
	replsetName:      {{v(2, 2, 0), processed}},
	healthlogName:    {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), processed}},
	oplogName:        {{v(2, 2, 0), processed}, {v(5, 0, 0), processingUnspecified}}, // SERVER-50116: depends on replication
}

// setAggregation sets which operators aggregation has.
func (p *Profile) setAggregation(r Version) {
	p.bsonSize = r.isSince(4, 4, 0)
	p.getField = r.isSince(5, 0, 0)
	p.minN = r.isSince(5, 2, 0)
}
