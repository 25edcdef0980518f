package gates

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A rule is told in at most mostPlaces places: its entry in the catalogue, its record, the
// suite, and one test beside the code that decides by it. Only these must be written for a
// new rule.
//
// The suite is one place: vectors, rule sets, boundaries and mutants are checked against
// each other, and none of them is complete without the others.
const mostPlaces = 4

// scattered is how many rules are told in more, because several tests of their engine need
// them: the ordinary answers, to which most tests come, and rules of two kinds of
// collections. A change may lower the number. It was raised once, by one: the records name the
// example of a rule that decides no vector by itself.
const scattered = 52

// Any other file quotes a rule: a page links to it, a test of a program or an example
// compares an answer with it. No quotation changes with its rule, because an identifier is
// permanent. But a file that quotes many rules may be a table that every new rule needs. So
// only these quote more than mostQuoted.
const mostQuoted = 20

var quoting = map[string]string{
	"cmd/internal/judging/audit/collection_test.go": "what the audit says of each hazard",
	"cmd/internal/tools/matrix/matrix_test.go":      "what was seen of other implementations without the suite",
	"internal/suite/reference/mongo_test.go":        "answers of the reference, worked out by hand",
}

var identifier = regexp.MustCompile(`\b(?:mongo|cosmos)\.[a-z0-9]+(?:-[a-z0-9]+)*`)

// placeOf returns the place where a file tells the rules that it names, "" if it quotes
// them.
func placeOf(name string) string {
	in := func(folders ...string) bool {
		return slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(name, folder) })
	}
	switch {
	case in("testdata/", "internal/suite/mutants/") || name == "internal/suite/properties/properties.json":
		return "the suite"
	case in("mongo/example_", "cosmos/example_"):
		return ""
	case in("mongo/", "cosmos/", "internal/records/"):
		return name
	}
	return ""
}

// spread is how many rules stand in more than mostPlaces files, quotations counted. A change
// may lower the number. The examples in the records raised it by four.
const spread = 242

// named returns the rules that each hand-written file names.
func named(t *testing.T) map[string][]string {
	t.Helper()
	byFile := map[string][]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isGenerated(name):
			return fs.SkipDir
		case entry.IsDir() || isGenerated(name) || !slices.Contains([]string{".go", ".json", ".md", ".py", ".js", ".mjs", ".tsv", ".html", ".tmpl"}, path.Ext(name)):
			return nil
		}
		ids := identifier.FindAllString(readFile(t, name), -1)
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			if isRule(id) {
				byFile[name] = append(byFile[name], id)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return byFile
}

func isRule(id string) bool {
	_, isMongo := mongo.RuleByID(id)
	_, isCosmos := cosmos.RuleByID(id)
	return isMongo || isCosmos
}

// TestPlacesOfRules counts the places in which each rule is told.
func TestPlacesOfRules(t *testing.T) {
	places, files, long := map[string]map[string]bool{}, map[string]int{}, map[string]int{}
	for name, ids := range named(t) {
		place := placeOf(name)
		isPage := slices.Contains([]string{".md", ".tsv", ".html", ".tmpl"}, path.Ext(name))
		if place == "" && !isPage && len(ids) > mostQuoted {
			long[name] = len(ids)
		}
		for _, id := range ids {
			files[id]++
			if places[id] == nil {
				places[id] = map[string]bool{}
			}
			if place != "" {
				places[id][place] = true
			}
		}
	}
	for r := range mongo.Rules() {
		if len(places[r.ID]) == 0 {
			t.Errorf("%s is told nowhere", r.ID)
		}
	}
	for r := range cosmos.Rules() {
		if len(places[r.ID]) == 0 {
			t.Errorf("%s is told nowhere", r.ID)
		}
	}
	inMany := 0
	for _, n := range files {
		if n > mostPlaces {
			inMany++
		}
	}
	switch {
	case inMany > spread:
		t.Errorf("%d rules stand in more than %d files, want at most %d", inMany, mostPlaces, spread)
	case inMany < spread:
		t.Logf("lower spread to %d", inMany)
	}
	var many []string
	for _, id := range slices.Sorted(maps.Keys(places)) {
		if len(places[id]) > mostPlaces {
			many = append(many, id)
			t.Logf("%s is told in %q", id, slices.Sorted(maps.Keys(places[id])))
		}
	}
	switch n := len(many); {
	case n > scattered:
		t.Errorf("%d rules are told in more than %d places, want at most %d: %s", n, mostPlaces, scattered, strings.Join(many, ", "))
	case n < scattered:
		t.Logf("lower scattered to %d", n)
	}
	for _, name := range slices.Sorted(maps.Keys(long)) {
		if quoting[name] == "" {
			t.Errorf("%s names %d rules, want at most %d: can it do without a table of rules?", name, long[name], mostQuoted)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(quoting)) {
		if long[name] == 0 {
			t.Errorf("%s does not name more than %d rules: take it from quoting", name, mostQuoted)
		}
	}
}

// isGenerated reports whether a file or a folder is written by a program, or by others.
func isGenerated(name string) bool {
	return path.Base(name) == "node_modules" || slices.Contains([]string{".git", ".ci/out", "docs/rules", "docs/results", "docs/mutants.md", "docs/api.md",
		"docs/playground/dist", "CHANGELOG.md", "internal/reasons/texts.json", versionsFile}, name)
}
