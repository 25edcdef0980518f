package rulebook

import (
	"io/fs"
	"regexp"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook/markdown"
)

// A Mention is what a document says about a rule: a statement of a vendor's
// page in our words, or a contradiction.
type Mention struct {
	Guide string // the page of docs that lists it, without its ending: "mongodb-manual"
	Place string // the anchor there, "" for the page
	Label string // "The MongoDB manual", "The documents disagree, X1"
	Text  string
}

// lists are the guides whose tables say what documents say.
var lists = []struct {
	guide, label string
}{
	{"mongodb-manual", "The MongoDB manual"},
	{"cosmos-pages", "The Azure Cosmos DB pages"},
	{"disagreements", "The documents disagree"},
}

var (
	named    = regexp.MustCompile("`((?:mongo|cosmos)\\.[a-z0-9-]+)`")
	numbered = regexp.MustCompile(`^[A-Z][0-9]+$`)
)

// mentions fills in what the tables of the guides in files say about rules.
func (b *Book) mentions(files fs.FS) error {
	for _, list := range lists {
		text, err := fs.ReadFile(files, list.guide+".md")
		if err != nil {
			return err
		}
		for _, row := range markdown.Rows(text) {
			m := Mention{Guide: list.guide, Place: row.Section, Label: list.label, Text: row.Cells[0]}
			if numbered.MatchString(m.Text) {
				m.Place, m.Label, m.Text = strings.ToLower(m.Text), list.label+", "+m.Text, row.Cells[1]
			}
			for _, id := range named.FindAllStringSubmatch(row.Line, -1) {
				if p := b.pages[id[1]]; p != nil {
					p.Mentions = append(p.Mentions, m)
				}
			}
		}
	}
	return nil
}

// Link is where m stands, with the ending that pages have: ".md", ".html".
func (m Mention) Link(ending string) string {
	if m.Place == "" {
		return m.Guide + ending
	}
	return m.Guide + ending + "#" + m.Place
}
