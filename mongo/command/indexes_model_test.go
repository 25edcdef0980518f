package command

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// expectedCode is the code with which a release refuses the seconds of a plain
// index: 0 if it accepts them, -1 if the outcome is unspecified.
func expectedCode(v behaviour.Version, n drawn.Stored, now policy.Instant) int32 {
	since := func(major, minor, patch uint16) bool { return v.Compare(drawn.Release(major, minor, patch)) >= 0 }
	inLine := func(major, minor, patch uint16) bool {
		return v.Compare(drawn.Release(major, minor, 0)) >= 0 && v.Compare(drawn.Release(major, minor+1, 0)) < 0 && v.Compare(drawn.Release(major, minor, patch)) < 0
	}
	isNaN := n.Kind == "nan"
	switch {
	case !since(4, 2, 0):
		return 0
	case isNaN && since(7, 0, 0):
		return 67
	case isNaN && since(6, 2, 0):
		return -1
	case isNaN:
		return 0
	}
	whole := drawn.WholeOf(n)
	if whole.Sign() < 0 {
		return 67
	}
	fits := whole.Cmp(big.NewInt(1<<31-1)) <= 0
	inTime := new(big.Int).Mul(whole, big.NewInt(1000)).Cmp(big.NewInt(int64(now))) <= 0
	byClock := !since(5, 0, 0) || inLine(5, 0, 14) || since(5, 1, 0) && !since(6, 0, 0) || inLine(6, 0, 2)
	if byClock && !inTime || !byClock && !fits {
		return 67
	}
	return 0
}

func TestModelCreateIndexes(t *testing.T) { rapid.Check(t, modelCreateIndexes()) }

func FuzzModelCreateIndexes(f *testing.F) { fuzzing.Property(f, modelCreateIndexes()) }

// modelCreateIndexes compares codes with the model.
func modelCreateIndexes() func(*rapid.T) {
	versions := rapid.SampledFrom([]behaviour.Version{drawn.Release(2, 2, 0), drawn.Release(3, 4, 0), drawn.Release(4, 0, 28), drawn.Release(4, 2, 0), drawn.Release(4, 4, 29), drawn.Release(5, 0, 0), drawn.Release(5, 0, 13), drawn.Release(5, 0, 14), drawn.Release(5, 1, 0), drawn.Release(5, 3, 2),
		drawn.Release(6, 0, 0), drawn.Release(6, 0, 1), drawn.Release(6, 0, 2), drawn.Release(6, 1, 0), drawn.Release(6, 2, 0), drawn.Release(6, 3, 2), drawn.Release(7, 0, 0), drawn.Release(7, 2, 2), drawn.Release(7, 3, 0), drawn.Release(8, 0, 4), drawn.Release(8, 2, 11), behaviour.Latest})
	clocks := rapid.SampledFrom([]policy.Instant{0, 1_700_000_000_000, 1<<31*1000 - 1000, 1 << 31 * 1000, 9_000_000_000_000, policy.MaxInstant})
	numbers := rapid.OneOf(drawn.StoredOptions().Filter(func(s drawn.Stored) bool { return s.Kind != "text" && s.Kind != "infinity" }), rapid.SampledFrom(drawn.NaNs))
	return func(t *rapid.T) {
		version, n, now := versions.Draw(t, "version"), numbers.Draw(t, "seconds"), clocks.Draw(t, "now")
		if n.Kind != "nan" && rapid.Bool().Draw(t, "as long after 1970") {
			now = policy.Instant(drawn.WholeOf(n).Int64()*1000 + rapid.Int64Range(-1, 1).Draw(t, "off")) // may wrap around
		}
		p := fixture.Profile(t, version.String())
		made, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, policy.D{
			{Key: "name", Value: policy.StringValue("t_1")},
			{Key: "key", Value: policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}})}, {Key: "expireAfterSeconds", Value: n.Value},
		}, p, now)
		switch want := expectedCode(version, n, now); {
		case want == -1:
			if !errors.Is(err, policy.ErrUnspecified) {
				t.Fatalf("%v on %v: %v, want an unspecified outcome", n.Value, version, err)
			}
		case want != 0:
			if !hasCode(err, want) {
				t.Fatalf("%v on %v: %v, want %v", n.Value, version, err, want)
			}
		case err != nil || !made.Created:
			t.Fatalf("%v on %v: %v, want it created", n.Value, version, err)
		default:
			checkStored(t, mongo.Version(version), n, made.Index.ExpireAfterSeconds)
		}
	}
}

// checkStored requires an int32 since 7.3, and the given number in earlier releases,
// except a NaN in those that repair it.
func checkStored(t *rapid.T, v mongo.Version, n drawn.Stored, stored policy.Value) {
	mended := v.Major == 5 && v.Minor == 0 && v.Patch >= 14 || v.Major == 6 && v.Minor == 0 && v.Patch >= 2 || v.Major == 6 && v.Minor == 1
	if got, _ := stored.AsInt64(); n.Kind == "nan" && mended {
		if stored.Kind() != policy.Int32 || got != 1<<31-1 {
			t.Fatalf("%v is stored as %v on %v", n.Value, stored, v)
		}
		return
	}
	if !drawn.Before(behaviour.Version(v), 7, 3, 0) {
		if got, _ := stored.AsInt64(); stored.Kind() != policy.Int32 || drawn.WholeOf(n).Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("%v is stored as %v", n.Value, stored)
		}
		return
	}
	if stored.String() != n.Value.String() {
		t.Fatalf("%v is stored as %v", n.Value, stored)
	}
}
