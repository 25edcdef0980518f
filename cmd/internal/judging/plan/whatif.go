package plan

import (
	"errors"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Subject is a collection of MongoDB whose policy is known.
type Subject struct {
	Title, File          string // what to call it, and where its documents are
	Database, Collection string // its name in commands, empty where it is not known
	Policy               *reasons.Policy
}

// WhatIf says what would be if every TTL index of s, and its option, that counts from a
// date in the past deleted after n seconds. Indexes with expireAfterSeconds 0, by which
// documents bring their own deadline, stay as they are. No documents are read: see
// [Change.Policies].
func WhatIf(s Subject, n int64, now policy.Instant) Change {
	c := Change{Namespace: s.Title, File: s.File, Rule: "--what-if " + catalog.Span(n), System: "MongoDB " + s.Policy.Release}
	c.Err = c.whatIf(s, n, now)
	return c
}

// ErrNothing is returned where --what-if changes nothing.
var ErrNothing = errors.New("no TTL index here counts from a date: nothing would change")

func (c *Change) whatIf(s Subject, n int64, now policy.Instant) error {
	release, err := mongo.ParseVersion(s.Policy.Release)
	if err != nil {
		return err
	}
	stands := collection{
		Collection: catalog.Collection{Profile: s.Policy.Profile, Now: now, Database: s.Database, Name: s.Collection},
		Spec:       s.Policy.Collection,
		Release:    release,
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
