// Package change computes changes of policies. A [Change] leads from one stored policy of
// a collection or a container to another, by commands that the release accepts. The
// commands are ordered so that none deletes a document that both policies keep. A Change
// counts the documents that it deletes, and those that stay. The package serves repairs
// of an audit, plans, steps of plans, and comparisons with another time to live. The
// package runs no command.
package change

import (
	"context"
	"errors"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Options set how documents are read, and the maximum number of documents deleted on one
// day.
type Options struct {
	catalog.Options
	// MaxDeletes is the largest number of documents of one collection to delete in 24 h; 0
	// means no limit. A change that deletes more is made in steps.
	MaxDeletes int64
}

// A Change leads from one stored policy to another. The zero Change changes nothing.
type Change struct {
	System string // the system and its release
	Items  []Item
	// Before and After are the policies before and after the change.
	Before, After *reasons.Policy
	// Documents holds the counts under the policy Before. Effect compares them with the
	// counts under After. Both are nil if no documents were read.
	Documents *forecast.Tally
	Effect    *forecast.Effect
	// Err is the error that ended the reading of documents early; nil if all were read.
	Err error

	staging *staging // nil if the change is not made in steps
}

// OfCollection returns the change that brings a collection to the wanted policy. With
// [Options.MaxDeletes], [Read] divides the change into steps after it has counted the
// documents.
func OfCollection(c catalog.StoredCollection, w Wanted, o Options) (*Change, error) {
	stands := collection(c)
	x := &Change{}
	items, after := stands.changes(w)
	if err := x.complete(stands, items, after, o.Parameters); err != nil {
		return x, err
	}
	if o.MaxDeletes > 0 {
		return x, x.prepare(stands, o)
	}
	return x, nil
}

// complete sets the system, the items and both compiled policies of a change of a
// collection.
func (x *Change) complete(stands collection, items []Item, after mongo.CollectionSpec, parameters policy.D) (err error) {
	x.System, x.Items = reasons.Server(stands.Release.String(), stands.IsAssumed), items
	d := definition.OfMongoDB(stands.Spec, stands.Release, parameters)
	d.IsAssumed = stands.IsAssumed
	if x.Before, err = reasons.Compile(d); err != nil {
		return err
	}
	d.Collection = after
	x.After, err = reasons.Compile(d)
	return err
}

// OfContainer returns the change that gives a container another default: wanted is a
// number of seconds, -1 for on without a default, or Missing for off.
func OfContainer(c catalog.StoredContainer, wanted policy.Value) (*Change, error) {
	item, after := changeDefault(c, wanted)
	x := &Change{System: "Azure Cosmos DB for NoSQL", Items: []Item{item}}
	var err error
	if x.Before, err = reasons.Compile(definition.OfContainer(c.Spec)); err != nil {
		return x, err
	}
	x.After, err = reasons.Compile(definition.OfContainer(after))
	return x, err
}

// Differs reports whether an item of x has to change.
func (x *Change) Differs() bool {
	return slices.ContainsFunc(x.Items, func(i Item) bool { return i.Action != Nothing })
}

// Refused returns the text about the first item that no command can change, with the
// reason; empty if commands change all items.
func (x *Change) Refused() string {
	for _, i := range x.Items {
		if i.Refused != "" {
			return i.Refused
		}
	}
	return ""
}

// Listed returns the items for JSON, with empty lists in place of nil.
func (x *Change) Listed() []Item {
	list := append([]Item{}, x.Items...)
	for i := range list {
		list[i].Steps = append([]Step{}, list[i].Steps...)
	}
	return list
}

// Steps returns the steps of all items.
func (x *Change) Steps() (all []Step) {
	for _, i := range x.Items {
		all = append(all, i.Steps...)
	}
	return all
}

// A Reading pairs a change with the documents of the collection.
type Reading struct {
	*Change
	Of []*dump.Collection
}

// Read makes one pass over the documents of all readings whose policies differ, and
// decides about each document by both policies. It returns an error only if ctx ended.
func Read(ctx context.Context, list []Reading, o Options) error {
	read := slices.DeleteFunc(slices.Clone(list), func(r Reading) bool { return r.Err != nil || !r.Differs() || len(r.Of) == 0 })
	var jobs []forecast.Job
	for _, r := range read {
		j := forecast.Job{Collections: r.Of, Policy: r.Before, Others: []*reasons.Policy{r.After}}
		if r.staging != nil {
			j.Ages = r.staging.of
		}
		jobs = append(jobs, j)
	}
	results := forecast.Run(ctx, jobs, forecast.Options{Now: o.Now, Kind: o.Kind, SkipBad: o.SkipBad, NoIDs: o.NoIDs, Read: o.Read})
	for i, r := range results {
		x := read[i].Change
		x.Documents, x.Effect, x.Err = r.Tally, &r.Tally.Others[0].Effect, r.Err
	}
	if o.MaxDeletes > 0 {
		for _, r := range list {
			r.stage(o)
		}
	}
	return ctx.Err()
}

// A Step is one command, in the syntax of mongosh or of a shell.
type Step struct {
	Command string `json:"command"`
	// Warning is a text to read before the command runs; empty if there is no warning.
	Warning string `json:"warning,omitempty"`
	// At is the time at which the command should run, and Deletes is the number of
	// documents deleted in the 24 h after At. Both are set only if there are several
	// steps, see [Options.MaxDeletes].
	At      *cli.Time `json:"at,omitempty"`
	Deletes *int64    `json:"deletes,omitempty"`
	// Over is the number of documents that go on the day of the step, with those that had
	// expired before the first day, if it is more than [Options.MaxDeletes]. Otherwise it
	// is nil. The warning says why.
	Over *int64 `json:"over,omitempty"`
	// Expired is the number of documents that have expired under the present policy. Only
	// the first of several steps has it; for other steps it is nil. The server deletes
	// these documents without any step, except those that it has not found when their
	// index is dropped.
	Expired *int64 `json:"expired,omitempty"`
	// Placeholders are the names that replace unknown values in the command.
	Placeholders []string `json:"placeholders,omitempty"`

	// Run is the command for [catalog.Collection.After]; nil for a command of another
	// program.
	Run catalog.Command `json:"-"`
}

// An Action is the kind of change to an index, an option or a setting.
type Action string

// The kinds of change.
const (
	ToCreate Action = "create"
	ToChange Action = "change"
	ToDrop   Action = "drop"
	Nothing  Action = "nothing"
)

// An Item is the change of one index, option or setting.
type Item struct {
	Action Action `json:"action"`
	Name   string `json:"name"` // the name of the index, option or setting
	// Before and After describe the index, option or setting before and after the change;
	// empty if it does not exist then.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Steps  []Step `json:"steps"`
	// Refused is the reason why no command makes the change; empty if commands make it,
	// or if no command is needed.
	Refused string `json:"refused,omitempty"`

	ways    [][]catalog.Command
	reached func(mongo.CollectionSpec) bool // reports whether the result of a way is acceptable; nil if every result is
	warning string                          // warns that the index is missing until it is created again
	turn    turn
	atOnce  string // describes the documents that the change deletes at once; empty if it deletes none

	// Only an item that sets a delay has these fields, which [Options.MaxDeletes] needs.
	// The field seconds is the wanted delay. The field from is the present delay, or
	// forever. The function at returns the item with the delay n for the collection c.
	seconds, from int64
	at            func(c *collection, n int64) Item
}

// A turn is an item's place in the order of changes. Changes that keep documents come
// first, so that no step deletes a document that both policies keep.
type turn uint8

const (
	keepsMore turn = iota
	removes
	deletesMore
	creates
)

// A Way is a list of commands, with the collection before and after they run.
type Way struct {
	Collection    catalog.Collection
	Before, After mongo.CollectionSpec
	Commands      []catalog.Command
}

// By returns the way that carries out commands, one after another. The error comes from
// [catalog.Collection.After].
func By(c catalog.Collection, before mongo.CollectionSpec, commands ...catalog.Command) (*Way, error) {
	after, err := c.AfterAll(before, commands...)
	return &Way{Collection: c, Before: before, After: after, Commands: commands}, err
}

// First returns the first of the ways that the release accepts and whose resulting
// collection satisfies reached. A nil reached accepts every collection. If the name of
// the collection is known, the shell must be able to write the commands as well. If no
// way qualifies, First returns the error of the last way.
func First(c catalog.Collection, before mongo.CollectionSpec, reached func(mongo.CollectionSpec) bool, ways ...[]catalog.Command) (x *Way, err error) {
	for _, way := range ways {
		x, err = By(c, before, way...)
		if err == nil && reached != nil && !reached(x.After) {
			err = errors.New("the command would change another index, or store a definition that differs from the wanted one")
		}
		if err == nil {
			_, err = x.Lines()
		}
		if err == nil || errors.Is(err, ErrUnnamed) {
			return x, nil
		}
	}
	return nil, err
}

// ErrUnnamed is the error for commands about a collection whose name is not known.
var ErrUnnamed = errors.New("the name of the collection is not known")

// Lines returns the commands in the syntax of mongosh. The error is [ErrUnnamed], or an
// error about a value that the shell cannot write.
func (x *Way) Lines() (lines []string, err error) {
	if x.Collection.Name == "" {
		return nil, ErrUnnamed
	}
	for _, command := range x.Commands {
		line, ok := x.Collection.Text(command)
		if !ok {
			return nil, errors.New("mongosh cannot write a value or a name in the index, such as a date outside the range of Date")
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// AtOnce describes the documents that are deleted as soon as the commands have run. The
// commands make an index or the collection's option delete after n seconds.
func (x *Way) AtOnce(n int64) string {
	field, filter := x.deleting(n)
	field = cli.Visible(field)
	if !x.Before.TimeSeries.IsMissing() {
		return reasons.DeletesEnded(!filter.IsMissing(), n)
	}
	return reasons.DeletesDated("document", field, !filter.IsMissing(), n)
}

// Count returns the command that counts the documents that AtOnce describes; "" if it cannot be
// written. Of a time-series collection it counts the measurements that are older, which are at
// least those that go.
func (x *Way) Count(n int64) string {
	field, filter := x.deleting(n)
	if time, ok := x.Before.TimeSeries.Field("timeField").AsString(); ok {
		field = time
	}
	on, ok := mongosh.Collection(x.Collection.Database, x.Collection.Name)
	count, isWritten := mongosh.CountOlder(on, field, filter, n)
	if !ok || !isWritten || x.Collection.Name == "" {
		return ""
	}
	return count
}

// deleting returns the field and the filter by which the commands let documents expire after n
// seconds.
func (x *Way) deleting(n int64) (field string, filter policy.Value) {
	isNew := func(y mongo.IndexSpec) bool {
		same := func(z mongo.IndexSpec) bool {
			return y.Name == z.Name && policy.ObjectValue(y.Document()).Equal(policy.ObjectValue(z.Document()))
		}
		return catalog.IsSeconds(y.ExpireAfterSeconds, n) && !slices.ContainsFunc(x.Before.Indexes, same)
	}
	if i := slices.IndexFunc(x.After.Indexes, isNew); i >= 0 {
		return x.After.Indexes[i].Key[0].Key, x.After.Indexes[i].PartialFilterExpression
	}
	return "_id", policy.Value{}
}
