package boltttl

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The operations of the suite that define a policy, answered by the store's
// commands.

func answerCreateIndexes(s *Store, q conformance.Question) (conformance.Answer, error) {
	in, err := q.Input()
	if err != nil {
		return conformance.Answer{}, err
	}
	return inExisting(s, in.Collection, in.Existing, func() (conformance.Answer, error) {
		reply, err := createIndex(s, collectionName, in.Index, in.Now)
		if err != nil {
			return conformance.Answer{}, err
		}
		out := map[string]any{"created": isMade(reply)}
		after, err := s.Collection(collectionName)
		addNumber(out, "expireAfterSeconds", indexOf(after, in.Index).ExpireAfterSeconds)
		return conformance.Result(out), err
	})
}

// indexOf returns the stored index with the name of x, or else the one with its key: a release
// that makes no second index of a key keeps the first name.
func indexOf(c *mongo.Collection, x policy.D) (found mongo.IndexSpec) {
	name, _ := x.Field("name").AsString()
	for _, y := range c.Spec().Indexes {
		if y.Name == name {
			return y
		}
		if x.Field("key").Equal(policy.ObjectValue(y.Key)) {
			found = y
		}
	}
	return found
}

func answerCollMod(s *Store, q conformance.Question) (conformance.Answer, error) {
	in, err := q.Input()
	if err != nil {
		return conformance.Answer{}, err
	}
	return inExisting(s, in.Collection, in.Existing, func() (conformance.Answer, error) {
		reply, err := changeOption(s, collectionName, in.Command, in.Now)
		out := map[string]any{}
		for _, name := range []string{"expireAfterSeconds_old", "expireAfterSeconds_new"} {
			addNumber(out, name, reply.Field(name))
		}
		return conformance.Result(out), err
	})
}

// inExisting calls ask in a collection with the options and the indexes of a question.
func inExisting(s *Store, options policy.D, existing []policy.D, ask func() (conformance.Answer, error)) (conformance.Answer, error) {
	spec, err := specOf(options, existing)
	if err != nil {
		return conformance.Answer{}, err
	}
	return with(s, spec, ask)
}

func answerCreate(s *Store, q conformance.Question) (conformance.Answer, error) {
	in, err := q.Input()
	if err != nil {
		return conformance.Answer{}, err
	}
	const name = "made"
	if err := s.Create(name, in.Command, in.Now); err != nil {
		return conformance.Answer{}, err
	}
	return conformance.Result(struct{}{}), s.Drop(name)
}

func addNumber(out map[string]any, name string, v policy.Value) {
	if !v.IsMissing() {
		out[name] = json.RawMessage(policy.AppendExtJSON(nil, v))
	}
}
