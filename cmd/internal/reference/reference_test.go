package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const root = "../../../"

func TestPagesAreFresh(t *testing.T) {
	for name, want := range pages() {
		got, err := os.ReadFile(root + "docs/rules/" + name)
		if err != nil || string(got) != want {
			t.Errorf("docs/rules/%s is stale (%v): go run ./cmd/internal/reference writes it", name, err)
		}
	}
}

// identifiers returns all identifiers of both catalogues.
func identifiers() map[string]bool {
	known := map[string]bool{}
	for _, rules := range []func(func(*policy.Rule) bool){mongo.Rules(), cosmos.Rules()} {
		for r := range rules {
			known[r.ID] = true
		}
	}
	return known
}

// documents returns the pages for readers, by their paths from the root.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/rules/*.md", "testdata/samples/*.md"} {
		paths, err := filepath.Glob(root + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[strings.TrimPrefix(filepath.ToSlash(path), root)] = string(b)
		}
	}
	if len(texts) < 12 {
		t.Fatalf("%d pages, want all of them", len(texts))
	}
	return texts
}

// cited finds rules; the operations of the adapter look like some.
var cited = regexp.MustCompile("`((?:mongo|cosmos)\\.[a-z0-9-]+)`")

// unknown returns the rules that a text cites and that no catalogue has.
func unknown(text string, known map[string]bool) (list []string) {
	for _, m := range cited.FindAllStringSubmatch(text, -1) {
		if !known[m[1]] && m[1] != "cosmos.decide" {
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

// tables are the pages each line of whose tables names a rule, or says that
// there is none.
var tables = []string{"docs/mongodb-manual.md", "docs/cosmos-pages.md", "docs/disagreements.md"}

// unruled returns the lines of tables that name no rule and do not say so.
func unruled(text string) (list []string) {
	body := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "|--"):
			body = true
		case !strings.HasPrefix(line, "|"):
			body = false
		case body && !cited.MatchString(line) && !strings.Contains(line, "no rule: "):
			list = append(list, line)
		}
	}
	return list
}

func TestTablesNameRules(t *testing.T) {
	texts := documents(t)
	for _, path := range tables {
		if texts[path] == "" {
			t.Errorf("%s is missing", path)
		}
		for _, line := range unruled(texts[path]) {
			t.Errorf("%s: no rule and no reason in %s", path, line)
		}
	}
	if got := unruled("| a | b |\n|---|---|\n| x | `mongo.date` |\n| y | no rule: prose |\n| z | w |\n"); len(got) != 1 || !strings.Contains(got[0], "z") {
		t.Errorf("the check finds %v", got)
	}
}

var linked = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// dead returns the links of a page at path that lead nowhere.
func dead(path, text string, anchors map[string]string) (list []string) {
	for _, m := range linked.FindAllStringSubmatch(text, -1) {
		target, anchor, _ := strings.Cut(m[1], "#")
		if strings.HasPrefix(target, "https://") {
			continue
		}
		there := path
		if target != "" {
			there = filepath.ToSlash(filepath.Join(filepath.Dir(path), target))
		}
		if _, err := os.Stat(root + there); err != nil || strings.Contains(target, "://") {
			list = append(list, m[1])
		} else if page, isPage := anchors[there]; anchor != "" && (!isPage || !hasAnchor(page, anchor)) {
			list = append(list, m[1])
		}
	}
	return list
}

// hasAnchor reports whether a page has a heading or an anchor of that name.
func hasAnchor(page, name string) bool {
	if strings.Contains(page, `<a id="`+name+`">`) {
		return true
	}
	for line := range strings.Lines(page) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") && slug(heading) == name {
			return true
		}
	}
	return false
}

var notInSlug = regexp.MustCompile(`[^a-z0-9 _-]`)

// slug returns the anchor that code hosts give a heading.
func slug(heading string) string {
	return strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
}

func TestLinksAreAlive(t *testing.T) {
	texts := documents(t)
	for path, text := range texts {
		for _, link := range dead(path, text, texts) {
			t.Errorf("%s: the link %s leads nowhere", path, link)
		}
	}
	sample := "[a](#the-top) [b](rules/mongodb.md#mongo.date) [c](gone.md) [d](cli.md#gone) [e](http://x) [f](https://x)"
	if got := dead("docs/cli.md", sample, map[string]string{"docs/cli.md": "# The top\n", "docs/rules/mongodb.md": `<a id="mongo.date">`}); !slices.Equal(got, []string{"gone.md", "cli.md#gone", "http://x"}) {
		t.Errorf("the check finds %v", got)
	}
}
