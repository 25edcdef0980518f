package gates

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ttlpolicy/ttlpolicy/"

// allowed lists what each pure package may import beyond the standard library.
var allowed = map[string][]string{
	"policy": {module + "internal/base/nojson", module + "internal/base/rawbson", module + "internal/base/decimal128", module + "internal/base/enum", module + "internal/base/private", module + "internal/base/jsontext", module + "internal/base/syntax"},
	"mongo": {module + "policy", module + "internal/base/nojson", module + "internal/mongo/behaviour", module + "internal/mongo/catalog", module + "internal/mongo/codes", module + "internal/mongo/compiled",
		module + "internal/mongo/filter", module + "internal/mongo/fieldpath", module + "internal/mongo/rules", module + "internal/mongo/value",
		module + "internal/valuefunc", module + "internal/base/private", module + "internal/base/rawbson", module + "internal/engine", module + "internal/base/spelling", module + "internal/base/syntax"},
	"mongo/command": {module + "policy", module + "mongo", module + "internal/base/private", module + "internal/mongo/behaviour", module + "internal/mongo/catalog", module + "internal/mongo/codes",
		module + "internal/mongo/compiled", module + "internal/mongo/filter", module + "internal/mongo/rules", module + "internal/mongo/value", module + "internal/mongo/fieldpath",
		module + "internal/mongofunc", module + "internal/valuefunc", module + "internal/base/enum", module + "internal/base/syntax"},
	"cosmos": {module + "policy", module + "internal/plainjson", module + "internal/base/nojson", module + "internal/engine", module + "internal/valuefunc", module + "internal/base/enum", module + "internal/base/jsontext", module + "internal/base/spelling", module + "internal/base/syntax"},

	"internal/mongo/behaviour": {module + "internal/mongo/codes"},
	"internal/mongo/catalog":   {module + "policy", module + "internal/mongo/value"},
	"internal/mongo/codes":     nil,
	"internal/mongo/compiled":  {module + "policy", module + "internal/mongo/filter"},
	"internal/mongo/filter":    {module + "policy", module + "internal/mongo/behaviour", module + "internal/mongo/codes", module + "internal/mongo/fieldpath", module + "internal/mongo/value", module + "internal/valuefunc", module + "internal/base/rawbson"},
	"internal/mongo/fieldpath": {module + "policy", module + "internal/valuefunc", module + "internal/base/rawbson", module + "internal/engine"},
	"internal/mongo/rules":     {module + "policy", module + "internal/engine"},
	"internal/mongo/value":     {module + "policy", module + "internal/valuefunc", module + "internal/base/decimal128", module + "internal/base/syntax"},

	"internal/base/rawbson":    {module + "internal/base/swar"},
	"internal/engine":          {module + "policy", module + "internal/base/private"},
	"internal/mongofunc":       {module + "policy", module + "mongo", module + "internal/base/private", module + "internal/mongo/behaviour", module + "internal/mongo/compiled", module + "internal/mongo/value"},
	"internal/valuefunc":       {module + "policy", module + "internal/base/private", module + "internal/base/rawbson"},
	"internal/base/decimal128": nil,
	"internal/base/enum":       nil,
	"internal/base/private":    nil,
	"internal/base/nojson":     nil,
	"internal/base/jsontext":   {module + "internal/base/swar", module + "internal/base/syntax"},
	"internal/base/spelling":   nil,
	"internal/base/swar":       nil,
	"internal/base/syntax":     nil,
}

// impure lists packages of the standard library that reach beyond arguments and results.
// Each stands for all packages below it too.
var impure = []string{
	"C", "context", "crypto/rand", "database", "embed", "expvar", "io/fs", "io/ioutil", "log", "math/rand", "net", "os",
	"path/filepath", "plugin", "runtime", "sync/atomic", "syscall", "testing", "unsafe",
}

// clocks lists the names of package time that a pure package may not use.
var clocks = []string{
	"After", "AfterFunc", "LoadLocation", "Local", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until",
}

// values lists the names of package log/slog that make values.
var values = []string{"Attr", "GroupValue", "String", "Value"}

// TestPurePackages keeps clock, I/O and state out of the packages that decide.
func TestPurePackages(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		for _, file := range goFiles(t, name) {
			source := readFile(t, file)
			for _, trouble := range impurities(t, name, source) {
				t.Errorf("%s %s", file, trouble)
			}
		}
	}
}

// goFiles returns the files of a package that are no tests.
func goFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			files = append(files, path.Join(dir, name))
		}
	}
	if len(files) == 0 {
		t.Errorf("%s holds no Go files", dir)
	}
	return files
}

// impurities returns the impure parts of the source of a file of the named
// package.
func impurities(t *testing.T, name, source string) (troubles []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{} // the import path, time, sync or log/slog, by its name in the file
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if !mayImport(name, imported) || spec.Name != nil && spec.Name.Name == "." {
			troubles = append(troubles, "imports "+imported)
		}
		if imported == "time" || imported == "sync" || imported == "log/slog" {
			name := path.Base(imported)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			names[name] = imported
		}
	}
	return append(troubles, impureUses(file, names)...)
}

func mayImport(name, imported string) bool {
	if strings.Contains(strings.Split(imported, "/")[0], ".") {
		return slices.Contains(allowed[name], imported)
	}
	if name == "policy" && imported == "log/slog" {
		return true // Decision.LogValue makes a value, and logs nothing; see impureUses
	}
	return !slices.ContainsFunc(impure, func(root string) bool {
		return imported == root || strings.HasPrefix(imported, root+"/")
	})
}

// impureUses finds forbidden uses of the packages time and sync in a file, and compiler
// directives that bypass the language. The one name of sync that is allowed is OnceValue,
// which keeps the result of a pure function.
func impureUses(file *ast.File, names map[string]string) (troubles []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if use, ok := n.(*ast.SelectorExpr); ok {
			x, ok := use.X.(*ast.Ident)
			if !ok {
				return true
			}
			of, used := names[x.Name], use.Sel.Name
			if of == "time" && slices.Contains(clocks, used) || of == "sync" && used != "OnceValue" || of == "log/slog" && !slices.Contains(values, used) {
				troubles = append(troubles, fmt.Sprintf("uses %s.%s", of, used))
			}
		}
		if comment, ok := n.(*ast.Comment); ok && strings.HasPrefix(comment.Text, "//go:linkname") {
			troubles = append(troubles, "links past the language")
		}
		return true
	})
	return troubles
}

// TestPureNoticesImpurity: the check reports impurities, and nothing else.
func TestPureNoticesImpurity(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"policy", `import "time"; var t = time.UnixMilli(0)`, ""},
		{"policy", `import "time"; var t = time.Now()`, "uses time.Now"},
		{"policy", `import "time"; var now = time.Now`, "uses time.Now"},
		{"policy", `import clock "time"; var t = clock.Since(clock.Time{})`, "uses time.Since"},
		{"policy", `import . "time"; var t = Now()`, "imports time"},
		{"policy", `import "log/slog"; var v = slog.String("a", "b")`, ""},
		{"policy", `import "log/slog"; func f() { slog.Info("a") }`, "uses log/slog.Info"},
		{"policy", `import "os"`, "imports os"},
		{"policy", `import "os/exec"`, "imports os/exec"},
		{"policy", `import _ "net/http"`, "imports net/http"},
		{"mongo", `import "log/slog"`, "imports log/slog"},
		{"mongo", `import "sync/atomic"`, "imports sync/atomic"},
		{"mongo", `import "sync"; var m sync.Mutex`, "uses sync.Mutex"},
		{"mongo", `import "sync"; var one = sync.OnceValue(func() int { return 1 })`, ""},
		{"mongo", `import "math/rand/v2"`, "imports math/rand/v2"},
		{"mongo", `import ("math"; "math/bits"; "slices"; "strings")`, ""},
		{"cosmos", `import "unsafe"`, "imports unsafe"},
		{"cosmos", "import _ \"strings\"\n//go:linkname now time.now\nfunc now()", "links past the language"},
		{"policy", `import "github.com/shopspring/decimal"`, "imports github.com/shopspring/decimal"},
		{"policy", `import "` + module + `mongo"`, "imports " + module + "mongo"},
		{"mongo", `import "github.com/shopspring/decimal"`, "imports github.com/shopspring/decimal"},
		{"mongo", `import "` + module + `policy"`, ""},
		{"mongo", `import "` + module + `cosmos"`, "imports " + module + "cosmos"},
		{"cosmos", `import "` + module + `mongo"`, "imports " + module + "mongo"},
		{"cosmos", `import "example.com/x"`, "imports example.com/x"},
	} {
		if got := strings.Join(impurities(t, test.name, "package p; "+test.source), ", "); got != test.want {
			t.Errorf("in %s, %s is found to be %q, want %q", test.name, test.source, got, test.want)
		}
	}
}
