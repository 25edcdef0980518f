package answers

import (
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// containerOf reads the settings of a container, as the service shows them, in the named
// member.
func containerOf(member string, settings policy.JSON) (cosmos.ContainerSpec, error) {
	return containerSpec(member, settings, cosmos.ParseListedContainer)
}

func containerSpec(member string, settings policy.JSON, read func([]byte) (cosmos.ContainerSpec, error)) (cosmos.ContainerSpec, error) {
	spec, err := read(settings.Bytes())
	if err != nil {
		return spec, inputFault(member, err)
	}
	return spec, nil
}

func validateContainer(q question) (policy.D, error) {
	container, err := containerOf("container", q.Container)
	if err != nil {
		return nil, err
	}
	var previous *cosmos.ContainerSpec
	if q.Previous != nil {
		before, err := containerOf("previous", *q.Previous)
		if err != nil {
			return nil, err
		}
		previous = &before
	}
	_, warnings, err := cosmos.ValidateContainer(container, previous)
	if err != nil || len(warnings) == 0 {
		return nil, err
	}
	var texts policy.A
	for _, w := range warnings {
		texts = append(texts, policy.StringValue(w.Text))
	}
	return policy.D{field("warnings", policy.ListValue(texts))}, nil
}

func validateItem(q question) (policy.D, error) {
	container, err := containerOf("container", q.Container)
	if err != nil {
		return nil, err
	}
	return nil, cosmos.ValidateItem(container, &q.Item)
}

// cosmosCollection returns a collection of the API for MongoDB with the indexes
// of the named member.
func (q question) cosmosCollection(member string, indexes []policy.D) (spec cosmos.CollectionSpec, err error) {
	spec = cosmos.CollectionSpec{ServerVersion: q.Target.Version, Capabilities: q.Target.Capabilities}
	read := cosmos.ParseListedIndex
	if q.written {
		read = cosmos.ParseIndexSpec
	}
	for _, x := range indexes {
		index, err := read(policy.ObjectValue(x))
		if err != nil {
			return spec, inputFault(member, err)
		}
		spec.Indexes = append(spec.Indexes, index)
	}
	return spec, nil
}

func createCosmosMongoIndexes(q question) (policy.D, error) {
	index, err := cosmos.ParseListedIndex(policy.ObjectValue(q.Index))
	if err != nil {
		return nil, inputFault("index", err)
	}
	spec, err := q.cosmosCollection("existing", q.Existing)
	if err != nil {
		return nil, err
	}
	return nil, cosmos.ValidateCreateIndexes(spec, index)
}
