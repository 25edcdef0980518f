package part

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/plan"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
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
		return 0, fmt.Errorf("whatIf: %q is no number of seconds from 0 to %d", k.WhatIf, policy.MaxSeconds)
	}
	return n, nil
}

// compareJob returns the job that decides the documents of a group as they stand, and by
// another time to live. It reads none if that changes nothing.
func (k Key) compareJob(g policyflags.Group) (job forecast.Job, err error) {
	switch {
	case g.Err != nil:
		return job, g.Err
	case g.Policy.System != reasons.MongoDB:
		return job, cli.Usagef("--what-if is for MongoDB; for a container write its defaultTtl into a policy file, and compare with ttl plan")
	}
	var first Origin
	first.Database, first.Collection = nameInCommands(g, g.Collections[0])
	c, err := k.change(first, "", g.Policy)
	job = forecast.Job{Policy: g.Policy}
	if before, after := c.Policies(); before != nil {
		job = forecast.Job{Collections: g.Collections, Policy: before, Other: after}
	}
	return job, err
}

// nameInCommands returns what commands call a collection of a group.
func nameInCommands(g policyflags.Group, c *dump.Collection) (database, collection string) {
	database, collection, ok := strings.Cut(g.Policy.Collection.Namespace, ".")
	if !ok {
		return c.Database, c.Name
	}
	return database, strings.TrimPrefix(collection, dump.BucketsPrefix)
}

// change returns what another time to live changes in a collection.
func (k Key) change(first Origin, title string, p *reasons.Policy) (plan.Change, error) {
	n, err := k.whatIf()
	return plan.WhatIf(plan.Subject{Title: title, File: first.File, Database: first.Database, Collection: first.Collection, Policy: p}, n, k.Now), err
}

// Plan returns what another time to live changes, of parts with [Key.WhatIf]. The error is
// [plan.ErrNothing].
func (p *Part) Plan() (*plan.Plan, error) {
	out := &plan.Plan{Now: p.Key.Now}
	for _, c := range p.Collections {
		change, err := p.Key.change(c.Origins[0], nameOf(c.Origins), c.Policy)
		if err != nil {
			return nil, err
		}
		if before, _ := change.Policies(); before != nil {
			change.Documents, change.Err = c.Tally, c.Err
		}
		if change.Err != nil || len(change.Items) > 0 {
			out.Changes = append(out.Changes, change)
		}
	}
	for _, u := range p.Unread {
		out.Changes = append(out.Changes, plan.Change{Namespace: nameOf(u.Origins), File: u.Origins[0].File, Err: u.Err})
	}
	if len(out.Changes) == 0 {
		return nil, cli.Usagef("--what-if: %w", plan.ErrNothing)
	}
	return out, nil
}

// storedOf returns what a policy of MongoDB was compiled from, as BSON.
func storedOf(p *reasons.Policy) ([]byte, error) {
	options, indexes := p.Collection.Documents()
	return policy.AppendBSON(nil, policy.ObjectValue(policy.D{
		{Key: "options", Value: options}, {Key: "indexes", Value: indexes}, {Key: "parameters", Value: policy.ObjectValue(p.Parameters)},
	}))
}

// compileStored compiles what storedOf returned, for a release.
func compileStored(stored []byte, release string) (*reasons.Policy, error) {
	doc, err := policy.ParseBSON(stored)
	if err != nil {
		return nil, err
	}
	version, err := mongo.ParseVersion(release)
	if err != nil {
		return nil, err
	}
	spec, err := mongo.ParseListedCollection(doc.Field("options"), doc.Field("indexes"))
	if err != nil {
		return nil, err
	}
	return reasons.CompileMongo(spec, version, policy.DOf(doc.Field("parameters")))
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
