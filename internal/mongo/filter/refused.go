package filter

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// isRefusedOperator reports whether name is an operator of a release's query language that
// no partial index may have.
func isRefusedOperator(p behaviour.Profile, name string) bool {
	switch name {
	case "$_internalExprEq":
		return p.ComparisonsInside >= behaviour.InternalEquality
	case "$_internalExprGt", "$_internalExprGte", "$_internalExprLt", "$_internalExprLte":
		return p.ComparisonsInside >= behaviour.InternalInequalities
	case "$ne", "$nin", "$not", "$regex", "$elemMatch", "$size", "$mod",
		"$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear":
		return true
	}
	return false
}

// isPathless reports whether name is an operator that takes the place of a path in a
// clause.
func isPathless(p behaviour.Profile, name string) bool {
	switch name {
	case "$sampleRate":
		return p.SampleRates
	case "$and", "$or", "$nor", "$comment", "$expr", "$jsonSchema", "$where", "$text", "$ref", "$id", "$db":
		return true
	}
	return false
}

func readRegex(v policy.Value, place *place) {
	switch text, _ := v.AsString(); {
	case v.Kind() != policy.String && v.Kind() != policy.Regex:
		panic(refuse(codes.BadValue, place, "$regex has to be a string"))
	case strings.Contains(text, "\x00"):
		panic(refuse(codes.BadValue, place, "Regular expression cannot contain an embedded null byte"))
	}
}

// readSize requires a well-formed operand of $size (branches v3.2 to v4.2 of the parser;
// newer releases: parseIntegerElementToNonNegativeInt).
func readSize(reading behaviour.SizeReading, v policy.Value, place *place) {
	n, isWhole := value.ExactInt64(v)
	fits := isWhole && n >= 0 && n <= math.MaxInt32
	isDecimal := v.Kind() == policy.Decimal
	switch {
	case reading == behaviour.SizesLoose && v.Kind() == policy.String:
		return
	case reading == behaviour.SizesUnspecified && isDecimal && fits:
		panic(refuse(0, place, "the release may refuse a Decimal128 with another code"))
	case reading >= behaviour.SizesTyped && isDecimal || !v.Kind().IsNumber():
		panic(refuse(codes.BadValue, place, "$size needs a number"))
	case fits, reading == behaviour.SizesLoose:
		return
	}
	panic(refuse(codes.BadValue, place, "Failed to parse $size. Expected a non-negative 32-bit integer"))
}

// readMod requires a well-formed operand of $mod: a divisor and a remainder.
func readMod(reading behaviour.ModReading, v policy.Value, place *place) {
	numbers := policy.AOf(v)
	if v.Kind() != policy.List || len(numbers) != 2 || !isDivisor(reading, numbers[0]) || !isRemainder(reading, numbers[1]) {
		panic(refuse(codes.BadValue, place, "malformed mod, needs an array of two numbers"))
	}
	if isZeroDivisor(reading, numbers[0]) {
		panic(refuse(codes.BadValue, place, "divisor cannot be 0"))
	}
}

func isDivisor(reading behaviour.ModReading, v policy.Value) bool {
	return isModulus(v) || reading != behaviour.ModsChecked && v.Kind().IsNumber()
}

// isRemainder reports whether a release accepts v as a remainder. Releases up to 4.2
// accept any value, because they check the divisor twice instead.
func isRemainder(reading behaviour.ModReading, v policy.Value) bool {
	return isDivisor(reading, v) || reading == behaviour.ModsLoose
}

// isZeroDivisor reports whether the whole part of a divisor is 0. Old releases first
// reduce the divisor to 32 bits: an int64 to its low 32 bits, and a decimal by rounding.
// A double beyond 32 bits, whose conversion C leaves undefined, is not 0. No release
// takes NaN for 0.
func isZeroDivisor(reading behaviour.ModReading, v policy.Value) bool {
	n, isWhole := v.AsInt64()
	switch narrow := reading >= behaviour.ModsNarrow; {
	case !narrow || v.Kind() == policy.Double:
		return value.CompareNumbers(v, policy.Int32Value(1)) < 0 && value.CompareNumbers(v, policy.Int32Value(-1)) > 0 && !v.IsNaN()
	case isWhole:
		return int32(n) == 0
	}
	return value.WholeSeconds(v) == 0 && !v.IsNaN()
}

// isModulus reports whether v is a number whose whole part fits 64 bits.
func isModulus(v policy.Value) bool {
	return v.Kind().IsNumber() && value.CompareNumbers(v, policy.Int64Value(math.MinInt64)) >= 0 &&
		value.CompareNumbers(v, policy.DoubleValue(-math.MinInt64)) < 0
}

// readInternal requires an operand of a comparison that the server makes for itself.
func readInternal(v policy.Value, place *place) {
	if v.Kind() == policy.Undefined || v.Kind() == policy.List {
		panic(refuse(codes.BadValue, place, "cannot be used to compare to type: "+v.Kind().String()))
	}
}

// readRate requires a well-formed operand of $sampleRate: a number from 0 to 1.
func readRate(v policy.Value, place *place) {
	if !v.Kind().IsNumber() {
		panic(refuse(codes.BadValue, place, "argument to $sampleRate must be a numeric type"))
	}
	if v.IsNaN() || value.CompareNumbers(v, policy.Int32Value(0)) < 0 || value.CompareNumbers(v, policy.Int32Value(1)) > 0 {
		panic(refuse(codes.BadValue, place, "numeric argument to $sampleRate must be in [0, 1]"))
	}
}

// readBits checks the operand of a bit operator: an array of bit positions, a number or
// binary data.
func readBits(name string, v policy.Value, place *place) {
	switch n, isWhole := value.ExactInt64(v); {
	case v.Kind() == policy.Binary:
		return
	case v.Kind().IsNumber() && (!isWhole || n < 0):
		panic(refuse(codes.FailedToParse, place, "Expected a non-negative integer"))
	case v.Kind().IsNumber():
		return
	case v.Kind() != policy.List:
		panic(refuse(codes.BadValue, place, name+" takes an Array, a number, or a BinData"))
	}
	for _, position := range policy.AOf(v) {
		if n, ok := value.ExactInt64(position); !ok || n < 0 || n > math.MaxInt32 {
			panic(refuse(codes.BadValue, place, "bit positions must be non-negative 32-bit integers"))
		}
	}
}
