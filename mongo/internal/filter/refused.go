package filter

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// isRefusedOperator reports whether name is a predicate of the query language
// that no partial index may have.
func isRefusedOperator(name string) bool {
	switch name {
	case "$ne", "$nin", "$not", "$regex", "$elemMatch", "$size", "$mod",
		"$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear":
		return true
	}
	return false
}

// isPathless reports whether a name with a dollar sign stands in the place of
// a path.
func isPathless(name string) bool {
	switch name {
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

// readSize requires a size in the form that its release reads (branches v3.2 to
// v4.2 of the parser; newer ones: parseIntegerElementToNonNegativeInt).
func readSize(reading behaviour.OperandReading, v policy.Value, place *place) {
	n, isWhole := value.ExactInt64(v)
	fits := isWhole && n >= 0 && n <= math.MaxInt32
	switch {
	case reading == behaviour.OperandsLoose && v.Kind() == policy.String:
		return
	case reading != behaviour.OperandsChecked && (v.Kind() == policy.Decimal || !v.Kind().IsNumber()):
		panic(refuse(codes.BadValue, place, "$size needs a number"))
	case fits, reading == behaviour.OperandsLoose:
		return
	}
	panic(refuse(codes.BadValue, place, "Failed to parse $size. Expected a non-negative 32-bit integer"))
}

// readMod requires a divisor and a remainder in the form that the release
// reads.
func readMod(reading behaviour.OperandReading, v policy.Value, place *place) {
	numbers := policy.AOf(v)
	if v.Kind() != policy.List || len(numbers) != 2 || !isDivisor(reading, numbers[0]) || !isRemainder(reading, numbers[1]) {
		panic(refuse(codes.BadValue, place, "malformed mod, needs an array of two numbers"))
	}
	if isZeroDivisor(reading, numbers[0]) {
		panic(refuse(codes.BadValue, place, "divisor cannot be 0"))
	}
}

func isDivisor(reading behaviour.OperandReading, v policy.Value) bool {
	return isModulus(v) || reading != behaviour.OperandsChecked && v.Kind().IsNumber()
}

// isRemainder asks for a number. Releases before 4.4 ask whether the divisor is one
// once more instead.
func isRemainder(reading behaviour.OperandReading, v policy.Value) bool {
	return isDivisor(reading, v) || reading >= behaviour.OperandsTyped
}

// isZeroDivisor reports whether a divisor is 0 without its fraction. Old
// releases cut it down to 32 bits first: an int64 to its low ones, a decimal by
// rounding. A double beyond them, which C leaves undefined, is not 0.
func isZeroDivisor(reading behaviour.OperandReading, v policy.Value) bool {
	n, isWhole := v.AsInt64()
	switch {
	case reading == behaviour.OperandsChecked || v.Kind() == policy.Double:
		return value.CompareNumbers(v, policy.Int32Value(1)) < 0 && value.CompareNumbers(v, policy.Int32Value(-1)) > 0
	case isWhole:
		return int32(n) == 0
	}
	return value.WholeSeconds(v) == 0 && !v.IsNaN()
}

// isModulus reports whether v is a number that fits 64 bits without its
// fraction.
func isModulus(v policy.Value) bool {
	return v.Kind().IsNumber() && value.CompareNumbers(v, policy.Int64Value(math.MinInt64)) >= 0 &&
		value.CompareNumbers(v, policy.DoubleValue(-math.MinInt64)) < 0
}

// readBits checks a mask: the positions of its bits, a number or binary data.
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
