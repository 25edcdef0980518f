package part

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// WithWhatIf returns k with WhatIf set to these times to live, in seconds.
func (k Key) WithWhatIf(seconds []int64) Key {
	var list []string
	for _, n := range seconds {
		list = append(list, strconv.FormatInt(n, 10))
	}
	k.WhatIf = strings.Join(list, ",")
	return k
}

// whatIf returns the times to live of a comparison, in seconds; nil for a plain forecast.
func (k Key) whatIf() (list []int64, err error) {
	if k.WhatIf == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(k.WhatIf, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 || n > int64(policy.MaxSeconds) || text != strconv.FormatInt(n, 10) || slices.Contains(list, n) || len(list) == policyflags.MaxWhatIf {
			return nil, fmt.Errorf("key.whatIf: %q is not a list of up to %d different numbers of seconds from 0 to %d, separated by commas", k.WhatIf, policyflags.MaxWhatIf, policy.MaxSeconds)
		}
		list = append(list, n)
	}
	return list, nil
}

// storedOf returns the definition of a compared policy as BSON: that of a MongoDB
// collection, or of the container c if c is not nil.
func storedOf(p *reasons.Policy, c *catalog.StoredContainer) ([]byte, error) {
	if c != nil {
		return policy.AppendBSON(nil, policy.ObjectValue(c.Document()))
	}
	options, indexes := p.Collection.Documents()
	return policy.AppendBSON(nil, policy.ObjectValue(policy.D{
		{Key: "options", Value: options}, {Key: "indexes", Value: indexes}, {Key: "parameters", Value: policy.ObjectValue(p.Parameters)},
	}))
}

// compileStored compiles a definition from storedOf, for the system and the release of d.
func compileStored(stored []byte, d policies.Definition) (*reasons.Policy, *catalog.StoredContainer, error) {
	doc, err := policy.ParseBSON(stored)
	if err != nil {
		return nil, nil, err
	}
	if d.System == policies.CosmosNoSQL {
		c := catalog.ContainerOf(&doc)
		p, err := reasons.Compile(policies.OfContainer(c.Spec))
		return p, c, err
	}
	spec, err := mongo.ParseListedCollection(doc.Field("options"), doc.Field("indexes"))
	if err != nil {
		return nil, nil, err
	}
	d.Collection, d.Parameters = spec, policy.DOf(doc.Field("parameters"))
	p, err := reasons.Compile(d)
	return p, nil, err
}

// restore sets the compiled policy and the container of c, which a part with these times
// to live needs. It returns an error if r does not fit the times to live.
func (r *collectionRecord) restore(c *Collection, seconds []int64, now policy.Instant) error {
	switch {
	case len(c.Tally.Others) != len(seconds):
		return fmt.Errorf("others: %d tallies, want %d, one for each time to live that the key names", len(c.Tally.Others), len(seconds))
	case len(seconds) == 0 && r.Stored != nil:
		return errors.New("stored must be missing, because the key has no whatIf")
	case len(seconds) == 0:
		return nil
	}
	p, container, err := compileStored(r.Stored, c.Policy.Definition)
	if err == nil && (digestOf(p) != c.Digest || p.System != c.Policy.System) {
		err = errors.New("the digest does not match the policy")
	}
	if err == nil {
		p.Notes = c.Policy.Notes
		c.Policy, c.container = p, container
		var list []change.WhatIf
		if list, err = c.suppose(seconds, now); err == nil && len(list) == 0 {
			err = change.ErrNothing
		}
	}
	if err != nil {
		return fmt.Errorf("stored: %w", err)
	}
	return nil
}

// suppose returns the changes to the times to live of a key, with commands that name the
// collection of c's first origin.
func (c *Collection) suppose(seconds []int64, now policy.Instant) ([]change.WhatIf, error) {
	at := c.Origins[0]
	return change.Suppose(change.Subject{Policy: c.Policy, Database: at.Database, Collection: at.Collection, Container: c.container}, seconds, now)
}
