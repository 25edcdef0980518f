package site

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
)

// readProblems returns the pages about problems by their names, and their index.
func readProblems(t *testing.T) (texts map[string]string, index string) {
	t.Helper()
	names, err := fs.Glob(pages, "problems/*.md")
	if err != nil || len(names) < 20 {
		t.Fatalf("%d problems, %v; want at least 20", len(names), err)
	}
	texts = map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(pages, name)
		if err != nil {
			t.Fatal(err)
		}
		texts[path.Base(name)] = string(text)
	}
	index = texts["README.md"]
	delete(texts, "README.md")
	return texts, index
}

// TestProblems: each page has its parts in order, from the reader's remedies to the
// output of the tool; it cites places where people asked, and the index lists it under
// its title.
func TestProblems(t *testing.T) {
	texts, index := readProblems(t)
	for name, page := range texts {
		for _, fault := range problemFaults(name, page, index) {
			t.Errorf("docs/problems/%s: %s", name, fault)
		}
	}
}

var heading1 = regexp.MustCompile(`^# (.*)\n`)

func problemFaults(name, page, index string) (faults []string) {
	title := heading1.FindStringSubmatch(page)
	if title == nil || !strings.Contains(index, "["+title[1]+"]("+name+")") {
		faults = append(faults, "README.md does not name it by its title")
	}
	rest := page
	for _, part := range []string{"\n## In your shell\n", "\n## Repair\n", "\n## See it\n", "\n```console\n$ ttl ", "](../site/playground/page/index.html#", "\n## Why\n", "../rules/", "\n## Asked in public\n"} {
		_, after, ok := strings.Cut(rest, part)
		if !ok && !(part == "../rules/" && strings.Contains(page, part)) {
			faults = append(faults, "there is no "+strings.TrimSpace(part)+", or not in its place")
			continue
		}
		if part != "../rules/" {
			rest = after
		}
	}
	_, repair, _ := strings.Cut(page, "\n## Repair\n")
	repair, _, _ = strings.Cut(repair, "\n## ")
	if !strings.Contains(repair, "\n```") && !strings.Contains(repair, "\n    ") && !strings.Contains(repair, "`db.") {
		faults = append(faults, "the repair has no command")
	}
	if !regexp.MustCompile(`(?i)\bdeletes?\b`).MatchString(repair) {
		faults = append(faults, "the repair does not say what it deletes, or that it deletes nothing")
	}
	if n := len(regexp.MustCompile(`(?m)^- \[[^]]+\]\(https://[^)]+\)$`).FindAllString(rest, -1)); n < 2 {
		faults = append(faults, "it cites fewer than two places where people asked")
	}
	return faults
}

func TestProblemFaultsAreSeen(t *testing.T) {
	texts, index := readProblems(t)
	const name = "dates-are-strings.md"
	good := texts[name]
	for what, bad := range map[string]string{
		"another title":        strings.Replace(good, "# Dates", "# Times", 1),
		"no shell":             strings.Replace(good, "## In your shell", "## Shell", 1),
		"no part":              strings.Replace(good, "## Repair", "## Other", 1),
		"parts in disarray":    strings.Replace(strings.Replace(good, "## Why", "## X", 1), "## Repair", "## Why", 1),
		"no command to repair": regexp.MustCompile("(?s)(## Repair\n).*?(## See)").ReplaceAllString(good, "${1}This deletes nothing.\n\n$2"),
		"no word of deletes":   regexp.MustCompile("(?s)(## Repair\n).*?(## See)").ReplaceAllString(good, "${1}```js\ndb.c.find()\n```\n\n$2"),
		"no rule":              strings.ReplaceAll(good, "../rules/", ""),
		"no thread":            strings.ReplaceAll(good, "](https://github.com", "](http://github.com"),
		"no playground":        strings.ReplaceAll(good, "index.html#", "index.html"),
		"no command":           strings.ReplaceAll(good, "$ ttl", "$ mongosh"),
	} {
		if bad == good || len(problemFaults(name, bad, index)) == 0 {
			t.Errorf("%s is not seen", what)
		}
	}
}

// played finds the link into the playground.
var played = regexp.MustCompile(`\]\(\.\./site/playground/page/index\.html#([^)]*)\)`)

// TestProblemsInThePlayground: the link of each page leads to a question that the
// playground can answer. The answer has the verdict that the page shows, and is by a rule
// that the page names.
func TestProblemsInThePlayground(t *testing.T) {
	texts, _ := readProblems(t)
	for name, page := range texts {
		link := played.FindStringSubmatch(page)
		if link == nil {
			t.Errorf("docs/problems/%s has no link into the playground", name)
			continue
		}
		state, ok := playground.ParseFragment(link[1])
		if again := state.Fragment(); !ok || !strings.HasPrefix(again, link[1]) { // the playground may add the release
			t.Errorf("docs/problems/%s: the link is read as\n%s\nand not\n%s", name, again, link[1])
		}
		a := playground.Of(state, playground.View{})
		if len(a.Problems) > 0 {
			t.Errorf("docs/problems/%s: the playground does not understand it: %v", name, a.Problems)
			continue
		}
		if !strings.Contains(page, "`"+a.Rule+"`") && !strings.Contains(page, "\n  "+a.Rule+"\n") {
			t.Errorf("docs/problems/%s: the playground's rule is %s, which the page does not name", name, a.Rule)
		}
		if verdict := shownVerdict(page); verdict != "" && verdict != a.Verdict.String() {
			t.Errorf("docs/problems/%s: the page shows %q, and the playground %q", name, verdict, a.Verdict)
		}
	}
}

var firstWord = regexp.MustCompile("\n```console\n\\$ [^\n]*\n([a-z]+) ")

// shownVerdict is the state that the first command of a page prints, "" if it prints
// something else.
func shownVerdict(page string) string {
	m := firstWord.FindStringSubmatch(page)
	if m == nil || !slices.Contains([]string{"expired", "pending", "never"}, m[1]) {
		return ""
	}
	return m[1]
}

// TestProblemsOfTheSite: if the site has a playground, links into the playground stay
// within the site.
func TestProblemsOfTheSite(t *testing.T) {
	page := string(built[placeOfFile("problems/dates-are-strings.html")])
	if !strings.Contains(page, `href="../../playground/index.html#d=`) || strings.Contains(page, "playground/page") {
		t.Error("the link into the playground leads elsewhere")
	}
	if !markdown.Anchors([]byte("## Repair\n"))["repair"] || !strings.Contains(page, `id="repair"`) {
		t.Error("the parts have no anchors")
	}
}

// TestLossesAreRed: on each page, the sentence about documents that a command deletes at
// once is red, and comes before the command.
func TestLossesAreRed(t *testing.T) {
	texts, _ := readProblems(t)
	all := 0
	for name, page := range texts {
		prose := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(page, "")
		said := strings.Count(strings.Join(strings.Fields(prose), " "), "his deletes every ")
		html := string(built[placeOfFile("problems/"+strings.TrimSuffix(name, ".md")+".html")])
		if got := strings.Count(html, `<strong class="loss">`); got != said {
			t.Errorf("docs/problems/%s: %d sentences are red, want %d", name, got, said)
		}
		all += said
	}
	if all < 20 {
		t.Errorf("%d sentences say what a command deletes, want dozens", all)
	}
	if page := string(built[placeOfFile("rules/cosmos.mongo-ttl-unspecified.html")]); strings.Contains(page, `class="loss"`) || !strings.Contains(page, "<strong>Nothing goes at once: ") {
		t.Error("a repair by which nothing goes at once is in red")
	}
	if page := string(built[placeOfFile("rules/mongo.field-not-date.html")]); !strings.Contains(page, `<strong class="loss">This deletes every `) {
		t.Error("the page of mongo.field-not-date has none")
	}
}

// TestRulesNameTheirProblems: a rule leads to the problems that it explains, and first to
// problems whose command prints the rule.
func TestRulesNameTheirProblems(t *testing.T) {
	rule := string(built[placeOfFile("rules/mongo.array-earliest.html")])
	if !strings.Contains(rule, `Problems that this rule explains: <a href="../../fix/array/index.html">TTL index on an array: the whole document is deleted</a> · `) {
		t.Error("mongo.array-earliest does not name its problem first")
	}
	if n := strings.Count(string(built[placeOfFile("rules/mongo.date.html")]), `href="../../fix/`) - 1; n != mostProblems { // one is in the menu
		t.Errorf("mongo.date names %d problems, want %d", n, mostProblems)
	}
	if strings.Contains(string(built[placeOfFile("rules/mongo.collmod-unique.html")]), "Problems that this rule explains") {
		t.Error("mongo.collmod-unique explains no problem, and names some")
	}
}

// TestStandIns: the pages' statements about stand-ins for MongoDB agree with the results.
func TestStandIns(t *testing.T) {
	results, err := fs.ReadFile(pages, "results/README.md")
	if err != nil {
		t.Fatal(err)
	}
	texts, _ := readProblems(t)
	var passed [2][2]int // mongomock and nedb: the checks that passed, and all checks
	for i, name := range []string{"mongomock", "@seald-io/nedb"} {
		row := regexp.MustCompile(`(?m)^\| <a id="[^"]*"></a>\[` + name + `\]\([^)]*\) \S+ \| [^|]* \| (\d+) of (\d+) \|`).FindSubmatch(results)
		if row == nil {
			t.Fatalf("docs/results/README.md has no row for %s", name)
		}
		for j := range 2 {
			if passed[i][j], err = strconv.Atoi(string(row[1+j])); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, want := range []string{
		fmt.Sprintf("mongomock fails %d of the %d checks", passed[0][1]-passed[0][0], passed[0][1]),
		fmt.Sprintf("nedb passes %d of %d checks", passed[1][0], passed[1][1]),
	} {
		if !strings.Contains(strings.Join(strings.Fields(texts["emulators.md"]), " "), want) {
			t.Errorf("docs/problems/emulators.md does not say %q", want)
		}
	}
}
