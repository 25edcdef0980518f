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
			n.Raw = comparableRows(n.Raw)
		}
		h.Write(append(jsonfile.Compact(n.Raw), 0))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// A rowFields is the members of a row, or of an answer in one.
type rowFields = map[string]json.RawMessage

// comparableRows returns a list of rows without what says how they are
// established, and those that differ in their versions alone as one. What is no
// list of objects stays as it is.
func comparableRows(list json.RawMessage) json.RawMessage {
	rows, ok := withoutEvidence(list)
	if !ok {
		return list
	}
	text := encode(rows, list)
	joined, ok := joinedRows(rows)
	if !ok {
		return text
	}
	return encode(joined, text)
}

// withoutEvidence reads a list of rows, or of the answers in one, without what
// says how they are established.
func withoutEvidence(list json.RawMessage) (rows []rowFields, ok bool) {
	if json.Unmarshal(list, &rows) != nil {
		return nil, false
	}
	for _, row := range rows {
		delete(row, "evidence")
		delete(row, "cites")
		if answers, ok := withoutEvidence(row["anyOf"]); ok {
			row["anyOf"] = encode(answers, row["anyOf"])
		}
	}
	return rows, true
}

// joinedRows makes one of rows that differ in their versions alone, unless they
// are of a service without versions.
func joinedRows(rows []rowFields) (joined []rowFields, ok bool) {
	var all []versions // of the rows that are left
	var rest []string  // and all else in them
	for _, row := range rows {
		var text string
		json.Unmarshal(row["versions"], &text)
		v, err := parseVersions(text)
		if err != nil {
			return nil, false // or wrong, which was complained about
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
	return joined, true
}

// encode returns v as JSON, and otherwise if that cannot be.
func encode(v any, otherwise json.RawMessage) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return otherwise
	}
	return b
}
