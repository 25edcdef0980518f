package policyflags

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
)

// A Group holds the parts of one collection in the inputs, and the policy of the collection.
type Group struct {
	Collections []*dump.Collection
	Titles      []string // the titles of the parts
	Policy      *reasons.Policy
	// Container is the container of Azure Cosmos DB for NoSQL, for commands about it; nil
	// for a collection.
	Container *catalog.StoredContainer
	Err       error // the reason why there is no policy
	// Joined means that other inputs may hold more documents of the collection. It is so if
	// the policy comes from the flags, and either the files are text or the flags name the
	// collection.
	Joined bool
	// SampleOf is nil if Collections hold all documents of the collection. If they hold a
	// sample, SampleOf is the number of all documents, or -1 if that is unknown.
	SampleOf *int64
}

// Name returns the title of the collection.
func (g Group) Name() string { return NameOf(g.Titles) }

// NameOf returns the title of a collection from the titles of its files.
func NameOf(titles []string) string {
	const most = 4 // the number of titles that fit on a line
	titles = slices.Compact(slices.Clone(titles))
	if len(titles) > most {
		titles = []string{titles[0], fmt.Sprintf("%s more", cli.Number(int64(len(titles)-1)))}
	}
	return strings.Join(titles, " + ")
}

// Files names the places of g's documents.
func (g Group) Files() (list []string) {
	for _, c := range g.Collections {
		list = append(list, filepath.ToSlash(c.Place()))
	}
	return list
}

// Groups gives each collection its policy: the policy of the flags, or the policy in its
// metadata. If the flags name a policy, files of text are the parts of one export. If the
// flags also name the collection, all files are its parts.
func (f *Flags) Groups(list []*dump.Collection) (groups []Group, err error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if !f.Given() {
		if f.Namespace != "" && len(list) > 1 {
			return nil, cli.Usagef("--namespace names one collection, but the input has %d; --ns selects some of them", len(list))
		}
		for _, c := range list {
			p, err := f.CompileBeside(c)
			g := Group{Collections: []*dump.Collection{c}, Titles: []string{f.titleOf(c, p)}, Policy: p, Err: err}
			if err == nil && c.Container {
				metadata, _ := c.Metadata() // the metadata was compiled before
				g.Container = catalog.ContainerIn(string(metadata.Text), p.Container, c.Database, c.Name)
			}
			groups = append(groups, g)
		}
		return groups, nil
	}
	p, err := f.Compile()
	if err != nil {
		return nil, err
	}
	var container *catalog.StoredContainer
	if p.System == definition.CosmosNoSQL {
		text, _ := f.containerText(f.Container) // without a file, --container is the text itself
		database, name, _ := strings.Cut(f.Namespace, ".")
		container = catalog.ContainerIn(text, p.Container, database, name)
	}
	joined := -1 // the group of joined collections
	for _, c := range list {
		g := Group{Collections: []*dump.Collection{c}, Titles: []string{f.titleOf(c, p)}, Policy: p, Container: container, Joined: !c.IsBSON() || f.Namespace != ""}
		switch {
		case g.Joined && joined >= 0:
			to := &groups[joined]
			to.Collections, to.Titles = append(to.Collections, c), append(to.Titles, g.Titles[0])
			continue
		case g.Joined:
			joined = len(groups)
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// titleOf returns the title of c. It says if mongodump wrote a time-series
// collection as its buckets.
func (f *Flags) titleOf(c *dump.Collection, p *reasons.Policy) string {
	title := c.Title()
	if f.Namespace != "" {
		title = f.Namespace
	}
	if c.Buckets || p != nil && c.IsBSON() && !p.Collection.TimeSeries.IsMissing() {
		title += " (time-series buckets)"
	}
	return title
}
