package rulebook

import (
	"cmp"
	_ "embed" // of topics.json
	"encoding/json"
	"path"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook/markdown"
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
	return slices.IndexFunc(t.Rules, func(pattern string) bool {
		ok, err := path.Match(pattern, slug)
		return ok && err == nil
	})
}

// sort puts the pages of t into the order of its patterns.
func (t *Topic) sort() {
	slices.SortStableFunc(t.Pages, func(a, b *Page) int { return cmp.Compare(t.rank(a.Slug), t.rank(b.Slug)) })
}

// topics.json lists the engines with their topics, and the rules that people
// confuse.
//
//go:embed topics.json
var topicsText []byte

// A confusion is two rules that people confuse, and what distinguishes them.
type confusion struct {
	Rules [2]string
	Why   string
}

// readTopics returns the two engines with their topics, still without pages.
func readTopics() (engines []*Engine, confused []confusion) {
	all := struct {
		Engines  *[]*Engine
		Confused *[]confusion
	}{&engines, &confused}
	if err := json.Unmarshal(topicsText, &all); err != nil {
		panic("topics.json: " + err.Error()) // which a test would have seen
	}
	return engines, confused
}
