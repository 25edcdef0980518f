package fuzzing

import (
	"slices"
	"strconv"
)

// JSON draws an object of JSON with some of the names, of which some stand twice, some
// with escapes; numbers are in every notation.
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
	return append(b, Pick(r, "null", "true", "false", `""`, `"5"`, `"é"`, `"\u00e9\n\\\""`, `"\ud83d\ude00"`, `"a"`)...)
}

// Numeral draws a number as JSON writes it: mostly whole and small.
func (r Random) Numeral() string {
	switch n := r.IntN(16); {
	case n < 8:
		return strconv.FormatInt(r.Seconds(), 10)
	case n < 10:
		return strconv.FormatInt(r.Whole(), 10)
	case n < 13:
		return strconv.FormatInt(r.Seconds(), 10) + Pick(r, ".0", ".5", "e0", "e1", "E+2", "e-1", ".0e00", ".00000000000000000001")
	}
	return Pick(r, "-0", "0.0", "-0.0", "1e400", "-1e400", "1e-400", "9223372036854775808", "-9223372036854775809", "2147483648", "1E9", "123456789012345678901234567890",
		"5e-1", "50e-1", "0e999999999999", "1e999999999999999999999")
}

// Damage returns text with some bytes changed, dropped, doubled or put elsewhere; in
// one case of three as it is.
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
