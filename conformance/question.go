package conformance

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Input is what a question asks, as Go values. Its fields are named like the
// members of [Question.In]. Which of them a question has depends on its
// operation, and on whether it gives those that it may leave out; the others are
// zero.
type Input struct {
	// Now is the time that the question is about: where an operation that does
	// not decide has none, this machine's.
	Now policy.Instant
	// Document is the one whose fate is asked for: of MongoDB, and of the API
	// for MongoDB of Cosmos DB.
	Document policy.Value
	// Collection holds the options of the collection that listCollections shows,
	// and "ns", the namespace: timeseries, clusteredIndex, expireAfterSeconds,
	// capped, viewOn and requiresExtendedRangeSupport. It is nil if the question
	// says nothing of the collection, which is an ordinary one then.
	Collection policy.D
	// Indexes are those of the document's collection, each as listIndexes shows
	// it. Existing are those that are there when a definition changes.
	Indexes, Existing []policy.D
	// Index is the one that is to be created, as createIndexes is given it. What
	// a definition holds may be of any type, and wrong.
	Index policy.D
	// Command is what create or collMod is given, without the collection's name.
	Command policy.D
	// Container holds the settings of a container of Cosmos DB, and Previous
	// those that they replace, nil for a new container.
	Container policy.JSON
	Previous  *policy.JSON
	// Item is the item of Cosmos DB that is asked about.
	Item policy.JSON
	// TS is the _ts of Document, in seconds since 1970. Where it is nil the
	// document has its own, or none.
	TS *int64
	// Value is what self.echo returns.
	Value policy.Value
}

// Input reads what q asks. The error names the member that is to blame, such as
// "in.now", and is a text for [Fault]; no question of the suite causes one. A
// system that does not know the operation answers [Skipped], and need not read
// its input.
func (q Question) Input() (in Input, err error) {
	op, ok := operations[q.Op]
	if !ok {
		return in, fmt.Errorf("no operation %q", members.Clip(q.Op))
	}
	object, err := members.Parse("in", q.In)
	if err != nil {
		return in, err
	}
	r := inputReader{object, &in}
	for _, m := range op.members() {
		if !m.required && !r.Has(m.name) {
			continue
		}
		if err := r.read(m.name); err != nil {
			return Input{}, err
		}
	}
	if !r.Has("now") && SystemOf(q.Op) == MongoDB {
		in.Now = policy.InstantOf(time.Now())
	}
	return in, nil
}

// An inputReader reads the members of an input.
type inputReader struct {
	members.Object
	in *Input
}

func (r inputReader) read(name string) (err error) {
	in := r.in
	switch name {
	case "now":
		var now policy.Value
		now, err = r.typed(name, policy.Date, `a date such as {"$date":{"$numberLong":"0"}}`)
		in.Now, _ = now.AsDate()
	case "document":
		in.Document, err = r.document(name)
	case "collection":
		in.Collection, err = r.fields(name)
	case "indexes":
		in.Indexes, err = r.indexes(name)
	case "existing":
		in.Existing, err = r.indexes(name)
	case "index":
		in.Index, err = r.fields(name)
	case "command":
		in.Command, err = r.fields(name)
	case "container":
		in.Container, err = r.json(name)
	case "item":
		in.Item, err = r.json(name)
	case "previous":
		in.Previous = new(policy.JSON)
		*in.Previous, err = r.json(name)
	case "_ts":
		in.TS = new(int64)
		*in.TS, err = r.seconds(name)
	case "value":
		in.Value, err = r.value(name)
	}
	return err
}

// value reads a member that is any value of Extended JSON. Plain integers that
// fit are int32, all other plain numbers are doubles.
func (r inputReader) value(name string) (policy.Value, error) {
	raw := r.Raw(name)
	if raw == nil {
		return policy.Value{}, r.Unwanted(name, "a value")
	}
	v, err := policy.ParseExtJSONInt32(raw)
	if err != nil {
		return v, r.Faultf(name, "%v", err)
	}
	return v, nil
}

// typed reads a member that is a value of one kind, which want describes.
func (r inputReader) typed(name string, k policy.Kind, want string) (policy.Value, error) {
	if r.Raw(name) == nil {
		return policy.Value{}, r.Unwanted(name, want)
	}
	v, err := r.value(name)
	if err == nil && v.Kind() != k {
		err = r.Unwanted(name, want)
	}
	return v, err
}

// seconds reads a member that is a whole number. Plain JSON may have made it a
// double.
func (r inputReader) seconds(name string) (int64, error) {
	v, err := r.value(name)
	if err != nil {
		return 0, err
	}
	n, ok := wholeNumber(v)
	if !ok {
		return 0, r.Unwanted(name, "a whole number of seconds")
	}
	return n, nil
}

// wholeNumber returns the whole number that a value holds as an integer or as
// a double.
func wholeNumber(v policy.Value) (int64, bool) {
	if n, ok := v.AsInt64(); ok {
		return n, true
	}
	f, ok := v.AsDouble()
	if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, false
	}
	return int64(f), true
}

func (r inputReader) document(name string) (policy.Value, error) {
	return r.typed(name, policy.Object, "a document")
}

// fields reads a member that is a document: its fields in their order.
func (r inputReader) fields(name string) (policy.D, error) {
	v, err := r.document(name)
	return policy.DOf(v), err
}

// indexes reads a member that is an array of definitions.
func (r inputReader) indexes(name string) ([]policy.D, error) {
	v, err := r.typed(name, policy.List, "an array of documents")
	if err != nil {
		return nil, err
	}
	list := []policy.D{}
	for e := v.Elements(); e.Next(); {
		if e.Value().Kind() != policy.Object {
			return nil, r.Faultf(name, "element %d: want a document, got %s", len(list), members.Clip(e.Value().String()))
		}
		list = append(list, policy.DOf(e.Value()))
	}
	return list, nil
}

// json reads a member that is a plain JSON object.
func (r inputReader) json(name string) (policy.JSON, error) {
	raw, err := r.Starts(name, "an object", '{')
	if err != nil {
		return policy.JSON{}, err
	}
	d, err := policy.ParseJSON(raw)
	if err != nil {
		return d, r.Faultf(name, "%v", err)
	}
	return d, nil
}

// An operation is one kind of question. What is in its input and in its result
// is known here alone.
type operation struct {
	system string
	// in are the members of its input. One in brackets may be absent; one with
	// an equals sign may too, but the vectors of a suite have it.
	in string
	// out are the members of a result that a row can expect.
	out string
}

// echoOp is the operation that returns the value it is sent. No vector asks for it.
const echoOp = "self.echo"

// operations are those of the protocol.
var operations = map[string]operation{
	echoOp:                      {"", "value", ""},
	"mongodb.decide":            {MongoDB, "now document indexes [collection]", "state deadline rule index"},
	"mongodb.createIndexes":     {MongoDB, "=now [collection] [existing] index", "expireAfterSeconds created"},
	"mongodb.collMod":           {MongoDB, "=now [collection] [existing] command", "expireAfterSeconds_old expireAfterSeconds_new"},
	"mongodb.create":            {MongoDB, "=now command", ""},
	"cosmos.decide":             {CosmosNoSQL, "now container item", "state deadline rule"},
	"cosmos.validateContainer":  {CosmosNoSQL, "container [previous]", "warned"},
	"cosmos.validateItem":       {CosmosNoSQL, "container item", ""},
	"cosmosmongo.decide":        {CosmosMongo, "now document indexes =_ts", "state deadline rule index"},
	"cosmosmongo.createIndexes": {CosmosMongo, "index [existing]", ""},
}

// Operations returns the names of the operations that vectors ask about, in
// alphabetical order.
func Operations() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(operations)), func(op string) bool { return op == echoOp })
}

// SystemOf returns the system that an operation is about, such as "mongodb",
// and "" for what is no operation of [Operations].
func SystemOf(op string) string { return operations[op].system }

// A member is one of an operation's input.
type member struct {
	name     string
	required bool // a system may refuse to answer without it
	stated   bool // each vector has it
}

func (op operation) members() (all []member) {
	for _, word := range strings.Fields(op.in) {
		name := strings.Trim(word, "=[]")
		all = append(all, member{name, name == word, word[0] != '['})
	}
	return all
}

// results are the members of a result that a row can expect.
func (op operation) results() []string { return strings.Fields(op.out) }

// decides reports whether a result is a state and a deadline.
func (op operation) decides() bool { return strings.HasPrefix(op.out, "state ") }
