package boltttl

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The operations of the suite that define a policy, answered by the store's
// commands.

func answerCreateIndexes(s *Store, q question) (conformance.Answer, error) {
	return q.inExisting(s, func() (conformance.Answer, error) {
		made, err := s.CreateIndex(collectionName, q.Index.fields(), q.now())
		out := map[string]any{"created": made.Created}
		addNumber(out, "expireAfterSeconds", made.Index.ExpireAfterSeconds)
		return conformance.Result(out), err
	})
}

func answerCollMod(s *Store, q question) (conformance.Answer, error) {
	return q.inExisting(s, func() (conformance.Answer, error) {
		reply, err := s.CollMod(collectionName, q.Command.fields(), q.now())
		out := map[string]any{}
		addNumber(out, "expireAfterSeconds_old", reply.Old)
		addNumber(out, "expireAfterSeconds_new", reply.New)
		return conformance.Result(out), err
	})
}

// inExisting asks in a collection as the question describes it.
func (q question) inExisting(s *Store, ask func() (conformance.Answer, error)) (conformance.Answer, error) {
	spec, err := mongo.ParseCollectionSpec(q.Collection.Value, q.Existing.Value)
	if err != nil {
		return conformance.Answer{}, err
	}
	return with(s, spec, ask)
}

func answerCreate(s *Store, q question) (conformance.Answer, error) {
	const name = "made"
	if err := s.Create(name, q.Command.fields(), q.now()); err != nil {
		return conformance.Answer{}, err
	}
	return conformance.Result(struct{}{}), s.Drop(name)
}

func addNumber(out map[string]any, name string, v policy.Value) {
	if !v.IsMissing() {
		out[name] = json.RawMessage(policy.AppendExtJSON(nil, v))
	}
}
