// Package nojson makes encoding/json fail for types that have no JSON. Without it,
// encoding/json writes a type without exported fields as {}, and a store that reads its
// definitions back would have lost them without an error.
package nojson

import "errors"

// errNone is the error of all types. encoding/json names the type.
var errNone = errors.New("this type has no JSON form: store its Bytes, the JSON of its Value, or the JSON of the Spec from which it was compiled")

// A Type makes the types that embed it fail.
type Type struct{}

// MarshalJSON fails.
func (Type) MarshalJSON() ([]byte, error) { return nil, errNone }

// UnmarshalJSON fails.
func (*Type) UnmarshalJSON([]byte) error { return errNone }
