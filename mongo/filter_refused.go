package mongo

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// readRefused reads a predicate that no partial index may have. What is no
// predicate at all is found first, as the server parses the whole expression
// before it asks what a partial index may have (mongodb/mongo:
// src/mongo/db/matcher/expression_parser.cpp). Whether a regular expression
// compiles is not looked at.
func (p filterParser) readRefused(name string, path []record.Component, v policy.Value, place *place) node {
	switch name {
	case "$ne":
		p.readNotEqual(path, v, place)
	case "$nin":
		p.in(name, path, v, place)
	case "$not":
		p.readNot(path, v, place)
	case "$elemMatch":
		p.readElemMatch(v, place)
	case "$regex":
		readRegex(v, place)
	case "$size":
		p.readSize(v, place)
	case "$mod":
		p.readMod(v, place)
	default:
		readBits(name, v, place)
	}
	return node{op: opRefused, place: place}
}

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

func (p filterParser) readNotEqual(path []record.Component, v policy.Value, place *place) {
	if v.Kind() == policy.Regex {
		panic(refuse(BadValue, place, "Can't have regex as arg to $ne."))
	}
	p.comparison(opEqual, path, v, place)
}

func (p filterParser) readNot(path []record.Component, v policy.Value, place *place) {
	switch f := v.Fields(); {
	case v.Kind() == policy.Regex:
		return
	case v.Kind() != policy.Object:
		panic(refuse(BadValue, place, "$not needs a regex or a document"))
	case !f.Next():
		panic(refuse(BadValue, place, "$not cannot be empty"))
	}
	p.predicates(path, v, place)
}

// readElemMatch reads operators on an element, or clauses on its fields.
func (p filterParser) readElemMatch(v policy.Value, place *place) {
	f := v.Fields()
	p.element = true
	switch {
	case v.Kind() != policy.Object:
		panic(refuse(BadValue, place, "$elemMatch needs an Object"))
	case f.Next() && strings.HasPrefix(f.Name(), "$") && !isPathless(f.Name()):
		p.predicates(record.PathOf(""), v, place)
	default:
		p.document(v, place)
	}
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
		panic(refuse(BadValue, place, "$regex has to be a string"))
	case strings.Contains(text, "\x00"):
		panic(refuse(BadValue, place, "Regular expression cannot contain an embedded null byte"))
	}
}

// readSize asks for a size as its release reads it (branches v3.2 to v4.2
// of the parser; newer ones: parseIntegerElementToNonNegativeInt).
func (p filterParser) readSize(v policy.Value, place *place) {
	n, isWhole := value.ExactInt64(v)
	fits := isWhole && n >= 0 && n <= math.MaxInt32
	switch reading := p.profile.Operands; {
	case reading == behaviour.OperandsLoose && v.Kind() == policy.String:
		return
	case reading != behaviour.OperandsChecked && (v.Kind() == policy.Decimal || !v.Kind().IsNumber()):
		panic(refuse(BadValue, place, "$size needs a number"))
	case fits, reading == behaviour.OperandsLoose:
		return
	}
	panic(refuse(BadValue, place, "Failed to parse $size. Expected a non-negative 32-bit integer"))
}

// readMod asks for a divisor and a remainder as the release reads them.
func (p filterParser) readMod(v policy.Value, place *place) {
	numbers := policy.AOf(v)
	if v.Kind() != policy.List || len(numbers) != 2 || !p.isDivisor(numbers[0]) || !p.isRemainder(numbers[1]) {
		panic(refuse(BadValue, place, "malformed mod, needs an array of two numbers"))
	}
	if p.isZeroDivisor(numbers[0]) {
		panic(refuse(BadValue, place, "divisor cannot be 0"))
	}
}

func (p filterParser) isDivisor(v policy.Value) bool {
	return isModulus(v) || p.profile.Operands != behaviour.OperandsChecked && v.Kind().IsNumber()
}

// isRemainder asks for a number. Releases before 4.4 ask whether the divisor is one
// once more instead.
func (p filterParser) isRemainder(v policy.Value) bool {
	return p.isDivisor(v) || p.profile.Operands >= behaviour.OperandsTyped
}

// isZeroDivisor reports whether a divisor is 0 without its fraction. Old
// releases cut it down to 32 bits first: an int64 to its low ones, a decimal by
// rounding. What C leaves undefined there, a double beyond them, is not 0.
func (p filterParser) isZeroDivisor(v policy.Value) bool {
	n, isWhole := v.AsInt64()
	switch {
	case p.profile.Operands == behaviour.OperandsChecked || v.Kind() == policy.Double:
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

// readBits looks at a mask: the positions of its bits, a number or binary
// data.
func readBits(name string, v policy.Value, place *place) {
	switch n, isWhole := value.ExactInt64(v); {
	case v.Kind() == policy.Binary:
		return
	case v.Kind().IsNumber() && (!isWhole || n < 0):
		panic(refuse(codes.FailedToParse, place, "Expected a non-negative integer"))
	case v.Kind().IsNumber():
		return
	case v.Kind() != policy.List:
		panic(refuse(BadValue, place, name+" takes an Array, a number, or a BinData"))
	}
	for _, position := range policy.AOf(v) {
		if n, ok := value.ExactInt64(position); !ok || n < 0 || n > math.MaxInt32 {
			panic(refuse(BadValue, place, "bit positions must be non-negative 32-bit integers"))
		}
	}
}
