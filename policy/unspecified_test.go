package policy_test

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestErrUnspecified: both engines report unspecified outcomes with errors that wrap
// ErrUnspecified.
func TestErrUnspecified(t *testing.T) {
	release, err := mongo.ProfileOf(mongo.Version{Major: 5, Minor: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, byMongo := commandfunc.F.ValidateCollMod(mongo.CollectionSpec{}, policy.D{{Key: "dryRun", Value: policy.BoolValue(true)}}, release, 0)
	byCosmos := cosmos.ValidateItem(cosmos.ContainerSpec{}, policy.D{{Key: "ttl", Value: policy.StringValue("5")}})
	for engine, err := range map[string]error{"mongo": byMongo, "cosmos": byCosmos} {
		if !errors.Is(err, policy.ErrUnspecified) {
			t.Errorf("the error of %s, %v, does not wrap policy.ErrUnspecified", engine, err)
		}
	}
}
