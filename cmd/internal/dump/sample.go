package dump

import (
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strconv"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Sample is one document, and where it is.
type Sample struct {
	ID     ID     `json:"id"`
	File   string `json:"file"`   // the input, see [File.Name], with slashes
	Offset int64  `json:"offset"` // where it begins there, in bytes of uncompressed input
}

// SampleOf names a document by its field id.
func SampleOf(doc policy.Document, id, file string, offset int64) Sample {
	return Sample{IDOf(doc, id), filepath.ToSlash(file), offset}
}

// An ID is what tells a document apart in canonical Extended JSON, empty if it
// has none. A long one is cut off and becomes a string that ends in an ellipsis.
type ID string

// maxID is how much of a long identifier is kept, in bytes.
const maxID = 200

// IDOf returns what the field of this name holds in doc.
func IDOf(doc policy.Document, field string) ID {
	v := doc.Field(field)
	if v.IsMissing() {
		return ""
	}
	text := policy.AppendExtJSON(nil, v)
	if len(text) <= maxID {
		return ID(text)
	}
	n := maxID
	for !utf8.RuneStart(text[n]) {
		n--
	}
	quoted, _ := json.Marshal(string(text[:n]) + "…") // what is left is not JSON, so it becomes a string
	return ID(quoted)
}

// MarshalJSON returns the identifier itself, null for none.
func (id ID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	return []byte(id), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (id *ID) UnmarshalJSON(text []byte) error {
	if *id = ""; string(text) != "null" {
		*id = ID(text)
	}
	return nil
}

// Short returns the identifier as people know it: an ObjectId by its digits, a
// number without its type.
func (id ID) Short() string {
	if id == "" {
		return "(none)"
	}
	v, err := policy.ParseExtJSON([]byte(id))
	if err != nil {
		return string(id)
	}
	if oid, ok := v.AsObjectID(); ok && v.Kind() == policy.ObjectID {
		return hex.EncodeToString(oid[:])
	}
	if n, ok := v.AsInt64(); ok {
		return strconv.FormatInt(n, 10)
	}
	return string(id)
}
