package site

import (
	"cmp"
	"fmt"
	"html"
	"path"
	"slices"
	"strings"
)

// A page has a name, by which this package and the pages of docs call it, such as
// "side-by-side.html", and a place in the tree of the site, such as
// "compare/mongodb-and-cosmos-db/index.html". The name was its address once, and
// redirects to its place.

// A section is a branch of the tree.
type section struct {
	Slug, Title, About string
	// pages are the names of its pages of docs without their endings, with their places if
	// those are called otherwise: "name" or "name place".
	pages []string
}

// sections are those whose pages lie in docs itself. The rules, the problems and the
// recipes have folders of their own.
var sections = []section{
	{"compare", "Compare", "What differs: between releases, between MongoDB and Azure Cosmos DB, between what their documents say, and between implementations.", []string{
		"rules/features releases", "rules/releases changes", "side-by-side mongodb-and-cosmos-db", "visibility", "null-on-dotted-paths", "mongodb-manual", "cosmos-pages", "disagreements", "results/index implementations", "upstream/index reports",
	}},
	{"tool", "The tool", "The command line tool ttl explains a document, counts what a policy deletes, finds mistakes in stored policies and brings a database to a policy file.", []string{
		"operators", "cli commands", "live", "plan policy-files", "migrate", "playground about-the-playground", "scale", "pushdown", "limits", "forecast-json", "audit-json",
	}},
	{"implement", "Implement", "", []string{"conformance", "live-conformance", "adapter", "api", "wasm", "performance", "adopting/index adopting"}},
	{"contribute", "Contribute", "How this project is made, tested and released.", []string{
		"architecture", "addresses", "mutants", "mingo", "fuzzing", "threat-model", "releasing",
	}},
	{"start", "Start", "", []string{"who-is-deleted who-deletes-what"}},
}

// folders are where the pages of a folder of docs lie.
var folders = map[string]string{"problems": "fix", "recipes": "recipes", "rules": "rules", "upstream": "compare/reports", "adopting": "implement/adopting"}

// merged are the pages that became a part of another: their old name and place, and where
// they are now.
var merged = []struct{ name, place, page, anchor string }{
	{"operator-mutants.html", "contribute/operator-mutants/index.html", "mutants.html", "operator-mutants"},
}

// places are the places of pages by their names.
var places = func() map[string]string {
	all := map[string]string{"problems/index.html": "fix/index.html", "implementing.html": "implement/index.html", "start.html": "start/index.html"}
	for _, s := range sections {
		all[s.Slug+".html"] = s.Slug + "/index.html"
		for _, p := range s.pages {
			name, as, _ := strings.Cut(p, " ")
			all[name+".html"] = path.Join(s.Slug, cmp.Or(as, path.Base(name)), "index.html")
		}
	}
	return all
}()

// placeOfFile returns the place of a page by its name. All else stays where it is.
func placeOfFile(name string) string {
	if there, ok := places[name]; ok {
		return there
	}
	dir, base := path.Split(name)
	folder, ok := folders[path.Clean(dir)]
	if slug, isPage := strings.CutSuffix(base, ".html"); ok && isPage && slug != "index" {
		return path.Join(folder, slug, "index.html")
	}
	if name == changesPage {
		return "contribute/changes/index.html"
	}
	return name
}

// folderOf returns the address of a file: a folder in place of its index.
func folderOf(file string) string {
	if path.Base(file) == "index.html" {
		return strings.TrimSuffix(file, "index.html")
	}
	return file
}

// put adds a page to the site at its place, and at its name what leads there.
func (b *builder) put(name string, content []byte) {
	there := placeOfFile(name)
	b.site[there] = content
	if there != name {
		b.redirect(name, there, "")
	}
}

// redirect makes an address lead to a part of a page, or to its beginning.
func (b *builder) redirect(name, there, anchor string) {
	to := b.between(name, there)
	if anchor != "" {
		to += "#" + anchor
	}
	to = html.EscapeString(to)
	b.site[name] = fmt.Appendf(nil, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moved · ttlpolicy</title>
<meta name="robots" content="noindex">
<script src="%s"></script>
<noscript><meta http-equiv="refresh" content="0; url=%s"></noscript>
</head>
<body><p>This page has moved: <a id="moved" href="%[2]s">its new address</a></p></body>
</html>
`, html.EscapeString(b.between(name, "moved.js")), to)
	b.moved = append(b.moved, fmt.Sprintf("/%s /%s 301", folderOf(name), folderOf(there)))
}

// addMoved lists the redirects for hosts that read such a list.
func (b *builder) addMoved() error {
	for _, m := range merged {
		b.redirect(m.name, placeOfFile(m.page), m.anchor)
		b.redirect(m.place, placeOfFile(m.page), m.anchor)
	}
	slices.Sort(b.moved)
	b.site["_redirects"] = []byte(strings.Join(b.moved, "\n") + "\n")
	return nil
}

// A listed page is an entry of the index of a section.
type listedPage struct{ File, Title, About string }

// addSections writes the indexes of the sections that no page of docs is the index of.
func (b *builder) addSections() error {
	for _, s := range sections {
		if s.About == "" {
			continue
		}
		p := page{Title: s.Title, Description: s.About}
		for _, one := range s.pages {
			name, _, _ := strings.Cut(one, " ")
			if about, ok := b.titles[name+".html"]; ok {
				p.Listed = append(p.Listed, listedPage{name + ".html", about.Title, about.Description})
			}
		}
		if err := b.render(s.Slug+".html", "section.html", p); err != nil {
			return err
		}
	}
	return nil
}
