package gates

import (
	"go/ast"
	"go/constant"
	"go/token"
	gotypes "go/types"
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
	page := readFile(t, "docs/limits.md")
	rows := limitRow.FindAllStringSubmatch(page, -1)
	if n := strings.Count(page, "` |\n"); len(rows) != n || n < 20 {
		t.Errorf("docs/limits.md: the pattern matches %d of %d rows with a constant, want all", len(rows), n)
	}
	for _, row := range rows {
		n, err := strconv.ParseInt(strings.ReplaceAll(row[1], ",", ""), 10, 64)
		unit, known := limitUnits[row[2]]
		if err != nil || !known {
			t.Errorf("docs/limits.md: %s: the bound is no number in a known unit", row[0])
		}
		if got, ok := constantsOf(t, row[3])[row[4]]; !ok || got != n*unit {
			t.Errorf("docs/limits.md: %s.%s is %s %s = %d, want %d as in the code", row[3], row[4], row[1], row[2], n*unit, got)
		}
	}
}

// constantsOf returns the constants of a package that are whole numbers, and the
// variables whose initial value is such a constant.
func constantsOf(t *testing.T, folder string) map[string]int64 {
	t.Helper()
	fset := token.NewFileSet()
	info := &gotypes.Info{Types: map[ast.Expr]gotypes.TypeAndValue{}}
	config := gotypes.Config{Importer: exportedImporter(t, fset), IgnoreFuncBodies: true, Error: func(error) {}} // packages of other modules are not found
	p, _ := config.Check(folder, fset, parsed(t, fset, folder), info)
	found := map[string]int64{}
	add := func(name string, v constant.Value) {
		if v == nil || v.Kind() != constant.Int {
			return
		}
		if n, exact := constant.Int64Val(v); exact {
			found[name] = n
		}
	}
	for _, name := range p.Scope().Names() {
		if c, ok := p.Scope().Lookup(name).(*gotypes.Const); ok {
			add(name, c.Val())
		}
	}
	for _, v := range info.InitOrder {
		add(v.Lhs[0].Name(), info.Types[v.Rhs].Value)
	}
	return found
}
