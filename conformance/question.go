package conformance

import (
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Input holds the input of a question as Go values. Its fields are named like the
// members of [Question.In]. The operation decides which fields a question has; all other
// fields are zero, and so are those of optional members that the question leaves out.
type Input struct {
	// Now is the time of the question. If an operation that does not decide has
	// none, Now is the time of this machine's clock.
	Now policy.Instant
	// Document is the document to decide about, for MongoDB and for the API for
	// MongoDB of Cosmos DB.
	Document policy.Value
	// Collection holds the options of the collection that listCollections shows,
	// and "ns", the namespace: timeseries, clusteredIndex, expireAfterSeconds,
	// capped, viewOn and requiresExtendedRangeSupport. It is nil if the question
	// does not describe the collection, which is then an ordinary one.
	Collection policy.D
	// Indexes are the indexes of the document's collection, each as listIndexes
	// shows it. Existing are the indexes that exist before a definition changes.
	Indexes, Existing []policy.D
	// Index is the index to create, as an argument of createIndexes. Its values may be of
	// any type, and may be invalid.
	Index policy.D
	// Command is the argument of create or collMod, without the collection's name.
	Command policy.D
	// Container holds the settings of a container of Cosmos DB, and Previous the settings
	// that these replace, nil for a new container.
	Container policy.JSON
	Previous  *policy.JSON
	// Item is the item of Cosmos DB that is asked about.
	Item policy.JSON
	// TS is the _ts of Document, in seconds since 1970. If TS is nil the document
	// has its own _ts, or none.
	TS *int64
	// Steps are the steps of a history, each a document with one field, whose name says what
	// to do; docs/adapter.md lists them. Their values are Extended JSON, also for Cosmos DB.
	Steps []policy.D
	// Value is the value that the operation self.echo returns, which tests whether a
	// value survives the transport. [Operations] does not list self.echo.
	Value policy.Value
}

// Input reads the input of q. The error names the malformed member, such as
// "in.now", and is a text for [Fault]; no question of the suite causes an
// error. A system that does not know the operation answers [Skipped], and need
// not read its input.
func (q Question) Input() (in Input, err error) {
	err = questions.Read(q.Op, q.In, map[string]any{
		"now": &in.Now, "document": &in.Document, "collection": &in.Collection, "indexes": &in.Indexes, "existing": &in.Existing,
		"index": &in.Index, "command": &in.Command, "container": &in.Container, "previous": &in.Previous, "item": &in.Item,
		"_ts": &in.TS, "steps": &in.Steps, "value": &in.Value,
	})
	if err != nil {
		return Input{}, err
	}
	return in, nil
}

// Operations returns the names of the operations that vectors ask about, in
// alphabetical order.
func Operations() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(questions.Operations)), func(op string) bool { return op == questions.Echo })
}

// SystemOf returns the system that an operation is about, such as "mongodb", and "" for an
// operation that is not in [Operations].
func SystemOf(op string) string { return questions.Operations[op].System }
