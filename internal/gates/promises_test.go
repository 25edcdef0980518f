package gates

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// promiseRow matches a row of the table of promises in docs/threat-model.md, and
	// heldRow a row of another table that names the tests of its own statements.
	promiseRow = regexp.MustCompile(`(?m)^\| \[[^]]+\]\(([\w./-]+)\) \| “(.+)” \| (.+) \|$`)
	heldRow    = regexp.MustCompile("(?m)^\\|.*\\|[^|]*`(?:Test|Fuzz)\\w+`[^|]*\\|$")
	testName   = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")

	absolute = regexp.MustCompile(`(?i)\b(?:never|always|every|any)\b`)
	negation = regexp.MustCompile(`(?i)\b(?:no|none|nothing|nobody|anything|anybody|everything|everybody|whatever)\b`)
	total    = regexp.MustCompile(`(?i)\b(?:all|each)\b`)
	// condition matches a clause that says which case a sentence is about.
	condition = regexp.MustCompile(`(?i)\b(?:that|which|who|whose|if|where|as|unless)\b[^,;:()]*`)
)

// isPromise reports whether a sentence promises something without exception. The words
// never, always, every and any count wherever they stand. Words such as no and nothing
// count outside of clauses that say which case the sentence is about. In a table they
// count only in a sentence of at least three words. The words all and each count outside
// of such clauses too, but only in running text, and not on the pages of commands, where
// these words mostly describe a form.
func isPromise(sentence string, isProse, isOfCommand bool) bool {
	said := condition.ReplaceAllString(strings.ReplaceAll(sentence, "so that ", "so, "), "")
	return absolute.MatchString(sentence) ||
		negation.MatchString(said) && (isProse || strings.Count(sentence, " ") > 1) ||
		total.MatchString(said) && isProse && !isOfCommand
}

// TestPromises: each sentence of the pages that promises something without exception is
// quoted in full in the table of docs/threat-model.md, beside existing tests.
func TestPromises(t *testing.T) {
	pages := map[string]string{"../SECURITY.md": "SECURITY.md", "limits.md": "docs/limits.md", "threat-model.md": "docs/threat-model.md"}
	for _, name := range commandPages(t) {
		pages[path.Base(name)] = name
	}
	tests := allTests(t)
	table := readFile(t, "docs/threat-model.md")
	for _, name := range testName.FindAllStringSubmatch(table, -1) {
		if !tests[name[1]] {
			t.Errorf("docs/threat-model.md: there is no %s", name[1])
		}
	}
	rows := map[[2]string]bool{} // by page and sentence, whether the page has it
	for _, row := range promiseRow.FindAllStringSubmatch(table, -1) {
		key := [2]string{row[1], strings.Join(sentences(row[2]), " ")}
		if _, isTwice := rows[key]; isTwice || !testName.MatchString(row[3]) {
			t.Errorf("%s: %q stands twice, or no test is named for it", row[1], row[2])
		}
		rows[key] = false
	}
	for page, file := range pages {
		text := readFile(t, file)
		prose := paragraphs(text)
		for i, p := range append(prose, cells(text)...) {
			for _, s := range sentences(p.text) {
				if !isPromise(s, i < len(prose), strings.HasPrefix(page, "cli")) {
					continue
				}
				if _, isHeld := rows[[2]string{page, s}]; !isHeld {
					t.Errorf("%s:%d: no test is named in docs/threat-model.md for %q", file, p.line, s)
				}
				rows[[2]string{page, s}] = true
			}
		}
	}
	for row, isSaid := range rows {
		if !isSaid {
			t.Errorf("docs/threat-model.md: %s does not say %q, or it is no promise", row[0], row[1])
		}
	}
}

// allTests returns the names of the tests and fuzz targets of all modules.
func allTests(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	for _, test := range testsOf(t, "(Test|Fuzz)") {
		_, name, _ := strings.Cut(test, " ")
		tests[name] = true
	}
	return tests
}

// TestStepsNameTests: the lists of tests in .ci/run, which steps leave out or run alone,
// name existing tests. A renamed test would be run by another step or by none.
func TestStepsNameTests(t *testing.T) {
	tests := allTests(t)
	lists := regexp.MustCompile(`(?m)^\w+='(Test[\w|]+)'$`).FindAllStringSubmatch(readFile(t, ".ci/run"), -1)
	if len(lists) != 2 {
		t.Errorf(".ci/run has %d lists of tests, want 2", len(lists))
	}
	for _, list := range lists {
		for _, name := range strings.Split(list[1], "|") {
			if !tests[name] {
				t.Errorf(".ci/run: there is no %s", name)
			}
		}
	}
}

func TestIsPromise(t *testing.T) {
	for _, tt := range []struct {
		sentence                   string
		prose, inPages, inCommands bool
	}{
		{"It never writes.", true, true, true},
		{"A file that is never read is named.", true, true, true},
		{"Nothing is run.", true, true, true},
		{"A pattern that matches nothing is an error.", true, false, false},
		{"If no release has it, the tool refuses it.", true, false, false},
		{"One a day, so that no more go.", true, true, true},
		{"Each names its line.", true, true, false},
		{"all metadata in a file", false, false, false},
		{"by nobody", false, false, false},
		{"show no identifiers of documents", false, true, true},
		{"It is read.", true, false, false},
	} {
		for isOfCommand, want := range map[bool]bool{false: tt.inPages, true: tt.inCommands} {
			if got := isPromise(tt.sentence, tt.prose, isOfCommand); got != want {
				t.Errorf("isPromise(%q, %t, %t) = %t, want %t", tt.sentence, tt.prose, isOfCommand, got, want)
			}
		}
	}
}

// commandPages returns the pages of the tool's commands.
func commandPages(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("docs/cli*.md")
	if err != nil || len(names) < 7 {
		t.Fatalf("docs/cli*.md are %q, %v; want a page for each of the larger commands", names, err)
	}
	return names
}

// cells returns the cells of the tables of a page, except for rows that name tests.
func cells(page string) (all []paragraph) {
	for i, line := range strings.Split(page, "\n") {
		if !strings.HasPrefix(line, "|") || heldRow.MatchString(line) {
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
