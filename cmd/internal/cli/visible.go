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

// serviceMark matches the sign that begins a command to a CI service at any position in a
// line of its log: of GitHub
// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions, in its
// older notation), of Azure Pipelines
// (https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands), and of
// TeamCity (https://www.jetbrains.com/help/teamcity/service-messages.html).
var serviceMark = regexp.MustCompile(`(?i)##(?:vso|teamcity)?\[`)

// withoutCommands returns a line of output that gives no command to a CI service which
// reads it. The number sign or colon that begins a command is replaced. A name from
// outside may contain a command.
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

// A filter writes text to w, and escapes invisible characters except line ends, and
// commands to CI services. It writes whole lines, and a line longer than maxLine in
// pieces.
type filter struct {
	w           io.Writer
	escape      func(string) string
	sign, colon string
	rest        []byte // the unfinished line, not written yet
}

// newMarkup returns the filter for XML and HTML.
func newMarkup(w io.Writer) *filter {
	return &filter{w: w, escape: Visible, sign: markupSign, colon: markupColon}
}

// maxLine is the maximum part of an unfinished line that a filter holds back, in bytes.
const maxLine = 64 << 10

func (f *filter) Write(text []byte) (int, error) {
	f.rest = append(f.rest, text...)
	whole := bytes.LastIndexByte(f.rest, '\n') + 1
	if len(f.rest)-whole > maxLine {
		whole = f.beforeMark()
	}
	err := f.put(f.rest[:whole])
	f.rest = append(f.rest[:0], f.rest[whole:]...)
	return len(text), err
}

func (f *filter) put(text []byte) error {
	lines := strings.Split(string(text), "\n")
	for i := range lines {
		lines[i] = withoutCommands(f.escape(lines[i]), f.sign, f.colon)
	}
	_, err := io.WriteString(f.w, strings.Join(lines, "\n"))
	return err
}

// beforeMark returns the number of bytes of a long line that can be written: all except a
// possible beginning of a character or of a command.
func (f *filter) beforeMark() int {
	const mark = "##teamcity["
	end := max(len(f.rest)-len(mark)-utf8.UTFMax, 0)
	for end > 0 && (!utf8.RuneStart(f.rest[end]) || f.rest[end] == '#' || f.rest[end-1] == '#') {
		end--
	}
	return end
}

// finish writes the bytes held back, which may be a part of a character.
func (f *filter) finish() error {
	rest := f.rest
	f.rest = nil
	return f.put(rest)
}
