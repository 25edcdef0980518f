package drawn

import (
	"math"
	"math/big"
	"strconv"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The model below expresses the documentation of stored options in rational numbers. It
// compares releases as tuples, uses no profiles, and shares no code with the evaluator.

// Release returns the version of a release.
func Release(major, minor, patch uint16) behaviour.Version {
	return behaviour.Version{Major: major, Minor: minor, Patch: patch}
}

func Before(v behaviour.Version, major, minor, patch int) bool {
	number := func(a, b, c int) int { return a*1_000_000 + b*1000 + c }
	return number(int(v.Major), int(v.Minor), int(v.Patch)) < number(major, minor, patch)
}

// A Stored is a stored option: an exact number, NaN, an infinity, or a value that is not
// a number.
type Stored struct {
	Kind  string // "int", "double", "decimal", "nan", "infinity", "text"
	Exact *big.Rat
	Value policy.Value
}

// IsWhole reports whether s is a whole number that fits 64 bits.
func (s Stored) IsWhole() bool {
	return s.Kind != "nan" && s.Kind != "infinity" && s.Exact.IsInt() && s.Exact.Num().IsInt64()
}

// WholeOf returns the whole seconds of a numeric option: a decimal is rounded half to
// even, and other numbers are truncated.
func WholeOf(s Stored) *big.Int {
	whole, rest := new(big.Int).QuoRem(s.Exact.Num(), s.Exact.Denom(), new(big.Int)) // towards zero
	if s.Kind != "decimal" {
		return whole
	}
	half := new(big.Int).Abs(rest)
	half.Mul(half, big.NewInt(2))
	away := half.Cmp(s.Exact.Denom())
	if away > 0 || away == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(int64(s.Exact.Sign())))
	}
	return whole
}

// DelayOf returns the delay in milliseconds, nil if nothing is deleted.
func DelayOf(s Stored, v behaviour.Version) *big.Int {
	switch {
	case s.Kind == "text" && Before(v, 2, 4, 9):
		return new(big.Int)
	case s.Kind == "text", s.Value.Kind() == policy.Decimal && Before(v, 3, 4, 0):
		return nil
	case s.Kind == "nan":
		zero := Before(v, 3, 4, 0) || !Before(v, 5, 0, 0) && Before(v, 5, 0, 14) || !Before(v, 5, 1, 0) && Before(v, 6, 0, 2)
		if zero {
			return new(big.Int)
		}
		return nil
	case s.Kind == "infinity" && Before(v, 3, 4, 0) && s.Value.Kind() == policy.Double:
		return new(big.Int)
	case s.Kind == "infinity":
		return nil // it overflows or is out of range, depending on the release
	}
	n := WholeOf(s)
	if Before(v, 3, 4, 0) {
		return wrappedModel(n)
	}
	inRange := n.Sign() >= 0 && n.Cmp(big.NewInt(math.MaxInt32)) <= 0
	if !inRange && !Before(v, 6, 2, 0) {
		return nil
	}
	ms := new(big.Int).Mul(n, big.NewInt(1000))
	if !ms.IsInt64() || CutoffOverflows(1_325_376_000_000, ms) { // 2012-01-01, before all releases
		return nil
	}
	return ms
}

// wrappedModel returns the milliseconds that x86-64 computes from unchecked seconds: a
// double beyond the range of int64 becomes -2^63, and products are taken modulo 2^64.
func wrappedModel(n *big.Int) *big.Int {
	if !n.IsInt64() {
		n = new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 63))
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), 64)
	ms := new(big.Int).Mod(new(big.Int).Mul(n, big.NewInt(1000)), modulus) // 0 to 2^64-1
	if ms.Bit(63) == 1 {
		ms.Sub(ms, modulus)
	}
	if CutoffOverflows(1_325_376_000_000, ms) {
		return nil
	}
	return ms
}

// CutoffOverflows reports whether now minus delay overflows 64 bits. It is false for
// every delay that overflows only at clocks after the year 9999.
func CutoffOverflows(now policy.Instant, delay *big.Int) bool {
	if delay == nil || delay.Sign() >= 0 {
		return false
	}
	last := new(big.Int).Add(big.NewInt(math.MaxInt64), delay)
	return last.Cmp(big.NewInt(253402300799999)) < 0 && last.Cmp(big.NewInt(int64(now))) < 0
}

// DeadlineOf returns the deadline of a date in milliseconds since 1970, nil if the date
// never expires.
func DeadlineOf(date policy.Instant, delay *big.Int, v behaviour.Version) *big.Int {
	if delay == nil {
		return nil
	}
	at := new(big.Int).Add(big.NewInt(int64(date)), delay)
	if Before(v, 3, 2, 0) {
		at.Add(at, big.NewInt(1))
	}
	if at.Cmp(big.NewInt(math.MaxInt64)) > 0 {
		return nil
	}
	if at.Cmp(big.NewInt(math.MinInt64)) < 0 {
		return big.NewInt(math.MinInt64) // the date is expired at every instant
	}
	return at
}

// NaNs holds the NaN of both types, double and decimal128.
var NaNs = []Stored{{Kind: "nan", Value: policy.DoubleValue(math.NaN())}, {Kind: "nan", Value: policy.DecimalValue(NaNBits, 0)}}

func StoredOptions() *rapid.Generator[Stored] {
	return rapid.Custom(func(t *rapid.T) Stored {
		n := Seconds().Draw(t, "n")
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0, 1, 2:
			return StoredInt(n)
		case 3, 4:
			return StoredDouble(float64(n) + rapid.SampledFrom([]float64{0, 0.5, -0.5, 0.9, -0.9}).Draw(t, "fraction"))
		case 5:
			return StoredDouble(rapid.Float64().Draw(t, "double"))
		case 6, 7:
			return StoredDecimal(t, n, rapid.IntRange(-3, 3).Draw(t, "exponent"))
		case 8:
			return rapid.SampledFrom(append([]Stored{
				{Kind: "infinity", Value: policy.DoubleValue(math.Inf(1))},
				{Kind: "infinity", Value: policy.DoubleValue(math.Inf(-1))}, {Kind: "infinity", Value: policy.DecimalValue(0x78<<56, 0)},
				{Kind: "infinity", Value: policy.DecimalValue(0xF8<<56, 0)},
			}, NaNs...)).Draw(t, "special")
		}
		return Stored{Kind: "text", Value: policy.StringValue(strconv.FormatInt(n, 10))}
	})
}

// StoredInt returns a whole number as an option.
func StoredInt(n int64) Stored { return Stored{"int", new(big.Rat).SetInt64(n), policy.Int64Value(n)} }

// StoredDouble returns a double as an option.
func StoredDouble(f float64) Stored {
	return Stored{"double", new(big.Rat).SetFloat64(f), policy.DoubleValue(f)}
}

func StoredDecimal(t interface{ Fatal(...any) }, n int64, exponent int) Stored {
	text := strconv.FormatInt(n, 10) + "E" + strconv.Itoa(exponent)
	exact, _ := new(big.Rat).SetString(text)
	v, err := policy.ParseExtJSON([]byte(`{"$numberDecimal":"` + text + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	return Stored{"decimal", exact, v}
}

var Releases = []behaviour.Version{Release(2, 2, 0), Release(2, 6, 12), Release(3, 0, 15), Release(3, 2, 0), Release(4, 0, 0), Release(4, 4, 29), Release(5, 0, 0), Release(5, 0, 13), Release(5, 0, 14),
	Release(5, 2, 0), Release(5, 3, 1), Release(6, 0, 1), Release(6, 0, 2), Release(6, 1, 0), Release(6, 2, 0), Release(6, 3, 2), Release(7, 0, 0), Release(7, 1, 0), Release(7, 3, 4), Release(8, 0, 4), Release(8, 0, 5), Release(8, 1, 0), Release(8, 2, 11), Release(8, 3, 13), behaviour.Latest}

// Seconds draws whole seconds, biased to the ends of each range.
func Seconds() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(-5, 100_000), rapid.Int64(), rapid.Map(rapid.Int32(), func(n int32) int64 { return int64(n) }),
		draw.Near(2, 0, 1<<31-1, -1<<31, 1_700_000_000, 9223372036854775, -9223372036854775, 1<<63-1, -1<<63))
}
