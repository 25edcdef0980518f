package policyflags

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Compile returns the policy that the flags name. If the command line is wrong, its error
// is a [cli.ExitUsage]. If the policy is refused, its error is of another kind.
func (f *Flags) Compile() (*reasons.Policy, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if !f.Given() {
		return nil, cli.Usagef(`no policy: give --index '{"createdAt":1}' --expire-after 30d, --metadata FILE or --container '{"defaultTtl":3600}'`)
	}
	if f.Container != "" {
		p, err := f.compileContainer(f.Container)
		if err != nil {
			return nil, fmt.Errorf("--container: %w", err)
		}
		return p, nil
	}
	c, err := f.collection()
	if err != nil {
		return nil, err
	}
	return f.compile(c)
}

// CompileBeside returns the policy in mongodump's metadata of a collection. The release and
// the namespace come from the dump, unless flags name others. Flags that name a policy must
// not be given.
func (f *Flags) CompileBeside(c *dump.Collection) (*reasons.Policy, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	metadata, err := c.Metadata()
	if err != nil {
		return nil, err
	}
	switch {
	case c.Container:
		p, err := f.compileContainer(string(metadata.Text))
		if err != nil {
			err = fmt.Errorf("%s: %w", metadata.Name, err)
		}
		return p, err
	case metadata.Name != "":
	case c.Input.IsEmpty:
		return nil, fmt.Errorf("%s: the file is empty", c.Place())
	case namespaceOf(c.Place()) != "":
		return nil, cli.Usagef("%s describes a collection and holds no documents; name the .bson file beside it, or give it with --metadata", c.Place())
	default:
		return nil, cli.Usagef("%s has no metadata.json beside it; name the policy: --index '{\"createdAt\":1}' --expire-after 30d, or --container '{\"defaultTtl\":3600}'", c.Place())
	}
	beside := *f
	if f.Server == "" && !f.CosmosMongo {
		v, err := catalog.DumpedRelease(c)
		if err != nil {
			return nil, err
		}
		if v != (mongo.Version{}) {
			beside.Server = v.String()
		}
	}
	beside.Namespace = cmp.Or(f.Namespace, c.Namespace())
	text, err := parseMetadata(metadata.Name, metadata.Text)
	var p *reasons.Policy
	if err == nil {
		p, err = beside.compile(text)
	}
	if err != nil && cli.ExitCodeOf(err) != cli.ExitUsage && !strings.Contains(err.Error(), metadata.Name) {
		err = fmt.Errorf("%s: %w; leave the file out, or name the policy with --index", metadata.Name, err)
	}
	return p, err
}

// capabilities are the account's capabilities that affect TTL.
var capabilities = []string{definition.CustomPathCapability, definition.DocLevelTTLCapability}

// Check refuses flags that do not go together, and flags that would have no effect.
func (f *Flags) Check() error {
	isCosmos := f.Container != "" || f.CosmosMongo
	switch {
	case f.Container != "" && (len(f.Index) > 0 || f.Metadata != "" || f.CosmosMongo || f.Server != ""):
		return cli.Usagef("--container is for Cosmos DB for NoSQL; leave out --index, --metadata, --server and --cosmos-mongo")
	case len(f.Parameter) > 0 && isCosmos:
		return cli.Usagef("--server-parameter is for MongoDB; Azure Cosmos DB has no server parameters")
	case f.Namespace != "" && isCosmos && !f.Names:
		return cli.Usagef("--namespace is for MongoDB; Azure Cosmos DB needs no namespace")
	case f.Metadata != "" && len(f.Index) > 0:
		return cli.Usagef("--metadata and --index both name indexes; give one of them")
	case len(f.Capability) > 0 && !f.CosmosMongo:
		return cli.Usagef("--capability goes with --cosmos-mongo")
	case CheckCapabilities(f.Capability) != nil:
		return CheckCapabilities(f.Capability)
	case len(f.Index) == 0 && f.ExpireAfter != "":
		hint := ""
		if f.Hint != "" {
			hint = fmt.Sprintf("; or see what it would change by %s %s", f.Hint, f.ExpireAfter)
		}
		return cli.Usagef("--expire-after %s has no effect without an --index that is a key; add one, such as --index '{\"createdAt\":1}'%s", f.ExpireAfter, hint)
	case len(f.Index) == 0 && f.Partial != "":
		return cli.Usagef("--partial has no effect without an --index that is a key; add one, such as --index '{\"createdAt\":1}' --expire-after 30d")
	case len(f.Index) > 1 && f.ExpireAfter+f.Partial != "":
		return cli.Usagef("--expire-after and --partial complete one --index, and there are %d; write each index whole, such as --index '{key: {createdAt: 1}, expireAfterSeconds: 3600}'", len(f.Index))
	}
	return nil
}

// A collectionText holds the options and indexes of a collection, and notes on how they
// were read.
type collectionText struct {
	namespace string // the namespace, if the place of the text shows it
	options   policy.Value
	indexes   policy.A
	notes     []string
	isOfAPI   bool  // the input says that it is a collection of Azure Cosmos DB's API for MongoDB
	unknown   error // the error about an unknown option in a typed policy
}

func (c *collectionText) add(read pasted.Collection) error {
	switch {
	case read.Options.IsMissingOrNull():
	case !c.options.IsMissingOrNull():
		return cli.Usagef("the options of two collections are given; give the options of one")
	default:
		c.options = read.Options
	}
	c.indexes = append(c.indexes, read.Indexes...)
	if err := read.CheckNames(); err != nil && c.unknown == nil {
		c.unknown = cli.Usagef("--index: %s", inWords(err))
	}
	for _, n := range read.Notes {
		c.notes = append(c.notes, n.Text)
	}
	return nil
}

func (f *Flags) collection() (collectionText, error) {
	if f.Metadata != "" {
		text, err := f.read(f.Metadata)
		if err != nil {
			return collectionText{}, fmt.Errorf("--metadata: %w", err)
		}
		c, err := parseMetadata(f.Metadata, text)
		if err != nil && strings.HasSuffix(dump.Uncompressed(f.Metadata), ".bson") {
			err = fmt.Errorf("--metadata %s: these are documents; their indexes are in the file beside it whose name ends in .metadata.json", f.Metadata)
		}
		c.namespace = namespaceOf(f.Metadata)
		return c, err
	}
	var c collectionText
	for _, text := range f.Index {
		read, err := f.index(text)
		if err != nil {
			return collectionText{}, err
		}
		if err := c.add(read); err != nil {
			return collectionText{}, err
		}
	}
	return c, nil
}

// namespaceOf returns the namespace of the collection that a file of mongodump describes,
// by the file's path; "" if mongodump does not give files such a name.
func namespaceOf(metadata string) string {
	stem, ok := strings.CutSuffix(dump.Uncompressed(metadata), dump.MetadataEnd)
	if !ok {
		return ""
	}
	return dump.NewInput(dump.File{Path: stem + ".bson"}).Collections[0].Namespace()
}

// parseMetadata reads the indexes of one collection, for example from the metadata
// file of mongodump.
func parseMetadata(name string, text []byte) (c collectionText, err error) {
	t, err := oneTarget(name, text, false)
	if err != nil {
		return c, err
	}
	c.options, c.indexes, c.notes = t.Described()
	c.isOfAPI = t.System() == definition.CosmosMongo
	return c, nil
}

func oneTarget(name string, text []byte, isContainer bool) (*catalog.Target, error) {
	targets, err := catalog.ReadText(name, text)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(targets, func(t *catalog.Target) bool { return len(t.Unread) > 0 }); i >= 0 {
		return nil, targets[i].Err() // it may be about the same collection
	}
	switch t := targets[0]; {
	case t.Err() != nil:
		return nil, t.Err()
	case t.IsContainer() && !isContainer:
		return nil, fmt.Errorf("%s: this is a container of Cosmos DB; give it with --container", name)
	case !t.IsContainer() && isContainer:
		return nil, fmt.Errorf("%s: this is a collection; give it with --metadata", name)
	case len(targets) > 1 && isContainer:
		return nil, fmt.Errorf("%s: %d containers; give one", name, len(targets))
	case len(targets) > 1:
		return nil, fmt.Errorf("%s: indexes of %d collections; give the indexes of one", name, len(targets))
	}
	return targets[0], nil
}

// index reads one --index: a key pattern that the other flags complete, or whole
// definitions of indexes.
func (f *Flags) index(text string) (pasted.Collection, error) {
	now, err := f.Instant(time.Now())
	if err != nil {
		return pasted.Collection{}, err
	}
	read, err := pasted.ReadCollection(text, now)
	switch {
	case err != nil && text != "" && strings.IndexFunc(text, isNoNamePart) < 0:
		return read, cli.Usagef("--index %s: write the key with its braces: --index '{\"%s\":1}'", text, text)
	case err != nil:
		if at := (*mongosh.SyntaxError)(nil); errors.As(err, &at) && at.Offset == 0 {
			err = at.Err // a fault at the very beginning needs no position
		}
		return read, cli.Usagef("--index %s: %w", clip(text), err)
	case read.Key.IsMissing() && f.ExpireAfter+f.Partial != "":
		return read, cli.Usagef("--index %s is a whole index; put expireAfterSeconds and partialFilterExpression into it", clip(text))
	case read.Key.IsMissing():
		return read, nil
	case f.ExpireAfter == "" && len(f.Index) > 1:
		return read, cli.Usagef("--index %s: the time to live is missing; write each index whole, such as --index '{key: {createdAt: 1}, expireAfterSeconds: 3600}'", clip(text))
	case f.ExpireAfter == "":
		return read, cli.Usagef("--index %s: the time to live is missing; add --expire-after, such as --expire-after 30d", clip(text))
	}
	d := command.WithDefaultName(policy.D{{Key: "key", Value: read.Key}})
	n, err := f.Seconds()
	if err != nil {
		return read, err
	}
	d = append(d, policy.E{Key: "expireAfterSeconds", Value: n})
	if f.Partial != "" {
		filter, notes, err := mongosh.ParseValue(f.Partial, now)
		if err != nil {
			return read, cli.Usagef("--partial %s: %w", clip(f.Partial), err)
		}
		read.Notes = append(read.Notes, notes...)
		d = append(d, policy.E{Key: "partialFilterExpression", Value: filter})
	}
	read.Indexes = policy.A{policy.ObjectValue(d)}
	return read, nil
}

func isNoNamePart(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.'
}

func clip(text string) string { return cli.Clip(text, 100) }

func (f *Flags) compile(c collectionText) (p *reasons.Policy, err error) {
	if f.CosmosMongo || c.isOfAPI {
		p, err = f.cosmosMongo(c)
	} else {
		p, err = f.mongoDB(c)
	}
	if err != nil {
		return nil, err
	}
	p.Notes = slices.Concat(c.notes, p.Notes)
	return p, nil
}

func (f *Flags) mongoDB(c collectionText) (*reasons.Policy, error) {
	release, err := ParseRelease("--server", f.Server)
	if err != nil {
		return nil, err
	}
	if f.Server == "" {
		release = mongo.Latest()
	}
	spec, err := mongo.ParseListedCollection(c.options, policy.ListValue(c.indexes))
	if err != nil {
		return nil, err
	}
	spec.Namespace = cmp.Or(f.Namespace, c.namespace, spec.Namespace)
	parameters, err := ParseParameters(f.Parameter)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(f.checkAccepted(c, release), c.unknown); err != nil {
		return nil, err
	}
	d := definition.OfMongoDB(spec, release, parameters)
	d.IsAssumed = f.Server == ""
	p, err := reasons.Compile(d)
	if refused, ok := errors.AsType[*mongo.SpecError](err); ok && refused.Code == codes.InvalidNamespace && f.Namespace != "" {
		return nil, cli.Usagef("--namespace %s: %s", clip(f.Namespace), inWords(err))
	}
	if errors.Is(err, mongo.ErrParameter) {
		return nil, cli.Usagef("--server-parameter: %w (%s)", err, definition.ServerName(release.String()))
	}
	return p, err
}

func (f *Flags) cosmosMongo(c collectionText) (*reasons.Policy, error) {
	spec := cosmos.CollectionSpec{ServerVersion: f.Server, Capabilities: f.Capability}
	if _, err := cosmos.CompileCollection(spec); err != nil {
		return nil, cli.Usagef("--server: %s", inWords(err))
	}
	for _, v := range c.indexes {
		x, err := cosmos.ParseListedIndex(policy.ObjectValue(command.WithDefaultName(policy.DOf(v))))
		if err != nil {
			return nil, err
		}
		spec.Indexes = append(spec.Indexes, x)
	}
	p, err := reasons.Compile(definition.OfCosmosMongo(spec))
	if err == nil && len(f.Index) > 0 {
		err = cmp.Or(checkCosmosIndexes(spec, c.indexes), c.unknown)
	}
	return p, err
}

func (f *Flags) compileContainer(given string) (*reasons.Policy, error) {
	read, err := f.readContainer(given)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(read.CheckNames(), checkContainer(read.Spec)); err != nil {
		return nil, err
	}
	p, err := reasons.Compile(definition.OfContainer(read.Spec))
	if err != nil {
		return nil, err
	}
	for _, n := range read.Notes {
		p.Notes = append(p.Notes, n.Text)
	}
	return p, nil
}

func (f *Flags) readContainer(given string) (pasted.Container, error) {
	text, noFile := f.containerText(given)
	if doc, err := policy.ParseJSON([]byte(text)); err == nil && catalog.IsTerraform(doc.Value()) {
		t, err := oneTarget(given, []byte(text), true)
		if err != nil {
			return pasted.Container{}, err
		}
		stored, err := t.Container(catalog.Options{})
		c := pasted.Container{Spec: stored.Spec, Known: true, Value: stored.Resource}
		for _, n := range stored.Notes {
			c.Notes = append(c.Notes, mongosh.Note{Text: n})
		}
		return c, err
	}
	read, err := pasted.ReadContainer(text)
	if noFile != nil && errors.As(err, new(*policy.SyntaxError)) {
		return read, fmt.Errorf("neither JSON nor a file: %w", noFile)
	}
	return read, err
}

// containerText returns given itself if it begins as JSON does, or else the contents of the
// file that it names. If there is no such file, it returns given and the error.
func (f *Flags) containerText(given string) (string, error) {
	if begin := strings.TrimSpace(given); strings.HasPrefix(begin, "{") || strings.HasPrefix(begin, "[") {
		return given, nil
	}
	text, err := f.read(given)
	if err != nil {
		return given, err
	}
	return string(text), nil
}

// checkAccepted returns the server's refusal if the release would not create the index
// that --index proposes, because a refused index decides about no document. An index that
// is given with its version, v, was shown by listIndexes. It exists already, and is not
// checked. If the release's behaviour is unspecified, there is no error.
func (f *Flags) checkAccepted(c collectionText, release mongo.Version) error {
	now, err := f.Instant(time.Now())
	if err != nil || len(f.Index) == 0 {
		return err
	}
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return err
	}
	server := definition.ServerName(release.String()) + " refuses this "
	if !c.options.IsMissing() {
		_, err := commandfunc.F.ValidateCreate(policy.DOf(c.options), profile, now)
		if err := refusal(server+"collection", "", err); err != nil {
			return err
		}
	}
	spec, err := mongo.ParseListedCollection(c.options, policy.ListValue(c.indexes))
	if err != nil {
		return err
	}
	hint := existsHint
	if len(c.notes) > 0 { // the notes name the fault
		hint = ". " + strings.Join(c.notes, " ")
	}
	all := spec.Indexes
	for i, v := range c.indexes {
		onID := len(all[i].Key) == 1 && all[i].Key[0].Key == "_id" && all[i].ExpireAfterSeconds.IsMissing() // the index that every collection has
		if spec.Indexes = all[:i:i]; !v.Field("v").IsMissing() || onID {
			continue
		}
		_, err := commandfunc.F.ValidateCreateIndexes(spec, command.WithDefaultName(policy.DOf(v)), profile, now)
		if err := refusal(server+"index", hint, err); err != nil {
			return err
		}
	}
	return nil
}

// existsHint is the hint for a user who wants to judge an existing index.
const existsHint = "; to judge an index that exists, give it as listIndexes shows it, with its v"

// refusal returns err in the server's words, nil if there is no error or if the behaviour
// is unspecified.
func refusal(who, hint string, err error) error {
	if err == nil || errors.Is(err, policy.ErrUnspecified) {
		return nil
	}
	return fmt.Errorf("%s: %s%s", who, inWords(err), hint)
}

// inWords returns the text of an error of the library without the package's name. From a
// server's message about an index specification it keeps only the field and the cause.
func inWords(err error) string {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "mongo: "), "cosmos: ")
	if field, rest, ok := strings.Cut(text, ": . Index spec: "); ok {
		if _, cause, ok := strings.Cut(rest, " :: caused by :: "); ok {
			return field + ": " + cause
		}
	}
	return text
}

// checkCosmosIndexes returns the refusal by Azure Cosmos DB for MongoDB of the first
// index that it would not create. An index that is given with its version, v, exists
// already, and is not checked.
func checkCosmosIndexes(spec cosmos.CollectionSpec, given policy.A) error {
	all := spec.Indexes
	for i, x := range all {
		if spec.Indexes = all[:i:i]; !given[i].Field("v").IsMissing() {
			continue
		}
		if err := refusal("Azure Cosmos DB for MongoDB refuses this index", existsHint, cosmos.ValidateCreateIndexes(spec, x)); err != nil {
			return err
		}
	}
	return nil
}

// checkContainer returns the service's refusal of settings. A null counts as
// not set, because the service's tools show such properties as null.
func checkContainer(spec cosmos.ContainerSpec) error {
	for _, v := range []*policy.Value{&spec.DefaultTTL, &spec.AnalyticalStorageTTL} {
		if v.IsMissingOrNull() {
			*v = policy.Value{}
		}
	}
	_, _, err := cosmos.ValidateContainer(spec, nil)
	return refusal("Azure Cosmos DB refuses this container", "", err)
}

// A Group holds the parts of one collection in the inputs, and the policy of the collection.
type Group struct {
	Collections []*dump.Collection
	Titles      []string // the titles of the parts
	Policy      *reasons.Policy
	// Container is the container of Azure Cosmos DB for NoSQL, for commands about it; nil
	// for a collection.
	Container *catalog.StoredContainer
	Err       error // the reason why there is no policy
	// Joined means that other inputs may hold more documents of the collection. It is so if
	// the policy comes from the flags, and either the files are text or the flags name the
	// collection.
	Joined bool
	// SampleOf is nil if Collections hold all documents of the collection. If they hold a
	// sample, SampleOf is the number of all documents, or -1 if that is unknown.
	SampleOf *int64
}

// Name returns the title of the collection.
func (g Group) Name() string { return NameOf(g.Titles) }

// NameOf returns the title of a collection from the titles of its files.
func NameOf(titles []string) string {
	const most = 4 // the number of titles that fit on a line
	titles = slices.Compact(slices.Clone(titles))
	if len(titles) > most {
		titles = []string{titles[0], fmt.Sprintf("%s more", cli.Number(int64(len(titles)-1)))}
	}
	return strings.Join(titles, " + ")
}

// Files names the places of g's documents.
func (g Group) Files() (list []string) {
	for _, c := range g.Collections {
		list = append(list, filepath.ToSlash(c.Place()))
	}
	return list
}

// Groups gives each collection its policy: the policy of the flags, or the policy in its
// metadata. If the flags name a policy, files of text are the parts of one export. If the
// flags also name the collection, all files are its parts.
func (f *Flags) Groups(list []*dump.Collection) (groups []Group, err error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if !f.Given() {
		if f.Namespace != "" && len(list) > 1 {
			return nil, cli.Usagef("--namespace names one collection, but the input has %d; --ns selects some of them", len(list))
		}
		for _, c := range list {
			p, err := f.CompileBeside(c)
			g := Group{Collections: []*dump.Collection{c}, Titles: []string{f.titleOf(c, p)}, Policy: p, Err: err}
			if err == nil && c.Container {
				metadata, _ := c.Metadata() // the metadata was compiled before
				g.Container = catalog.ContainerIn(string(metadata.Text), p.Container, c.Database, c.Name)
			}
			groups = append(groups, g)
		}
		return groups, nil
	}
	p, err := f.Compile()
	if err != nil {
		return nil, err
	}
	var container *catalog.StoredContainer
	if p.System == definition.CosmosNoSQL {
		text, _ := f.containerText(f.Container) // without a file, --container is the text itself
		database, name, _ := strings.Cut(f.Namespace, ".")
		container = catalog.ContainerIn(text, p.Container, database, name)
	}
	joined := -1 // the group of joined collections
	for _, c := range list {
		g := Group{Collections: []*dump.Collection{c}, Titles: []string{f.titleOf(c, p)}, Policy: p, Container: container, Joined: !c.IsBSON() || f.Namespace != ""}
		switch {
		case g.Joined && joined >= 0:
			to := &groups[joined]
			to.Collections, to.Titles = append(to.Collections, c), append(to.Titles, g.Titles[0])
			continue
		case g.Joined:
			joined = len(groups)
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// titleOf returns the title of c. It says if mongodump wrote a time-series
// collection as its buckets.
func (f *Flags) titleOf(c *dump.Collection, p *reasons.Policy) string {
	title := c.Title()
	if f.Namespace != "" {
		title = f.Namespace
	}
	if c.Buckets || p != nil && c.IsBSON() && !p.Collection.TimeSeries.IsMissing() {
		title += " (time-series buckets)"
	}
	return title
}
