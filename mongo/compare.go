package mongo

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// class returns the type class of a kind, which also is its place in MongoDB's
// order of types (mongodb/mongo: src/mongo/bson/bsontypes.h,
// canonicalizeBSONType). A comparison operator matches within a class only.
func class(k policy.Kind) int {
	switch k {
	case policy.MinKey:
		return -1
	case policy.MaxKey:
		return 127
	case policy.Missing, policy.Undefined:
		return 0
	case policy.Opaque:
		return 126 // beside all others
	case policy.Null:
		return 5
	case policy.Double, policy.Int32, policy.Int64, policy.Decimal:
		return 10
	case policy.String, policy.Symbol:
		return 15
	case policy.Date:
		return 45
	case policy.Timestamp:
		return 47
	}
	return rareClass[k]
}

var rareClass = [256]int{
	policy.Object: 20, policy.List: 25, policy.Binary: 30, policy.ObjectID: 35, policy.Bool: 40,
	policy.Regex: 50, policy.DBPointer: 55, policy.Code: 60, policy.CodeWithScope: 65,
}

// compareValues returns -1, 0 or +1 as MongoDB orders v before, with or after
// w. It reports false if an embedded document cannot list its fields.
func compareValues(v, w policy.Value) (int, bool) {
	if c := cmp.Compare(class(v.Kind()), class(w.Kind())); c != 0 {
		return c, true
	}
	switch v.Kind() {
	case policy.Object:
		return compareDocuments(v, w)
	case policy.List:
		return compareArrays(v, w)
	case policy.CodeWithScope:
		return compareCodes(v, w)
	case policy.Opaque:
		return 0, false
	}
	return compareScalars(v, w), true
}

// compareScalars compares two values of one class without inner structure.
func compareScalars(v, w policy.Value) int {
	switch v.Kind() {
	case policy.Double, policy.Int32, policy.Int64, policy.Decimal:
		return compareNumbers(v, w)
	case policy.String, policy.Symbol, policy.Code:
		return compareTexts(v, w)
	case policy.Date:
		return cmp.Compare(date(v), date(w))
	case policy.Timestamp:
		return cmp.Compare(timestamp(v), timestamp(w))
	case policy.Bool:
		return cmp.Compare(boolean(v), boolean(w))
	case policy.Binary:
		return compareBinaries(v, w)
	case policy.ObjectID, policy.DBPointer:
		return compareIDs(v, w)
	case policy.Regex:
		return compareRegexes(v, w)
	}
	return 0 // the keys, null, undefined
}

func date(v policy.Value) policy.Instant {
	i, _ := v.AsDate()
	return i
}

func timestamp(v policy.Value) uint64 {
	seconds, ordinal, _ := v.AsTimestamp()
	return uint64(seconds)<<32 | uint64(ordinal)
}

func boolean(v policy.Value) int {
	if b, _ := v.AsBool(); b {
		return 1
	}
	return 0
}

func compareTexts(v, w policy.Value) int {
	s, _ := w.AsString()
	return v.CompareText(s)
}

// compareBinaries compares length, subtype and bytes, in this order.
func compareBinaries(v, w policy.Value) int {
	s, a, _ := v.AsBinary()
	t, b, _ := w.AsBinary()
	return cmp.Or(cmp.Compare(storedLength(s, a), storedLength(t, b)), cmp.Compare(s, t), bytes.Compare(a, b))
}

// storedLength returns the length that BSON gives binary data. The deprecated
// subtype 2 counts the four bytes in which it repeats its length.
func storedLength(subtype byte, data []byte) int {
	if subtype == 2 {
		return len(data) + 4
	}
	return len(data)
}

// compareIDs compares object identifiers, and of pointers first the length of
// the namespace, then the namespace.
func compareIDs(v, w policy.Value) int {
	a, _ := v.AsObjectID()
	b, _ := w.AsObjectID()
	s, _ := v.AsString()
	t, _ := w.AsString()
	return cmp.Or(cmp.Compare(len(s), len(t)), strings.Compare(s, t), bytes.Compare(a[:], b[:]))
}

func compareRegexes(v, w policy.Value) int {
	p, o, _ := v.AsRegex()
	q, r, _ := w.AsRegex()
	return cmp.Or(strings.Compare(p, q), strings.Compare(o, r))
}

func compareCodes(v, w policy.Value) (int, bool) {
	if c := compareTexts(v, w); c != 0 {
		return c, true
	}
	return compareDocuments(v.Scope(), w.Scope())
}

// compareDocuments compares field by field: type class, name, value. A
// document that ends first comes first.
func compareDocuments(v, w policy.Value) (int, bool) {
	f, g := v.Fields(), w.Fields()
	if !f.Listed() || !g.Listed() {
		return 0, false
	}
	for {
		more, moreW := f.Next(), g.Next()
		if !more || !moreW {
			return cmp.Compare(boolToInt(more), boolToInt(moreW)), true
		}
		c := cmp.Compare(class(f.Value().Kind()), class(g.Value().Kind()))
		if c = cmp.Or(c, f.CompareName(g.Name())); c != 0 {
			return c, true
		}
		if c, ok := compareValues(f.Value(), g.Value()); c != 0 || !ok {
			return c, ok
		}
	}
}

// compareArrays compares element by element, as documents whose fields have the
// positions for names: type class, name, value.
func compareArrays(v, w policy.Value) (int, bool) {
	e, f := v.Elements(), w.Elements()
	for i := 0; ; i++ {
		more, moreW := e.Next(), f.Next()
		if !more || !moreW {
			return cmp.Compare(boolToInt(more), boolToInt(moreW)), true
		}
		c := cmp.Compare(class(e.Value().Kind()), class(f.Value().Kind()))
		if c = cmp.Or(c, compareElementNames(&e, &f, i)); c != 0 {
			return c, true
		}
		if c, ok := compareValues(e.Value(), f.Value()); c != 0 || !ok {
			return c, ok
		}
	}
}

// compareElementNames compares the names of the elements at position i of two
// arrays.
func compareElementNames(e, f *policy.Elements, i int) int {
	a, storedA := e.Name()
	b, storedB := f.Name()
	if !storedA && !storedB {
		return 0
	}
	var position [20]byte
	text := strconv.AppendInt(position[:0], int64(i), 10)
	if !storedA {
		a = text
	}
	if !storedB {
		b = text
	}
	return bytes.Compare(a, b)
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareNumbers compares exactly across the numeric kinds. NaN comes before
// all others and equals itself; zeros are equal whatever their sign.
func compareNumbers(v, w policy.Value) int {
	a, aInt := v.AsInt64()
	b, bInt := w.AsInt64()
	if aInt && bInt {
		return cmp.Compare(a, b)
	}
	if v.Kind() == policy.Decimal || w.Kind() == policy.Decimal {
		return compareAsDecimals(v, w)
	}
	f, _ := v.AsDouble()
	g, _ := w.AsDouble()
	switch {
	case aInt:
		return -compareDoubleToInt(g, a)
	case bInt:
		return compareDoubleToInt(f, b)
	}
	return cmp.Compare(f, g) // which puts NaN first, as MongoDB does
}

// compareDoubleToInt compares without rounding either.
func compareDoubleToInt(f float64, n int64) int {
	switch {
	case f != f || f < math.MinInt64:
		return -1
	case f >= math.MaxInt64: // 2^63
		return +1
	}
	whole := int64(f) // exact but for the fraction, which truncation drops
	return cmp.Or(cmp.Compare(whole, n), cmp.Compare(f, float64(whole)))
}

// compareAsDecimals compares two numbers of which one is a Decimal.
func compareAsDecimals(v, w policy.Value) int {
	// Most numbers are whole and small: for them this takes less than a fifth of the time.
	a, wholeV := v.WholeInt32()
	b, wholeW := w.WholeInt32()
	if wholeV && wholeW {
		return cmp.Compare(a, b)
	}
	if c := cmp.Compare(extremeOf(v), extremeOf(w)); c != 0 || extremeOf(v) != finite {
		return c
	}
	return compareFinite(v, w)
}

// An extreme is where a number stands among the infinite ones.
type extreme int

const (
	notANumber extreme = iota
	minusInfinity
	finite
	plusInfinity
)

func extremeOf(v policy.Value) extreme {
	if v.IsNaN() {
		return notANumber
	}
	sign := 0
	if high, _, ok := v.AsDecimal(); ok {
		sign, _ = infinitySign(high)
	}
	if f, ok := v.AsDouble(); ok && math.IsInf(f, 0) {
		sign = cmp.Compare(f, 0)
	}
	return finite + extreme(sign)
}
