// Package nojson makes encoding/json fail for types that have no JSON. Without it,
// encoding/json writes a type without exported fields as {}, and a store that reads its
// definitions back would have lost them without an error.
package nojson

import "errors"

// The errors of the types. encoding/json names the type.
var (
	errNone  = errors.New("this type has no JSON form")
	errBytes = errors.New("this type has no JSON form: store its Bytes, or the JSON of its Value")
	errSpec  = errors.New("this type has no JSON form: store the specification from which it was compiled, such as its Spec")
)

// A Type makes the types that embed it fail.
type Type struct{}

// MarshalJSON fails.
func (Type) MarshalJSON() ([]byte, error) { return nil, errNone }

// UnmarshalJSON fails.
func (*Type) UnmarshalJSON([]byte) error { return errNone }

// Bytes is a Type for documents that have a method Bytes.
type Bytes struct{}

// MarshalJSON fails.
func (Bytes) MarshalJSON() ([]byte, error) { return nil, errBytes }

// UnmarshalJSON fails.
func (*Bytes) UnmarshalJSON([]byte) error { return errBytes }

// Spec is a Type for policies that were compiled from a specification.
type Spec struct{}

// MarshalJSON fails.
func (Spec) MarshalJSON() ([]byte, error) { return nil, errSpec }

// UnmarshalJSON fails.
func (*Spec) UnmarshalJSON([]byte) error { return errSpec }
