package change

import (
	"errors"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Subject is a stored policy with the names of its database and collection for
// commands.
type Subject struct {
	Policy               *reasons.Policy
	Database, Collection string                   // empty if not known
	Container            *catalog.StoredContainer // the container; nil if the policy is of a collection
}

// SubjectOf returns the subject of a group of documents. If the policy names no
// collection, the names for commands are those of the group's collection i. A group
// without a policy is an error.
func SubjectOf(g policyflags.Group, i int) (s Subject, err error) {
	if g.Err != nil {
		return s, g.Err
	}
	s = Subject{Policy: g.Policy, Container: g.Container}
	database, collection, ok := strings.Cut(g.Policy.Collection.Namespace, ".")
	if s.Database, s.Collection = database, strings.TrimPrefix(collection, dump.BucketsPrefix); !ok {
		s.Collection = g.Collections[i].Name
		if g.Collections[i].IsBSON() { // the name of an export's folder may differ from that of the database
			s.Database = g.Collections[i].Database
		}
	}
	return s, nil
}

// A WhatIf is the change to another time to live.
type WhatIf struct {
	Seconds int64
	*Change
}

// Name returns the other time to live, such as "7 d".
func (w WhatIf) Name() string { return catalog.Span(w.Seconds) }

// Suppose returns a change of s for each of the times to live. The change sets that time
// to live for every TTL index that counts from a date in the past, and for a collection's
// option that does so. For a container, it changes the default. Indexes with
// expireAfterSeconds 0, whose documents carry their own deadline, stay as they are.
// Suppose returns no change if nothing counts from a date.
func Suppose(s Subject, seconds []int64, now policy.Instant) (list []WhatIf, err error) {
	for _, n := range seconds {
		var x *Change
		switch s.Policy.System {
		case definition.MongoDB:
			x, err = s.after(n, now)
		case definition.CosmosNoSQL:
			x, err = OfContainer(*s.Container, policy.Int64Value(n))
		default:
			err = cli.Usagef("--what-if is for MongoDB and for containers of Azure Cosmos DB; indexes of the API for MongoDB are changed in the service")
		}
		if err != nil || len(x.Items) == 0 {
			return nil, err
		}
		list = append(list, WhatIf{n, x})
	}
	return list, nil
}

// ErrNothing is the error if another time to live changes nothing.
var ErrNothing = errors.New("no TTL index here counts from a date in the past, so another time to live would change nothing")

// SupposeEach returns the result of [Suppose] for each group; nil for a group without a
// policy. The error comes from Suppose. If no group changes, SupposeEach returns the list
// and [ErrNothing].
func SupposeEach(groups []policyflags.Group, seconds []int64, now policy.Instant) (list [][]WhatIf, err error) {
	isSome := len(seconds) == 0
	for i := range groups {
		var row []WhatIf
		if s, err := SubjectOf(groups[i], 0); err == nil {
			if row, err = Suppose(s, seconds, now); err != nil {
				return nil, err
			}
		}
		isSome = isSome || len(row) > 0 || groups[i].Err != nil
		list = append(list, row)
	}
	if !isSome {
		return list, cli.Usagef("--what-if: %w", ErrNothing)
	}
	return list, nil
}

// after returns the change that sets the times to live of a MongoDB collection to n
// seconds.
func (s Subject) after(n int64, now policy.Instant) (*Change, error) {
	stands := collection{
		Collection: catalog.Collection{Profile: s.Policy.Profile, Now: now, Database: s.Database, Name: s.Collection},
		Release:    s.Policy.Release,
		IsAssumed:  s.Policy.IsAssumed,
	}
	stands = stands.with(s.Policy.Collection)
	items := stands.ownOption(Wanted{Own: &n})
	if stands.Spec.ExpireAfterSeconds.IsMissing() {
		items = nil
	}
	for i, x := range stands.Spec.Indexes {
		if delay, ok := mongofunc.WholeSeconds(x.ExpireAfterSeconds); ok && delay != 0 && IsOrdinary(x) && !x.Clustered {
			items = append(items, stands.setSeconds(i, n))
		}
	}
	items, after := stands.settleAll(items)
	x := &Change{}
	return x, x.complete(stands, items, after, s.Policy.Parameters)
}
