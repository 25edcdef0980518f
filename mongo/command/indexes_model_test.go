package command

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A numberModel is a number of an option with the whole number that it stands for:
// doubles are truncated, decimals rounded half to even.
type numberModel struct {
	value policy.Value
	whole *big.Int // nil for NaN
}

func numberModels() *rapid.Generator[numberModel] {
	around := rapid.SampledFrom([]int64{0, -1, 1, 1<<31 - 1, 1 << 31, -1 << 31, -1<<31 - 1, 1_700_000_000, 1_700_000_001, 9223372036854775, 9223372036854776, 1<<63 - 1, -1 << 63})
	return rapid.Custom(func(t *rapid.T) numberModel {
		n := around.Draw(t, "around")
		if n > -1<<62 && n < 1<<62 {
			n += rapid.Int64Range(-2, 2).Draw(t, "off")
		}
		switch rapid.IntRange(0, 3).Draw(t, "type") {
		case 0:
			return numberModel{policy.Int64Value(n), big.NewInt(n)}
		case 1:
			tenth := rapid.Int64Range(-9, 9).Draw(t, "tenth")
			f := new(big.Rat).SetFrac(big.NewInt(n%1e9*10+tenth), big.NewInt(10))
			double, _ := f.Float64()
			exact := new(big.Rat)
			exact.SetFloat64(double)
			return numberModel{policy.DoubleValue(double), new(big.Int).Quo(exact.Num(), exact.Denom())}
		case 2:
			return tenths(n%1e12*10 + rapid.Int64Range(-9, 9).Draw(t, "tenth"))
		}
		return numberModel{rapid.SampledFrom([]policy.Value{policy.DoubleValue(nan), policy.DecimalValue(drawn.NaNBits, 0)}).Draw(t, "nan"), nil}
	})
}

var nan = func() float64 { zero := 0.0; return zero / zero }()

// tenths returns n/10 as a decimal128.
func tenths(n int64) numberModel {
	high, low := uint64(0x303E000000000000), uint64(n)
	if n < 0 {
		high, low = high|1<<63, uint64(-n)
	}
	whole, rest := n/10, n%10
	switch up := rest >= 6 || rest <= -6 || (rest == 5 || rest == -5) && whole%2 != 0; {
	case up && n > 0:
		whole++
	case up:
		whole--
	}
	return numberModel{policy.DecimalValue(high, low), big.NewInt(whole)}
}

// expectedCode is the code with which a release refuses the seconds of a plain
// index: 0 if it accepts them, -1 if the outcome is unspecified.
func expectedCode(v behaviour.Version, n numberModel, now policy.Instant) mongo.ErrorCode {
	since := func(major, minor, patch uint16) bool { return v.Compare(drawn.Release(major, minor, patch)) >= 0 }
	inLine := func(major, minor, patch uint16) bool {
		return v.Compare(drawn.Release(major, minor, 0)) >= 0 && v.Compare(drawn.Release(major, minor+1, 0)) < 0 && v.Compare(drawn.Release(major, minor, patch)) < 0
	}
	whole := n.whole
	switch {
	case !since(4, 2, 0):
		return 0
	case whole == nil && since(7, 0, 0):
		return 67
	case whole == nil && since(6, 2, 0):
		return -1
	case whole == nil:
		return 0
	case whole.Sign() < 0:
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
	return func(t *rapid.T) {
		version, n, now := versions.Draw(t, "version"), numberModels().Draw(t, "seconds"), clocks.Draw(t, "now")
		p, err := mongo.ProfileOf(mongo.Version(version))
		if err != nil {
			t.Fatal(err)
		}
		made, err := ValidateCreateIndexes(mongo.CollectionSpec{}, policy.D{
			{Key: "name", Value: policy.StringValue("t_1")},
			{Key: "key", Value: policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}})}, {Key: "expireAfterSeconds", Value: n.value},
		}, p, now)
		switch want := expectedCode(version, n, now); {
		case want == -1:
			if !errors.Is(err, policy.ErrUnspecified) {
				t.Fatalf("%v on %v: %v, want an unspecified outcome", n.value, version, err)
			}
		case want != 0:
			if !errors.Is(err, want) {
				t.Fatalf("%v on %v: %v, want %v", n.value, version, err, want)
			}
		case err != nil || !made.Created:
			t.Fatalf("%v on %v: %v, want it created", n.value, version, err)
		default:
			checkStored(t, mongo.Version(version), n, made.Index.ExpireAfterSeconds)
		}
	}
}

// checkStored requires an int32 since 7.3, and the given number in earlier releases,
// except a NaN in those that repair it.
func checkStored(t *rapid.T, v mongo.Version, n numberModel, stored policy.Value) {
	mended := v.Major == 5 && v.Minor == 0 && v.Patch >= 14 || v.Major == 6 && v.Minor == 0 && v.Patch >= 2 || v.Major == 6 && v.Minor == 1
	if got, _ := stored.AsInt64(); n.whole == nil && mended {
		if stored.Kind() != policy.Int32 || got != 1<<31-1 {
			t.Fatalf("%v is stored as %v on %v", n.value, stored, v)
		}
		return
	}
	if !drawn.Before(behaviour.Version(v), 7, 3, 0) {
		if got, _ := stored.AsInt64(); stored.Kind() != policy.Int32 || n.whole.Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("%v is stored as %v", n.value, stored)
		}
		return
	}
	if stored.String() != n.value.String() {
		t.Fatalf("%v is stored as %v", n.value, stored)
	}
}
