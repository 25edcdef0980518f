package rulebook

import (
	"io/fs"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
)

// A Neighbour is a rule that people confuse with another.
type Neighbour struct {
	*Page
	Why string // the difference between the two rules
}

// neighbours fills in the neighbours of all pages.
func (b *Book) neighbours(confused []confusion) {
	for _, pair := range confused {
		one, other := b.Page(pair.Rules[0]), b.Page(pair.Rules[1])
		one.Neighbours = append(one.Neighbours, Neighbour{other, pair.Why})
		other.Neighbours = append(other.Neighbours, Neighbour{one, pair.Why})
	}
}

// A Mention is a statement about a rule in a guide: a vendor's statement in our words, or
// a contradiction between vendors' statements.
type Mention struct {
	Guide string // the page of docs that lists the statement, without its ending: "mongodb-manual"
	Place string // the anchor on that page, "" for the whole page
	Label string // "The MongoDB manual", "The documents disagree, X1"
	Text  string
}

// lists are the guides whose tables repeat statements of documents.
var lists = []struct {
	guide, label string
}{
	{"mongodb-manual", "The MongoDB manual"},
	{"cosmos-pages", "The Azure Cosmos DB pages"},
	{"disagreements", "The documents disagree"},
}

var (
	named    = pattern.Lazy("`((?:mongo|cosmos)\\.[a-z0-9-]+)`")
	numbered = pattern.Lazy(`^[A-Z][0-9]+$`)
)

// mentions fills in the mentions of rules in the tables of the guides in files.
func (b *Book) mentions(files fs.FS) error {
	for _, list := range lists {
		text, err := fs.ReadFile(files, list.guide+".md")
		if err != nil {
			return err
		}
		for _, row := range markdown.Rows(text) {
			m := Mention{Guide: list.guide, Place: row.Section, Label: list.label, Text: row.Cells[0]}
			if numbered().MatchString(m.Text) {
				m.Place, m.Label, m.Text = strings.ToLower(m.Text), list.label+", "+m.Text, row.Cells[1]
			}
			for _, id := range named().FindAllStringSubmatch(row.Line, -1) {
				if p := b.pages[id[1]]; p != nil {
					p.Mentions = append(p.Mentions, m)
				}
			}
		}
	}
	return nil
}

// Link returns the address of m, with the ending of pages: ".md", ".html".
func (m Mention) Link(ending string) string {
	if m.Place == "" {
		return m.Guide + ending
	}
	return m.Guide + ending + "#" + m.Place
}
