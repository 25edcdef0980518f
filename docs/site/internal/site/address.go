package site

import (
	"fmt"
	"net/url"
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

// notFound is the page that servers of files show in place of a missing page.
const notFound = "404.html"

// addNotFound writes the page for missing files.
func (b *builder) addNotFound() error {
	return b.render(notFound, notFound, page{Title: "Page not found", Description: "There is no such page."})
}
