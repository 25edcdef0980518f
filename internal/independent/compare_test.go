package independent

import (
	"cmp"
	"math"
	"math/big"
	"strings"
)

// rank returns the place of a type in the order of types; types of one rank
// compare by value (mongodb/mongo: src/mongo/bson/bsontypes.h). A missing field
// ranks with undefined.
func rank(n *node) int {
	if n == nil {
		return 1
	}
	for i, types := range []string{
		"\xFF", "\x06", "\x0A", "\x01\x10\x12\x13", "\x02\x0E", "\x03", "\x04", "\x05", "\x07", "\x08", "\x09", "\x11", "\x0B", "\x0C", "\x0D", "\x0F", "\x7F",
	} {
		if strings.IndexByte(types, n.typ) >= 0 {
			return i
		}
	}
	panic("no rank")
}

const numberRank = 3

// compare orders two values (mongodb/mongo: src/mongo/bson/bsonelement.cpp,
// bsonobj.cpp). Within objects and arrays a field counts by its rank, then by
// its name, then by its value.
func compare(a, b *node) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch a.typ {
	case tDouble, tInt32, tInt64, tDecimal:
		return compareNumbers(a, b)
	case tString, tSymbol, tCode, tObjectID, tRegex:
		return strings.Compare(a.text, b.text)
	case tBinary:
		return cmp.Or(cmp.Compare(a.storedLength(), b.storedLength()), cmp.Compare(a.whole, b.whole), strings.Compare(a.text, b.text))
	case tDBPointer:
		return cmp.Or(cmp.Compare(len(a.text), len(b.text)), strings.Compare(a.text, b.text))
	case tBool, tDate:
		return cmp.Compare(a.whole, b.whole)
	case tTimestamp:
		return cmp.Compare(uint64(a.whole), uint64(b.whole))
	case tObject, tArray:
		return compareFields(a.fields, b.fields)
	case tScoped:
		return cmp.Or(strings.Compare(a.text, b.text), compareFields(a.fields, b.fields))
	}
	return 0
}

func compareFields(a, b []member) int {
	for i := range min(len(a), len(b)) {
		c := cmp.Or(cmp.Compare(rank(a[i].value), rank(b[i].value)), strings.Compare(a[i].name, b[i].name), compare(a[i].value, b[i].value))
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// compareNumbers orders numbers by their exact values. NaN is before all of
// them and equal to itself (mongodb/mongo: src/mongo/base/compare_numbers.h).
func compareNumbers(a, b *node) int {
	if a.isWhole() && b.isWhole() {
		return cmp.Compare(a.whole, b.whole)
	}
	beyondA, beyondB := a.beyond(), b.beyond()
	if beyondA != 0 || beyondB != 0 {
		return cmp.Compare(beyondA, beyondB)
	}
	return a.exact().Cmp(b.exact())
}

func (n *node) isWhole() bool { return n.typ == tInt32 || n.typ == tInt64 }

func (n *node) isNaN() bool {
	return n.typ == tDouble && math.IsNaN(n.double) || n.typ == tDecimal && n.dec.special == notANumber
}

// beyond returns -2 for NaN, -1 or 1 for an infinity, and 0 for any other number.
func (n *node) beyond() int {
	switch {
	case n.isNaN():
		return -2
	case n.typ == tDouble && math.IsInf(n.double, -1), n.typ == tDecimal && n.dec.special == infinite && n.dec.negative:
		return -1
	case n.typ == tDouble && math.IsInf(n.double, 1), n.typ == tDecimal && n.dec.special == infinite:
		return 1
	}
	return 0
}

// exact returns a finite number as a fraction.
func (n *node) exact() *big.Rat {
	r := new(big.Rat)
	switch {
	case n.isWhole():
		return r.SetInt64(n.whole)
	case n.typ == tDouble:
		return r.SetFloat64(n.double)
	case n.dec.special == oversized:
		return r
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n.dec.exponent, -n.dec.exponent))), nil)
	digits := new(big.Int).SetUint64(n.dec.digits)
	if n.dec.exponent >= 0 {
		r.SetInt(digits.Mul(digits, power))
	} else {
		r.SetFrac(digits, power)
	}
	if n.dec.negative {
		r.Neg(r)
	}
	return r
}
