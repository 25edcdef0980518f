package site

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
)

// A page has a name, such as "side-by-side.html", which this package and the pages of docs
// use. It also has a place in the tree of the site, such as
// "compare/mongodb-and-cosmos-db/index.html".

// A section is a branch of the tree.
type section struct {
	Slug, Title, About string
	// pages are the names of the section's pages of docs without their endings, such as
	// "visibility". If the place of a page has another name, the place follows after a
	// space: "cli commands".
	pages []string
}

// sections are the sections whose pages are in docs itself. The rules, the problems and the
// recipes have folders of their own.
var sections = []section{
	{"compare", "Compare", "What differs: between releases, between MongoDB and Azure Cosmos DB, between what their documents say, and between implementations.", []string{
		"rules/features releases", "rules/releases changes", "side-by-side mongodb-and-cosmos-db", "visibility", "null-on-dotted-paths", "mongodb-manual", "cosmos-pages", "disagreements", "results/index implementations",
	}},
	{"tool", "The tool", "The command line tool ttl explains a document, counts what a policy deletes, finds mistakes in stored policies and brings a database to a policy file.", []string{
		"operators", "cli commands", "cli-forecast commands/forecast", "cli-explain commands/explain", "cli-audit commands/audit", "cli-plan commands/plan", "cli-migrate commands/migrate", "cli-conform commands/conform", "live", "plan policy-files", "migrate", "playground about-the-playground", "scale", "pushdown", "limits", "unknown what-a-report-does-not-know", "forecast-json", "audit-json",
	}},
	{"implement", "Implement", "", []string{"conformance", "conformance-reference conformance/reference", "conformance-vectors conformance/vectors", "live-conformance", "adapter", "api", "wasm", "performance", "adopting/index adopting"}},
	{"start", "Get started", "", []string{"who-is-deleted who-deletes-what", "cost", "log-messages", "contents"}},
}

// branches are the branches of the tree in the order of the menu.
var branches = []branch{
	{"start", "Get started", "start.html"}, {"fix", "Fix", "problems/index.html"}, {"recipes", "Recipes", "recipes/index.html"}, {"compare", "Compare", "compare.html"},
	{"rules", "Rules", "rules/index.html"}, {"tool", "Tool", "tool.html"}, {"implement", "Implement", "implementing.html"},
}

// A branch is an entry of the menu. File is the name of the branch's index page.
type branch struct{ Slug, Title, File string }

// within are the pages, besides the branches, that have pages below them, by their
// places.
var within = map[string]branch{
	"tool/commands": {"", "Commands", "cli.html"}, "implement/conformance": {"", "The conformance suite", "conformance.html"}, "implement/adopting": {"", "How others adopted it", "adopting/index.html"},
	"compare/implementations": {"", "Implementations", "results/index.html"},
}

// A crumb leads to a page above another.
type crumb struct{ Title, Link string }

// Crumbs are the pages above a page, the branch first.
func (p page) Crumbs() (list []crumb) {
	there := path.Dir(placeOfFile(p.File))
	for dir := path.Dir(there); dir != "." && dir != "/"; dir = path.Dir(dir) {
		above, ok := within[dir]
		if i := slices.IndexFunc(branches, func(b branch) bool { return b.Slug == dir }); i >= 0 {
			above, ok = branches[i], true
		}
		if ok {
			list = append(list, crumb{above.Title, p.To(above.File)})
		}
	}
	slices.Reverse(list)
	return list
}

// Branches returns the branches of the menu.
func (page) Branches() []branch { return branches }

// Branch returns the slug of the branch that contains the page, "playground" for the page
// of the playground, and "" for a page outside the branches.
func (p page) Branch() string {
	first, _, isBelow := strings.Cut(placeOfFile(p.File), "/")
	if !isBelow {
		return ""
	}
	return first
}

// folders maps folders of docs to folders of the site.
var folders = map[string]string{"problems": "fix", "recipes": "recipes", "rules": "rules", "adopting": "implement/adopting", "results": "compare/implementations"}

// places are the places of pages by their names.
var places = sync.OnceValue(func() map[string]string {
	all := map[string]string{"problems/index.html": "fix/index.html", "implementing.html": "implement/index.html", "start.html": "start/index.html", resultsPage: "search/index.html"}
	for _, s := range sections {
		all[s.Slug+".html"] = s.Slug + "/index.html"
		for _, p := range s.pages {
			name, as, _ := strings.Cut(p, " ")
			all[name+".html"] = path.Join(s.Slug, cmp.Or(as, path.Base(name)), "index.html")
		}
	}
	return all
})

// placeOfFile returns the place of a page by its name. Files that are not pages keep
// their names.
func placeOfFile(name string) string {
	if there, ok := places()[name]; ok {
		return there
	}
	dir, base := path.Split(name)
	folder, ok := folders[path.Clean(dir)]
	if slug, isPage := strings.CutSuffix(base, ".html"); ok && isPage && slug != "index" {
		return path.Join(folder, slug, "index.html")
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

// put adds a page to the site at its place.
func (b *builder) put(name string, content []byte) { b.site[placeOfFile(name)] = content }

// A listedPage is an entry of the index of a section.
type listedPage struct{ File, Title, About string }

// firstSentence returns the beginning of a text up to its first full stop.
func firstSentence(text string) string {
	if first, _, ok := strings.Cut(text, ". "); ok {
		return first + "."
	}
	return text
}

// addSections writes the index of each section that has no page of docs as its index.
func (b *builder) addSections() error {
	for _, s := range sections {
		if s.About == "" {
			continue
		}
		p := page{Title: s.Title, Description: s.About}
		for _, one := range s.pages {
			name, _, _ := strings.Cut(one, " ")
			about, ok := b.written[name+".html"]
			if !ok {
				continue
			}
			entry := listedPage{File: name + ".html", Title: about.Title, About: firstSentence(about.Description)}
			p.Listed = append(p.Listed, entry)
		}
		if err := b.render(s.Slug+".html", "section.html", p); err != nil {
			return err
		}
	}
	return nil
}
