package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// countedPackages are the readers of texts, whose work TestGrowth counts, by their folders.
var countedPackages = map[string]string{
	"mongosh": "../../../reading/mongosh", "pasted": "../../../reading/pasted", "mentions": "../../../reading/mentions", "catalog": ".",
}

// TestGrowth: twice the text takes the readers of programs, listings and templates at most 2.2
// times the work, whatever the text repeats. The texts are drawn from the tokens that the source
// of these readers compares with. The work is counted: an overlay of the source counts each call
// of a function and each turn of a loop.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("this test builds its package again")
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	var tokens []string
	for name, folder := range countedPackages {
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatal(folder, err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, literals := counted(t, path)
			if name != "catalog" || filepath.Base(path) == "places.go" {
				tokens = append(tokens, literals...)
			}
			overlay[absolute(t, path)] = written(t, dir, name+"_"+filepath.Base(path), text)
		}
		overlay[absolute(t, filepath.Join(folder, "work_counter.go"))] = written(t, dir, name+"_counter.go", "package "+name+"\n\n// WorkDone is the number of calls and turns of loops.\nvar WorkDone int64\n")
	}
	worker, err := os.ReadFile("testdata/growth_worker.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	overlay[absolute(t, "growth_worker_test.go")] = written(t, dir, "growth_worker_test.go", string(worker))
	files, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(tokens)
	list, err := json.Marshal(shapesOf(slices.Compact(tokens)))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-overlay", written(t, dir, "overlay.json", string(files)), "-count=1", "-run", "^TestGrowthWorker$", ".")
	cmd.Env = append(os.Environ(), "GROWTH_SHAPES="+written(t, dir, "shapes.json", string(list)), "GROWTH_TABLE="+filepath.Join(dir, "table"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	table, err := os.ReadFile(filepath.Join(dir, "table"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tokens\n%s", len(slices.Compact(tokens)), table)
}

// A shape is a text of any size: a beginning, a repeated unit, and an end.
type shape struct{ Before, Unit, After string }

// shapesOf returns shapes that are made of tokens: each token alone, each pair of signs, and units
// of up to four tokens.
func shapesOf(tokens []string) (list []shape) {
	r := rand.New(rand.NewPCG(43, 6))
	draw := func(most int) string {
		text := ""
		for range r.IntN(most + 1) {
			text += tokens[r.IntN(len(tokens))]
		}
		return text
	}
	for _, unit := range tokens {
		list = append(list, shape{draw(2), unit, draw(2)}, shape{"", unit + " ", ""})
	}
	isSign := func(token string) bool {
		return len(token) == 1 && !strings.ContainsAny(token, "0123456789") && strings.ToLower(token) == strings.ToUpper(token)
	}
	for _, a := range tokens {
		for _, b := range tokens {
			if isSign(a) && isSign(b) {
				list = append(list, shape{draw(1), a + b, ""})
			}
		}
	}
	for range 400 {
		if unit := draw(4); unit != "" {
			list = append(list, shape{draw(3), unit, draw(3)})
		}
	}
	return list
}

// counted returns the text of a Go file with a counter in each function and each loop, and the
// short literals in the file.
func counted(t *testing.T, path string) (text string, literals []string) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var places []int
	ast.Inspect(file, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		case *ast.BasicLit:
			if word, err := strconv.Unquote(n.Value); err == nil && word != "" && len(word) <= 24 && !strings.Contains(strings.TrimSpace(word), " ") && !strings.Contains(word, "%") {
				literals = append(literals, word)
			}
		}
		if body != nil {
			places = append(places, fset.Position(body.Lbrace).Offset+1)
		}
		return true
	})
	slices.Sort(places)
	var b strings.Builder
	from := 0
	for _, at := range places {
		fmt.Fprintf(&b, "%s WorkDone++;", src[from:at])
		from = at
	}
	return b.String() + string(src[from:]), literals
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	whole, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

func written(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
