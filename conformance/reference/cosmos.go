package reference

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func refusedByCosmos(err *cosmos.SpecError) conformance.Answer {
	r := conformance.Refusal{Status: err.Status, Code: err.Code, Message: err.Reason}
	if err.Code != 0 {
		r.CodeName = mongo.ErrorCode(err.Code).Name()
	}
	return conformance.Refused(r)
}

func decideCosmos(q question) (conformance.Answer, error) {
	spec, err := containerSpec("container", q.Container)
	if err != nil {
		return conformance.Answer{}, err
	}
	c, err := cosmos.Compile(spec)
	if err != nil {
		return conformance.Answer{}, inputFault("container", err)
	}
	return conformance.Decided(c.Decide(&q.Item, q.Now), ""), nil
}

// containerSpec reads the settings of a container in the named member.
func containerSpec(member string, settings policy.JSON) (cosmos.ContainerSpec, error) {
	spec, err := cosmos.ParseContainerSpec(settings.Bytes())
	if err != nil {
		return spec, inputFault(member, err)
	}
	return spec, nil
}

func validateContainer(q question) (conformance.Answer, error) {
	container, err := containerSpec("container", q.Container)
	if err != nil {
		return conformance.Answer{}, err
	}
	var previous *cosmos.ContainerSpec
	if q.Previous != nil {
		before, err := containerSpec("previous", *q.Previous)
		if err != nil {
			return conformance.Answer{}, err
		}
		previous = &before
	}
	warnings, err := cosmos.ValidateContainer(container, previous)
	if err != nil {
		return conformance.Answer{}, err
	}
	var accepted struct {
		Warnings []string `json:"warnings,omitempty"`
	}
	for _, w := range warnings {
		accepted.Warnings = append(accepted.Warnings, w.Text)
	}
	return conformance.Result(accepted), nil
}

func validateItem(q question) (conformance.Answer, error) {
	container, err := containerSpec("container", q.Container)
	if err != nil {
		return conformance.Answer{}, err
	}
	return conformance.Result(struct{}{}), cosmos.ValidateItem(container, &q.Item)
}

func decideCosmosMongo(q question) (conformance.Answer, error) {
	spec, err := q.cosmosCollection("indexes", q.Indexes)
	if err != nil {
		return conformance.Answer{}, err
	}
	c, err := cosmos.CompileCollection(spec)
	if err != nil {
		return conformance.Answer{}, inputFault("indexes", err)
	}
	d := c.Decide(q.Document, q.Now)
	if q.TS != nil {
		d = c.DecideAt(q.Document, cosmos.TimestampSeconds(*q.TS), q.Now)
	}
	return conformance.Decided(d, sourceName(ttlIndexes(spec.Indexes), d)), nil
}

// cosmosCollection returns a collection of the API for MongoDB with the indexes
// of the named member.
func (q question) cosmosCollection(member string, indexes []policy.D) (spec cosmos.CollectionSpec, err error) {
	spec = cosmos.CollectionSpec{ServerVersion: q.target.Version, Capabilities: q.target.Capabilities}
	for _, x := range indexes {
		index, err := cosmos.ParseIndexSpec(policy.ObjectValue(x))
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
		if !x.ExpireAfterSeconds.IsAbsent() {
			names = append(names, x.Name)
		}
	}
	return names
}

func createCosmosMongoIndexes(q question) (conformance.Answer, error) {
	index, err := cosmos.ParseIndexSpec(policy.ObjectValue(q.Index))
	if err != nil {
		return conformance.Answer{}, inputFault("index", err)
	}
	spec, err := q.cosmosCollection("existing", q.Existing)
	if err != nil {
		return conformance.Answer{}, err
	}
	return conformance.Result(struct{}{}), cosmos.ValidateCreateIndexes(spec, index)
}
