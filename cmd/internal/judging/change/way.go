package change

import (
	"errors"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
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
