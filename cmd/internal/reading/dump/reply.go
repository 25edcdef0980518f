package dump

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// idFinders find the identifiers of documents.
var idFinders = [...]rawbson.Finder{rawbson.NewFinder("_id"), rawbson.NewFinder("id")}

// MayBeReply reports whether [reply.Check] has to look at an unchecked document of this kind.
// It reports false for nearly every stored document, in little time.
func MayBeReply(k Kind, raw []byte) bool {
	if k == BSON {
		for i := range idFinders {
			if found, ok := idFinders[i].Find(raw); ok && found.Type != 0 {
				return policy.Kind(found.Type) == policy.Object && i == 0
			}
		}
		return true
	}
	picks := [1]jsontext.Pick{{Name: "id"}}
	jsontext.Find(raw, picks[:])
	return picks[0].Count == 0
}
