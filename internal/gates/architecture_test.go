package gates

import (
	"os/exec"
	"strings"
	"testing"
)

// TestArchitectureNamesEveryPackage: docs/architecture.md has a row for each folder with
// Go code; the row of cmd/internal/tools/… names its programs.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	page := readFile(t, "docs/architecture.md")
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}", "./...", "./cmd/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) < 40 {
		t.Fatalf("%d packages, want more", len(packages))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p, module)
		tool, isTool := strings.CutPrefix(name, "cmd/internal/tools/")
		switch {
		case name+"/" == module:
		case isTool && strings.Contains(page, " "+tool+",") || isTool && strings.Contains(page, " "+tool+" |"):
		case !strings.Contains(page, "`"+name+"`"):
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
}
