package reasons

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// CompileMongo returns the policy of a collection in a release of MongoDB. Its
// errors are those of [mongo.ProfileOf] and [mongo.CompileCollection].
func CompileMongo(spec mongo.CollectionSpec, release mongo.Version) (*Policy, error) {
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return nil, err
	}
	e, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		return nil, err
	}
	p := &Policy{Explainer: e, System: MongoDB, Release: release.String(), Sources: mongoSources(spec), Collection: spec, Profile: profile}
	if len(p.Sources) > 1 {
		if p.Alone, err = mongoAlone(spec, profile); err != nil {
			return nil, err
		}
	}
	p.noteNaN()
	p.Description = "MongoDB " + p.Release + ", " + p.inWords()
	return p, nil
}

// mongoAlone compiles each TTL source of a collection by itself, in the order
// of their numbers.
func mongoAlone(spec mongo.CollectionSpec, profile mongo.Profile) (alone []policy.Explainer, err error) {
	for _, one := range split(spec) {
		e, err := mongo.CompileCollection(one, profile)
		if err != nil {
			return nil, err
		}
		alone = append(alone, e)
	}
	return alone, nil
}

// split returns spec with one TTL source at a time.
func split(spec mongo.CollectionSpec) (parts []mongo.CollectionSpec) {
	indexes := spec.Indexes
	spec.Indexes = nil
	if _, ok := ownField(spec); ok && !spec.ExpireAfterSeconds.IsMissing() {
		parts = append(parts, spec)
	}
	spec.ExpireAfterSeconds = policy.Value{}
	for i, x := range indexes {
		if !x.ExpireAfterSeconds.IsMissing() {
			spec.Indexes = indexes[i : i+1]
			parts = append(parts, spec)
		}
	}
	return parts
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
