package boltttl

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/conformance"
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
		made, err := s.CreateIndex(collectionName, in.Index, in.Now)
		out := map[string]any{"created": made.Created}
		addNumber(out, "expireAfterSeconds", made.Index.ExpireAfterSeconds)
		return conformance.Result(out), err
	})
}

func answerCollMod(s *Store, q conformance.Question) (conformance.Answer, error) {
	in, err := q.Input()
	if err != nil {
		return conformance.Answer{}, err
	}
	return inExisting(s, in.Collection, in.Existing, func() (conformance.Answer, error) {
		reply, err := s.CollMod(collectionName, in.Command, in.Now)
		out := map[string]any{}
		addNumber(out, "expireAfterSeconds_old", reply.Old)
		addNumber(out, "expireAfterSeconds_new", reply.New)
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
