package boltttl

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A history happens to one collection of a store.
type history struct {
	*Store
	release mongo.Version
	now     policy.Instant
	order   policy.A // the _ids in the order in which the documents were first stored
	looks   policy.A
}

func answerHistory(s *Store, q conformance.Question) (conformance.Answer, error) {
	in, err := q.Input()
	if err != nil {
		return conformance.Answer{}, err
	}
	release, err := mongo.ParseVersion(q.Target.Version)
	if err != nil {
		return conformance.Answer{}, err
	}
	h := &history{Store: s, release: release, now: in.Now}
	for _, step := range in.Steps {
		if err = h.take(step[0].Key, step[0].Value); err != nil {
			break
		}
	}
	if dropErr := s.Drop(collectionName); dropErr != nil && !errors.Is(dropErr, ErrNoCollection) {
		return conformance.Answer{}, dropErr
	}
	if _, settleErr := s.Sweeper(nil).Walk(context.Background()); err == nil {
		err = settleErr
	}
	looks := policy.D{{Key: "looks", Value: policy.ListValue(h.looks)}}
	return conformance.Answer{Kind: conformance.KindOut, Out: policy.AppendExtJSON(nil, policy.ObjectValue(looks))}, err
}

// take takes a step.
func (h *history) take(step string, argument policy.Value) (err error) {
	d := policy.DOf(argument)
	switch step {
	case "create":
		return h.create(d)
	case "createIndexes":
		if err = h.ensure(); err == nil {
			_, err = createIndex(h.Store, collectionName, command.WithDefaultName(d), h.now)
		}
	case "collMod":
		_, err = changeOption(h.Store, collectionName, d, h.now)
	case "dropIndexes":
		err = dropIndex(h.Store, collectionName, argument)
	case "drop":
		h.order = nil
		err = h.Drop(collectionName)
	case "write":
		err = h.put(d)
	case "update":
		err = h.update(d)
	case "delete":
		err = h.Delete(collectionName, argument)
	case "restart": // another Store on the same file remembers nothing
		h.Store, err = Open(h.db, h.release)
	case "tick":
		h.now, _ = argument.AsDate()
		_, err = h.Store.Sweeper(nil).Sweep(context.Background(), h.now)
	case "look":
		err = h.look()
	default:
		err = fmt.Errorf("unknown step %q", step)
	}
	return err
}

// create makes the collection, or answers as the release does if there is one.
func (h *history) create(body policy.D) error {
	err := h.Create(collectionName, body, h.now)
	if !errors.Is(err, ErrCollectionExists) {
		return err
	}
	existing, err := h.Collection(collectionName)
	if err != nil {
		return err
	}
	return command.CreateAgain(existing, body, h.now)
}

// ensure makes an ordinary collection, unless there is one.
func (h *history) ensure() error {
	err := h.Create(collectionName, nil, h.now)
	if errors.Is(err, ErrCollectionExists) {
		return nil
	}
	return err
}

// put stores a document, in place of the one with its _id.
func (h *history) put(d policy.D) error {
	if err := h.ensure(); err != nil {
		return err
	}
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(d))
	if err != nil {
		return err
	}
	err = h.Replace(collectionName, raw)
	if errors.Is(err, ErrNoDocument) {
		id := d.Field("_id")
		h.order = append(slices.DeleteFunc(h.order, id.Equal), id)
		return h.Insert(collectionName, raw)
	}
	return err
}

// update sets and removes fields of the document with an _id.
func (h *history) update(u policy.D) error {
	raw, err := h.Get(collectionName, u.Field("_id"))
	if err != nil {
		return err
	}
	stored, err := policy.ParseBSON(raw)
	if err != nil {
		return err
	}
	set, removed := policy.DOf(u.Field("set")), policy.AOf(u.Field("unset"))
	d := slices.DeleteFunc(policy.DOf(stored.Value()), func(e policy.E) bool {
		return slices.ContainsFunc(removed, policy.StringValue(e.Key).Equal) || !set.Field(e.Key).IsMissing()
	})
	return h.put(append(d, set...))
}

// look notes which documents are there.
func (h *history) look() error {
	there := policy.A{}
	for _, id := range h.order {
		_, err := h.Get(collectionName, id)
		switch {
		case err == nil:
			there = append(there, id)
		case !errors.Is(err, ErrNoDocument):
			return err
		}
	}
	h.looks = append(h.looks, policy.ListValue(there))
	return nil
}
