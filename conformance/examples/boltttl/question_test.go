package boltttl

import (
	"context"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// specOf returns a collection of a question with its indexes, as the store takes
// them.
func specOf(options policy.D, indexes []policy.D) (mongo.CollectionSpec, error) {
	var list policy.A
	for _, x := range indexes {
		list = append(list, policy.ObjectValue(x))
	}
	return mongo.ParseListedCollection(policy.ObjectValue(options), policy.ListValue(list))
}

// encoded returns a document with an _id, as a driver adds it.
func encoded(document policy.Value) ([]byte, error) {
	fields := policy.DOf(document)
	if fields.Field("_id").IsMissing() {
		fields = append(policy.D{{Key: "_id", Value: policy.ObjectIDValue([12]byte{1})}}, fields...)
	}
	return policy.AppendBSON(nil, policy.ObjectValue(fields))
}

const collectionName = "asked"

// A question is asked in a collection of its own, which is dropped after the call of ask.
// An entry that is left behind is an error.
func with(s *Store, spec mongo.CollectionSpec, ask func() (conformance.Answer, error)) (conformance.Answer, error) {
	if err := s.Adopt(collectionName, spec); err != nil {
		return conformance.Answer{}, err
	}
	answer, err := ask()
	if dropErr := s.Drop(collectionName); dropErr != nil {
		return answer, dropErr
	}
	if _, settleErr := s.Sweeper(nil).Walk(context.Background()); settleErr != nil {
		return answer, settleErr
	}
	if deadline, found, _ := s.Next(); found {
		return answer, fmt.Errorf("the entry of %v is left behind", deadline)
	}
	return answer, err
}
