package aggregation

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Find returns the command that finds the documents that have expired.
func Find(p *reasons.Policy, o pushdown.Options) (pushdown.Plan, error) {
	c := &Count{policy: p, options: o}
	if err := c.prepare(); err != nil {
		return pushdown.Plan{}, err
	}
	var notes []string
	filter, ok := c.Expired()
	if !ok {
		notes = append(notes, "No source of this policy deletes anything now: nothing is found.")
	}
	d := policy.D{{Key: "find", Value: policy.StringValue(c.Collection)}, {Key: "filter", Value: filter}}
	return c.plan([]Command{{Title: "the documents that have expired", D: append(d, c.reading()...)}}, notes)
}

// Expired returns the filter that selects the documents that have expired. The result is
// false if the policy deletes nothing now.
func (c *Count) Expired() (policy.Value, bool) {
	var filters policy.A
	for i := range c.sources {
		if f, ok := c.expiredBy(&c.sources[i]); ok {
			filters = append(filters, f)
		}
	}
	switch len(filters) {
	case 0:
		return object("$nor", list(object())), false
	case 1:
		return filters[0], true
	}
	return object("$or", policy.ListValue(filters)), true
}

// expiredBy returns the filter that selects the documents that one source deletes now.
// The result is false if the source deletes none.
func (c *Count) expiredBy(s *source) (policy.Value, bool) {
	bounds := c.policy.Evaluator.(*mongo.Collection).Bounds(s.number, c.options.Now)
	if s.idle != nil || bounds.IsEmpty() {
		return policy.Value{}, false
	}
	due := s.dueBetween(bounds)
	if !s.filter.IsMissing() {
		due = object("$and", list(s.filter, due))
	}
	return due, true
}

// dueBetween returns the filter that selects the documents with a key within bounds. For
// a path without array positions, a query follows the path as the index does, and
// compares a date only with dates.
func (s *source) dueBetween(b mongo.Bounds) policy.Value {
	if hasPositions(s.path) {
		date := object("$min", "$$k.d")
		return object("$expr", let("k", s.nestedKeys(), op("$and",
			op("$ne", date, nil), op("$not", op("$in", isAmbiguous, "$$k.r")), op("$gte", date, b.From()), op("$lte", date, b.To()))))
	}
	d := policy.D{}
	if b.From() > policy.MinInstant {
		d = append(d, policy.E{Key: "$gte", Value: policy.DateValue(b.From())})
	}
	return object(s.dotted, append(d, policy.E{Key: "$lte", Value: policy.DateValue(b.To())}))
}

// nestedKeys returns one expression for the keys of a document.
func (s *source) nestedKeys() expression {
	at := top(s.path)
	for i, c := range s.path[1:] {
		at = c.along(at, i+2 == len(s.path))
	}
	return keys(at)
}

// Quick returns the command that counts expired documents by the index alone. The number
// is exact if the index exists and has one key for each document. The result is false if
// the index alone cannot give the number.
func (c *Count) Quick() (Command, bool) {
	if len(c.sources) != 1 {
		return Command{}, false
	}
	s := &c.sources[0]
	filter, ok := c.Expired()
	if !ok || !s.filter.IsMissing() || hasPositions(s.path) || c.policy.Collection.Clustered {
		return Command{}, false
	}
	name := c.policy.Sources[0].Name
	pipeline := policy.A{
		object("$match", filter),
		object("$group", object("_id", nil, "documents", object("$sum", 1), "first", object("$min", "$"+s.dotted), "last", object("$max", "$"+s.dotted))),
	}
	command := c.aggregate("what has expired, by the index "+name+" alone: exact if it exists and is not multikey", pipeline)
	hint := policy.E{Key: "hint", Value: policy.StringValue(name)}
	command.D = append(command.D, hint)
	command.Find = policy.D{
		{Key: "find", Value: policy.StringValue(c.Collection)}, {Key: "filter", Value: filter},
		{Key: "projection", Value: object("_id", 0, s.dotted, 1)}, hint,
	}
	return command, true
}
