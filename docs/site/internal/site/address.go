package site

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// An Address is the address of a site, without a slash at the end; "" if not known.
type Address string

// ParseAddress reads an address such as "https://example.org/ttl/".
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "", err
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return "", fmt.Errorf("%q: want the address of a site, such as https://example.org/ttl/", text)
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#"):
		return "", fmt.Errorf("%q: an address of a site has no user, no ? and no #", text)
	}
	return Address(strings.TrimRight(u.String(), "/")), nil
}

// Of returns the address of a file of the site, for links. An index file has the address of
// its folder.
func (a Address) Of(file string) string {
	return string(a) + "/" + folderOf(file)
}

// root is the path of the site on its host, with a slash at its end.
func (a Address) root() string {
	u, _ := url.Parse(string(a))
	return u.Path + "/"
}

// Address is the address of the page's original; "" if not known.
func (p page) Address() string {
	if p.b.source.Address == "" || p.File == notFound {
		return ""
	}
	return p.b.source.Address.Of(placeOfFile(p.File))
}

// Citation is the text by which others cite the rule of the page.
func (p page) Citation() string {
	version := mongo.RulesVersion
	if p.Engine.Prefix == "cosmos." {
		version = cosmos.RulesVersion
	}
	text := fmt.Sprintf("%s: %s (ttlpolicy, %s rules version %d)", p.Rule.ID(), p.Rule.Statement(), p.Engine.Name, version)
	if p.b.source.Address != "" {
		text += " " + p.b.source.Address.Of(placeOfFile(ruleFile(p.Rule)))
	}
	return text
}

// Version names the versions of the rules and of the build, and the last day on which a
// source was read.
func (p page) Version() string {
	text := fmt.Sprintf("Rules of MongoDB to release %s, version %d, and of Azure Cosmos DB, version %d; sources read until %s", mongo.Latest(), mongo.RulesVersion, cosmos.RulesVersion, p.b.asOf)
	if v := p.b.source.Version; v != "" {
		text += "; " + v
	}
	return text
}

// asOf returns the last day on which a source of a rule was read.
func asOf(book *rulebook.Book) (day string) {
	for p := range book.Pages() {
		for _, s := range p.Sources() {
			day = max(day, s.Accessed)
		}
	}
	return day
}

// picture is the file of the picture that networks show for a link to a page.
const picture = "images/forecast.png"

// Picture is the address of the picture that networks show for the page.
func (p page) Picture() string { return p.b.source.Address.Of(picture) }

// list notes a page for the map of the site, if the page has an address of its own.
func (b *builder) list(p page) {
	if p.Address() != "" {
		b.originals = append(b.originals, p.File)
	}
}

// notFound is the page that servers of files show in place of a missing page.
const notFound = "404.html"

// addNotFound writes the page for missing files.
func (b *builder) addNotFound() error {
	return b.render(notFound, notFound, page{Title: "Page not found", Description: "There is no such page."})
}

// addMap writes the files for search engines: the map of the site, and
// robots.txt, which says where the map is.
func (b *builder) addMap() error {
	if b.source.Address == "" {
		return nil
	}
	type location struct {
		Address string `xml:"loc"`
	}
	all := struct {
		XMLName xml.Name   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []location `xml:"url"`
	}{}
	var files []string
	for _, name := range b.originals {
		files = append(files, placeOfFile(name))
	}
	slices.Sort(files)
	for _, file := range files {
		all.Pages = append(all.Pages, location{b.source.Address.Of(file)})
	}
	text, err := xml.MarshalIndent(all, "", " ")
	b.site["sitemap.xml"] = append([]byte(xml.Header), append(text, '\n')...)
	b.site["robots.txt"] = []byte("User-agent: *\nAllow: /\nSitemap: " + b.source.Address.Of("sitemap.xml") + "\n")
	return err
}
