package mongoquery

import (
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// FindPlanOf returns the command that finds the documents that have expired. The error is
// a [pushdown.Refusal].
func FindPlanOf(p *reasons.Policy, now policy.Instant) (pushdown.Plan, error) {
	filter, collation, err := expired(p, now)
	if err != nil {
		return pushdown.Plan{}, err
	}
	database, collection, _ := strings.Cut(p.Collection.Namespace, ".")
	command := append(policy.D{{Key: "find", Value: policy.StringValue(collection)}, {Key: "filter", Value: filter}}, reading()...)
	if !collation.IsMissing() {
		command = append(command, policy.E{Key: "collation", Value: collation})
	}
	return planOf(p, now, "the documents that have expired", database, collection, command)
}

// expired returns the filter that selects the documents that have expired, and the
// collation of its partial filters; Missing if there are none.
func expired(p *reasons.Policy, now policy.Instant) (filter, collation policy.Value, err error) {
	if err := refuse(p, now); err != nil {
		return filter, collation, err
	}
	var filters policy.A
	for i, x := range indexesOf(p) {
		from, to := p.Evaluator.(*mongo.Collection).Bounds(i, now)
		if from > to {
			continue
		}
		one, err := within(p.Sources[i].Field, from, to)
		if err != nil {
			return filter, collation, err
		}
		if !x.PartialFilterExpression.IsMissing() && !p.Sources[i].Unfiltered {
			one = object("$and", policy.ListValue(policy.A{x.PartialFilterExpression, one}))
			own := x.Collation
			if own.IsMissing() {
				own = object("locale", policy.StringValue("simple"))
			}
			if !collation.IsMissing() && !own.Equal(collation) {
				return filter, collation, pushdown.Refuse("a collection with partial filters of differing collations", "a query has only one collation")
			}
			collation = own
		}
		filters = append(filters, one)
	}
	switch len(filters) {
	case 0:
		return filter, collation, pushdown.Refuse("this policy", "nothing expires by it now")
	case 1:
		return filters[0], collation, nil
	}
	return object("$or", policy.ListValue(filters)), collation, nil
}

// firstYear is the start of the year 1, and lastYear the end of the year 9999. No date of
// the shell is outside of these years.
const (
	firstYear policy.Instant = -62_135_596_800_000
	lastYear  policy.Instant = 253_402_300_799_999
)

// refuse returns an error for a policy whose documents no query can select.
func refuse(p *reasons.Policy, now policy.Instant) error {
	switch {
	case p.System == definition.CosmosMongo:
		return pushdown.Refuse("a policy of Azure Cosmos DB for MongoDB", "its documents expire by _ts, which no query can read there")
	case p.System != definition.MongoDB:
		return pushdown.Refuse("a container of Azure Cosmos DB", "--pushdown mongo is for policies of MongoDB; --pushdown cosmos is for containers")
	case p.Release.Product == definition.DocumentDB:
		return pushdown.Refuse("a policy of DocumentDB", "its index terms and its queries differ where documents are unusual, so documents have to be read")
	case !p.Collection.TimeSeries.IsMissing():
		return pushdown.Refuse("a time-series collection", "whole buckets are deleted, and a query sees measurements")
	case p.Collection.View:
		return pushdown.Refuse("a view", "documents are deleted from the collection that it shows, not from the view")
	case now < firstYear || now > lastYear:
		return pushdown.Refuse("the instant "+now.String(), "it is not between the years 1 and 9999")
	}
	return nil
}

// indexesOf returns the index of each of the policy's sources; without fields for the
// option of a clustered collection.
func indexesOf(p *reasons.Policy) (list []mongo.IndexSpec) {
	for _, part := range reasons.Parts(p.Collection) {
		switch {
		case part.Position >= 0:
			list = append(list, p.Collection.Indexes[part.Position])
		case p.Collection.Clustered: // the option of another collection is no source
			list = append(list, mongo.IndexSpec{})
		}
	}
	return list
}

// within returns the filter that selects the documents with a key between two dates. A query
// compares a date only with dates. It follows a path as the index does if no name in the
// path may be a position of an array.
func within(field string, from, to policy.Instant) (filter policy.Value, err error) {
	for _, name := range strings.Split(field, ".")[1:] {
		if _, err := strconv.ParseUint(name, 10, 32); err == nil {
			return filter, pushdown.Refuse("the path "+field, "%s may be a position of an array, which a query looks up in another way than an index", name)
		}
	}
	var dates policy.D
	if from > policy.MinInstant {
		dates = append(dates, policy.E{Key: "$gte", Value: policy.DateValue(from)})
	}
	return object(field, policy.ObjectValue(append(dates, policy.E{Key: "$lte", Value: policy.DateValue(to)}))), nil
}

func object(name string, v policy.Value) policy.Value {
	return policy.ObjectValue(policy.D{{Key: name, Value: v}})
}
