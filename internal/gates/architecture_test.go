package gates

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestArchitectureNamesEveryPackage: docs/architecture.md has a row for each folder with
// Go code; the row of cmd/internal/tools/… names its programs.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	page := readFile(t, "docs/architecture.md")
	packages := slices.Sorted(maps.Keys(importsOf(t)))
	if len(packages) < 40 {
		t.Fatalf("%d packages, want more", len(packages))
	}
	for _, name := range packages {
		tool, isTool := strings.CutPrefix(name, "cmd/internal/tools/")
		switch {
		case isTool && strings.Contains(page, " "+tool+",") || isTool && strings.Contains(page, " "+tool+" |"):
		case !strings.Contains(page, "`"+name+"`"):
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
}
