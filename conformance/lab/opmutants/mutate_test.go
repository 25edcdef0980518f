package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// sourceOf parses and checks a package of one file.
func sourceOf(t *testing.T, path, text string, imports types.Importer) *packages.Package {
	t.Helper()
	s := &packages.Package{Fset: token.NewFileSet(), TypesInfo: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	tree, err := parser.ParseFile(s.Fset, path+".go", text, 0)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	s.Syntax = []*ast.File{tree}
	config := types.Config{Importer: imports}
	if s.Types, err = config.Check(path, s.Fset, s.Syntax, s.TypesInfo); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s
}

// runtimeTypes is an importer that provides the package that mutated code calls.
type runtimeTypes struct{ pkg *types.Package }

func (r runtimeTypes) Import(string) (*types.Package, error) { return r.pkg, nil }

func runtimeImporter(t *testing.T) types.Importer {
	t.Helper()
	// The only import of the runtime is for a constraint, which is inlined here.
	text := strings.Replace(string(runtimeText), `import "cmp"`, "type ordered interface{ Number | ~string }", 1)
	return runtimeTypes{sourceOf(t, "opmutants", strings.ReplaceAll(text, "cmp.Ordered", "ordered"), nil).Types}
}

// TestMutate: each operator is mutated, and the code still compiles.
func TestMutate(t *testing.T) {
	imports := runtimeImporter(t)
	for _, tt := range []struct{ why, body, want string }{
		{"a boundary, and the same negated", "return a < b", "return opmutants.Not(1, opmutants.Less(2, a , b))"},
		{"a boundary with numbers", "return a >= 5", "return opmutants.Not(1, opmutants.GreaterEqual(2, a , opmutants.Up(3, opmutants.Down(4, int(5)))))"},
		{"equality", "return a != b", "return opmutants.Not(1, a != b)"},
		{"nothing to compare by order", "return p == nil", "return opmutants.Not(1, p == nil)"},
		{"arithmetic", "a = a + b*a; return p == nil", "if opmutants.Keep(1) { a = opmutants.Add(2, a , opmutants.Multiply(3, b,a)) }; return opmutants.Not(4, p == nil)"},
		{"texts are not added otherwise", "s += s + s; return true", "if opmutants.Keep(1) { s += s + s }; return opmutants.Not(2, true)"},
		{"a connective with calls", "return f() && !c", "return opmutants.And(1, opmutants.Not(2, f()) , func() bool { return opmutants.Not(3, !c) })"},
		{"a condition", "if c { a++ }; return c", "if opmutants.Not(1, c) { if opmutants.Keep(2) { a++ } }; return opmutants.Not(3, c)"},
		{"cases without a tag", "switch { case c: f(); case f(): }; return false", "switch { case opmutants.Not(1, c): if opmutants.Keep(3) { f() }; case opmutants.Not(2, f()): }; return opmutants.Not(4, false)"},
		{"cases with a tag", "switch a { case 1: return true }; return false",
			"switch a { case opmutants.Up(1, opmutants.Down(2, int(1))): return opmutants.Not(3, true) }; return opmutants.Not(4, false)"},
		{"a constant expression as a whole", "a = 2*1000; return true", "if opmutants.Keep(1) { a = opmutants.Up(2, opmutants.Down(3, int(2*1000))) }; return opmutants.Not(4, true)"},
		{"constants without a number", "a = k; return true", "if opmutants.Keep(1) { a = k }; return opmutants.Not(2, true)"},
		{"keys and lengths stay constant", "x := [3]int{1: 5}; _ = x; return true", "x := [3]int{1: opmutants.Up(2, opmutants.Down(3, int(5)))}; if opmutants.Keep(1) { _ = x }; return opmutants.Not(4, true)"},
		{"a definition is not removed, a branch is", "for { n := a; if n == a { break } }; return true", "for { n := a; if opmutants.Not(1, n == a) { if opmutants.Keep(2) { break } } }; return opmutants.Not(3, true)"},
		{"what ends a function is not removed", `panic("x")`, `panic("x")`},
		{"types of a switch", "switch any(a).(type) { case int: f() }; return true", "switch any(a).(type) { case int: if opmutants.Keep(1) { f() } }; return opmutants.Not(2, true)"},
		{"named numbers keep their type", "d = d + 1; return true", "if opmutants.Keep(1) { d = opmutants.Add(2, d , opmutants.Up(3, opmutants.Down(4, duration(1)))) }; return opmutants.Not(5, true)"},
	} {
		const head, foot = "package p; type duration int32; const k = 7; func f() bool { return f() }; ", " }"
		const signature = "func g(a, b int, c bool, s string, p *int, d duration) bool { "
		text := head + signature + tt.body + foot
		s := sourceOf(t, "p", text, nil)
		m := mutator{Package: s}
		s.Syntax[0].Decls = s.Syntax[0].Decls[3:] // only the function g
		got := string(m.mutate(s.Syntax[0], []byte(text)))
		_, body, _ := strings.Cut(got, signature)
		if body != tt.want+foot {
			t.Errorf("%s: %s became\n%s, want\n%s", tt.why, tt.body, body, tt.want+foot)
		}
		sourceOf(t, "p", got, imports) // it has to compile
	}
}

func TestMutantsKnowTheirPlace(t *testing.T) {
	const source = "package p\n\nfunc f(a int) bool {\n\treturn a < 1\n}\n"
	s := sourceOf(t, "p", source, nil)
	m := mutator{Package: s, first: 10}
	text := string(m.mutate(s.Syntax[0], []byte(source)))
	if len(m.mutants) != 4 || m.mutants[1].String() != "p.go:4: boundary: a < 1" || m.mutants[0].ID != 11 {
		t.Errorf("the mutants are %v", m.mutants)
	}
	if strings.Count(text, "\n") != 5 || !strings.HasPrefix(text, `package p; import opmutants "github.com/ttlpolicy/ttlpolicy/internal/opmutants"`) {
		t.Errorf("the text is\n%s", text)
	}
}

func TestEditsNest(t *testing.T) {
	var e edits
	e.wrap(0, 3, "<", ">")
	e.wrap(0, 1, "(", ")")
	e.wrap(1, 3, "[", "]")
	e.replace(2, 3, "x")
	if got, want := string(e.apply([]byte("abc"))), "<(a)[bx]>"; got != want {
		t.Errorf("apply = %s, want %s", got, want)
	}
}

// TestLoad: packages in folders below are mutated too, and folders without a package are
// skipped.
func TestLoad(t *testing.T) {
	t.Setenv("GOWORK", "off")
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m", "a/a.go": "package a", "a/internal/b/b.go": "package b", "a/internal/c/c_test.go": "package c", "a/testdata/d.json": "{}", "e/e.go": "package e",
	} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	sources, err := load(root, "a")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range sources {
		names = append(names, s.Name)
	}
	if got, want := strings.Join(names, " "), "a b"; got != want {
		t.Errorf("load(a) = %s, want %s", got, want)
	}
}
