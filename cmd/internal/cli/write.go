package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// WriteJSON writes v for programs: indented, without escapes for HTML.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// A Time is an instant for people and for programs: years beyond 9999 have no
// text except for the milliseconds.
type Time struct {
	Time   string `json:"time"`
	Millis int64  `json:"ms"`
}

// TimeOf returns i for encoding.
func TimeOf(i policy.Instant) Time { return Time{i.String(), int64(i)} }

// Wrap writes text in lines of at most width columns, each behind indent spaces. A
// longer word has a line of its own.
func Wrap(w io.Writer, text string, indent, width int) {
	line, columns := "", 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if columns > 0 && indent+columns+1+n > width {
			fmt.Fprintf(w, "%*s%s\n", indent, "", line)
			line, columns = "", 0
		}
		if columns > 0 {
			line, columns = line+" ", columns+1
		}
		line, columns = line+word, columns+n
	}
	if columns > 0 {
		fmt.Fprintf(w, "%*s%s\n", indent, "", line)
	}
}
