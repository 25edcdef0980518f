// Package hooks hands functions of package policy to the other packages of this module
// that need them, without making them part of policy's interface. It stands below
// policy, so the variables have no types; package internal/valuefunc gives them their types.
//
// Package policy sets each variable once, while programs start, and nothing else does.
package hooks

var (
	FieldBy           any // func(policy.Value, *rawbson.Finder) policy.Value
	TextLen           any // func(policy.Value) int
	CompareText       any // func(v, w policy.Value) int
	CompareNames      any // func(f, g policy.Fields) int
	ParseExtJSONInt32 any // func([]byte) (policy.Value, error)
	ExtJSONToBSON     any // func(dst, text []byte, limit int) (policy.BSON, error)
)
