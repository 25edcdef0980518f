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
	// Missing are the rules about a single collection that is not in the input. Idle are the
	// rules whose pattern matches no collection.
	Missing, Idle []string
}

// A Change is the change of one collection or container.
type Change struct {
	Namespace string
	File      string // the file that describes the collection
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
	for _, rule := range p.Missing {
		lacks = append(lacks, fmt.Errorf("the input has no collection for the rule %s", rule))
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
	for i := range f.Rules {
		r := &f.Rules[i]
		switch name, isOne := r.Namespace.Name(); {
		case used[r]:
		case !isOne:
			p.Idle = append(p.Idle, f.placeOf(r))
		case o.Selection.Selects(name):
			p.Missing = append(p.Missing, f.placeOf(r))
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
		wanted := policy.Value{}
		if r.DefaultTTL.word != "off" {
			wanted = policy.Int64Value(r.DefaultTTL.n)
		}
		if err == nil {
			err = c.set(change.OfContainer(s, wanted))
		}
		return err
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
