package gates

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// limitRow matches a row of a table of docs/limits.md: a bound with its unit,
// and its constant.
var limitRow = regexp.MustCompile("(?m)^\\| [^|]+ \\| ([0-9,]+)(?: (\\w+))? \\| [^|]+ \\| `([\\w/]+)\\.(\\w+)` \\|$")

var limitUnits = map[string]int64{"": 1, "bytes": 1, "levels": 1, "KiB": 1 << 10, "MiB": 1 << 20, "ms": 1e6, "s": 1e9}

// TestLimits: the bounds in docs/limits.md are the values of the constants.
func TestLimits(t *testing.T) {
	page, err := os.ReadFile("docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := limitRow.FindAllStringSubmatch(string(page), -1)
	if n := strings.Count(string(page), "` |\n"); len(rows) != n || n < 20 {
		t.Errorf("%d rows are understood, want all %d", len(rows), n)
	}
	for _, row := range rows {
		n, err := strconv.ParseInt(strings.ReplaceAll(row[1], ",", ""), 10, 64)
		unit, known := limitUnits[row[2]]
		if err != nil || !known {
			t.Errorf("%s: no bound", row[0])
		}
		if got, ok := constantsOf(t, row[3])[row[4]]; !ok || got != n*unit {
			t.Errorf("docs/limits.md: %s.%s is %s %s = %d, want %d as in the code", row[3], row[4], row[1], row[2], n*unit, got)
		}
	}
}

// constantsOf returns the whole numbers among the constants of a package, including
// those computed from others.
func constantsOf(t *testing.T, folder string) map[string]int64 {
	t.Helper()
	notTests := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	files := token.NewFileSet()
	packages, err := parser.ParseDir(files, filepath.FromSlash(folder), notTests, 0)
	if err != nil {
		t.Fatal(err)
	}
	clock := gotypes.NewPackage("time", "time")
	for name, n := range map[string]int64{"Millisecond": 1e6, "Second": 1e9, "Minute": 60e9} {
		clock.Scope().Insert(gotypes.NewConst(0, clock, name, gotypes.Typ[gotypes.UntypedInt], constant.MakeInt64(n)))
	}
	p := gotypes.NewPackage(folder, "p")
	p.Scope().Insert(gotypes.NewPkgName(0, p, "time", clock))
	found := map[string]int64{}
	for range 3 { // a constant may stand before the constants that it uses
		for _, parsed := range packages {
			ast.Inspect(parsed, func(n ast.Node) bool {
				if spec, ok := n.(*ast.ValueSpec); ok {
					evaluate(files, p, spec, found)
				}
				return true
			})
		}
	}
	return found
}

func evaluate(files *token.FileSet, p *gotypes.Package, spec *ast.ValueSpec, found map[string]int64) {
	for i, name := range spec.Names {
		if i >= len(spec.Values) {
			return
		}
		v, err := gotypes.Eval(files, p, token.NoPos, gotypes.ExprString(spec.Values[i]))
		if err != nil || v.Value == nil || v.Value.Kind() != constant.Int {
			continue
		}
		if n, exact := constant.Int64Val(v.Value); exact {
			found[name.Name] = n
			p.Scope().Insert(gotypes.NewConst(0, p, name.Name, gotypes.Typ[gotypes.UntypedInt], v.Value))
		}
	}
}
