package boltttl

import (
	"context"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A question is the input of the operations.
type question struct {
	Now, Document, Index, Command extJSON
	Value                         extJSON
	Collection, Indexes, Existing extJSON
}

// An extJSON is a member in Extended JSON.
type extJSON struct{ policy.Value }

func (x *extJSON) UnmarshalJSON(text []byte) (err error) {
	x.Value, err = policy.ParseExtJSONInt32(text)
	return err
}

func (x extJSON) fields() policy.D { return policy.DOf(x.Value) }

func (q question) now() policy.Instant {
	now, _ := q.Now.AsDate()
	return now
}

// document returns the document, with an _id as a driver adds it.
func (q question) document() ([]byte, error) {
	fields := q.Document.fields()
	if fields.Field("_id").IsMissing() {
		fields = append(policy.D{{Key: "_id", Value: policy.ObjectIDValue([12]byte{1})}}, fields...)
	}
	return policy.AppendBSON(nil, policy.ObjectValue(fields))
}

const collectionName = "asked"

// with makes a collection for one question, and then leaves no trace of it.
func with(s *Store, spec mongo.CollectionSpec, ask func() (conformance.Answer, error)) (conformance.Answer, error) {
	if err := s.Adopt(collectionName, spec); err != nil {
		return conformance.Answer{}, err
	}
	answer, err := ask()
	if dropErr := s.Drop(collectionName); dropErr != nil {
		return answer, dropErr
	}
	if _, settleErr := (&Sweeper{Store: s}).Settle(context.Background()); settleErr != nil {
		return answer, settleErr
	}
	if deadline, found, _ := s.Next(); found {
		return answer, fmt.Errorf("the entry of %v is left behind", deadline)
	}
	return answer, err
}
