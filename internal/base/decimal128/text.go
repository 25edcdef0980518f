package decimal128

import (
	"errors"
	"strconv"
	"strings"
)

var (
	errNoDecimal      = errors.New("the text is not a decimal number")
	errDecimalRange   = errors.New("the number is outside the range of decimal128")
	errDecimalInexact = errors.New("the number has more digits than decimal128 keeps")
)

// Parse returns the bits of the decimal128 that text spells. It never
// rounds: a number that decimal128 cannot hold exactly is an error. A zero's
// exponent is moved into range.
func Parse(text string) (high, low uint64, err error) {
	text, negative := cutSign(text)
	if negative {
		high = signBit
	}
	switch strings.ToLower(text[:min(len(text), len("infinity")+1)]) {
	case "nan":
		return nan, 0, nil // a NaN has no sign
	case "inf", "infinity":
		return high | infinity, 0, nil
	}
	n, err := scan(text)
	if err == nil {
		err = n.fit()
	}
	if err != nil {
		return 0, 0, err
	}
	return high | n.high | uint64(n.exponent-minExponent)<<49, n.low, nil
}

// cutSign returns text without the sign it begins with.
func cutSign(text string) (rest string, negative bool) {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:], text[0] == '-'
	}
	return text, false
}

// scan reads digits with at most one point, and an exponent.
func scan(text string) (n Number, err error) {
	mantissa, exponent, hasExponent := cutExponent(text)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if len(whole)+len(fraction) == 0 {
		return n, errNoDecimal
	}
	if err := n.appendDigits(whole); err != nil {
		return n, err
	}
	if err := n.appendDigits(fraction); err != nil {
		return n, err
	}
	n.exponent -= int64(len(fraction))
	if !hasExponent {
		return n, nil
	}
	e, ok := scanExponent(exponent)
	if !ok {
		return n, errNoDecimal
	}
	n.exponent += e
	return n, nil
}

func cutExponent(text string) (mantissa, exponent string, found bool) {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, "", false
}

// appendDigits appends decimal digits to the coefficient. Digits beyond its 34 must
// be zeros.
func (n *Number) appendDigits(digits string) error {
	for i := range len(digits) {
		switch c := digits[i]; {
		case !isDigit(c):
			return errNoDecimal
		case n.digits() < Digits:
			n.push(uint64(c - '0'))
		case c != '0':
			return errDecimalInexact
		default:
			n.exponent++
		}
	}
	return nil
}

// scanExponent reads a signed integer. It stops counting beyond every exponent
// that can matter.
func scanExponent(text string) (int64, bool) {
	const enough = 1 << 40 // no text has enough digits to compensate
	digits, negative := cutSign(text)
	var e int64
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return 0, false
		}
		e = min(e*10+int64(digits[i]-'0'), enough)
	}
	if negative {
		e = -e
	}
	return e, digits != ""
}

// fit brings the exponent into the range of decimal128 without changing the
// number.
func (n *Number) fit() error {
	if n.sign() == 0 {
		n.exponent = min(max(n.exponent, minExponent), maxExponent)
		return nil
	}
	for ; n.exponent > maxExponent; n.exponent-- {
		if n.digits() == Digits {
			return errDecimalRange
		}
		n.push(0)
	}
	for ; n.exponent < minExponent; n.exponent++ {
		high, low, digit := divideByTen(n.high, n.low)
		if digit != 0 {
			return errDecimalRange
		}
		n.high, n.low = high, low
	}
	return nil
}

// Append appends the text of a decimal128. Every NaN is "NaN".
func Append(dst []byte, high, low uint64) []byte {
	if IsNaN(high) {
		return append(dst, "NaN"...)
	}
	if isNegative(high) {
		dst = append(dst, '-')
	}
	if InfinitySign(high) != 0 {
		return append(dst, "Infinity"...)
	}
	high, low, exponent := Split(high, low)
	var buffer [Digits]byte
	return appendScientific(dst, coefficientDigits(&buffer, high, low), exponent)
}

// coefficientDigits returns the decimal digits of a coefficient, in buffer.
func coefficientDigits(buffer *[Digits]byte, high, low uint64) []byte {
	i := len(buffer)
	for {
		var digit uint64
		high, low, digit = divideByTen(high, low)
		i--
		buffer[i] = '0' + byte(digit)
		if high == 0 && low == 0 {
			return buffer[i:]
		}
	}
}

// appendScientific appends digits times ten to the exponent: with a plain
// point if that takes no more than six zeros, else in scientific notation.
func appendScientific(dst, digits []byte, exponent int) []byte {
	adjusted := exponent + len(digits) - 1 // the exponent after the first digit
	if exponent > 0 || adjusted < -6 {
		dst = append(dst, digits[0])
		if len(digits) > 1 {
			dst = append(append(dst, '.'), digits[1:]...)
		}
		dst = append(dst, 'E')
		if adjusted >= 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, int64(adjusted), 10)
	}
	if exponent == 0 {
		return append(dst, digits...)
	}
	point := len(digits) + exponent // digits before the point
	if point <= 0 {
		dst = append(append(dst, "0."...), "00000"[:-point]...)
		return append(dst, digits...)
	}
	dst = append(append(dst, digits[:point]...), '.')
	return append(dst, digits[point:]...)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
