package main

import (
	"github.com/yuin/goldmark/ast"

	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

const root = "../../../"

var book = mustBook()

func mustBook() *rulebook.Book {
	_, b, err := rulebook.Read(root)
	if err != nil {
		panic(err)
	}
	return b
}

func TestPagesAreFresh(t *testing.T) {
	if list := stale(t, root+"docs/rules", book.Markdown()); len(list) > 0 {
		t.Errorf("stale in docs/rules: %q; go run ./docs/site/reference writes them", list)
	}
	linked, err := guides(root+"docs", book)
	if err != nil || len(linked) < 4 {
		t.Fatalf("%d guides with links to rules, %v; want several", len(linked), err)
	}
	for name, want := range linked {
		if got, err := os.ReadFile(root + "docs/" + name); err != nil || string(got) != want {
			t.Errorf("docs/%s is stale (%v); go run ./docs/site/reference writes its links", name, err)
		}
	}
}

// TestSmallFiles: the files of small programs are those that the records and the suite give.
func TestSmallFiles(t *testing.T) {
	files, err := forPrograms(book)
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files, %v; want 2", len(files), err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(root + "docs/" + name); err != nil || string(got) != want {
			t.Errorf("docs/%s is stale (%v); go run ./docs/site/reference writes it", name, err)
		}
	}
}

func TestLinkRules(t *testing.T) {
	const guide = "A `mongo.date`, [`cosmos.off`], `mongo.no-such-rule`.\n\n```\n`mongo.date`\n```\n\n    `mongo.date`\n\n"
	const want = "A [`mongo.date`], [`cosmos.off`], `mongo.no-such-rule`.\n\n```\n`mongo.date`\n```\n\n    `mongo.date`\n\n" + marker +
		"\n[`cosmos.off`]: rules/cosmos/when-an-item-expires.md#cosmos.off\n[`mongo.date`]: rules/mongodb/when-a-document-expires.md#mongo.date\n"
	got := linkRules(guide+marker+"\nstale\n", book, "rules/")
	if got != want {
		t.Errorf("linkRules writes\n%s\nwant\n%s", got, want)
	}
	if again := linkRules(got, book, "rules/"); again != got {
		t.Errorf("linkRules writes\n%s\nof what it wrote", again)
	}
	if got := linkRules(guide, book, "rules/"); got != guide {
		t.Errorf("linkRules changes a guide without the mark:\n%s", got)
	}
}

// TestStaleIsSeen: stale finds a changed page and a page of no rule, and writing again
// repairs both.
func TestStaleIsSeen(t *testing.T) {
	folder := t.TempDir()
	pages := map[string]string{"a.md": "a", "mongodb/b.md": "b"}
	if err := write(folder, pages); err != nil {
		t.Fatal(err)
	}
	if list := stale(t, folder, pages); len(list) > 0 {
		t.Errorf("stale = %q of what was just written", list)
	}
	for name, text := range map[string]string{"a.md": "other", "mongodb/gone.md": "a page of no rule"} {
		if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := stale(t, folder, pages), []string{"a.md", "mongodb/gone.md"}; !slices.Equal(got, want) {
		t.Errorf("stale = %q, want %q", got, want)
	}
	if err := write(folder, pages); err != nil {
		t.Fatal(err)
	}
	if list := stale(t, folder, pages); len(list) > 0 {
		t.Errorf("stale = %q after writing again", list)
	}
}

// written returns the names of the pages in folder, and in its folders.
func written(folder string) (names []string, err error) {
	for _, pattern := range []string{"*.md", "*/*.md"} {
		found, err := fs.Glob(os.DirFS(folder), pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

// stale returns the names of pages that are missing from folder or wrong in it,
// and of files that should not be there.
func stale(t *testing.T, folder string, pages map[string]string) (list []string) {
	t.Helper()
	names, err := written(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		if got, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name))); err != nil || string(got) != want {
			list = append(list, name)
		}
	}
	for _, name := range names {
		if _, ok := pages[name]; !ok {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// identifiers returns all identifiers of both catalogues.
func identifiers() map[string]bool {
	known := map[string]bool{}
	for r := range suite.Rules() {
		known[r.ID()] = true
	}
	return known
}

// documents returns the pages for readers, by their paths from the root.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		b, err := os.ReadFile(root + name)
		texts[name] = string(b)
		return err
	})
	if err != nil || len(texts) < 200 {
		t.Fatalf("%d pages, %v; want all of them", len(texts), err)
	}
	return texts
}

// cited finds identifiers of rules, and names of the adapter's operations, which have the
// same form.
var cited = regexp.MustCompile("`((?:mongo|cosmos)\\.[a-z0-9-]+)`")

// operations are the operations whose names could also be those of rules.
var operations = []string{"cosmos.decide", "cosmos.history"}

// unknown returns the rules that a text cites and that no catalogue has.
func unknown(text string, known map[string]bool) (list []string) {
	for _, m := range cited.FindAllStringSubmatch(text, -1) {
		if !known[m[1]] && !slices.Contains(operations, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

func TestCitedRulesExist(t *testing.T) {
	known := identifiers()
	for path, text := range documents(t) {
		for _, id := range unknown(text, known) {
			t.Errorf("%s cites %s, which is in no catalogue", path, id)
		}
	}
	if got := unknown("`mongo.date` `mongo.no-such-rule` `cosmos.off`", known); !slices.Equal(got, []string{"mongo.no-such-rule"}) {
		t.Errorf("the check finds %v", got)
	}
}

// tables are the pages with tables in which each row names a rule or says why there is
// none, each with its minimum number of rows.
var tables = map[string]int{"docs/mongodb-manual.md": 45, "docs/cosmos-pages.md": 69, "docs/disagreements.md": 39, "docs/side-by-side.md": 33}

var reason = regexp.MustCompile(`no rule: \pL`)

// unruled returns the rows of tables that name no rule of the catalogues and give no
// reason, and the number of all rows.
func unruled(text string, known map[string]bool) (list []string, rows int) {
	all := markdown.Rows([]byte(text))
	for _, row := range all {
		names := func(m []string) bool { return known[m[1]] }
		if !slices.ContainsFunc(cited.FindAllStringSubmatch(row.Line, -1), names) && !reason.MatchString(row.Line) {
			list = append(list, row.Line)
		}
	}
	return list, len(all)
}

func TestTablesNameRules(t *testing.T) {
	texts, known := documents(t), identifiers()
	for path, least := range tables {
		list, rows := unruled(texts[path], known)
		if rows < least {
			t.Errorf("%s has %d rows, want at least %d", path, rows, least)
		}
		for _, row := range list {
			t.Errorf("%s: no rule and no reason in %s", path, row)
		}
	}
}

// TestUnruledIsSeen: unruled finds rows without a rule and without a reason, under every
// kind of table head.
func TestUnruledIsSeen(t *testing.T) {
	known := identifiers()
	for _, head := range []string{"| a | b |\n|---|---|\n", "| a | b |\n| --- | --- |\n", "| a | b |\n| :-- | --: |\n", "a | b\n--- | ---\n"} {
		for row, want := range map[string]int{
			"| x | `mongo.date` |": 0, "| y | no rule: prose |": 0, "| y | no rule: an aim |": 0,
			"| z | w |": 1, "| z | `cosmos.decide` |": 1, "| z | `mongo.no-such-rule` |": 1, "| z | mongo.date |": 1,
			"| z | no rule: |": 1, "| z | no rule:  |": 1, "| z | no rule |": 1, "| z | |": 1,
		} {
			list, rows := unruled("text\n\n"+head+row+"\n", known)
			if len(list) != want || rows != 1 {
				t.Errorf("below %q the check finds %q in %d rows of %s, want %d", head, list, rows, row, want)
			}
		}
		if list, rows := unruled(head, known); len(list) != 0 || rows != 0 {
			t.Errorf("an emptied table has %d rows", rows)
		}
	}
}

// unsourced returns the rows of a page with an empty cell: the page's statement, the truth,
// the source, or the rules.
func unsourced(text string) (list []string) {
	for _, row := range markdown.Rows([]byte(text)) {
		if n := len(row.Cells); n < 4 || slices.Contains(row.Cells, "") {
			list = append(list, row.Line)
		}
	}
	return list
}

func TestDisagreementsAreSourced(t *testing.T) {
	for _, row := range unsourced(documents(t)["docs/disagreements.md"]) {
		t.Errorf("docs/disagreements.md leaves something out in %s", row)
	}
	got := unsourced("| # | unspecified | source | rules |\n| --- | --- | --- | --- |\n| U1 | a | b | c |\n| U2 | a | | c |\n| U3 | a | c |\n")
	if want := []string{"| U2 | a | | c |", "| U3 | a | c |"}; !slices.Equal(got, want) {
		t.Errorf("the check finds %q, want %q", got, want)
	}
}

// dead returns the links of a page at path that lead nowhere.
func dead(path, text string, anchors func(path string) map[string]bool) (list []string) {
	for _, link := range linksOf([]byte(text)) {
		target, anchor, _ := strings.Cut(link, "#")
		if strings.HasPrefix(target, "https://") {
			continue
		}
		there := path
		if target != "" {
			there = filepath.ToSlash(filepath.Join(filepath.Dir(path), target))
		}
		_, err := os.Stat(root + there)
		if there == "docs/site/playground/page/index.html" {
			anchor = "" // the fragment holds a question, and is no anchor
		}
		if err != nil || strings.Contains(target, "://") || anchor != "" && !anchors(there)[anchor] {
			list = append(list, link)
		}
	}
	return list
}

func TestLinksAreAlive(t *testing.T) {
	texts := documents(t)
	known := map[string]map[string]bool{}
	anchors := func(path string) map[string]bool {
		if known[path] == nil {
			known[path] = markdown.Anchors([]byte(texts[path]))
		}
		return known[path]
	}
	for path, text := range texts {
		for _, link := range dead(path, text, anchors) {
			t.Errorf("%s: the link %s leads nowhere", path, link)
		}
	}
}

func TestDeadLinksAreSeen(t *testing.T) {
	const sample = "[a](#the-top) [b](rules/mongodb.md#mongo.date) [c](gone.md) [d](cli.md#gone) [e](http://x) [f](https://x) [g] [h](../go.mod#L1)\n\n[g]: gone-too.md\n"
	anchors := func(path string) map[string]bool {
		return map[string]map[string]bool{"docs/cli.md": {"the-top": true}, "docs/rules/mongodb.md": {"mongo.date": true}}[path]
	}
	if got, want := dead("docs/cli.md", sample, anchors), []string{"gone.md", "cli.md#gone", "http://x", "gone-too.md", "../go.mod#L1"}; !slices.Equal(got, want) {
		t.Errorf("the check finds %q, want %q", got, want)
	}
}

// TestOldAnchors: the index of each engine keeps the anchors of the time when
// it held everything about the rules, because pages elsewhere link to them.
func TestOldAnchors(t *testing.T) {
	texts := documents(t)
	for id := range identifiers() {
		page := map[string]string{"mongo": "docs/rules/mongodb.md", "cosmos": "docs/rules/cosmos.md", "documentdb": "docs/rules/documentdb.md"}[strings.Split(id, ".")[0]]
		if !strings.Contains(texts[page], `<a id="`+id+`"></a>`) {
			t.Errorf("%s has no anchor %s", page, id)
		}
	}
}

// linksOf returns the targets of the links and images of a page.
func linksOf(page []byte) (all []string) {
	for n := range markdown.All(markdown.Parse(page)) {
		switch n := n.(type) {
		case *ast.Link:
			all = append(all, string(n.Destination))
		case *ast.Image:
			all = append(all, string(n.Destination))
		}
	}
	return all
}
