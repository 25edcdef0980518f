// Package plan compares a policy file with a database. For each collection a plan has the
// changes, the numbers of documents that they delete or keep, and the commands. The
// commands are ordered so that none deletes a document that both policies keep. The
// package runs no command.
package plan

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Options configure a comparison.
type Options struct {
	change.Options
	// Selection selects collections. Others are the collections of the input that are not
	// selected; a rule about one of them does not count as missing.
	Selection namespace.Selection
	Others    []*catalog.Target
}

// A Plan is a list of changes.
type Plan struct {
	Now     policy.Instant
	Changes []Change
	// Outside are the collections and containers that have a time to live and no rule.
	// Unruled is the number of all collections and containers without a rule.
	Outside []string
	Unruled int
	// Missing are the rules about a single collection that is not in the input and that
	// the plan does not create. Idle are the rules whose pattern matches no collection.
	Missing []Missing
	Idle    []string
}

// A Missing is a rule about a single collection. The collection is not in the input, and the
// plan does not create it.
type Missing struct {
	Rule string // the rule and its place in the policy file
	Why  string // the reason why the plan does not create the collection, in whole sentences
}

// A Change is the change of one collection or container.
type Change struct {
	Namespace string
	File      string // the file that describes the collection
	New       bool   // the collection does not exist yet
	Rule      string // the pattern of the rule and its place in the policy file
	IsAssumed bool   // the release is an assumption, because nothing names it
	change.Change
	documents []*dump.Collection
}

// Differences returns the number of collections and containers that differ from the
// wanted policy.
func (p *Plan) Differences() (n int) {
	for i := range p.Changes {
		if p.Changes[i].Differs() {
			n++
		}
	}
	return n
}

// Count returns the number of items with an action.
func (p *Plan) Count(a change.Action) (n int) {
	for _, c := range p.Changes {
		for _, i := range c.Items {
			if i.Action == a {
				n++
			}
		}
	}
	return n
}

// Lack returns an error with the reason why the plan is incomplete; nil if it is
// complete.
func (p *Plan) Lack() error {
	var lacks []error
	for i := range p.Changes {
		c := &p.Changes[i]
		switch refused := c.Refused(); {
		case c.Err != nil:
			lacks = append(lacks, fmt.Errorf("%s: %w", c.Namespace, c.Err))
		case refused != "":
			lacks = append(lacks, fmt.Errorf("%s: no command makes this change: %s", c.Namespace, refused))
		case c.Documents != nil && c.Documents.Bad > 0:
			lacks = append(lacks, fmt.Errorf("%s: %s could not be read and were skipped", c.Namespace, cli.Documents(c.Documents.Bad)))
		}
	}
	for _, m := range p.Missing {
		lacks = append(lacks, fmt.Errorf("the input has no collection for the rule %s", m.Rule))
	}
	switch len(lacks) {
	case 0:
		return nil
	case 1:
		return lacks[0]
	}
	return fmt.Errorf("%w; and %d more", lacks[0], len(lacks)-1)
}

// Of compares targets with a policy file, and reads the documents of targets that differ.
// It returns an error only if ctx ended.
func Of(ctx context.Context, f *File, targets []*catalog.Target, o Options) (*Plan, error) {
	p := &Plan{Now: o.Now}
	if o.Release == (mongo.Version{}) {
		o.Release = f.Server.Version
	}
	used := map[*Rule]bool{}
	for _, t := range o.Others {
		used[f.ruleFor(t.Title(), t.IsContainer())] = true
	}
	for _, t := range targets {
		r := f.ruleFor(t.Title(), t.IsContainer())
		if r == nil {
			if p.Unruled++; hasTTL(t, o) {
				p.Outside = append(p.Outside, t.Title())
			}
			continue
		}
		used[r] = true
		c := Change{Namespace: t.Title(), File: filepath.ToSlash(t.File), Rule: f.placeOf(r), documents: t.Documents}
		c.Err = c.compare(t, f, r, o)
		p.Changes = append(p.Changes, c)
	}
	stand := slices.Concat(targets, o.Others)
	for i := range f.Rules {
		r := &f.Rules[i]
		switch name, isOne := r.Namespace.Name(); {
		case used[r]:
		case !isOne:
			p.Idle = append(p.Idle, f.placeOf(r))
		case o.Selection.Selects(name):
			if c, why := f.created(r, name, stand, o); why != "" {
				p.Missing = append(p.Missing, Missing{f.placeOf(r), why})
			} else {
				p.Changes = append(p.Changes, c)
			}
		}
	}
	var list []change.Reading
	for i := range p.Changes {
		list = append(list, change.Reading{Change: &p.Changes[i].Change, Of: p.Changes[i].documents})
	}
	return p, change.Read(ctx, list, o.Options)
}

func (f *File) placeOf(r *Rule) string {
	return fmt.Sprintf("%s (%s:%d)", r.Namespace.text, f.name, r.Namespace.line)
}

func hasTTL(t *catalog.Target, o Options) bool {
	switch t.System() {
	case definition.CosmosNoSQL:
		s, err := t.Container(o.Options.Options)
		return err != nil || !s.Spec.DefaultTTL.IsMissingOrNull()
	case definition.CosmosMongo:
		c, err := t.APICollection(o.Options.Options)
		return err != nil || slices.ContainsFunc(c.Spec.Indexes, func(x cosmos.IndexSpec) bool { return !x.ExpireAfterSeconds.IsMissingOrNull() })
	}
	c, err := t.Collection(o.Options.Options)
	return err != nil || len(reasons.Parts(c.Spec)) > 0
}

// compare sets the change that a target needs to follow a rule.
func (c *Change) compare(t *catalog.Target, f *File, r *Rule, o Options) error {
	switch t.System() {
	case definition.CosmosMongo:
		s, err := t.APICollection(o.Options.Options)
		if err != nil {
			return err
		}
		c.System = s.SystemName()
		want, err := f.wanted(r, mongo.CollectionSpec{})
		if err != nil {
			return err
		}
		return c.set(change.OfAPICollection(s, want))
	case definition.CosmosNoSQL:
		s, err := t.Container(o.Options.Options)
		if err != nil {
			return err
		}
		wanted := policy.Int64Value(r.DefaultTTL.n)
		if r.DefaultTTL.word == "off" {
			wanted = policy.Value{}
		}
		return c.set(change.OfContainer(s, wanted))
	}
	s, err := t.Collection(o.Options.Options)
	if err != nil {
		return err
	}
	c.System, c.IsAssumed = reasons.Server(s.Release.String(), s.IsAssumed), s.IsAssumed
	want, err := f.wanted(r, s.Spec)
	if err != nil {
		return err
	}
	return c.set(change.OfCollection(s, want, o.Options))
}

func (c *Change) set(x *change.Change, err error) error {
	c.Change = *x
	return err
}

func (f *File) wanted(r *Rule, c mongo.CollectionSpec) (w change.Wanted, err error) {
	for _, x := range r.all() {
		seconds := f.secondsOf(x)
		switch wish := f.indexOf(x); {
		case seconds.word == "none":
		case !x.Key.isGiven() && !change.IsPlain(c):
			w.Own = &seconds.n
		case wish.Key.IsMissing():
			return w, fmt.Errorf("rule %s names no key, and this is an ordinary collection: it has no time to live of its own, and no command turns it into a time-series or clustered collection; name a key, or copy the documents into a new collection of that kind", f.placeOf(r))
		default:
			w.Indexes = append(w.Indexes, wish)
		}
	}
	return w, nil
}

// Reasons why a plan creates nothing for a rule about a collection that is
// not in the input.
const (
	noPartitionKey = "A container needs a partition key to be created, and no policy file holds one."
	notWhole       = "The input does not hold the whole database, so the collection may exist already."
	nothingWanted  = "The rule lets nothing expire there, so nothing is created. Check the name."
	ofTheAPI       = "A collection of Azure Cosmos DB's API for MongoDB has a shard key and a throughput, and no policy file holds them."
	noKey          = "The rule names no key, and no policy file holds the options that create a time-series or clustered collection."
)

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
