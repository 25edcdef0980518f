package mongoquery

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Count counts the expired documents of a collection by its TTL index alone. The number
// is exact if the index exists and has one key for each document.
type Count struct {
	// Database and Collection name the counted collection.
	Database, Collection string
	// Index is the name of the index, and Field its field.
	Index, Field string
	// Command is the aggregate command, in the form that drivers send; they add the
	// database and the read preference.
	Command policy.D
	// Find is a find command with the same filter. The server's explanation of Find shows
	// whether the server reads the index alone.
	Find policy.D

	policy *reasons.Policy
	now    policy.Instant
}

// NewCount compiles a policy. The error is a [pushdown.Refusal] if an index alone does not
// give the number.
func NewCount(p *reasons.Policy, now policy.Instant) (*Count, error) {
	filter, _, err := expired(p, now)
	if err != nil {
		return nil, err
	}
	indexes := indexesOf(p)
	switch {
	case len(indexes) != 1:
		return nil, pushdown.Refuse(fmt.Sprintf("a policy with %d sources", len(indexes)), "a document may be in several indexes")
	case p.Collection.Clustered && len(p.Collection.Indexes) == 0:
		return nil, pushdown.Refuse("a clustered collection", "its documents are its index")
	case !indexes[0].PartialFilterExpression.IsMissing():
		return nil, pushdown.Refuse("the partial index "+p.Sources[0].Name, "a query must read the documents that match its filter")
	}
	database, collection, _ := strings.Cut(p.Collection.Namespace, ".")
	c := &Count{Database: database, Collection: collection, Index: p.Sources[0].Name, Field: p.Sources[0].Field, policy: p, now: now}
	c.compile(filter)
	return c, nil
}

func (c *Count) compile(filter policy.Value) {
	name, hint := policy.StringValue(c.Collection), policy.E{Key: "hint", Value: policy.StringValue(c.Index)}
	field := policy.StringValue("$" + c.Field)
	group := policy.D{
		{Key: "_id", Value: policy.NullValue()}, {Key: "documents", Value: object("$sum", policy.Int32Value(1))},
		{Key: "first", Value: object("$min", field)}, {Key: "last", Value: object("$max", field)},
	}
	pipeline := policy.A{object("$match", filter), object("$group", policy.ObjectValue(group))}
	c.Command = policy.D{{Key: "aggregate", Value: name}, {Key: "pipeline", Value: policy.ListValue(pipeline)}, {Key: "cursor", Value: policy.ObjectValue(nil)}}
	c.Command = append(append(c.Command, reading()...), hint)
	projection := policy.D{{Key: "_id", Value: policy.Int32Value(0)}, {Key: c.Field, Value: policy.Int32Value(1)}}
	c.Find = policy.D{{Key: "find", Value: name}, {Key: "filter", Value: filter}, {Key: "projection", Value: policy.ObjectValue(projection)}, hint}
}

// PlanOf returns the command that counts. The error is a [pushdown.Refusal].
func PlanOf(p *reasons.Policy, now policy.Instant) (pushdown.Plan, error) {
	c, err := NewCount(p, now)
	if err != nil {
		return pushdown.Plan{}, err
	}
	return planOf(p, now, "what has expired, by the index "+c.Index+" alone: exact if it exists and is not multikey", c.Database, c.Collection, c.Command)
}

// An Answer is the count of a collection.
type Answer struct {
	// Index is the name of the index that counted.
	Index string `json:"index"`
	// Expired is the number of expired documents.
	Expired int64 `json:"expired"`
	// First and Last are the earliest and the latest deadline of these documents; nil if
	// there are none.
	First *cli.Time `json:"first,omitempty"`
	Last  *cli.Time `json:"last,omitempty"`
}

// Read returns the answer in a row that the server sent. The error names the part of the
// row that cannot be true.
func (c *Count) Read(row policy.Document) (a Answer, err error) {
	a.Index = c.Index
	documents, ok := mongofunc.WholeSeconds(row.Field("documents"))
	if !ok || documents <= 0 {
		return a, errors.New("the server sent a row without a number of documents")
	}
	a.Expired = documents
	if a.First, err = c.deadline(row.Field("first")); err != nil {
		return a, err
	}
	if a.Last, err = c.deadline(row.Field("last")); err == nil && a.Last.Millis < a.First.Millis {
		err = errors.New("the server sent a last date before the first")
	}
	return a, err
}

func (c *Count) deadline(date policy.Value) (*cli.Time, error) {
	if _, ok := date.AsDate(); !ok {
		return nil, errors.New("the server sent a count without dates")
	}
	names := strings.Split(c.Field, ".")
	for i := len(names) - 1; i > 0; i-- {
		date = object(names[i], date)
	}
	d := c.policy.Decide(policy.D{{Key: names[0], Value: date}}, c.now)
	if d.State != policy.Expired {
		return nil, fmt.Errorf("the server counted a date that has not expired: %s", d)
	}
	at, _ := d.Deadline()
	t := cli.TimeOf(at)
	return &t, nil
}

// Text writes the answer for people.
func (a Answer) Text(out *cli.Printer) error {
	out.Line("%s expired, by the index %s alone", cli.Count(a.Expired, "document has", "documents have"), cli.Visible(a.Index))
	if a.First != nil {
		out.Line("the first deadline was %s, the last %s", a.First.Time, a.Last.Time)
	}
	return out.Err()
}
