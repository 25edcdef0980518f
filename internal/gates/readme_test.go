package gates

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"strings"
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
	d := sessions.Decide(session, policy.InstantOfUnixMilli(1_700_003_600_000))
	fmt.Println(d)
	// README.md: end

	store := map[string]map[string]any{"a": session, "b": {"createdAt": time.UnixMilli(1_700_000_000_001)}, "c": {"createdAt": "2023"}}
	now := policy.InstantOfUnixMilli(1_700_003_600_000)
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
	d := carts.DecideJSON([]byte(`{"id": "a", "_ts": 1700000000, "ttl": 60}`), policy.InstantOfUnixMilli(1_700_000_060_000))
	fmt.Println(d)
	// README.md: end
	return nil
}

// TestPagesShowTheirExamples: what a page shows is compiled, and run by tests.
func TestPagesShowTheirExamples(t *testing.T) {
	for source, page := range map[string]string{folder + "readme_test.go": "README.md", folder + "embedding_store_test.go": "docs/implementing.md",
		folder + "embedding_map_test.go": "docs/implementing.md", folder + "embedding_catalog_test.go": "docs/implementing.md", "cmd/internal/suite/oracle/driver/definitions_test.go": "docs/implementing.md"} {
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

// TestImplementingShowsTheStoreOfSweep: docs/implementing.md shows the store of the example
// of package sweep, which is the whole of its file.
func TestImplementingShowsTheStoreOfSweep(t *testing.T) {
	const page = "docs/implementing.md"
	_, store, ok := strings.Cut(readFile(t, "policy/sweep/example_test.go"), "// A memoryStore")
	store, _, isEnd := strings.Cut(store, "\n// limiter")
	if !ok || !isEnd || !strings.Contains(readFile(t, page), "```go\n// A memoryStore"+store+"```\n") {
		t.Errorf("%s does not show this:\n// A memoryStore%s", page, store)
	}
}

// unindented removes tabs tabs before each line.
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

// TestPackagesBeginWithCode: go doc of the packages that decide shows how to use them
// within its first lines, and the shown code parses.
func TestPackagesBeginWithCode(t *testing.T) {
	for _, dir := range []string{"policy", "mongo", "cosmos"} {
		text := readFile(t, dir+"/doc.go")
		code := regexp.MustCompile(`(?m)^//\t(.*)\n`).FindAllStringSubmatchIndex(text, -1)
		if len(code) == 0 || strings.Count(text[:code[0][0]], "\n") > 6 {
			t.Errorf("%s: no code within the first lines of its documentation", dir)
			continue
		}
		block, _, _ := strings.Cut(text[code[0][0]:], "\n//\n")
		body := strings.ReplaceAll(strings.ReplaceAll(block, "//\t", ""), "d.State      //", "_ = d.State //")
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+body+"\n}", 0); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
