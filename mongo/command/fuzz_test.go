package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// fuzzVersions has one release for each way of reading commands.
var fuzzVersions = []string{"2.4.0", "3.2.0", "3.6.0", "4.2.0", "4.4.0", "5.0.0", "5.1.0", "6.0.1", "6.2.0", "7.0.0", "8.2.11"}

// checkOutcome checks the contract of a validator's error.
func checkOutcome(t *testing.T, err error) {
	t.Helper()
	refused, ok := refusedBy(err)
	if !ok || refused.Rule.IsZero() || refused.Reason == "" || errors.Is(err, policy.ErrUnspecified) != strings.HasSuffix(refused.Rule.ID(), "-unspecified") {
		t.Errorf("the error %v says neither that the outcome is unspecified nor why it is refused", err)
	}
}

// fuzzCommand validates a drawn command for a collection with drawn options and indexes,
// in each release. It checks the errors of ask by checkOutcome.
func fuzzCommand(f *testing.F, member string, ask func(t *testing.T, c mongo.CollectionSpec, command policy.D, p mongo.Profile) error) {
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := policy.ParseExtJSON(text)
		if err != nil {
			return
		}
		c, err := mongo.ParseCollectionSpec(v.Field("options"), v.Field("indexes"))
		if err != nil {
			return
		}
		command := policy.DOf(v.Field(member))
		for _, version := range fuzzVersions {
			if err := ask(t, c, command, fixture.Profile(t, version)); err != nil {
				checkOutcome(t, err)
			}
		}
	})
}

func FuzzValidateCollMod(f *testing.F) {
	for _, seed := range []string{
		`{"options":{},"indexes":[{"key":{"a":1},"expireAfterSeconds":1}],"command":{"index":{"name":"a_1","expireAfterSeconds":{"$numberDecimal":"1E+6000"}}}}`,
		`{"options":{"timeseries":{"timeField":"t"}},"indexes":[],"command":{"expireAfterSeconds":"off"}}`,
		`{"options":{"clusteredIndex":true,"capped":true},"indexes":[{"key":{"$**":1}}],"command":{"index":{"keyPattern":{"_id":1},"hidden":1,"prepareUnique":null}}}`,
		`{"options":{"viewOn":"x"},"indexes":[{"key":{"a":"text"},"expireAfterSeconds":{"$numberDouble":"NaN"}}],"command":{"bogus":[],"index":5}}`,
	} {
		f.Add([]byte(seed))
	}
	fuzzCommand(f, "command", func(t *testing.T, c mongo.CollectionSpec, command policy.D, p mongo.Profile) error {
		reply, err := hidden.ValidateCollMod(c, command, p, commandNow)
		if err == nil {
			checkTwice(t, reply, command, p, commandNow)
		}
		return err
	})
}

func FuzzValidateCreate(f *testing.F) {
	for _, seed := range []string{
		`{"timeseries":{"timeField":"t","metaField":"m","granularity":"hours"},"expireAfterSeconds":{"$numberDouble":"NaN"}}`,
		`{"timeseries":{"timeField":"t","bucketMaxSpanSeconds":{"$numberDecimal":"1E+6000"},"bucketRoundingSeconds":1}}`,
		`{"clusteredIndex":{"key":{"_id":1},"unique":true,"v":2},"expireAfterSeconds":-1,"capped":{"$numberDecimal":"0E-6176"}}`,
		`{"viewOn":"","size":1,"max":{"$numberLong":"9223372036854775807"},"comment":[],"create":"c"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := policy.ParseExtJSON(text)
		if err != nil || v.Kind() != policy.Object {
			return
		}
		for _, version := range fuzzVersions {
			p := fixture.Profile(t, version)
			c, err := hidden.ValidateCreate(policy.DOf(v), p, commandNow)
			if err != nil {
				checkOutcome(t, err)
				continue
			}
			if _, err := mongo.CompileCollection(c, p); err != nil {
				t.Errorf("create(%s) on %s makes what does not compile: %v", v, version, err)
			}
			if seconds := c.ExpireAfterSeconds; !seconds.IsMissing() && !isOfCollection(seconds) {
				t.Errorf("create(%s) on %s stores the seconds %s", v, version, seconds)
			}
		}
	})
}

// isOfCollection reports whether option can be the expireAfterSeconds of a collection:
// whole seconds of at least 0 whose milliseconds fit 64 bits.
func isOfCollection(option policy.Value) bool {
	n, ok := option.AsInt64()
	return ok && n >= 0 && n <= int64(policy.MaxInstant)/1000
}

// refusedBy finds the SpecError that err wraps.
func refusedBy(err error) (*mongo.SpecError, bool) {
	var refused *mongo.SpecError
	ok := errors.As(err, &refused)
	return refused, ok
}
