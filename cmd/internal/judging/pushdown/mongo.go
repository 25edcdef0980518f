package pushdown

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxTime is the maximum time of a command on the server, one day, in milliseconds.
const maxTime = 24 * 60 * 60 * 1000

// reading returns the options of a command that reads documents. The read concern is
// local, because the default on secondaries may count documents that have moved to
// another shard.
func reading() policy.D {
	return policy.D{{Key: "readConcern", Value: object("level", policy.StringValue("local"))}, {Key: "maxTimeMS", Value: policy.Int32Value(maxTime)}}
}

// noLiteral replaces a command that cannot be written in the shell.
const noLiteral = "// a value of this command has no literal in the shell; --format json has it as drivers send it"

// planOf returns a plan of one command: as a line of mongosh, and in the form of drivers.
func planOf(p *reasons.Policy, now policy.Instant, title, database, collection string, command policy.D) (plan Plan, err error) {
	if database == "" || collection == "" {
		return plan, cli.Usagef("commands name a collection; add --namespace, such as --namespace shop.logs")
	}
	script, ok := scriptOf(database, collection, command)
	if !ok {
		script = noLiteral
	}
	sent := append(command[:len(command):len(command)],
		policy.E{Key: "$db", Value: policy.StringValue(database)},
		policy.E{Key: "$readPreference", Value: object("mode", policy.StringValue("secondaryPreferred"))})
	statement := Statement{Title: title, Script: script, Command: policy.AppendExtJSON(nil, policy.ObjectValue(sent))}
	return Plan{Policy: p.Description, Now: cli.TimeOf(now), Comment: "//", Notes: append([]string{}, p.Notes...), Statements: []Statement{statement}}, nil
}

// scriptOf returns a command as a line of mongosh. The result is false if a value has no
// literal in the shell.
func scriptOf(database, collection string, command policy.D) (string, bool) {
	fields, complete := policy.ObjectValue(command), true
	literal := func(v policy.Value) string {
		text, ok := mongosh.Literal(v)
		complete = complete && ok
		return text
	}
	on, isUTF8 := mongosh.Collection(database, collection)
	complete = complete && isUTF8
	if filter := fields.Field("filter"); !filter.IsMissing() {
		text := on + ".find(" + literal(filter) + ")"
		if c := fields.Field("collation"); !c.IsMissing() {
			text += ".collation(" + literal(c) + ")"
		}
		return text, complete
	}
	var stages []string
	for e := fields.Field("pipeline").Elements(); e.Next(); {
		stages = append(stages, "  "+literal(e.Value()))
	}
	var options policy.D
	for _, e := range command {
		if e.Key == "readConcern" || e.Key == "maxTimeMS" || e.Key == "hint" {
			options = append(options, e)
		}
	}
	return fmt.Sprintf("print(EJSON.stringify(%s.aggregate([\n%s\n], %s).toArray(), {relaxed: false}))", on, strings.Join(stages, ",\n"), literal(policy.ObjectValue(options))), complete
}

// A IndexCount counts the expired documents of a collection by its TTL index alone. The number
// is exact if the index exists and has one key for each document.
type IndexCount struct {
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

// NewIndexCount compiles a policy. The error comes from [Refuse] if an index alone does not
// give the number.
func NewIndexCount(p *reasons.Policy, now policy.Instant) (*IndexCount, error) {
	filter, _, err := expired(p, now)
	if err != nil {
		return nil, err
	}
	indexes := indexesOf(p)
	switch {
	case len(indexes) != 1:
		return nil, Refuse(fmt.Sprintf("a policy with %d sources", len(indexes)), "a document may be in several indexes")
	case p.Collection.Clustered && len(p.Collection.Indexes) == 0:
		return nil, Refuse("a clustered collection", "its documents are its index")
	case !indexes[0].PartialFilterExpression.IsMissing():
		return nil, Refuse("the partial index "+p.Sources[0].Name, "a query must read the documents that match its filter")
	}
	database, collection, _ := strings.Cut(p.Collection.Namespace, ".")
	c := &IndexCount{Database: database, Collection: collection, Index: p.Sources[0].Name, Field: p.Sources[0].Field, policy: p, now: now}
	c.compile(filter)
	return c, nil
}

func (c *IndexCount) compile(filter policy.Value) {
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

// Mongo returns the command by which MongoDB counts the expired documents of a policy by its TTL
// index alone, or the command that finds them. The error comes from [Refuse].
func Mongo(p *reasons.Policy, now policy.Instant, finds bool) (Plan, error) {
	if !finds {
		c, err := NewIndexCount(p, now)
		if err != nil {
			return Plan{}, err
		}
		return planOf(p, now, "what has expired, by the index "+c.Index+" alone: exact if it exists and is not multikey", c.Database, c.Collection, c.Command)
	}
	filter, collation, err := expired(p, now)
	if err != nil {
		return Plan{}, err
	}
	database, collection, _ := strings.Cut(p.Collection.Namespace, ".")
	command := append(policy.D{{Key: "find", Value: policy.StringValue(collection)}, {Key: "filter", Value: filter}}, reading()...)
	if !collation.IsMissing() {
		command = append(command, policy.E{Key: "collation", Value: collation})
	}
	return planOf(p, now, "the documents that have expired", database, collection, command)
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
func (c *IndexCount) Read(row policy.Document) (a Answer, err error) {
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

func (c *IndexCount) deadline(date policy.Value) (*cli.Time, error) {
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

// expired returns the filter that selects the documents that have expired, and the
// collation of its partial filters; Missing if there are none.
func expired(p *reasons.Policy, now policy.Instant) (filter, collation policy.Value, err error) {
	if err := refuseMongo(p, now); err != nil {
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
				return filter, collation, Refuse("a collection with partial filters of differing collations", "a query has only one collation")
			}
			collation = own
		}
		filters = append(filters, one)
	}
	switch len(filters) {
	case 0:
		return filter, collation, Refuse("this policy", "nothing expires by it now")
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

// refuseMongo returns an error for a policy whose documents no query can select.
func refuseMongo(p *reasons.Policy, now policy.Instant) error {
	switch {
	case p.System == definition.CosmosMongo:
		return Refuse("a policy of Azure Cosmos DB for MongoDB", "its documents expire by _ts, which no query can read there")
	case p.System != definition.MongoDB:
		return Refuse("a container of Azure Cosmos DB", "--pushdown mongo is for policies of MongoDB; --pushdown cosmos is for containers")
	case p.Release.Product == definition.DocumentDB:
		return Refuse("a policy of DocumentDB", "its index terms and its queries differ where documents are unusual, so documents have to be read")
	case !p.Collection.TimeSeries.IsMissing():
		return Refuse("a time-series collection", "whole buckets are deleted, and a query sees measurements")
	case p.Collection.View:
		return Refuse("a view", "documents are deleted from the collection that it shows, not from the view")
	case now < firstYear || now > lastYear:
		return Refuse("the instant "+now.String(), "it is not between the years 1 and 9999")
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
			return filter, Refuse("the path "+field, "%s may be a position of an array, which a query looks up in another way than an index", name)
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
