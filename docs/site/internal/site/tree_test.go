package site

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

var update = flag.Bool("update", false, "add the addresses of this build to testdata/addresses.txt")

// kept is the list of addresses that the site promises to keep.
const kept = "testdata/addresses.txt"

// TestAddressesStay: each address that the site ever promised still leads to a page.
func TestAddressesStay(t *testing.T) {
	if *update {
		before, _ := os.ReadFile(kept)
		all := map[string]bool{}
		for line := range strings.Lines(string(before)) {
			all[strings.TrimSuffix(line, "\n")] = true
		}
		for file := range built {
			if path.Ext(file) == ".html" && file != notFound || strings.HasPrefix(file, "rules/") {
				all["/"+folderOf(file)] = true
			}
		}
		if err := os.WriteFile(kept, []byte(strings.Join(slices.Sorted(maps.Keys(all)), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(list)) {
		n++
		address := strings.TrimSuffix(line, "\n")
		file := strings.TrimPrefix(address, "/")
		if file == "" || strings.HasSuffix(file, "/") {
			file += "index.html"
		}
		if built[file] == nil {
			t.Errorf("%s leads nowhere: the site promised to keep it, so let it redirect", address)
		}
	}
	if n < 1000 {
		t.Errorf("%d addresses, want all pages and what they were called", n)
	}
}

// TestAddressesHaveNoEnding: a page is a folder, except pages that servers look for by
// name, and the page for frames.
func TestAddressesHaveNoEnding(t *testing.T) {
	list, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	for file := range built {
		if path.Ext(file) != ".html" || hasMoved(file) || file == notFound || file == frame {
			continue
		}
		if path.Base(file) != "index.html" {
			t.Errorf("%s ends in .html: give it a place in the tree", file)
		}
		if address := "/" + folderOf(file); !strings.Contains("\n"+string(list), "\n"+address+"\n") {
			t.Errorf("%s is not in %s; go test -run AddressesStay -update adds it", address, kept)
		}
	}
}

// TestTree: each page lies in one of the branches, and every branch has an index.
func TestTree(t *testing.T) {
	branches := strings.Fields("start fix recipes compare rules tool implement contribute")
	for file := range built {
		branch, _, _ := strings.Cut(file, "/")
		if path.Ext(file) != ".html" || hasMoved(file) || slices.Contains(branches, branch) || slices.Contains([]string{"index.html", notFound, "playground", "r", "why"}, branch) {
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

// TestMoved: an old address leads to the page, with a script, which keeps the part after
// the #, and without a script.
func TestMoved(t *testing.T) {
	for _, tt := range []struct{ old, to string }{
		{"side-by-side.html", "compare/mongodb-and-cosmos-db/index.html"}, {"problems/array.html", "../fix/array/index.html"}, {"rules/mongo.date.html", "../rules/mongo.date/index.html"},
	} {
		for _, want := range []string{`<a id="moved" href="` + tt.to + `">`, `content="0; url=` + tt.to + `"`, "moved.js"} {
			if !strings.Contains(string(built[tt.old]), want) {
				t.Errorf("%s lacks %s: %s", tt.old, want, built[tt.old])
			}
		}
	}
	if want := "/problems/array.html /fix/array/ 301\n"; !strings.Contains(string(built["_redirects"]), want) {
		t.Errorf("_redirects lacks %q", want)
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
	for file, want := range map[string]string{"start/index.html": "Get started", "fix/array/index.html": "Fix", "rules/mongo.date/index.html": "Rules", "tool/commands/plan/index.html": "Tool", "playground/index.html": "Playground", "index.html": "", "why/mongo.date/index.html": ""} {
		_, rest, marked := strings.Cut(string(built[file]), `aria-current="true">`)
		name, _, _ := strings.Cut(rest, "<")
		if marked != (want != "") || name != want || strings.Contains(rest, `aria-current="true">`) {
			t.Errorf("the menu of %s marks %q, want %q", file, name, want)
		}
	}
}

// TestMovedParts: if a part became a page, the old page keeps the anchors of the part,
// and the script of the site leads from them to the new page.
func TestMovedParts(t *testing.T) {
	for _, tt := range []struct{ file, anchor, to string }{
		{"tool/commands/index.html", "ttl-forecast", "../../tool/commands/forecast/index.html"}, {"tool/commands/index.html", "counts-for-prometheus", "../../tool/commands/forecast/index.html#counts-for-prometheus"},
		{"tool/commands/index.html", "ttl-docs-serve", "../../tool/commands/docs/index.html#ttl-docs-serve"}, {"implement/conformance/index.html", "claims", "../../implement/conformance/reference/index.html#claims"}, {"implement/conformance/index.html", "vectors", "../../implement/conformance/vectors/index.html"},
	} {
		if want := `<a id="` + tt.anchor + `" data-moved href="` + tt.to + `" hidden></a>`; !strings.Contains(string(built[tt.file]), want) {
			t.Errorf("%s lacks %s", tt.file, want)
		}
	}
	if script := string(built["site.js"]); !strings.Contains(script, `a[data-moved]`) {
		t.Error("the script of the site leads to no part")
	}
}

// lowerNames are the names of programs and commands that begin with a small letter.
var lowerNames = regexp.MustCompile(`^(ttl|forecast|mingo)\b`)

func TestLeads(t *testing.T) {
	for _, section := range []string{"compare/index.html", "tool/index.html", "contribute/index.html"} {
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
