// Package catalog describes stored collections and containers. It reads their definitions
// from listings, dumps, templates and servers, writes the commands that change their
// policies, and computes the stored definitions after each command. It runs no command.
//
// [Read] and [Find] turn listings, dumps and templates into [Target]s.
package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A StoredCollection is a collection of MongoDB as a server stores it.
type StoredCollection struct {
	Collection
	Spec mongo.CollectionSpec
	// ListedOptions and ListedIndexes are the options and indexes of Spec as they
	// were listed.
	ListedOptions policy.Value
	ListedIndexes policy.A
	Release       mongo.Version
	// IsAssumed means that the release was not given.
	IsAssumed bool
	// Arrivals are the releases of [Options.MovingTo].
	Arrivals []Stop
	// Notes are remarks on the reading of a text that is not a listing.
	Notes []string
}

// A Stop is a release to which data moves.
type Stop struct {
	Release mongo.Version
	Profile mongo.Profile
}

// maxIndexes bounds the work: indexes are compared in pairs. A server allows 64.
const maxIndexes = 100

// Collection returns the stored collection of t, which must not be a container.
func (t *Target) Collection(o Options) (c StoredCollection, err error) {
	d := t.collection
	switch {
	case t.unread != nil:
		return c, t.unread
	case len(d.indexes) > maxIndexes:
		return c, fmt.Errorf("%s: %d indexes of one collection, and a server allows 64; are these several collections?", t.File, len(d.indexes))
	}
	spec, err := mongo.ParseListedCollection(d.options, policy.ListValue(d.indexes))
	if err != nil {
		return c, fmt.Errorf("%s: %w", t.File, err)
	}
	if t.Database != "" && t.Name != "" {
		spec.Namespace = t.Database + "." + t.Name
	}
	for i, x := range spec.Indexes { // a clustered collection lists its option on the index for its cluster key
		if !x.Clustered {
			continue
		}
		spec.Clustered = true
		if spec.ExpireAfterSeconds.IsMissing() {
			spec.ExpireAfterSeconds = x.ExpireAfterSeconds
		}
		spec.Indexes[i].ExpireAfterSeconds = policy.Value{}
	}
	c = StoredCollection{Spec: spec, ListedOptions: d.options, ListedIndexes: d.indexes, Notes: d.notes}
	c.Collection = Collection{Database: t.Database, Name: t.Name, Collation: d.options.Field("collation"), Now: o.Now}
	if err := c.chooseRelease(t, o); err != nil {
		return c, err
	}
	if _, err := mongo.CompileCollection(mongo.CollectionSpec{TimeSeries: spec.TimeSeries}, c.Profile); err != nil {
		return c, fmt.Errorf("%s: %w in %s; --server names the release", t.File, err, definition.ServerName(c.Release.String()))
	}
	return c, nil
}

// chooseRelease sets the release to judge by: that of o, or else the one that mongodump noted,
// or else the newest. It also sets what depends on releases: profiles, and parameters.
func (c *StoredCollection) chooseRelease(t *Target, o Options) (err error) {
	c.Release = o.Release
	if c.Release == (mongo.Version{}) && t.dumped != nil {
		if c.Release, err = DumpedRelease(t.dumped); err != nil {
			return err
		}
	}
	if c.IsAssumed = c.Release == (mongo.Version{}); c.IsAssumed {
		c.Release = mongo.Latest()
	}
	if c.Profile, err = mongo.ProfileOf(c.Release); err != nil {
		return err
	}
	for _, v := range o.MovingTo {
		if v.Product != c.Release.Product || v.Product != "" {
			return cli.Usagef("--moving-to: a move to %s or from it is not covered; compare the two servers with ttl explain", definition.ServerName(definition.DocumentDB+"@0.112"))
		}
		p, err := mongo.ProfileOf(v)
		if err != nil {
			return err
		}
		c.Arrivals = append(c.Arrivals, Stop{v, p})
	}
	return c.setParameters(o)
}

// setParameters applies each parameter of o to all servers whose releases have it.
func (c *StoredCollection) setParameters(o Options) error {
	releases := []string{c.Release.String()}
	for _, to := range c.Arrivals {
		releases = append(releases, to.Release.String())
	}
	for _, p := range o.Parameters {
		here, err := c.Profile.WithParameter(p.Key, p.Value)
		if err == nil {
			c.Profile = here
		}
		for i := range c.Arrivals {
			to := &c.Arrivals[i]
			if there, errThere := to.Profile.WithParameter(p.Key, p.Value); errThere == nil {
				to.Profile, err = there, nil
			}
		}
		if err != nil {
			return cli.Usagef("--server-parameter: %w (MongoDB %s)", err, cli.And(releases))
		}
	}
	return nil
}

// DumpedRelease returns the server's release that mongodump noted about c, the
// zero Version if it noted none. For a release candidate it returns the final
// release.
func DumpedRelease(c *dump.Collection) (v mongo.Version, err error) {
	noted, place, err := c.Release()
	if release, _, _ := strings.Cut(noted, "-"); err == nil && release != "" {
		v, err = pasted.ParseRelease(release)
	}
	if err != nil && place != "" {
		err = fmt.Errorf("%s: %w; --server names the release to judge by", place, err)
	}
	return v, err
}

// Err returns the reason why t has no policy, nil if t has a policy.
func (t *Target) Err() error { return t.unread }

// Described returns the options and indexes of a collection as the input describes them,
// and notes on the reading, mostly about settings without effect.
func (t *Target) Described() (options policy.Value, indexes policy.A, notes []string) {
	d := t.collection
	for _, r := range remarksOn(d.options, d.indexes) {
		notes = append(notes, r.Text)
	}
	return d.options, d.indexes, append(notes, d.notes...)
}

func remarksOn(options policy.Value, indexes policy.A) []pasted.Remark {
	remarks := pasted.OptionRemarks(options)
	for _, x := range indexes {
		remarks = append(remarks, pasted.IndexRemarks(x)...)
	}
	return remarks
}

// A StoredContainer is a container of Azure Cosmos DB as the service stores it.
type StoredContainer struct {
	Spec     cosmos.ContainerSpec
	Resource policy.Value // as the input describes it
	// Notes are remarks on the reading of a text that is not a listing.
	Notes []string
	place armID
	// IsOfTerraform is the result of [Target.IsOfTerraform].
	IsOfTerraform bool
}

// Container returns the stored container of t, which must be a container.
func (t *Target) Container(o Options) (c StoredContainer, err error) {
	switch {
	case t.unread != nil:
		return c, t.unread
	case len(o.Parameters) > 0:
		return c, cli.Usagef("--server-parameter is for MongoDB; Azure Cosmos DB has no server parameters (%s)", t.File)
	}
	d := t.container
	c = StoredContainer{Resource: d.resource, Notes: d.notes, place: d.id, IsOfTerraform: t.IsOfTerraform}
	c.place.database, c.place.container = cmp.Or(d.id.database, t.Database), cmp.Or(d.id.container, t.Name)
	c.Spec = cosmos.ContainerSpec{
		DefaultTTL:           d.setting("defaultTtl"),
		TTLPropertyPath:      textOf(d.setting("ttlPropertyPath")),
		IndexingMode:         strings.ToLower(textOf(d.setting("indexingPolicy", "indexingMode"))),
		AnalyticalStorageTTL: d.setting("analyticalStorageTtl"),
	}
	if listed, err := cosmos.ParseListedContainer(plainjson.Append(nil, d.resource)); err == nil {
		c.Spec.Repeated = listed.Repeated
	}
	if _, err := cosmos.CompileContainer(c.Spec); err != nil {
		return c, fmt.Errorf("%s: %w", t.File, err)
	}
	return c, nil
}

// ContainerIn returns the container that a text describes. spec holds the settings, which
// were already read from the text. database and name are used if the text does not name
// the database or the container.
func ContainerIn(text string, spec cosmos.ContainerSpec, database, name string) *StoredContainer {
	c := StoredContainer{Resource: policy.ObjectValue(policy.D{})}
	if targets, err := ReadText("", []byte(text)); err == nil && len(targets) == 1 && targets[0].IsContainer() {
		if read, err := targets[0].Container(Options{}); err == nil {
			c = read
		}
	}
	c.Spec = spec
	c.place.database, c.place.container = cmp.Or(c.place.database, database), cmp.Or(c.place.container, name)
	return &c
}

// setting returns a property of the container. A null that the service lists counts as a
// missing property.
func (d *container) setting(path ...string) policy.Value {
	v := d.resource
	for _, name := range path {
		v = v.Field(name)
	}
	if v.Kind() == policy.Null && !d.wanted {
		return policy.Value{}
	}
	return v
}

// Database returns the name of the container's database; DATABASE if it is not known.
func (c *StoredContainer) Database() string { return cmp.Or(c.place.database, "DATABASE") }

// Name returns the name of the container; CONTAINER if it is not known.
func (c *StoredContainer) Name() string { return cmp.Or(c.place.container, "CONTAINER") }

// Placeholders returns the names that replace unknown values in commands.
func (c *StoredContainer) Placeholders() (list []string) {
	for _, p := range [][2]string{{c.place.group, "GROUP"}, {c.place.account, "ACCOUNT"}, {c.place.database, "DATABASE"}, {c.place.container, "CONTAINER"}} {
		if p[0] == "" {
			list = append(list, p[1])
		}
	}
	return list
}

// SetTTL returns the command of the az tool that sets the container's default, which must
// be seconds or -1. Unknown names are placeholders in capitals. It reports false if no
// command can name the container: az takes a name that begins with @ for the name of a file
// to read, however it is quoted (Azure/azure-cli: src/azure-cli-core/azure/cli/core/
// commands/__init__.py, _expand_file_prefixed_files).
func (c *StoredContainer) SetTTL(ttl cosmos.TTL) (command string, ok bool) {
	words := []string{"az", "cosmosdb", "sql", "container", "update"}
	for _, o := range [][2]string{
		{"--resource-group", cmp.Or(c.place.group, "GROUP")}, {"--account-name", cmp.Or(c.place.account, "ACCOUNT")},
		{"--database-name", c.Database()}, {"--name", c.Name()},
	} {
		switch option, value := o[0], o[1]; {
		case strings.HasPrefix(value, "@"):
			return "", false
		case strings.HasPrefix(value, "-"), strings.Contains(value, "=@"): // az would take it for an option, or for a file
			words = append(words, option+"="+value)
		default:
			words = append(words, option, value)
		}
	}
	return cli.ShellWords(append(words, "--ttl", ttl.String())...), true
}

// System returns the system whose rules apply to t: [definition.MongoDB],
// [definition.CosmosNoSQL] or [definition.CosmosMongo].
func (t *Target) System() string {
	switch {
	case t.IsContainer():
		return definition.CosmosNoSQL
	case t.isOfAzure:
		return definition.CosmosMongo
	}
	return definition.MongoDB
}

// cosmosMongo is a note for a collection of the API for MongoDB.
const cosmosMongo = "This is a collection of Azure Cosmos DB's API for MongoDB, whose _ts is the time of the last write."

// SetCosmosMongo makes collections count as collections of Azure Cosmos DB's API for MongoDB,
// because a server says so.
func SetCosmosMongo(targets []*Target) {
	for _, t := range targets {
		t.isOfAzure = t.collection != nil
	}
}

// An APICollection is a collection of Azure Cosmos DB's API for MongoDB (RU) as the service
// stores it.
type APICollection struct {
	Database, Name string // empty if they are not known
	Spec           cosmos.CollectionSpec
	// Notes are remarks on the reading of the input.
	Notes []string
}

// SystemName returns the name of the product, with the server version if it is known.
func (c APICollection) SystemName() string {
	name := "Azure Cosmos DB for MongoDB"
	if c.Spec.ServerVersion != "" {
		name += " " + c.Spec.ServerVersion
	}
	return name
}

// APICollection returns the collection of t, whose [Target.System] must be
// [definition.CosmosMongo]. The server version is that of o, if o names one.
func (t *Target) APICollection(o Options) (c APICollection, err error) {
	switch d := t.collection; {
	case t.unread != nil:
		return c, t.unread
	case len(o.Parameters) > 0:
		return c, cli.Usagef("--server-parameter is for MongoDB; Azure Cosmos DB has no server parameters (%s)", t.File)
	case len(d.indexes) > maxIndexes:
		return c, fmt.Errorf("%s: %d indexes of one collection; are these several collections?", t.File, len(d.indexes))
	}
	c = APICollection{Database: t.Database, Name: t.Name, Notes: t.collection.notes, Spec: cosmos.CollectionSpec{Capabilities: o.Capabilities}}
	if o.Release != (mongo.Version{}) {
		c.Spec.ServerVersion = fmt.Sprintf("%d.%d", o.Release.Major, o.Release.Minor)
	}
	for _, v := range t.collection.indexes {
		x, err := cosmos.ParseListedIndex(policy.ObjectValue(command.WithDefaultName(policy.DOf(v))))
		if err != nil {
			return c, fmt.Errorf("%s: %w", t.File, err)
		}
		c.Spec.Indexes = append(c.Spec.Indexes, x)
	}
	if _, err := cosmos.CompileCollection(cosmos.CollectionSpec{ServerVersion: c.Spec.ServerVersion}); err != nil {
		return c, cli.Usagef("--server: %s (%s)", strings.TrimPrefix(err.Error(), "cosmos: "), cmp.Or(t.Name, t.File))
	}
	if _, err := cosmos.CompileCollection(c.Spec); err != nil {
		return c, fmt.Errorf("%s: %w", t.File, err)
	}
	return c, nil
}

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
		reply, err := commandfunc.F.ValidateCollMod(spec, policy.D(do[1:]), c.Profile, c.Now)
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
		x, err := commandfunc.F.ValidateCreateIndexes(spec, command.WithDefaultName(policy.DOf(e.Value())), c.Profile, c.Now)
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
