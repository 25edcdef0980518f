package adapter

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// createIndexes answers mongodb.createIndexes: with what the catalog stores.
func createIndexes(in object, t target) (any, error) {
	profile, now, err := in.moment(t)
	if err != nil {
		return nil, err
	}
	collection, err := in.collectionSpec()
	if err != nil {
		return nil, err
	}
	index, err := in.fields("index")
	if err != nil {
		return nil, err
	}
	made, err := mongo.ValidateCreateIndexes(collection, index, profile, now)
	if err != nil {
		return nil, refused(err)
	}
	return madeIndex{seconds(made.Index.ExpireAfterSeconds), made.Created}, nil
}

type madeIndex struct {
	ExpireAfterSeconds json.RawMessage `json:"expireAfterSeconds,omitempty"`
	Created            bool            `json:"created"`
}

// seconds returns an option as it is stored, nil for none.
func seconds(stored policy.Value) json.RawMessage {
	if stored.IsMissing() {
		return nil
	}
	return policy.AppendExtJSON(nil, stored)
}
