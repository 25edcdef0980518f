package rulebook

import (
	"maps"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
)

// feature returns the row of a table, by its name.
func feature(t *testing.T, table int, name string) *Feature {
	t.Helper()
	list := book.Features[table].Features
	i := slices.IndexFunc(list, func(f *Feature) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no feature %q", name)
	}
	return list[i]
}

// TestFeatures compares a few cells with results that were worked out by hand from the
// tickets and the notes of the releases.
func TestFeatures(t *testing.T) {
	for _, tt := range []struct {
		table         int
		name, release string
		word, rule    string
	}{
		{0, "expireAfterSeconds: NaN", "4.4.15", "keeps", "mongo.nan-aborts"},  // SERVER-68477
		{0, "expireAfterSeconds: NaN", "5.0.13", "deletes", "mongo.nan-zero"},  // SERVER-68477
		{0, "expireAfterSeconds: NaN", "5.0.14", "keeps", "mongo.nan-skipped"}, // SERVER-68477
		{0, "expireAfterSeconds: NaN", "6.0.1", "deletes", "mongo.nan-zero"},   // SERVER-68477
		{0, "index on a capped collection", "4.4.0", "keeps", "mongo.capped"},  // ttl_capped.js
		{0, "index on a capped collection", "7.1.0", "deletes", "mongo.date"},  // ttl_index_with_capped_collection.js
		{0, "clustered collection, Date as _id", "5.2.0", absent, ""},          // requires_fcv_53
		{0, "clustered collection, Date as _id", "5.3.0", "deletes", "mongo.clustered"},
		{0, "partial index, {\"a.b\": null} and {a: [1]}", "8.3.0", "keeps", "mongo.filter-mismatch"},
		{0, "partial index, {\"a.b\": null} and {a: [1]}", "9.0.0", "deletes", ""}, // the notes on compatibility
		{1, "compound index", "4.0.0", "accepted", ""},
		{1, "compound index", "4.2.0", "refused", "mongo.createindexes-compound"}, // ttl_index_options.js
		{1, "-1", "4.2.0", "refused", "mongo.createindexes-seconds-negative"},
		{2, "collMod: an ordinary index becomes a TTL index", "5.0.31", "refused", "mongo.collmod-no-ttl"},
		{2, "collMod: an ordinary index becomes a TTL index", "5.1.0", "accepted", ""}, // coll_mod_convert_to_ttl.js
	} {
		i := slices.Index(book.suite.Releases(conformance.MongoDB), tt.release)
		if i < 0 {
			t.Errorf("no release %s", tt.release)
			continue
		}
		got := feature(t, tt.table, tt.name).outcomes[i]
		if got.Word != tt.word || tt.rule != "" && (got.Rule == nil || got.Rule.ID() != tt.rule) {
			t.Errorf("%s in %s: %s by %v, want %s by %s", tt.name, tt.release, got.Word, got.Rule, tt.word, tt.rule)
		}
	}
}

// TestFeaturesAreWhole: every row has a vector for the newest release and for each of its
// cells, and spans all columns. Within a column no row has two outcomes.
func TestFeaturesAreWhole(t *testing.T) {
	all := releases.List(book.suite.Releases(conformance.MongoDB))
	lines := map[string]bool{}
	for _, release := range all {
		lines[releases.LineOf(release)] = true
	}
	for _, table := range book.Features {
		shown := map[string]bool{}
		for _, c := range table.Columns {
			shown[c.Line] = true
		}
		if len(table.Features) < 5 || !maps.Equal(shown, lines) {
			t.Errorf("%q has %d rows and the lines of releases %v", table.Title, len(table.Features), shown)
		}
		for _, f := range table.Features {
			spanned := 0
			for _, r := range f.Stretches {
				spanned += r.Columns
			}
			if spanned != len(table.Columns) || f.outcomes[len(all)-1].Word == absent {
				t.Errorf("%s spans %d of %d columns, and in the newest release it is %q", f.Name, spanned, len(table.Columns), f.outcomes[len(all)-1].Word)
			}
			for _, id := range f.Vectors {
				if book.cases[id] == nil {
					t.Errorf("%s: no vector %s", f.Name, id)
				}
			}
			for i, c := range table.Columns {
				last := len(all)
				if i+1 < len(table.Columns) {
					last = table.Columns[i+1].first
				}
				if n := len(slices.Compact(slices.Clone(f.outcomes[c.first:last]))); n != 1 {
					t.Errorf("%s changes within %s %s", f.Name, c.Line, c.Patches)
				}
			}
		}
	}
}

// TestMatrix: the container's default and the item's own ttl decide about an item as the
// table of Microsoft's page says.
func TestMatrix(t *testing.T) {
	want := [][]string{
		{"never cosmos.off", "never cosmos.off", "never cosmos.off"},
		{"never cosmos.no-default", "never cosmos.item-never", "after 60 s cosmos.item"},
		{"after 3600 s cosmos.default", "never cosmos.item-never", "after 60 s cosmos.item"},
	}
	rows := book.Engines[2].Matrix
	if len(rows) != len(want) || book.Engines[0].Matrix != nil {
		t.Fatalf("%d rows of Cosmos DB and %d of MongoDB, want 3 and none", len(rows), len(book.Engines[0].Matrix))
	}
	for i, row := range rows {
		for j, c := range row.Cells {
			if got := c.Word + " " + c.Rule.ID(); got != want[i][j] || c.Sentence == "" {
				t.Errorf("%s, %s: %s (%q), want %s", row.Default, book.Engines[2].MatrixHead()[j], got, c.Sentence, want[i][j])
			}
		}
	}
}
