package command

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// FuzzValidateCreateIndexes checks the contract of refusals, and that a created
// index exists afterwards.
func FuzzValidateCreateIndexes(f *testing.F) {
	for _, seed := range []string{
		`{"options":{},"indexes":[{"key":{"a":1},"expireAfterSeconds":1}],"index":{"key":{"a":1},"expireAfterSeconds":{"$numberDecimal":"1E+6000"}}}`,
		`{"options":{"timeseries":{"timeField":"t","metaField":"m"}},"index":{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"$and":[{"m":1}]}}}`,
		`{"options":{"capped":true,"clusteredIndex":true},"index":{"key":{"$**":1},"name":"","v":2}}`,
		`{"options":{"viewOn":"x"},"indexes":[{"key":{"a":1},"name":"b","partialFilterExpression":{"$or":[{"a":1},{"b":{"$in":[2,1]}}]}}],
			"index":{"key":{"a":1},"partialFilterExpression":{"$or":[{"b":{"$in":[1,2]}},{"a":1}]},"sparse":false}}`,
	} {
		f.Add([]byte(seed))
	}
	fuzzCommand(f, "index", func(t *testing.T, c mongo.CollectionSpec, index policy.D, p mongo.Profile) error {
		made, err := hidden.ValidateCreateIndexes(c, index, p, commandNow)
		if err == nil {
			checkAgain(t, c, made, index, p)
		}
		return err
	})
}

// checkAgain validates an index a second time, after its creation.
func checkAgain(t *testing.T, c mongo.CollectionSpec, made createIndexesResult, index policy.D, p mongo.Profile) {
	t.Helper()
	if !made.Created || mongofunc.F.Behaviour(p).Signature == behaviour.SignatureUnspecified {
		return
	}
	c.Indexes = append([]mongo.IndexSpec{made.Index}, c.Indexes...)
	if again, err := hidden.ValidateCreateIndexes(c, index, p, commandNow); err != nil || again.Created {
		t.Errorf("%s is created, then %+v, %v, want that it exists", policy.ObjectValue(index), again, err)
	}
}
