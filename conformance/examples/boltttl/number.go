package boltttl

import (
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// numberText returns the exact decimal text of a number, one for all numbers
// that are equal whatever their types: "12e3" for 12000.
func numberText(v policy.Value) string {
	if n, ok := v.AsInt64(); ok {
		return scientific(strconv.FormatInt(n, 10), 0)
	}
	if f, ok := v.AsDouble(); ok {
		return doubleText(f)
	}
	return decimalText(v)
}

// doubleDigits is more than the exact decimal text of any double has.
const doubleDigits = 770

func doubleText(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+")
	}
	return scientificText(strconv.FormatFloat(f, 'E', doubleDigits, 64))
}

// decimalText reads the number from its Extended JSON, which is exact.
func decimalText(v policy.Value) string {
	text := strings.TrimSuffix(strings.TrimPrefix(string(policy.AppendExtJSON(nil, v)), `{"$numberDecimal":"`), `"}`)
	switch text {
	case "NaN":
		return text
	case "Infinity", "-Infinity":
		f, _ := strconv.ParseFloat(text, 64)
		return doubleText(f)
	}
	return scientificText(text)
}

// scientificText reads a text such as "-1.10E+5".
func scientificText(text string) string {
	digits, power, _ := strings.Cut(text, "E")
	exponent, _ := strconv.Atoi(power) // 0 without one
	whole, fraction, _ := strings.Cut(digits, ".")
	return scientific(whole+fraction, exponent-len(fraction))
}

// scientific returns digits times ten to the exponent, with no zero at either
// end of the digits.
func scientific(digits string, exponent int) string {
	unsigned, negative := strings.CutPrefix(digits, "-")
	short := strings.TrimRight(strings.TrimLeft(unsigned, "0"), "0")
	if short == "" {
		return "0" // -0 equals 0
	}
	exponent += len(unsigned) - len(strings.TrimRight(unsigned, "0"))
	if negative {
		short = "-" + short
	}
	return short + "e" + strconv.Itoa(exponent)
}
