package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// compact returns JSON without space outside texts.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return nil // of a field that is missing, which was complained about
	}
	return b.Bytes()
}

// digest is a short hash of a vector's question and answers. Titles, rules and
// flags may change without a new rev.
func digest(vector *object) string {
	h := sha256.New()
	for _, name := range []string{"op", "in", "want", "unverified"} {
		n, _ := vector.member(name)
		h.Write(append(compact(n.raw), 0))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
