// Package rulebook gathers everything known about each rule into one page: its statement,
// its releases, its sources, the vectors that show it, and the rules with which people
// confuse it.
//
// [New] makes the book from the two catalogues and the vectors, so that a page holds
// nothing else. [Book.Markdown] returns the pages for a code host; package site makes
// HTML of the same pages. Package records holds the prose that only the pages show, and
// features.json holds the features.
package rulebook

import (
	"encoding/json"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Book is the pages of all rules.
type Book struct {
	Engines []*Engine
	// Cases are the vectors, except retired ones.
	Cases []*Case
	// Features are tables of MongoDB's features by release.
	Features []*FeatureTable
	// Behaviours are the behaviours in which releases of MongoDB differ.
	Behaviours []*Behaviour

	suite *suite.Suite
	pages map[string]*Page
	cases map[string]*Case
}

// A Page holds everything known about one rule.
type Page struct {
	policy.Rule
	Engine *Engine
	Topic  *Topic
	// Slug is the identifier without the engine, "date" of "mongo.date".
	Slug        string
	VersionRows []VersionRow
	// Cases are the vectors that name this rule first.
	Cases List[*Case]
	// Also are the vectors that bear on the rule, but are shown on another rule's page.
	Also List[*Case]
	// Untestable is the reason why no vector can ask about the rule, "" if a vector can.
	Untestable string
	// Mutants are the misreadings of the rule that the vectors detect.
	Mutants []mutants.Mutant
	// Implementations are the verdicts on other implementations of the rule.
	Implementations []Implementation
	// Mentions are the statements of vendors' documents about the rule.
	Mentions []Mention
	// Neighbours are the rules with which people confuse this rule.
	Neighbours []Neighbour
	// Example is the smallest vector that shows the rule, nil if none does.
	Example *Example
	// Repair is the advice about the rule.
	Repair Repair
	// Behaviours are the behaviours of MongoDB's releases that shape the rule.
	Behaviours List[*Behaviour]

	chosen string   // the identifier of the example; "" for the smallest vector that shows the rule
	runOn  []string // releases of MongoDB's servers, see RunOn
}

// A Case is a vector in readable form.
type Case struct {
	*suite.Vector
	Home     *Page
	Question []Line
	Answers  []Answer
	// Twins are vectors that differ in one place and have a different answer.
	Twins []*Case

	in map[string]json.RawMessage // the members of the question
}

// Lead returns the first sentence of the rule's statement, for lists of rules.
func (p *Page) Lead() string {
	if first, _, longer := strings.Cut(p.Statement(), ". "); longer {
		return first + "."
	}
	return p.Statement()
}

// Read returns the pages of the checkout whose root is named, the folder docs, and the book,
// which is made from the suite of this build, the results of implementations and the pages.
func Read(root string) (pages fs.FS, b *Book, err error) {
	pages = os.DirFS(filepath.Join(root, "docs"))
	results, err := ReadResults(os.DirFS(filepath.Join(root, "conformance", "lab", "results")))
	if err != nil {
		return nil, nil, err
	}
	b = New(suite.Embedded(), results)
	return pages, b, b.mentions(pages)
}

// New makes the book from a suite, the two catalogues, and the results of
// implementations.
func New(s *suite.Suite, results []Result) *Book {
	recorded := readRecords()
	engines := recorded.Engines
	b := &Book{Engines: engines, suite: s, pages: map[string]*Page{}, cases: map[string]*Case{}}
	claims := newClaims(s)
	for r := range suite.Rules() {
		b.add(&Page{Rule: r, VersionRows: claims.rows(r), Untestable: s.Untestable[r], chosen: recorded.Examples[r.ID()]})
	}
	for _, e := range engines {
		for _, t := range e.Topics {
			t.sort()
		}
	}
	for _, v := range s.Vectors {
		if v.Status != "retired" {
			b.addCase(v)
		}
	}
	b.pair()
	b.neighbours(recorded.Confused)
	b.implementations(results)
	for _, m := range mutants.All() {
		if p := b.pages[m.Rule]; p != nil {
			p.Mutants = append(p.Mutants, m)
		}
	}
	b.features()
	b.behaviours(recorded.Behaviours)
	for _, e := range engines {
		if e.Slug == "cosmos" {
			e.Matrix = b.matrix()
		}
		e.Flows = b.flows(e.Slug, recorded.Questions)
	}
	for _, p := range b.pages {
		p.Example, p.Repair = b.exampleOf(p), repairOf(recorded.Repairs, p.ID())
	}
	return b
}

// Pages yields the pages in the order of the topics.
func (b *Book) Pages() iter.Seq[*Page] {
	return func(yield func(*Page) bool) {
		for _, e := range b.Engines {
			for _, t := range e.Topics {
				for _, p := range t.Pages {
					if !yield(p) {
						return
					}
				}
			}
		}
	}
}

// Page returns the page of the rule with an identifier, nil if there is none.
func (b *Book) Page(id string) *Page { return b.pages[id] }

// add puts a page into its topic.
func (b *Book) add(p *Page) {
	b.pages[p.ID()] = p
	for _, e := range b.Engines {
		slug, ok := strings.CutPrefix(p.ID(), e.Prefix)
		if !ok {
			continue
		}
		p.Engine, p.Slug = e, slug
		if i := slices.IndexFunc(e.Topics, func(t *Topic) bool { return t.accepts(slug) }); i >= 0 {
			p.Topic = e.Topics[i]
			p.Topic.Pages = append(p.Topic.Pages, p)
		}
	}
}

// addCase puts a vector onto the page of its first rule, and names it on the
// pages of the other rules that it bears on or that decide it.
func (b *Book) addCase(v *suite.Vector) {
	c := &Case{Vector: v, Home: b.pages[v.Rules[0].ID()], Answers: answers(b.suite, v), in: parse(v.In)}
	c.Question = c.question()
	for i := range c.Answers {
		c.Answers[i].Decider = b.pages[c.Answers[i].Rule]
	}
	b.Cases = append(b.Cases, c)
	b.cases[v.ID] = c
	c.Home.Cases = append(c.Home.Cases, c)
	for id, p := range b.pages {
		if p != c.Home && (slices.Contains(v.Rules, p.Rule) || c.names(id)) {
			p.Also = append(p.Also, c)
		}
	}
}

// names reports whether a rule decides some answer to c.
func (c *Case) names(rule string) bool {
	return slices.ContainsFunc(c.Answers, func(a Answer) bool { return a.Rule == rule })
}

// pair makes each vector and its twin twins of each other.
func (b *Book) pair() {
	for _, c := range b.Cases {
		if twin := b.cases[c.Twin]; twin != nil {
			c.join(twin)
			twin.join(c)
		}
	}
}

func (c *Case) join(twin *Case) {
	if !slices.Contains(c.Twins, twin) {
		c.Twins = append(c.Twins, twin)
	}
}

// A Flag is a kind of hazard that vectors are flagged with.
type Flag struct {
	Name string
	suite.Flag
}

// Flags returns all flags by name.
func (b *Book) Flags() (all []Flag) {
	for _, name := range slices.Sorted(maps.Keys(b.suite.Flags)) {
		all = append(all, Flag{name, b.suite.Flags[name]})
	}
	return all
}

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
