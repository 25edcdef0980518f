package plan

import (
	"context"
	"errors"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Subject is a collection of MongoDB whose policy is known.
type Subject struct {
	Title, File          string // its name for people, and where its documents are
	Database, Collection string // its name in commands; empty if it is not known
	Policy               *reasons.Policy
	Documents            []*dump.Collection
}

// SubjectOf returns what a group of documents is about; the collection at an index names
// it in commands, unless the policy does. The error says that the group has no policy, or
// one of Azure Cosmos DB.
func SubjectOf(g policyflags.Group, i int) (s Subject, err error) {
	switch {
	case g.Err != nil:
		return s, g.Err
	case g.Policy.System != policies.MongoDB:
		return s, cli.Usagef("--what-if is for MongoDB; for a container write its defaultTtl into a policy file, and compare with ttl plan")
	}
	s = Subject{Title: g.Name(), File: g.Files()[0], Policy: g.Policy, Documents: g.Collections}
	database, collection, ok := strings.Cut(g.Policy.Collection.Namespace, ".")
	if s.Database, s.Collection = database, strings.TrimPrefix(collection, dump.BucketsPrefix); !ok {
		s.Database, s.Collection = g.Collections[i].Database, g.Collections[i].Name
	}
	return s, nil
}

// WhatIfOf is [WhatIf] of groups, whose documents it reads. Its error is that of
// [SubjectOf], of [Plan.Supposed], or that ctx ended.
func WhatIfOf(ctx context.Context, groups []policyflags.Group, n int64, o Options) (*Plan, error) {
	p := &Plan{Now: o.Now}
	for _, g := range groups {
		s, err := SubjectOf(g, 0)
		if err != nil {
			return nil, err
		}
		p.Suppose(WhatIf(s, n, o.Now))
	}
	if err := p.Supposed(); err != nil {
		return nil, err
	}
	return p, p.read(ctx, o)
}

// Suppose adds what another time to live changes, unless that is nothing.
func (p *Plan) Suppose(c Change) {
	if c.Err != nil || len(c.Items) > 0 {
		p.Changes = append(p.Changes, c)
	}
}

// Supposed returns [ErrNothing] if nothing was added.
func (p *Plan) Supposed() error {
	if len(p.Changes) == 0 {
		return cli.Usagef("--what-if: %w", ErrNothing)
	}
	return nil
}

// WhatIf returns the change of s in which every TTL index, and the option, that counts from
// a date in the past deletes after n seconds. Indexes with expireAfterSeconds 0, whose
// documents carry their own deadline, stay as they are. It reads no documents: see
// [Change.Policies].
func WhatIf(s Subject, n int64, now policy.Instant) Change {
	c := Change{Namespace: s.Title, File: s.File, Rule: "--what-if " + catalog.Span(n), System: "MongoDB " + s.Policy.Version(), documents: s.Documents}
	c.Err = c.whatIf(s, n, now)
	return c
}

// ErrNothing is returned if --what-if changes nothing.
var ErrNothing = errors.New("no TTL index here counts from a date: nothing would change")

func (c *Change) whatIf(s Subject, n int64, now policy.Instant) error {
	stands := collection{
		Collection: catalog.Collection{Profile: s.Policy.Profile, Now: now, Database: s.Database, Name: s.Collection},
		Spec:       s.Policy.Collection,
		Release:    s.Policy.Release,
	}
	for _, x := range stands.Spec.Indexes {
		stands.ListedIndexes = append(stands.ListedIndexes, policy.ObjectValue(x.Document()))
	}
	items := stands.ownOption(wanted{own: &n})
	if stands.Spec.ExpireAfterSeconds.IsMissing() {
		items = nil
	}
	for i, x := range stands.Spec.Indexes {
		if delay, ok := mongo.WholeSeconds(x.ExpireAfterSeconds); ok && delay != 0 && isOrdinary(x) && !x.Clustered {
			items = append(items, stands.setSeconds(i, n))
		}
	}
	var after mongo.CollectionSpec
	c.Items, after = stands.settleAll(items)
	return c.compile(stands, after, s.Policy.Parameters)
}
