package rulebook

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/report"
)

//go:embed *.md.tmpl
var templates embed.FS

var pageTemplates = template.Must(template.New("").Funcs(template.FuncMap{
	"text": Escape, "cell": cell, "source": markdownSource, "flags": flagList,
	"width": func(s string) string { return fmt.Sprintf("%-10s", s) }, "base": path.Base, "join": strings.Join, "on": func(p *Page, c *Case) caseOn { return caseOn{p, c} },
}).ParseFS(templates, "*.md.tmpl"))

// Markdown returns the pages by their names in docs/rules: a page for each
// rule, an index for each engine, and README.md.
func (b *Book) Markdown() map[string]string {
	pages := map[string]string{"README.md": render("book.md.tmpl", b), "features.md": render("features.md.tmpl", b)}
	for _, e := range b.Engines {
		pages[e.Slug+".md"] = render("engine.md.tmpl", e)
		for _, t := range e.Topics {
			for _, p := range t.Pages {
				pages[p.Path()] = render("rule.md.tmpl", p)
				if p.HasRest() {
					pages[p.RestPath()] = render("rest.md.tmpl", p)
				}
			}
		}
	}
	return pages
}

func render(name string, data any) string {
	var b strings.Builder
	if err := pageTemplates.ExecuteTemplate(&b, name, data); err != nil {
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

// To is the link from the page of p to that of another rule.
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

// Releases says for which p holds, "all" if the catalogue makes no exception.
func (p *Page) Releases() string {
	if p.Versions == "" {
		return "all"
	}
	return p.Versions
}

// InFile is the file in testdata that c stands in.
func (c *Case) InFile() string {
	name, _ := c.File()
	return name
}

// String says what a vector shows: "holds, edge".
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

// markdownSource links a source, and says where to look in it.
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

func flagList(flags []string) string { return strings.Join(flags, ", ") }

// A Result is what was recorded about one implementation.
type Result struct {
	// Key is the name of its file, and of the folder of its adapter: "nedb".
	Key string
	report.Results
}

// ReadResults reads the results in a folder, in the order of their names.
func ReadResults(folder fs.FS) (all []Result, err error) {
	names, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		r, err := report.ParseResults(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, Result{strings.TrimSuffix(name, ".json"), r})
	}
	return all, nil
}

// Deletes reports whether r takes a document for expired that must stay, in a
// check that bears on a rule.
func (r Result) Deletes(rule string) bool {
	return slices.ContainsFunc(r.Checks, func(c report.CheckResult) bool {
		return c.DeletesLive() && slices.Contains(c.Rules, rule)
	})
}

// An Implementation is what another implementation makes of a rule.
type Implementation struct {
	Result
	Verdict string // "conforms", "fails", "deletes what must stay", …
}

// implementations fills in what other implementations make of the rules that
// they were asked about.
func (b *Book) implementations(results []Result) {
	for _, r := range results {
		for _, rule := range r.Rules {
			p := b.pages[rule.ID]
			if p == nil || rule.Verdict == conformance.Untested {
				continue
			}
			p.Implementations = append(p.Implementations, Implementation{r, r.verdict(rule)})
		}
	}
}

// verdict puts the verdict on a rule into words.
func (r Result) verdict(rule report.RuleResult) string {
	switch rule.Verdict {
	case conformance.Conformant:
		return "conforms"
	case conformance.Incomplete:
		return "conforms in what applies to it"
	case conformance.Unproven:
		return "unproven: conforms as one would that never expires anything"
	}
	if r.Deletes(rule.ID) {
		return "fails, and deletes what must stay"
	}
	return "fails"
}

// State is the kind of verdict, a word: "conforms", "unproven", "fails".
func (i Implementation) State() string {
	word, _, _ := strings.Cut(i.Verdict, " ")
	return strings.Trim(word, ":,")
}
