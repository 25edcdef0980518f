// Package definition compiles policies of every system that this library knows: for the
// questions of the adapter protocol, for explanations, and for the tool.
package definition

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The systems that have policies, by their names in the adapter protocol. A collection of
// DocumentDB is one of MongoDB whose release has another product ([DocumentDB]).
const (
	MongoDB     = "mongodb"
	CosmosNoSQL = "cosmos-nosql"
	CosmosMongo = "cosmos-mongo"
)

// The capabilities of an account of Azure Cosmos DB for MongoDB that affect TTL.
const (
	CustomPathCapability  = "EnableTtlOnCustomPath"
	DocLevelTTLCapability = "mongoEnableDocLevelTTL"
)

// DocumentDB is the system of questions about a release of that product.
const DocumentDB = behaviour.DocumentDB

// A Definition is a policy before it is compiled. System says which of the other fields
// are used.
type Definition struct {
	System string // [MongoDB], [CosmosNoSQL] or [CosmosMongo]

	// A policy of [MongoDB] is a collection on a server of a release, with the server's
	// parameters, if any are set.
	Collection mongo.CollectionSpec
	Release    mongo.Version
	Parameters policy.D
	// State, if not "", is a state of the server's main branch in place of the release, such
	// as "4.4-dev".
	State string
	// IsAssumed means that the release is assumed, because the input does not name it.
	IsAssumed bool

	CosmosCollection cosmos.CollectionSpec // of [CosmosMongo]
	Container        cosmos.ContainerSpec  // of [CosmosNoSQL]
}

// OfMongoDB returns the definition of a collection of MongoDB. The parameters may be nil.
func OfMongoDB(spec mongo.CollectionSpec, release mongo.Version, parameters policy.D) Definition {
	return Definition{System: MongoDB, Collection: spec, Release: release, Parameters: parameters}
}

// OfCosmosMongo returns the definition of a collection of the API for MongoDB.
func OfCosmosMongo(spec cosmos.CollectionSpec) Definition {
	return Definition{System: CosmosMongo, CosmosCollection: spec}
}

// OfContainer returns the definition of a container.
func OfContainer(spec cosmos.ContainerSpec) Definition {
	return Definition{System: CosmosNoSQL, Container: spec}
}

// ServerName returns the name of a release, as its String method writes it, for people:
// "MongoDB 8.0.4" or "DocumentDB 0.112.0".
func ServerName(release string) string {
	if number, ok := strings.CutPrefix(release, DocumentDB+"@"); ok {
		return "DocumentDB " + number
	}
	return "MongoDB " + release
}

// Version returns the release of the server, such as "8.0.4". It returns "" for a
// container, and for a collection of the API for MongoDB without a release.
func (d Definition) Version() string {
	switch d.System {
	case MongoDB:
		return cmp.Or(d.State, d.Release.String())
	case CosmosMongo:
		return d.CosmosCollection.ServerVersion
	}
	return ""
}

// A Decider decides by one compiled policy. It is immutable and safe for concurrent use; deciding
// is pure and does not allocate.
type Decider interface {
	// Decide returns the decision of the policy about doc at now. Only the decision's
	// state depends on now; the documentation of package policy names the one exception.
	Decide(doc policy.Document, now policy.Instant) policy.Decision
}

// An Evaluator can name the rules behind a decision.
type Evaluator interface {
	Decider
	// Consulted returns the rules that were consulted before d was returned, in
	// their documented order, d.Rule last. It returns nil for a decision that
	// this evaluator never returns.
	Consulted(d policy.Decision) []policy.Rule
}

// A Policy is a compiled definition.
type Policy struct {
	Definition
	// Evaluator is a [*mongo.Collection], [*cosmos.Container] or [*cosmos.Collection].
	Evaluator
	Profile mongo.Profile // of a policy of [MongoDB]
	// Raw decides about an unchecked document in the form in which the database
	// keeps it: BSON, or for a container the JSON of an item.
	Raw func(document []byte, now policy.Instant) policy.Decision
	// SourceNames are the names of the indexes and options that can give a deadline, by
	// [policy.Decision.Source]. The sources of a container have no names.
	SourceNames []string
}

// Compile compiles a definition. Its errors are those of [ProfileOf],
// [mongo.CompileCollection], [cosmos.CompileCollection] and [cosmos.CompileContainer]; an
// unknown system is an error too.
func (d Definition) Compile() (*Policy, error) {
	switch d.System {
	case MongoDB:
		return d.compileMongoDB()
	case CosmosMongo:
		return d.compileCosmosMongo()
	case CosmosNoSQL:
		c, err := cosmos.CompileContainer(d.Container)
		if err != nil {
			return nil, err
		}
		return &Policy{Definition: d, Evaluator: c, Raw: c.DecideJSON}, nil
	}
	return nil, fmt.Errorf("unknown system %q, want %q, %q or %q", d.System, MongoDB, CosmosNoSQL, CosmosMongo)
}

func (d Definition) compileMongoDB() (*Policy, error) {
	profile, err := d.Profile()
	if err != nil {
		return nil, err
	}
	c, err := mongo.CompileCollection(d.Collection, profile)
	if err != nil {
		return nil, err
	}
	return &Policy{Definition: d, Evaluator: c, Raw: c.DecideBSON, Profile: profile, SourceNames: c.Sources()}, nil
}

func (d Definition) compileCosmosMongo() (*Policy, error) {
	c, err := cosmos.CompileCollection(d.CosmosCollection)
	if err != nil {
		return nil, err
	}
	p := &Policy{Definition: d, Evaluator: c, Raw: c.DecideBSON}
	for _, x := range d.CosmosCollection.Indexes {
		if !x.ExpireAfterSeconds.IsMissingOrNull() {
			p.SourceNames = append(p.SourceNames, x.Name)
		}
	}
	return p, nil
}

// ProfileOf returns the profile of a release with the given server parameters. Its
// errors are those of [mongo.ProfileOf] and [mongo.Profile.WithParameter].
func ProfileOf(release mongo.Version, parameters policy.D) (mongo.Profile, error) {
	p, err := mongo.ProfileOf(release)
	if err != nil {
		return p, err
	}
	return withParameters(p, parameters)
}

// Profile returns the profile of a definition of [MongoDB].
func (d Definition) Profile() (mongo.Profile, error) {
	if p, ok := mongofunc.Development(d.State); ok {
		return withParameters(p, d.Parameters)
	}
	return ProfileOf(d.Release, d.Parameters)
}

// withParameters returns a profile with the given server parameters. Its errors are those of
// [mongo.Profile.WithParameter].
func withParameters(p mongo.Profile, parameters policy.D) (_ mongo.Profile, err error) {
	for _, e := range parameters {
		if err == nil {
			p, err = p.WithParameter(e.Key, e.Value)
		}
	}
	return p, err
}
