package decimal128

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
)

// The bits are from the BSON corpus (mongodb/specifications:
// source/bson-corpus/tests/decimal128-1.json and others) or worked out by hand.
func TestText(t *testing.T) {
	for _, test := range []struct {
		text      string
		high, low uint64
		want      string // the canonical text if it differs
	}{
		{"0", 0x3040000000000000, 0, ""},
		{"-0", 0xB040000000000000, 0, ""},
		{"-0.0", 0xB03E000000000000, 0, ""},
		{"1", 0x3040000000000000, 1, ""},
		{"-1.00", 0xB03C000000000000, 100, ""},
		{"0.1", 0x303E000000000000, 1, ""},
		{"0.000001234", 0x302E000000000000, 1234, "0.000001234"},
		{"0.0000001", 0x3032000000000000, 1, "1E-7"},
		{"1E-6", 0x3034000000000000, 1, "0.000001"},
		{"1E-7", 0x3032000000000000, 1, ""},
		{"1.2E-7", 0x3030000000000000, 12, ""},
		{"0E-6", 0x3034000000000000, 0, "0.000000"},
		{"0E-7", 0x3032000000000000, 0, ""},
		{"1E+3", 0x3046000000000000, 1, ""},
		{"0E+3", 0x3046000000000000, 0, ""},
		{"1.05E+3", 0x3042000000000000, 105, ""},
		{"1000", 0x3040000000000000, 1000, ""},
		{"1234567890123456789012345678901234", 0x30403CDE6FFF9732, 0xDE825CD07E96AFF2, ""},
		{"9999999999999999999999999999999999", 0x3041ED09BEAD87C0, 0x378D8E63FFFFFFFF, ""},
		{"9.999999999999999999999999999999999E+6144", 0x5FFFED09BEAD87C0, 0x378D8E63FFFFFFFF, ""},
		{"1E-6176", 0, 1, ""},
		{"-1E-6176", 0x8000000000000000, 1, ""},
		{"0E-6176", 0, 0, ""},
		{"0E+6111", 0x5FFE000000000000, 0, ""},
		{"Infinity", 0x7800000000000000, 0, ""},
		{"-Infinity", 0xF800000000000000, 0, ""},
		{"NaN", 0x7C00000000000000, 0, ""},
		// Other spellings of numbers.
		{"+1", 0x3040000000000000, 1, "1"},
		{".5", 0x303E000000000000, 5, "0.5"},
		{"5.", 0x3040000000000000, 5, "5"},
		{"0001", 0x3040000000000000, 1, "1"},
		{"1e3", 0x3046000000000000, 1, "1E+3"},
		{"inf", 0x7800000000000000, 0, "Infinity"},
		{"-iNFinity", 0xF800000000000000, 0, "-Infinity"},
		{"-nan", 0x7C00000000000000, 0, "NaN"},
		// Exponents that are moved into range without rounding.
		{"0E+1000000000000", 0x5FFE000000000000, 0, "0E+6111"},
		{"-0E-1000000000000", 0x8000000000000000, 0, "-0E-6176"},
		{"1E+6112", 0x5FFE000000000000, 10, "1.0E+6112"},
		{"1E+6144", 0x5FFE314DC6448D93, 0x38C15B0A00000000, "1.000000000000000000000000000000000E+6144"},
		{"10E-6177", 0, 1, "1E-6176"},
		{"100000E-6181", 0, 1, "1E-6176"},
		{"12345678901234567890123456789012340", 0x30423CDE6FFF9732, 0xDE825CD07E96AFF2, "1.234567890123456789012345678901234E+34"},
		{"1" + strings.Repeat("0", 100), 0x30C6314DC6448D93, 0x38C15B0A00000000, "1.000000000000000000000000000000000E+100"},
		{"0." + strings.Repeat("0", 1_000_000) + "1E1000000", 0x303E000000000000, 1, "0.1"},
	} {
		high, low, err := Parse(test.text)
		if err != nil || high != test.high || low != test.low {
			t.Errorf("Parse(%.60s) = %#x %#x, %v, want %#x %#x", test.text, high, low, err, test.high, test.low)
		}
		want := test.text
		if test.want != "" {
			want = test.want
		}
		if got := string(Append(nil, test.high, test.low)); got != want {
			t.Errorf("Append(%#x, %#x) = %s, want %s", test.high, test.low, got, want)
		}
	}
}

func TestAppendOfOtherBits(t *testing.T) {
	for _, test := range []struct {
		high, low uint64
		want      string
		why       string
	}{
		{0x7E00000000000000, 0, "NaN", "a signalling NaN"},
		{0xFC00000000000000, 12, "NaN", "a NaN with sign and payload"},
		{0x7800000000000000, 7, "Infinity", "an infinity with a payload"},
		{0x3041ED09BEAD87C0, 0x378D8E6400000000, "0", "ten to 34 is no coefficient"},
		{0xB03FFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, "-0.0", "the largest 113 bits are no coefficient"},
		{0x6C10000000000000, 0, "0", "the second form only has coefficients that are too long"},
		{0x6C11FFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, "0E+3", "the same with another exponent"},
	} {
		if got := string(Append(nil, test.high, test.low)); got != test.want {
			t.Errorf("Append(%#x, %#x) = %s, want %s: %s", test.high, test.low, got, test.want, test.why)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	million := strings.Repeat("9", 1_000_000)
	for _, text := range []string{
		"", "+", "-", ".", "E5", "e", ".e1", "1e", "1e+", "1e1.0", "1e1e1", "1.2.3", "--1", "+-1", " 1", "1 ", "1,5", "1_0", "0x1",
		"١", "infinit", "infinityx", "inf1", "nan1", "snan", "i", "n",
		"12345678901234567890123456789012345", "0.00000000000000000000000000000000000012345678901234567890123456789012345",
		"1E+6145", "10E+6144", "1.0000000000000000000000000000000001", "1E-6177", "11E-6177", "1E+1000000000000", "1E-1000000000000",
		"1E+99999999999999999999999999", million, "0." + million, "1E" + million, "1E-" + million,
	} {
		if high, low, err := Parse(text); err == nil {
			t.Errorf("Parse(%.60s) = %#x %#x, want an error", text, high, low)
		}
	}
}

// TestPropertyText compares with a decimal composed of big integers.
func TestPropertyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		negative := rapid.Bool().Draw(t, "negative")
		coefficient, exponent := draw.Coefficients.Draw(t, "coefficient"), draw.Exponents.Draw(t, "exponent")
		want := draw.DecimalOf(negative, coefficient, exponent)
		plain := coefficient.String() + "e" + big.NewInt(int64(exponent)).String()
		if negative {
			plain = "-" + plain
		}
		for _, text := range []string{plain, string(Append(nil, want[0], want[1]))} {
			high, low, err := Parse(text)
			if err != nil || high != want[0] || low != want[1] {
				t.Fatalf("Parse(%s) = %#x %#x, %v, want %#x %#x", text, high, low, err, want[0], want[1])
			}
		}
	})
}

// TestPropertyIsExactOrRefused draws texts beyond decimal128, which
// must keep their value or be refused.
func TestPropertyIsExactOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`0{0,3}[1-9][0-9]{0,30}[0-9]{0,5}0{0,12}`).Draw(t, "digits")
		point := rapid.IntRange(0, len(digits)).Draw(t, "point")
		exponent := rapid.OneOf(rapid.Int64Range(-6230, -6120), rapid.Int64Range(6060, 6130), rapid.Int64Range(-50, 50)).Draw(t, "exponent")
		text := digits[:point] + "." + digits[point:] + "E" + big.NewInt(exponent).String()
		coefficient, _ := new(big.Int).SetString(digits, 10)
		want := canonical(coefficient, exponent-int64(len(digits)-point))

		high, low, err := Parse(text)
		if err != nil {
			if fits(want) {
				t.Fatalf("Parse(%s): %v, but it fits", text, err)
			}
			return
		}
		h, l, e := Split(high, low)
		got := new(big.Int).SetUint64(h)
		got.Lsh(got, 64).Or(got, new(big.Int).SetUint64(l))
		if got := canonical(got, int64(e)); got.exponent != want.exponent || got.coefficient.Cmp(want.coefficient) != 0 {
			t.Fatalf("Parse(%s) = %s, want %d E%d", text, Append(nil, high, low), want.coefficient, want.exponent)
		}
	})
}

type bigDecimal struct {
	coefficient *big.Int
	exponent    int64
}

// canonical moves all trailing zeros into the exponent.
func canonical(coefficient *big.Int, exponent int64) bigDecimal {
	text := coefficient.String()
	trimmed := strings.TrimRight(text, "0")
	n, _ := new(big.Int).SetString(trimmed, 10)
	return bigDecimal{n, exponent + int64(len(text)-len(trimmed))}
}

// fits reports whether some coefficient of 34 digits and some exponent in
// range make d.
func fits(d bigDecimal) bool {
	digits := int64(len(d.coefficient.String()))
	return digits <= 34 && d.exponent >= -6176 && digits+max(d.exponent-6111, 0) <= 34
}
