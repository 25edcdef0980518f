package site

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// TestAddressesHaveNoEnding: a page is a folder, except pages that servers look for by
// name, and the page for frames.
func TestAddressesHaveNoEnding(t *testing.T) {
	for file := range built {
		if path.Ext(file) == ".html" && file != notFound && file != frame && path.Base(file) != "index.html" {
			t.Errorf("%s ends in .html: give it a place in the tree", file)
		}
	}
}

// TestTree: each page lies in one of the branches, and every branch has an index.
func TestTree(t *testing.T) {
	branches := strings.Fields("start fix recipes compare rules tool implement contribute")
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
		"contribute/architecture/index.html":       `<p class="crumbs"><a href="../../contribute/index.html">Contribute</a></p>`,
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

// TestVectorsAreFiles: the site has the vectors as JSON, at addresses that an index lists.
func TestVectorsAreFiles(t *testing.T) {
	var index struct {
		Suite, Schema, Sources string
		Vectors                []string
	}
	if err := json.Unmarshal(built["vectors/index.json"], &index); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, name := range index.Vectors {
		var file struct{ Vectors []json.RawMessage }
		if err := json.Unmarshal(built["vectors/"+name], &file); err != nil {
			t.Errorf("vectors/%s: %v", name, err)
		}
		total += len(file.Vectors)
	}
	if all := len(suite.Embedded().Vectors); total != all || len(index.Vectors) < 5 {
		t.Errorf("%d files have %d vectors, want all %d", len(index.Vectors), total, all)
	}
	for _, name := range []string{index.Suite, index.Schema, index.Sources} {
		if !json.Valid(built["vectors/"+name]) {
			t.Errorf("vectors/%s is no JSON", name)
		}
	}
	if !strings.Contains(string(built["implement/conformance/vectors/index.html"]), `href="../../../vectors/index.json"`) {
		t.Error("the page of vectors does not lead to them")
	}
}
