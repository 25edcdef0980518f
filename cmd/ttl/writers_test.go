package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A restriction is a set of functions that only some packages may call. Other
// packages use a replacement.
type restriction struct {
	instead string
	in      []string // folders of the checkout
	// functions are names with their package's path, and names of methods that
	// begin with a dot.
	functions []string
	// exempt are the folders and files that may call them, and why.
	exempt map[string]string
}

var restrictions = []restriction{
	{
		instead: "a writer of package cli",
		in:      []string{"cmd/ttl", "cmd/internal"},
		functions: []string{
			"fmt.Print", "fmt.Printf", "fmt.Println", "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString", "io.Copy", "builtin.print", "builtin.println",
			"os.Stdout", "os.Stderr", "log.Print", "log.Printf", "log.Println", "log.Fatal", "log.Fatalf", "encoding/json.NewEncoder", "encoding/xml.NewEncoder", "encoding/csv.NewWriter",
			"html/template.HTML", "html/template.New", "text/template.New", "github.com/ttlpolicy/ttlpolicy/cmd/internal/cli.Safe",
			".Write", ".WriteString", ".Print", ".Printf", ".Println", ".PrintErr", ".PrintErrf", ".PrintErrln",
		},
		exempt: map[string]string{
			"cmd/internal/cli":                    "has the writers",
			"cmd/internal/output":                 "writes files as they are given",
			"cmd/internal/tools":                  "programs of this repository, whose texts are its own",
			"cmd/ttl/forecast_expired.go":         "saves documents for a database, as they are",
			"cmd/internal/reading/live/guard.go":  "hands on what the driver sends to a server, if it may be sent",
			"cmd/internal/reading/live/wiretest":  "for tests alone: a server",
			"cmd/internal/judging/transfer":       "documents for a database, as they must be there",
			"cmd/internal/judging/report/html.go": "escapes prose with code in it",
		},
	},
	{
		instead: "package output",
		in:      []string{"cmd", "conformance", "internal", "docs", "mongo", "cosmos", "policy"},
		functions: []string{
			"os.Create", "os.CreateTemp", "os.WriteFile", "os.OpenFile", "os.Rename", "os.Link", "os.Symlink", "os.Mkdir", "os.MkdirAll", "os.MkdirTemp",
			"os.Remove", "os.RemoveAll", "os.Chmod", "os.Truncate", "os.CopyFS", "os.OpenRoot", "io/ioutil.WriteFile",
			"github.com/ttlpolicy/ttlpolicy/cmd/internal/output.Use",
		},
		exempt: map[string]string{
			"cmd/internal/output":       "is it",
			"cmd/internal/input":        "reads within a folder, from which links do not lead out",
			"conformance/lab/opmutants": "mutants of the sources, in a folder that goes with it",
			"cmd/ttlbeam":               "a module of its own: a folder for what Beam leaves behind",
			"docs/site":                 "a module of its own: pages of the checkout, and a site in a new folder",
			"internal/fixture":          "tests alone: what they read",
			"internal/fuzzing":          "tests alone: inputs that fail, for testdata/fuzz",
		},
	},
	{
		instead:   "dump.ReadFile, which has a limit, or input.Open and input.FS, which know what must not be written",
		in:        []string{"cmd/ttl", "cmd/internal"},
		functions: []string{"os.Open", "os.OpenRoot", "os.DirFS", "os.ReadFile", "io/ioutil.ReadFile"},
		exempt: map[string]string{
			"cmd/internal/input":  "is it",
			"cmd/internal/output": "records folders, and reads back what is to be replaced",
			"cmd/internal/tools":  "programs of this repository, which read its files",
		},
	},
	{
		instead:   "package protocol, which bounds a program under test",
		in:        []string{"cmd/ttl", "cmd/internal", "internal"},
		functions: []string{"os/exec.Command", "os/exec.CommandContext", "os.StartProcess", "syscall.Exec", "syscall.ForkExec"},
		exempt: map[string]string{
			"cmd/ttl/conform_live.go": "the command of --sweep-command",
			"cmd/internal/tools":      "programs of this repository, which run the go command",
		},
	},
}

// TestWriters: text and files are written only by the packages for that, files are read
// up to a limit, and programs are started only by ttl conform.
func TestWriters(t *testing.T) {
	t.Parallel()
	const root = "../.."
	set, parsed := token.NewFileSet(), map[string]*ast.File{}
	for _, r := range restrictions {
		used := map[string]bool{}
		for _, folder := range r.in {
			for _, path := range sources(t, filepath.Join(root, folder)) {
				name, _ := filepath.Rel(root, path)
				name = filepath.ToSlash(name)
				for _, call := range callsIn(t, set, parsed, path, r.functions) {
					if reason := exemption(r.exempt, name); reason != "" {
						used[reason] = true
					} else {
						t.Errorf("%s: %s; use %s", name, call, r.instead)
					}
				}
			}
		}
		for place := range r.exempt {
			if !used[place] {
				t.Errorf("%s need not be exempt from %s", place, r.instead)
			}
		}
	}
}

// exemption returns the folder or file under which a file is exempt, "" if it is not.
func exemption(exempt map[string]string, name string) string {
	for ; name != "."; name = filepath.ToSlash(filepath.Dir(name)) {
		if exempt[name] != "" {
			return name
		}
	}
	return ""
}

// sources returns the Go files below a folder, without tests.
func sources(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && (e.Name() == "testdata" || e.Name() == "node_modules") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(paths), err)
	}
	return paths
}

// callsIn returns the places where a file uses one of these functions for anything
// but its own buffers. It parses the file if it is not among the parsed ones.
func callsIn(t *testing.T, set *token.FileSet, parsed map[string]*ast.File, path string, functions []string) []string {
	t.Helper()
	if parsed[path] == nil {
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed[path] = file
	}
	return usesIn(set, parsed[path], functions)
}

func usesIn(set *token.FileSet, file *ast.File, functions []string) (found []string) {
	packages := map[string]string{}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		packages[name] = path
	}
	buffers := buffersOf(file)
	ast.Inspect(file, func(n ast.Node) bool {
		var name string
		var about ast.Expr // the expression that is written to
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok {
				name = "builtin." + id.Name
			}
			s, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				break
			}
			if s.Sel.Name == "Line" && !isLiteral(n.Args[0]) {
				found = append(found, fmt.Sprintf("line %d calls Line with a format that is no literal", set.Position(n.Pos()).Line))
			}
			if id, ok := s.X.(*ast.Ident); ok && packages[id.Name] != "" {
				if len(n.Args) > 0 {
					about = n.Args[0]
				}
				name = packages[id.Name] + "." + s.Sel.Name
			} else if len(n.Args) == 1 || strings.HasPrefix(s.Sel.Name, "Print") {
				name, about = "."+s.Sel.Name, s.X
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && packages[id.Name] == "os" {
				name = "os." + n.Sel.Name
			}
		}
		if slices.Contains(functions, name) && !buffers[nameOf(about)] {
			found = append(found, fmt.Sprintf("line %d uses %s", set.Position(n.Pos()).Line, name))
		}
		return true
	})
	return found
}

// buffersOf returns the names of a file's variables and parameters that are buffers
// in memory.
func buffersOf(file *ast.File) map[string]bool {
	names, others := map[string]bool{}, map[string]bool{}
	note := func(list []*ast.Ident, kind ast.Expr) {
		for _, id := range list {
			if isBuffer(kind) {
				names[id.Name] = true
			} else {
				others[id.Name] = true
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			note(n.Names, n.Type)
		case *ast.Field:
			note(n.Names, n.Type)
		}
		return true
	})
	for name := range others { // elsewhere in the file the name may stand for a writer to a file or a stream
		delete(names, name)
	}
	return names
}

func isBuffer(kind ast.Expr) bool {
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	s, ok := kind.(*ast.SelectorExpr)
	return ok && (s.Sel.Name == "Builder" || s.Sel.Name == "Buffer")
}

// nameOf returns the name of a variable in an expression: the variable itself, or its
// address.
func nameOf(e ast.Expr) string {
	if address, ok := e.(*ast.UnaryExpr); ok {
		e = address.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// isLiteral reports whether an expression consists of texts in quotes.
func isLiteral(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return isLiteral(e.X) && isLiteral(e.Y)
	}
	return false
}

// TestUsesIn: usesIn counts the uses of restricted functions in a file.
func TestUsesIn(t *testing.T) {
	for _, tt := range []struct {
		code string
		want int
	}{
		{`fmt.Fprintln(w, name)`, 1},
		{`fmt.Println(name)`, 1},
		{`var b strings.Builder; fmt.Fprintln(&b, name)`, 0},
		{`println(name)`, 1},
		{`w.Write(name)`, 1},
		{`r.Write(w, name)`, 0},
		{`cmd.Println(name)`, 1},
		{`p.Line(name)`, 1},
		{`p.Line("%s"+"x", name)`, 0},
		{`x := os.Stdout`, 1},
	} {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "x.go", "package x\nimport (\"fmt\"; \"os\"; \"strings\")\nfunc f() {\n"+tt.code+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := usesIn(set, file, restrictions[0].functions); len(got) != tt.want {
			t.Errorf("%s: found %q, want %d", tt.code, got, tt.want)
		}
	}
}
