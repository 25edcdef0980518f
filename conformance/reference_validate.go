package conformance

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A definition is what the validating operations of MongoDB ask about.
type definition struct {
	collection mongo.CollectionSpec
	command    policy.D
	profile    mongo.Profile
	now        policy.Instant
}

// definition reads the definition in the named member.
func (in input) definition(name string, t Target) (d definition, err error) {
	if d.profile, err = t.profileOf(); err != nil {
		return d, err
	}
	if d.now, err = in.now(); err != nil {
		return d, err
	}
	members, err := in.values("collection", "existing", name)
	if err != nil {
		return d, err
	}
	if d.collection, err = mongo.ParseCollectionSpec(members[0], members[1]); err != nil {
		return d, fmt.Errorf("in.existing: %v", err) // the question is malformed, not the definition
	}
	if members[2].Kind() != policy.Object {
		return d, errors.New("in." + name + ": want a document")
	}
	fields := members[2].Fields()
	for fields.Next() {
		d.command = append(d.command, policy.E{Key: fields.Name(), Value: fields.Value()})
	}
	return d, nil
}

// result adds a stored number to a result, if there is one.
func result(out map[string]any, name string, v policy.Value) map[string]any {
	if !v.IsMissing() {
		out[name] = json.RawMessage(policy.AppendExtJSON(nil, v))
	}
	return out
}

func createIndexes(in input, t Target) (Answer, error) {
	d, err := in.definition("index", t)
	if err != nil {
		return Answer{}, err
	}
	made, err := mongo.ValidateCreateIndexes(d.collection, d.command, d.profile, d.now)
	if err != nil {
		return Answer{}, err
	}
	return Result(result(map[string]any{"created": made.Created}, "expireAfterSeconds", made.Index.ExpireAfterSeconds)), nil
}

func collMod(in input, t Target) (Answer, error) {
	d, err := in.definition("command", t)
	if err != nil {
		return Answer{}, err
	}
	reply, err := mongo.ValidateCollMod(d.collection, d.command, d.profile, d.now)
	if err != nil {
		return Answer{}, err
	}
	out := result(map[string]any{}, "expireAfterSeconds_old", reply.Old)
	return Result(result(out, "expireAfterSeconds_new", reply.New)), nil
}

func create(in input, t Target) (Answer, error) {
	d, err := in.definition("command", t)
	if err != nil {
		return Answer{}, err
	}
	_, err = mongo.ValidateCreate(d.command, d.profile, d.now)
	return Result(struct{}{}), err
}

func validateContainer(in input, _ Target) (Answer, error) {
	spec, err := cosmos.ParseContainerSpec(in["container"])
	if err != nil {
		return Answer{}, fmt.Errorf("in.container: %w", err)
	}
	var previous *cosmos.ContainerSpec
	if raw, ok := in["previous"]; ok {
		before, err := cosmos.ParseContainerSpec(raw)
		if err != nil {
			return Answer{}, fmt.Errorf("in.previous: %w", err)
		}
		previous = &before
	}
	warnings, err := cosmos.ValidateContainer(spec, previous)
	if err != nil {
		return Answer{}, err
	}
	texts := []string{}
	for _, w := range warnings {
		texts = append(texts, w.Text)
	}
	return Result(map[string][]string{"warnings": texts}), nil
}

func validateItem(in input, _ Target) (Answer, error) {
	spec, err := cosmos.ParseContainerSpec(in["container"])
	if err != nil {
		return Answer{}, fmt.Errorf("in.container: %w", err)
	}
	item, err := policy.ParseJSON(in["item"])
	if err != nil {
		return Answer{}, fmt.Errorf("in.item: %w", err)
	}
	return Result(struct{}{}), cosmos.ValidateItem(spec, &item)
}

func createCosmosIndexes(in input, t Target) (Answer, error) {
	members, err := in.values("index", "existing")
	if err != nil {
		return Answer{}, err
	}
	index, err := cosmos.ParseIndexSpec(members[0])
	if err != nil {
		return Answer{}, err
	}
	spec := cosmos.CollectionSpec{ServerVersion: t.Version, Capabilities: t.Capabilities}
	for e := members[1].Elements(); e.Next(); {
		x, err := cosmos.ParseIndexSpec(e.Value())
		if err != nil {
			return Answer{}, err
		}
		spec.Indexes = append(spec.Indexes, x)
	}
	return Result(struct{}{}), cosmos.ValidateCreateIndexes(spec, index)
}
