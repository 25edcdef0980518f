package site

import (
	"fmt"
	"path"
	"strings"
	"sync"
	"testing"

	playpage "github.com/ttlpolicy/ttlpolicy/docs/site/playground/page"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// at is the address of the site in these tests.
const at Address = "https://example.org/ttl"

// withAddress is the site of this checkout at an address.
var withAddress = sync.OnceValue(func() Site {
	return mustBuild(Source{Pages: pages, Book: book, Playground: playpage.FS, Program: Program{Packed: []byte("packed"), Starter: []byte("// starts the program")}, Address: at})
})

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
	for file, page := range withAddress() {
		want := at.Of(file)
		if path.Ext(file) != ".html" || file == notFound {
			want = ""
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
		if got := canonical(withAddress()[file]); got != want {
			t.Errorf("%s has the address %q, want %q", file, got, want)
		}
	}
}

// TestVersion: each page names the version of the build, and the day on which a source was read last.
func TestVersion(t *testing.T) {
	page := string(built[placeOfFile("rules/mongo.date.html")])
	for _, want := range []string{`, version ` + fmt.Sprint(mongo.RulesVersion) + `, and of Azure Cosmos DB`, `; sources read until 2026-`, `; ttl v1.2.3.`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of mongo.date lacks %s", want)
		}
	}
}

// TestNotFoundPage: the links of the page for missing files work at any path.
func TestNotFoundPage(t *testing.T) {
	for _, tt := range []struct {
		site Site
		root string
	}{{built, "/"}, {withAddress(), "/ttl/"}} {
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

// TestPicture: a page with an address names a picture that the site has.
func TestPicture(t *testing.T) {
	want := `<meta property="og:image" content="https://example.org/ttl/` + picture + `">`
	if !strings.Contains(string(withAddress()["rules/mongo.date/index.html"]), want) {
		t.Errorf("the page of mongo.date lacks %s", want)
	}
	if len(withAddress()[picture]) == 0 {
		t.Errorf("the site lacks %s", picture)
	}
}
