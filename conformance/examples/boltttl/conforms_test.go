package boltttl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestConforms puts the store to the suite: every question about MongoDB, at
// every release that the suite asks about.
func TestConforms(t *testing.T) {
	conformance.Test(t, conformance.Embedded(), &system{tb: t, stores: map[string]*Store{}})
}

// TestConformsWholly: no rule of MongoDB is left out of the claim.
func TestConformsWholly(t *testing.T) {
	report, err := conformance.Run(conformance.Embedded(), &system{tb: t, stores: map[string]*Store{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Profiles() {
		if p.Claimed && p.Verdict != conformance.Conformant {
			t.Errorf("profile %s is %s (%v), want conformant", p.Name, p.Verdict, p.Count)
		}
	}
	if !report.Conforms() {
		t.Errorf("the store fails %d checks", len(report.Failed()))
	}
}

// A system answers from stores, one for each release. A question gets a
// collection of its own, which is dropped afterwards: a file for each would
// take minutes.
type system struct {
	tb     testing.TB
	stores map[string]*Store
}

var answerers = map[string]func(*Store, question) (conformance.Answer, error){
	"mongodb.decide":        answerDecide,
	"mongodb.createIndexes": answerCreateIndexes,
	"mongodb.collMod":       answerCollMod,
	"mongodb.create":        answerCreate,
}

// Hello claims MongoDB whole, and nothing of Cosmos DB.
func (*system) Hello() conformance.Hello {
	return conformance.Hello{
		Protocol: 1, Name: "boltttl", Version: "0.1.0", Language: "go",
		Ops:      slices.Sorted(maps.Keys(answerers)),
		Systems:  map[string]string{conformance.MongoDB: ">=2.2.0"},
		Profiles: profiles(),
		Features: append(slices.Sorted(maps.Keys(conformance.Embedded().Features)),
			conformance.FeatureDeadline, conformance.FeatureRule, conformance.FeatureIndex,
			conformance.FeatureErrorCode, conformance.FeatureTypes),
	}
}

// profiles returns those that are about MongoDB alone.
func profiles() (names []string) {
	mine := map[*policy.Rule]bool{}
	for r := range mongo.Rules() {
		mine[r] = true
	}
	for _, p := range conformance.Embedded().Profiles {
		if !slices.ContainsFunc(p.Rules, func(r *policy.Rule) bool { return !mine[r] }) {
			names = append(names, p.Name)
		}
	}
	return names
}

func (s *system) Ask(q conformance.Question) conformance.Answer {
	answer, ok := answerers[q.Op]
	if !ok {
		return conformance.Skipped(q.Op)
	}
	var in question
	if err := json.Unmarshal(q.In, &in); err != nil {
		return conformance.Fault(err.Error())
	}
	store, err := s.store(q.Target.Version)
	if err != nil {
		return conformance.Fault(err.Error())
	}
	a, err := answer(store, in)
	if err != nil {
		return answerFor(err)
	}
	return a
}

// store returns the store that stands for a release.
func (s *system) store(release string) (*Store, error) {
	if store := s.stores[release]; store != nil {
		return store, nil
	}
	version, err := mongo.ParseVersion(release)
	if err != nil {
		return nil, err
	}
	store, err := Open(openFile(s.tb, filepath.Join(s.tb.TempDir(), "store")), version)
	s.stores[release] = store
	return store, err
}

// openFile opens a database that need not survive the machine's crash.
func openFile(tb testing.TB, path string) *bbolt.DB {
	tb.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true, NoFreelistSync: true})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return db
}

// answerFor returns the answer that an error of the store stands for.
func answerFor(err error) conformance.Answer {
	refusal, ok := errors.AsType[*mongo.SpecError](err)
	switch {
	case ok && errors.Is(err, mongo.ErrUnspecified):
		return conformance.Skipped(err.Error())
	case ok:
		return conformance.Refused(conformance.Refusal{Code: int(refusal.Code), CodeName: refusal.Code.Name(), Message: refusal.Reason})
	}
	return conformance.Fault(err.Error())
}

// A question is the input of the four operations.
type question struct {
	Now, Document, Index, Command extJSON
	Collection, Indexes, Existing extJSON
}

// An extJSON is a member in Extended JSON.
type extJSON struct{ policy.Value }

func (x *extJSON) UnmarshalJSON(text []byte) (err error) {
	x.Value, err = policy.ParseExtJSONInt32(text)
	return err
}

func (x extJSON) fields() (d policy.D) {
	f := x.Fields()
	for f.Next() {
		d = append(d, policy.E{Key: f.Name(), Value: f.Value()})
	}
	return d
}

func (q question) now() policy.Instant {
	now, _ := q.Now.AsDate()
	return now
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

// answerDecide asks in both orders: the document first and the indexes first.
func answerDecide(s *Store, q question) (conformance.Answer, error) {
	spec, err := mongo.ParseCollectionSpec(q.Collection.Value, q.Indexes.Value)
	if err != nil {
		return conformance.Answer{}, err
	}
	fields := q.Document.fields()
	if q.Document.Field("_id").IsMissing() { // as a driver does
		fields = append(policy.D{{Key: "_id", Value: policy.ObjectIDValue([12]byte{1})}}, fields...)
	}
	doc, err := policy.AppendBSON(nil, policy.ObjectValue(fields))
	if err != nil {
		return conformance.Answer{}, err
	}
	policyFirst, err := with(s, spec, func() (conformance.Answer, error) {
		if err := s.Insert(collectionName, doc); err != nil {
			return conformance.Answer{}, err
		}
		return observe(s, fields.Field("_id"), q.now())
	})
	if err != nil {
		return conformance.Answer{}, err
	}
	documentFirst, err := with(s, mongo.CollectionSpec{}, func() (conformance.Answer, error) {
		if err := s.Insert(collectionName, doc); err != nil {
			return conformance.Answer{}, err
		}
		err := s.define(collectionName, func(mongo.CollectionSpec) (mongo.CollectionSpec, error) { return spec, nil })
		if err != nil {
			return conformance.Answer{}, err
		}
		return observe(s, fields.Field("_id"), q.now())
	})
	if policyFirst.String() != documentFirst.String() {
		return conformance.Fault(fmt.Sprintf("%v if the policy comes first, else %v", policyFirst, documentFirst)), err
	}
	return policyFirst, err
}

// observe sweeps, and says what happened to the only document: whether it is
// gone decides, the deadline is that of the index.
func observe(s *Store, id policy.Value, now policy.Instant) (conformance.Answer, error) {
	sweeper := &Sweeper{Store: s}
	if _, err := sweeper.Settle(context.Background()); err != nil {
		return conformance.Answer{}, err
	}
	deadline, found, err := s.Next()
	if err != nil {
		return conformance.Answer{}, err
	}
	j, err := s.Judge(collectionName, id, now)
	if err != nil {
		return conformance.Answer{}, err
	}
	sweeper.Deleted = func(deleted Judgement) { j = deleted }
	if _, err := sweeper.Sweep(context.Background(), now); err != nil {
		return conformance.Answer{}, err
	}
	_, err = s.Get(collectionName, id)
	d := policy.Decision{Deadline: deadline, Rule: j.Rule}
	switch {
	case errors.Is(err, ErrNoDocument):
		d.State = policy.Expired
	case err != nil:
		return conformance.Answer{}, err
	case found:
		d.State = policy.Pending
	}
	return conformance.Decided(d, j.Index), nil
}
