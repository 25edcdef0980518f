package command

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A field is a known field of a command, or of a document in a command.
type field struct {
	name  string
	kinds []policy.Kind // the accepted types; nil if the value is not checked
	// expected is the server's text for the accepted types, if it differs from the list
	// of kinds.
	expected string
	// nulls means that null is a type like any other; otherwise null counts as
	// absent.
	nulls       bool
	required    bool
	unspecified bool    // the effect of the field in the release is unspecified
	unstable    bool    // the field is outside the stable API
	fields      []field // the fields of an embedded document
	checkValue  func(path string, v policy.Value) error
}

// The types that fields accept, in the order in which the server names them. A
// flag may be a number.
var (
	numberKinds   = []policy.Kind{policy.Int64, policy.Int32, policy.Decimal, policy.Double}
	flagKinds     = slices.Concat([]policy.Kind{policy.Bool}, numberKinds)
	textKinds     = []policy.Kind{policy.String}
	documentKinds = []policy.Kind{policy.Object}
	listKinds     = []policy.Kind{policy.List}
)

// ignoredFields returns fields that a command knows and that this package does not
// read.
func ignoredFields(names ...string) (fields []field) {
	for _, name := range names {
		fields = append(fields, field{name: name})
	}
	return fields
}

// checkCommand reads a command, or a document in a command, as the server's parser of
// commands does: field by field in the given order, and missing fields last
// (mongodb/mongo: src/mongo/idl/idl_parser.cpp). The path is the place of the document,
// such as "collMod.index". It ignores the generic arguments in a; if a is nil, as for a
// document within a command, no further field is ignored.
func checkCommand(path string, d policy.Value, known []field, a *arguments) error {
	for f := d.Fields(); f.Next(); {
		at := path + "." + f.Name()
		switch i := indexOfField(known, f.Name()); {
		case i >= 0 && known[i].unstable && a != nil && a.strict:
			return refuseBy(codes.APIStrictError, rules.CommandValue, at, "BSON field '%s' is not allowed with apiStrict:true.", at)
		case i >= 0:
			if err := known[i].check(at, f.Value()); err != nil {
				return err
			}
		case a == nil || !a.passesOver(f.Name()):
			return refuseBy(codes.IDLUnknownField, rules.CommandUnknown, at, "BSON field '%s' is an unknown field.", at)
		}
	}
	for _, k := range known {
		if k.required && value.IsOmitted(d.Field(k.name)) {
			at := path + "." + k.name
			return refuseBy(codes.IDLFailedToParse, rules.CommandMissing, at, "BSON field '%s' is missing but a required field", at)
		}
	}
	return nil
}

func indexOfField(known []field, name string) int {
	return slices.IndexFunc(known, func(k field) bool { return k.name == name })
}

func (k field) check(path string, v policy.Value) error {
	switch {
	case k.unspecified:
		return unspecified(rules.CommandUnspecified, path)
	case v.IsMissing(), k.kinds == nil, value.IsOmitted(v) && !k.nulls:
		return nil
	case !slices.Contains(k.kinds, v.Kind()):
		return refuseBy(codes.TypeMismatch, rules.CommandType, path, "BSON field '%s' is the wrong type '%s', expected %s", path, v.Kind(), k.wanted())
	case k.checkValue != nil:
		return k.checkValue(path, v)
	case v.Kind() == policy.Object && k.fields != nil:
		return checkCommand(path, v, k.fields, nil)
	}
	return nil
}

// wanted names the types that k accepts.
func (k field) wanted() string {
	if k.expected != "" {
		return "types '" + k.expected + "'"
	}
	if len(k.kinds) == 1 {
		return "type '" + k.kinds[0].String() + "'"
	}
	var names []string
	for _, kind := range k.kinds {
		names = append(names, kind.String())
	}
	return "types '[" + strings.Join(names, ", ") + "]'"
}

// checkWithin requires a number from low to high.
func checkWithin(p behaviour.Profile, path string, n, low, high int64) error {
	code := p.RangeCode
	return firstOf(
		refusal{(n < low || n > high) && code == 0, 0, rules.CommandUnspecified, path, ""},
		refusal{n < low, code, rules.CommandValue, path, fmt.Sprintf("BSON field '%s' value must be >= %d, actual value '%d'", path, low, n)},
		refusal{n > high, code, rules.CommandValue, path, fmt.Sprintf("BSON field '%s' value must be <= %d, actual value '%d'", path, high, n)},
	)
}

// oneOfWords returns a check that a text is one of the words.
func oneOfWords(words ...string) func(path string, v policy.Value) error {
	return func(path string, v policy.Value) error {
		if text := value.Text(v); !slices.Contains(words, text) {
			return refuseBy(codes.BadValue, rules.CommandValue, path, "Enumeration value '%s' for field '%s' is not a valid value.", text, path)
		}
		return nil
	}
}

// checkViewOn requires a text that is not empty.
func checkViewOn(path string, v policy.Value) error {
	if value.Text(v) == "" {
		return refuseBy(codes.BadValue, rules.CommandValue, path, "'viewOn' cannot be empty")
	}
	return nil
}

// collationFields returns the fields of a collation, as the parser of commands reads them
// since 5.0 (mongodb/mongo: src/mongo/idl/basic_types.idl).
func collationFields(p behaviour.Profile) []field {
	flag := []policy.Kind{policy.Bool}
	return []field{
		{name: "locale", kinds: textKinds, required: true},
		{name: "caseLevel", kinds: flag},
		{name: "caseFirst", kinds: textKinds, checkValue: oneOfWords("upper", "lower", "off")},
		{name: "strength", kinds: numberKinds, checkValue: func(path string, v policy.Value) error {
			return checkWithin(p, path, min(max(value.WholeSeconds(v), math.MinInt32), math.MaxInt32), 0, 5)
		}},
		{name: "numericOrdering", kinds: flag},
		{name: "alternate", kinds: textKinds, checkValue: oneOfWords("non-ignorable", "shifted")},
		{name: "maxVariable", kinds: textKinds, checkValue: oneOfWords("punct", "space")},
		{name: "normalization", kinds: flag},
		{name: "backwards", kinds: flag, nulls: true},
		{name: "version", kinds: textKinds},
	}
}

// ownSeconds returns a collection's own option as it is stored: whole seconds
// from 0 to the seconds since 1970.
func ownSeconds(v policy.Value, p behaviour.Profile, now policy.Instant) (policy.Value, error) {
	const at = "expireAfterSeconds"
	n := value.WholeSeconds(v)
	overflows := n > math.MaxInt64/1000
	beyond := overflows || n*1000 > int64(now)
	err := firstOf(
		refusal{n < 0, codes.InvalidOptions, rules.OwnNegative, at, negativeReason},
		refusal{beyond && !p.RangeReasons, codes.InvalidOptions, rules.OwnLarge, at, largeReason},
		refusal{overflows, codes.InvalidOptions, rules.OwnLarge, at, fmt.Sprintf(overflowReason, n)},
		refusal{beyond, codes.InvalidOptions, rules.OwnLarge, at, beforeReason},
	)
	return policy.Int64Value(n), err
}

// arguments are the fields of a command that every command accepts.
type arguments struct {
	command policy.Value
	profile behaviour.Profile
	strict  bool // apiStrict is true: the command may have no option outside the stable API
}

// passesOver reports whether the command ignores a field of this name because it is a
// generic argument.
func (a *arguments) passesOver(name string) bool {
	return a.profile.Arguments.OfName(name) == behaviour.Accepted
}

// check makes the checks that come before the server reads the command: fields that are
// unspecified, a field that clients may not send, and since 5.0 the fields of the stable API
// (mongodb/mongo: src/mongo/db/service_entry_point_common.cpp,
// src/mongo/db/initialize_api_parameters.cpp).
func (a *arguments) check() error {
	for f := a.command.Fields(); f.Next(); {
		name := f.Name()
		if a.profile.Arguments.OfName(name) == behaviour.AcceptanceUnspecified {
			return unspecified(rules.CommandUnspecified, name)
		}
		if name == behaviour.OpOnlyTime && a.passesOver(name) {
			return refuseBy(codes.InvalidOptions, rules.CommandValue, name, "Can not specify maxTimeMSOpOnly for non internal clients")
		}
	}
	if !a.passesOver("apiVersion") {
		return nil
	}
	version, strict, deprecation := a.given("apiVersion"), a.given("apiStrict"), a.given("apiDeprecationErrors")
	for _, one := range []struct {
		name string
		kind policy.Kind
		v    policy.Value
	}{{"apiVersion", policy.String, version}, {"apiStrict", policy.Bool, strict}, {"apiDeprecationErrors", policy.Bool, deprecation}} {
		if !one.v.IsMissing() && one.v.Kind() != one.kind {
			return refuseBy(codes.TypeMismatch, rules.CommandType, one.name, "BSON field 'APIParametersFromClient.%s' is the wrong type '%s', expected type '%s'", one.name, one.v.Kind(), one.kind)
		}
	}
	a.strict = value.IsTrue(strict)
	return firstOf(
		refusal{version.IsMissing() && !(strict.IsMissing() && deprecation.IsMissing()), codes.APIVersionMissing, rules.CommandValue, "apiVersion",
			"Provided apiStrict and/or apiDeprecationErrors without passing apiVersion"},
		refusal{value.Text(version) == "2", codes.APIVersionError, rules.CommandValue, "apiVersion", "Cannot accept API version 2"},
		refusal{!version.IsMissing() && value.Text(version) != "1", codes.APIVersionError, rules.CommandValue, "apiVersion", `API version must be "1"`},
	)
}

func (a *arguments) given(name string) policy.Value { return value.Given(a.command.Field(name)) }
