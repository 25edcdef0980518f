package mongo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestProfileSteps: each behaviour in the last release before a change and in
// the first after it.
func TestProfileSteps(t *testing.T) {
	steps := []struct {
		why, before, from string
		differs           func(p Profile) any
		was, is           any
	}{
		{"inclusive bound", "3.0.15", "3.2.0", func(p Profile) any { return p.byQuery }, true, false},
		{"timestamps sort apart", "2.6.12", "3.0.0", func(p Profile) any { return p.timestampsSort }, true, false},
		{"an error ends the pass over a database", "2.6.12", "3.0.0", func(p Profile) any { return p.errorsEndPass }, true, false},
		{"NaN aborts", "3.2.22", "3.4.0", func(p Profile) any { return p.nan }, optionZero, optionAborts},
		{"milliseconds are checked", "3.2.22", "3.4.0", func(p Profile) any { return p.secondsWrap }, true, false},
		{"the cutoff is checked", "4.0.5", "4.0.6", func(p Profile) any { return p.cutoffChecked }, false, true},
		{"unknown types are refused", "2.2.7", "2.4.0", func(p Profile) any { return p.unknownTypesPlain }, true, false},
		{"partial indexes", "3.0.15", "3.2.0", func(p Profile) any { return p.filters }, filtersNone, filtersFlat},
		{"decimal128", "3.2.22", "3.4.0", func(p Profile) any { return p.decimals }, false, true},
		{"no index on _id", "8.2.99", "8.3.0", func(p Profile) any { return p.seriesRefusesID }, false, true},
		{"the catalog reads specifications", "2.4.14", "2.6.0", func(p Profile) any { return p.specs }, specsInserted, specsByCatalog},
		{"specifications are read by field", "3.2.22", "3.4.0", func(p Profile) any { return p.specs }, specsByCatalog, specsByField},
		{"filters are parsed first", "3.4.24", "3.6.0", func(p Profile) any { return p.filtersFirst }, false, true},
		{"ns is ignored", "4.2.25", "4.4.0", func(p Profile) any { return p.namespaceChecked }, true, false},
		{"names are bounded", "4.0.28", "4.2.0", func(p Profile) any { return p.namesBounded }, true, false},
		{"the types of options", "4.4.29", "5.0.0", func(p Profile) any { return p.optionTypes }, false, true},
		{"an empty index type", "4.2.25", "4.4.0", func(p Profile) any { return p.emptyTypeRefused }, false, true},
		{"v before all else", "2.6.12", "3.0.0", func(p Profile) any { return p.versionFirst }, false, true},
		{"v: 0, unspecified", "2.6.12", "3.0.0", func(p Profile) any { return p.createVersionZero }, accepted, acceptanceUnspecified},
		{"v: 0, refused", "3.0.15", "3.2.0", func(p Profile) any { return p.createVersionZero }, acceptanceUnspecified, refused},
		{"_fts", "3.0.15", "3.2.0", func(p Profile) any { return p.ftsReserved }, false, true},
		{"index types", "2.2.7", "2.4.0", func(p Profile) any { return p.typesKnown }, false, true},
		{"storageEngine", "2.6.12", "3.0.0", func(p Profile) any { return p.storageCode }, ErrorCode(0), BadValue},
		{"storageEngine, another code", "3.0.15", "3.2.0", func(p Profile) any { return p.storageCode }, BadValue, CannotCreateIndex},
		{"originalSpec, unspecified", "4.4.29", "5.0.0", func(p Profile) any { return p.originalSpecs }, refused, acceptanceUnspecified},
		{"originalSpec", "5.3.2", "6.0.0", func(p Profile) any { return p.originalSpecs }, acceptanceUnspecified, accepted},
		{"bucketSize, refused", "4.4.29", "5.0.0", func(p Profile) any { return p.haystackOption }, accepted, refused},
		{"bucketSize, unspecified", "5.0.31", "5.1.0", func(p Profile) any { return p.haystackOption }, refused, acceptanceUnspecified},
		{"hashed and other fields", "4.2.25", "4.4.0", func(p Profile) any { return p.compoundHashed }, false, true},
		{"wildcards and other fields", "6.3.2", "7.0.0", func(p Profile) any { return p.compoundWildcards }, false, true},
		{"filters on time-series collections", "5.1.1", "5.2.0", func(p Profile) any { return p.seriesFilters }, false, true},
		{"conflicts by key", "2.4.14", "2.6.0", func(p Profile) any { return p.signature }, signatureAny, signatureKey},
		{"conflicts by collation", "3.2.22", "3.4.0", func(p Profile) any { return p.signature }, signatureKey, signatureCollation},
		{"conflicts by options", "4.4.29", "5.0.0", func(p Profile) any { return p.signature }, signatureCollation, signatureOptions},
		{"another collation, a conflict", "3.2.22", "3.4.0", func(p Profile) any { return p.collationConflict }, false, true},
		{"another collation, another index", "4.4.29", "5.0.0", func(p Profile) any { return p.collationConflict }, true, false},
		{"NaN is stored as a number", "5.0.13", "5.0.14", func(p Profile) any { return p.createRepairsNaN }, false, true},
		{"but not in 5.1", "5.0.31", "5.1.0", func(p Profile) any { return p.createRepairsNaN }, true, false},
		{"NaN is stored as a number in 6.0", "6.0.1", "6.0.2", func(p Profile) any { return p.createRepairsNaN }, false, true},
		{"NaN is stored, unspecified", "6.1.1", "6.2.0", func(p Profile) any { return p.createRepairsNaN }, true, false},
		{"encrypted collections", "5.3.2", "6.0.0", func(p Profile) any { return p.encrypted }, false, true},
		{"sparse as it is written", "4.2.25", "4.4.0", func(p Profile) any { return p.sparseCompared }, false, true},
		{"sparse by its meaning", "4.4.29", "5.0.0", func(p Profile) any { return p.sparseCompared }, true, false},
		{"$size is a number", "3.2.22", "3.4.0", func(p Profile) any { return p.operands }, operandsLoose, operandsTyped},
		{"$isolated", "3.0.15", "3.2.0", func(p Profile) any { return p.features }, featuresNone, featuresIsolated},
		{"$isolated is passed over", "3.2.22", "3.4.0", func(p Profile) any { return p.features }, featuresIsolated, featuresIgnored},
		{"$expr is banned", "3.4.24", "3.6.0", func(p Profile) any { return p.features }, featuresIgnored, featuresBanned},
		{"$isolated is forgotten", "3.6.23", "4.0.0", func(p Profile) any { return p.features }, featuresBanned, featuresForgotten},
		{"$type of any number", "3.0.15", "3.2.0", func(p Profile) any { return p.typeAny }, false, true},
		{"$type of numbers that there are", "3.2.3", "3.2.4", func(p Profile) any { return p.typeAny }, true, false},
		{"$type: 0", "3.0.15", "3.2.0", func(p Profile) any { return p.typeZero }, false, true},
		{"$type: 0, no longer", "4.0.28", "4.2.0", func(p Profile) any { return p.typeZero }, true, false},
		{"$mod are numbers", "4.2.25", "4.4.0", func(p Profile) any { return p.operands }, operandsTyped, operandsNumbered},
		{"$mod fit 64 bits", "4.4.29", "5.0.0", func(p Profile) any { return p.operands }, operandsNumbered, operandsChecked},
		{"$type array", "3.4.24", "3.6.0", func(p Profile) any { return p.typeInsideArrays }, true, false},
		{"careful conversion", "4.4.29", "5.0.0", func(p Profile) any { return p.conversion }, conversionPlain, conversionSaturating},
		{"time series", "4.4.29", "5.0.0", func(p Profile) any { return p.timeSeries }, false, true},
		{"capped, unspecified in 6.0", "6.0.24", "6.0.25", func(p Profile) any { return p.capped }, cappedKeeps, cappedUnspecified},
		{"capped keeps in 6.1", "6.0.26", "6.1.0", func(p Profile) any { return p.capped }, cappedUnspecified, cappedKeeps},
		{"capped, unspecified in 7.0", "7.0.24", "7.0.25", func(p Profile) any { return p.capped }, cappedKeeps, cappedUnspecified},
		{"NaN is 0", "4.4.29", "5.0.0", func(p Profile) any { return p.nan }, optionSkipped, optionZero},
		{"NaN is skipped", "5.0.13", "5.0.14", func(p Profile) any { return p.nan }, optionZero, optionSkipped},
		{"NaN in rapid releases", "5.0.99", "5.1.0", func(p Profile) any { return p.nan }, optionSkipped, optionZero},
		{"NaN is skipped in 4.2", "4.2.21", "4.2.22", func(p Profile) any { return p.nan }, optionAborts, optionSkipped},
		{"but not in 4.4", "4.2.25", "4.4.0", func(p Profile) any { return p.nan }, optionSkipped, optionAborts},
		{"NaN is skipped in 4.4", "4.4.15", "4.4.16", func(p Profile) any { return p.nan }, optionAborts, optionSkipped},
		{"what is no number", "2.4.8", "2.4.9", func(p Profile) any { return p.notNumber }, optionZero, optionSkipped},
		{"hashed indexes are looked at", "3.0.15", "3.2.0", func(p Profile) any { return p.hashedDeletes }, true, false},
		{"NaN is skipped again", "6.0.1", "6.0.2", func(p Profile) any { return p.nan }, optionZero, optionSkipped},
		{"extended range is skipped in 5.0", "5.0.23", "5.0.24", func(p Profile) any { return p.extendedRange }, extendedRangeOrdinary, extendedRangeSkipped},
		{"but not in 5.1", "5.0.31", "5.1.0", func(p Profile) any { return p.extendedRange }, extendedRangeSkipped, extendedRangeOrdinary},
		{"skipped in 6.0", "6.0.12", "6.0.13", func(p Profile) any { return p.extendedRange }, extendedRangeOrdinary, extendedRangeSkipped},
		{"but not in 6.1", "6.0.26", "6.1.0", func(p Profile) any { return p.extendedRange }, extendedRangeSkipped, extendedRangeOrdinary},
		{"skipped in 7.0", "7.0.4", "7.0.5", func(p Profile) any { return p.extendedRange }, extendedRangeOrdinary, extendedRangeSkipped},
		{"but not in 7.1", "7.0.26", "7.1.0", func(p Profile) any { return p.extendedRange }, extendedRangeSkipped, extendedRangeOrdinary},
		{"skipped from 7.2", "7.1.1", "7.2.0", func(p Profile) any { return p.extendedRange }, extendedRangeOrdinary, extendedRangeSkipped},
		{"a scan's start, unspecified", "5.0.31", "5.1.0", func(p Profile) any { return p.scanStart }, scanStartNone, scanStartUnspecified},
		{"a scan's start is the earliest date", "5.2.1", "5.3.0", func(p Profile) any { return p.scanStart }, scanStartUnspecified, scanStartEarliest},
		{"a scan's start is 1970", "6.0.12", "6.0.13", func(p Profile) any { return p.scanStart }, scanStartEarliest, scanStart1970},
		{"but not in 6.1", "6.0.26", "6.1.0", func(p Profile) any { return p.scanStart }, scanStart1970, scanStartEarliest},
		{"a scan's start is 1970 in 7.0", "7.0.4", "7.0.5", func(p Profile) any { return p.scanStart }, scanStartEarliest, scanStart1970},
		{"a scan's start, unspecified again", "7.0.26", "7.1.0", func(p Profile) any { return p.scanStart }, scanStart1970, scanStartUnspecified},
		{"a scan's start is 1970 for good", "7.3.4", "8.0.0", func(p Profile) any { return p.scanStart }, scanStartUnspecified, scanStart1970},
		{"buckets round down", "8.0.3", "8.0.4", func(p Profile) any { return p.roundsDown }, false, true},
		{"clustered", "5.2.1", "5.3.0", func(p Profile) any { return p.clustered }, false, true},
		{"nested filters", "5.3.2", "6.0.0", func(p Profile) any { return p.filters }, filtersFlat, filtersNested},
		{"range, unspecified", "6.1.1", "6.2.0", func(p Profile) any { return p.outOfRange }, optionUsed, optionUnspecified},
		{"time-series indexes", "6.2.1", "6.3.0", func(p Profile) any { return p.timeSeriesIndexes }, false, true},
		{"range is checked", "6.3.2", "7.0.0", func(p Profile) any { return p.outOfRange }, optionUnspecified, optionSkipped},
		{"capped deletes", "7.0.99", "7.1.0", func(p Profile) any { return p.capped }, cappedUnspecified, cappedDeletes},
		{"int32 in the catalog", "7.2.2", "7.3.0", func(p Profile) any { return p.storesInt32 }, false, true},
		{"null and undefined", "7.3.4", "8.0.0", func(p Profile) any { return p.nullMatchesUndefined }, true, false},
		{"extended range deletes", "8.0.11", "8.0.12", func(p Profile) any { return p.extendedRange }, extendedRangeSkipped, extendedRangeDeletes},
		{"sizes in aggregation", "4.2.24", "4.4.0", func(p Profile) any { return p.HasOperator("$bsonSize") }, false, true},
		{"fields whose names begin with a dollar sign", "4.4.29", "5.0.0", func(p Profile) any { return p.HasOperator("$getField") }, false, true},
		{"the first few", "5.1.1", "5.2.0", func(p Profile) any { return p.HasOperator("$minN") }, false, true},
		{"no operator", "8.2.1", "8.3.0", func(p Profile) any { return p.HasOperator("$bsonsize") }, false, false},
		{"the simple collation is listed", "8.3.17", "9.0.0", func(p Profile) any { return p.listsCollation }, false, true},
	}
	for _, s := range steps {
		was, is := s.differs(vectorProfile(t, s.before)), s.differs(vectorProfile(t, s.from))
		if was != s.was || is != s.is {
			t.Errorf("%s: %v on %s and %v on %s, want %v and %v", s.why, was, s.before, is, s.from, s.was, s.is)
		}
	}
}

func TestProfileOfAlikeReleases(t *testing.T) {
	if a, b := vectorProfile(t, "8.1.0"), vectorProfile(t, "8.2.11"); a != b {
		t.Errorf("8.1.0 and 8.2.11 have the profiles %+v and %+v, want one", a, b)
	}
	if a, b := vectorProfile(t, "5.0.13"), vectorProfile(t, "5.0.14"); a == b {
		t.Error("5.0.13 and 5.0.14 have one profile, want two")
	}
	if p, err := ProfileOf(Latest); err != nil || p == (Profile{}) {
		t.Errorf("ProfileOf(Latest) = %+v, %v, want a profile", p, err)
	}
}

// TestStepsAscend: at relies on it. Each table of steps in the source names later
// and later releases, and another behaviour each time.
func TestStepsAscend(t *testing.T) {
	source, err := parser.ParseFile(token.NewFileSet(), "profile_steps.go", nil, 0)
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
	if want := 20 + int(namespaceKinds); tables < want {
		t.Errorf("the source holds %d tables of steps, want %d or more", tables, want)
	}
}

// checkAscends reports whether a literal is a table of steps, and checks it.
func checkAscends(t *testing.T, table *ast.CompositeLit) (isTable bool) {
	t.Helper()
	var since Version
	behaviour := ""
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
		next := Version{numbers[0], numbers[1], numbers[2]}
		name := step.Elts[1].(*ast.Ident).Name
		if next.Compare(since) <= 0 || name == behaviour {
			t.Errorf("%s %s, then %s %s: want a later release and another behaviour", since, behaviour, next, name)
		}
		since, behaviour = next, name
	}
	return len(table.Elts) > 0
}

// TestOnlyTheProfileKnowsReleases: no other file of the package names or
// compares a version.
func TestOnlyTheProfileKnowsReleases(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "profile_steps.go" || name == "version.go" {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		checked++
		for _, sign := range []string{"Version{", ".Compare(Version", ".Major", "ParseVersion(", ".isSince("} {
			for line := range strings.Lines(string(source)) {
				if strings.Contains(line, sign) && !strings.HasPrefix(line, "//") {
					t.Errorf("%s names a release: %s", name, line)
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("looked at %d files, want all of the package", checked)
	}
}
