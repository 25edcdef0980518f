// Package term knows what may be written to a stream besides plain text.
package term

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// IsTerminalReader reports whether r is a terminal, where somebody would have to
// type.
func IsTerminalReader(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Colour reports whether w should get colours: it is a terminal that can show
// them, and nobody asked for none (https://no-color.org).
func Colour(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w)
}

// Width returns how many columns w has: those of the terminal, or fallback.
func Width(w io.Writer, fallback int) int {
	f, ok := w.(*os.File)
	if !ok {
		return fallback
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return fallback
}

// A Style writes text in colours, or plain. The zero Style is plain.
type Style struct{ colour bool }

// StyleFor returns the style for what goes to w.
func StyleFor(w io.Writer) Style { return Style{Colour(w)} }

// Coloured returns the style that always uses colours.
func Coloured() Style { return Style{true} }

// The styles. Each means the same thing wherever it is used.
func (s Style) Bold(text string) string    { return s.sgr("1", text) }  // what to look at first
func (s Style) Dim(text string) string     { return s.sgr("2", text) }  // what can be passed over
func (s Style) Expired(text string) string { return s.sgr("31", text) } // red
func (s Style) Pending(text string) string { return s.sgr("33", text) } // yellow
func (s Style) Never(text string) string   { return s.sgr("32", text) } // green

func (s Style) sgr(code, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
