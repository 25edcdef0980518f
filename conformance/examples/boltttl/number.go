package boltttl

import (
	"math"
	"math/big"
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
	high, low, _ := v.AsDecimal()
	return decimalText(high, low)
}

// doubleDigits is more than the exact decimal text of any double has.
const doubleDigits = 770

func doubleText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return infinityText(f < 0)
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', doubleDigits, 64), "e")
	e, _ := strconv.Atoi(exponent)
	return scientific(strings.Replace(digits, ".", "", 1), e-doubleDigits)
}

// decimalText reads the binary integer encoding of BSON's decimal128.
func decimalText(high, low uint64) string {
	negative := high>>63 == 1
	switch high >> 58 & 0x1f {
	case 0x1f:
		return "NaN"
	case 0x1e:
		return infinityText(negative)
	}
	if high>>61&3 == 3 {
		return "0" // a coefficient beyond 34 digits stands for zero
	}
	coefficient := new(big.Int).SetUint64(high & (1<<49 - 1))
	coefficient.Lsh(coefficient, 64).Or(coefficient, new(big.Int).SetUint64(low))
	text := coefficient.String()
	if len(text) > 34 {
		return "0"
	}
	if negative {
		text = "-" + text
	}
	return scientific(text, int(high>>49&0x3fff)-6176)
}

func infinityText(negative bool) string {
	if negative {
		return "-Inf"
	}
	return "Inf"
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
