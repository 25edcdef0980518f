package gates

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// public are the packages that other modules are meant to import, in the order of
// docs/api.txt. The promise of docs/releasing.md holds for their names, except for the
// packages of v0, and for experimental names: those whose doc comment, or that of their type
// or package, has a paragraph that begins with "Experimental:".
var public = []string{"policy", "policy/sweep", "mongo", "mongo/command", "cosmos",
	"conformance", "conformance/protocol", "conformance/conformtest"}

// v0 are the public packages whose names a minor release may change.
var v0 = []string{"conformance", "conformance/protocol", "conformance/conformtest"}

// mostStable is the maximum number of promised names. Users may have to learn each of
// them, and v1 cannot take them back.
const mostStable = 358

// experimental ends the line of a name that the project does not promise to keep.
const experimental = " // experimental"

// qualified matches an exported name with its package, and perhaps a member.
var qualified = regexp.MustCompile(`\b(policy|sweep|mongo|command|cosmos|conformance|protocol|conformtest)\.[A-Z]\w*(\.[A-Z]\w*)?`)

// isExperimental reports whether a doc comment has a paragraph that begins with
// "Experimental:".
func isExperimental(comment string) bool {
	return strings.HasPrefix(comment, "Experimental:") || strings.Contains(comment, "\n\nExperimental:")
}

// TestAPIIsListed: a new exported name is a decision, which shows in the diff of
// docs/api.txt. -update writes that file.
func TestAPIIsListed(t *testing.T) {
	const list = "docs/api.txt"
	var counts, names strings.Builder
	total, stable := 0, 0
	for _, dir := range public {
		lines, promised := read(t, dir).lines, 0
		for _, line := range lines {
			if !strings.HasSuffix(line, experimental) && !slices.Contains(v0, dir) {
				promised++
			}
			fmt.Fprintf(&names, "%s: %s\n", dir, line)
		}
		fmt.Fprintf(&counts, "# %-24s %5d %7d\n", dir, len(lines), promised)
		total, stable = total+len(lines), stable+promised
	}
	if stable > mostStable {
		t.Errorf("%d names are stable, want at most %d: is a new one for everybody, or experimental, or internal?", stable, mostStable)
	}
	got := "# The exported names of each package: constants, variables, functions, types with\n" +
		"# their fields and methods. Written by: go test ./internal/gates -run API -update\n#\n" +
		fmt.Sprintf("# %-24s %5s %7s\n", "package", "names", "stable") +
		counts.String() + fmt.Sprintf("# %-24s %5d %7d\n\n", "all", total, stable) + names.String()
	if *update {
		if err := os.WriteFile(list, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(readFile(t, list), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the exported names (-%s +code); go test ./internal/gates -run API -update writes them:\n%s", list, diff)
	}
}

// TestAPIListsEveryPackage: every package that other modules can import is in public.
func TestAPIListsEveryPackage(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.Name}} {{.ImportPath}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, match := range regexp.MustCompile(`(?m)^(\w+) `+module+`(\S+)$`).FindAllStringSubmatch(string(out), -1) {
		if match[1] != "main" && !slices.Contains(strings.Split(match[2], "/"), "internal") {
			got = append(got, match[2])
		}
	}
	want := slices.Clone(public)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the packages that can be imported (-public +go list):\n%s", diff)
	}
}

// read returns the lines of docs/api.txt about a package, sorted.
func read(t *testing.T, dir string) *apiPrinter {
	t.Helper()
	p := &apiPrinter{fset: token.NewFileSet()}
	var files []*ast.File
	for _, name := range goFiles(t, dir) {
		if ok, err := build.Default.MatchFile(dir, path.Base(name)); err != nil || !ok {
			continue
		}
		file, err := parser.ParseFile(p.fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(p.fset, files, module+dir)
	if err != nil {
		t.Fatal(err)
	}
	p.all = isExperimental(pkg.Doc)
	p.addValues("const", pkg.Consts)
	p.addValues("var", pkg.Vars)
	p.addFuncs(pkg.Funcs)
	p.silent = nil // the documentation of the package covers these names
	for _, x := range pkg.Types {
		p.all = isExperimental(pkg.Doc) || isExperimental(x.Doc)
		p.addValues("const", x.Consts)
		p.addValues("var", x.Vars)
		p.addFuncs(x.Funcs)
		p.addFuncs(x.Methods)
		p.addType(x.Decl.Specs[0].(*ast.TypeSpec))
	}
	slices.Sort(p.lines)
	if isExperimental(pkg.Doc) {
		p.silent = nil
	}
	return p
}

// An apiPrinter collects the lines of docs/api.txt.
type apiPrinter struct {
	fset   *token.FileSet
	all    bool // all names that follow are experimental
	lines  []string
	silent []string // names of an experimental type whose own documentation does not say so
}

// hear adds what, the name of a member of an experimental type, to p.silent, unless the
// member's own comment says that it is experimental.
func (p *apiPrinter) hear(what, comment string) {
	if p.all && !isExperimental(comment) {
		p.silent = append(p.silent, what)
	}
}

func (p *apiPrinter) add(format string, args ...any) {
	p.addLine(fmt.Sprintf(format, args...), false)
}

func (p *apiPrinter) addLine(line string, isExperimental bool) {
	if p.all || isExperimental {
		line += experimental
	}
	p.lines = append(p.lines, line)
}

// source returns the source text of a node on one line.
func (p *apiPrinter) source(node any) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, p.fset, node); err != nil {
		panic(err) // a node that was just parsed
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (p *apiPrinter) addValues(kind string, groups []*doc.Value) {
	for _, group := range groups {
		p.hear(kind+" "+strings.Join(group.Names, ", "), group.Doc)
		var last ast.Expr // the last expression, which a constant without its own repeats
		for _, spec := range group.Decl.Specs {
			spec := spec.(*ast.ValueSpec)
			if spec.Type != nil || len(spec.Values) > 0 {
				last = spec.Type
			}
			for _, name := range spec.Names {
				switch {
				case !name.IsExported():
				case last != nil:
					p.add("%s %s %s", kind, name.Name, p.source(last))
				default:
					p.add("%s %s", kind, name.Name)
				}
			}
		}
	}
}

func (p *apiPrinter) addFuncs(funcs []*doc.Func) {
	for _, f := range funcs {
		decl := *f.Decl
		decl.Doc, decl.Body = nil, nil
		p.hear(p.source(&decl), f.Doc)
		p.addLine(p.source(&decl), isExperimental(f.Doc))
	}
}

func (p *apiPrinter) addType(spec *ast.TypeSpec) {
	name := spec.Name.Name
	switch x := spec.Type.(type) {
	case *ast.StructType:
		p.add("type %s struct", name)
		p.addMembers("field", name, x.Fields)
	case *ast.InterfaceType:
		p.add("type %s interface", name)
		p.addMembers("method", name, x.Methods)
	default:
		p.add("type %s %s", name, p.source(x))
	}
}

// addMembers adds fields or methods. An embedded field has the name of its type.
func (p *apiPrinter) addMembers(kind, of string, members *ast.FieldList) {
	for _, m := range members.List {
		if len(m.Names) == 0 {
			p.add("%s %s: %s", kind, of, p.source(m.Type))
		}
		for _, name := range m.Names {
			p.addLine(fmt.Sprintf("%s %s.%s %s", kind, of, name.Name, strings.TrimPrefix(p.source(m.Type), "func")), isExperimental(m.Doc.Text()))
		}
	}
}

// TestExperimentalIsSaid: the methods, functions and groups of constants of an
// experimental type say in their own documentation that they are experimental, because go
// doc shows them without the type. Fields appear within their type.
func TestExperimentalIsSaid(t *testing.T) {
	for _, dir := range public {
		for _, what := range read(t, dir).silent {
			t.Errorf("%s: %s belongs to an experimental type; let its documentation end with \"Experimental: see [T].\"", dir, what)
		}
	}
}

// TestPagesNameNothingExperimental: pages for those who embed the library, and the
// documentation of packages, lead to names that stay.
func TestPagesNameNothingExperimental(t *testing.T) {
	unpromised := exportedNames(t)
	if !unpromised["policy.Fields"] || unpromised["policy.Value"] {
		t.Fatal("of Fields and Value the first alone is experimental")
	}
	for _, page := range []string{"README.md", "docs/api.md", "docs/implementing.md", "docs/adapter.md"} {
		for _, name := range qualified.FindAllString(readFile(t, page), -1) {
			if unpromised[name] {
				t.Errorf("%s names %s, which is experimental", page, name)
			}
		}
	}
	link := regexp.MustCompile(`\[([A-Z]\w*(?:\.[A-Z]\w*)?)\]`)
	for _, dir := range public {
		for _, name := range link.FindAllStringSubmatch(packageComment(t, dir), -1) {
			if unpromised[path.Base(dir)+"."+name[1]] {
				t.Errorf("%s: its documentation names %s, which is experimental", dir, name[1])
			}
		}
	}
}

// TestExported: the list of a package has a line for each kind of exported name, and no
// line for other names.
func TestExported(t *testing.T) {
	dir := t.TempDir()
	const text = `package x
const (
	A Kind = iota
	B
	c
)
const D = 1
var E error
type Kind int
type S struct {
	F, G int
	h    int
	Kind
}
type I interface {
	M(a int) (b error)
	m()
}
type T[K comparable] = map[K]struct {
	X int
}
func N(
	a int,
) {
}
func (s *S) P() Kind { return A }
func (s *S) p() {}
func q() {}

// R is new.
//
// Experimental: it may change.
func R() {}

// Experimental: its members may change.
type V struct{ X int }

func (v V) Y() {}

// Z is new.
//
// Experimental: see [V].
func (v V) Z() {}
`
	if err := os.WriteFile(path.Join(dir, "x.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"const A Kind", "const B Kind", "const D",
		"field S.F int", "field S.G int", "field S: Kind",
		"func (s *S) P() Kind", "func N( a int, )",
		"method I.M (a int) (b error)",
		"type I interface", "type Kind int", "type S struct", "type T map[K]struct { X int }",
		"var E error",
		"func R() // experimental", "func (v V) Y() // experimental", "func (v V) Z() // experimental", "field V.X int // experimental", "type V struct // experimental",
	}
	slices.Sort(want)
	got := read(t, dir)
	if diff := cmp.Diff(want, got.lines); diff != "" {
		t.Errorf("exported (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"func (v V) Y()"}, got.silent); diff != "" {
		t.Errorf("what does not say that it is experimental (-want +got):\n%s", diff)
	}
}

// TestPagesNameWhatExists: a name of the library on a page, such as
// mongo.Collection.Bounds, is exported.
func TestPagesNameWhatExists(t *testing.T) {
	known := exportedNames(t)
	pages, _ := filepath.Glob("docs/*.md")
	found := 0
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md", "CHANGELOG.md") {
		for _, name := range qualified.FindAllString(readFile(t, page), -1) {
			found++
			if _, ok := known[name]; !ok {
				t.Errorf("%s names %s, which is not exported", page, name)
			}
		}
	}
	if found < 50 {
		t.Errorf("%d names found, want more", found)
	}
}

// exportedNames returns the exported names of the public packages, such as
// mongo.Collection.Bounds, and whether each is experimental.
func exportedNames(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, dir := range public {
		for _, line := range read(t, dir).lines {
			if match := exportedName.FindStringSubmatch(line); match != nil {
				name := strings.TrimPrefix(match[1]+"."+match[2], ".")
				all[path.Base(dir)+"."+name] = strings.HasSuffix(line, experimental)
			}
		}
	}
	return all
}

// exportedName matches the name in a line of docs/api.txt, after the type of a method. The
// name of a field begins with its type.
var exportedName = regexp.MustCompile(`^(?:const|var|type|field|method|func(?: \(\w* ?\*?(\w+)(?:\[.*?\])?\))?) ([\w.]+)`)
