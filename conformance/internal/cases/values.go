package cases

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// decimal returns a whole number as a decimal128.
func decimal(n int64) policy.Value { return decimalOf(n, 0) }

// scaledDecimal returns the same number with two zeros after the point.
func scaledDecimal(n int64) policy.Value { return decimalOf(n*100, -2) }

// decimalOf returns a coefficient times a power of ten, in the layout of the
// BSON specification (binary integer decimal, https://bsonspec.org/spec.html).
func decimalOf(coefficient int64, exponent int) policy.Value {
	const bias, shift = 6176, 49
	high := uint64(exponent+bias) << shift
	if coefficient < 0 {
		high |= 1 << 63
		coefficient = -coefficient
	}
	return policy.DecimalValue(high, uint64(coefficient))
}

// Decimals that are no numbers, or hardly any.
var (
	decimalNaN      = policy.DecimalValue(0x7C00_0000_0000_0000, 0)
	decimalInfinity = policy.DecimalValue(0x7800_0000_0000_0000, 0)
	decimalMinus    = policy.DecimalValue(0xF800_0000_0000_0000, 0)
	decimalTiny     = decimalOf(1, -6176)
	decimalHuge     = decimalOf(1, 6111)
)

// Date returns a value for an instant that is drawn.
func (s Source) Date() policy.Value { return policy.DateValue(s.Instant()) }

// NonDate draws a value that is neither a date nor an array, and looks like a
// date if possible.
func (s Source) NonDate(release string) policy.Value {
	list := []policy.Value{
		policy.NullValue(), policy.StringValue("2001-09-09T01:46:40.000Z"), policy.Int64Value(1_000_000_000_000), policy.Int32Value(1_000_000_000),
		policy.DoubleValue(1e12), policy.BoolValue(true), policy.StringValue(""), policy.Int32Value(0), policy.Int64Value(math.MinInt64),
		policy.DoubleValue(math.NaN()), policy.DoubleValue(math.Inf(-1)), policy.DoubleValue(math.Copysign(0, -1)),
		policy.ObjectValue(policy.D{}), policy.ObjectValue(policy.D{{Key: "z", Value: policy.DateValue(0)}}),
		policy.ObjectValue(policy.D{{Key: "0", Value: policy.DateValue(0)}}),
	}
	if s.Knows("decimal128") && !Before(release, "3.4.0") {
		list = append(list, decimal(1_000_000_000_000), decimalNaN, decimalInfinity)
	}
	if s.Knows("bson-types") && !Before(release, "3.2.0") {
		list = append(list, rareValues...)
	}
	return Pick(s, list...)
}

// rareValues are of the types that only BSON has.
var rareValues = []policy.Value{
	policy.ObjectIDValue([12]byte{0x3B, 0x9A, 0xCA}), policy.TimestampValue(1_000_000_000, 1), policy.TimestampValue(math.MaxUint32, 0),
	policy.BinaryValue(0, []byte{0, 0, 0, 0, 0, 0, 0, 0}), policy.RegexValue("^2001", ""), policy.CodeValue("new Date(0)"), policy.SymbolValue("2001-09-09"),
	policy.UndefinedValue(), policy.MinKeyValue(), policy.MaxKeyValue(), policy.DBPointerValue("db.c", [12]byte{}),
}

// NonDates draws what stands in a field that holds no date: a value or an
// array without dates of its own, or nothing at all.
func (s Source) NonDates(release string) policy.Value {
	switch s.Range(0, 5) {
	case 0:
		return policy.Value{}
	case 1:
		return policy.ListValue(policy.A{})
	case 2:
		return policy.ListValue(policy.A{s.NonDate(release), s.Nested()})
	}
	return s.NonDate(release)
}

// Nested draws an array for a place within an array: its dates do not count.
func (s Source) Nested() policy.Value {
	v := policy.ListValue(Pick(s, policy.A{policy.DateValue(0)}, policy.A{}, policy.A{policy.DateValue(policy.MinInstant)}))
	for range s.Range(0, 2) {
		v = policy.ListValue(policy.A{v})
	}
	if !s.Knows("far-dates") {
		v = MapDates(v, func(policy.Instant) policy.Instant { return 0 })
	}
	return v
}

// Element draws an element of an array that is no date.
func (s Source) Element(release string) policy.Value {
	if s.sometimes(3) {
		return s.Nested()
	}
	return s.NonDate(release)
}
