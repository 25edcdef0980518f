package gates

import (
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// promiseRow is a row of the table of promises in docs/threat-model.md.
	promiseRow = regexp.MustCompile(`(?m)^\| \[[^]]+\]\(([\w./-]+)\) \| “(.+)” \| (.+) \|$`)
	absolute   = regexp.MustCompile(`(?i)\b(?:never|always|every|any)\b`)
	testName   = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
)

// TestPromises: what pages say of never, always, every and any stands in the table of
// docs/threat-model.md, beside tests that exist.
func TestPromises(t *testing.T) {
	pages := map[string]string{"../SECURITY.md": "SECURITY.md", "limits.md": "docs/limits.md", "threat-model.md": "docs/threat-model.md"}
	for _, name := range commandPages(t) {
		pages[path.Base(name)] = name
	}
	found, err := exec.Command("git", "grep", "-h", "-o", "-E", `^func (Test|Fuzz)[A-Za-z0-9_]+`, "--", "*_test.go").Output()
	if err != nil {
		t.Skipf("git grep: %v", err) // not a checkout
	}
	tests := map[string]bool{}
	for line := range strings.Lines(string(found)) {
		tests[strings.TrimPrefix(strings.TrimSpace(line), "func ")] = true
	}
	begin := map[string][]string{} // of the sentences in the table, by page
	for _, row := range promiseRow.FindAllStringSubmatch(readFile(t, "docs/threat-model.md"), -1) {
		names := testName.FindAllStringSubmatch(row[3], -1)
		if len(names) == 0 {
			t.Errorf("no test is named for %q", row[2])
		}
		for _, name := range names {
			if !tests[name[1]] {
				t.Errorf("%q: there is no %s", row[2], name[1])
			}
		}
		begin[row[1]] = append(begin[row[1]], inCode.ReplaceAllString(row[2], "X"))
	}
	for page, file := range pages {
		used := map[string]bool{}
		text := readFile(t, file)
		for _, p := range append(paragraphs(text), cells(text)...) {
			for _, s := range sentences(p.text) {
				if !absolute.MatchString(s) {
					continue
				}
				held := false
				for _, b := range begin[page] {
					if strings.HasPrefix(s, b) {
						held, used[b] = true, true
					}
				}
				if !held {
					t.Errorf("%s:%d: no test is named in docs/threat-model.md for %q", file, p.line, s)
				}
			}
		}
		for _, b := range begin[page] {
			if !used[b] {
				t.Errorf("docs/threat-model.md: %s does not say %q", file, b)
			}
		}
	}
}

// commandPages returns the pages of the tool's commands.
func commandPages(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("docs/cli*.md")
	if err != nil || len(names) < 8 {
		t.Fatalf("docs/cli*.md are %q, %v; want a page for each of the larger commands", names, err)
	}
	return names
}

// cells returns the cells of the tables of a page, except those of the table of promises.
func cells(page string) (all []paragraph) {
	for i, line := range strings.Split(page, "\n") {
		if !strings.HasPrefix(line, "|") || promiseRow.MatchString(line) {
			continue
		}
		for cell := range strings.SplitSeq(inCode.ReplaceAllStringFunc(line, func(code string) string { return strings.ReplaceAll(code, "|", " ") }), "|") {
			all = append(all, paragraph{i + 1, strings.TrimSpace(cell)})
		}
	}
	return all
}

func TestCells(t *testing.T) {
	page := "| a | b |\n|---|---|\n| `x|y` never | it. Any other |\n| [cli.md](cli.md) | “always” | `TestX` |\ntext | never\n"
	var got []string
	for _, p := range cells(page) {
		if absolute.MatchString(p.text) {
			got = append(got, fmt.Sprint(p.line, " ", p.text))
		}
	}
	if want := []string{"3 `x y` never", "3 it. Any other"}; !slices.Equal(got, want) {
		t.Errorf("cells with promises are %q, want %q", got, want)
	}
}
