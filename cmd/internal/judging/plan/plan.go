// Package plan compares a policy file with a database. Per collection it names the changes,
// the documents that they delete or keep, and the commands, in an order in which none
// deletes a document that would stay before and after. It runs no command.
package plan

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Options are how to compare.
type Options struct {
	catalog.Options
	// Selection selects collections. Others are the collections of the input that it leaves
	// out; rules about them are not missing.
	Selection namespace.Selection
	Others    []*catalog.Target
	// MaxDeletes is the largest number of documents of one collection to delete in 24 h; 0
	// means no limit. A change that deletes more is made in steps.
	MaxDeletes int64
}

// A Plan is a list of changes.
type Plan struct {
	Now     policy.Instant
	Changes []Change
	// Outside are collections and containers with a time to live that no rule is
	// about. Others without a rule are Unruled.
	Outside []string
	Unruled int
	// Missing are rules about one collection that is not in the input, and for which
	// nothing is created; Idle are those with a pattern that none fits.
	Missing []Missing
	Idle    []string
}

// A Missing is a rule about one collection that is not in the input.
type Missing struct {
	Rule string // and where it stands
	Why  string // nothing is created for it, in whole sentences
}

// A Change is the change of one collection or container.
type Change struct {
	Namespace string
	File      string // where it was described
	New       bool   // it does not stand yet
	Rule      string // the pattern of the rule, and where it stands
	System    string // and its release
	Items     []Item
	// Documents is the effect on the documents, nil if none were read.
	Documents *forecast.Tally
	// Err says why it cannot be compared, or why not all of its documents were read.
	Err error

	documents     []*dump.Collection
	before, after *reasons.Policy
	staging       *staging // nil where nothing is done in steps
}

// Differs reports whether anything has to change.
func (c *Change) Differs() bool {
	return slices.ContainsFunc(c.Items, func(i Item) bool { return i.Action != Nothing })
}

// Refused says which changes no command makes, and why; empty if commands make all.
func (c *Change) Refused() string {
	for _, i := range c.Items {
		if i.Refused != "" {
			return i.Refused
		}
	}
	return ""
}

// Differences returns how many collections and containers differ from what is wanted.
func (p *Plan) Differences() (n int) {
	for i := range p.Changes {
		if p.Changes[i].Differs() {
			n++
		}
	}
	return n
}

// Count returns how many items there are of an action.
func (p *Plan) Count(a Action) (n int) {
	for _, c := range p.Changes {
		for _, i := range c.Items {
			if i.Action == a {
				n++
			}
		}
	}
	return n
}

// Lack returns an error that says why the plan is incomplete; nil if it is complete.
func (p *Plan) Lack() error {
	var lacks []error
	for i := range p.Changes {
		c := &p.Changes[i]
		switch refused := c.Refused(); {
		case c.Err != nil:
			lacks = append(lacks, fmt.Errorf("%s: %w", c.Namespace, c.Err))
		case refused != "":
			lacks = append(lacks, fmt.Errorf("%s: no command does it: %s", c.Namespace, refused))
		case c.Documents != nil && c.Documents.Bad > 0:
			lacks = append(lacks, fmt.Errorf("%s: %s could not be read and were skipped", c.Namespace, cli.Documents(c.Documents.Bad)))
		}
	}
	for _, m := range p.Missing {
		lacks = append(lacks, fmt.Errorf("no such collection in the input: rule %s", m.Rule))
	}
	switch len(lacks) {
	case 0:
		return nil
	case 1:
		return lacks[0]
	}
	return fmt.Errorf("%w; and %d more", lacks[0], len(lacks)-1)
}

// Of compares targets with a policy file, and reads the documents of those that differ. It
// returns an error only if ctx ended.
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
			p.addOutside(t, o)
			continue
		}
		used[r] = true
		c := Change{Namespace: t.Title(), File: filepath.ToSlash(t.File), Rule: f.placeOf(r), documents: t.Documents}
		if t.IsContainer() {
			c.Err = c.compareContainer(t, r, o)
		} else {
			c.Err = c.compareCollection(t, f, r, o)
		}
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
			p.create(f, r, name, stand, o)
		}
	}
	return p, p.read(ctx, o)
}

// placeOf names a rule and says where it stands.
func (f *File) placeOf(r *Rule) string {
	return fmt.Sprintf("%s (%s:%d)", r.Namespace.text, f.name, r.Namespace.line)
}

// addOutside adds a target that no rule is about.
func (p *Plan) addOutside(t *catalog.Target, o Options) {
	p.Unruled++
	hasTTL := true // as far as it is known
	if t.IsContainer() {
		s, err := t.Container(o.Options)
		hasTTL = err != nil || !s.Spec.DefaultTTL.IsMissingOrNull()
	} else if c, err := t.Collection(o.Options); err == nil {
		hasTTL = len(reasons.Parts(c.Spec)) > 0
	}
	if hasTTL {
		p.Outside = append(p.Outside, t.Title())
	}
}

// compareContainer compares a container with a rule.
func (c *Change) compareContainer(t *catalog.Target, r *Rule, o Options) error {
	s, err := t.Container(o.Options)
	if err != nil {
		return err
	}
	c.System = "Azure Cosmos DB for NoSQL"
	items, after := changeContainer(s, r.DefaultTTL)
	c.Items = items
	if c.before, err = reasons.Compile(policies.OfContainer(s.Spec)); err != nil {
		return err
	}
	c.after, err = reasons.Compile(policies.OfContainer(after))
	return err
}

// compareCollection compares a collection of MongoDB with a rule.
func (c *Change) compareCollection(t *catalog.Target, f *File, r *Rule, o Options) error {
	s, err := t.Collection(o.Options)
	if err != nil {
		return err
	}
	c.System = "MongoDB " + s.Release.String()
	stands := collection(s)
	want, err := f.wanted(r, &stands)
	if err != nil {
		return err
	}
	if err := c.compare(stands, want, o.Parameters); err != nil {
		return err
	}
	if o.MaxDeletes > 0 {
		return c.prepare(stands, o)
	}
	return nil
}

// compare compares the stored policy with the wanted one.
func (c *Change) compare(stands collection, want wanted, parameters policy.D) error {
	var after mongo.CollectionSpec
	c.Items, after = stands.changes(want)
	return c.compile(stands, after, parameters)
}

// compile compiles the policies before and after the change.
func (c *Change) compile(stands collection, after mongo.CollectionSpec, parameters policy.D) (err error) {
	if c.before, err = reasons.Compile(policies.OfMongoDB(stands.Spec, stands.Release, parameters)); err != nil {
		return err
	}
	c.after, err = reasons.Compile(policies.OfMongoDB(after, stands.Release, parameters))
	return err
}

// wanted returns what a rule asks of a collection.
func (f *File) wanted(r *Rule, c *collection) (w wanted, err error) {
	for i := range r.all() {
		x := &r.all()[i]
		seconds := f.secondsOf(x)
		switch wish := f.indexOf(x); {
		case seconds.word == "none":
		case !x.Key.isGiven() && !c.isPlain():
			w.own = &seconds.n
		case wish.key.IsMissing():
			return w, fmt.Errorf("rule %s names no key, and this is an ordinary collection: it has no time to live of its own, and no command turns it into a time-series or clustered collection; name a key, or copy the documents into a new collection of that kind", f.placeOf(r))
		default:
			w.indexes = append(w.indexes, wish)
		}
	}
	return w, nil
}

// Policies returns the policies before and after the change; nil if nothing has to change,
// or if it cannot be compared.
func (c *Change) Policies() (before, after *reasons.Policy) {
	if c.Err != nil || !c.Differs() {
		return nil, nil
	}
	return c.before, c.after
}

// read decides the documents of what differs by both policies, in one pass.
func (p *Plan) read(ctx context.Context, o Options) error {
	var jobs []forecast.Job
	var of []*Change
	for i := range p.Changes {
		c := &p.Changes[i]
		if before, after := c.Policies(); before != nil && len(c.documents) > 0 {
			jobs = append(jobs, forecast.Job{Collections: c.documents, Policy: before, Other: after, Ages: c.staging.ages()})
			of = append(of, c)
		}
	}
	results := forecast.Run(ctx, jobs, forecast.Options{Now: o.Now, Kind: o.Kind, SkipBad: o.SkipBad, NoIDs: o.NoIDs, Read: o.Read})
	for i, r := range results {
		of[i].Documents, of[i].Err = r.Tally, r.Err
	}
	if o.MaxDeletes > 0 {
		for i := range p.Changes {
			p.Changes[i].stage(o)
		}
	}
	return ctx.Err()
}
