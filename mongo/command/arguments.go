package command

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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
