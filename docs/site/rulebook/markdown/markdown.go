// Package markdown reads the pages of docs as a code host does: tables,
// headings with their anchors, links.
package markdown

import (
	"bytes"
	"iter"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
)

// New returns the converter of the pages: GitHub's dialect, and its anchors of headings.
// HTML within a page is kept, because the pages belong to this project.
func New(options ...goldmark.Option) goldmark.Markdown {
	return goldmark.New(append([]goldmark.Option{
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	}, options...)...)
}

// Parse returns the page as a tree. Its headings have the anchors that GitHub
// gives them.
func Parse(page []byte) ast.Node {
	context := parser.NewContext(parser.WithIDs(anchors{}))
	return New().Parser().Parse(text.NewReader(page), parser.WithContext(context))
}

// anchors names headings as GitHub does.
type anchors struct{}

// Generate returns the anchor of a heading that reads value. The parser asks
// before it has parsed value, so links and code are stripped here.
func (anchors) Generate(value []byte, _ ast.NodeKind) []byte { return []byte(Slug(string(value))) }

// Put does nothing: no page of docs has two headings with the same name, as a test of the
// site ensures.
func (anchors) Put([]byte) {}

var (
	notInSlug = pattern.Lazy(`[^\p{L}\p{N} _-]`)
	tag       = pattern.Lazy(`<[^>]*>`)
	linkText  = pattern.Lazy(`\[([^\]]*)\]\([^)]*\)`)
)

// Slug returns the anchor that GitHub gives a heading.
func Slug(heading string) string {
	plain := linkText().ReplaceAllString(tag().ReplaceAllString(heading, ""), "$1")
	return strings.ReplaceAll(notInSlug().ReplaceAllString(strings.ToLower(strings.TrimSpace(plain)), ""), " ", "-")
}

// Title returns the text of the first heading of a page; "" if there is none.
func Title(page []byte) string {
	for n := range All(Parse(page)) {
		if n.Kind() == ast.KindHeading {
			return Plain(n, page)
		}
	}
	return ""
}

var anchor = pattern.Lazy(`<a id="([^"]*)">`)

// Anchors returns the anchors of a page: those of its headings, and explicit ones.
func Anchors(page []byte) map[string]bool {
	all := map[string]bool{}
	for n := range All(Parse(page)) {
		if id, ok := n.AttributeString("id"); ok && n.Kind() == ast.KindHeading {
			all[string(id.([]byte))] = true
		}
	}
	for _, m := range anchor().FindAllSubmatch(page, -1) {
		all[string(m[1])] = true
	}
	return all
}

// A Row is a row of a table below its head.
type Row struct {
	Line    string   // the line as it is in the page
	Cells   []string // the text of the cells, without markup
	Section string   // the anchor of the heading above, "" if there is none
}

// Rows returns the rows of the tables of a page.
func Rows(page []byte) (all []Row) {
	section := ""
	for n := range All(Parse(page)) {
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok && n.Level > 1 {
				section = string(id.([]byte))
			}
		case *tables.TableRow:
			all = append(all, Row{lineOf(page, n), cells(page, n), section})
		}
	}
	return all
}

func cells(page []byte, row ast.Node) (all []string) {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		all = append(all, Plain(cell, page))
	}
	return all
}

// Plain returns the text of n without markup.
func Plain(n ast.Node, page []byte) string {
	var b strings.Builder
	for n := range All(n) {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(page))
			if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.Write(n.Label(page))
		}
	}
	return b.String()
}

// lineOf returns the line of the page that contains a row; "" for a row of empty cells.
func lineOf(page []byte, row ast.Node) string {
	for n := range All(row) {
		if t, ok := n.(*ast.Text); ok {
			start := bytes.LastIndexByte(page[:t.Segment.Start], '\n') + 1
			line, _, _ := bytes.Cut(page[start:], []byte("\n"))
			return string(line)
		}
	}
	return ""
}

// All yields n and everything below it, in the order of the page.
func All(n ast.Node) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}
