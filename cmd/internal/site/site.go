// Package site makes a static site of the reference: the guides of package
// docs, and a page for every rule of package rulebook. Every link is relative,
// so that the site works in any folder, served or opened as files. Nothing is
// loaded from elsewhere, and no page needs its script.
package site

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/timeline"
)

// A Site is the content of every file, by its path, such as "index.html".
type Site map[string][]byte

//go:embed assets
var assets embed.FS

// Repository is where the links of guides lead that leave the site.
const Repository = "https://github.com/ttlpolicy/ttlpolicy"

// Build makes the site of the guides in pages, a folder such as docs.Files, of
// a book, and of the files of the playground, nil if there is none.
func Build(pages fs.FS, book *rulebook.Book, playground fs.FS) (Site, error) {
	b := &builder{site: Site{}, book: book, pages: pages, playground: playground, guides: map[string]page{}, places: map[string][]place{}}
	for _, step := range []func() error{b.addRules, b.addGuides, b.addStatic, b.addSearch} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("site: %w", err)
		}
	}
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
	site  Site
	book  *rulebook.Book
	pages fs.FS
	// playground is nil if there is none.
	playground fs.FS
	// guides are those that were made, by their files.
	guides map[string]page
	// places are what the search knows of them.
	places map[string][]place
}

// addStatic copies what browsers load beside the pages, and what guides link.
func (b *builder) addStatic() error {
	own, err := fs.Sub(assets, "assets")
	if err != nil {
		return err
	}
	if err := b.copy(own, "", "style.css", "search.js"); err != nil {
		return err
	}
	b.site["style.css"] = append(b.site["style.css"], timeline.Style...)
	if b.playground != nil {
		if err := b.copy(b.playground, "playground", "*"); err != nil {
			return err
		}
	}
	return b.copy(b.pages, "", "images/*", "results/*.json")
}

// copy puts files into a folder of the site as they are.
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

// fileOf returns the file of the site that a page of docs becomes:
// "index.html" of "README.md", "rules/mongo.date.html" of
// "rules/mongodb/date.md".
func (b *builder) fileOf(page string) string {
	name, ok := strings.CutSuffix(page, ".md")
	if !ok {
		return page
	}
	for _, e := range b.book.Engines {
		if slug, ok := strings.CutPrefix(name, "rules/"+e.Slug+"/"); ok {
			return "rules/" + e.Prefix + slug + ".html"
		}
	}
	if path.Base(name) == "README" {
		return path.Join(path.Dir(name), "index.html")
	}
	return name + ".html"
}

// relative returns the link from one file of the site to another.
func relative(from, to string) string {
	up := strings.Repeat("../", strings.Count(from, "/"))
	if path.Dir(from) == path.Dir(to) {
		return path.Base(to)
	}
	return up + to
}
