package cases

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// decimal returns a decimal128 from its text.
func decimal(text string) policy.Value { return parsed(`{"$numberDecimal": "` + text + `"}`) }

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
		list = append(list, decimal("1000000000000"), decimal("NaN"), decimal("Infinity"))
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
