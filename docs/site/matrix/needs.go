package main

import (
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
type fit struct{ Need, Exact, Matches, Nearly string }

// Fits returns the table by need of one database.
func (s summary) Fits(of system) (rows []fit) {
	for _, n := range needs {
		if n.System != of.System {
			continue
		}
		row := fit{Need: n.Name}
		var exact, matches, nearly []string
		for _, r := range slices.Concat(of.Claiming, of.Matchers) {
			pass, judged := n.counts(r)
			name := fmt.Sprintf("[%s](#%s)", r.column(), r.Key)
			switch {
			case judged == 0 || r.ByHand().State || r.IsReplayed():
			case pass < judged && 10*pass >= 9*judged && !slices.Contains(matchers, r.Key):
				nearly = append(nearly, fmt.Sprintf("%s, %d of %d", name, pass, judged))
			case pass < judged:
			case slices.Contains(matchers, r.Key):
				matches = append(matches, name)
			default:
				exact = append(exact, name)
			}
		}
		row.Exact, row.Matches, row.Nearly = orNone(exact), orNone(matches), orNone(nearly)
		rows = append(rows, row)
	}
	return rows
}

// orNone lists names. The releases of MongoDB after the first stand without their name.
func orNone(names []string) string {
	if names == nil {
		return "none"
	}
	return strings.ReplaceAll(strings.Join(names, "; "), "; [MongoDB ", ", [")
}
