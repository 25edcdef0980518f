// Package catalog describes stored collections and containers. It reads their definitions
// from listings, dumps, templates and servers, writes the commands that change their
// policies, and computes the stored definitions after each command. It runs no command.
//
// [Read] and [Find] turn listings, dumps and templates into [Target]s.
package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Command is one server command: collMod, createIndexes or dropIndexes.
type Command policy.D

// A Collection is the target of commands. The zero Collection has no name, so that no
// command can be written for it.
type Collection struct {
	Database, Name string // empty if they are not known
	// Collation is the collection's own collation, which an index without a collation
	// inherits.
	Collation policy.Value
	Profile   mongo.Profile
	Now       policy.Instant
}

// CollMod returns the command that makes one change.
func (c Collection) CollMod(change policy.E) Command {
	return Command{{Key: "collMod", Value: policy.StringValue(c.Name)}, change}
}

// CreateIndexes returns the command that creates one index.
func (c Collection) CreateIndexes(index policy.D) Command {
	return Command{
		{Key: "createIndexes", Value: policy.StringValue(c.Name)},
		{Key: "indexes", Value: policy.ListValue(policy.A{policy.ObjectValue(index)})},
	}
}

// Update returns the command that updates documents. It changes no definition.
func (c Collection) Update(update policy.Value) Command {
	return Command{{Key: "update", Value: policy.StringValue(c.Name)}, {Key: "updates", Value: policy.ListValue(policy.A{update})}}
}

// DropIndexes returns the command that drops the index of this name.
func (c Collection) DropIndexes(name string) Command {
	return Command{{Key: "dropIndexes", Value: policy.StringValue(c.Name)}, {Key: "index", Value: policy.StringValue(name)}}
}

// Text returns a command in the syntax of mongosh. The result is false if the
// collection's name is not known, or if a part of the command cannot be written in the
// shell.
func (c Collection) Text(command Command) (string, bool) {
	if c.Name == "" {
		return "", false
	}
	if c.Database == "" {
		text, ok := mongosh.Literal(policy.ObjectValue(policy.D(command)))
		return "db.runCommand(" + text + ")", ok
	}
	return mongosh.Command(c.Database, policy.D(command))
}

// After returns the collection after a command. The error is the server's refusal, or
// means that the server's behaviour is unspecified.
func (c Collection) After(spec mongo.CollectionSpec, do Command) (mongo.CollectionSpec, error) {
	switch do[0].Key {
	case "collMod":
		reply, err := command.ValidateCollMod(spec, policy.D(do[1:]), c.Profile, c.Now)
		return reply.Collection, err
	case "dropIndexes":
		name, _ := do[1].Value.AsString()
		return dropped(spec, name)
	}
	return c.created(spec, do[1].Value)
}

// AfterAll returns the collection after several commands in order.
func (c Collection) AfterAll(spec mongo.CollectionSpec, commands ...Command) (mongo.CollectionSpec, error) {
	for _, command := range commands {
		var err error
		if spec, err = c.After(spec, command); err != nil {
			return spec, err
		}
	}
	return spec, nil
}

// dropped returns the collection without the index of this name. The index on
// _id cannot be dropped.
func dropped(spec mongo.CollectionSpec, name string) (mongo.CollectionSpec, error) {
	i := slices.IndexFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return x.Name == name })
	isKept := i < 0 || name == "*" || spec.Indexes[i].Clustered
	if !isKept {
		key := spec.Indexes[i].Key
		isKept = len(key) == 1 && key[0].Key == "_id" && key[0].Value.Kind().IsNumber()
	}
	if isKept {
		return spec, fmt.Errorf("dropIndexes %q: this index cannot be dropped", name)
	}
	spec.Indexes = slices.Delete(slices.Clone(spec.Indexes), i, i+1)
	return spec, nil
}

var (
	errExists  = errors.New("the index exists")
	errIgnored = errors.New("the release stores an option without reading it, so the option would have no effect")
)

// created returns the collection with the given indexes added. An index that exists
// already is an error, because the command changes nothing. An option that the release
// ignores, such as a filter up to 3.0, is an error too.
func (c Collection) created(spec mongo.CollectionSpec, list policy.Value) (mongo.CollectionSpec, error) {
	spec.Indexes = slices.Clone(spec.Indexes)
	e := list.Elements()
	for e.Next() {
		x, err := command.ValidateCreateIndexes(spec, command.WithDefaultName(policy.DOf(e.Value())), c.Profile, c.Now)
		switch {
		case err == nil && !x.Created:
			err = errExists
		case err == nil && len(x.Ignored) > 0:
			err = fmt.Errorf("%w: %s", errIgnored, x.Ignored[0])
		}
		if err != nil {
			return spec, err
		}
		spec.Indexes = append(spec.Indexes, x.Index)
	}
	return spec, nil
}

// notCreated are the fields of a listed index that a command createIndexes leaves out.
var notCreated = []string{"v", "ns", "background"}

// AsCreated returns a listed index as createIndexes accepts it. The simple collation, which
// some releases list, is included only if the collection has another collation that the
// index would inherit.
func (c Collection) AsCreated(listed policy.Value) policy.D {
	d := slices.DeleteFunc(policy.DOf(listed), func(e policy.E) bool {
		return slices.Contains(notCreated, e.Key) || e.Key == "collation" && isSimple(e.Value)
	})
	if isSimple(listed.Field("collation")) && !isSimple(c.Collation) {
		simple := policy.D{{Key: "locale", Value: policy.StringValue("simple")}}
		d = append(d, policy.E{Key: "collation", Value: policy.ObjectValue(simple)})
	}
	return d
}

// isSimple reports whether package mongo reads a collation as the simple collation. A
// missing collation is simple too.
func isSimple(collation policy.Value) bool {
	x, err := mongo.ParseListedIndex(policy.ObjectValue(policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}})}, {Key: "collation", Value: collation},
	}))
	return err == nil && x.Collation.IsMissing()
}

// WithoutTTL is [Collection.AsCreated] without expireAfterSeconds.
func (c Collection) WithoutTTL(listed policy.Value) policy.D {
	return slices.DeleteFunc(c.AsCreated(listed), func(e policy.E) bool { return e.Key == "expireAfterSeconds" })
}

// SecondsWays returns the ways to make a listed index delete after n seconds: collMod by
// its name; collMod by its key, because releases up to 3.2 do not accept a name; or
// dropping the index and creating it again.
func (c Collection) SecondsWays(listed policy.Value, n int64) (ways [][]Command) {
	option := policy.E{Key: "expireAfterSeconds", Value: pasted.Integer(n)}
	for _, address := range []policy.E{{Key: "name", Value: listed.Field("name")}, {Key: "keyPattern", Value: listed.Field("key")}} {
		index := policy.ObjectValue(policy.D{address, option})
		ways = append(ways, []Command{c.CollMod(policy.E{Key: "index", Value: index})})
	}
	name, _ := listed.Field("name").AsString()
	return append(ways, []Command{c.DropIndexes(name), c.CreateIndexes(append(c.WithoutTTL(listed), option))})
}

// HasSeconds reports whether the index of this name deletes after n seconds.
func HasSeconds(spec mongo.CollectionSpec, name string, n int64) bool {
	return slices.ContainsFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return x.Name == name && IsSeconds(x.ExpireAfterSeconds, n) })
}

// IsSeconds reports whether a stored option has the effect of n seconds.
func IsSeconds(stored policy.Value, n int64) bool {
	whole, ok := mongofunc.WholeSeconds(stored)
	return ok && !stored.IsNaN() && whole == n
}

// Span returns seconds as text for people, in the largest fitting unit.
func Span(n int64) string {
	n, unit := reasons.LargestUnit(n)
	return cli.Number(n) + " " + unit
}

// Literal returns a value as text for people: in the syntax of the shell if possible,
// otherwise as Extended JSON.
func Literal(v policy.Value) string {
	if text, ok := mongosh.Literal(v); ok {
		return text
	}
	return v.String()
}

// Plain returns an option as text for people: a number without its type, any other value
// as Extended JSON.
func Plain(v policy.Value) string {
	text := v.String()
	for _, wrapper := range []string{`{"$numberInt":"`, `{"$numberLong":"`, `{"$numberDouble":"`, `{"$numberDecimal":"`} {
		if number, ok := strings.CutPrefix(text, wrapper); ok {
			return strings.TrimSuffix(number, `"}`)
		}
	}
	return cli.Clip(text, 80)
}
