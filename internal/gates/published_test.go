package gates

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/published"
)

// repeating are the files that hold the address of the site, because they cannot take it from
// the code.
var repeating = []string{"README.md", "docs/site.md", "docs/site/ttlwasm/npm/README.md", "docs/site/ttlwasm/npm/package.json"}

// TestPublished: the address of the site stands in one place of the code, and that of the
// repository too; the pages and the package that repeat it have the same.
func TestPublished(t *testing.T) {
	files, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(published.Site, "https://"), "/")
	const self = "internal/published/published.go"
	repeat := slices.Clone(repeating)
	for name := range strings.SplitSeq(strings.Trim(string(files), "\x00"), "\x00") {
		if !slices.Contains([]string{".go", ".md", ".js", ".mjs", ".ts", ".json", ".yml", ".html", ".txt"}, path.Ext(name)) || name == self {
			continue
		}
		text := readFile(t, name)
		if strings.Contains(text, host) {
			if !slices.Contains(repeating, name) || strings.Count(text, host) != strings.Count(text, published.Site) {
				t.Errorf("%s has the address of the site by itself; want that of %s", name, self)
			}
			repeat = slices.DeleteFunc(repeat, func(one string) bool { return one == name })
		}
		if path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && strings.Contains(text, `"`+published.Repository) {
			t.Errorf("%s has the address of the repository by itself; want that of %s", name, self)
		}
	}
	if len(repeat) > 0 {
		t.Errorf("%s: the address of the site is not there", repeat)
	}
}
