package decimal128

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

const noInt32 = math.MaxInt64

// int32s are numbers, each with its int32, worked out by hand.
var int32s = []struct {
	text string
	want int64
	why  string
}{
	{"20", 20, "no exponent"},
	{"20.0", 20, "a zero behind the point"},
	{"2E+1", 20, "a zero in the exponent"},
	{"20.5", noInt32, "a fraction that is odd"},
	{"20.4", noInt32, "a fraction with as many trailing zero bits as digits"},
	{"2592000.000000000000000000000000", 2592000, "24 zeros: two divisions"},
	{"2592000.000000000000000000000001", noInt32, "as many digits, but a fraction"},
	{"1E+400", noInt32, "far outside"},
	{"1E+6111", noInt32, "the largest exponent"},
	{"1E-6176", noInt32, "the smallest exponent"},
	{"9.999999999999999999999999999999999E+6144", noInt32, "the largest number"},
	{"0", 0, ""},
	{"-0.00", 0, "a zero has no sign"},
	{"0E+6111", 0, "a zero whatever the exponent"},
	{"0E-6176", 0, "a zero whatever the exponent"},
	{"2147483647", math.MaxInt32, "the largest"},
	{"2147483648", noInt32, "one more"},
	{"-2147483648", math.MinInt32, "the smallest"},
	{"-2147483649", noInt32, "one less"},
	{"2147483648.0", noInt32, "one more, after a division"},
	{"-2147483648.0", math.MinInt32, "the smallest, after a division"},
	{"-2147483648E+1", noInt32, "the largest coefficient that is multiplied"},
	{"1E+9", 1_000_000_000, "the largest power of ten"},
	{"-2E+9", -2_000_000_000, ""},
	{"3E+9", noInt32, "outside after multiplying"},
	{"1E+10", noInt32, "the first exponent that is outside"},
	{"18446744073709551616", noInt32, "2^64, whose low word is 0"},
	{"18446744073709551636E+1", noInt32, "2^64 + 20, whose low word is 20"},
	{"-7.000000000000000000000000000000000", -7, "33 zeros, the most that fit"},
	{"9.999999999999999999999999999999999", noInt32, "34 digits"},
	{"1000000000000000000000000000000000E-33", 1, "10^33 divided by 10^33"},
	{"1000000000000000000000000000000000E-34", noInt32, "a tenth"},
	{"1000000000000000000.0", noInt32, "a quotient above int32"},
	{"18446744073709551615.0", noInt32, "a quotient of 64 ones, which is no -1"},
	{"18446744073709551616.0", noInt32, "a quotient of 2^64, the first of more than 64 bits"},
	{"36028797018963968E+9", noInt32, "2^55 times 10^9, whose low word is 0"},
	{"100000000000001048576E-20", noInt32, "10^20 + 2^20: a fraction for the first of two divisions only"},
	{"1234567890.5000000000", noInt32, "a fraction with many trailing zeros"},
	{"0.8", noInt32, "a fraction for the remainder only"},
	{"1.0000000000000000000", 1, "10^19 divided by 10^19"},
	{"1.00000000000000000000", 1, "10^20 divided by 10^20"},
	{"Infinity", noInt32, ""}, {"-Infinity", noInt32, ""}, {"NaN", noInt32, ""},
}

func TestInt32(t *testing.T) {
	for _, test := range int32s {
		high, low, err := Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		checkInt32(t, high, low, test.want, test.why)
	}
}

func TestInt32OfOtherBits(t *testing.T) {
	for _, test := range []struct {
		high, low uint64
		want      int64
		why       string
	}{
		{0x7E00000000000000, 20, noInt32, "a signalling NaN"},
		{0xFC00000000000000, 20, noInt32, "a NaN with sign and payload"},
		{0x7800000000000000, 20, noInt32, "an infinity with a payload"},
		{0x3041ED09BEAD87C0, 0x378D8E6400000000, 0, "ten to 34 is no coefficient"},
		{0xDFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0, "the largest 113 bits are no coefficient, whatever the exponent"},
		{0x6C10000000000000, 20, 0, "the second form only has coefficients that are too long"},
		{0xE000000000000000, 20, 0, "the same with a sign and the smallest exponent"},
	} {
		checkInt32(t, test.high, test.low, test.want, test.why)
	}
}

func checkInt32(t rapid.TB, high, low uint64, want int64, why string) {
	t.Helper()
	n, ok := Int32(high, low)
	if ok != (want != noInt32) || ok && int64(n) != want {
		t.Fatalf("Int32 of %#x %#x (%s) = %d, %t, want %d: %s", high, low, Append(nil, high, low), n, ok, want, why)
	}
}

// exact returns a finite decimal128 as a fraction, and otherwise nil. It takes the bits
// apart by IEEE 754-2008 (3.5.2), independently of the code under test.
func exact(high, low uint64) *big.Rat {
	word := new(big.Int).SetUint64(high)
	word.Lsh(word, 64).Or(word, new(big.Int).SetUint64(low))
	field := func(from, width uint) *big.Int {
		mask := new(big.Int).Lsh(big.NewInt(1), width)
		return mask.And(mask.Sub(mask, big.NewInt(1)), new(big.Int).Rsh(word, from))
	}
	if field(123, 4).Int64() == 15 {
		return nil
	}
	coefficient, exponent := field(0, 113), field(113, 14).Int64()-6176
	if field(125, 2).Int64() == 3 || coefficient.Cmp(draw.TenTo34) >= 0 || coefficient.Sign() == 0 {
		return new(big.Rat)
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(exponent, -exponent)), nil)
	number := new(big.Rat).SetFrac(coefficient, power)
	if exponent >= 0 {
		number.SetInt(power.Mul(power, coefficient))
	}
	if field(127, 1).Sign() != 0 {
		number.Neg(number)
	}
	return number
}

// naiveInt32 is Int32 with integers of unlimited size.
func naiveInt32(high, low uint64) int64 {
	number := exact(high, low)
	if number == nil {
		return noInt32
	}
	if n := number.Num(); number.IsInt() && n.IsInt64() && n.Int64() == int64(int32(n.Int64())) {
		return n.Int64()
	}
	return noInt32
}

// naiveInt64 is Int64 with integers of unlimited size.
func naiveInt64(high, low uint64) int64 {
	number := exact(high, low)
	switch {
	case number != nil:
		return naiveRound(number)
	case high>>58&31 == 31: // NaN
		return 0
	case high>>63 == 1:
		return math.MinInt64
	}
	return math.MaxInt64
}

// naiveRound rounds r half to even, and saturates beyond 64 bits.
func naiveRound(r *big.Rat) int64 {
	twice := new(big.Int).Mul(r.Num(), big.NewInt(2))
	floor := new(big.Int).Div(twice.Add(twice, r.Denom()), new(big.Int).Mul(r.Denom(), big.NewInt(2))) // floor(r + 1/2)
	half := new(big.Rat).Sub(new(big.Rat).SetInt(floor), r)
	if half.Cmp(big.NewRat(1, 2)) == 0 && floor.Bit(0) == 1 {
		floor.Sub(floor, big.NewInt(1))
	}
	switch {
	case floor.IsInt64():
		return floor.Int64()
	case floor.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// TestPropertyIntegers compares Int32 and Int64 with big integers: numbers of few digits
// with zeros behind them, the ends of both ranges, and any 128 bits.
func TestPropertyIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyBits().Draw(t, "bits")
		checkInt32(t, d[0], d[1], naiveInt32(d[0], d[1]), "")
		if got, want := Int64(d[0], d[1]), naiveInt64(d[0], d[1]); got != want {
			t.Fatalf("Int64 of %#x %#x (%s) = %d, want %d", d[0], d[1], Append(nil, d[0], d[1]), got, want)
		}
	})
}

func FuzzInt32(f *testing.F) {
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		high, low := r.Decimal()
		checkInt32(t, high, low, naiveInt32(high, low), "")
	})
}

// FuzzText: a written text is read back as the same number. Other texts for a number are
// read as the value that big integers give, or refused if the value does not fit.
func FuzzText(f *testing.F) {
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		high, low := r.Decimal()
		text := Append(nil, high, low)
		again, againLow, err := Parse(string(text))
		if second := Append(nil, again, againLow); err != nil || !bytes.Equal(second, text) {
			t.Fatalf("%#x %#x is %s, which is read as %s, %v", high, low, text, second, err)
		}
		if h, l, e := Split(high, low); !IsNaN(high) && InfinitySign(high) == 0 {
			checkExact(t, r, new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(h), 64), new(big.Int).SetUint64(l)), int64(e))
		}
	})
}

// checkExact reads a text with the digits of the coefficient, further zeros, a point
// anywhere and an exponent, and compares the value with big integers.
func checkExact(t testing.TB, r fuzzing.Random, coefficient *big.Int, exponent int64) {
	t.Helper()
	zeros := r.IntN(12)
	digits := strings.Repeat("0", r.IntN(3)) + coefficient.String() + strings.Repeat("0", zeros)
	point := r.IntN(len(digits) + 1)
	text := digits[:point] + "." + digits[point:] + "E" + strconv.FormatInt(exponent-int64(zeros)+int64(len(digits)-point)+int64(r.IntN(2)*r.IntN(12)), 10)
	number, ok := new(big.Int).SetString(digits, 10)
	_, written, _ := strings.Cut(text, "E")
	n, err := strconv.ParseInt(written, 10, 64)
	if !ok || err != nil {
		t.Fatal(text, err)
	}
	if number.Sign() == 0 {
		return
	}
	want := canonical(number, n-int64(len(digits)-point))
	high, low, err := Parse(text)
	if (err == nil) != fits(want) {
		t.Fatalf("Parse(%s): %v, does it fit? %t", text, err, fits(want))
	}
	if err != nil {
		return
	}
	h, l, e := Split(high, low)
	got := canonical(new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(h), 64), new(big.Int).SetUint64(l)), int64(e))
	if got.exponent != want.exponent || got.coefficient.Cmp(want.coefficient) != 0 {
		t.Fatalf("Parse(%s) = %s, want %d E%d", text, Append(nil, high, low), want.coefficient, want.exponent)
	}
}

// TestInt64 rounds half to even, and saturates.
func TestInt64(t *testing.T) {
	for _, test := range []struct {
		text string
		want int64
	}{
		{"0", 0}, {"-0.0", 0}, {"0E+6111", 0}, {"0.05", 0}, {"0.5", 0}, {"-0.5", 0}, {"0.51", 1}, {"0.5000000000000000000000000000000001", 1},
		{"1.5", 2}, {"2.5", 2}, {"-1.5", -2}, {"-2.5", -2}, {"2.4999999999999999999999999999999", 2}, {"1E-6176", 0},
		{"9223372036854775806.5", math.MaxInt64 - 1}, {"9223372036854775807", math.MaxInt64}, {"9223372036854775807.5", math.MaxInt64},
		{"9223372036854775808", math.MaxInt64}, {"-9223372036854775808", math.MinInt64}, {"-9223372036854775809", math.MinInt64},
		{"9.5E+18", math.MaxInt64}, {"18446744073709551617", math.MaxInt64}, {"-18446744073709551617.5", math.MinInt64}, {"1E+18", 1e18}, {"9999999999999999999.9", math.MaxInt64}, {"1E+19", math.MaxInt64}, {"-1E+6144", math.MinInt64},
		{"NaN", 0}, {"Infinity", math.MaxInt64}, {"-Infinity", math.MinInt64},
	} {
		high, low, err := Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Int64(high, low); got != test.want {
			t.Errorf("Int64(%s) = %d, want %d", test.text, got, test.want)
		}
	}
}
