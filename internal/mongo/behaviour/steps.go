package behaviour

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
)

// A step says from which release on a behaviour holds, up to the next step.
// Fixes were backported, so a behaviour may come, go and come again.
type step[T any] struct {
	since Version
	value T
}

// steps are in ascending order of releases.
type steps[T any] []step[T]

// at returns the behaviour of a release, or the zero value before the first
// step.
func (s steps[T]) at(r Version) (value T) {
	for _, step := range s {
		if r.Compare(step.since) >= 0 {
			value = step.value
		}
	}
	return value
}

// Latest is the newest release that the steps describe.
var Latest = v(9, 0, 2)

// The steps describe the releases from Oldest up to, but not including, Beyond. Later
// patches of Latest's line are assumed to behave as Latest does.
var (
	Oldest = v(2, 2, 0)
	Beyond = v(Latest.Major, Latest.Minor+1, 0)
)

// DocumentDB is the product microsoft/documentdb: an extension of PostgreSQL that is the
// engine of Azure DocumentDB (Azure Cosmos DB for MongoDB vCore) and of FerretDB 2. Its
// releases are numbered 0.102, 0.103 and so on.
const DocumentDB = "documentdb"

// The releases of DocumentDB that have profiles. TTL indexes came with 0.102. Later patches
// of the last line are assumed to behave alike.
var (
	OldestDocumentDB = Version{DocumentDB, 0, 102, 0}
	LatestDocumentDB = Version{DocumentDB, 0, 112, 0}
)

// Of returns the profile of a release. It reports false for a release that the steps do
// not describe. A version number that was never released behaves like the release before
// it.
func Of(r Version) (p Profile, ok bool) {
	if r.Product == DocumentDB {
		return ofDocumentDB(r)
	}
	if r.Compare(Oldest) < 0 || r.Compare(Beyond) >= 0 {
		return Profile{}, false
	}
	p.setOption(r)
	p.setScan(r)
	p.setFilters(r)
	p.setCollections(r)
	p.setCollMod(r)
	p.setCreateIndexes(r)
	p.setReplies(r)
	p.setAggregation(r)
	return p, true
}

// ofDocumentDB returns the profile of a release of DocumentDB: that of 7.0, whose wire
// protocol it implements, with the behaviours of its own. In a run of the suite 0.108
// decided about documents as 7.0 does, apart from these (conformance/lab/results/documentdb.json).
func ofDocumentDB(r Version) (Profile, bool) {
	if r.Compare(OldestDocumentDB) < 0 || r.Compare(Version{DocumentDB, 0, LatestDocumentDB.Minor, math.MaxUint16}) > 0 {
		return Profile{}, false
	}
	p, _ := Of(v(7, 0, 0))
	p.DocumentDB = true
	p.DocumentDBLater = r.isSince(0, 109, 0)
	p.StoresInt32 = true
	p.ParserCodes = ParserCodesUnspecified
	p.Filters = FiltersFlat
	p.BrokenPaths = BrokenPathsUnspecified
	p.Capped = CappedUnspecified
	p.Clustered, p.Encrypted, p.TimeSeries, p.TimeSeriesIndexes = false, false, false, false
	return p, true
}

// setOption sets the meaning of a stored expireAfterSeconds.
func (p *Profile) setOption(r Version) {
	p.Decimals = r.isSince(3, 4, 0)
	p.StoresInt32 = r.isSince(7, 3, 0)
	// SERVER-56676 brought the saturating conversion.
	p.Conversion = steps[conversion]{{v(2, 2, 0), ConversionPlain}, {v(5, 0, 0), ConversionSaturating}}.at(r)
	// Up to 3.2 the delay in milliseconds is a product that may wrap: NaN becomes the
	// smallest integer, whose product is 0. 3.4 brought a duration type that checks for
	// overflow.
	p.SecondsWrap = !r.isSince(3, 4, 0)
	// Since SERVER-56676, in 5.0, NaN counts as 0. Since SERVER-68477 and its backports
	// the index is skipped; the releases 5.1 to 5.3 are older than SERVER-68477. The
	// ticket for 4.2 and 4.4 is SERVER-68359; the changelogs of 4.2.22 and 4.2.23 both
	// list it.
	p.Nan = steps[optionMeaning]{
		{v(2, 2, 0), OptionZero},
		{v(3, 4, 0), OptionAborts},
		{v(4, 2, 22), OptionSkipped},
		{v(4, 4, 0), OptionAborts},
		{v(4, 4, 16), OptionSkipped},
		{v(5, 0, 0), OptionZero},
		{v(5, 0, 14), OptionSkipped},
		{v(5, 1, 0), OptionZero},
		{v(6, 0, 2), OptionSkipped},
	}.at(r)
	p.NotNumber = steps[optionMeaning]{{v(2, 2, 0), OptionZero}, {v(2, 4, 9), OptionSkipped}}.at(r)
	// The monitor of 6.1 still checks only the type, and the monitor of 7.0 checks the
	// range. No source says in which release between them SERVER-69091 came.
	p.OutOfRange = steps[optionMeaning]{{v(2, 2, 0), OptionUsed}, {v(6, 2, 0), OptionUnspecified}, {v(7, 0, 0), OptionSkipped}}.at(r)
}

// setScan sets the behaviours of the monitor's scan of an index.
func (p *Profile) setScan(r Version) {
	p.ByQuery = !r.isSince(3, 2, 0)
	// The delete query matches documents, not index keys, up to the release in which the
	// monitor scans indexes itself. The source of 2.2 already has hashed indexes.
	p.HashedDeletes = p.ByQuery
	p.UnknownTypesPlain = !r.isSince(2, 4, 0)
	// From 3.2 on the server compares the ends of the scan by two different orders of
	// keys, so the effect of version 0 is unspecified. 4.2 has no MMAPv1, and so no
	// version 0.
	p.VersionZero = steps[versionZeroMeaning]{
		{v(2, 2, 0), VersionZeroUnsigned},
		{v(3, 2, 0), VersionZeroUnspecified},
		{v(4, 2, 0), VersionZeroNone},
	}.at(r)
	p.CutoffChecked = r.isSince(4, 0, 6) // SERVER-38445
	p.TimestampsSort = !r.isSince(3, 0, 0)
	p.ErrorsEndPass = !r.isSince(3, 0, 0)
}

// setFilters sets how partial filters are read.
func (p *Profile) setFilters(r Version) {
	p.Filters = steps[FilterLanguage]{{v(3, 2, 0), FiltersFlat}, {v(6, 0, 0), FiltersNested}}.at(r)
	p.Features = steps[filterFeatures]{{v(3, 2, 0), FeaturesIsolated}, {v(3, 4, 0), FeaturesIgnored}, {v(3, 6, 0), FeaturesBanned}, {v(4, 0, 0), FeaturesForgotten}}.at(r)
	p.NullMatchesUndefined = !r.isSince(8, 0, 0)
	p.TypeAny = r.isSince(3, 2, 0) && !r.isSince(3, 2, 4)
	p.TypeZero = r.isSince(3, 2, 0) && !r.isSince(4, 2, 0)
	p.TypeInsideArrays = !r.isSince(3, 6, 0)
	p.ExtremeKeysOrdered = r.isSince(4, 2, 0)
	// 5.0-dev refuses a Decimal128, and the source of 6.0 accepts it; releases between them
	// are unspecified.
	p.Sizes = steps[SizeReading]{{v(3, 2, 0), SizesLoose}, {v(3, 4, 0), SizesTyped}, {v(5, 1, 0), SizesUnspecified}, {v(6, 0, 0), SizesChecked}}.at(r)
	// SERVER-23664 checks the remainder, SERVER-32960 reads 64 bits, and SERVER-57321, with
	// its backports, refuses what does not fit them.
	p.Mods = steps[ModReading]{{v(3, 2, 0), ModsLoose}, {v(4, 4, 0), ModsNarrow}, {v(4, 4, 10), ModsChecked}, {v(5, 0, 0), ModsWide}, {v(5, 0, 4), ModsChecked}}.at(r)
	p.SampleRates = r.isSince(4, 4, 2) // SERVER-48474
	p.ComparisonsInside = steps[internalComparisons]{{v(3, 6, 3), InternalEquality}, {v(5, 0, 0), InternalInequalities}}.at(r)
	// The release notes of 9.0 name SERVER-36681; the changelog lists it under 9.0.1,
	// which has the same date as 9.0.0.
	p.BrokenPaths = steps[BrokenPathMeaning]{{v(9, 0, 0), BrokenPathsNull}}.at(r)
}

// setCollections sets the kinds of collections, and the deletes from them.
func (p *Profile) setCollections(r Version) {
	for kind, steps := range NamespaceSteps {
		p.Namespaces[kind] = steps.at(r)
	}
	// Since SERVER-77586 the monitor deletes from capped collections; for the late
	// patches of 6.0 and 7.0 see setCreateIndexes.
	p.Capped = steps[cappedMeaning]{
		{v(2, 2, 0), CappedKeeps},
		{v(6, 0, 25), CappedUnspecified},
		{v(6, 1, 0), CappedKeeps},
		{v(7, 0, 25), CappedUnspecified},
		{v(7, 1, 0), CappedDeletes},
	}.at(r)
	p.Clustered = r.isSince(5, 3, 0)
	p.TimeSeries = r.isSince(5, 0, 0)
	p.Encrypted = r.isSince(6, 0, 0)
	p.TimeSeriesIndexes = r.isSince(6, 3, 0)
	p.SeriesRefusesID = r.isSince(8, 3, 0)
	p.BucketSpans = r.isSince(6, 3, 0)
	// 5.0-dev does not round. The main branch of November 2021 does, after 5.1 and before
	// 5.2. No source says what 5.0 and 5.1 do.
	p.SeriesRounds = steps[acceptance]{{v(5, 0, 0), AcceptanceUnspecified}, {v(5, 2, 0), Accepted}}.at(r)
	// The ticket is SERVER-67816. Its backports to releases before 8.0 have no effect,
	// because these releases skip a collection that holds a date before 1970.
	p.RoundsDown = r.isSince(8, 0, 4)
	// SERVER-79864 brought ExtendedRangeSkipped, and SERVER-97368 removed it, each with
	// its backports.
	p.ExtendedRange = steps[ExtendedRangeMeaning]{
		{v(5, 0, 0), ExtendedRangeOrdinary},
		{v(5, 0, 24), ExtendedRangeSkipped},
		{v(5, 1, 0), ExtendedRangeOrdinary},
		{v(6, 0, 13), ExtendedRangeSkipped},
		{v(6, 1, 0), ExtendedRangeOrdinary},
		{v(7, 0, 5), ExtendedRangeSkipped},
		{v(7, 1, 0), ExtendedRangeOrdinary},
		{v(7, 2, 0), ExtendedRangeSkipped},
		{v(8, 0, 12), ExtendedRangeDeletes},
	}.at(r)
	// The scan of 5.0 has no start; whether 5.1 or 5.2 is the first release with a start
	// is unspecified. It is inferred that SERVER-76560, with its backports, moved the
	// start to 1970; which of the rapid releases from 7.1 on have this ticket is
	// unspecified.
	p.ScanStart = steps[ScanStartMeaning]{
		{v(5, 0, 0), ScanStartNone},
		{v(5, 1, 0), ScanStartUnspecified},
		{v(5, 3, 0), ScanStartEarliest},
		{v(6, 0, 13), ScanStart1970},
		{v(6, 1, 0), ScanStartEarliest},
		{v(7, 0, 5), ScanStart1970},
		{v(7, 1, 0), ScanStartUnspecified},
		{v(8, 0, 0), ScanStart1970},
	}.at(r)
}

// setCollMod sets the behaviours of collMod. Since 2.4 collMod changes an index's
// expireAfterSeconds. Since SERVER-53156, in 5.0, it is read strictly.
func (p *Profile) setCollMod(r Version) {
	p.CollMod = steps[CommandReading]{
		{v(2, 2, 0), ReadingOn},
		{v(3, 2, 12), ReadingLax},
		{v(5, 0, 0), ReadingStrict},
	}.at(r)
	p.CollModOptions = steps[CollModOptions]{
		{v(2, 2, 0), OptionsOfSizes},
		{v(2, 4, 0), OptionsOfIndexes},
		{v(3, 0, 0), OptionsOfPadding},
		{v(3, 2, 0), OptionsOfValidation},
		{v(3, 4, 0), OptionsOfViews},
		{v(4, 2, 0), OptionsWithoutSizes},
		{v(4, 4, 0), OptionsOfImages},
	}.at(r)
	// Backports let 2.6 and 3.0 ignore names that begin with a dollar sign. The lists of
	// 4.4-dev, of 5.0-dev, of a fork of 6.0 and of the main branch before 7.0 were read.
	p.Arguments = steps[commandArguments]{
		{v(2, 2, 0), ArgumentsNone},
		{v(2, 6, 0), ArgumentsTime},
		{v(2, 6, 10), ArgumentsDollar},
		{v(3, 0, 0), ArgumentsTime},
		{v(3, 0, 3), ArgumentsDollar},
		{v(3, 6, 0), ArgumentsListed},
		{v(4, 0, 0), ArgumentsOfTransactions},
		{v(4, 2, 0), ArgumentsOfCoordinators},
		{v(4, 4, 0), ArgumentsCommented},
		{v(5, 0, 0), ArgumentsOfVersions},
		{v(5, 1, 0), ArgumentsOfRetriesUnspecified},
		{v(6, 0, 0), ArgumentsOfTenants},
		{v(6, 1, 0), ArgumentsOfPrefixesUnspecified},
		{v(7, 0, 0), ArgumentsOfPrefixes},
	}.at(r)
	p.CollModNotFound = steps[int32]{{v(2, 2, 0), codes.IndexNotFound}, {v(3, 2, 0), codes.InvalidOptions}, {v(3, 2, 12), codes.IndexNotFound}}.at(r)
	p.CollModKeeps = !r.isSince(3, 0, 0)
	p.CollModReads = steps[doubleReading]{{v(2, 2, 0), ReadsPlain}, {v(3, 2, 12), ReadsLoosely}, {v(4, 0, 7), ReadsSaturating}}.at(r)
	p.CollModStores = steps[collModStorage]{
		{v(2, 4, 0), StoresByDouble},
		{v(2, 6, 0), StoresInPlace},
		{v(3, 0, 0), StoresByEngine},
		{v(4, 2, 0), StoresAnew},
	}.at(r)
	p.EitherEngine = p.CollModStores == StoresByEngine
	p.CollModNames = r.isSince(3, 4, 0)
	p.CollModConverts = r.isSince(5, 1, 0)
	p.PrepareUnique = r.isSince(6, 0, 0)
	// The ticket is SERVER-68477, with its backports. No source says in which release the
	// bound by the seconds since 1970 came: 5.0-dev stores any number of 32 bits, and the
	// main branch of January 2022 has the bound.
	p.CollModRange = steps[collModRange]{
		{v(2, 4, 0), CollModStoresAny},
		{v(5, 0, 0), CollModRangeUnspecified},
		{v(5, 0, 14), CollModClamps},
		{v(5, 1, 0), CollModSinceEpoch},
		{v(6, 0, 2), CollModClamps},
	}.at(r)
	p.CollModCapped = steps[acceptance]{
		{v(2, 4, 0), Accepted},
		{v(5, 1, 0), Refused},
		{v(6, 0, 25), AcceptanceUnspecified},
		{v(6, 1, 0), Refused},
		{v(7, 0, 25), AcceptanceUnspecified},
		{v(7, 1, 0), Accepted},
	}.at(r)
	// SERVER-63859 makes collMod refuse an expireAfterSeconds of a view, as 4.4 does.
	p.CollModViews = steps[acceptance]{
		{v(2, 4, 0), Refused},
		{v(5, 0, 0), AcceptanceUnspecified},
		{v(5, 0, 7), Refused},
		{v(5, 1, 0), AcceptanceUnspecified},
		{v(5, 2, 2), Refused},
	}.at(r)
	p.CollModRepliesChange = r.isSince(2, 4, 0) && !r.isSince(4, 4, 0)
	// Up to 4.4 the reply is a copy of the elements. From 5.0 on, since SERVER-53156, the
	// given number is an int32 before anything reads it. Since SERVER-62068, in 5.3, the
	// reply has the whole seconds of both numbers.
	p.CollModReplies = steps[collModReplyForm]{
		{v(2, 4, 0), RepliesElements},
		{v(5, 0, 0), RepliesParsed},
		{v(5, 1, 0), RepliesUnspecified},
		{v(5, 3, 0), RepliesSeconds},
	}.at(r)
	p.LaterOptions = steps[acceptance]{{v(2, 2, 0), Refused}, {v(5, 1, 0), AcceptanceUnspecified}, {v(6, 0, 0), Accepted}}.at(r)
	p.CollModRewrites = r.isSince(8, 1, 0) // SERVER-92366
}

// setCreateIndexes sets the behaviours of create and createIndexes.
func (p *Profile) setCreateIndexes(r Version) {
	p.Create = steps[CommandReading]{{v(2, 2, 0), ReadingLax}, {v(3, 4, 0), ReadingManual}, {v(4, 2, 0), ReadingStrict}}.at(r)
	// Up to 2.6 the refusal has no code. SERVER-60064 made the command repeatable; the tests
	// of SERVER-74062 name 7.0.
	p.CreateAgain = steps[acceptance]{{v(2, 2, 0), AcceptanceUnspecified}, {v(3, 0, 0), Refused}, {v(7, 0, 0), Accepted}}.at(r)
	p.CreateSize = steps[int32]{{v(2, 2, 0), codes.InvalidSize}, {v(2, 6, 0), codes.BadValue}}.at(r)
	// The parser of the main branch before 7.1 sends 51024, and 8.2.4 sends BadValue; releases between them are unspecified.
	p.RangeCode = steps[int32]{{v(2, 2, 0), codes.NotComparable}, {v(7, 1, 0), 0}, {v(8, 2, 0), codes.BadValue}}.at(r)
	p.CreateTypes = r.isSince(2, 6, 0) && !r.isSince(2, 6, 2) // SERVER-13737
	p.CreateMax = steps[int32]{{v(2, 4, 0), codes.CappedMax}, {v(2, 6, 0), codes.BadValue}}.at(r)
	// The tickets are SERVER-10075, and then SERVER-68477 with its backports. The
	// releases 5.1 to 5.3 are older than SERVER-68477.
	p.CreateRange = steps[createRange]{
		{v(2, 2, 0), CreateRangeUnchecked},
		{v(4, 2, 0), CreateRangeSinceEpoch},
		{v(5, 0, 14), CreateRangeInt32},
		{v(5, 1, 0), CreateRangeSinceEpoch},
		{v(6, 0, 2), CreateRangeInt32},
	}.at(r)
	// No source says in which release SERVER-69091 came.
	p.CreateNaN = steps[acceptance]{{v(2, 2, 0), Accepted}, {v(6, 2, 0), AcceptanceUnspecified}, {v(7, 0, 0), Refused}}.at(r)
	// A test of requires_fcv_50 shows the repair in 5.0; 6.0 and 6.1 have the same
	// change. No source says whether 6.2 and 6.3 accept NaN, and how they store it.
	p.CreateRepairsNaN = steps[bool]{{v(5, 0, 14), true}, {v(5, 1, 0), false}, {v(6, 0, 2), true}, {v(6, 2, 0), false}}.at(r)
	// Since SERVER-26287 a TTL index on a capped collection is refused, and since
	// SERVER-77586 it is accepted again. SERVER-107495, which is later than 6.0.24, may
	// have brought SERVER-77586 to 6.0 and 7.0. 7.0.24 still refuses the index: it has
	// the test of SERVER-104771, in which a TTL index on a capped collection must be
	// forced. Later patches are unspecified.
	p.CreateCapped = steps[acceptance]{
		{v(2, 2, 0), Accepted},
		{v(5, 2, 0), Refused},
		{v(6, 0, 25), AcceptanceUnspecified},
		{v(6, 1, 0), Refused},
		{v(7, 0, 25), AcceptanceUnspecified},
		{v(7, 1, 0), Accepted},
	}.at(r)
	p.Specs = steps[specReading]{{v(2, 2, 0), SpecsInserted}, {v(2, 6, 0), SpecsByCatalog}, {v(3, 4, 0), SpecsByField}}.at(r)
	p.FiltersFirst = r.isSince(3, 6, 0)
	p.NamespaceChecked = !r.isSince(4, 4, 0)
	p.NamesBounded = !r.isSince(4, 2, 0)
	// That 4.4 does not check the types of all options is inferred from the source of
	// 2020-11-20, which is later than 4.4.0.
	p.OptionTypes = r.isSince(5, 0, 0)
	p.EmptyTypeRefused = r.isSince(4, 4, 0)
	p.VersionFirst = r.isSince(3, 0, 0)
	// From 3.0 on only MMAPv1 has indexes of version 0.
	p.CreateVersionZero = steps[acceptance]{{v(2, 2, 0), Accepted}, {v(3, 0, 0), AcceptanceUnspecified}, {v(3, 2, 0), Refused}}.at(r)
	p.FtsReserved = r.isSince(3, 2, 0)
	p.TypesKnown = r.isSince(2, 4, 0)
	p.StorageCode = steps[int32]{{v(3, 0, 0), codes.BadValue}, {v(3, 2, 0), codes.CannotCreateIndex}}.at(r)
	// The sources before 7.0 and of 7.3 were read; releases between them are unspecified.
	p.ClusteredSeconds = steps[acceptance]{{v(2, 2, 0), Refused}, {v(7, 0, 0), AcceptanceUnspecified}, {v(7, 3, 0), Accepted}}.at(r)
	// 5.0-dev does not know the field, and the source of 6.0 does; releases between them
	// are unspecified.
	p.OriginalSpecs = steps[acceptance]{{v(2, 2, 0), Refused}, {v(5, 1, 0), AcceptanceUnspecified}, {v(6, 0, 0), Accepted}}.at(r)
	p.HaystackOption = steps[acceptance]{{v(2, 2, 0), Accepted}, {v(5, 0, 0), Refused}, {v(5, 1, 0), AcceptanceUnspecified}}.at(r)
	p.CompoundHashed = r.isSince(4, 4, 0)
	p.CompoundWildcards = r.isSince(7, 0, 0)
	p.SeriesFilters = r.isSince(5, 2, 0)
	p.HiddenIndexes = r.isSince(4, 4, 0)
	p.WildcardIndexes = r.isSince(4, 2, 0)
	// 5.0-dev refuses the index; later sources were not read.
	p.TransactionIndexes = steps[acceptance]{{v(2, 2, 0), Accepted}, {v(3, 6, 0), Refused}, {v(5, 1, 0), AcceptanceUnspecified}}.at(r)
	// 7.0 ignores a difference in hidden, and 8.0 refuses it.
	p.CreateHidden = steps[acceptance]{{v(2, 2, 0), Accepted}, {v(7, 1, 0), AcceptanceUnspecified}, {v(8, 0, 0), Refused}}.at(r)
	p.Signature = steps[signature]{
		{v(2, 2, 0), SignatureAny},
		{v(2, 6, 0), SignatureKey},
		{v(3, 4, 0), SignatureCollation},
		{v(5, 0, 0), SignatureOptions},
	}.at(r)
	p.NamesConflict = r.isSince(4, 2, 0)
	p.CollationConflict = r.isSince(3, 4, 0) && !r.isSince(5, 0, 0)
	p.ProjectionsDistinguish = r.isSince(5, 0, 0) // SERVER-47659
}

// setReplies sets the behaviours of the replies to commands.
func (p *Profile) setReplies(r Version) {
	p.ReasonLast = r.isSince(6, 2, 0)
	p.WildcardReasonLast = r.isSince(6, 0, 0)
	p.ListsCollation = r.isSince(9, 0, 0) // SERVER-89953
	p.RangeReasons = r.isSince(7, 2, 0)   // SERVER-73879
	// As the codeName of a parser's error 6.0.16 sends a number, such as "Location40415",
	// and 8.2.1 sends a name, as their sources and live servers show.
	p.ParserCodes = steps[parserCodeNames]{{v(2, 2, 0), ParserCodesNumbered}, {v(6, 1, 0), ParserCodesUnspecified}, {v(8, 0, 0), ParserCodesNamed}}.at(r)
}

// NamespaceSteps say in which kinds of namespaces a release deletes. Up to 3.0 the delete
// itself refuses system namespaces; from 3.2 on the monitor asks userAllowedWriteNS, and
// skips temporary collections of resharding and those being dropped. 2.4.8 added four
// system collections of the database admin: version, roles, backup_users and new_users.
// 5.0 left out new_users, and SERVER-83655 brought it back (mongodb/mongo:
// src/mongo/db/ops/insert.cpp and src/mongo/db/ttl.cpp of each branch,
// src/mongo/db/namespace_string.cpp).
var NamespaceSteps = [NamespaceKinds]steps[processing]{
	OrdinaryName:     {{v(2, 2, 0), Processed}},
	SystemName:       {{v(2, 2, 0), neverProcessed}},
	InsideName:       {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), Processed}, {v(3, 2, 0), neverProcessed}},
	ClientLikeName:   {{v(2, 2, 0), Processed}, {v(3, 2, 0), neverProcessed}},
	SessionsInside:   {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), Processed}, {v(3, 2, 0), neverProcessed}, {v(3, 6, 0), Processed}, {v(5, 0, 0), neverProcessed}},
	ReshardingInside: {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), Processed}, {v(3, 2, 0), neverProcessed}, {v(5, 0, 0), Processed}},
	DollarName:       {{v(2, 2, 0), neverProcessed}, {v(5, 1, 0), ProcessingUnspecified}},
	SystemDatabase:   {{v(2, 2, 0), Processed}, {v(3, 2, 0), neverProcessed}, {v(5, 0, 0), Processed}},      // SERVER-47154
	DollarDatabase:   {{v(2, 2, 0), neverProcessed}, {v(3, 2, 0), Processed}, {v(5, 0, 0), neverProcessed}}, // SERVER-48955
	ClientName:       {{v(2, 2, 0), Processed}},
	ViewsName:        {{v(2, 2, 0), neverProcessed}, {v(3, 4, 0), Processed}, {v(5, 0, 0), neverProcessed}},
	IndexesName:      {{v(2, 2, 0), neverProcessed}, {v(3, 2, 0), ProcessingUnspecified}, {v(4, 2, 0), neverProcessed}},
	BucketsName:      {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), Processed}},
	ReshardedBuckets: {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), Processed}, {v(5, 1, 0), ProcessingUnspecified}, {v(8, 0, 0), neverProcessed}},
	StatisticsName:   {{v(2, 2, 0), neverProcessed}, {v(6, 1, 0), Processed}},
	AdminName:        {{v(2, 2, 0), neverProcessed}, {v(2, 4, 8), Processed}},
	NewUsersName:     {{v(2, 2, 0), neverProcessed}, {v(2, 4, 8), Processed}, {v(5, 0, 0), neverProcessed}, {v(5, 0, 24), Processed}, {v(5, 1, 0), ProcessingUnspecified}, {v(6, 0, 13), Processed}, {v(6, 1, 0), ProcessingUnspecified}, {v(7, 0, 5), Processed}, {v(7, 1, 0), ProcessingUnspecified}, {v(8, 0, 0), Processed}},
	KeysName:         {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), Processed}},
	SessionsName:     {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), Processed}},
	IndexBuildsName:  {{v(2, 2, 0), neverProcessed}, {v(4, 2, 0), Processed}},
	ImagesName:       {{v(2, 2, 0), neverProcessed}, {v(5, 1, 0), ProcessingUnspecified}, {v(6, 0, 0), Processed}},
	CoordinatorName:  {{v(2, 2, 0), neverProcessed}, {v(5, 0, 0), Processed}},                                                        // SERVER-53905
	ChunksName:       {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), Processed}, {v(3, 2, 0), neverProcessed}, {v(5, 0, 0), Processed}}, // SERVER-49290
	SessionChunks:    {{v(2, 2, 0), neverProcessed}, {v(2, 6, 0), Processed}, {v(3, 2, 0), neverProcessed}, {v(3, 6, 0), Processed}},
	ReplsetName:      {{v(2, 2, 0), Processed}},
	HealthlogName:    {{v(2, 2, 0), neverProcessed}, {v(3, 6, 0), Processed}},
	OplogName:        {{v(2, 2, 0), Processed}, {v(5, 0, 0), ProcessingUnspecified}}, // SERVER-50116: depends on replication
}

// setAggregation sets which operators aggregation has.
func (p *Profile) setAggregation(r Version) {
	p.BsonSize = r.isSince(4, 4, 0)
}
