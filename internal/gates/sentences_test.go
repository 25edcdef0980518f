package gates

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// longest is the greatest number of words in a sentence of a page.
const longest = 40

// inverted maps forms of sentences with inverted or foreign word order to advice on
// rewriting them.
var inverted = []struct {
	form   *regexp.Regexp
	advice string
}{
	{regexp.MustCompile(`^Of (?:all|the|a|an|several|them|these|those|it|its|both|each|every|many|what)\b`), "begin with the subject"},
	{regexp.MustCompile(`^(?:By|To|From) (?:how|what|whom|which)\b`), "begin with the subject"},
	{regexp.MustCompile(`^So (?:is|are|it is|they are|does|do|they do|has|have) `), "name the subject, and write too"},
	{regexp.MustCompile(`^(?:Nothing|Nobody|None)\b[^,;]*, but\b`), "write except, or two sentences"},
	{regexp.MustCompile(`^(?:Is|Are|Has|Does|Was|Were|Had|Should) [^?]*[^?]$`), "write if"},
	{regexp.MustCompile(`\b(?:it|that|this|which|what) (?:is|are|was|were) none\b|\b(?:would|will|may|can) be none\b`), "write is not one, or there is no"},
	{regexp.MustCompile(`\bcalled so\b|\bby so many\b|\bas many of a\b|\bis no (?:plain|proper|valid)\b|\bare no (?:plain|proper|valid)\b`), "write is not, or as many as"},
	{regexp.MustCompile(`\b(?:shall|whereof|thereof|therein|whence|lest|save for)\b`), "write plain English"},
}

// TestSentences: the sentences of pages are short, and begin with their subjects.
func TestSentences(t *testing.T) {
	read := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/problems/*.md"} {
		names, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			read++
			for _, fault := range sentenceFaults(name, readFile(t, name)) {
				t.Error(fault)
			}
		}
	}
	if read < 50 {
		t.Errorf("%d pages read, want dozens", read)
	}
}

var (
	loss     = regexp.MustCompile(`(?i)\bdeletes? (?:every|all|each)\b.*\bas soon as it (?:runs|is built|is made)\b`)
	lossForm = regexp.MustCompile(`^This deletes every .*\bas soon as it runs\b`)
)

// TestLosses: sentences about documents that a command deletes at once have one form, which
// the site shows in red.
func TestLosses(t *testing.T) {
	said := 0
	for _, pattern := range []string{"docs/problems/*.md", "docs/recipes/*.md"} {
		names, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			for _, p := range paragraphs(readFile(t, name)) {
				for _, s := range sentences(p.text) {
					if !loss.MatchString(s) {
						continue
					}
					if said++; !lossForm.MatchString(s) {
						t.Errorf("%s:%d: %q, want a sentence that begins with %q", name, p.line, s, "This deletes every")
					}
				}
			}
		}
	}
	if said < 25 {
		t.Errorf("%d sentences about what a command deletes, want dozens", said)
	}
}

// sentenceFaults returns the sentences of a page that are too long or inverted.
func sentenceFaults(name, page string) (faults []string) {
	for _, p := range paragraphs(page) {
		for _, s := range sentences(p.text) {
			if n := len(strings.Fields(s)); n > longest {
				faults = append(faults, fmt.Sprintf("%s:%d: a sentence of %d words, of %d at most: %s", name, p.line, n, longest, s))
			}
			for _, fault := range invertedIn(s) {
				faults = append(faults, fmt.Sprintf("%s:%d: %s", name, p.line, fault))
			}
		}
	}
	return faults
}

// invertedIn returns the forms in a sentence that must be rewritten.
func invertedIn(sentence string) (faults []string) {
	for _, i := range inverted {
		if found := i.form.FindString(sentence); found != "" {
			faults = append(faults, fmt.Sprintf("%q; %s", found, i.advice))
		}
	}
	return faults
}

// TestStatements: no statement of a rule has an inverted or foreign word order, because
// pages and explanations show the statements.
func TestStatements(t *testing.T) {
	rules := 0
	for r := range suite.Rules() {
		rules++
		for _, s := range sentences(r.Statement()) {
			for _, fault := range invertedIn(s) {
				t.Errorf("%s: %s", r.ID(), fault)
			}
		}
	}
	if rules < 200 {
		t.Errorf("%d rules, want hundreds", rules)
	}
}

// A paragraph is running text of a page, or an item of a list.
type paragraph struct {
	line int
	text string // without line breaks
}

var (
	item    = regexp.MustCompile(`^\s*(?:[-*]|\d+\.) `)
	noProse = regexp.MustCompile(`^(?:    |\||#|<!--|>|\[[^]]*\]: )`)
	linked  = regexp.MustCompile(`\[([^]]*)\](?:\([^)]*\))?`)
	inCode  = regexp.MustCompile("`[^`]*`")
	stop    = regexp.MustCompile(`([.?!:;][*_"”)]*) +([A-Z*"“(])`)
)

// paragraphs returns the running text of a page: no code, tables, headings or addresses.
func paragraphs(page string) (all []paragraph) {
	fenced, open := false, false
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced, open = !fenced, false
			continue
		}
		begins := item.MatchString(line)
		if fenced || strings.TrimSpace(line) == "" || noProse.MatchString(line) && !(open && strings.HasPrefix(line, "    ")) {
			open = false
			continue
		}
		text := strings.TrimSpace(item.ReplaceAllString(line, ""))
		if begins || !open {
			all = append(all, paragraph{i + 1, text})
			open = true
			continue
		}
		all[len(all)-1].text += " " + text
	}
	return all
}

// sentences splits a paragraph. Code counts as a word, a link as its text.
func sentences(text string) []string {
	text = inCode.ReplaceAllString(linked.ReplaceAllString(text, "$1"), "X")
	return strings.Split(stop.ReplaceAllString(text, "$1\n$2"), "\n")
}

func TestSentenceFaults(t *testing.T) {
	const at = "a.md:1: "
	for text, want := range map[string][]string{
		"Of several collections a summary comes first.":                   {at + `"Of several"; begin with the subject`},
		"One. Of a dump the checksum is compared.":                        {at + `"Of a"; begin with the subject`},
		"By how many they differ, by so many it is late.":                 {at + `"By how"; begin with the subject`, at + `"by so many"; write is not, or as many as`},
		"It fails. So they are with a flag.":                              {at + `"So they are "; name the subject, and write too`},
		"It fails. So is an empty value.":                                 {at + `"So is "; name the subject, and write too`},
		"Nothing else of it is taken, but the deadline.":                  {at + `"Nothing else of it is taken, but"; write except, or two sentences`},
		"Is the delay longer, see there.":                                 {at + `"Is the delay longer, see there."; write if`},
		"An index that nobody wrote would be none.":                       {at + `"would be none"; write is not one, or there is no`},
		"Nothing is called so, or says so.":                               {at + `"called so"; write is not, or as many as`},
		"It shall expire.":                                                {at + `"shall"; write plain English`},
		strings.Repeat("word ", 40) + "end.":                              {at + "a sentence of 41 words, of 40 at most: " + strings.Repeat("word ", 40) + "end."},
		"- " + strings.Repeat("word ", 39) + "end.":                       nil,
		strings.Repeat("word ", 30) + "end. A" + strings.Repeat(" b", 30): nil,
		"Of course it is.":                                                nil,
		"Is it late? It is. So the document stays, and so do others.":     nil,
		"```\nOf a dump\n```\n\n    Of a dump\n\n| Of a dump |\n":         nil,
		"`Of a dump` is code.":                                            nil,
		"There are none, and an index without one is made.":               nil,
	} {
		if diff := cmp.Diff(want, sentenceFaults("a.md", text)); diff != "" {
			t.Errorf("sentenceFaults(%q) (-want +got):\n%s", text, diff)
		}
	}
}

// terms are words to which this project gives a meaning of its own. A page links its
// first use of a term to the definition, unless the page itself defines it.
var terms = regexp.MustCompile(`(?i)\b(?:vectors?|mutants?|twins?|ladder)\b`)

// TestTermsAreDefined: a page that uses a term defines it, or links to its definition.
func TestTermsAreDefined(t *testing.T) {
	names, err := fs.Glob(os.DirFS("."), "docs/*.md")
	if err != nil || len(names) < 25 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	for _, name := range append(names, "README.md") {
		for _, fault := range undefined(name, readFile(t, name)) {
			t.Error(fault)
		}
	}
}

// undefined returns the terms whose first use on a page is neither in a link nor in
// emphasis.
func undefined(name, page string) (faults []string) {
	seen := map[string]bool{}
	for _, p := range paragraphs(page) {
		marked := linked.ReplaceAllStringFunc(inCode.ReplaceAllString(p.text, "X"), strings.ToUpper)
		marked = regexp.MustCompile(`\*+[^*]+\*+`).ReplaceAllStringFunc(marked, strings.ToUpper)
		for _, found := range terms.FindAllString(marked, -1) {
			term := strings.TrimSuffix(strings.ToLower(found), "s")
			if !seen[term] && found != strings.ToUpper(found) {
				faults = append(faults, fmt.Sprintf("%s:%d: %q is used without a link to what it means", name, p.line, found))
			}
			seen[term] = true
		}
	}
	return faults
}

func TestUndefined(t *testing.T) {
	for text, want := range map[string]int{
		"The vectors say so.":                        1,
		"The [vectors](a.md#b) say so. A vector.":    0,
		"A **mutant** is wrong. Mutants are kept.":   0,
		"The ladder, and twins.":                     2,
		"`vectors` are a folder, the inventor said.": 0,
	} {
		if got := undefined("a.md", text); len(got) != want {
			t.Errorf("undefined(%q) = %q, want %d", text, got, want)
		}
	}
}
