package audit

import (
	"cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Collection is what stands in a collection of MongoDB.
type Collection struct {
	catalog.Collection
	Spec    mongo.CollectionSpec
	Listed  policy.A // the indexes of Spec, as they were listed
	Release mongo.Version
}

// Collection returns what stands in t, which is no container.
func (t *Target) Collection(o Options) (Collection, error) {
	j, err := t.auditor(o)
	if err != nil {
		return Collection{}, err
	}
	a := j.(*collectionAudit)
	return Collection{a.catalog(), a.spec, a.raw, a.version}, nil
}

// Settings are what stands in a container of Azure Cosmos DB.
type Settings struct {
	Spec     cosmos.ContainerSpec
	Resource policy.Value // as it was described
	audit    *containerAudit
}

// Settings returns what stands in t, which is a container.
func (t *Target) Settings(o Options) (Settings, error) {
	j, err := t.auditor(o)
	if err != nil {
		return Settings{}, err
	}
	a := j.(*containerAudit)
	return Settings{a.spec, a.container.resource, a}, nil
}

// SetTTL returns the command of the az tool that sets the container's default, which
// must be seconds or -1.
func (c Settings) SetTTL(ttl cosmos.TTL) string { return c.audit.azUpdate("--ttl " + ttl.String()) }

func (t *Target) auditor(o Options) (auditor, error) {
	if t.unread != nil {
		return nil, t.unread
	}
	return t.policy.auditor(t, o)
}

// Database returns what the container's database is called, DATABASE if that is not
// known.
func (c Settings) Database() string {
	return cmp.Or(c.audit.container.id.database, c.audit.target.Database, "DATABASE")
}

// Name returns what the container is called, CONTAINER if that is not known.
func (c Settings) Name() string {
	return cmp.Or(c.audit.container.id.container, c.audit.target.Name, "CONTAINER")
}
