package gates

import (
	"errors"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/importer"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func Example() {
	for _, run := range []func() error{decideByIndex, decideByContainer} {
		if err := run(); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// expired at 2023-11-14T23:13:20.000Z by mongo.date
	// expired at 2023-11-14T22:14:20.000Z by cosmos.item
}

func decideByIndex() error {
	// README.md: begin
	profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4}) // the release that you run
	if err != nil {
		return err
	}
	sessions, err := mongo.CompileCollection(mongo.CollectionSpec{
		Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", 3600)},
	}, profile)
	if err != nil {
		return err
	}
	session := policy.Map{"_id": "a", "createdAt": time.UnixMilli(1_700_000_000_000)}
	d := sessions.Decide(session, policy.Instant(1_700_003_600_000))
	fmt.Println(d)
	// README.md: end

	store := map[string]map[string]any{"a": session, "b": {"createdAt": time.UnixMilli(1_700_000_000_001)}, "c": {"createdAt": "2023"}}
	now := policy.Instant(1_700_003_600_000)
	// README.md: begin
	maps.DeleteFunc(store, func(_ string, doc map[string]any) bool {
		return sessions.Decide(policy.Map(doc), now).State == policy.Expired
	})
	// README.md: end
	if len(store) != 2 || store["a"] != nil {
		return fmt.Errorf("after the sweep the store holds %v", store)
	}

	if n := testing.AllocsPerRun(100, func() { d = sessions.Decide(session, 0) }); n != 0 {
		return fmt.Errorf("Decide allocates %v times, and README.md says it does not", n)
	}
	return nil
}

func decideByContainer() error {
	// README.md: begin
	spec, err := cosmos.ParseListedContainer([]byte(`{"id": "carts", "defaultTtl": 3600}`))
	if err != nil {
		return err
	}
	carts, err := cosmos.CompileContainer(spec)
	if err != nil {
		return err
	}
	d := carts.DecideJSON([]byte(`{"id": "a", "_ts": 1700000000, "ttl": 60}`), policy.Instant(1_700_000_060_000))
	fmt.Println(d)
	// README.md: end
	return nil
}

// TestPagesShowTheirExamples: the code on a page is compiled, and run by tests.
func TestPagesShowTheirExamples(t *testing.T) {
	for source, page := range map[string]string{folder + "readme_test.go": "README.md", folder + "readme_stores_test.go": "README.md", folder + "embedding_store_test.go": "docs/implementing.md",
		folder + "embedding_map_test.go": "docs/implementing.md", folder + "embedding_catalog_test.go": "docs/implementing.md", "conformance/lab/oracle/driver/definitions_test.go": "docs/implementing.md"} {
		parts := strings.Split(readFile(t, source), "// "+page+": begin\n")
		if len(parts) == 1 {
			t.Fatalf("%s has no part to show", source)
		}
		for _, part := range parts[1:] {
			part, _, _ = strings.Cut(part, "// "+page+": end\n")
			tabs := len(part) - len(strings.TrimLeft(part, "\t"))
			if want := strings.TrimSpace(unindented(part, tabs)); !strings.Contains(readFile(t, page), "```go\n"+want+"\n") {
				t.Errorf("%s does not show this:\n%s", page, want)
			}
		}
	}
}

// TestImplementingShowsTheStoreOfSweep: docs/implementing.md shows the whole file of the
// store in the example of package sweep.
func TestImplementingShowsTheStoreOfSweep(t *testing.T) {
	const page = "docs/implementing.md"
	_, store, ok := strings.Cut(readFile(t, "policy/sweep/example_test.go"), "// A memoryStore")
	store, _, isEnd := strings.Cut(store, "\n// limiter")
	if !ok || !isEnd || !strings.Contains(readFile(t, page), "```go\n// A memoryStore"+store+"```\n") {
		t.Errorf("%s does not show this:\n// A memoryStore%s", page, store)
	}
}

// unindented removes the given number of tabs from the start of each line.
func unindented(code string, tabs int) string {
	return strings.ReplaceAll("\n"+code, "\n"+strings.Repeat("\t", tabs), "\n")
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPackagesBeginWithCode: the documentation of each package shows code within its
// first lines, and the first block of code has at most sixteen lines.
func TestPackagesBeginWithCode(t *testing.T) {
	for _, dir := range public {
		text := packageComment(t, dir)
		at := regexp.MustCompile(`(?m)^\t`).FindStringIndex(text)
		if at == nil || strings.Count(text[:at[0]], "\n") > 7 {
			t.Errorf("%s: no code within the first lines of its documentation", dir)
			continue
		}
		if n := strings.Count(codeBlocks(text)[0], "\n"); n > 16 {
			t.Errorf("%s: its documentation begins with %d lines of code, want at most 16", dir, n)
		}
	}
}

// TestPagesNameTheAlias: pages for programs that use the driver say how to import package
// mongo beside that of the driver.
func TestPagesNameTheAlias(t *testing.T) {
	for _, page := range []string{"README.md", "docs/api.md", "docs/implementing.md", "mongo/doc.go"} {
		if !strings.Contains(readFile(t, page), "ttlmongo") {
			t.Errorf("%s does not name ttlmongo", page)
		}
	}
}

// TestPackagesShowCodeThatCompiles: the Go code in the documentation of each public package
// compiles, once its imports and the reader's own variables, such as a document, are added.
func TestPackagesShowCodeThatCompiles(t *testing.T) {
	fset := token.NewFileSet()
	imports := exportedImporter(t, fset)
	checked := 0
	for _, dir := range public {
		for i, block := range codeBlocks(packageComment(t, dir)) {
			file := goBlock(fset, block)
			if file == nil {
				continue // a table, or text
			}
			checked++
			for _, fault := range blockFaults(fset, imports, file) {
				t.Errorf("%s, block %d of its documentation: %s\n%s", dir, i+1, fault, block)
			}
		}
	}
	if checked < 8 {
		t.Errorf("%d blocks of code were read, want more", checked)
	}
}

// packageComment returns the documentation of a package.
func packageComment(t *testing.T, dir string) (text string) {
	t.Helper()
	for _, name := range goFiles(t, dir) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		text += file.Doc.Text()
	}
	return text
}

// codeBlocks returns the indented parts of a comment.
func codeBlocks(text string) (blocks []string) {
	for _, part := range new(comment.Parser).Parse(text).Content {
		if code, ok := part.(*comment.Code); ok {
			blocks = append(blocks, code.Text)
		}
	}
	return blocks
}

// shownImports are the packages of the standard library that shown code uses.
var shownImports = []string{"context", "errors", "fmt", "log", "testing", "time"}

// goBlock parses declarations or statements, with their imports. It returns nil for any
// other text.
func goBlock(fset *token.FileSet, block string) *ast.File {
	paths := map[string]string{}
	for _, p := range shownImports {
		paths[p] = p
	}
	for _, dir := range public {
		paths[path.Base(dir)] = module + dir
	}
	for _, body := range []string{block, "func _() {\n" + block + "\n}"} {
		file, err := parser.ParseFile(fset, "", "package p\n"+body, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		used := map[string]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := selector.X.(*ast.Ident); ok && paths[x.Name] != "" {
					used[paths[x.Name]] = true
				}
			}
			return true
		})
		head := "package p\n"
		for _, p := range slices.Sorted(maps.Keys(used)) {
			head += "import " + strconv.Quote(p) + "\n"
		}
		file, _ = parser.ParseFile(fset, "", head+body, parser.SkipObjectResolution)
		return file
	}
	return nil
}

// fromReader matches faults that shown code may have, because its reader declares or uses
// further variables.
var fromReader = regexp.MustCompile(`^undefined: [a-z]\w*$|^declared and not used: `)

// blockFaults returns the faults that keep shown code from compiling.
func blockFaults(fset *token.FileSet, imports gotypes.Importer, file *ast.File) (faults []string) {
	config := gotypes.Config{Importer: imports, Error: func(err error) {
		var fault gotypes.Error
		if errors.As(err, &fault) && !fromReader.MatchString(fault.Msg) {
			faults = append(faults, fault.Msg)
		}
	}}
	_, _ = config.Check("p", fset, []*ast.File{file}, nil) // each fault was reported
	return faults
}

// exportData returns the files of the compiler's export data, by import path, of the
// packages of the root module and of what they import.
var exportData = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./..."}, shownImports...)...).Output()
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return files, err
})

// exportedImporter imports the packages of [exportData].
func exportedImporter(t *testing.T, fset *token.FileSet) gotypes.Importer {
	t.Helper()
	files, err := exportData()
	if err != nil {
		t.Fatal(err)
	}
	return importer.ForCompiler(fset, "gc", func(name string) (io.ReadCloser, error) { return os.Open(files[name]) })
}

func TestBlockFaults(t *testing.T) {
	fset := token.NewFileSet()
	imports := exportedImporter(t, fset)
	for block, want := range map[string]int{
		"profile, err := mongo.ProfileOf(mongo.Latest())":                  0,
		"d := sessions.Decide(doc, policy.InstantOf(time.Now()))":          0,
		"profile := mongo.ProfileOf(mongo.Latest())":                       1,
		"profile, err := mongo.ProfileOf()":                                1,
		"x := mongo.NoSuchName":                                            1,
		"func TestX(t *testing.T) {\n\tconformtest.Test(t, mySystem{})\n}": 0,
	} {
		file := goBlock(fset, block)
		if file == nil {
			t.Errorf("%q is not parsed", block)
			continue
		}
		if got := blockFaults(fset, imports, file); len(got) != want {
			t.Errorf("blockFaults(%q) = %q, want %d", block, got, want)
		}
	}
	if goBlock(fset, "item \\ container   absent   -1") != nil {
		t.Error("a table is taken for code")
	}
}
