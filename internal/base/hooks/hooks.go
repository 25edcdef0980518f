// Package hooks gives other packages of this module functions of packages policy and
// mongo that these do not export. Both packages import hooks, so it cannot
// name their types, and its variables have the type any. Package internal/valuefunc gives
// the hooks of policy their types; internal/mongofunc does this for the hooks of mongo,
// outside the folder mongo.
//
// The two packages set each variable once, when a program starts. No other code sets one.
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
	Development          any // func(string) (mongo.Profile, bool)
)
