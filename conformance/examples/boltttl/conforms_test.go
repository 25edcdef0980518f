package boltttl

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/conformtest"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestConforms runs the suite on the store: every question about MongoDB, for
// every release in the suite. With -short it asks every fourth vector, and
// judges no rule set.
func TestConforms(t *testing.T) {
	conformtest.Test(t, &system{tb: t, stores: map[string]*Store{}})
}

// A system answers from stores, one for each release. A question gets a
// collection of its own, which is dropped afterwards: a file for each would
// take minutes.
type system struct {
	tb     testing.TB
	stores map[string]*Store
}

var answerers = map[string]func(*Store, conformance.Question) (conformance.Answer, error){
	"self.echo":             answerEcho,
	"mongodb.decide":        answerDecide,
	"mongodb.createIndexes": answerCreateIndexes,
	"mongodb.collMod":       answerCollMod,
	"mongodb.create":        answerCreate,
	"mongodb.history":       answerHistory,
}

// Hello claims MongoDB without its server parameters, because a store stands for a
// release. It claims nothing of Cosmos DB.
func (*system) Hello() conformance.Hello {
	return conformance.Hello{
		Protocol: 1, Name: "boltttl", Version: "0.1.0", Language: "go",
		Ops:      slices.Sorted(maps.Keys(answerers)),
		Systems:  map[string]string{conformance.MongoDB: ">=2.2.0"},
		RuleSets: ruleSets(),
		Features: features(),
	}
}

// everything holds the claims of the reference: all features and all rule sets of the
// suite.
var everything = conformtest.Reference().Hello()

// features returns the features of the suite, except those about server parameters and
// error statuses.
func features() []string {
	without := []string{"parameters", conformance.FeatureErrorStatus}
	return slices.DeleteFunc(slices.Clone(everything.Features), func(name string) bool { return slices.Contains(without, name) })
}

// ruleSets returns the rule sets about MongoDB.
func ruleSets() []string {
	return slices.DeleteFunc(slices.Clone(everything.RuleSets), func(name string) bool { return !strings.HasPrefix(name, "mongodb-") })
}

func (s *system) Ask(q conformance.Question) conformance.Answer {
	answer, ok := answerers[q.Op]
	if !ok {
		return conformance.Skipped(q.Op)
	}
	store, err := s.store(q.Target.Version)
	if err != nil {
		return conformance.Fault(err.Error())
	}
	a, err := answer(store, q)
	if err != nil {
		return answerFor(err, store.profile)
	}
	return a
}

// store returns the store that behaves as a release.
func (s *system) store(release string) (*Store, error) {
	if release == "" { // an echo names no release
		release = mongo.Latest().String()
	}
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

// answerFor returns the answer for an error of a store that behaves as a release.
func answerFor(err error, release mongo.Profile) conformance.Answer {
	refusal, ok := errors.AsType[*mongo.SpecError](err)
	switch {
	case ok && errors.Is(err, policy.ErrUnspecified):
		return conformance.Skipped(err.Error())
	case ok:
		return conformance.Refused(conformance.Refusal{Code: int(refusal.Code), CodeName: refusal.CodeName, Message: refusal.Reason})
	}
	return conformance.Fault(err.Error())
}
