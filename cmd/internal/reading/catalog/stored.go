package catalog

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
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
