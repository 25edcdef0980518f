package cli

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes text from outside safe for a terminal: an invisible character becomes an
// escape such as \u{1b}, and a byte that is not UTF-8 becomes an escape such as \x9b.
// Visible text stays as it is.
func Visible(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, isHidden) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case isHidden(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isHidden reports whether a character is invisible or changes the position of others: a
// control character, a line end, a space other than U+0020, or a mark of direction.
func isHidden(r rune) bool {
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// serviceMark matches the sign with which a command to a CI service begins. These
// services find the sign at any position in a line of the log: GitHub
// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions, the
// older notation), Azure Pipelines
// (https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands) and
// TeamCity (https://www.jetbrains.com/help/teamcity/service-messages.html).
var serviceMark = regexp.MustCompile(`(?i)##(?:vso|teamcity)?\[`)

// withoutCommands returns a line of output that gives no command to a CI service which
// reads it. sign replaces the number sign, and colon the colon, that begins a command. A
// name from outside may contain a command.
func withoutCommands(line, sign, colon string) string {
	if strings.Contains(line, "##") {
		line = serviceMark.ReplaceAllStringFunc(line, func(mark string) string { return sign + mark[1:] })
	}
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") { // a command to GitHub
		line = line[:len(line)-len(rest)] + colon + rest[1:]
	}
	return line
}

// These escapes replace the characters that begin commands to CI services. The first pair
// is for strings of shells, JavaScript and JSON, the second for XML and HTML.
const (
	textSign, textColon     = `\u0023`, `\u003a`
	markupSign, markupColon = `&#35;`, `&#58;`
)

// Clip returns s, made [Visible], in at most n characters. If s is longer, the last
// character is an ellipsis.
func Clip(s string, n int) string {
	s = Visible(s)
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// writeLines writes text after escape has escaped each line without its end. No line gives
// a command to a CI service: sign and colon are as in withoutCommands.
func writeLines(w io.Writer, text string, escape func(string) string, sign, colon string) error {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = withoutCommands(escape(line), sign, colon)
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n"))
	return err
}

// A lineWriter writes each line of markup as soon as it is complete, because a page about many
// collections is large.
type lineWriter struct {
	w    io.Writer
	rest []byte // the beginning of a line
}

func (l *lineWriter) Write(text []byte) (int, error) {
	whole := bytes.LastIndexByte(text, '\n') + 1
	if whole == 0 {
		l.rest = append(l.rest, text...)
		return len(text), nil
	}
	err := writeMarkup(l.w, string(l.rest)+string(text[:whole]))
	l.rest = append(l.rest[:0], text[whole:]...)
	return len(text), err
}

// writeMarkup writes the text of an XML or HTML document.
func writeMarkup(w io.Writer, text string) error {
	return writeLines(w, text, Visible, markupSign, markupColon)
}
