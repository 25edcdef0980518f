package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/jsonfile"
)

// digest is a short hash of a vector's question and answers. Titles, rules,
// flags, and how an answer is established may change without a new rev, even
// where that splits a row.
func digest(vector *jsonfile.Object) string {
	h := sha256.New()
	for _, name := range []string{"op", "in", "want", "unverified"} {
		n, _ := vector.Member(name)
		if name == "want" {
			n.Raw = joinedRows(withoutEvidence(n.Raw))
		}
		h.Write(append(jsonfile.Compact(n.Raw), 0))
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
	return encode(rows, list)
}

// joinedRows returns a list of rows in which those that differ in their versions
// alone are one. What is no list of objects stays as it is.
func joinedRows(list json.RawMessage) json.RawMessage {
	var rows, joined []map[string]json.RawMessage
	if json.Unmarshal(list, &rows) != nil {
		return list
	}
	var all []versions // of the rows that are left
	var rest []string  // and all else in them
	for _, row := range rows {
		var text string
		json.Unmarshal(row["versions"], &text)
		v, err := parseVersions(text)
		if err != nil {
			return list // of a service without versions, or wrong, which was complained about
		}
		delete(row, "versions")
		key := string(encode(row, nil))
		if i := slices.Index(rest, key); i >= 0 {
			all[i].spans = append(all[i].spans, v.spans...)
			continue
		}
		joined, all, rest = append(joined, row), append(all, v), append(rest, key)
	}
	for i, row := range joined {
		row["versions"] = encode(all[i].normal(), nil)
	}
	return encode(joined, list)
}

// encode returns v as JSON, and otherwise if that cannot be.
func encode(v any, otherwise json.RawMessage) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return otherwise
	}
	return b
}
