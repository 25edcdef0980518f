package adapter

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// collMod answers mongodb.collMod: with what the server reports.
func collMod(in object, t target) (any, error) {
	profile, now, err := in.moment(t)
	if err != nil {
		return nil, err
	}
	collection, err := in.collectionSpec()
	if err != nil {
		return nil, err
	}
	command, err := in.fields("command")
	if err != nil {
		return nil, err
	}
	reply, err := mongo.ValidateCollMod(collection, command, profile, now)
	if err != nil {
		return nil, refused(err)
	}
	return changedIndex{seconds(reply.New), seconds(reply.Old)}, nil
}

type changedIndex struct {
	New json.RawMessage `json:"expireAfterSeconds_new,omitempty"`
	Old json.RawMessage `json:"expireAfterSeconds_old,omitempty"`
}

// create answers mongodb.create.
func create(in object, t target) (any, error) {
	profile, now, err := in.moment(t)
	if err != nil {
		return nil, err
	}
	command, err := in.fields("command")
	if err != nil {
		return nil, err
	}
	if _, err := mongo.ValidateCreate(command, profile, now); err != nil {
		return nil, refused(err)
	}
	return struct{}{}, nil
}

// moment returns the release and the instant that a validating operation asks
// about.
func (o object) moment(t target) (mongo.Profile, policy.Instant, error) {
	profile, err := profileOf(t)
	if err != nil {
		return profile, 0, err
	}
	now, err := o.instantOr("now", clock)
	return profile, now, err
}

// collectionSpec reads the members collection and existing; neither need be
// there.
func (o object) collectionSpec() (spec mongo.CollectionSpec, err error) {
	var options, existing policy.Value
	if o.has("collection") {
		if options, err = o.document("collection"); err != nil {
			return spec, err
		}
	}
	if o.has("existing") {
		indexes, err := o.documents("existing")
		if err != nil {
			return spec, err
		}
		existing = policy.ListValue(policy.A(indexes))
	}
	if spec, err = mongo.ParseCollectionSpec(options, existing); err != nil {
		return spec, o.faultf("existing", "%w", err)
	}
	return spec, nil
}

// fields returns a member that is a document, its fields in their order.
func (o object) fields(name string) (policy.D, error) {
	v, err := o.document(name)
	if err != nil {
		return nil, err
	}
	var d policy.D
	f := v.Fields()
	for f.Next() {
		d = append(d, policy.E{Key: f.Name(), Value: f.Value()})
	}
	return d, nil
}
