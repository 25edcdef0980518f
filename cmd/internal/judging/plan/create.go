package plan

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Reasons why a plan creates nothing for a rule about a collection that is
// not in the input.
const (
	noPartitionKey = "A container needs a partition key to be created, and no policy file holds one."
	notWhole       = "The input does not hold the whole database, so the collection may exist already."
	nothingWanted  = "The rule lets nothing expire there, so nothing is created. Check the name."
	ofTheAPI       = "A collection of Azure Cosmos DB's API for MongoDB has a shard key and a throughput, and no policy file holds them."
	noKey          = "The rule names no key, and no policy file holds the options that create a time-series or clustered collection."
)

// create adds to p the commands that create the missing collection of a rule, or the
// reason why there are none.
func (p *Plan) create(f *File, r *Rule, name string, stand []*catalog.Target, o Options) {
	c, why := f.created(r, name, stand, o)
	if why != "" {
		p.Missing = append(p.Missing, Missing{f.placeOf(r), why})
		return
	}
	p.Changes = append(p.Changes, c)
}

// created returns the commands that create the collection of this name, or the reason why
// there are none.
func (f *File) created(r *Rule, name string, stand []*catalog.Target, o Options) (c Change, why string) {
	database, collectionName, _ := strings.Cut(name, ".")
	beside, ok := inDatabase(database, stand, o)
	switch {
	case r.isCosmos():
		return c, noPartitionKey
	case slices.ContainsFunc(stand, func(t *catalog.Target) bool { return t.System() == definition.CosmosMongo && t.Database == database }):
		return c, ofTheAPI
	case !ok:
		return c, notWhole
	}
	empty := catalog.StoredCollection{Collection: beside.Collection, Release: beside.Release}
	empty.Name, empty.Collation = collectionName, policy.Value{}
	want, err := f.wanted(r, empty.Spec)
	switch {
	case err != nil:
		return c, noKey
	case len(want.Indexes) == 0:
		return c, nothingWanted
	}
	c = Change{Namespace: name, New: true, Rule: f.placeOf(r)}
	o.MaxDeletes = 0 // a new collection has no documents to delete
	c.Err = c.set(change.OfCollection(empty, want, o.Options))
	c.warnOfExisting(stand)
	return c, ""
}

// inDatabase returns a collection of the database, if the input has all collections of
// the database.
func inDatabase(database string, stand []*catalog.Target, o Options) (c catalog.StoredCollection, ok bool) {
	for _, t := range stand {
		if t.Whole && t.System() == definition.MongoDB && t.Database == database {
			if c, err := t.Collection(o.Options.Options); err == nil {
				return c, true
			}
		}
	}
	return c, false
}

// warnOfExisting gives the first command a warning about its effect if the collection
// exists although the input lacks it, and removes all other warnings.
func (c *Change) warnOfExisting(stand []*catalog.Target) {
	var names []string
	for _, t := range stand {
		names = append(names, t.Title())
	}
	warning := "No collection of this name is in the input, and this command creates it. If it stands all the same, documents that are old enough go at once. There " + namespace.Nearest(c.Namespace, names) + "."
	for i := range c.Items {
		for j := range c.Items[i].Steps {
			c.Items[i].Steps[j].Warning = warning
			warning = "" // a new collection has no documents to warn about
		}
	}
}
