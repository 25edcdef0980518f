package cli

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Number writes n with a comma between thousands.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Documents writes n and the noun.
func Documents(n int64) string {
	if n == 1 {
		return "1 document"
	}
	return Number(n) + " documents"
}

// Size writes a number of bytes in decimal units.
func Size(n int64) string {
	f, unit := float64(n), 0
	units := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	for f >= 999.95 && unit+1 < len(units) {
		f, unit = f/1000, unit+1
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, units[unit])
}

// KindName names a kind by MongoDB's alias, and by an easier word if there is one:
// "a string", "a number (long)", "nothing".
func KindName(k policy.Kind) string {
	switch k {
	case policy.Missing:
		return "nothing"
	case policy.Int32, policy.Int64, policy.Double, policy.Decimal:
		return "a number (" + k.String() + ")"
	case policy.Object:
		return "an embedded document"
	case policy.ObjectID:
		return "an ObjectId"
	case policy.Binary:
		return "binary data"
	case policy.Bool:
		return "a boolean"
	case policy.List:
		return "an array"
	case policy.Undefined, policy.Null:
		return k.String()
	}
	return "a " + k.String()
}

// ID returns what the field of this name holds in doc as canonical Extended
// JSON, empty if there is no such field. A long one is cut off and becomes a
// string that ends in an ellipsis.
func ID(doc policy.Document, field string) string {
	v := doc.Field(field)
	if v.IsMissing() {
		return ""
	}
	return shorten(policy.AppendExtJSON(nil, v))
}

// maxID is how much of a long identifier is kept, in bytes.
const maxID = 200

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

// Identifier writes what [ID] returned as short as people know it: an ObjectId
// by its digits, a number without its type.
func Identifier(id string) string {
	if id == "" {
		return "(none)"
	}
	v, err := policy.ParseExtJSON([]byte(id))
	if err != nil {
		return id
	}
	if oid, ok := v.AsObjectID(); ok && v.Kind() == policy.ObjectID {
		return hex.EncodeToString(oid[:])
	}
	if n, ok := v.AsInt64(); ok {
		return strconv.FormatInt(n, 10)
	}
	return id
}

// Visible makes text from outside safe for a terminal: a character that is not
// printable becomes an escape such as \u{1b}.
func Visible(s string) string {
	if strings.IndexFunc(s, isHidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isHidden(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isHidden(r rune) bool { return !unicode.IsPrint(r) }
