package mongo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/rules"
)

// TestCommandSteps: how commands are read, in the last release before a change
// and in the first after it.
func TestCommandSteps(t *testing.T) {
	for _, s := range []struct {
		why, before, from string
		differs           func(p Profile) any
		was, is           any
	}{
		{"collMod of TTL indexes", "2.2.7", "2.4.0", func(p Profile) any { return p.collModOptions }, optionsOfSizes, optionsOfIndexes},
		{"the first fault", "3.2.11", "3.2.12", func(p Profile) any { return p.collMod }, readingOn, readingLax},
		{"padding", "2.6.12", "3.0.0", func(p Profile) any { return p.collModOptions }, optionsOfIndexes, optionsOfPadding},
		{"validation", "3.0.15", "3.2.0", func(p Profile) any { return p.collModOptions }, optionsOfPadding, optionsOfValidation},
		{"views", "3.2.22", "3.4.0", func(p Profile) any { return p.collModOptions }, optionsOfValidation, optionsOfViews},
		{"no sizes", "4.0.10", "4.2.0", func(p Profile) any { return p.collModOptions }, optionsOfViews, optionsWithoutSizes},
		{"images", "4.2.99", "4.4.0", func(p Profile) any { return p.collModOptions }, optionsWithoutSizes, optionsOfImages},
		{"maxTimeMS", "2.4.14", "2.6.0", func(p Profile) any { return p.arguments }, argumentsNone, argumentsTime},
		{"dollar signs", "2.6.9", "2.6.10", func(p Profile) any { return p.arguments }, argumentsTime, argumentsDollar},
		{"no dollar signs", "2.6.12", "3.0.0", func(p Profile) any { return p.arguments }, argumentsDollar, argumentsTime},
		{"dollar signs again", "3.0.2", "3.0.3", func(p Profile) any { return p.arguments }, argumentsTime, argumentsDollar},
		{"a list", "3.4.21", "3.6.0", func(p Profile) any { return p.arguments }, argumentsDollar, argumentsListed},
		{"transactions", "3.6.13", "4.0.0", func(p Profile) any { return p.arguments }, argumentsListed, argumentsOfTransactions},
		{"coordinators", "4.0.10", "4.2.0", func(p Profile) any { return p.arguments }, argumentsOfTransactions, argumentsOfCoordinators},
		{"comments", "4.2.99", "4.4.0", func(p Profile) any { return p.arguments }, argumentsOfCoordinators, argumentsCommented},
		{"in place, cut", "2.4.14", "2.6.0", func(p Profile) any { return p.collModStores }, storesByDouble, storesInPlace},
		{"engines", "2.6.12", "3.0.0", func(p Profile) any { return p.collModStores }, storesInPlace, storesByEngine},
		{"one engine", "4.0.10", "4.2.0", func(p Profile) any { return p.collModStores }, storesByEngine, storesAnew},
		{"undone", "2.6.12", "3.0.0", func(p Profile) any { return p.collModKeeps }, true, false},
		{"careful conversion", "3.2.11", "3.2.12", func(p Profile) any { return p.collModReads }, readsPlain, readsLoosely},
		{"more careful conversion", "4.0.6", "4.0.7", func(p Profile) any { return p.collModReads }, readsLoosely, readsSaturating},
		{"not found, an option", "3.0.15", "3.2.0", func(p Profile) any { return p.collModNotFound }, IndexNotFound, InvalidOptions},
		{"not found", "3.2.11", "3.2.12", func(p Profile) any { return p.collModNotFound }, InvalidOptions, IndexNotFound},
		{"sizes of create", "2.4.14", "2.6.0", func(p Profile) any { return p.createSize }, invalidSize, BadValue},
		{"types of create", "2.4.14", "2.6.0", func(p Profile) any { return p.createTypes }, false, true},
		{"no types of create", "2.6.1", "2.6.2", func(p Profile) any { return p.createTypes }, true, false},
		{"max of create", "2.2.7", "2.4.0", func(p Profile) any { return p.createMax }, ErrorCode(0), cappedMax},
		{"max of create, later", "2.4.14", "2.6.0", func(p Profile) any { return p.createMax }, cappedMax, BadValue},
		{"unknown fields of index", "4.2.99", "4.4.0", func(p Profile) any { return p.collMod }, readingLax, readingManual},
		{"collMod, unspecified", "4.4.29", "5.0.0", func(p Profile) any { return p.collMod }, readingManual, readingEither},
		{"collMod, strict", "5.0.99", "5.1.0", func(p Profile) any { return p.collMod }, readingEither, readingStrict},
		{"create refuses", "3.2.22", "3.4.0", func(p Profile) any { return p.create }, readingLax, readingManual},
		{"create, strict", "4.0.99", "4.2.0", func(p Profile) any { return p.create }, readingManual, readingStrict},
		{"names", "3.2.22", "3.4.0", func(p Profile) any { return p.collModNames }, false, true},
		{"conversion to TTL", "5.0.99", "5.1.0", func(p Profile) any { return p.collModConverts }, false, true},
		{"range", "4.4.29", "5.0.0", func(p Profile) any { return p.collModRange }, collModStoresAny, collModSinceEpoch},
		{"range, backport", "5.0.13", "5.0.14", func(p Profile) any { return p.collModRange }, collModSinceEpoch, collModClamps},
		{"range, rapid releases", "5.0.99", "5.1.0", func(p Profile) any { return p.collModRange }, collModClamps, collModSinceEpoch},
		{"range, again", "6.0.1", "6.0.2", func(p Profile) any { return p.collModRange }, collModSinceEpoch, collModClamps},
		{"capped, unspecified", "4.4.29", "5.0.0", func(p Profile) any { return p.collModCapped }, accepted, acceptanceUnspecified},
		{"capped, refused", "5.0.99", "5.1.0", func(p Profile) any { return p.collModCapped }, acceptanceUnspecified, refused},
		{"capped, unspecified in 6.0", "6.0.24", "6.0.25", func(p Profile) any { return p.collModCapped }, refused, acceptanceUnspecified},
		{"capped, refused in 6.1", "6.0.99", "6.1.0", func(p Profile) any { return p.collModCapped }, acceptanceUnspecified, refused},
		{"capped, unspecified in 7.0", "7.0.24", "7.0.25", func(p Profile) any { return p.collModCapped }, refused, acceptanceUnspecified},
		{"capped, accepted", "7.0.99", "7.1.0", func(p Profile) any { return p.collModCapped }, acceptanceUnspecified, accepted},
		{"views, unspecified", "4.4.29", "5.0.0", func(p Profile) any { return p.collModViews }, refused, acceptanceUnspecified},
		{"views, refused", "5.0.6", "5.0.7", func(p Profile) any { return p.collModViews }, acceptanceUnspecified, refused},
		{"views, unspecified again", "5.0.99", "5.1.0", func(p Profile) any { return p.collModViews }, refused, acceptanceUnspecified},
		{"views, refused again", "5.2.1", "5.2.2", func(p Profile) any { return p.collModViews }, acceptanceUnspecified, refused},
		{"reply", "4.2.99", "4.4.0", func(p Profile) any { return p.collModRepliesChange }, true, false},
		{"reply, unspecified", "5.0.99", "5.1.0", func(p Profile) any { return p.collModReplies }, repliesElements, repliesUnspecified},
		{"reply in seconds", "5.2.99", "5.3.0", func(p Profile) any { return p.collModReplies }, repliesUnspecified, repliesSeconds},
		{"rewrites", "8.0.99", "8.1.0", func(p Profile) any { return p.collModRewrites }, false, true},
		{"prepareUnique", "5.3.2", "6.0.0", func(p Profile) any { return p.prepareUnique }, false, true},
		{"bucket spans", "6.2.1", "6.3.0", func(p Profile) any { return p.bucketSpans }, false, true},
		{"reasons", "7.1.1", "7.2.0", func(p Profile) any { return p.rangeReasons }, false, true},
	} {
		was, is := s.differs(vectorProfile(t, s.before)), s.differs(vectorProfile(t, s.from))
		if was != s.was || is != s.is {
			t.Errorf("%s: %v on %s and %v on %s, want %v and %v", s.why, was, s.before, is, s.from, s.was, s.is)
		}
	}
}

// TestCollModRulesHaveVectors: each rule by which a command is refused does so
// in a table of the tests beside it.
func TestCollModRulesHaveVectors(t *testing.T) {
	var tables strings.Builder
	for _, pattern := range []string{"command_collmod_test.go", "command_collmod_store_test.go", "command_create_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		b, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		tables.Write(b)
	}
	for _, r := range rules.CollModRules {
		if !strings.Contains(tables.String(), " "+r.ID+`"`) {
			t.Errorf("%s refuses no vector", r)
		}
	}
}

// TestCodeName: which name a release sends with a code.
func TestCodeName(t *testing.T) {
	for _, tt := range []struct {
		version string
		code    ErrorCode
		want    string
	}{
		{"4.2.0", idlFailedToParse, "Location40414"},
		{"6.0.16", idlUnknownField, "Location40415"},
		{"6.1.0", idlUnknownField, ""},
		{"7.3.4", idlFailedToParse, ""},
		{"8.0.0", idlUnknownField, "IDLUnknownField"},
		{latest, idlFailedToParse, "IDLFailedToParse"},
		{"2.4.0", CannotCreateIndex, "CannotCreateIndex"},
		{"7.0.0", clusteredUnique, "Location5979700"},
	} {
		if got := vectorProfile(t, tt.version).CodeName(tt.code); got != tt.want {
			t.Errorf("CodeName(%d) of %s = %q, want %q", tt.code, tt.version, got, tt.want)
		}
	}
	if got := (Profile{}).CodeName(idlUnknownField); got != "" {
		t.Errorf("CodeName of no release = %q, want none", got)
	}
}
