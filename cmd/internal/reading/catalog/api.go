package catalog

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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
