package plan

import (
	"context"
	"errors"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Subject is a collection of MongoDB whose policy is known, and its documents.
type Subject struct {
	Name      string
	Policy    *reasons.Policy
	Documents []*dump.Collection
}

// WhatIf says what would be if every TTL index, and option of a collection, that counts
// from a date in the past deleted after n seconds. Indexes with expireAfterSeconds 0, by
// which documents bring their own deadline, stay as they are.
func WhatIf(ctx context.Context, subjects []Subject, n int64, o Options) (*Plan, error) {
	p := &Plan{Now: o.Now}
	for _, s := range subjects {
		c := Change{Namespace: s.Name, Rule: "--what-if " + span(n), System: "MongoDB " + s.Policy.Release, documents: s.Documents}
		c.Err = c.whatIf(s, n, o)
		if c.Err != nil || len(c.Items) > 0 {
			p.Changes = append(p.Changes, c)
		}
	}
	return p, p.read(ctx, o)
}

// ErrNothing is returned where --what-if changes nothing.
var ErrNothing = errors.New("no TTL index here counts from a date: nothing would change")

func (c *Change) whatIf(s Subject, n int64, o Options) error {
	release, err := mongo.ParseVersion(s.Policy.Release)
	if err != nil {
		return err
	}
	at := catalog.Collection{Profile: s.Policy.Profile, Now: o.Now}
	if len(s.Documents) > 0 {
		at.Database, at.Name = s.Documents[0].Database, s.Documents[0].Name
		c.File = s.Documents[0].Place()
	}
	stands := collection{Collection: at, spec: s.Policy.Collection}
	for _, x := range stands.spec.Indexes {
		stands.listed = append(stands.listed, policy.ObjectValue(x.Document()))
	}
	items := stands.ownOption(wanted{own: &n})
	if stands.spec.ExpireAfterSeconds.IsMissing() {
		items = nil
	}
	for i, x := range stands.spec.Indexes {
		if delay, ok := mongo.WholeSeconds(x.ExpireAfterSeconds); ok && delay != 0 && isOrdinary(x) && !x.Clustered {
			items = append(items, stands.setSeconds(i, n))
		}
	}
	var after mongo.CollectionSpec
	c.Items, after = stands.settleAll(items)
	return c.compile(stands.spec, after, release, o.Parameters)
}
