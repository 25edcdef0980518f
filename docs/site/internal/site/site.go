// Package site makes a static site of the reference: the guides of package
// docs, and a page for every rule of package rulebook. Every link is relative,
// so that the site works in any folder, served or opened as files. Nothing is
// loaded from elsewhere, and no page needs its script.
package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/timeline"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A Site is the content of every file, by its path, such as "index.html".
type Site map[string][]byte

//go:embed assets
var assets embed.FS

// A Source is the input of a site.
type Source struct {
	Pages      fs.FS          // the guides, the folder docs
	Book       *rulebook.Book // the rules
	Playground fs.FS          // the files of the playground, nil if there is none
	Program    Program        // the program of the playground
	Version    string         // the build, as the foot of each page names it; "" if unknown
	// Address is the future address of the site, such as "https://example.org/ttl/".
	// With one, links lead to folders, for which servers answer with their index.html. Without
	// one no link is absolute, links also work in pages that are opened as files, and the site
	// lacks canonical links.
	Address Address
}

// Build makes the site.
func Build(from Source) (Site, error) {
	b := &builder{source: from, site: Site{}, book: from.Book, pages: from.Pages, playground: from.Playground, written: map[string]page{}, places: map[string][]place{}, asOf: asOf(from.Book)}
	for _, step := range []func() error{b.parse, b.addProblems, b.addStatic, b.addRules, b.addGuides, b.addPlayground, b.addSections, b.addSearch, b.addMessages, b.addResultsPage, b.addNotFound} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("site: %w", err)
		}
	}
	b.stamp()
	return b.site, nil
}

// Size is the number of bytes of all files.
func (s Site) Size() (n int64) {
	for _, content := range s {
		n += int64(len(content))
	}
	return n
}

type builder struct {
	source Source
	site   Site
	// templates holds the templates of this package and of the playground.
	templates *template.Template
	book      *rulebook.Book
	pages     fs.FS
	// playground is nil if the site has no playground.
	playground fs.FS
	// written are all pages, by their names.
	written map[string]page
	// places are the search entries, by the names of the pages.
	places map[string][]place
	// problems are the pages about problems, by the rules that explain them.
	problems map[string][]problem
	asOf     string // the day on which a source was read last
}

// addStatic copies the files that browsers load beside the pages, and the files to which
// guides link.
func (b *builder) addStatic() error {
	own, err := fs.Sub(assets, "assets")
	if err != nil {
		return err
	}
	if err := b.copy(own, "", "style.css", "*.js", "favicon.svg"); err != nil {
		return err
	}
	b.site["style.css"] = append(b.site["style.css"], timeline.Style...)
	if b.playground != nil {
		if err := b.copy(b.playground, "playground", "*"); err != nil {
			return err
		}
		b.site[program], b.site["playground/wasm_exec.js"] = b.source.Program.Packed, b.source.Program.Starter
	}
	return b.copy(b.pages, "", copied...)
}

// stamp adds a hash of the content to the address of each style and script in a page, so
// that browsers may cache it for ever.
func (b *builder) stamp() {
	stamps := map[string]string{}
	for file, content := range b.site {
		if ext := path.Ext(file); ext == ".css" || ext == ".js" {
			stamps[file] = "?v=" + hash(content)
		}
	}
	for file, content := range b.site {
		if path.Ext(file) != ".html" {
			continue
		}
		for asset, stamp := range stamps {
			link := `"` + b.between(file, asset)
			content = bytes.ReplaceAll(content, []byte(link+`"`), []byte(link+stamp+`"`))
		}
		b.site[file] = content
	}
}

// hash returns a short hash of a file's content.
func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:6])
}

// copy copies files into a folder of the site unchanged.
func (b *builder) copy(files fs.FS, folder string, patterns ...string) error {
	for _, pattern := range patterns {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			content, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			b.site[path.Join(folder, name)] = content
		}
	}
	return nil
}

// fileOf returns the file of the site that a page of docs becomes, such as "index.html" for
// "README.md".
func (b *builder) fileOf(page string) string {
	name, ok := strings.CutSuffix(page, ".md")
	if !ok {
		return page
	}
	if path.Base(name) == "README" {
		return path.Join(path.Dir(name), "index.html")
	}
	return name + ".html"
}

// link returns the link from one page of the site to another, by their names. The page for
// missing files is shown under any path, so its links begin at the root of the host.
func (b *builder) link(from, to string) string {
	to, anchor, isPart := strings.Cut(to, "#")
	link := b.between(placeOfFile(from), placeOfFile(to))
	if isPart {
		return link + "#" + anchor
	}
	return link
}

// between returns the link from one place to another.
func (b *builder) between(from, to string) string {
	link := relative(from, to)
	if from == notFound {
		link = b.source.Address.root() + to
	}
	if b.source.Address != "" {
		return cmp.Or(folderOf(link), "./")
	}
	return link
}

// relative returns the link from one file of the site to another.
func relative(from, to string) string {
	up := strings.Repeat("../", strings.Count(from, "/"))
	if path.Dir(from) == path.Dir(to) {
		return path.Base(to)
	}
	return up + to
}

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

// Save writes the files of the site into dir, which must be new or empty, so that no page
// of an earlier site stays and no other file is replaced.
func (s Site) Save(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s holds files already, such as %s; name a folder that is new or empty", dir, entries[0].Name())
	}
	for name, content := range s {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
