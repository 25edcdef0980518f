package gates

import (
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// testsAlone are the packages of the root module that hold tests and no code.
var testsAlone = []string{"internal/gates", "internal/independent"}

// mostBytes is the size that the files of the root module may have together. Whoever
// imports the library downloads them all.
const mostBytes = 6_000_000

// TestRootIsTheLibrary: the public packages, or the tests of the root module, reach each of
// its packages. Code that serves only the tool, the pages or the lab lies in their modules.
func TestRootIsTheLibrary(t *testing.T) {
	roots := make([]string, 0, len(public)+len(testsAlone))
	for _, name := range slices.Concat(public, testsAlone) {
		roots = append(roots, "./"+name)
	}
	reached := map[string]bool{}
	for _, line := range goList(t, append([]string{"-deps", "-test", "-f", "{{.ImportPath}}"}, roots...)...) {
		name, _, _ := strings.Cut(line, " ") // a variant for a test follows the name
		reached[name] = true
	}
	all := goList(t, "-f", "{{.ImportPath}}", "./...")
	if len(all) < 30 || len(reached) < 100 {
		t.Fatalf("%d packages, and %d are reached; want more", len(all), len(reached))
	}
	for _, name := range all {
		if !reached[name] {
			t.Errorf("%s is in the root module, and neither the public packages nor tests use it", name)
		}
	}
	for _, name := range testsAlone {
		if files := goList(t, "-f", `{{join .GoFiles " "}}`, "./"+name); !slices.Equal(files, []string{"doc.go"}) {
			t.Errorf("%s holds %q, want doc.go and tests", name, files)
		}
	}
}

// goList returns the lines that go list prints.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %q: %v", args, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestRootIsSmall: the files of the root module, which are those of the checkout outside its
// nested modules, have at most mostBytes.
func TestRootIsSmall(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("git ls-files: %v", err) // not a checkout
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	nested := map[string]bool{}
	for _, name := range files {
		if path.Base(name) == "go.mod" && name != "go.mod" {
			nested[path.Dir(name)] = true
		}
	}
	inNested := func(name string) bool {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if nested[dir] {
				return true
			}
		}
		return false
	}
	total, folders := int64(0), map[string]int64{}
	for _, name := range files {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || inNested(name) {
			continue // removed and not yet committed, or not in the module
		}
		total += info.Size()
		first, rest, _ := strings.Cut(name, "/")
		second, _, _ := strings.Cut(rest, "/")
		folders[path.Join(first, second)] += info.Size()
	}
	t.Logf("%d bytes outside %d nested modules", total, len(nested))
	if total > mostBytes || total < mostBytes/3 {
		t.Errorf("the root module has %d bytes, want at most %d, and not next to nothing; by folder: %v", total, mostBytes, folders)
	}
}
