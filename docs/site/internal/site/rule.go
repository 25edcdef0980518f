package site

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
)

// ruleFile is the file of the page of a rule.
func ruleFile(p *rulebook.Page) string { return "rules/" + p.ID() + ".html" }

// engineFile is the file of the index of an engine.
func engineFile(e *rulebook.Engine) string { return "rules/" + e.Slug + ".html" }

// addRules writes the pages of the rules and the index of each engine.
func (b *builder) addRules() error {
	for _, e := range b.book.Engines {
		index := page{Title: "The rules of " + e.Name, Description: "Every rule of " + e.Name + " about expiry, by topic.", Engine: e}
		for _, t := range e.Topics {
			index.Contents = append(index.Contents, heading{t.Anchor(), t.Title})
		}
		index.Contents = append(index.Contents, heading{"the-decision", "The decision"})
		if err := b.render(engineFile(e), "engine.html", index); err != nil {
			return err
		}
	}
	for p := range b.book.Pages() {
		if err := b.addRule(p); err != nil {
			return err
		}
	}
	return b.addFeatures()
}

// addFeatures writes the tables of features by release, and the page about the
// differences between releases.
func (b *builder) addFeatures() error {
	p := page{Title: "MongoDB's features by release", Features: newestFirst(b.book.Features),
		Description: "Which release of MongoDB deletes, keeps, accepts or refuses what: capped and compound, NaN, clustered, time series, partial filters, arrays, bounds of expireAfterSeconds."}
	for _, t := range p.Features {
		p.Contents = append(p.Contents, heading{markdown.Slug(t.Title), t.Title})
	}
	if err := b.render("rules/features.html", "features.html", p); err != nil {
		return err
	}
	return b.render("rules/releases.html", "releases.html", page{Title: "What changes between releases of MongoDB", Book: b.book,
		Description: "What each release of MongoDB changes about TTL, newest first, with the commit or the lines of source on both sides, and what is inferred."})
}

// newestFirst returns tables with the newest release in their first column, which a
// narrow screen shows.
func newestFirst(tables []*rulebook.FeatureTable) (list []*rulebook.FeatureTable) {
	for _, t := range tables {
		turned := *t
		turned.Columns = slices.Clone(t.Columns)
		slices.Reverse(turned.Columns)
		turned.Features = nil
		for _, f := range t.Features {
			one := *f
			one.Stretches = slices.Clone(f.Stretches)
			slices.Reverse(one.Stretches)
			turned.Features = append(turned.Features, &one)
		}
		list = append(list, &turned)
	}
	return list
}

func (b *builder) addRule(p *rulebook.Page) error {
	about := page{Title: p.ID(), Description: p.Statement(), Rule: p, Engine: p.Engine, Problems: b.problems[p.ID()], Edit: published.Repository + "/blob/main/CONTRIBUTING.md#how-to-add-or-correct-a-rule"}
	return b.render(ruleFile(p), "rule.html", about)
}

// A page is the data of the templates.
type page struct {
	File        string // the path within the site
	Title       string
	Description string
	Contents    []heading
	Body        template.HTML // the text of a guide
	Rule        *rulebook.Page
	Engine      *rulebook.Engine
	Features    []*rulebook.FeatureTable
	Book        *rulebook.Book // set on the page about the differences between releases
	Problems    []problem      // the problems that the rule explains
	Playground  bool           // the site has a playground
	Edit        string         // the address for corrections of the page, "" if there is none
	b           *builder
	Player      *player      // set on the pages with the box: home and the playground
	Listed      []listedPage // set on the index of a section
}

// A vectorOn is a vector on the page that shows it.
type vectorOn struct {
	Page page
	Case *rulebook.Case
}

// A listOn is a list of steps or vectors, with the page that shows it.
type listOn struct {
	Page page
	List any
}

// Source is the address of the repository.
func (page) Source() string { return published.Repository }

// To is the link from the page to a file of the site.
func (p page) To(file string) string { return p.b.link(p.File, file) }

// ToRule is the link from the page to the page of a rule.
func (p page) ToRule(r *rulebook.Page) string { return p.To(ruleFile(r)) }

// ToEngine is the link to the index of an engine.
func (p page) ToEngine(e *rulebook.Engine) string { return p.To(engineFile(e)) }

// Because is the explanation of the example's answer, without the statement of the rule, with
// which the page begins.
func (p page) Because() string {
	return strings.TrimSpace(strings.Replace(p.Rule.Example.Why(), p.Rule.Statement(), "", 1))
}

// ToCase is the link to a vector: on the page of its rule, or in the repository if that page
// does not show it.
func (p page) ToCase(c *rulebook.Case) string {
	switch file := ruleFile(c.Home); {
	case !c.IsShown():
		return lineOf(c)
	case file != p.File:
		return p.To(file) + "#" + c.ID
	}
	return "#" + c.ID
}

// lineOf is the address of a vector in the repository.
func lineOf(c *rulebook.Case) string {
	name, line := c.At.File, c.At.Line
	return fmt.Sprintf("%s/blob/main/testdata/%s#L%d", published.Repository, name, line)
}

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"line": lineOf,
		"in":   func(p page, c *rulebook.Case) vectorOn { return vectorOn{p, c} },
		"slug": markdown.Slug,
		"list": func(p page, list any) listOn { return listOn{p, list} },
		"svg":  svg,
		"adapter": func(i rulebook.Implementation) string {
			return i.Link(published.Repository + "/blob/main/")
		},
		"class": func(s string) string { return strings.ReplaceAll(s, " ", "-") },
	}).ParseFS(assets, "assets/*.html"))
})

// render writes one page.
func (b *builder) render(file, name string, p page) error {
	p.File, p.Playground, p.b = file, b.playground != nil, b
	var out strings.Builder
	if err := b.templates.ExecuteTemplate(&out, name, p); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	b.put(file, []byte(out.String()))
	b.written[file] = p
	return nil
}
