package rulebook

import (
	"cmp"
	_ "embed" // for features.json
	"encoding/json"
	"path"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/docs/site/records"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
)

// An Engine is a database with a list of rules.
type Engine struct {
	Name string // "MongoDB"
	Slug string // "mongodb", the name of its folder and of its index
	// Prefix is the prefix of its rules' identifiers, "mongo.".
	Prefix string
	Topics []*Topic
	// Matrix is the container's default against the item's ttl, for Azure Cosmos DB
	// only.
	Matrix []MatrixRow `json:"-"`
	// Flows are the orders in which its rules are consulted.
	Flows []Flow `json:"-"`
}

// A Topic is a group of rules that are read together.
type Topic struct {
	Title string
	About string
	// Rules are patterns of identifiers. A rule belongs to the first topic with a
	// matching pattern. A topic lists its rules in the order of the patterns, so the most
	// wanted rules come first.
	Rules []string
	Pages []*Page `json:"-"`
}

// Anchor is the name of the topic's heading on the index of its engine, as
// code hosts derive it.
func (t *Topic) Anchor() string { return markdown.Slug(t.Title) }

func (t *Topic) accepts(slug string) bool { return t.rank(slug) >= 0 }

// rank is the place of the first pattern that fits a rule, -1 if none does.
func (t *Topic) rank(slug string) int {
	return slices.IndexFunc(t.Rules, fits(slug))
}

// fits returns a function that reports whether a pattern fits a name.
func fits(name string) func(pattern string) bool {
	return func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	}
}

// sort puts the pages of t into the order of its patterns.
func (t *Topic) sort() {
	slices.SortStableFunc(t.Pages, func(a, b *Page) int { return cmp.Compare(t.rank(a.Slug), t.rank(b.Slug)) })
}

// A confusion is two rules that people confuse, and the difference between the two rules.
type confusion struct {
	Rules [2]string
	Why   string
}

// recorded is the part of docs/site/records for the pages.
type recorded struct {
	Engines  []*Engine // with their topics, still without pages
	Confused []confusion
	Repairs  []Repair
	// Examples are chosen vectors, by the rule that each shows. A vector is chosen for a
	// rule that decides no vector, for example a rule about the reading of a number, and
	// for a rule whose statement is shown best by a vector that it does not decide. A
	// person compared each vector with the statement of its rule.
	Examples map[string]string
	// Questions are the questions of the rules in a list of steps, each with the
	// outcome of a yes.
	Questions map[string]FlowStep
	// Behaviours are the behaviours that shape a rule, by its identifier.
	Behaviours map[string][]string
	// Unread has an entry for each rule that claims older releases than those in which
	// its cited files were read. The value is the oldest line of releases in which a
	// cited file was read; "all" for a rule that cites no file of a release. Before you
	// add a rule here, try to read its file at the tag of the release.
	Unread map[string]string
}

func readRecords() (r recorded) {
	text, err := records.Rules()
	if err != nil {
		panic(err) // a test would have seen this
	}
	read("rules.json", text, &r)
	return r
}

//go:embed features.json
var featuresJSON []byte

func read(name string, text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		panic(name + ": " + err.Error()) // a test would have seen this
	}
}

// shown is the number of entries of a long list on the page of a rule, so that each page is
// readable on a phone.
const shown = 10

// A List is a list of which the page of a rule shows the beginning.
type List[T any] []T

// First returns the entries that the page shows.
func (l List[T]) First() List[T] { return l[:min(shown, len(l))] }

// Rest returns the other entries.
func (l List[T]) Rest() List[T] { return l[min(shown, len(l)):] }

// IsShown reports whether the page of its rule shows c.
func (c *Case) IsShown() bool { return slices.Contains(c.Home.Cases.First(), c) }
