package boltttl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// answerEcho stores a value and reads it back.
func answerEcho(s *Store, q conformance.Question) (conformance.Answer, error) {
	in, err := q.Input()
	if err != nil {
		return conformance.Answer{}, err
	}
	return with(s, mongo.CollectionSpec{}, func() (conformance.Answer, error) {
		doc, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{
			{Key: "_id", Value: policy.NullValue()},
			{Key: "value", Value: in.Value},
		}))
		if err != nil {
			return conformance.Answer{}, err
		}
		if err := s.Insert(collectionName, doc); err != nil {
			return conformance.Answer{}, err
		}
		if doc, err = s.Get(collectionName, policy.NullValue()); err != nil {
			return conformance.Answer{}, err
		}
		stored, err := policy.ParseBSON(doc)
		return conformance.Result(map[string]json.RawMessage{"value": policy.AppendExtJSON(nil, stored.Field("value"))}), err
	})
}

// answerDecide uses both orders: the policy first, so that the write decides,
// and the document first, so that the walk after a change decides.
func answerDecide(s *Store, q conformance.Question) (conformance.Answer, error) {
	in, err := q.Input()
	if err != nil {
		return conformance.Answer{}, err
	}
	spec, err := specOf(in.Collection, in.Indexes)
	if err != nil {
		return conformance.Answer{}, err
	}
	doc, err := encoded(in.Document)
	if err != nil {
		return conformance.Answer{}, err
	}
	insert := func() error { return s.Insert(collectionName, doc) }
	define := func() error {
		return second(s.Change(collectionName, func(*mongo.Collection) (*mongo.Collection, policy.D, error) {
			c, err := mongo.CompileCollection(spec, s.profile)
			return c, nil, err
		}))
	}
	onWrite, err := decide(s, doc, in.Now, define, insert)
	if err != nil {
		return conformance.Answer{}, err
	}
	onWalk, err := decide(s, doc, in.Now, insert, define)
	if onWrite.String() != onWalk.String() {
		return conformance.Fault(fmt.Sprintf("%v if the policy comes first, else %v", onWrite, onWalk)), err
	}
	return onWrite, err
}

// decide runs the steps that put a document into an empty collection, and
// answers with its fate.
func decide(s *Store, doc []byte, now policy.Instant, steps ...func() error) (conformance.Answer, error) {
	return with(s, mongo.CollectionSpec{}, func() (conformance.Answer, error) {
		for _, step := range steps {
			if err := step(); err != nil {
				return conformance.Answer{}, err
			}
		}
		id, err := idOf(doc)
		if err != nil {
			return conformance.Answer{}, err
		}
		return observe(s, id, now)
	})
}

// observe sweeps, and returns the state of the only document: expired if it is
// gone, with the deadline of its index entry.
func observe(s *Store, id policy.Value, now policy.Instant) (conformance.Answer, error) {
	var j Judgement
	sweeper := s.Sweeper(func(deleted Judgement) { j = deleted })
	if _, err := sweeper.Walk(context.Background()); err != nil {
		return conformance.Answer{}, err
	}
	deadline, _, err := s.Next()
	if err != nil {
		return conformance.Answer{}, err
	}
	if j, err = s.Judge(collectionName, id, now); err != nil {
		return conformance.Answer{}, err
	}
	if _, err := sweeper.Sweep(context.Background(), now); err != nil {
		return conformance.Answer{}, err
	}
	_, found, err := s.Next()
	if err != nil {
		return conformance.Answer{}, err
	}
	_, err = s.Get(collectionName, id)
	state := policy.Never
	switch {
	case errors.Is(err, ErrNoDocument):
		state = policy.Expired
	case err != nil:
		return conformance.Answer{}, err
	case found:
		state = policy.Pending
	}
	return conformance.Decided(policy.DecisionOf(state, deadline, j.Rule), j.Index), nil
}
