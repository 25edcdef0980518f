package gates

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// A wordRule says which words have a standard term.
type wordRule struct {
	words []string // in lower case; a word that ends in * stands for all words with this beginning
	term  string
}

var betweenColumns = regexp.MustCompile(` {3,}`)

func wordRules(t *testing.T, text string) (all []wordRule) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := betweenColumns.Split(line, -1)
		if len(columns) != 2 {
			t.Fatalf(".ci/words: %q has %d columns, want 2", line, len(columns))
		}
		all = append(all, wordRule{strings.Split(strings.ToLower(columns[0]), ", "), columns[1]})
	}
	return all
}

// TestWords: code, comments, pages, messages and scripts use the standard terms.
func TestWords(t *testing.T) {
	rules := wordRules(t, readFile(t, ".ci/words"))
	read := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isOthersFolder(name):
			return fs.SkipDir
		case entry.IsDir() || !isProse(name):
			return nil
		}
		read++
		for _, fault := range wordFaults(name, readFile(t, name), rules) {
			t.Error(fault)
		}
		return nil
	})
	if err != nil || read < 300 {
		t.Errorf("%d files read, %v; want hundreds", read, err)
	}
}

// isOthersFolder reports whether a folder holds generated files, files that
// others have written, or vectors, whose words are part of their revisions.
func isOthersFolder(name string) bool {
	return slices.Contains([]string{".git", ".ci/out", "docs/rules", "docs/results", "conformance/lab/results", "testdata"}, name) || path.Base(name) == "node_modules"
}

func isProse(name string) bool {
	if name == ".ci/words" || name == folder+"words_test.go" {
		return false
	}
	return slices.Contains([]string{".go", ".md", ".tmpl", ".py", ".mjs", ".css", ".js", ".html"}, path.Ext(name)) || path.Dir(name) == ".ci"
}

// wordFaults returns the words of text for which the rules have a standard term.
func wordFaults(name, text string, rules []wordRule) (faults []string) {
	lower := strings.Map(asciiLower, text)
	for _, r := range rules {
		for _, word := range r.words {
			for _, at := range wordsIn(text, lower, word) {
				line := 1 + strings.Count(text[:at], "\n")
				faults = append(faults, fmt.Sprintf("%s:%d: %q; the standard term is: %s", name, line, word, r.term))
			}
		}
	}
	return faults
}

// wordsIn returns the places of word in text; lower is the text in lower case.
func wordsIn(text, lower, word string) (found []int) {
	word, isPrefix := strings.CutSuffix(word, "*")
	for from := 0; ; {
		at := strings.Index(lower[from:], word)
		if at < 0 {
			return found
		}
		at += from
		from = at + len(word)
		begins := at == 0 || !isLetter(lower[at-1]) || isUpper(text[at]) && !isUpper(text[at-1])
		ends := isPrefix || from == len(text) || !isLetter(lower[from]) || isUpper(text[from])
		if begins && ends {
			found = append(found, at)
		}
	}
}

func asciiLower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || c >= utf8.RuneSelf }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func TestWordFaults(t *testing.T) {
	rules := wordRules(t, "# comment\n\nwaiver*, no deadline at all   keep rule\nroom, giveBack   buffer\n")
	for text, want := range map[string][]string{
		"// The Waivers of\nall":     {`a.go:1: "waiver*"; the standard term is: keep rule`},
		"one\ntwo room\n":            {`a.go:2: "room"; the standard term is: buffer`},
		"func newRoom() {}":          {`a.go:1: "room"; the standard term is: buffer`},
		"var roomSize int":           {`a.go:1: "room"; the standard term is: buffer`},
		"x.giveBack(b)":              {`a.go:1: "giveback"; the standard term is: buffer`},
		"no deadline at all, or so":  {`a.go:1: "no deadline at all"; the standard term is: keep rule`},
		"bathroom, roomy, chatroom.": nil,
		"no deadline":                nil,
		"":                           nil,
	} {
		if diff := cmp.Diff(want, wordFaults("a.go", text, rules)); diff != "" {
			t.Errorf("wordFaults(%q) (-want +got):\n%s", text, diff)
		}
	}
}
