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

// digest is a short hash of a vector's question and answers. Titles, rules,
// flags, and how an answer is established may change without a new rev.
func digest(vector *object) string {
	h := sha256.New()
	for _, name := range []string{"op", "in", "want", "unverified"} {
		n, _ := vector.member(name)
		if name == "want" {
			n.raw = withoutEvidence(n.raw)
		}
		h.Write(append(compact(n.raw), 0))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// withoutEvidence returns a list of rows, or of the answers in one, without what
// says how they are established. What is no list of objects stays as it is.
func withoutEvidence(list json.RawMessage) json.RawMessage {
	var rows []map[string]json.RawMessage
	if json.Unmarshal(list, &rows) != nil {
		return list
	}
	for _, row := range rows {
		delete(row, "evidence")
		delete(row, "cites")
		if answers, ok := row["anyOf"]; ok {
			row["anyOf"] = withoutEvidence(answers)
		}
	}
	b, err := json.Marshal(rows)
	if err != nil {
		return list
	}
	return b
}
