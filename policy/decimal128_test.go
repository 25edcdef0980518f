package policy

import (
	"strings"
	"testing"
)

// The bits are from the BSON corpus (mongodb/specifications:
// source/bson-corpus/tests/decimal128-1.json and others) or worked out by hand.
func TestDecimalText(t *testing.T) {
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
		// Other spellings.
		{"+1", 0x3040000000000000, 1, "1"},
		{".5", 0x303E000000000000, 5, "0.5"},
		{"5.", 0x3040000000000000, 5, "5"},
		{"0001", 0x3040000000000000, 1, "1"},
		{"1e3", 0x3046000000000000, 1, "1E+3"},
		{"inf", 0x7800000000000000, 0, "Infinity"},
		{"-iNFinity", 0xF800000000000000, 0, "-Infinity"},
		{"-nan", 0x7C00000000000000, 0, "NaN"},
		// Moved into range without rounding.
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
		high, low, err := parseDecimal(test.text)
		if err != nil || high != test.high || low != test.low {
			t.Errorf("parseDecimal(%.60s) = %#x %#x, %v, want %#x %#x", test.text, high, low, err, test.high, test.low)
		}
		want := test.text
		if test.want != "" {
			want = test.want
		}
		if got := string(appendDecimal(nil, test.high, test.low)); got != want {
			t.Errorf("appendDecimal(%#x, %#x) = %s, want %s", test.high, test.low, got, want)
		}
	}
}

func TestAppendDecimalOfOtherBits(t *testing.T) {
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
		if got := string(appendDecimal(nil, test.high, test.low)); got != test.want {
			t.Errorf("appendDecimal(%#x, %#x) = %s, want %s: %s", test.high, test.low, got, test.want, test.why)
		}
	}
}

func TestParseDecimalRefuses(t *testing.T) {
	million := strings.Repeat("9", 1_000_000)
	for _, text := range []string{
		"", "+", "-", ".", "E5", "e", ".e1", "1e", "1e+", "1e1.0", "1e1e1", "1.2.3", "--1", "+-1", " 1", "1 ", "1,5", "1_0", "0x1",
		"١", "infinit", "infinityx", "inf1", "nan1", "snan", "i", "n",
		"12345678901234567890123456789012345", "0.00000000000000000000000000000000000012345678901234567890123456789012345",
		"1E+6145", "10E+6144", "1.0000000000000000000000000000000001", "1E-6177", "11E-6177", "1E+1000000000000", "1E-1000000000000",
		"1E+99999999999999999999999999", million, "0." + million, "1E" + million, "1E-" + million,
	} {
		if high, low, err := parseDecimal(text); err == nil {
			t.Errorf("parseDecimal(%.60s) = %#x %#x, want an error", text, high, low)
		}
	}
}
