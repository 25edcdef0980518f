package cli

import (
	"fmt"
	"io"
	"strings"
)

// A Printer writes text for people, until it cannot be written. Without a Style
// it is plain.
type Printer struct {
	W io.Writer
	Style
	Width int // of wrapped text, in columns

	err error
}

// NewPrinter returns the printer for w: in colours if they are wanted there, as
// wide as the terminal, 80 columns anywhere else.
func NewPrinter(w io.Writer) *Printer { return &Printer{W: w, Style: StyleFor(w), Width: Width(w, 80)} }

// Err returns the first error of writing.
func (p *Printer) Err() error { return p.err }

// Write writes text as it is.
func (p *Printer) Write(text []byte) (n int, err error) {
	if p.err == nil {
		n, p.err = p.W.Write(text)
	}
	return n, p.err
}

// Line writes a line.
func (p *Printer) Line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// Wrap writes text in lines behind indent spaces, see [Wrap].
func (p *Printer) Wrap(text string, indent int) { Wrap(p, text, indent, p.Width) }

// Styled is Wrap with a style for each line.
func (p *Printer) Styled(text string, indent int, style func(string) string) {
	var b strings.Builder
	Wrap(&b, text, indent, p.Width)
	for line := range strings.Lines(b.String()) {
		p.Line("%s", style(strings.TrimSuffix(line, "\n")))
	}
}
