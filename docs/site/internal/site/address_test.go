package site

import (
	"encoding/xml"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	playpage "github.com/ttlpolicy/ttlpolicy/docs/site/playground/page"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// at is the address of the site in these tests.
const at Address = "https://example.org/ttl"

// withAddress is the site of this checkout at an address.
var withAddress = sync.OnceValue(func() Site {
	return mustBuild(Source{Pages: pages, Book: book, Playground: playpage.FS, Program: Program{Packed: []byte("packed"), Starter: []byte("// starts the program")}, Address: at, Changelog: []byte("# Changelog\n\nAll changes.\n\n## [0.1.0] - 2026-12-01\n")})
})

// addressed returns the site with an address. Drawing its pictures takes time, so a short
// run skips the test.
func addressed(t *testing.T) Site {
	t.Helper()
	if testing.Short() {
		t.Skip("draws a picture for each page")
	}
	return withAddress()
}

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"https://example.org":         "https://example.org",
		"https://example.org/":        "https://example.org",
		"https://example.org/ttl/":    at,
		"https://example.org/ttl":     at,
		"http://127.0.0.1:8080/a b//": "http://127.0.0.1:8080/a%20b",
	} {
		if got, err := ParseAddress(text); err != nil || got != want {
			t.Errorf("ParseAddress(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "example.org", "/ttl/", "ftp://example.org/", "https:///ttl", "https://a:b@example.org/", "https://example.org/?q", "https://example.org/?", "https://example.org/#", "https://exa mple.org/", "javascript:alert(1)"} {
		if got, err := ParseAddress(text); err == nil {
			t.Errorf("ParseAddress(%q) = %q, want an error", text, got)
		}
	}
}

// canonical returns the address that a page gives itself, "" if none.
func canonical(page []byte) string {
	_, rest, _ := strings.Cut(string(page), `<link rel="canonical" href="`)
	link, _, _ := strings.Cut(rest, `"`)
	return link
}

// TestCanonical: every page names its address if the site has an address, and no
// address otherwise.
func TestCanonical(t *testing.T) {
	for file, page := range addressed(t) {
		want := at.Of(file)
		if rule, ok := strings.CutPrefix(file, "r/"); ok {
			want = at.Of(placeOfFile("rules/" + path.Dir(rule) + ".html"))
		}
		switch {
		case path.Ext(file) != ".html" || file == notFound || hasMoved(file):
			want = ""
		case file == frame:
			want = at.Of("playground/index.html")
		}
		if got := canonical(page); got != want {
			t.Errorf("%s has the address %q, want %q", file, got, want)
		}
	}
	for file, page := range built {
		if canonical(page) != "" || strings.Contains(string(page), "og:url") {
			t.Errorf("%s has an address", file)
		}
	}
	for file, want := range map[string]string{"index.html": "https://example.org/ttl/", "compare/implementations/index.html": "https://example.org/ttl/compare/implementations/", "rules/mongo.date/index.html": "https://example.org/ttl/rules/mongo.date/"} {
		if got := canonical(addressed(t)[file]); got != want {
			t.Errorf("%s has the address %q, want %q", file, got, want)
		}
	}
}

// TestMap: the map of the site has every page that searches should find, once. Pages in
// the folder why are left out, because each shows the home page's box for the question in
// a link.
func TestMap(t *testing.T) {
	var got struct {
		Pages []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal(addressed(t)["sitemap.xml"], &got); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, file := range slices.Sorted(maps.Keys(addressed(t))) {
		if path.Ext(file) == ".html" && !hasMoved(file) && !strings.HasPrefix(file, "r/") && !strings.HasPrefix(file, "why/") && file != "404.html" && file != frame {
			want = append(want, at.Of(file))
		}
	}
	if !slices.Equal(got.Pages, want) {
		t.Errorf("the map has %d pages, want %d (-want +got):\n%s", len(got.Pages), len(want), cmp.Diff(want, got.Pages))
	}
	if got, want := string(addressed(t)["robots.txt"]), "User-agent: *\nAllow: /\nSitemap: https://example.org/ttl/sitemap.xml\n"; got != want {
		t.Errorf("robots.txt = %q, want %q", got, want)
	}
	for _, file := range []string{"sitemap.xml", "robots.txt"} {
		if _, ok := built[file]; ok {
			t.Errorf("%s is there without an address", file)
		}
	}
}

// TestShortLinks: every rule has a short link that leads to its page without a script.
func TestShortLinks(t *testing.T) {
	for r := range suite.Rules() {
		page, to := string(built["r/"+r.ID+"/index.html"]), "../../rules/"+r.ID+"/index.html"
		for _, want := range []string{`<meta http-equiv="refresh" content="0; url=` + to + `">`, `<a href="` + to + `">`} {
			if !strings.Contains(page, want) {
				t.Errorf("the short link to %s lacks %s", r, want)
			}
		}
	}
	for _, tt := range []struct {
		site Site
		want []string
	}{
		{built, []string{`href="../../r/mongo.date/index.html">/r/mongo.date</a>`, `data-copy="mongo.date: `, ` (ttlpolicy, MongoDB rules version ` + fmt.Sprint(mongo.RulesVersion) + `)"`, `; sources read until 2026-`, `; ttl v1.2.3.`}},
		{addressed(t), []string{`href="https://example.org/ttl/r/mongo.date">https://example.org/ttl/r/mongo.date</a>`, `(ttlpolicy, MongoDB rules version ` + fmt.Sprint(mongo.RulesVersion) + `) https://example.org/ttl/r/mongo.date"`}},
	} {
		for _, want := range tt.want {
			if !strings.Contains(string(tt.site[placeOfFile("rules/mongo.date.html")]), want) {
				t.Errorf("the page of mongo.date lacks %s", want)
			}
		}
	}
}

// TestNotFoundPage: the links of the page for missing files work at any path.
func TestNotFoundPage(t *testing.T) {
	for _, tt := range []struct {
		site Site
		root string
	}{{built, "/"}, {addressed(t), "/ttl/"}} {
		for _, link := range links(tt.site[notFound]) {
			if !strings.HasPrefix(link, tt.root) && !strings.HasPrefix(link, "https://") && link != "#main" {
				t.Errorf("the page for what is not there links to %q, which is not below %s", link, tt.root)
			}
		}
	}
}

// TestStamps: the address of a style or script changes with its contents.
func TestStamps(t *testing.T) {
	b := &builder{site: Site{"index.html": []byte(`<link href="a.css"><script src="b.js">`), "r/x.html": []byte(`<link href="../a.css"><p>a.css`), "a.css": []byte("1"), "b.js": []byte("2")}}
	b.stamp()
	for file, want := range map[string]string{
		"index.html": `<link href="a.css?v=6b86b273ff34"><script src="b.js?v=d4735e3a265e">`,
		"r/x.html":   `<link href="../a.css?v=6b86b273ff34"><p>a.css`,
	} {
		if got := string(b.site[file]); got != want {
			t.Errorf("%s = %s, want %s", file, got, want)
		}
	}
}

// TestCards: every page with an address names an existing, small picture.
func TestCards(t *testing.T) {
	total := 0
	for file, page := range addressed(t) {
		if path.Ext(file) != ".html" || canonical(page) == "" {
			continue
		}
		_, rest, _ := strings.Cut(string(page), `<meta property="og:image" content="https://example.org/ttl/`)
		name, _, _ := strings.Cut(rest, `"`)
		png := addressed(t)[name]
		if size := len(png); !strings.HasPrefix(string(png), "\x89PNG") || size > 20<<10 {
			t.Errorf("%s has the picture %q of %d bytes", file, name, size)
		}
		if !strings.HasPrefix(file, "r/") {
			total += len(png)
		}
	}
	if total < 1<<20 || total > 8<<20 {
		t.Errorf("all pictures have %d bytes, want 1 to 8 MB", total)
	}
	if got, want := addressed(t)["r/mongo.date/index.html"], `content="https://example.org/ttl/cards/rules/mongo.date.png"`; !strings.Contains(string(got), want) {
		t.Errorf("the short link to mongo.date lacks %s", want)
	}
	if got, want := addressed(t)["why/mongo.date/index.html"], `content="https://example.org/ttl/cards/why/mongo.date.png"`; !strings.Contains(string(got), want) {
		t.Errorf("the page of answers by mongo.date lacks %s", want)
	}
	for file := range built {
		if strings.HasPrefix(file, "cards/") {
			t.Errorf("%s is there without an address", file)
		}
	}
}
