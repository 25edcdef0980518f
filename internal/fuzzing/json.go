package fuzzing

import (
	"slices"
	"strconv"
	"strings"
)

// JSON draws an object of JSON with some of the names, some of them twice, some with
// escapes; numbers are in every notation.
func (r Random) JSON(depth int, names ...string) []byte {
	return r.appendObject(nil, depth, names)
}

func (r Random) appendObject(b []byte, depth int, names []string) []byte {
	b = append(b, '{')
	for i := range r.IntN(len(names) + 1) {
		if i > 0 {
			b = append(b, ',')
		}
		b = r.appendSpace(b)
		b = r.appendName(b, Pick(r, names...))
		b = append(r.appendSpace(b), ':')
		b = r.appendSpace(b)
		b = r.appendValue(b, depth, names)
		b = r.appendSpace(b)
	}
	return append(b, '}')
}

func (r Random) appendSpace(b []byte) []byte {
	if r.Percent(90) {
		return b
	}
	return append(b, Pick(r, " ", "\n", "\t", "\r", "  ")...)
}

// appendName writes a name, now and then with its first letter escaped.
func (r Random) appendName(b []byte, name string) []byte {
	b = append(b, '"')
	if name != "" && name[0] < 0x80 && r.Percent(10) {
		b = append(b, `\u00`...)
		if name[0] < 0x10 {
			b = append(b, '0')
		}
		b, name = strconv.AppendUint(b, uint64(name[0]), 16), name[1:]
	}
	return append(append(b, name...), '"')
}

func (r Random) appendValue(b []byte, depth int, names []string) []byte {
	switch n := r.IntN(16); {
	case n < 9:
		return append(b, r.Numeral()...)
	case n < 11 && depth > 0:
		return r.appendObject(b, depth-1, names)
	case n < 13 && depth > 0:
		b = append(b, '[')
		for i := range r.IntN(4) {
			if i > 0 {
				b = append(b, ',')
			}
			b = r.appendValue(b, depth-1, names)
		}
		return append(b, ']')
	}
	return append(b, Pick(r, "null", "true", "false", `""`, `"5"`, `"é"`, `"\u00e9\n\\\""`, `"\ud83d\ude00"`, `"a"`, `"`+strings.Repeat(`\n`, 60)+`"`)...)
}

// Numeral draws a number as JSON writes it: mostly whole and small.
func (r Random) Numeral() string {
	switch n := r.IntN(16); {
	case n < 8:
		return strconv.FormatInt(r.Seconds(), 10)
	case n < 9:
		return strconv.FormatInt(r.Whole(), 10)
	case n < 10:
		return strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
	case n < 13:
		return strconv.FormatInt(r.Seconds(), 10) + Pick(r, ".0", ".5", "e0", "e1", "E+2", "e-1", ".0e00", ".00000000000000000001")
	}
	return Pick(r, "-0", "0.0", "-0.0", "1e400", "-1e400", "1e-400", "9223372036854775808", "-9223372036854775809", "2147483648", "1E9", "123456789012345678901234567890",
		"1"+strings.Repeat("0", 60), "1."+strings.Repeat("9", 60), "5e-1", "50e-1", "0e999999999999", "1e999999999999999999999")
}

// Damage returns text with some bytes changed, dropped, doubled or moved; in one case of
// three it returns text unchanged.
func (r Random) Damage(text []byte, odd string) []byte {
	if r.Percent(33) || len(text) == 0 {
		return text
	}
	text = slices.Clone(text)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(text))
		switch c := odd[r.IntN(len(odd))]; r.IntN(5) {
		case 0:
			text[i] = c
		case 1:
			text = slices.Insert(text, i, c)
		case 2:
			text = slices.Insert(text, i, text[r.IntN(i+1):i]...)
		case 3:
			text = append(text[:i:i], text[min(len(text), i+1+r.IntN(3)):]...)
		case 4:
			text[i] ^= 1 << r.IntN(8)
		}
		if len(text) == 0 {
			break
		}
	}
	return text
}

// ExtJSON draws Extended JSON: an object in which values are wrapped, some of them
// wrongly.
func (r Random) ExtJSON(depth int, names ...string) []byte {
	b := []byte{'{'}
	for i := range r.IntN(len(names) + 1) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(r.appendName(b, Pick(r, names...)), ':')
		switch n := r.IntN(8); {
		case n < 2 && depth > 0:
			b = append(b, r.ExtJSON(depth-1, names...)...)
		case n < 5:
			b = append(b, r.wrapped()...)
		default:
			b = r.appendValue(b, depth, names)
		}
	}
	return append(b, '}')
}

func (r Random) wrapped() string {
	number := strconv.FormatInt(r.Whole(), 10)
	return Pick(r,
		`{"$date":{"$numberLong":"`+strconv.FormatInt(r.Instant(), 10)+`"}}`, `{"$date":"`+r.dateText()+`"}`, `{"$numberLong":"`+number+`"}`, `{"$numberInt":"`+number+`"}`,
		`{"$numberDouble":"`+strconv.FormatFloat(r.Double(), 'g', -1, 64)+`"}`, `{"$numberDecimal":"`+strings.TrimPrefix(string(r.DecimalText()), "+")+`"}`, `{"$oid":"507f1f77bcf86cd799439011"}`,
		`{"$timestamp":{"t":`+number+`,"i":1}}`, `{"$binary":{"base64":"AAE=","subType":"04"}}`, `{"$regularExpression":{"pattern":"a","options":"i"}}`,
		`{"$undefined":true}`, `{"$minKey":1}`, `{"$maxKey":1}`, `{"$symbol":"s"}`, `{"$code":"f()"}`, `{"$code":"f()","$scope":{"x":1}}`, `{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}`)
}

// dateText draws a date of ISO 8601, or nearly one.
func (r Random) dateText() string {
	two := func(n int) string { return strconv.Itoa(100 + r.IntN(n))[1:] }
	return Pick(r, "2020", "1969", "1970", "2038", "9999", "0001", "0000", "10000", "-0001") + "-" + two(14) + "-" + two(34) + "T" + two(26) + ":" + two(62) + ":" + two(62) +
		Pick(r, "", ".5", ".123", ".1234", ".999999999") + Pick(r, "Z", "Z", "+01:00", "-23:59", "+0100", "")
}

// DecimalText draws a decimal as text: digits with zeros on either side, a point
// anywhere, an exponent near an end of the range, or text that is not a decimal.
func (r Random) DecimalText() []byte {
	var b []byte
	switch r.IntN(16) {
	case 0:
		return r.Damage([]byte(Pick(r, "NaN", "-inf", "Infinity", "+Infinity", "infinit", "0", "-0", "1E", ".", "-")), "+-.eE019n")
	case 1:
		return r.Damage([]byte(r.Numeral()), "+-.eE019")
	}
	b = append(b, Pick(r, "", "", "-", "+")...)
	digits := 1 + r.IntN(40)
	point := r.IntN(3 * digits)
	for i := range digits {
		if i == point {
			b = append(b, '.')
		}
		b = append(b, Pick(r, byte('0'), '0', '9', '1', byte('0'+r.IntN(10))))
	}
	if r.Percent(70) {
		b = append(b, Pick(r, "e", "E", "E+", "E-")...)
		b = strconv.AppendInt(b, Pick(r, int64(0), 30, 6111, 6144, 6176, 6140)+r.Int64N(12)-2, 10)
	}
	return b
}
