package site

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// addGuides converts every page of docs that is not generated from the book.
func (b *builder) addGuides() error {
	return fs.WalkDir(b.pages, ".", func(name string, entry fs.DirEntry, err error) error {
		file := b.fileOf(name)
		if err != nil || entry.IsDir() || isLeftOut(name) || path.Ext(name) != ".md" || b.site[placeOfFile(file)] != nil {
			return err
		}
		text, err := fs.ReadFile(b.pages, name)
		if err != nil {
			return err
		}
		return b.addGuide(name, file, text)
	})
}

func (b *builder) addGuide(name, file string, text []byte) error {
	tree := markdown.Parse(text)
	g := guide{b: b, name: name, file: file, text: text}
	g.rewrite(tree)
	b.places[file] = placesOf(&g, tree)
	var body bytes.Buffer
	if err := converter.Renderer().Render(&body, text, tree); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	drawn, err := b.draw(&g, losses().ReplaceAll(body.Bytes(), []byte(`<strong class="loss">$0</strong>`)))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p := page{Title: g.title, Description: g.lead, Body: template.HTML(drawn), Contents: g.contents, Edit: published.Repository + "/edit/main/" + path.Join("docs", name)}
	if file == "index.html" {
		return b.render(file, "home.html", b.home(p))
	}
	return b.render(file, "guide.html", p)
}

// losses finds the sentences that say which documents a command deletes at
// once.
var losses = pattern.Lazy(`[Tt]his\s+deletes\s+every\s(?:[^<.;]|<code>[^<]*</code>)+?as\s+soon\s+as\s+it\s+(?:runs|is\s+built)`)

// firstQuestion is the example of home, the most common question.
var firstQuestion = playground.Example{Title: "a date that is a string", State: playground.State{
	System: definition.MongoDB, Now: "2026-11-20T12:00:00Z", Release: mongo.Latest().String(),
	Policy:   "db.sessions.createIndex(\n  { createdAt: 1 },\n  { expireAfterSeconds: 3600 }\n)",
	Document: "{\n  _id: 1,\n  createdAt: \"2026-11-20T09:30:00Z\"\n}",
}}

// home adds the box to the index.
func (b *builder) home(p page) page {
	if b.playground != nil {
		first := b.newPlayer("index.html", firstQuestion)
		first.Home = true
		p.Player = &first
	}
	return p
}

// converter writes trees as HTML. Tables get a frame that scrolls, headings a
// link to themselves.
var converter = markdown.New(goldmark.WithRendererOptions(
	html.WithUnsafe(), // the pages of docs have anchors in HTML
	renderer.WithNodeRenderers(util.Prioritized(nodes{html.NewConfig()}, 100)),
))

// A guide converts one page to HTML.
type guide struct {
	b          *builder
	name, file string
	text       []byte
	title      string
	lead       string // the first paragraph
	contents   []heading
}

// A heading is an entry of the table of contents.
type heading struct{ Anchor, Text string }

// rewrite changes the tree for the site: links lead to pages of the site, and rules
// become links to their pages. It notes the title, the first paragraph and the contents.
func (g *guide) rewrite(tree ast.Node) {
	var codes []*ast.CodeSpan
	for n := range markdown.All(tree) {
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(g.link(string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(g.link(string(n.Destination)))
		case *ast.CodeSpan:
			codes = append(codes, n)
		case *ast.Heading:
			g.heading(n)
		case *ast.Paragraph:
			if g.lead == "" && g.title != "" {
				g.lead = strings.Join(strings.Fields(markdown.Plain(n, g.text)), " ")
			}
		}
	}
	for _, code := range codes {
		g.linkRule(code)
	}
}

func (g *guide) heading(n *ast.Heading) {
	text := markdown.Plain(n, g.text)
	if n.Level == 1 {
		g.title = text
		return
	}
	if id, ok := n.AttributeString("id"); ok && n.Level == 2 {
		g.contents = append(g.contents, heading{string(id.([]byte)), text})
	}
}

// linkRule turns the identifier of a rule into a link to the rule's page, unless it
// already is a link.
func (g *guide) linkRule(code *ast.CodeSpan) {
	p := g.b.book.Page(markdown.Plain(code, g.text))
	parent := code.Parent()
	if p == nil || parent.Kind() == ast.KindLink || parent.Kind() == ast.KindHeading {
		return
	}
	link := ast.NewLink()
	link.Destination = []byte(g.b.link(g.file, ruleFile(p)))
	parent.ReplaceChild(parent, code, link)
	link.AppendChild(link, code)
}

// link converts a link in a page of docs to a link in the site. Files that are not pages
// stay links into the repository.
func (g *guide) link(to string) string {
	target, anchor, hasAnchor := strings.Cut(to, "#")
	if target == "" || strings.Contains(target, "://") {
		return to
	}
	if hasAnchor {
		anchor = "#" + anchor
	}
	there := path.Join("docs", path.Dir(g.name), target)
	if page, ok := strings.CutPrefix(there, "docs/site/playground/page/"); ok && g.b.playground != nil {
		return g.b.link(g.file, "playground/"+page) + anchor
	}
	if p := g.b.book.Page(strings.TrimPrefix(anchor, "#")); p != nil && strings.HasPrefix(there, "docs/rules/") {
		return g.b.link(g.file, ruleFile(p))
	}
	inDocs, ok := strings.CutPrefix(there, "docs/")
	if !ok || !g.b.has(inDocs) {
		return published.Repository + "/blob/main/" + there + anchor
	}
	return g.b.link(g.file, g.b.fileOf(inDocs)) + anchor
}

// isLeftOut reports whether the site leaves out a folder of docs or a page in it: the module
// that makes the site, the reports to authors of other software, the topics of the rules, because each rule has a page, and the pages for those
// who work on this project or compare implementations, which the repository shows.
func isLeftOut(name string) bool {
	folder, rest, _ := strings.Cut(name, "/")
	switch folder {
	case "architecture.md", "site", "threat-model.md", "upstream", "mutants.md", "mutant-list.md", "mingo.md", "fuzzing.md", "releasing.md", "site.md":
		return true
	case "rules":
		return strings.Contains(rest, "/")
	case "results":
		return rest != "" && rest != "README.md"
	}
	return false
}

// copied are the files of docs, besides pages, that the site has as they are.
var copied = []string{"images/*", "*.schema.json"}

// has reports whether the site has a file of docs: a page, or one that it copies.
func (b *builder) has(name string) bool {
	info, err := fs.Stat(b.pages, name)
	if err != nil || info.IsDir() || isLeftOut(name) {
		return false
	}
	return path.Ext(name) == ".md" || slices.ContainsFunc(copied, func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	})
}

// nodes renders the nodes of a page that the site shows differently from goldmark.
type nodes struct{ html.Config }

func (n nodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(tables.KindTable, n.table)
	r.Register(ast.KindHeading, n.heading)
	r.Register(tables.KindTableCell, n.cell)
	r.Register(ast.KindFencedCodeBlock, n.code)
	r.Register(ast.KindCodeBlock, n.code)
}

func (nodes) table(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		class := ""
		if isWide(node.(*tables.Table)) {
			class = ` class="wide"`
		}
		fmt.Fprintf(w, `<div class="scroll" tabindex="0" role="group" aria-label="table"><table%s>`+"\n", class)
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// isWide reports whether a table has three columns of text or more. A narrow screen shows
// the cells of a row below each other, each with the header of its column.
func isWide(t *tables.Table) bool {
	return len(t.Alignments) >= 3 && !slices.ContainsFunc(t.Alignments, func(a tables.Alignment) bool { return a != tables.AlignNone })
}

// header returns the text at the head of the column of a cell.
func header(n *tables.TableCell, source []byte) string {
	column := 0
	for before := n.PreviousSibling(); before != nil; before = before.PreviousSibling() {
		column++
	}
	head := n.Parent().Parent().FirstChild().FirstChild()
	for ; head != nil && column > 0; column-- {
		head = head.NextSibling()
	}
	if head == nil {
		return ""
	}
	return markdown.Plain(head, source)
}

// cell renders a cell of a table. An empty cell at the top is not a header, because a
// screen reader would announce a header without a name. The alignment is a class, because
// a content security policy refuses styles inside a page.
func (nodes) cell(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*tables.TableCell)
	name, class := "td", ""
	if n.Parent().Kind() == tables.KindTableHeader && n.HasChildren() {
		name = "th"
	}
	if n.Alignment != tables.AlignNone {
		class = fmt.Sprintf(` class="to-%s"`, n.Alignment)
	}
	if table, ok := n.Parent().Parent().(*tables.Table); ok && n.Parent().Kind() == tables.KindTableRow && n.PreviousSibling() != nil && n.HasChildren() && isWide(table) {
		class = fmt.Sprintf(` data-label="%s"`, template.HTMLEscapeString(header(n, source)))
	}
	if entering {
		fmt.Fprintf(w, "<%s%s>", name, class)
	} else {
		fmt.Fprintf(w, "</%s>\n", name)
	}
	return ast.WalkContinue, nil
}

// code renders a block of code, which scrolls by the arrow keys where it is
// wider than the page. Commands and errors, which may be long, are wrapped.
func (nodes) code(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = w.WriteString("</code></pre>\n")
		return ast.WalkContinue, nil
	}
	class := ""
	if f, ok := node.(*ast.FencedCodeBlock); ok && f.Info != nil && string(f.Language(source)) != "console" {
		class = ` class="program"` // a narrow screen breaks its lines
	}
	fmt.Fprintf(w, `<pre%s tabindex="0"><code>`, class)
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		text := util.EscapeHTML(line.Value(source))
		if bytes.HasPrefix(text, []byte("$ ")) || bytes.HasPrefix(text, []byte("ttl: ")) {
			fmt.Fprintf(w, `<span class="long">%s</span>`, text)
			continue
		}
		_, _ = w.Write(text)
	}
	return ast.WalkContinue, nil
}

func (nodes) heading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	id, _ := n.AttributeString("id")
	anchor, _ := id.([]byte)
	name := template.HTMLEscapeString(string(anchor))
	switch {
	case entering:
		fmt.Fprintf(w, `<h%d id="%s">`, n.Level, name)
	case n.Level == 1:
		fmt.Fprint(w, "</h1>\n")
	default:
		fmt.Fprintf(w, ` <a class="self" href="#%s" aria-label="link to this section">#</a></h%d>`+"\n", name, n.Level)
	}
	return ast.WalkContinue, nil
}

// drawing matches a line of a guide that the site replaces by a drawing:
//
//	<!-- Drawing: flow mongodb -->  the order in which the rules of an evaluator are consulted
//	<!-- Drawing: matrix -->        the default of a container against the item's own ttl
var drawing = pattern.Lazy(`<!-- Drawing: ([a-z]+) ?([a-z-]*) -->\n?`)

// draw puts the drawings of a guide in their places.
func (b *builder) draw(g *guide, body []byte) (drawn []byte, err error) {
	drawn = drawing().ReplaceAllFunc(body, func(line []byte) []byte {
		m := drawing().FindSubmatch(line)
		shown := b.shown(g, string(m[1]), string(m[2]))
		if shown == nil {
			err = fmt.Errorf("there is no drawing %q", line)
			return line
		}
		var out bytes.Buffer
		if e := b.templates.ExecuteTemplate(&out, string(m[1]), listOn{page{File: g.file, b: b}, shown}); e != nil {
			err = e
		}
		return out.Bytes()
	})
	return drawn, err
}

// shown returns the data of a drawing; nil if there is none.
func (b *builder) shown(g *guide, kind, name string) any {
	for _, e := range b.book.Engines {
		if kind == "matrix" && e.Matrix != nil {
			return e
		}
		for _, f := range e.Flows {
			if kind == "flow" && f.Slug == name {
				return f
			}
		}
	}
	return nil
}

// A problem is a link to a page about a problem. The pages of the rules that explain the
// problem have this link.
type problem struct{ File, Title string }

// mostProblems is the largest number of problem pages that a rule names.
const mostProblems = 6

var (
	printedRule = pattern.Lazy(`(?m)^  ((?:mongo|cosmos)\.[a-z0-9-]+)$`)
	linkedRule  = pattern.Lazy("\\[`((?:mongo|cosmos)\\.[a-z0-9-]+)`\\]")
)

// addProblems finds the pages about problems that rules explain. The list of a rule
// begins with the pages on which a command prints the rule.
func (b *builder) addProblems() error {
	names, err := fs.Glob(b.pages, "problems/*.md")
	if err != nil {
		return err
	}
	b.problems = map[string][]problem{}
	for _, rules := range []*regexp.Regexp{printedRule(), linkedRule()} {
		for _, name := range names {
			if path.Base(name) == "README.md" {
				continue
			}
			page, err := fs.ReadFile(b.pages, name)
			if err != nil {
				return err
			}
			p := problem{b.fileOf(name), markdown.Title(page)}
			for _, m := range rules.FindAllSubmatch(page, -1) {
				b.addProblem(string(m[1]), p)
			}
		}
	}
	return nil
}

func (b *builder) addProblem(rule string, p problem) {
	if all := b.problems[rule]; len(all) < mostProblems && !slices.Contains(all, p) {
		b.problems[rule] = append(all, p)
	}
}
