package part

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/plan"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// WithWhatIf returns the key of a comparison with that many seconds to live.
func (k Key) WithWhatIf(seconds int64) Key {
	k.WhatIf = strconv.FormatInt(seconds, 10)
	return k
}

// whatIf returns the seconds of a comparison.
func (k Key) whatIf() (int64, error) {
	n, err := strconv.ParseInt(k.WhatIf, 10, 64)
	if err != nil || n < 0 || n > int64(policy.MaxSeconds) || k.WhatIf != strconv.FormatInt(n, 10) {
		return 0, fmt.Errorf("whatIf: %q is not a number of seconds from 0 to %d", k.WhatIf, policy.MaxSeconds)
	}
	return n, nil
}

// compareJob returns the job that decides the documents of a group as they stand, and by
// another time to live. It reads none if that changes nothing.
func (k Key) compareJob(g policyflags.Group) (job forecast.Job, err error) {
	s, err := plan.SubjectOf(g, 0)
	if err != nil {
		return job, err
	}
	n, err := k.whatIf()
	if err != nil {
		return job, err
	}
	c := plan.WhatIf(s, n, k.Now)
	if before, after := c.Policies(); before != nil {
		return forecast.Job{Collections: g.Collections, Policy: before, Other: after}, nil
	}
	return forecast.Job{Policy: g.Policy}, nil
}

// Plan returns what another time to live changes, of parts with [Key.WhatIf]. The error is
// [plan.ErrNothing].
func (p *Part) Plan() (*plan.Plan, error) {
	n, err := p.Key.whatIf()
	if err != nil {
		return nil, err
	}
	out := &plan.Plan{Now: p.Key.Now}
	for _, c := range p.Collections {
		at := c.Origins[0]
		s := plan.Subject{Title: nameOf(c.Origins), File: at.File, Database: at.Database, Collection: at.Collection, Policy: c.Policy}
		change := plan.WhatIf(s, n, p.Key.Now)
		if before, _ := change.Policies(); before != nil {
			change.Documents, change.Err = c.Tally, c.Err
		}
		out.Suppose(change)
	}
	for _, u := range p.Unread {
		out.Suppose(plan.Change{Namespace: nameOf(u.Origins), File: u.Origins[0].File, Err: u.Err})
	}
	return out, out.Supposed()
}

// storedOf returns the definition of a policy of MongoDB, as BSON.
func storedOf(p *reasons.Policy) ([]byte, error) {
	options, indexes := p.Collection.Documents()
	return policy.AppendBSON(nil, policy.ObjectValue(policy.D{
		{Key: "options", Value: options}, {Key: "indexes", Value: indexes}, {Key: "parameters", Value: policy.ObjectValue(p.Parameters)},
	}))
}

// compileStored compiles what storedOf returned, for a release.
func compileStored(stored []byte, release mongo.Version) (*reasons.Policy, error) {
	doc, err := policy.ParseBSON(stored)
	if err != nil {
		return nil, err
	}
	spec, err := mongo.ParseListedCollection(doc.Field("options"), doc.Field("indexes"))
	if err != nil {
		return nil, err
	}
	return reasons.Compile(policies.OfMongoDB(spec, release, policy.DOf(doc.Field("parameters"))))
}

// stored completes the policy of a collection of a part with [Key.WhatIf].
func (r *collectionRecord) stored(c *Collection, key Key) error {
	switch {
	case key.WhatIf == "" && (r.Stored != nil || r.Change != nil):
		return errors.New("stored: the key has no whatIf")
	case key.WhatIf == "":
		return nil
	}
	p, err := compileStored(r.Stored, c.Policy.Release)
	if err == nil && (DigestOf(p) != c.Digest || p.System != c.Policy.System) {
		err = errors.New("the digest is of another policy")
	}
	if err != nil {
		return fmt.Errorf("stored: %w", err)
	}
	c.Policy = p
	return nil
}
