package reasons

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// CompileMongo returns the policy of a collection in a release of MongoDB. Its
// errors are those of [mongo.ProfileOf] and [mongo.CompileCollection].
func CompileMongo(spec mongo.CollectionSpec, release mongo.Version) (*Policy, error) {
	return CompileMongoWith(spec, release, nil)
}

// CompileMongoWith is [CompileMongo] for a server on which parameters are set.
// Its errors are also those of [mongo.Profile.WithParameter].
func CompileMongoWith(spec mongo.CollectionSpec, release mongo.Version, parameters policy.D) (*Policy, error) {
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return nil, err
	}
	server := "MongoDB " + release.String()
	for _, p := range parameters {
		if profile, err = profile.WithParameter(p.Key, p.Value); err != nil {
			return nil, err
		}
		server += fmt.Sprintf(" with %s=%v", p.Key, p.Value)
	}
	e, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		return nil, err
	}
	p := &Policy{Explainer: e, System: MongoDB, Release: release.String(), Sources: mongoSources(spec), Collection: spec, Profile: profile}
	if len(p.Sources) > 1 {
		for i := range p.Sources {
			p.Alone = append(p.Alone, e.Alone(i))
		}
	}
	if err := p.noteNullPath(); err != nil {
		return nil, err
	}
	p.noteZero()
	p.noteBuckets()
	p.Description = server + ", " + p.inWords()
	return p, nil
}

// CompileCosmosMongo returns the policy of a collection of the API for
// MongoDB. Its errors are those of [cosmos.CompileCollection].
func CompileCosmosMongo(spec cosmos.CollectionSpec) (*Policy, error) {
	e, err := cosmos.CompileCollection(spec)
	if err != nil {
		return nil, err
	}
	p := &Policy{Explainer: e, System: CosmosMongo, Release: spec.ServerVersion}
	for _, x := range spec.Indexes {
		if !x.ExpireAfterSeconds.IsMissing() && len(x.Key) > 0 {
			p.Sources = append(p.Sources, source(x.Name, x.Key[0].Key, x.ExpireAfterSeconds))
		}
	}
	p.Description = "Azure Cosmos DB for MongoDB, " + p.inWords()
	return p, nil
}

// CompileContainer returns the policy of a container. Its errors are those of
// [cosmos.Compile].
func CompileContainer(spec cosmos.ContainerSpec) (*Policy, error) {
	e, err := cosmos.Compile(spec)
	if err != nil {
		return nil, err
	}
	setting, field := "defaultTtl "+cosmos.TTLOf(spec.DefaultTTL).String(), "_ts"
	if path := strings.Trim(spec.TTLPropertyPath, "/"); path != "" {
		setting, field = setting+" from "+spec.TTLPropertyPath, strings.ReplaceAll(path, "/", ".")
	}
	p := &Policy{Explainer: e, System: CosmosNoSQL, Description: "Azure Cosmos DB for NoSQL, " + setting}
	p.Sources = []Source{{Name: "container", Field: field, About: setting}}
	return p, nil
}
