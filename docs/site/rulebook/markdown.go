package rulebook

import (
	"cmp"
	"embed"
	"strings"
	"sync"
	"text/template"
)

//go:embed *.md.tmpl
var templates embed.FS

var pageTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"text": Escape, "cell": cell,
	}).ParseFS(templates, "*.md.tmpl"))
})

// Markdown returns the pages by their names in docs/rules: a page for each topic, an index
// for each engine, and README.md.
func (b *Book) Markdown() map[string]string {
	pages := map[string]string{"README.md": render("book.md.tmpl", b), "features.md": render("features.md.tmpl", b), "releases.md": render("releases.md.tmpl", b)}
	for _, e := range b.Engines {
		pages[e.Slug+".md"] = render("engine.md.tmpl", e)
		for _, t := range e.Topics {
			pages[e.TopicPath(t)] = render("topic.md.tmpl", topicOf{e, t})
		}
	}
	return pages
}

// A topicOf is a topic with its engine.
type topicOf struct {
	Engine *Engine
	Topic  *Topic
}

func render(name string, data any) string {
	var b strings.Builder
	if err := pageTemplates().ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the templates are part of the program, and a test renders all
	}
	return b.String()
}

// TopicPath is the page of a topic of e in docs/rules.
func (e *Engine) TopicPath(t *Topic) string { return e.Slug + "/" + t.Anchor() + ".md" }

// Path leads to p in docs/rules: the page of its topic, at its identifier.
func (p *Page) Path() string { return p.Engine.TopicPath(p.Topic) + "#" + p.ID() }

// Releases names the releases for which p holds, "all" if the catalogue makes no
// exception.
func (p *Page) Releases() string { return cmp.Or(p.Versions(), "all") }

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
