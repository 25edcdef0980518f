package behaviour_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// at returns the profile of a release, such as "8.0.4".
func at(t *testing.T, release string) behaviour.Profile {
	t.Helper()
	v, err := mongo.ParseVersion(release)
	if err != nil {
		t.Fatal(err)
	}
	p, ok := behaviour.Of(behaviour.Version(v))
	if !ok {
		t.Fatalf("%s is not described", release)
	}
	return p
}

// TestProfileSteps: each change of a behaviour lies between the given two releases.
func TestProfileSteps(t *testing.T) {
	steps := []struct {
		why, before, from string
		differs           func(p behaviour.Profile) any
		was, is           any
	}{
		{"inclusive bound", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.ByQuery }, true, false},
		{"timestamps sort apart", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.TimestampsSort }, true, false},
		{"an error ends the pass over a database", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.ErrorsEndPass }, true, false},
		{"NaN aborts", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.Nan }, behaviour.OptionZero, behaviour.OptionAborts},
		{"milliseconds are checked", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.SecondsWrap }, true, false},
		{"the cutoff is checked", "4.0.5", "4.0.6", func(p behaviour.Profile) any { return p.CutoffChecked }, false, true},
		{"unknown types are refused", "2.2.7", "2.4.0", func(p behaviour.Profile) any { return p.UnknownTypesPlain }, true, false},
		{"partial indexes", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.Filters }, behaviour.FiltersNone, behaviour.FiltersFlat},
		{"decimal128", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.Decimals }, false, true},
		{"no index on _id", "8.2.99", "8.3.0", func(p behaviour.Profile) any { return p.SeriesRefusesID }, false, true},
		{"the catalog reads specifications", "2.4.14", "2.6.0", func(p behaviour.Profile) any { return p.Specs }, behaviour.SpecsInserted, behaviour.SpecsByCatalog},
		{"specifications are read by field", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.Specs }, behaviour.SpecsByCatalog, behaviour.SpecsByField},
		{"filters are parsed first", "3.4.24", "3.6.0", func(p behaviour.Profile) any { return p.FiltersFirst }, false, true},
		{"ns is ignored", "4.2.25", "4.4.0", func(p behaviour.Profile) any { return p.NamespaceChecked }, true, false},
		{"names are bounded", "4.0.28", "4.2.0", func(p behaviour.Profile) any { return p.NamesBounded }, true, false},
		{"the types of options", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.OptionTypes }, false, true},
		{"an empty index type", "4.2.25", "4.4.0", func(p behaviour.Profile) any { return p.EmptyTypeRefused }, false, true},
		{"v before all else", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.VersionFirst }, false, true},
		{"v: 0, unspecified", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.CreateVersionZero }, behaviour.Accepted, behaviour.AcceptanceUnspecified},
		{"v: 0, refused", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.CreateVersionZero }, behaviour.AcceptanceUnspecified, behaviour.Refused},
		{"_fts", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.FtsReserved }, false, true},
		{"index types", "2.2.7", "2.4.0", func(p behaviour.Profile) any { return p.TypesKnown }, false, true},
		{"storageEngine", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.StorageCode }, int32(0), int32(codes.BadValue)},
		{"storageEngine, another code", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.StorageCode }, int32(codes.BadValue), int32(codes.CannotCreateIndex)},
		{"expireAfterSeconds beside clustered, unspecified", "6.3.2", "7.0.0", func(p behaviour.Profile) any { return p.ClusteredSeconds }, behaviour.Refused, behaviour.AcceptanceUnspecified},
		{"expireAfterSeconds beside clustered", "7.2.2", "7.3.0", func(p behaviour.Profile) any { return p.ClusteredSeconds }, behaviour.AcceptanceUnspecified, behaviour.Accepted},
		{"originalSpec, unspecified", "5.0.31", "5.1.0", func(p behaviour.Profile) any { return p.OriginalSpecs }, behaviour.Refused, behaviour.AcceptanceUnspecified},
		{"originalSpec", "5.3.2", "6.0.0", func(p behaviour.Profile) any { return p.OriginalSpecs }, behaviour.AcceptanceUnspecified, behaviour.Accepted},
		{"bucketSize, refused", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.HaystackOption }, behaviour.Accepted, behaviour.Refused},
		{"bucketSize, unspecified", "5.0.31", "5.1.0", func(p behaviour.Profile) any { return p.HaystackOption }, behaviour.Refused, behaviour.AcceptanceUnspecified},
		{"hashed and other fields", "4.2.25", "4.4.0", func(p behaviour.Profile) any { return p.CompoundHashed }, false, true},
		{"wildcards and other fields", "6.3.2", "7.0.0", func(p behaviour.Profile) any { return p.CompoundWildcards }, false, true},
		{"filters on time-series collections", "5.1.1", "5.2.0", func(p behaviour.Profile) any { return p.SeriesFilters }, false, true},
		{"conflicts by key", "2.4.14", "2.6.0", func(p behaviour.Profile) any { return p.Signature }, behaviour.SignatureAny, behaviour.SignatureKey},
		{"conflicts by collation", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.Signature }, behaviour.SignatureKey, behaviour.SignatureCollation},
		{"conflicts by options", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.Signature }, behaviour.SignatureCollation, behaviour.SignatureOptions},
		{"another collation, a conflict", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.CollationConflict }, false, true},
		{"another collation, another index", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.CollationConflict }, true, false},
		{"NaN is stored as a number", "5.0.13", "5.0.14", func(p behaviour.Profile) any { return p.CreateRepairsNaN }, false, true},
		{"but not in 5.1", "5.0.31", "5.1.0", func(p behaviour.Profile) any { return p.CreateRepairsNaN }, true, false},
		{"NaN is stored as a number in 6.0", "6.0.1", "6.0.2", func(p behaviour.Profile) any { return p.CreateRepairsNaN }, false, true},
		{"NaN is stored, unspecified", "6.1.1", "6.2.0", func(p behaviour.Profile) any { return p.CreateRepairsNaN }, true, false},
		{"encrypted collections", "5.3.2", "6.0.0", func(p behaviour.Profile) any { return p.Encrypted }, false, true},
		{"wildcardProjection distinguishes", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.ProjectionsDistinguish }, false, true},
		{"$size is a number", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.Sizes }, behaviour.SizesLoose, behaviour.SizesTyped},
		{"$size may be a decimal, unspecified", "5.0.31", "5.1.0", func(p behaviour.Profile) any { return p.Sizes }, behaviour.SizesTyped, behaviour.SizesUnspecified},
		{"$size may be a decimal", "5.3.2", "6.0.0", func(p behaviour.Profile) any { return p.Sizes }, behaviour.SizesUnspecified, behaviour.SizesChecked},
		{"$isolated", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.Features }, behaviour.FeaturesNone, behaviour.FeaturesIsolated},
		{"$isolated is passed over", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.Features }, behaviour.FeaturesIsolated, behaviour.FeaturesIgnored},
		{"$expr is banned", "3.4.24", "3.6.0", func(p behaviour.Profile) any { return p.Features }, behaviour.FeaturesIgnored, behaviour.FeaturesBanned},
		{"$isolated is forgotten", "3.6.23", "4.0.0", func(p behaviour.Profile) any { return p.Features }, behaviour.FeaturesBanned, behaviour.FeaturesForgotten},
		{"$type of any number", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.TypeAny }, false, true},
		{"$type of numbers that there are", "3.2.3", "3.2.4", func(p behaviour.Profile) any { return p.TypeAny }, true, false},
		{"$type: 0", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.TypeZero }, false, true},
		{"$type: 0, no longer", "4.0.28", "4.2.0", func(p behaviour.Profile) any { return p.TypeZero }, true, false},
		{"$mod are numbers", "4.2.25", "4.4.0", func(p behaviour.Profile) any { return p.Mods }, behaviour.ModsLoose, behaviour.ModsNarrow},
		{"$mod fit 64 bits", "4.4.9", "4.4.10", func(p behaviour.Profile) any { return p.Mods }, behaviour.ModsNarrow, behaviour.ModsChecked},
		{"$mod are cut to 64 bits", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.Mods }, behaviour.ModsChecked, behaviour.ModsWide},
		{"$mod fit 64 bits in 5.0", "5.0.3", "5.0.4", func(p behaviour.Profile) any { return p.Mods }, behaviour.ModsWide, behaviour.ModsChecked},
		{"$sampleRate", "4.4.1", "4.4.2", func(p behaviour.Profile) any { return p.SampleRates }, false, true},
		{"$_internalExprEq", "3.6.2", "3.6.3", func(p behaviour.Profile) any { return p.ComparisonsInside }, behaviour.InternalNone, behaviour.InternalEquality},
		{"$_internalExprGt", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.ComparisonsInside }, behaviour.InternalEquality, behaviour.InternalInequalities},
		{"$type array", "3.4.24", "3.6.0", func(p behaviour.Profile) any { return p.TypeInsideArrays }, true, false},
		{"careful conversion", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.Conversion }, behaviour.ConversionPlain, behaviour.ConversionSaturating},
		{"time series", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.TimeSeries }, false, true},
		{"capped, unspecified in 6.0", "6.0.24", "6.0.25", func(p behaviour.Profile) any { return p.Capped }, behaviour.CappedKeeps, behaviour.CappedUnspecified},
		{"capped keeps in 6.1", "6.0.26", "6.1.0", func(p behaviour.Profile) any { return p.Capped }, behaviour.CappedUnspecified, behaviour.CappedKeeps},
		{"capped, unspecified in 7.0", "7.0.24", "7.0.25", func(p behaviour.Profile) any { return p.Capped }, behaviour.CappedKeeps, behaviour.CappedUnspecified},
		{"NaN is 0", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.Nan }, behaviour.OptionSkipped, behaviour.OptionZero},
		{"NaN is skipped", "5.0.13", "5.0.14", func(p behaviour.Profile) any { return p.Nan }, behaviour.OptionZero, behaviour.OptionSkipped},
		{"NaN in rapid releases", "5.0.99", "5.1.0", func(p behaviour.Profile) any { return p.Nan }, behaviour.OptionSkipped, behaviour.OptionZero},
		{"NaN is skipped in 4.2", "4.2.21", "4.2.22", func(p behaviour.Profile) any { return p.Nan }, behaviour.OptionAborts, behaviour.OptionSkipped},
		{"but not in 4.4", "4.2.25", "4.4.0", func(p behaviour.Profile) any { return p.Nan }, behaviour.OptionSkipped, behaviour.OptionAborts},
		{"NaN is skipped in 4.4", "4.4.15", "4.4.16", func(p behaviour.Profile) any { return p.Nan }, behaviour.OptionAborts, behaviour.OptionSkipped},
		{"what is no number", "2.4.8", "2.4.9", func(p behaviour.Profile) any { return p.NotNumber }, behaviour.OptionZero, behaviour.OptionSkipped},
		{"hashed indexes are looked at", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.HashedDeletes }, true, false},
		{"NaN is skipped again", "6.0.1", "6.0.2", func(p behaviour.Profile) any { return p.Nan }, behaviour.OptionZero, behaviour.OptionSkipped},
		{"extended range is skipped in 5.0", "5.0.23", "5.0.24", func(p behaviour.Profile) any { return p.ExtendedRange }, behaviour.ExtendedRangeOrdinary, behaviour.ExtendedRangeSkipped},
		{"but not in 5.1", "5.0.31", "5.1.0", func(p behaviour.Profile) any { return p.ExtendedRange }, behaviour.ExtendedRangeSkipped, behaviour.ExtendedRangeOrdinary},
		{"skipped in 6.0", "6.0.12", "6.0.13", func(p behaviour.Profile) any { return p.ExtendedRange }, behaviour.ExtendedRangeOrdinary, behaviour.ExtendedRangeSkipped},
		{"but not in 6.1", "6.0.26", "6.1.0", func(p behaviour.Profile) any { return p.ExtendedRange }, behaviour.ExtendedRangeSkipped, behaviour.ExtendedRangeOrdinary},
		{"skipped in 7.0", "7.0.4", "7.0.5", func(p behaviour.Profile) any { return p.ExtendedRange }, behaviour.ExtendedRangeOrdinary, behaviour.ExtendedRangeSkipped},
		{"but not in 7.1", "7.0.26", "7.1.0", func(p behaviour.Profile) any { return p.ExtendedRange }, behaviour.ExtendedRangeSkipped, behaviour.ExtendedRangeOrdinary},
		{"skipped from 7.2", "7.1.1", "7.2.0", func(p behaviour.Profile) any { return p.ExtendedRange }, behaviour.ExtendedRangeOrdinary, behaviour.ExtendedRangeSkipped},
		{"a scan's start, unspecified", "5.0.31", "5.1.0", func(p behaviour.Profile) any { return p.ScanStart }, behaviour.ScanStartNone, behaviour.ScanStartUnspecified},
		{"a scan's start is the earliest date", "5.2.1", "5.3.0", func(p behaviour.Profile) any { return p.ScanStart }, behaviour.ScanStartUnspecified, behaviour.ScanStartEarliest},
		{"a scan's start is 1970", "6.0.12", "6.0.13", func(p behaviour.Profile) any { return p.ScanStart }, behaviour.ScanStartEarliest, behaviour.ScanStart1970},
		{"but not in 6.1", "6.0.26", "6.1.0", func(p behaviour.Profile) any { return p.ScanStart }, behaviour.ScanStart1970, behaviour.ScanStartEarliest},
		{"a scan's start is 1970 in 7.0", "7.0.4", "7.0.5", func(p behaviour.Profile) any { return p.ScanStart }, behaviour.ScanStartEarliest, behaviour.ScanStart1970},
		{"a scan's start, unspecified again", "7.0.26", "7.1.0", func(p behaviour.Profile) any { return p.ScanStart }, behaviour.ScanStart1970, behaviour.ScanStartUnspecified},
		{"a scan's start is 1970 for good", "7.3.4", "8.0.0", func(p behaviour.Profile) any { return p.ScanStart }, behaviour.ScanStartUnspecified, behaviour.ScanStart1970},
		{"buckets round down", "8.0.3", "8.0.4", func(p behaviour.Profile) any { return p.RoundsDown }, false, true},
		{"clustered", "5.2.1", "5.3.0", func(p behaviour.Profile) any { return p.Clustered }, false, true},
		{"nested filters", "5.3.2", "6.0.0", func(p behaviour.Profile) any { return p.Filters }, behaviour.FiltersFlat, behaviour.FiltersNested},
		{"range, unspecified", "6.1.1", "6.2.0", func(p behaviour.Profile) any { return p.OutOfRange }, behaviour.OptionUsed, behaviour.OptionUnspecified},
		{"time-series indexes", "6.2.1", "6.3.0", func(p behaviour.Profile) any { return p.TimeSeriesIndexes }, false, true},
		{"range is checked", "6.3.2", "7.0.0", func(p behaviour.Profile) any { return p.OutOfRange }, behaviour.OptionUnspecified, behaviour.OptionSkipped},
		{"capped deletes", "7.0.99", "7.1.0", func(p behaviour.Profile) any { return p.Capped }, behaviour.CappedUnspecified, behaviour.CappedDeletes},
		{"int32 in the catalog", "7.2.2", "7.3.0", func(p behaviour.Profile) any { return p.StoresInt32 }, false, true},
		{"null and undefined", "7.3.4", "8.0.0", func(p behaviour.Profile) any { return p.NullMatchesUndefined }, true, false},
		{"extended range deletes", "8.0.11", "8.0.12", func(p behaviour.Profile) any { return p.ExtendedRange }, behaviour.ExtendedRangeSkipped, behaviour.ExtendedRangeDeletes},
		{"the simple collation is listed", "8.3.17", "9.0.0", func(p behaviour.Profile) any { return p.ListsCollation }, false, true},
	}
	for _, s := range steps {
		was, is := s.differs(at(t, s.before)), s.differs(at(t, s.from))
		if was != s.was || is != s.is {
			t.Errorf("%s: %v on %s and %v on %s, want %v and %v", s.why, was, s.before, is, s.from, s.was, s.is)
		}
	}
}

// TestCommandSteps: each change in the reading of commands lies between the given two
// releases.
func TestCommandSteps(t *testing.T) {
	for _, s := range []struct {
		why, before, from string
		differs           func(p behaviour.Profile) any
		was, is           any
	}{
		{"collMod of TTL indexes", "2.2.7", "2.4.0", func(p behaviour.Profile) any { return p.CollModOptions }, behaviour.OptionsOfSizes, behaviour.OptionsOfIndexes},
		{"the first fault", "3.2.11", "3.2.12", func(p behaviour.Profile) any { return p.CollMod }, behaviour.ReadingOn, behaviour.ReadingLax},
		{"padding", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.CollModOptions }, behaviour.OptionsOfIndexes, behaviour.OptionsOfPadding},
		{"validation", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.CollModOptions }, behaviour.OptionsOfPadding, behaviour.OptionsOfValidation},
		{"views", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.CollModOptions }, behaviour.OptionsOfValidation, behaviour.OptionsOfViews},
		{"no sizes", "4.0.10", "4.2.0", func(p behaviour.Profile) any { return p.CollModOptions }, behaviour.OptionsOfViews, behaviour.OptionsWithoutSizes},
		{"images", "4.2.99", "4.4.0", func(p behaviour.Profile) any { return p.CollModOptions }, behaviour.OptionsWithoutSizes, behaviour.OptionsOfImages},
		{"maxTimeMS", "2.4.14", "2.6.0", func(p behaviour.Profile) any { return p.Arguments }, behaviour.ArgumentsNone, behaviour.ArgumentsTime},
		{"dollar signs", "2.6.9", "2.6.10", func(p behaviour.Profile) any { return p.Arguments }, behaviour.ArgumentsTime, behaviour.ArgumentsDollar},
		{"no dollar signs", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.Arguments }, behaviour.ArgumentsDollar, behaviour.ArgumentsTime},
		{"dollar signs again", "3.0.2", "3.0.3", func(p behaviour.Profile) any { return p.Arguments }, behaviour.ArgumentsTime, behaviour.ArgumentsDollar},
		{"a list", "3.4.21", "3.6.0", func(p behaviour.Profile) any { return p.Arguments }, behaviour.ArgumentsDollar, behaviour.ArgumentsListed},
		{"transactions", "3.6.13", "4.0.0", func(p behaviour.Profile) any { return p.Arguments }, behaviour.ArgumentsListed, behaviour.ArgumentsOfTransactions},
		{"coordinators", "4.0.10", "4.2.0", func(p behaviour.Profile) any { return p.Arguments }, behaviour.ArgumentsOfTransactions, behaviour.ArgumentsOfCoordinators},
		{"comments", "4.2.99", "4.4.0", func(p behaviour.Profile) any { return p.Arguments }, behaviour.ArgumentsOfCoordinators, behaviour.ArgumentsCommented},
		{"in place, cut", "2.4.14", "2.6.0", func(p behaviour.Profile) any { return p.CollModStores }, behaviour.StoresByDouble, behaviour.StoresInPlace},
		{"engines", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.CollModStores }, behaviour.StoresInPlace, behaviour.StoresByEngine},
		{"one engine", "4.0.10", "4.2.0", func(p behaviour.Profile) any { return p.CollModStores }, behaviour.StoresByEngine, behaviour.StoresAnew},
		{"undone", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.CollModKeeps }, true, false},
		{"careful conversion", "3.2.11", "3.2.12", func(p behaviour.Profile) any { return p.CollModReads }, behaviour.ReadsPlain, behaviour.ReadsLoosely},
		{"more careful conversion", "4.0.6", "4.0.7", func(p behaviour.Profile) any { return p.CollModReads }, behaviour.ReadsLoosely, behaviour.ReadsSaturating},
		{"not found, an option", "3.0.15", "3.2.0", func(p behaviour.Profile) any { return p.CollModNotFound }, int32(codes.IndexNotFound), int32(codes.InvalidOptions)},
		{"not found", "3.2.11", "3.2.12", func(p behaviour.Profile) any { return p.CollModNotFound }, int32(codes.InvalidOptions), int32(codes.IndexNotFound)},
		{"create again, refused", "2.6.12", "3.0.0", func(p behaviour.Profile) any { return p.CreateAgain }, behaviour.AcceptanceUnspecified, behaviour.Refused},
		{"create again", "6.3.2", "7.0.0", func(p behaviour.Profile) any { return p.CreateAgain }, behaviour.Refused, behaviour.Accepted},
		{"sizes of create", "2.4.14", "2.6.0", func(p behaviour.Profile) any { return p.CreateSize }, int32(codes.InvalidSize), int32(codes.BadValue)},
		{"types of create", "2.4.14", "2.6.0", func(p behaviour.Profile) any { return p.CreateTypes }, false, true},
		{"no types of create", "2.6.1", "2.6.2", func(p behaviour.Profile) any { return p.CreateTypes }, true, false},
		{"max of create", "2.2.7", "2.4.0", func(p behaviour.Profile) any { return p.CreateMax }, int32(0), int32(codes.CappedMax)},
		{"max of create, later", "2.4.14", "2.6.0", func(p behaviour.Profile) any { return p.CreateMax }, int32(codes.CappedMax), int32(codes.BadValue)},
		{"collMod, strict", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.CollMod }, behaviour.ReadingLax, behaviour.ReadingStrict},
		{"create refuses", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.Create }, behaviour.ReadingLax, behaviour.ReadingManual},
		{"create, strict", "4.0.99", "4.2.0", func(p behaviour.Profile) any { return p.Create }, behaviour.ReadingManual, behaviour.ReadingStrict},
		{"names", "3.2.22", "3.4.0", func(p behaviour.Profile) any { return p.CollModNames }, false, true},
		{"conversion to TTL", "5.0.99", "5.1.0", func(p behaviour.Profile) any { return p.CollModConverts }, false, true},
		{"range, unspecified", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.CollModRange }, behaviour.CollModStoresAny, behaviour.CollModRangeUnspecified},
		{"range, backport", "5.0.13", "5.0.14", func(p behaviour.Profile) any { return p.CollModRange }, behaviour.CollModRangeUnspecified, behaviour.CollModClamps},
		{"range, rapid releases", "5.0.99", "5.1.0", func(p behaviour.Profile) any { return p.CollModRange }, behaviour.CollModClamps, behaviour.CollModSinceEpoch},
		{"range, again", "6.0.1", "6.0.2", func(p behaviour.Profile) any { return p.CollModRange }, behaviour.CollModSinceEpoch, behaviour.CollModClamps},
		{"capped, refused", "5.0.99", "5.1.0", func(p behaviour.Profile) any { return p.CollModCapped }, behaviour.Accepted, behaviour.Refused},
		{"capped, unspecified in 6.0", "6.0.24", "6.0.25", func(p behaviour.Profile) any { return p.CollModCapped }, behaviour.Refused, behaviour.AcceptanceUnspecified},
		{"capped, refused in 6.1", "6.0.99", "6.1.0", func(p behaviour.Profile) any { return p.CollModCapped }, behaviour.AcceptanceUnspecified, behaviour.Refused},
		{"capped, unspecified in 7.0", "7.0.24", "7.0.25", func(p behaviour.Profile) any { return p.CollModCapped }, behaviour.Refused, behaviour.AcceptanceUnspecified},
		{"capped, accepted", "7.0.99", "7.1.0", func(p behaviour.Profile) any { return p.CollModCapped }, behaviour.AcceptanceUnspecified, behaviour.Accepted},
		{"views, unspecified", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.CollModViews }, behaviour.Refused, behaviour.AcceptanceUnspecified},
		{"views, refused", "5.0.6", "5.0.7", func(p behaviour.Profile) any { return p.CollModViews }, behaviour.AcceptanceUnspecified, behaviour.Refused},
		{"views, unspecified again", "5.0.99", "5.1.0", func(p behaviour.Profile) any { return p.CollModViews }, behaviour.Refused, behaviour.AcceptanceUnspecified},
		{"views, refused again", "5.2.1", "5.2.2", func(p behaviour.Profile) any { return p.CollModViews }, behaviour.AcceptanceUnspecified, behaviour.Refused},
		{"reply", "4.2.99", "4.4.0", func(p behaviour.Profile) any { return p.CollModRepliesChange }, true, false},
		{"reply, parsed", "4.4.29", "5.0.0", func(p behaviour.Profile) any { return p.CollModReplies }, behaviour.RepliesElements, behaviour.RepliesParsed},
		{"reply, unspecified", "5.0.99", "5.1.0", func(p behaviour.Profile) any { return p.CollModReplies }, behaviour.RepliesParsed, behaviour.RepliesUnspecified},
		{"reply in seconds", "5.2.99", "5.3.0", func(p behaviour.Profile) any { return p.CollModReplies }, behaviour.RepliesUnspecified, behaviour.RepliesSeconds},
		{"rewrites", "8.0.99", "8.1.0", func(p behaviour.Profile) any { return p.CollModRewrites }, false, true},
		{"prepareUnique", "5.3.2", "6.0.0", func(p behaviour.Profile) any { return p.PrepareUnique }, false, true},
		{"bucket spans", "6.2.1", "6.3.0", func(p behaviour.Profile) any { return p.BucketSpans }, false, true},
		{"reasons", "7.1.1", "7.2.0", func(p behaviour.Profile) any { return p.RangeReasons }, false, true},
	} {
		was, is := s.differs(at(t, s.before)), s.differs(at(t, s.from))
		if was != s.was || is != s.is {
			t.Errorf("%s: %v on %s and %v on %s, want %v and %v", s.why, was, s.before, is, s.from, s.was, s.is)
		}
	}
}

// TestStepsAscend: in each table of steps each step has a later release than the step
// before it, and another behaviour. The method at relies on ascending releases.
func TestStepsAscend(t *testing.T) {
	source, err := parser.ParseFile(token.NewFileSet(), "steps.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	tables := 0
	ast.Inspect(source, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok || !checkAscends(t, table) {
			return true
		}
		tables++
		return false
	})
	if want := 20 + int(behaviour.NamespaceKinds); tables < want {
		t.Errorf("the source holds %d tables of steps, want %d or more", tables, want)
	}
}

// checkAscends reports whether a literal is a table of steps. It checks that the releases
// of a table ascend.
func checkAscends(t *testing.T, table *ast.CompositeLit) (isTable bool) {
	t.Helper()
	var since behaviour.Version
	last := ""
	for _, element := range table.Elts {
		step, ok := element.(*ast.CompositeLit)
		if !ok || len(step.Elts) != 2 {
			return false
		}
		call, ok := step.Elts[0].(*ast.CallExpr)
		if !ok {
			return false
		}
		var numbers [3]uint16
		for i, arg := range call.Args {
			n, err := strconv.ParseUint(arg.(*ast.BasicLit).Value, 10, 16)
			if err != nil {
				t.Fatal(err)
			}
			numbers[i] = uint16(n)
		}
		next := behaviour.Version{Major: numbers[0], Minor: numbers[1], Patch: numbers[2]}
		name := types.ExprString(step.Elts[1])
		if next.Compare(since) <= 0 || name == last {
			t.Errorf("%v %s, then %v %s: want a later release and another behaviour", since, last, next, name)
		}
		since, last = next, name
	}
	return len(table.Elts) > 0
}

// TestOnlyTheStepsKnowReleases: in the packages about MongoDB, only steps.go, version.go,
// first.go and tests name or compare a release.
func TestOnlyTheStepsKnowReleases(t *testing.T) {
	checked := 0
	for _, folder := range []string{"../..", "../../command", "../catalog", "../codes", "../filter", "../record", "../rules", "../value", "."} {
		files, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || slices.Contains([]string{"steps.go", "version.go", "first.go", "../../version.go"}, name) {
				continue
			}
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			checked++
			for _, sign := range []string{"Version{", ".Compare(Version", ".Compare(behaviour.Version", ".Major", "ParseVersion(", ".isSince("} {
				for line := range strings.Lines(string(source)) {
					if strings.Contains(line, sign) && !strings.HasPrefix(strings.TrimSpace(line), "//") {
						t.Errorf("%s names a release: %s", name, line)
					}
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("looked at %d files, want all of the packages", checked)
	}
}

// TestDevelopments: a state of the main branch differs from the release after it in its
// named differences alone, and each of them changes something.
func TestDevelopments(t *testing.T) {
	for _, d := range behaviour.Developments {
		release, ok := behaviour.Of(d.Release)
		if !ok {
			t.Fatalf("%s comes before no release", d.Name)
		}
		named := map[string]bool{}
		for _, difference := range d.Differences {
			named[difference.Behaviour] = true
		}
		a, b := reflect.ValueOf(release), reflect.ValueOf(d.Profile())
		for f := range a.NumField() {
			name := small(a.Type().Field(f).Name)
			if differs := !a.Field(f).Equal(b.Field(f)); differs != named[name] {
				t.Errorf("%s differs from %v in %s: %t, and says so: %t", d.Name, d.Release, name, differs, named[name])
			}
			delete(named, name)
		}
		if len(named) > 0 {
			t.Errorf("%s names no behaviours: %v", d.Name, named)
		}
		if found, ok := behaviour.DevelopmentNamed(d.Name); !ok || found.Commit != d.Commit {
			t.Errorf("DevelopmentNamed(%s) = %v, %t", d.Name, found, ok)
		}
	}
	if _, ok := behaviour.DevelopmentNamed("5.0.0"); ok {
		t.Error("5.0.0 is a state of the main branch")
	}
}
