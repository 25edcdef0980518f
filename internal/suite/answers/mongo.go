package answers

import (
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// mongoCollection returns the profile of the question's release, and the
// collection with the indexes of the named member.
func (q question) mongoCollection(member string, indexes []policy.D) (p mongo.Profile, spec mongo.CollectionSpec, err error) {
	if p, err = profileOf(q.Target); err != nil {
		return p, spec, err
	}
	read := mongo.ParseListedCollection
	if q.written {
		read = mongo.ParseCollectionSpec
	}
	if spec, err = collectionSpec(q.Collection, indexes, read); err != nil {
		err = inputFault(member, err)
	}
	return p, spec, err
}

// collectionSpec returns the specification of a collection with some options, which may be nil,
// and indexes.
func collectionSpec(options policy.D, indexes []policy.D, read func(options, indexes policy.Value) (mongo.CollectionSpec, error)) (mongo.CollectionSpec, error) {
	var given policy.Value
	if options != nil {
		given = policy.ObjectValue(options)
	}
	var list policy.A
	for _, x := range indexes {
		list = append(list, policy.ObjectValue(x))
	}
	return read(given, policy.ListValue(list))
}

// createIndexes answers with the definition that the catalog stores.
func createIndexes(q question) (policy.D, error) {
	profile, spec, err := q.mongoCollection("existing", q.Existing)
	if err != nil {
		return nil, err
	}
	made, err := commandfunc.F.ValidateCreateIndexes(spec, q.Index, profile, q.Now)
	if err != nil {
		return nil, err
	}
	return policy.D{field("expireAfterSeconds", made.Index.ExpireAfterSeconds), field("created", policy.BoolValue(made.Created))}, nil
}

// collMod returns the server's reply as an answer.
func collMod(q question) (policy.D, error) {
	profile, spec, err := q.mongoCollection("existing", q.Existing)
	if err != nil {
		return nil, err
	}
	reply, err := commandfunc.F.ValidateCollMod(spec, q.Command, profile, q.Now)
	return policy.D{field("expireAfterSeconds_new", reply.New), field("expireAfterSeconds_old", reply.Old)}, err
}

func create(q question) (policy.D, error) {
	profile, err := profileOf(q.Target)
	if err != nil {
		return nil, err
	}
	_, err = commandfunc.F.ValidateCreate(q.Command, profile, q.Now)
	return nil, err
}
