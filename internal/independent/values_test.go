package independent

import "math"

// kin are values of equal rank or with small differences, so that comparisons have every
// result.
type kin []*node

var numbers = kin{
	int32Of(0), int64Of(0), doubleOf(0), doubleOf(math.Copysign(0, -1)), decimalOf(false, 0, 0), decimalOf(true, 0, 3),
	int32Of(1), int64Of(1), doubleOf(1), decimalOf(false, 1, 0), decimalOf(false, 10, -1), doubleOf(1.5), decimalOf(false, 15, -1),
	int32Of(-1), int32Of(2), int32Of(5), doubleOf(0.1), decimalOf(false, 1, -1), int32Of(math.MaxInt32), int32Of(math.MinInt32),
	int64Of(1 << 53), int64Of(1<<53 + 1), int64Of(1<<53 - 1), doubleOf(1 << 53), doubleOf(1<<53 + 2), decimalOf(false, 1<<53+1, 0),
	int64Of(-(1<<53 + 1)), doubleOf(-(1 << 53)), int64Of(math.MaxInt64), int64Of(math.MinInt64), doubleOf(1 << 63), doubleOf(-(1 << 63)),
	decimalOf(false, 1<<63, 0), decimalOf(false, math.MaxInt64, 0), doubleOf(math.NaN()), doubleOf(math.Inf(1)), doubleOf(math.Inf(-1)),
	doubleOf(math.MaxFloat64), doubleOf(math.SmallestNonzeroFloat64), decimalOf(false, 1, 400), decimalOf(true, 1, 400), decimalOf(false, 1, -400),
	{typ: tDecimal, dec: decimal{special: notANumber}}, {typ: tDecimal, dec: decimal{special: notANumber, negative: true}},
	{typ: tDecimal, dec: decimal{special: infinite}}, {typ: tDecimal, dec: decimal{special: infinite, negative: true}},
	{typ: tDecimal, dec: decimal{special: oversized}},
}

var kinships = []kin{
	numbers,
	numbers,
	{stringOf(""), stringOf("a"), stringOf("ab"), stringOf("b"), stringOf("a\x00"), stringOf("é"), {typ: tSymbol, text: "a"}, {typ: tSymbol, text: "c"}},
	{bare(tNull), bare(tUndefined)},
	{boolOf(false), boolOf(true)},
	{date(0), date(-1), date(1), date(math.MinInt64), date(math.MaxInt64), {typ: tTimestamp}, {typ: tTimestamp, whole: 1 << 32}, {typ: tTimestamp, whole: -1}},
	{{typ: tObjectID, text: "000000000000"}, {typ: tObjectID, text: "000000000001"}, {typ: tObjectID, text: "\xFF00000000000"}},
	{
		{typ: tBinary}, {typ: tBinary, text: "b"}, {typ: tBinary, text: "aa"}, {typ: tBinary, whole: 4, text: "a"}, {typ: tBinary, whole: 0x80, text: "a"},
		{typ: tBinary, whole: 2, text: "a"}, {typ: tBinary, text: "aaaaa"}, {typ: tBinary, whole: 2},
	},
	{{typ: tCode, text: "a"}, {typ: tCode, text: "b"}, {typ: tRegex, text: "a"}},
	{
		{typ: tDBPointer, text: "a"}, {typ: tDBPointer, text: "b"}, {typ: tDBPointer, text: "ab"}, {typ: tScoped, text: "a"}, {typ: tScoped, text: "b"},
		{typ: tScoped, text: "a", fields: []member{{"x", int32Of(1)}}}, {typ: tScoped, text: "a", fields: []member{{"x", doubleOf(1)}}},
	},
	{bare(tMinKey), bare(tMaxKey)},
	{
		object(), object(member{"b", int32Of(1)}), object(member{"b", doubleOf(1)}), object(member{"b", int32Of(2)}), object(member{"c", int32Of(1)}),
		object(member{"b", int32Of(1)}, member{"c", int32Of(1)}), object(member{"c", int32Of(1)}, member{"b", int32Of(1)}),
		object(member{"b", bare(tNull)}), object(member{"b", doubleOf(math.NaN())}), object(member{"b", stringOf("a")}),
		object(member{"b", array(int32Of(1))}), object(member{"b", object(member{"c", int32Of(1)})}), object(member{"0", int32Of(1)}),
	},
	{
		array(), array(int32Of(1)), array(doubleOf(1)), array(int32Of(1), int32Of(2)), array(int32Of(2), int32Of(1)), array(bare(tNull)),
		array(array(int32Of(1))), array(array()), array(object(member{"b", int32Of(1)})), array(stringOf("a")), array(bare(tUndefined)),
	},
}

// kinOf returns a kin that contains n.
func kinOf(n *node) kin {
	for _, k := range kinships {
		for _, other := range k {
			if other == n {
				return k
			}
		}
	}
	return kinships[0]
}

// has reports whether n is of the type, or holds a value of it.
func (n *node) has(typ byte) bool {
	if n.typ == typ {
		return true
	}
	for _, f := range n.fields {
		if f.value.has(typ) {
			return true
		}
	}
	return false
}
