package cli

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether a stream, an [io.Reader] or an [io.Writer], is a
// terminal.
func IsTerminal(stream any) bool {
	f, ok := fileOf(stream)
	return ok && term.IsTerminal(int(f.Fd()))
}

// fileOf returns the file behind a stream, if there is one.
func fileOf(stream any) (f *os.File, ok bool) {
	if o, isOutput := stream.(*Output); isOutput {
		stream = o.w
	}
	f, ok = stream.(*os.File)
	return f, ok
}

func hasColour(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w)
}

// widthOf returns the number of columns of the terminal w, or 80 if w is not a terminal.
func widthOf(w io.Writer) int {
	if f, ok := fileOf(w); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}

// A Style decides whether text has colours. The zero Style has no colours.
type Style struct{ colour bool }

// Coloured returns the style that always uses colours.
func Coloured() Style { return Style{true} }

// Bold marks the most important text. This method and the following have the same meaning
// in all output. Text that is not [Safe] is made [Visible].
func (s Style) Bold(text any) Safe    { return s.sgr("1", text) }
func (s Style) Dim(text any) Safe     { return s.sgr("2", text) }  // less important
func (s Style) Expired(text any) Safe { return s.sgr("31", text) } // red
func (s Style) Pending(text any) Safe { return s.sgr("33", text) } // yellow
func (s Style) Never(text any) Safe   { return s.sgr("32", text) } // green
func (s Style) Unknown(text any) Safe { return s.sgr("35", text) } // magenta

func (s Style) sgr(code string, text any) Safe {
	safe := SafeText(text)
	if !s.colour || safe == "" {
		return safe
	}
	return Safe("\x1b[" + code + "m" + string(safe) + "\x1b[0m")
}

// SafeText returns text for a terminal: unchanged if text is [Safe], otherwise made
// [Visible].
func SafeText(text any) Safe {
	if safe, ok := text.(Safe); ok {
		return safe
	}
	return Safe(Visible(fmt.Sprint(text)))
}
