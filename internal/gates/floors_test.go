package gates

import (
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A place is the place of a package in the drawing of docs/architecture.md: its floor,
// counted from 0 at the bottom, and its box on the floor.
type place struct{ floor, box int }

// drawingOf reads the drawing of a page: a line for each floor, the highest first, with
// boxes of packages between bars. It returns the place of each pattern.
func drawingOf(page string) map[string]place {
	_, rest, _ := strings.Cut(page, "drawing with all imports.\n\n```text\n")
	drawing, _, _ := strings.Cut(rest, "\n```")
	patterns := map[string]place{}
	floors := strings.Split(drawing, "\n")
	for i, floor := range floors {
		for box, names := range strings.Split(floor, "|") {
			for _, name := range strings.Fields(names) {
				patterns[name] = place{len(floors) - i, box}
			}
		}
	}
	return patterns
}

// placeIn returns the place of the longest pattern that matches a package. A pattern is a
// package's name, or a folder with "/…". It reports false if no pattern matches.
func placeIn(patterns map[string]place, name string) (at place, ok bool) {
	if at, ok = patterns[name]; ok {
		return at, true
	}
	for folder := name; ; {
		if at, ok = patterns[folder+"/…"]; ok {
			return at, true
		}
		end := strings.LastIndexByte(folder, '/')
		if end < 0 {
			return at, false
		}
		folder = folder[:end]
	}
}

// upward returns the imports of packages in a higher box or in another box of the same
// height.
func upward(patterns map[string]place, imports map[string][]string) (faults []string) {
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		from, ok := placeIn(patterns, name)
		if !ok {
			faults = append(faults, name+" is not in the drawing")
			continue
		}
		for _, imported := range imports[name] {
			switch to, ok := placeIn(patterns, imported); {
			case !ok:
				faults = append(faults, imported+" is not in the drawing")
			case to.floor > from.floor, to.floor == from.floor && to.box != from.box:
				faults = append(faults, fmt.Sprintf("%s imports %s, which stands above or beside it", name, imported))
			}
		}
	}
	return faults
}

// importsOf returns the imports among the packages of the modules that go.work joins, without
// those of tests.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, dir := range append(foldersOf(t, ".", "cmd", "docs/site", "conformance/examples", "conformance/lab"), "testdata") {
		found, err := build.ImportDir(dir, 0)
		if _, isEmpty := err.(*build.NoGoError); isEmpty || dir == "." {
			continue // the root package has only tests
		}
		if err != nil {
			t.Fatal(err)
		}
		imports[dir] = nil
		for _, imported := range found.Imports {
			if own, ok := strings.CutPrefix(imported, module); ok {
				imports[dir] = append(imports[dir], own)
			}
		}
	}
	return imports
}

// foldersOf returns the folders of the modules in these folders, as the pattern ./... has
// them. It does not ask the go command, which sees no other module without the workspace.
func foldersOf(t *testing.T, modules ...string) (folders []string) {
	t.Helper()
	for _, module := range modules {
		err := filepath.WalkDir(module, func(dir string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			if dir != module {
				_, err := os.Stat(filepath.Join(dir, "go.mod"))
				if name := e.Name(); err == nil || name == "testdata" || name == "node_modules" || name[0] == '.' || name[0] == '_' {
					return filepath.SkipDir
				}
			}
			folders = append(folders, filepath.ToSlash(dir))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folders
}

// TestImportsGoDown: imports go down in the drawing of docs/architecture.md.
func TestImportsGoDown(t *testing.T) {
	patterns, imports := drawingOf(readFile(t, "docs/architecture.md")), importsOf(t)
	if len(patterns) < 20 || len(imports) < 40 {
		t.Fatalf("%d patterns, %d packages; want more", len(patterns), len(imports))
	}
	for _, fault := range upward(patterns, imports) {
		t.Error(fault)
	}
	for name := range patterns {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(imports)), func(p string) bool {
			at, _ := placeIn(map[string]place{name: {1, 1}}, p)
			return at == place{1, 1}
		}) {
			t.Errorf("the drawing names %s, which is no package", name)
		}
	}
}

// TestUpward: imports may only go down or stay in their box.
func TestUpward(t *testing.T) {
	patterns := drawingOf("This is a drawing with all imports.\n\n```text\ndocs/site | b/…\nc d/… | d/e\nf\n```\n")
	tests := []struct {
		name, imported string
		isFault        bool
	}{
		{"docs/site", "c", false}, {"docs/site", "f", false}, {"c", "d/x", false}, {"b/x/y", "d/e", false}, {"d/e", "f", false},
		{"c", "docs/site", true}, {"c", "d/e", true}, {"d/e", "d/x", true}, {"f", "b/x", true}, {"g", "f", true}, {"docs/site", "b", true},
	}
	for _, tt := range tests {
		faults := upward(patterns, map[string][]string{tt.name: {tt.imported}})
		if (len(faults) > 0) != tt.isFault {
			t.Errorf("upward of %s, which imports %s = %q, want a fault: %t", tt.name, tt.imported, faults, tt.isFault)
		}
	}
}
