package conformance

import (
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func decideCosmos(q Question) (Answer, error) {
	in, err := q.CosmosDecide()
	if err != nil {
		return Answer{}, err
	}
	spec, err := containerOf("container", in.Container)
	if err != nil {
		return Answer{}, err
	}
	c, err := cosmos.Compile(spec)
	if err != nil {
		return Answer{}, inputFault("container", err)
	}
	return Decided(c.Decide(&in.Item, in.Now), ""), nil
}

// containerOf reads the settings of a container in the named member.
func containerOf(member string, settings policy.JSON) (cosmos.ContainerSpec, error) {
	spec, err := cosmos.ParseContainerSpec(settings.Bytes())
	if err != nil {
		return spec, inputFault(member, err)
	}
	return spec, nil
}

func validateContainer(q Question) (Answer, error) {
	in, err := q.CosmosValidateContainer()
	if err != nil {
		return Answer{}, err
	}
	container, err := containerOf("container", in.Container)
	if err != nil {
		return Answer{}, err
	}
	var previous *cosmos.ContainerSpec
	if in.Previous != nil {
		before, err := containerOf("previous", *in.Previous)
		if err != nil {
			return Answer{}, err
		}
		previous = &before
	}
	warnings, err := cosmos.ValidateContainer(container, previous)
	if err != nil {
		return Answer{}, err
	}
	var accepted struct {
		Warnings []string `json:"warnings,omitempty"`
	}
	for _, w := range warnings {
		accepted.Warnings = append(accepted.Warnings, w.Text)
	}
	return Result(accepted), nil
}

func validateItem(q Question) (Answer, error) {
	in, err := q.CosmosValidateItem()
	if err != nil {
		return Answer{}, err
	}
	container, err := containerOf("container", in.Container)
	if err != nil {
		return Answer{}, err
	}
	return Result(struct{}{}), cosmos.ValidateItem(container, &in.Item)
}

func decideCosmosMongo(q Question) (Answer, error) {
	in, err := q.CosmosMongoDecide()
	if err != nil {
		return Answer{}, err
	}
	spec, err := q.Target.collectionOf("indexes", in.Indexes)
	if err != nil {
		return Answer{}, err
	}
	c, err := cosmos.CompileCollection(spec)
	if err != nil {
		return Answer{}, inputFault("indexes", err)
	}
	d := c.Decide(in.Document, in.Now)
	if in.HasTS {
		d = c.DecideAt(in.Document, cosmos.TimestampSeconds(in.TS), in.Now)
	}
	return Decided(d, sourceName(ttlIndexes(spec.Indexes), d)), nil
}

// collectionOf returns a collection of the API for MongoDB with the indexes of
// the named member.
func (t Target) collectionOf(member string, indexes []Index) (spec cosmos.CollectionSpec, err error) {
	spec = cosmos.CollectionSpec{ServerVersion: t.Version, Capabilities: t.Capabilities}
	for _, x := range indexes {
		index, err := cosmos.ParseIndexSpec(policy.ObjectValue(x.Definition))
		if err != nil {
			return spec, inputFault(member, err)
		}
		spec.Indexes = append(spec.Indexes, index)
	}
	return spec, nil
}

// ttlIndexes returns the names of those indexes that can give a deadline.
func ttlIndexes(indexes []cosmos.IndexSpec) (names []string) {
	for _, x := range indexes {
		if !x.ExpireAfterSeconds.IsMissing() && x.ExpireAfterSeconds.Kind() != policy.Null {
			names = append(names, x.Name)
		}
	}
	return names
}

func createCosmosIndexes(q Question) (Answer, error) {
	in, err := q.CosmosMongoCreateIndexes()
	if err != nil {
		return Answer{}, err
	}
	index, err := cosmos.ParseIndexSpec(policy.ObjectValue(in.Index.Definition))
	if err != nil {
		return Answer{}, inputFault("index", err)
	}
	spec, err := q.Target.collectionOf("existing", in.Existing)
	if err != nil {
		return Answer{}, err
	}
	return Result(struct{}{}), cosmos.ValidateCreateIndexes(spec, index)
}
