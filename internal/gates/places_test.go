package gates

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A rule's identifier should stand in at most goodPlaces files that are written by hand:
// its record, what decides by it, its vectors and a test. Today scattered rules stand in
// more. A change may lower that number, and never raise it.
const (
	goodPlaces = 4
	scattered  = 241
)

var identifier = regexp.MustCompile(`\b(?:mongo|cosmos)\.[a-z0-9]+(?:-[a-z0-9]+)*`)

// TestPlacesOfRules counts the files in which each rule is named.
func TestPlacesOfRules(t *testing.T) {
	places := map[string]int{}
	for r := range mongo.Rules() {
		places[r.ID] = 0
	}
	for r := range cosmos.Rules() {
		places[r.ID] = 0
	}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isGenerated(name):
			return fs.SkipDir
		case entry.IsDir() || isGenerated(name) || !slices.Contains([]string{".go", ".json", ".md", ".py", ".js", ".mjs", ".tsv", ".html", ".tmpl"}, path.Ext(name)):
			return nil
		}
		named := identifier.FindAllString(readFile(t, name), -1)
		slices.Sort(named)
		for _, id := range slices.Compact(named) {
			if _, ok := places[id]; ok {
				places[id]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var many []string
	for id, n := range places {
		if n == 0 {
			t.Errorf("%s stands nowhere; the files are not read", id)
		}
		if n > goodPlaces {
			many = append(many, id)
		}
	}
	switch n := len(many); {
	case n > scattered:
		slices.Sort(many)
		t.Errorf("%d rules stand in more than %d files by hand, want at most %d: %s", n, goodPlaces, scattered, strings.Join(many, ", "))
	case n < scattered:
		t.Logf("%d rules stand in more than %d files by hand: lower scattered from %d", n, goodPlaces, scattered)
	}
}

// isGenerated reports whether a file or a folder is written by a program, or by others.
func isGenerated(name string) bool {
	return path.Base(name) == "node_modules" || slices.Contains([]string{".git", ".ci/out", "docs/rules", "docs/results", "docs/mutants.md", "docs/api.md",
		"docs/playground/dist", "CHANGELOG.md"}, name)
}
