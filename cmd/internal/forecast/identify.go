package forecast

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxID is how much of a long identifier is kept, in bytes.
const maxID = 200

// identify returns what the field named id holds in the document raw, as
// canonical Extended JSON, and "" if there is no such field.
func identify(d *dump.Decoder, k dump.Kind, raw []byte, id string) string {
	doc, err := d.Decode(k, raw)
	if err != nil {
		return ""
	}
	v := doc.Field(id)
	if v.IsMissing() {
		return ""
	}
	return shorten(policy.AppendExtJSON(nil, v))
}

// shorten cuts text off if it is long. What is left is no JSON of its own, so
// it becomes a string.
func shorten(text []byte) string {
	if len(text) <= maxID {
		return string(text)
	}
	n := maxID
	for !utf8.RuneStart(text[n]) {
		n--
	}
	quoted, _ := json.Marshal(string(text[:n]) + "…")
	return string(quoted)
}
