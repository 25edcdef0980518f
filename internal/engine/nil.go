package engine

import "github.com/ttlpolicy/ttlpolicy/policy"

// IsNil reports whether doc is nil, or a nil pointer to a type of package policy. The
// evaluators decide about such a document as about an empty one.
func IsNil(doc policy.Document) bool {
	switch doc := doc.(type) {
	case nil:
		return true
	case *policy.BSON:
		return doc == nil
	case *policy.JSON:
		return doc == nil
	case *policy.Value:
		return doc == nil
	case *policy.D:
		return doc == nil
	case *policy.Map:
		return doc == nil
	}
	return false
}
