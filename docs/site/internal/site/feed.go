package site

import (
	"bytes"
	"encoding/xml"
	"strings"
	"time"

	"github.com/yuin/goldmark/ast"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
)

// changesPage is the page of the changelog.
const changesPage = "changes.html"

// feedFile is the feed of the changelog's versions, which feed readers request.
const feedFile = "feed.xml"

// HasChanges reports whether the site has a page of changes.
func (p page) HasChanges() bool { return p.b.source.Changelog != nil }

// Feed is the link to the feed of changes; "" if there is none.
func (p page) Feed() string {
	if !p.b.hasFeed() {
		return ""
	}
	return p.To(feedFile)
}

// hasFeed reports whether the site has a feed, which needs an address and the days of entries.
func (b *builder) hasFeed() bool {
	return b.source.Address != "" && len(b.versions()) > 0
}

// addChanges writes the page of changes, and the feed of its versions.
func (b *builder) addChanges() error {
	if b.source.Changelog == nil {
		return nil
	}
	if err := b.addGuide("../CHANGELOG.md", changesPage, b.source.Changelog); err != nil || !b.hasFeed() {
		return err
	}
	return b.addFeed()
}

// A version is a section of the changelog.
type version struct {
	name string
	day  time.Time
	text string // the text of the section, with its heading
}

var versionHeading = pattern.Lazy(`(?m)^## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$`)

// versions returns the sections of the changelog that have a day, newest first. The
// unreleased section has the day of the build.
func (b *builder) versions() (all []version) {
	text := string(b.source.Changelog)
	starts := versionHeading().FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		v := version{name: text[at[2]:at[3]], day: b.source.Built, text: text[at[0]:end]}
		if at[4] >= 0 {
			v.day, _ = time.Parse(time.DateOnly, text[at[4]:at[5]])
		}
		if !v.day.IsZero() {
			all = append(all, v)
		}
	}
	return all
}

// The elements of a feed, as RFC 4287 defines them.
type (
	feed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string      `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Author  string      `xml:"author>name"`
		Links   []feedLink  `xml:"link"`
		Entries []feedEntry `xml:"entry"`
	}
	feedLink struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	}
	feedEntry struct {
		Title   string      `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Link    feedLink    `xml:"link"`
		Content feedContent `xml:"content"`
	}
	feedContent struct {
		Type string `xml:"type,attr"`
		HTML string `xml:",chardata"`
	}
)

// selfLink is the link of a heading to itself.
var selfLink = pattern.Lazy(` <a class="self"[^>]*>#</a>`)

func (b *builder) addFeed() error {
	home := b.source.Address.Of("index.html")
	f := feed{Title: "ttlpolicy: changes", ID: home, Author: "ttlpolicy", Links: []feedLink{{"self", b.source.Address.Of(feedFile)}, {"alternate", b.source.Address.Of(placeOfFile(changesPage))}}}
	for _, v := range b.versions() {
		e, err := b.feedEntry(v)
		if err != nil {
			return err
		}
		f.Updated = max(f.Updated, e.Updated)
		f.Entries = append(f.Entries, e)
	}
	text, err := xml.MarshalIndent(f, "", " ")
	b.site[feedFile] = append([]byte(xml.Header), append(text, '\n')...)
	return err
}

// feedEntry returns a version as the page of changes shows it. Feed readers show it
// elsewhere, so its links are absolute addresses.
func (b *builder) feedEntry(v version) (feedEntry, error) {
	tree := markdown.Parse([]byte(v.text))
	g := guide{b: b, name: "../CHANGELOG.md", file: "index.html", text: []byte(v.text)}
	g.rewrite(tree)
	anchor := ""
	if len(g.contents) > 0 {
		anchor = "#" + g.contents[0].Anchor
	}
	address := b.source.Address.Of(placeOfFile(changesPage)) + anchor
	tree.RemoveChild(tree, tree.FirstChild()) // the heading is the title of the entry
	for n := range markdown.All(tree) {
		if link, ok := n.(*ast.Link); ok && !bytes.Contains(link.Destination, []byte("://")) {
			link.Destination = []byte(b.source.Address.Of(string(link.Destination)))
		}
	}
	var html strings.Builder
	err := converter.Renderer().Render(&html, g.text, tree)
	return feedEntry{v.name, address, v.day.UTC().Format(time.RFC3339), feedLink{"alternate", address}, feedContent{"html", selfLink().ReplaceAllString(html.String(), "")}}, err
}
