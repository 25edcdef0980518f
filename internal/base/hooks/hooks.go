// Package hooks hands functions of packages policy and mongo to the other packages of this
// module that need them, without making them part of their interface. It is imported by
// both, so the variables have no types. Package internal/valuefunc gives the hooks of policy
// their types, and internal/mongofunc those of mongo for users outside its folder.
//
// The two packages set each variable once, while programs start, and nothing else does.
package hooks

// Hooks of package policy.
var (
	FieldBy           any // func(policy.Value, *rawbson.Finder) policy.Value
	TextLen           any // func(policy.Value) int
	CompareText       any // func(v, w policy.Value) int
	CompareNames      any // func(f, g policy.Fields) int
	ParseExtJSONInt32 any // func([]byte) (policy.Value, error)
	ExtJSONToBSON     any // func(dst, text []byte, limit int) (policy.BSON, error)
	NewExtDocument    any // func() policy.FieldLister, a valuefunc.ExtDocument
)

// Hooks of package mongo.
var (
	BehaviourOf any // func(mongo.Profile) behaviour.Profile
	SourcesOf   any // func(policy.Evaluator) []compiled.Source, of a *mongo.Index or *mongo.Collection

	WholeSeconds         any // func(policy.Value) (int64, bool)
	EndsPass             any // func(mongo.CollectionSpec, mongo.IndexSpec, mongo.Profile) bool
	ReadsNaNAsZero       any // func(mongo.Profile) bool
	ListsSimpleCollation any // func(mongo.Profile) bool
	HasOperator          any // func(mongo.Profile, string) bool
)
