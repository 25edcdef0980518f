package policy

import "github.com/ttlpolicy/ttlpolicy/internal/base/hooks"

func init() {
	hooks.FieldBy = Value.fieldBy
	hooks.TextLen = Value.textLen
	hooks.CompareText = Value.compareText
	hooks.CompareNames = func(f, g Fields) int { return f.compareNames(g) }
	hooks.ParseExtJSONInt32 = parseExtJSONInt32
	hooks.ExtJSONToBSON = extJSONToBSON
	hooks.NewExtDocument = func() FieldLister { return new(extDocument) }
}
