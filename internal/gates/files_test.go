package gates

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layered are the packages whose files use each other in one direction only. So a file
// can be read, and moved to another package, with only the files before it.
var layered = []string{"internal/mongo/behaviour", "internal/mongo/catalog", "internal/mongo/codes", "internal/mongo/compiled", "internal/mongo/drawn",
	"internal/mongo/fieldpath", "internal/mongo/filter", "internal/mongo/rules", "internal/mongo/value", "mongo", "mongo/command"}

// An arrow leads from a file to another file of its package that declares a name that the
// first file uses: a type, a function, a variable or a constant, a field or a method.
type arrow struct{ from, to string }

// arrowsOf returns the arrows between the files of a package, each with the names that are
// used.
func arrowsOf(t *testing.T, fset *token.FileSet, imports gotypes.Importer, sources map[string]string) map[arrow][]string {
	t.Helper()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		file, err := parser.ParseFile(fset, name, sources[name], parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &gotypes.Info{Uses: map[*ast.Ident]gotypes.Object{}}
	config := gotypes.Config{Importer: imports}
	pkg, err := config.Check("p", fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	arrows := map[arrow][]string{}
	for id, used := range info.Uses {
		v, isVar := used.(*gotypes.Var)
		_, isPackage := used.(*gotypes.PkgName)
		isLocal := isVar && !v.IsField() && used.Parent() != pkg.Scope()
		if used.Pkg() != pkg || isPackage || isLocal {
			continue
		}
		a := arrow{path.Base(fset.File(id.Pos()).Name()), path.Base(fset.File(used.Pos()).Name())}
		if a.from != a.to && !slices.Contains(arrows[a], id.Name) {
			arrows[a] = append(arrows[a], id.Name)
		}
	}
	return arrows
}

// cycles returns the files that use each other, directly or through others: one text for
// each arrow among them.
func cycles(arrows map[arrow][]string) (faults []string) {
	reaches := map[arrow]bool{}
	for a := range arrows {
		reaches[a] = true
	}
	for grown := true; grown; {
		grown = false
		for r := range maps.Clone(reaches) {
			for a := range arrows {
				if further := (arrow{r.from, a.to}); a.from == r.to && !reaches[further] {
					reaches[further], grown = true, true
				}
			}
		}
	}
	for a, names := range arrows {
		if reaches[arrow{a.to, a.from}] {
			slices.Sort(names)
			faults = append(faults, fmt.Sprintf("%s uses %s of %s, which uses it too, directly or through other files", a.from, strings.Join(names, ", "), a.to))
		}
	}
	slices.Sort(faults)
	return faults
}

// fileGroup matches a line of the list of files at the end of a doc.go: patterns of names
// without .go, then spaces and the contents of these files.
var fileGroup = regexp.MustCompile(`(?m)^//\t(\S+(?: \S+)*)   *\S`)

// groupsOf returns the patterns of the list, one line after another; nil without a list.
func groupsOf(doc string) (groups [][]string) {
	_, list, ok := strings.Cut(doc, "\n// The files. None uses a file that is listed after it")
	if !ok {
		return nil
	}
	for _, line := range fileGroup.FindAllStringSubmatch(list, -1) {
		groups = append(groups, strings.Fields(line[1]))
	}
	return groups
}

// misplaced returns the files that are in no group, and the arrows that lead to a file in
// a later group.
func misplaced(groups [][]string, files []string, arrows map[arrow][]string) (faults []string) {
	groupOf := func(file string) int {
		return slices.IndexFunc(groups, func(patterns []string) bool {
			return slices.ContainsFunc(patterns, func(pattern string) bool {
				ok, _ := path.Match(pattern+".go", file)
				return ok
			})
		})
	}
	for _, file := range files {
		if file != "doc.go" && groupOf(file) < 0 {
			faults = append(faults, file+" is not in the list of files in doc.go")
		}
	}
	for a, names := range arrows {
		if groupOf(a.to) > groupOf(a.from) {
			slices.Sort(names)
			faults = append(faults, fmt.Sprintf("%s uses %s of %s, which doc.go lists after it", a.from, strings.Join(names, ", "), a.to))
		}
	}
	slices.Sort(faults)
	return faults
}

// TestFilesUseEachOtherOneWay: in a layered package no file uses a file that uses it, or
// a file that doc.go lists after it.
func TestFilesUseEachOtherOneWay(t *testing.T) {
	fset := token.NewFileSet()
	imports := exportedImporter(t, fset)
	all, listed := 0, 0
	for _, dir := range layered {
		sources, doc := map[string]string{}, ""
		for _, file := range goFiles(t, dir) {
			sources[file] = readFile(t, file)
			if path.Base(file) == "doc.go" {
				doc = sources[file]
			}
		}
		arrows := arrowsOf(t, fset, imports, sources)
		all += len(arrows)
		faults := cycles(arrows)
		if groups := groupsOf(doc); groups != nil {
			listed++
			var files []string
			for file := range sources {
				files = append(files, path.Base(file))
			}
			faults = append(faults, misplaced(groups, files, arrows)...)
		}
		for _, fault := range faults {
			t.Errorf("%s: %s", dir, fault)
		}
	}
	if all < 150 || listed != 2 {
		t.Errorf("%d arrows and %d lists of files were found, want more arrows, and the lists of mongo and mongo/command", all, listed)
	}
}

// TestLayeredAreAll: layered lists every package in the folders mongo and internal/mongo.
func TestLayeredAreAll(t *testing.T) {
	var want []string
	for _, pattern := range []string{"mongo/*.go", "mongo/*/*.go", "internal/mongo/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			want = append(want, path.Dir(filepath.ToSlash(file)))
		}
	}
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(layered, want) {
		t.Errorf("layered is %q, want %q", layered, want)
	}
}

func TestFileFaults(t *testing.T) {
	fset := token.NewFileSet()
	const list = "package p\n\n// The files. None uses a file that is listed after it:\n//\n//\ta b   first\n//\tc*    second\n"
	for _, tt := range []struct {
		why     string
		sources map[string]string
		want    []string
	}{
		{"one way", map[string]string{"a.go": "type t struct{ f int }", "c.go": "func g(x t) int { return x.f }"}, nil},
		{"within a group", map[string]string{"a.go": "const k = 1", "b.go": "var v = k"}, nil},
		{"each other", map[string]string{"a.go": "func f() { g() }", "b.go": "func g() { f() }"},
			[]string{"a.go uses g of b.go, which uses it too, directly or through other files", "b.go uses f of a.go, which uses it too, directly or through other files"}},
		{"by way of a method", map[string]string{"a.go": "type t int", "b.go": "func (t) m() {}", "c.go": "func f(x t) { x.m() }"}, nil},
		{"a method and its type", map[string]string{"a.go": "type t int\nfunc f(x t) { x.m() }", "b.go": "func (t) m() {}"},
			[]string{"a.go uses m of b.go, which uses it too, directly or through other files", "b.go uses t of a.go, which uses it too, directly or through other files"}},
		{"three", map[string]string{"a.go": "var x = y", "b.go": "var y = func() int { return z }", "c.go": "func f() any { return x }\nvar z = 1"},
			[]string{"a.go uses y of b.go, which uses it too, directly or through other files", "b.go uses z of c.go, which doc.go lists after it",
				"b.go uses z of c.go, which uses it too, directly or through other files", "c.go uses x of a.go, which uses it too, directly or through other files"}},
		{"upward", map[string]string{"a.go": "var x = y", "c1.go": "var y = 1"}, []string{"a.go uses y of c1.go, which doc.go lists after it"}},
		{"in no group", map[string]string{"d.go": ""}, []string{"d.go is not in the list of files in doc.go"}},
	} {
		sources := map[string]string{}
		for name, text := range tt.sources {
			sources[name] = "package p\n" + text
		}
		arrows := arrowsOf(t, fset, nil, sources)
		got := append(cycles(arrows), misplaced(groupsOf(list), slices.Sorted(maps.Keys(sources)), arrows)...)
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: faults %q, want %q", tt.why, got, tt.want)
		}
	}
}
