package policyflags

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/exit"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Compile returns the policy that the flags name. Its error tells a wrong
// command line ([exit.Usage]) from a policy that is refused.
func (f *Flags) Compile() (*reasons.Policy, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if f.Container != "" {
		return f.container()
	}
	c, err := f.collection()
	if err != nil {
		return nil, err
	}
	return f.compile(c)
}

// CompileMetadata returns the policy that mongodump's metadata beside a collection
// names, read from a file of this name. Flags that speak of the release or the
// account count, the others must not be given.
func (f *Flags) CompileMetadata(name string, text []byte) (*reasons.Policy, error) {
	c, err := parseMetadata(name, text)
	if err != nil {
		return nil, err
	}
	return f.compile(c)
}

// check refuses flags that do not go together.
func (f *Flags) check() error {
	switch {
	case !f.Given():
		return exit.Usagef(`no policy: give --index '{"createdAt":1}' --expire-after 30d, --metadata FILE or --container '{"defaultTtl":3600}'`)
	case f.Container != "" && (len(f.Index) > 0 || f.Metadata != "" || f.CosmosMongo || f.Server != ""):
		return exit.Usagef("--container is for Cosmos DB for NoSQL; leave out --index, --metadata, --server and --cosmos-mongo")
	case len(f.Parameter) > 0 && (f.Container != "" || f.CosmosMongo):
		return exit.Usagef("--server-parameter is for MongoDB; Azure Cosmos DB has no server parameters")
	case f.Metadata != "" && len(f.Index) > 0:
		return exit.Usagef("--metadata and --index both name indexes; give one of them")
	case len(f.Capability) > 0 && !f.CosmosMongo:
		return exit.Usagef("--capability goes with --cosmos-mongo")
	case len(f.Index) == 0 && (f.ExpireAfter != "" || f.Partial != ""):
		return exit.Usagef("--expire-after and --partial belong to --index")
	}
	return nil
}

// A collectionText is what is known of a collection: its options and indexes.
type collectionText struct {
	options policy.Value
	indexes policy.A
}

// collection reads --index or --metadata.
func (f *Flags) collection() (collectionText, error) {
	if f.Metadata != "" {
		text, err := os.ReadFile(f.Metadata)
		if err != nil {
			return collectionText{}, fmt.Errorf("--metadata: %w", err)
		}
		return parseMetadata(f.Metadata, text)
	}
	var c collectionText
	for _, text := range f.Index {
		x, err := f.index(text)
		if err != nil {
			return collectionText{}, err
		}
		c.indexes = append(c.indexes, x)
	}
	return c, nil
}

// parseMetadata reads what mongodump writes beside a collection.
func parseMetadata(name string, text []byte) (collectionText, error) {
	v, err := policy.ParseExtJSON(text)
	if err != nil {
		return collectionText{}, fmt.Errorf("%s: %w", name, err)
	}
	list := v.Field("indexes")
	if v.Kind() != policy.Object || list.Kind() != policy.List {
		return collectionText{}, fmt.Errorf("%s: no array named indexes; is this the metadata.json of mongodump?", name)
	}
	return collectionText{options: v.Field("options"), indexes: policy.AOf(list)}, nil
}

// index reads one --index: a whole index, or a key pattern that the other
// flags complete.
func (f *Flags) index(text string) (policy.Value, error) {
	v, err := policy.ParseExtJSON([]byte(text))
	switch {
	case err != nil:
		return v, exit.Usagef(`--index %s: %w; write it as '{"createdAt":1}'`, text, err)
	case v.Kind() != policy.Object:
		return v, exit.Usagef(`--index %s: want a document such as '{"createdAt":1}'`, text)
	case v.Field("key").Kind() == policy.Object && f.ExpireAfter+f.Partial != "":
		return v, exit.Usagef("--index %s is a whole index; put expireAfterSeconds and partialFilterExpression into it", text)
	case v.Field("key").Kind() == policy.Object:
		return v, nil
	}
	d := policy.D{{Key: "key", Value: v}, {Key: "name", Value: policy.StringValue(nameOf(v))}}
	if f.ExpireAfter == "" {
		return v, exit.Usagef("--index %s: how long? add --expire-after, such as --expire-after 30d", text)
	}
	n, err := f.Seconds()
	if err != nil {
		return v, err
	}
	d = append(d, policy.E{Key: "expireAfterSeconds", Value: n})
	if f.Partial != "" {
		filter, err := policy.ParseExtJSON([]byte(f.Partial))
		if err != nil {
			return v, exit.Usagef("--partial %s: %w", f.Partial, err)
		}
		d = append(d, policy.E{Key: "partialFilterExpression", Value: filter})
	}
	return policy.ObjectValue(d), nil
}

// nameOf returns the name that the server would give an index.
func nameOf(key policy.Value) string {
	var parts []string
	for f := key.Fields(); f.Next(); {
		parts = append(parts, f.Name(), plain(f.Value()))
	}
	return strings.Join(parts, "_")
}

// plain returns a number or a string of a key pattern as it stands in a name.
func plain(v policy.Value) string {
	if s, ok := v.AsString(); ok {
		return s
	}
	if n, ok := v.AsInt64(); ok {
		return fmt.Sprint(n)
	}
	n, _ := v.AsDouble()
	return fmt.Sprint(n)
}

func (f *Flags) compile(c collectionText) (*reasons.Policy, error) {
	if f.CosmosMongo {
		return f.cosmosMongo(c)
	}
	return f.mongoDB(c)
}

func (f *Flags) mongoDB(c collectionText) (*reasons.Policy, error) {
	release := mongo.Latest
	if f.Server != "" {
		v, err := mongo.ParseVersion(f.Server)
		if err != nil {
			return nil, exit.Usagef("--server: %w", err)
		}
		release = v
	}
	if _, err := mongo.ProfileOf(release); err != nil {
		return nil, exit.Usagef("--server: %w", err)
	}
	spec, err := mongo.ParseCollectionSpec(c.options, policy.ListValue(c.indexes))
	if err != nil {
		return nil, err
	}
	parameters, err := ParseParameters(f.Parameter)
	if err != nil {
		return nil, err
	}
	p, err := reasons.CompileMongoWith(spec, release, parameters)
	if errors.Is(err, mongo.ErrParameter) {
		return nil, exit.Usagef("--server-parameter: %w (MongoDB %s)", err, release)
	}
	return p, err
}

func (f *Flags) cosmosMongo(c collectionText) (*reasons.Policy, error) {
	spec := cosmos.CollectionSpec{ServerVersion: f.Server, Capabilities: f.Capability}
	for _, v := range c.indexes {
		x, err := cosmos.ParseIndexSpec(v)
		if err != nil {
			return nil, err
		}
		spec.Indexes = append(spec.Indexes, x)
	}
	return reasons.CompileCosmosMongo(spec)
}

func (f *Flags) container() (*reasons.Policy, error) {
	text := []byte(f.Container)
	if !strings.HasPrefix(strings.TrimSpace(f.Container), "{") {
		var err error
		if text, err = os.ReadFile(f.Container); err != nil {
			return nil, fmt.Errorf("--container is neither JSON nor a file: %w", err)
		}
	}
	spec, err := cosmos.ParseContainerSpec(text)
	if err != nil {
		return nil, fmt.Errorf("--container: %w", err)
	}
	p, err := reasons.CompileContainer(spec)
	if err != nil {
		return nil, fmt.Errorf("--container: %w", err)
	}
	return p, nil
}
