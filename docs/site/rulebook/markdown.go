package rulebook

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"
	"text/template"
)

//go:embed *.md.tmpl
var templates embed.FS

var pageTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"text": Escape, "cell": cell, "source": markdownSource,
		"width": func(s string) string { return fmt.Sprintf("%-10s", s) }, "base": path.Base, "join": strings.Join, "on": func(p *Page, c *Case) caseOn { return caseOn{p, c} },
	}).ParseFS(templates, "*.md.tmpl"))
})

// Markdown returns the pages by their names in docs/rules: a page for each
// rule, an index for each engine, and README.md.
func (b *Book) Markdown() map[string]string {
	pages := map[string]string{"README.md": render("book.md.tmpl", b), "features.md": render("features.md.tmpl", b), "releases.md": render("releases.md.tmpl", b)}
	for _, e := range b.Engines {
		pages[e.Slug+".md"] = render("engine.md.tmpl", e)
	}
	for p := range b.Pages() {
		pages[p.Path()] = render("rule.md.tmpl", p)
		if p.HasRest() {
			pages[p.RestPath()] = render("rest.md.tmpl", p)
		}
	}
	return pages
}

func render(name string, data any) string {
	var b strings.Builder
	if err := pageTemplates().ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the templates are part of the program, and a test renders all
	}
	return b.String()
}

// A caseOn is a vector on the page of a rule.
type caseOn struct {
	Page *Page
	Case *Case
}

// Path is the page of p in docs/rules.
func (p *Page) Path() string { return p.Engine.Slug + "/" + p.Slug + ".md" }

// To is the link from the page of p to the page of another rule.
func (p *Page) To(other *Page) string {
	if p.Engine == other.Engine {
		return other.Slug + ".md"
	}
	return "../" + other.Path()
}

// ToCase is the link from either page of p to a vector.
func (p *Page) ToCase(c *Case) string {
	file := p.To(c.Home)
	if c.OnRest() {
		file = path.Join(path.Dir(file), c.Home.RestSlug()+".md")
	}
	return file + "#" + c.ID
}

// Releases names the releases for which p holds, "all" if the catalogue makes no
// exception.
func (p *Page) Releases() string { return cmp.Or(p.Versions, "all") }

// InFile is the file in testdata that contains c.
func (c *Case) InFile() string {
	name, _ := c.File()
	return name
}

// String returns the roles in words: "holds, edge".
func (r Role) String() string {
	var words []string
	switch {
	case r.Holds:
		words = append(words, "holds")
	case r.NearMiss:
		words = append(words, "near miss")
	}
	if r.Edge {
		words = append(words, "edge")
	}
	return strings.Join(words, ", ")
}

// Escape keeps characters of a text from meaning something in Markdown. An
// underscore means something only where it ends a word.
func Escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		endsWord := i+1 == len(s) || !isLetter(s[i+1])
		switch {
		case strings.ContainsRune(`*[]\`, r), r == '_' && endsWord:
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '<':
			b.WriteString("&lt;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isLetter(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// cell keeps the bars of a text from dividing the cells of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// markdownSource returns the link to a source, with the place in the source.
func markdownSource(s Source) string {
	text := fmt.Sprintf("[%s](%s)", Escape(s.Title), s.URL)
	if place := s.Place(); place != "" {
		text += "<br>`" + place + "`"
	}
	if s.Asserts != "" {
		text += "<br>" + Escape(s.Asserts)
	}
	return text
}
