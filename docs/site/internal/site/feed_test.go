package site

import (
	"encoding/xml"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

const changelog = `# Changelog

All notable changes.

## [Unreleased]

### Fixed

- ` + "`mongo.date`" + ` decides, see [limits](docs/limits.md#time), and <nothing> else.

## [0.2.0] - 2026-12-01

### Added

- [A thing](https://example.com/).

## [0.1.0] - 2026-11-01

[Unreleased]: https://example.com/compare
`

// changed is a small site with a changelog.
func changed(at Address, built time.Time) Site {
	few := rulebook.New(suite.Embedded().Only(func(*suite.Vector) bool { return false }), nil)
	few.Engines = nil
	pages := fstest.MapFS{"a/README.md": {Data: []byte("# Index\n")}, "limits.md": {Data: []byte("# Limits\n\n## Time\n")}}
	return mustBuild(Source{Pages: pages, Book: few, Changelog: []byte(changelog), Address: at, Built: built})
}

// TestFeed: each version is an entry with its date, links are absolute addresses, and the
// unreleased section has the date of the build if that is known.
func TestFeed(t *testing.T) {
	type entry struct {
		Title   string `xml:"title"`
		ID      string `xml:"id"`
		Updated string `xml:"updated"`
		Content string `xml:"content"`
	}
	read := func(s Site) (got struct {
		Updated string  `xml:"updated"`
		Entries []entry `xml:"entry"`
	}) {
		if err := xml.Unmarshal(s[feedFile], &got); err != nil {
			t.Fatalf("%v in %s", err, s[feedFile])
		}
		return got
	}
	got := read(changed(at, time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)))
	want := []entry{
		{"Unreleased", "https://example.org/ttl/contribute/changes/#unreleased", "2026-12-24T18:00:00Z", `<h3 id="fixed">Fixed</h3>
<ul>
<li><a href="https://example.org/ttl/rules/mongo.date/"><code>mongo.date</code></a> decides, see <a href="https://example.org/ttl/tool/limits/#time">limits</a>, and <nothing> else.</li>
</ul>
`},
		{"0.2.0", "https://example.org/ttl/contribute/changes/#020---2026-12-01", "2026-12-01T00:00:00Z", `<h3 id="added">Added</h3>
<ul>
<li><a href="https://example.com/">A thing</a>.</li>
</ul>
`},
		{"0.1.0", "https://example.org/ttl/contribute/changes/#010---2026-11-01", "2026-11-01T00:00:00Z", ""},
	}
	if diff := cmp.Diff(want, got.Entries); diff != "" {
		t.Errorf("the entries differ (-want +got):\n%s", diff)
	}
	if got.Updated != "2026-12-24T18:00:00Z" {
		t.Errorf("the feed is of %s", got.Updated)
	}
	if got := read(changed(at, time.Time{})); len(got.Entries) != 2 || got.Updated != "2026-12-01T00:00:00Z" {
		t.Errorf("without the day of the build the feed is of %s, with %d entries", got.Updated, len(got.Entries))
	}
}

// TestChangesAreLinked: where there is a changelog, every page leads to it.
func TestChangesAreLinked(t *testing.T) {
	s := changed(at, time.Time{})
	for _, want := range []string{`<a href="../contribute/changes/">Changes</a> (<a href="../feed.xml">feed</a>)`, `<link rel="alternate" type="application/atom+xml" href="../feed.xml"`} {
		if !strings.Contains(string(s["a/index.html"]), want) {
			t.Errorf("a page lacks %s", want)
		}
	}
	if page := string(s[placeOfFile(changesPage)]); !strings.Contains(page, `id="020---2026-12-01"`) || !strings.Contains(page, published.Repository+`/edit/main/CHANGELOG.md"`) {
		t.Errorf("the page of changes is %s", page)
	}
	if s := changed("", time.Now()); s[feedFile] != nil || s[placeOfFile(changesPage)] == nil || strings.Contains(string(s[placeOfFile("limits.html")]), feedFile) {
		t.Error("without an address there is a feed, or no page of changes")
	}
	if built[placeOfFile(changesPage)] != nil || strings.Contains(string(built["index.html"]), "contribute/changes") {
		t.Error("without a changelog there is a page of it")
	}
}
