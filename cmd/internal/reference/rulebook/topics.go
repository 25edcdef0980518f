package rulebook

import (
	"cmp"
	"embed"
	"encoding/json"
	"path"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reference/rulebook/markdown"
)

// An Engine is one database whose rules are listed.
type Engine struct {
	Name string // "MongoDB"
	Slug string // "mongodb", the name of its folder and of its index
	// Prefix is what the identifiers of its rules begin with, "mongo.".
	Prefix string
	Topics []*Topic
	// Matrix is the container's default against the item's ttl, of Azure Cosmos
	// DB alone.
	Matrix []MatrixRow `json:"-"`
}

// A Topic is rules that are read together.
type Topic struct {
	Title string
	About string
	// Rules are patterns; a rule belongs to the first topic that accepts it, and
	// stands there in the order of the patterns: what most people look for first.
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

// A confusion is two rules that people confuse, and what distinguishes them.
type confusion struct {
	Rules [2]string
	Why   string
}

// readTopics returns the two engines with their topics, still without pages.
func readTopics() (engines []*Engine, confused []confusion) {
	read("topics.json", &struct {
		Engines  *[]*Engine
		Confused *[]confusion
	}{&engines, &confused})
	return engines, confused
}

// What prose belongs to the pages alone: topics.json lists the engines with their
// topics, and the rules that people confuse; features.json the features by the vectors
// that ask about them; repairs.json the repairs.
//
//go:embed topics.json features.json repairs.json
var prose embed.FS

// read reads one of the files of prose.
func read(name string, into any) {
	text, err := prose.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(name + ": " + err.Error()) // which a test would have seen
	}
}
