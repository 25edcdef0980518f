package site

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestAddressesHaveNoEnding: a page is a folder, except pages that servers look for by
// name.
func TestAddressesHaveNoEnding(t *testing.T) {
	for file := range built {
		if path.Ext(file) == ".html" && file != notFound && path.Base(file) != "index.html" {
			t.Errorf("%s ends in .html: give it a place in the tree", file)
		}
	}
}

// TestTree: each page lies in one of the branches, and every branch has an index.
func TestTree(t *testing.T) {
	branches := strings.Fields("start fix recipes compare rules tool implement")
	for file := range built {
		branch, _, _ := strings.Cut(file, "/")
		if path.Ext(file) != ".html" || slices.Contains(branches, branch) || slices.Contains([]string{"index.html", notFound, "playground", "search"}, branch) {
			continue
		}
		t.Errorf("%s is in no branch of the tree", file)
	}
	for _, branch := range branches {
		if built[branch+"/index.html"] == nil {
			t.Errorf("the branch %s has no index", branch)
		}
	}
}

// TestCrumbs: each page below a branch leads to the pages above it, the branch first, and the
// menu marks the branch.
func TestCrumbs(t *testing.T) {
	for file, want := range map[string]string{
		"tool/commands/forecast/index.html":        `<p class="crumbs"><a href="../../../tool/index.html">Tool</a> › <a href="../../../tool/commands/index.html">Commands</a></p>`,
		"compare/mongodb-and-cosmos-db/index.html": `<p class="crumbs"><a href="../../compare/index.html">Compare</a></p>`,
		"compare/releases/index.html":              `<p class="crumbs"><a href="../../compare/index.html">Compare</a></p>`,
		"compare/changes/index.html":               `<p class="crumbs"><a href="../../compare/index.html">Compare</a></p>`,
		"fix/array/index.html":                     `<p class="crumbs"><a href="../../fix/index.html">Fix</a></p>`,
		"recipes/node/index.html":                  `<p class="crumbs"><a href="../../recipes/index.html">Recipes</a></p>`,
		"implement/conformance/vectors/index.html": `<p class="crumbs"><a href="../../../implement/index.html">Implement</a> › <a href="../../../implement/conformance/index.html">The conformance suite</a></p>`,
		"start/who-deletes-what/index.html":        `<p class="crumbs"><a href="../../start/index.html">Get started</a></p>`,
		"start/index.html":                         "", "index.html": "", "tool/index.html": "",
	} {
		page := string(built[file])
		if got := strings.Contains(page, `<p class="crumbs">`); got != (want != "") || !strings.Contains(page, want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}
	for file, want := range map[string]string{"start/index.html": "Get started", "fix/array/index.html": "Fix", "rules/mongo.date/index.html": "Rules", "tool/commands/plan/index.html": "Tool", "playground/index.html": "Playground", "index.html": ""} {
		_, rest, marked := strings.Cut(string(built[file]), `aria-current="true">`)
		name, _, _ := strings.Cut(rest, "<")
		if marked != (want != "") || name != want || strings.Contains(rest, `aria-current="true">`) {
			t.Errorf("the menu of %s marks %q, want %q", file, name, want)
		}
	}
}

// lowerNames are the names of programs and commands that begin with a small letter.
var lowerNames = regexp.MustCompile(`^(ttl|forecast|mingo)\b`)

func TestLeads(t *testing.T) {
	for _, section := range []string{"compare/index.html", "tool/index.html"} {
		n := 0
		for _, part := range strings.Split(string(built[section]), "</a><p>")[1:] {
			about, _, _ := strings.Cut(part, "</p>")
			if n++; !strings.HasSuffix(about, ".") && !strings.HasSuffix(about, "?") {
				t.Errorf("%s says %q of a page, want a whole sentence", section, about)
			}
			if first, _ := utf8.DecodeRuneInString(about); !unicode.IsUpper(first) && !lowerNames.MatchString(about) || strings.Contains(about, "://") {
				t.Errorf("%s says %q of a page, want a sentence that begins with its subject and has no address", section, about)
			}
		}
		if n < 5 {
			t.Errorf("%s lists %d pages", section, n)
		}
	}
}
