package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A need is what a test wants of a stand-in for a database, and the vectors that show whether
// it has that.
type need struct {
	System, Name string
	is           func(v *suite.Vector, in policy.Value) bool
}

var needs = []need{
	{conformance.MongoDB, "dates and other values in one field", plainIndex(func(field string, v, filter policy.Value) bool {
		return !strings.Contains(field, ".") && v.Kind() != policy.List && filter.IsMissing()
	})},
	{conformance.MongoDB, "arrays of dates", plainIndex(func(field string, v, filter policy.Value) bool {
		return !strings.Contains(field, ".") && v.Kind() == policy.List && filter.IsMissing()
	})},
	{conformance.MongoDB, "dotted paths", plainIndex(func(field string, _, filter policy.Value) bool {
		return strings.Contains(field, ".") && filter.IsMissing()
	})},
	{conformance.MongoDB, "partial filters", plainIndex(func(_ string, _, filter policy.Value) bool { return !filter.IsMissing() })},
	{conformance.MongoDB, "several TTL indexes", func(v *suite.Vector, in policy.Value) bool {
		return v.Op == "mongodb.decide" && len(policy.AOf(in.Field("indexes"))) > 1
	}},
	{conformance.MongoDB, "indexes that are refused", func(v *suite.Vector, _ policy.Value) bool { return v.Op == "mongodb.createIndexes" }},
	{conformance.CosmosNoSQL, "items that expire", func(v *suite.Vector, _ policy.Value) bool { return v.Op == "cosmos.decide" }},
	{conformance.CosmosNoSQL, "settings and items that are refused", func(v *suite.Vector, _ policy.Value) bool { return strings.HasPrefix(v.Op, "cosmos.validate") }},
}

// plainIndex selects the decisions by one TTL index on one field other than _id, with a whole
// number of seconds that a server accepts: field is its path, and v the value at a path
// without dots.
func plainIndex(is func(field string, v, filter policy.Value) bool) func(*suite.Vector, policy.Value) bool {
	return func(v *suite.Vector, in policy.Value) bool {
		indexes := policy.AOf(in.Field("indexes"))
		if v.Op != "mongodb.decide" || len(indexes) != 1 || !in.Field("collection").IsMissing() {
			return false
		}
		x := indexes[0]
		key, seconds := policy.DOf(x.Field("key")), x.Field("expireAfterSeconds")
		n, isWhole := seconds.AsInt64()
		if len(key) != 1 || key[0].Key == "_id" || !key[0].Value.Kind().IsNumber() || seconds.Kind() == policy.Double || !isWhole || n < 0 || n > 1<<31-1 {
			return false
		}
		return is(key[0].Key, in.Field("document").Field(key[0].Key), x.Field("partialFilterExpression"))
	}
}

// counts returns the checks of a need that a result passes, and those that were judged. All
// vectors of a need are about its system.
func (n need) counts(r result) (pass, judged int) {
	count := r.counts(func(v *suite.Vector) bool {
		in, err := policy.ParseExtJSON(v.In)
		return err == nil && n.is(v, in)
	})
	return count.Pass, count.Total
}

// A fit is a row of the table by need: the implementations that pass every check of it, and
// those that fail at most one in ten.
type fit struct {
	Need                   string
	Exact, Matches, Nearly links
}

// links names implementations. Of MongoDB's releases the first alone stands with the name.
type links struct {
	text       string
	hasMongoDB bool
}

func (l *links) add(r result, more string) {
	name, between := r.column(), "; "
	if l.text == "" {
		between = ""
	}
	if r.ByHand().Itself {
		if l.hasMongoDB {
			name, between = r.Implementation.Version, ", "
		}
		l.hasMongoDB = true
	}
	l.text += fmt.Sprintf("%s[%s](#%s)%s", between, name, r.Key, more)
}

// String returns the names as Markdown.
func (l links) String() string { return cmp.Or(l.text, "none") }

// Fits returns the table by need of one database.
func (s summary) Fits(of system) (rows []fit) {
	for _, n := range needs {
		if n.System != of.System {
			continue
		}
		row := fit{Need: n.Name}
		for _, r := range slices.Concat(of.Claiming, of.Matchers) {
			pass, judged := n.counts(r)
			isMatcher := slices.Contains(matchers, r.Key)
			switch {
			case judged == 0 || r.ByHand().State || r.IsReplayed():
			case pass < judged && 10*pass >= 9*judged && !isMatcher:
				row.Nearly.add(r, fmt.Sprintf(", %d of %d", pass, judged))
			case pass < judged:
			case isMatcher:
				row.Matches.add(r, "")
			default:
				row.Exact.add(r, "")
			}
		}
		rows = append(rows, row)
	}
	return rows
}
