package site

import (
	"fmt"
	"html"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	playpage "github.com/ttlpolicy/ttlpolicy/docs/site/playground/page"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// pages are the pages of this checkout, and book is its book.
var pages, book = mustRead()

func mustRead() (fs.FS, *rulebook.Book) {
	pages, b, err := rulebook.Read("../../../..")
	if err != nil {
		panic(err)
	}
	return pages, b
}

// built is the site of this checkout.
var built = mustBuild(Source{Pages: pages, Book: book, Playground: playpage.FS, Program: Program{Packed: []byte("packed"), Starter: []byte("// starts the program")}, Version: "ttl v1.2.3"})

func mustBuild(from Source) Site {
	s, err := Build(from)
	if err != nil {
		panic(err)
	}
	return s
}

// values returns the values of the attributes of a page that have one of the
// names.
func values(page []byte, names ...string) (all []string) {
	for before, rest, more := strings.Cut(string(page), `="`); more; before, rest, more = strings.Cut(rest, `="`) {
		if !slices.Contains(names, before[strings.LastIndexAny(before, " \t\n")+1:]) {
			continue
		}
		value, _, _ := strings.Cut(rest, `"`)
		all = append(all, html.UnescapeString(value))
	}
	return all
}

// links returns the targets of the links of a page, and the files that it loads.
func links(page []byte) []string { return values(page, "href", "src", "action") }

// labels returns the anchors by which parts of a page name each other.
func labels(page []byte) []string { return values(page, "aria-labelledby", "aria-controls", "for") }

// dead returns the links of s that lead nowhere, and the anchors that are missing or stand twice,
// each with its page.
func dead(s Site) (list []string) {
	ids := map[string]map[string]int{}
	for file, page := range s {
		ids[file] = map[string]int{}
		for _, id := range values(page, "id") {
			ids[file][id]++
		}
	}
	for _, file := range slices.Sorted(maps.Keys(s)) {
		if path.Ext(file) != ".html" {
			continue
		}
		for _, link := range links(s[file]) {
			target, anchor, _ := strings.Cut(link, "#")
			target, _, _ = strings.Cut(target, "?v=")
			if strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "data:,") {
				continue
			}
			there := file
			if target != "" {
				there = path.Join(path.Dir(file), target)
			}
			if strings.HasSuffix(target, "/") && target != "/ttl/" {
				there = path.Join(there, "index.html")
			}
			if fromRoot, ok := strings.CutPrefix(target, "/"); ok {
				there = strings.TrimPrefix(fromRoot, "ttl/")
				if there == "" || strings.HasSuffix(there, "/") {
					there += "index.html"
				}
			}
			if strings.HasPrefix(there, "playground/") {
				anchor = "" // a question, not a place
			}
			if s[there] == nil || anchor != "" && ids[there][anchor] == 0 {
				list = append(list, file+" "+link)
			}
		}
		for _, named := range labels(s[file]) {
			for id := range strings.FieldsSeq(named) {
				if ids[file][id] == 0 {
					list = append(list, file+" lacks "+id)
				}
			}
		}
		for id, n := range ids[file] {
			if n > 1 {
				list = append(list, file+" has the anchor "+id+" twice")
			}
		}
	}
	slices.Sort(list)
	return list
}

func TestLinksAreAlive(t *testing.T) {
	sites := map[Address]Site{"": built}
	if !testing.Short() {
		sites[at] = withAddress()
	}
	for at, s := range sites {
		if list := dead(s); len(list) > 0 {
			t.Errorf("at %q %d links lead nowhere: %q", at, len(list), list[:min(len(list), 20)])
		}
	}
}

func TestDeadLinksAreSeen(t *testing.T) {
	s := Site{
		"index.html":   []byte(`<a href="a/b.html#x">1</a> <a href="a/b.html#y">2</a> <a href="gone.html">3</a> <img src="gone.png"> <a href="https://x">4</a> <a href="http://x">5</a> <a href="#z">6</a> <p id="w" aria-labelledby="w v">`),
		"a/b.html":     []byte(`<p id="x"> <a href="../index.html">7</a> <a href="index.html">8</a>`),
		"a/twice.html": []byte(`<p id="x"><p id="x">`),
	}
	want := []string{"a/b.html index.html", "a/twice.html has the anchor x twice", "index.html #z", "index.html a/b.html#y", "index.html gone.html", "index.html gone.png", "index.html http://x", "index.html lacks v"}
	if got := dead(s); !slices.Equal(got, want) {
		t.Errorf("dead = %q, want %q", got, want)
	}
}

// clicks returns for each page the number of links to follow from the index.
func clicks(s Site) map[string]int {
	away := map[string]int{"index.html": 0}
	for next := []string{"index.html"}; len(next) > 0; next = next[1:] {
		for _, link := range links(s[next[0]]) {
			target, _, _ := strings.Cut(link, "#")
			there := path.Join(path.Dir(next[0]), target)
			if _, seen := away[there]; !seen && target != "" && path.Ext(there) == ".html" && s[there] != nil {
				away[there] = away[next[0]] + 1
				next = append(next, there)
			}
		}
	}
	return away
}

// TestReachable: the index leads to every page, to every rule in two clicks, and to the
// pages that list the vendors' statements in one click.
func TestReachable(t *testing.T) {
	away := clicks(built)
	for file := range built {
		if _, ok := away[file]; !ok && path.Ext(file) == ".html" && file != notFound {
			t.Errorf("no link leads from the index to %s: name it in docs/README.md", file)
		}
	}
	for r := range suite.Rules() {
		if n, ok := away[placeOfFile("rules/"+r.ID()+".html")]; !ok || n > 2 {
			t.Errorf("the page of %s is %d clicks away, %v; want 2", r, n, ok)
		}
	}
	for _, file := range []string{"mongodb-manual.html", "cosmos-pages.html", "disagreements.html", "side-by-side.html", "operators.html", "results/index.html"} {
		if n, ok := away[placeOfFile(file)]; !ok || n != 1 {
			t.Errorf("%s is %d clicks away, %v; want 1", file, n, ok)
		}
	}
}

func TestClicks(t *testing.T) {
	got := clicks(Site{"index.html": []byte(`<a href="a.html">`), "a.html": []byte(`<a href="b/c.html#x">`), "b/c.html": []byte(`<a href="../index.html">`), "lost.html": []byte(`<a href="a.html">`)})
	if want := map[string]int{"index.html": 0, "a.html": 1, "b/c.html": 2}; !maps.Equal(got, want) {
		t.Errorf("clicks = %v, want %v", got, want)
	}
}

// TestStatementsLeadToRules: every rule that the pages about the vendors'
// statements name is a link to its page.
func TestStatementsLeadToRules(t *testing.T) {
	unlinked := regexp.MustCompile(`[^>]<code>((?:mongo|cosmos)\.[a-z0-9-]+)</code>`)
	for _, file := range []string{"mongodb-manual.html", "cosmos-pages.html", "disagreements.html", "side-by-side.html"} {
		page := string(built[placeOfFile(file)])
		for _, m := range unlinked.FindAllStringSubmatch(page, -1) {
			if book.Page(m[1]) != nil {
				t.Errorf("%s names %s without a link", file, m[1])
			}
		}
		if n := strings.Count(page, `href="../../rules/`); n < 40 {
			t.Errorf("%s has %d links to rules, want dozens", file, n)
		}
	}
}

// loading finds the files of other sites that a page or a style sheet loads. Each
// expression begins with a fixed text, which makes the search quick.
var loading = []*regexp.Regexp{
	regexp.MustCompile(`src="(?:https?:)?//`),
	regexp.MustCompile(`<link[^>]* href="(?:https?:)?//`),
	regexp.MustCompile(`@import`),
	regexp.MustCompile(`url\([^#]`),
}

// elsewhere returns the first part of a page or style sheet that loads a file of another site,
// "" if none does.
func elsewhere(text string) string {
	for _, form := range loading {
		if found := form.FindString(text); found != "" {
			return found
		}
	}
	return ""
}

// TestPagesAreWhole: every page has the parts that readers and their tools rely on, and
// loads nothing from other sites.
func TestPagesAreWhole(t *testing.T) {
	nameless := regexp.MustCompile(`<th[^>]*>\s*</th>`)
	for file, page := range built {
		if path.Ext(file) != ".html" || strings.HasPrefix(file, "playground/") {
			continue
		}
		text := string(page)
		for _, want := range []string{`<html lang="en">`, "</title>\n<meta name=\"description\"", `<a class="skip" href="#main">`, `<main id="main"`, `name="viewport"`, "<h1", `role="search"`} {
			if strings.Count(text, want) != 1 {
				t.Errorf("%s has %q %d times, want once", file, want, strings.Count(text, want))
			}
		}
		if found := elsewhere(text); found != "" {
			t.Errorf("%s loads something from elsewhere: %s", file, found)
		}
		if strings.Contains(text, " style=\"") {
			t.Errorf("%s has a style of its own, which a content security policy refuses", file)
		}
		if strings.Contains(text, "<script>") || strings.Contains(text, ` on`+"click=") {
			t.Errorf("%s has a script of its own, which a content security policy refuses", file)
		}
		if strings.Contains(text, "<pre>") {
			t.Errorf("%s has code that does not scroll by keyboard", file)
		}
		if found := nameless.FindString(text); found != "" {
			t.Errorf("%s has a header that heads nothing: %s", file, found)
		}
		if strings.Contains(text, `role="region"`) {
			t.Errorf("%s calls tables landmarks", file)
		}
		if strings.Contains(text, "<title></title>") || strings.Contains(text, "<title> ·") || strings.Contains(text, `content=""`) {
			t.Errorf("%s lacks a title or a description", file)
		}
	}
	if found := elsewhere(string(built["style.css"])); found != "" {
		t.Errorf("style.css loads %s", found)
	}
}

// mostWords is the maximum number of words on a page, without vectors.
const mostWords = 2200

// longPages are the pages that may be longer: lists, where readers look something up by the
// table of contents or by search.
var longPages = map[string]int{
	"rules/mongodb/index.html":          9500, // every rule of MongoDB, with its statement, folded by topic
	"rules/cosmos/index.html":           4500, // every rule of Azure Cosmos DB, likewise
	"compare/changes/index.html":        8500, // every change of a release
	"implement/index.html":              5200, // the guide for authors of a store
	"tool/commands/forecast/index.html": 2400, // every part of the report
}

// hidden are the parts of a page that are not read as its text: vectors, and what a script or a
// field offers.
var hidden = regexp.MustCompile(`(?s)<article class="vector".*?</article>|<template.*?</template>|<select.*?</select>|<datalist.*?</datalist>|<script.*?</script>|<svg.*?</svg>`)

var tag = regexp.MustCompile(`<[^>]+>`)

// words counts the words of the text of a page.
func words(page []byte) int {
	_, text, _ := strings.Cut(string(page), `<main`)
	_, text, _ = strings.Cut(text, ">")
	text, _, _ = strings.Cut(text, "</main>")
	return len(strings.Fields(html.UnescapeString(tag.ReplaceAllString(hidden.ReplaceAllString(text, " "), " "))))
}

// TestPagesAreShort: no page is longer than somebody reads, except the lists that are named here.
func TestPagesAreShort(t *testing.T) {
	pages := 0
	for file, page := range built {
		if path.Ext(file) != ".html" || strings.HasPrefix(file, "playground/") {
			continue
		}
		pages++
		limit, isLong := longPages[file]
		if !isLong {
			limit = mostWords
		}
		if n := words(page); n > limit {
			t.Errorf("%s has %d words, want %d at most: split it, or fold what few need onto a page of its own", file, n, limit)
		} else if isLong && n <= mostWords {
			t.Errorf("%s has %d words and needs no limit of its own", file, n)
		}
	}
	for file := range longPages {
		if built[file] == nil {
			t.Errorf("there is no page %s", file)
		}
	}
	if pages < 350 {
		t.Errorf("%d pages were counted, want all", pages)
	}
}

// TestStatesHaveAStyle: the style sheet has a rule for the state of each answer.
func TestStatesHaveAStyle(t *testing.T) {
	shown := regexp.MustCompile(`class="state ([a-z-]+)"`)
	shownBy := map[string]string{} // a page for each state
	for file, page := range built {
		for _, m := range shown.FindAllSubmatch(page, -1) {
			shownBy[string(m[1])] = file
		}
	}
	for state, file := range shownBy {
		if !regexp.MustCompile(`(?m)^(?:[^{]*[ ,])?(?:\.state)?\.` + state + `\b[^{]*\{`).Match(built["style.css"]) {
			t.Errorf("%s shows the state %s, and style.css has no rule for it", file, state)
		}
	}
	if len(shownBy) < 3 {
		t.Errorf("%v are shown, want at least expired, pending and never", shownBy)
	}
}

// TestWords: vectors and tags do not count.
func TestWords(t *testing.T) {
	page := `<p>outside</p><main id="main"><p>two <b>words</b></p><article class="vector">many more</article><svg>a drawing</svg></main>after`
	if got := words([]byte(page)); got != 2 {
		t.Errorf("words(%s) = %d, want 2", page, got)
	}
}

// TestRulePages: each page of a rule has the statement, its sources and its vectors.
// It shows ten vectors at most.
func TestRulePages(t *testing.T) {
	for r := range suite.Rules() {
		page := html.UnescapeString(string(built[placeOfFile("rules/"+r.ID()+".html")]))
		p := book.Page(r.ID())
		wanted := []string{r.Statement(), r.Citations()[0].Title, p.Releases(), p.Topic.Title}
		for _, w := range p.Repair.Ways {
			wanted = append(wanted, w.Intent.Heading()+": "+w.Text, w.AtOnce)
		}
		for _, want := range wanted {
			if !strings.Contains(page, want) {
				t.Errorf("the page of %s lacks %q", r, want)
			}
		}
		if n, want := strings.Count(page, `<article class="vector"`), min(10, len(p.Cases)); n != want {
			t.Errorf("the page of %s has %d vectors, want %d", r, n, want)
		}
	}
}

// TestVerdictOnce: the page of a rule has the statement once, in its lead, and an example that
// is kept for ever has no time line, which would be empty.
func TestVerdictOnce(t *testing.T) {
	never := 0
	for p := range book.Pages() {
		page := html.UnescapeString(string(built[placeOfFile(ruleFile(p))]))
		_, text, _ := strings.Cut(page, `<main`)
		text, _, _ = strings.Cut(text, `id="releases"`)
		if n := strings.Count(text, ">"+p.Statement()+"<") + strings.Count(text, " "+p.Statement()); n != 1 {
			t.Errorf("the page of %s has its statement %d times", p.ID(), n)
		}
		if p.Example != nil && p.Example.Answer.State == "never" {
			if never++; strings.Contains(text, "<figure") {
				t.Errorf("the page of %s has an empty time line", p.ID())
			}
		}
	}
	if never < 20 {
		t.Errorf("%d examples never expire, want dozens", never)
	}
}

// parts are the parts of the page of a rule, in the order in which readers need
// them: help first, and proof folded below.
var parts = []string{`<p class="lead">`, `id="example"`, `id="releases"`, `id="what-to-do"`, `id="sources"`,
	`id="often-confused-with"`, `id="what-documents-say"`, `id="misreadings"`, `id="implementations"`, `id="one-change-away"`, `id="vectors"`, `id="also-shown-by"`}

// checkRulePage returns an error if a page is larger than a phone on a slow line should
// load, or if its parts are in another order or unfolded.
func checkRulePage(page string) error {
	const limit = 65_000
	if len(page) > limit {
		return fmt.Errorf("%d bytes, want %d at most", len(page), limit)
	}
	last := -1
	for i, part := range parts {
		at := strings.Index(page, part)
		if at < 0 && i > 0 && part != `id="releases"` && part != `id="what-to-do"` && part != `id="sources"` && part != `id="vectors"` {
			continue
		}
		if at < last || at < 0 {
			return fmt.Errorf("%s stands at %d, want it after %d", part, at, last)
		}
		last = at
		if folded := strings.HasSuffix(page[:at], `<details class="fold"><summary><h2 `); folded != (i > 4) {
			return fmt.Errorf("%s is folded, %t; want what follows the sources folded, and nothing else", part, folded)
		}
	}
	return nil
}

// TestListsOfRulesAreFolded: the list of an engine's rules shows its topics, and each rule
// is folded under its topic.
func TestListsOfRulesAreFolded(t *testing.T) {
	for _, e := range book.Engines {
		page := string(built[placeOfFile(engineFile(e))])
		for _, topic := range e.Topics {
			_, fold, ok := strings.Cut(page, `<details class="fold"><summary><h3 id="`+topic.Anchor()+`">`)
			fold, _, closed := strings.Cut(fold, "</details>")
			if !ok || !closed {
				t.Errorf("%s: %q is not folded", e.Name, topic.Title)
			}
			for _, p := range topic.Pages {
				if !strings.Contains(fold, `<li id="`+p.ID()+`">`) {
					t.Errorf("%s is not in the fold of %q", p.ID(), topic.Title)
				}
			}
		}
	}
}

func TestRulePagesAreSmallAndOrdered(t *testing.T) {
	for r := range suite.Rules() {
		if err := checkRulePage(string(built[placeOfFile("rules/"+r.ID()+".html")])); err != nil {
			t.Errorf("the page of %s: %v", r, err)
		}
	}
}

func TestCheckRulePage(t *testing.T) {
	good := string(built[placeOfFile("rules/mongo.nan-zero.html")])
	if err := checkRulePage(good); err != nil {
		t.Fatal(err)
	}
	for what, page := range map[string]string{
		"a large page":       good + strings.Repeat(" ", 65_000),
		"no sources":         strings.Replace(good, `id="sources"`, `id="source"`, 1),
		"the example last":   strings.Replace(good, `id="example"`, "", 1) + `id="example"`,
		"vectors that stand": strings.Replace(good, `<summary><h2 id="vectors"`, `<h2 id="vectors"`, 1),
	} {
		if err := checkRulePage(page); err == nil {
			t.Errorf("%s is no error", what)
		}
	}
}

func TestSearchKnowsEveryRule(t *testing.T) {
	for r := range suite.Rules() {
		if !strings.Contains(string(built["search-index.js"]), `"rules/`+r.ID()+`/index.html"`) {
			t.Errorf("the search does not know %s", r)
		}
	}
	for _, file := range []string{"tool/operators/index.html", "compare/mongodb-and-cosmos-db/index.html"} {
		if !strings.Contains(string(built["search-index.js"]), `"`+file+`"`) {
			t.Errorf("the search does not know %s", file)
		}
	}
}

// TestGuideLinks: links of a guide lead to the site, or to the repository where
// the site has no such page.
func TestGuideLinks(t *testing.T) {
	empty := suite.Embedded().Only(func(*suite.Vector) bool { return false })
	s := mustBuild(Source{Pages: fstest.MapFS{
		"README.md":       {Data: []byte("# Index\n\n[rule](rules/mongodb/when-a-document-expires.md#mongo.date) [other](a/README.md) [up](../CONTRIBUTING.md) [code](../mongo) `mongo.date` [`cosmos.off`](https://x.example)\n")},
		"a/README.md":     {Data: []byte("# A\n\n[index](../README.md#index) ![drawn](../images/x.png) `cosmos.off`\n")},
		"images/x.png":    {Data: []byte("png")},
		"rules/README.md": {Data: []byte("# Rules\n")},
		"rules/mongodb/when-a-document-expires.md": {Data: []byte("not read")},
	}, Book: rulebook.New(empty, nil)})
	for file, want := range map[string][]string{
		"index.html":   {`<a href="rules/mongo.date/index.html">rule</a>`, `href="a/index.html"`, published.Repository + "/blob/main/CONTRIBUTING.md", published.Repository + "/blob/main/mongo", `<a href="rules/mongo.date/index.html"><code>mongo.date</code></a>`, `<a href="https://x.example"><code>cosmos.off</code></a>`},
		"a/index.html": {`href="../index.html#index"`, `src="../images/x.png"`, `<a href="../rules/cosmos.off/index.html"><code>cosmos.off</code></a>`},
	} {
		for _, link := range want {
			if !strings.Contains(string(s[file]), link) {
				t.Errorf("%s lacks %s:\n%s", file, link, s[file])
			}
		}
	}
}

// TestBox: the home page shows an answer before any script runs.
func TestBox(t *testing.T) {
	home := string(built["index.html"])
	for _, want := range []string{`<strong id="state">Never expires</strong>`, "createdAt holds a string, not a Date", "This deletes every document whose createdAt is a string with a zone and stands for a time more than 1 h ago", "$count", "Count first"} {
		if !strings.Contains(home, want) {
			t.Errorf("home has no %q", want)
		}
	}
}

// TestNewestFirst: the table of features begins with the newest release, and its cells
// are below the right columns.
func TestNewestFirst(t *testing.T) {
	for i, turned := range newestFirst(book.Features) {
		table := book.Features[i]
		if n := len(table.Columns); turned.Columns[0] != table.Columns[n-1] || turned.Columns[n-1] != table.Columns[0] || table.Columns[0].Line != "2.2" {
			t.Errorf("%s begins with %v, and the book with %v", table.Title, turned.Columns[0], table.Columns[0])
		}
		for k, f := range turned.Features {
			before, columns := table.Features[k].Stretches, 0
			for _, s := range f.Stretches {
				columns += s.Columns
			}
			if f.Stretches[0] != before[len(before)-1] || columns != len(turned.Columns) {
				t.Errorf("%s: %v over %d columns, want those of %v turned", f.Name, f.Stretches, columns, before)
			}
		}
	}
}

// TestWideTables: a table of text with many columns can be read on a phone, where each cell
// names its column. A table of marks or numbers stays a table.
func TestWideTables(t *testing.T) {
	page := string(built["compare/mongodb-and-cosmos-db/index.html"])
	if tables, wide := strings.Count(page, "<table"), strings.Count(page, `<table class="wide">`); wide != tables-1 {
		t.Errorf("%d of %d tables are wide, want all except the drawn matrix", wide, tables)
	}
	for _, want := range []string{`<td data-label="MongoDB">an index on one field`, `<td data-label="Cosmos DB for NoSQL">the container`, `<td>where it is set</td>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
