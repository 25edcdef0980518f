package cli

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// WriteJSON writes v for programs: indented, without escapes for HTML. Invisible
// characters in strings are escaped, so that a terminal may show the output too.
func WriteJSON(w io.Writer, v any) error {
	text, err := encodeJSON(v, "  ")
	if err != nil {
		return err
	}
	return writeLines(w, text, jsonVisible, textSign, textColon)
}

// JSONText returns v as JSON in one line. It panics if v has no JSON form.
func JSONText(v any) Safe {
	text, err := encodeJSON(v, "")
	if err != nil {
		panic(err)
	}
	return Safe(withoutCommands(jsonVisible(strings.TrimSuffix(text, "\n")), textSign, textColon))
}

// YAMLText returns v as a flow value of YAML in one line. It differs from [JSONText] in the
// characters beyond U+FFFF, whose escapes of JSON, two surrogates, are none of YAML. It panics
// if v has no JSON form.
func YAMLText(v any) Safe {
	text, err := encodeJSON(v, "")
	if err != nil {
		panic(err)
	}
	return Safe(withoutCommands(escapeHidden(strings.TrimSuffix(text, "\n"), func(r rune) string { return fmt.Sprintf(`\U%08x`, r) }), textSign, textColon))
}

// encodeJSON returns v as JSON, without escapes for HTML and with a line end.
func encodeJSON(v any, indent string) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.String(), err
}

// NewJSON returns a printer for text that already is JSON.
func NewJSON(w io.Writer) *Printer { return &Printer{W: w, escape: jsonVisible} }

// jsonVisible escapes invisible characters in a line of JSON. Such characters can occur
// only in strings.
func jsonVisible(s string) string {
	return escapeHidden(s, func(r rune) string {
		r1, r2 := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, r1, r2)
	})
}

// escapeHidden escapes invisible characters; beyond returns the escape of a character
// beyond U+FFFF.
func escapeHidden(s string, beyond func(rune) string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) { // nearly all lines contain only printable ASCII
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !isHidden(r):
			b.WriteRune(r) // U+FFFD for bytes that are not UTF-8
		case r > 0xffff:
			b.WriteString(beyond(r))
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// WriteXML writes v as an XML document.
func WriteXML(w io.Writer, v any) error {
	text, err := xml.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return writeMarkup(w, xml.Header+string(text)+"\n")
}

// WriteSVG writes a picture, whose texts must be escaped for XML already.
func WriteSVG(w io.Writer, picture string) error { return writeMarkup(w, picture) }

// shellWord returns s quoted as one word of a command for a POSIX shell. The shell reads
// the same bytes back. Invisible characters, and signs that begin a command to a CI
// service, are written in octal between $' and '.
func shellWord(s string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,="
	switch {
	case s != "" && strings.Trim(s, plain) == "":
		return s
	case Visible(s) == s && withoutCommands(s, "", "") == s:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	hidden := map[int]bool{} // the positions of bytes that begin a command
	for _, mark := range serviceMark.FindAllStringIndex(s, -1) {
		hidden[mark[0]] = true
	}
	if rest := strings.TrimSpace(s); strings.HasPrefix(rest, "::") {
		hidden[strings.Index(s, "::")] = true
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(s); i++ { // by bytes, because the name of a file may not be UTF-8
		switch c := s[i]; {
		case hidden[i]:
			fmt.Fprintf(&b, `\%03o`, c)
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(c))
		case ' ' <= c && c <= '~':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return b.String() + "'"
}

// ShellWords returns a command line for a POSIX shell, which reads these words back.
func ShellWords(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellWord(w)
	}
	return strings.Join(quoted, " ")
}
