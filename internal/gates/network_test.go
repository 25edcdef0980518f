package gates

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// networks are the packages that make connections. Each stands for all packages below it
// too.
var networks = []string{"net", "go.mongodb.org/mongo-driver/v2/mongo"}

// TestTestsAreGuarded: tests of a package that uses a network reach this machine alone.
func TestTestsAreGuarded(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "-z", "--", "*.go").Output()
	if err != nil {
		t.Skipf("git ls-files: %v", err) // not a checkout
	}
	sources := map[string]string{}
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		sources[name] = readFile(t, name)
	}
	guarded, open := guards(t, sources)
	for _, dir := range open {
		t.Errorf("%s uses a network, and its tests have no TestMain that calls loopback.Only", dir)
	}
	if want := "cmd/internal/reading/live"; !slices.Contains(guarded, want) {
		t.Errorf("tests that are guarded: %q, want %s among them", guarded, want)
	}
}

// guards returns the folders of tests with a network: folders with the guard, and folders
// without it.
func guards(t *testing.T, sources map[string]string) (guarded, open []string) {
	t.Helper()
	tested, uses, calls := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for name, source := range sources {
		dir, isTest := path.Dir(name), strings.HasSuffix(name, "_test.go")
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		tested[dir] = tested[dir] || isTest
		uses[dir] = uses[dir] || slices.ContainsFunc(file.Imports, isNetwork)
		calls[dir] = calls[dir] || isTest && isGuarded(file)
	}
	for _, dir := range slices.Sorted(maps.Keys(tested)) {
		switch {
		case !tested[dir] || !uses[dir]:
		case calls[dir]:
			guarded = append(guarded, dir)
		default:
			open = append(open, dir)
		}
	}
	return guarded, open
}

// isNetwork reports whether an import makes connections. A package for addresses alone
// makes none.
func isNetwork(i *ast.ImportSpec) bool {
	name, _ := strconv.Unquote(i.Path.Value)
	return name != "net/url" && name != "net/netip" && slices.ContainsFunc(networks, func(n string) bool { return name == n || strings.HasPrefix(name, n+"/") })
}

// isGuarded reports whether a file has a TestMain that begins with the guard.
func isGuarded(file *ast.File) bool {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Name.Name != "TestMain" || len(f.Body.List) == 0 {
			continue
		}
		statement, _ := f.Body.List[0].(*ast.ExprStmt)
		if statement == nil {
			continue
		}
		call, _ := statement.X.(*ast.CallExpr)
		if call == nil {
			continue
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			return fun.Name == "Only" || fun.Name == "OnlyLoopback"
		case *ast.SelectorExpr:
			of, _ := fun.X.(*ast.Ident)
			return of != nil && (of.Name == "loopback" && fun.Sel.Name == "Only" || of.Name == "live" && fun.Sel.Name == "OnlyLoopback")
		}
	}
	return false
}

func TestGuards(t *testing.T) {
	const guard = "package a\nimport \"net/http\"\nfunc TestMain(m *testing.M) {\n\tloopback.Only()\n\tm.Run()\n}\n"
	guarded, open := guards(t, map[string]string{
		"guarded/a_test.go":   guard,
		"late/a_test.go":      strings.Replace(guard, "\tloopback.Only()\n\tm.Run()\n", "\tm.Run()\n\tloopback.Only()\n", 1),
		"other/a_test.go":     strings.Replace(guard, "loopback.Only", "http.Only", 1),
		"bare/a_test.go":      "package a\nimport \"net/http/httptest\"\n",
		"code/a.go":           "package a\nimport \"net\"\n",
		"code/a_test.go":      "package a\n",
		"driver/a_test.go":    "package a\nimport \"go.mongodb.org/mongo-driver/v2/mongo/options\"\n",
		"untested/a.go":       "package a\nimport \"net\"\n",
		"addresses/a_test.go": "package a\nimport \"net/url\"\n",
		"bson/a_test.go":      "package a\nimport \"go.mongodb.org/mongo-driver/v2/bson\"\n",
	})
	if want := []string{"guarded"}; !slices.Equal(guarded, want) {
		t.Errorf("guarded: %q, want %q", guarded, want)
	}
	if want := []string{"bare", "code", "driver", "late", "other"}; !slices.Equal(open, want) {
		t.Errorf("without a guard: %q, want %q", open, want)
	}
}
