package adapter

import (
	"errors"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
)

// validateContainer answers cosmos.validateContainer.
func validateContainer(in object, _ target) (any, error) {
	container, err := in.container("container")
	if err != nil {
		return nil, err
	}
	var previous *cosmos.ContainerSpec
	if in.has("previous") {
		before, err := in.container("previous")
		if err != nil {
			return nil, err
		}
		previous = &before
	}
	warnings, err := cosmos.ValidateContainer(container, previous)
	if err != nil {
		return nil, refusedByCosmos(err)
	}
	var accepted struct {
		Warnings []string `json:"warnings,omitempty"`
	}
	for _, w := range warnings {
		accepted.Warnings = append(accepted.Warnings, w.Text)
	}
	return accepted, nil
}

// validateItem answers cosmos.validateItem.
func validateItem(in object, _ target) (any, error) {
	container, err := in.container("container")
	if err != nil {
		return nil, err
	}
	item, err := in.json("item")
	if err != nil {
		return nil, err
	}
	if err := cosmos.ValidateItem(container, &item); err != nil {
		return nil, refusedByCosmos(err)
	}
	return struct{}{}, nil
}

// createCosmosIndexes answers cosmosmongo.createIndexes.
func createCosmosIndexes(in object, t target) (any, error) {
	v, err := in.document("index")
	if err != nil {
		return nil, err
	}
	index, err := cosmos.ParseIndexSpec(v)
	if err != nil {
		return nil, in.faultf("index", "%w", err)
	}
	spec := cosmos.CollectionSpec{ServerVersion: t.version, Capabilities: t.capabilities}
	if in.has("existing") {
		if spec.Indexes, err = in.cosmosIndexes("existing"); err != nil {
			return nil, err
		}
	}
	if err := cosmos.ValidateCreateIndexes(spec, index); err != nil {
		return nil, refusedByCosmos(err)
	}
	return struct{}{}, nil
}

// container reads a member that is a container's settings.
func (o object) container(name string) (cosmos.ContainerSpec, error) {
	settings, err := o.json(name)
	if err != nil {
		return cosmos.ContainerSpec{}, err
	}
	spec, err := cosmos.ParseContainerSpec(settings.Bytes())
	if err != nil {
		return spec, o.faultf(name, "%w", err)
	}
	return spec, nil
}

// refusedByCosmos is refused for Azure Cosmos DB.
func refusedByCosmos(err error) error {
	var spec *cosmos.SpecError
	switch {
	case !errors.As(err, &spec):
		return err
	case errors.Is(err, cosmos.ErrUnspecified):
		return skipf("unspecified: %s", spec.Rule)
	}
	r := &refusal{Class: "refused", Status: int(spec.Status), Code: int(spec.Code), Message: spec.Reason}
	if spec.Code != 0 {
		r.CodeName = spec.Code.Name()
	}
	return r
}
