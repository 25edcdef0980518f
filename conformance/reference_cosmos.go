package conformance

import (
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func decideCosmos(in input, _ Target) (Answer, error) {
	now, err := in.instant("now")
	if err != nil {
		return Answer{}, err
	}
	spec, err := in.container("container")
	if err != nil {
		return Answer{}, err
	}
	item, err := in.json("item")
	if err != nil {
		return Answer{}, err
	}
	c, err := cosmos.Compile(spec)
	if err != nil {
		return Answer{}, in.Faultf("container", "%v", err)
	}
	return Decided(c.Decide(&item, now), ""), nil
}

func validateContainer(in input, _ Target) (Answer, error) {
	container, err := in.container("container")
	if err != nil {
		return Answer{}, err
	}
	var previous *cosmos.ContainerSpec
	if in.Has("previous") {
		before, err := in.container("previous")
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

func validateItem(in input, _ Target) (Answer, error) {
	container, err := in.container("container")
	if err != nil {
		return Answer{}, err
	}
	item, err := in.json("item")
	if err != nil {
		return Answer{}, err
	}
	return Result(struct{}{}), cosmos.ValidateItem(container, &item)
}

func decideCosmosMongo(in input, t Target) (Answer, error) {
	now, err := in.instant("now")
	if err != nil {
		return Answer{}, err
	}
	doc, err := in.document("document")
	if err != nil {
		return Answer{}, err
	}
	spec := cosmos.CollectionSpec{ServerVersion: t.Version, Capabilities: t.Capabilities}
	if spec.Indexes, err = in.cosmosIndexes("indexes"); err != nil {
		return Answer{}, err
	}
	c, err := cosmos.CompileCollection(spec)
	if err != nil {
		return Answer{}, in.Faultf("indexes", "%v", err)
	}
	d := c.Decide(doc, now)
	if in.Has("_ts") {
		ts, err := in.seconds("_ts")
		if err != nil {
			return Answer{}, err
		}
		d = c.DecideAt(doc, cosmos.TimestampSeconds(ts), now)
	}
	return Decided(d, sourceName(ttlIndexes(spec.Indexes), d)), nil
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

func createCosmosIndexes(in input, t Target) (Answer, error) {
	v, err := in.document("index")
	if err != nil {
		return Answer{}, err
	}
	index, err := cosmos.ParseIndexSpec(v)
	if err != nil {
		return Answer{}, in.Faultf("index", "%v", err)
	}
	spec := cosmos.CollectionSpec{ServerVersion: t.Version, Capabilities: t.Capabilities}
	if in.Has("existing") {
		if spec.Indexes, err = in.cosmosIndexes("existing"); err != nil {
			return Answer{}, err
		}
	}
	return Result(struct{}{}), cosmos.ValidateCreateIndexes(spec, index)
}
