// Package valuefunc holds functions about values that the evaluators and the tool need and
// users of the library do not. Package policy implements them.
package valuefunc

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// F has the functions as methods, which package policy documents.
var F = policy.Private(private.Key{})

// An ExtDocument is a document of Extended JSON that was checked as a whole. It converts
// only the requested fields, which takes a third of the time of ExtJSONToBSON if these
// are few. It keeps the names of those fields, and its memory, for later documents. Make one
// with NewExtDocument.
type ExtDocument interface {
	policy.FieldLister
	// Parse replaces the document by the one that text holds. The text must not change
	// while the document is in use. More than limit bytes of BSON are an error. The error
	// is a *policy.SyntaxError; after an error the document is empty.
	Parse(text []byte, limit int) error
	// Release frees the document, and memory beyond limit bytes.
	Release(limit int)
}

// InstantOfUnix returns the instant sec seconds after 1970-01-01T00:00:00Z. It reports false,
// with the last instant, if that instant is not representable.
func InstantOfUnix(sec int64) (policy.Instant, bool) {
	if sec > math.MaxInt64/1000 || sec < math.MinInt64/1000 {
		return policy.MaxInstant, false
	}
	return policy.Instant(sec * 1000), true
}
