package cli

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Safe is text that needs no escaping: this package made it, or it is a literal of the
// program. Do not convert other text to it; a test finds conversions.
type Safe string

// A Printer writes text for people, and stops at the first error. The text is plain
// without a Style.
type Printer struct {
	W io.Writer
	Style
	Width int // the width of wrapped text, in columns

	escape func(string) string // escapes the arguments; nil for Visible
	err    error
}

// NewPrinter returns the printer for w. It uses colours if w is a terminal that can show
// them, and NO_COLOR (https://no-color.org) is not set. It has the width of the terminal,
// or 80 columns if w is not a terminal.
func NewPrinter(w io.Writer) *Printer {
	return &Printer{W: w, Style: Style{hasColour(w)}, Width: widthOf(w)}
}

// Err returns the first error of writing.
func (p *Printer) Err() error { return p.err }

// write writes text unchanged.
func (p *Printer) write(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.W, text)
	}
}

// Line writes a line. The format must be a literal. Line escapes the arguments for the
// output form of p, and keeps them in the line, so text from outside may be passed
// unchanged. No line gives a command to a CI service.
func (p *Printer) Line(format string, args ...any) {
	if false {
		_ = fmt.Sprintf(format, args...) // makes vet check the arguments of Line like those of Printf
	}
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = p.safe(a)
	}
	p.write(withoutCommands(fmt.Sprintf(format, safe...), textSign, textColon) + "\n")
}

// safe returns an argument of a format with its text escaped.
func (p *Printer) safe(arg any) any {
	switch arg := arg.(type) {
	case Safe:
		return arg
	case []byte:
		return p.escaped(string(arg))
	case error, fmt.Stringer:
		return p.escaped(fmt.Sprint(arg))
	}
	if v := reflect.ValueOf(arg); v.CanInt() || v.CanUint() || v.CanFloat() {
		return arg
	}
	return p.escaped(fmt.Sprint(arg))
}

func (p *Printer) escaped(s string) string {
	if p.escape == nil {
		return Visible(s)
	}
	return p.escape(s)
}

// Lines writes text of several lines, each indented by indent spaces.
func (p *Printer) Lines(text string, indent int) {
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		p.Line("%*s%s", indent, "", line)
	}
}

// Wrap writes text in lines of at most p.Width columns, each indented by indent spaces. A
// longer word gets a line of its own.
func (p *Printer) Wrap(text any, indent int) {
	p.wrap(text, indent, "", SafeText)
}

// Item is Wrap for an item of a list. The first line has a dash in its indent.
func (p *Printer) Item(text any, indent int) { p.Hang(fmt.Sprintf("%*s", indent, "- "), text) }

// Hang is Wrap for text after a mark. All lines of the text begin in the column after the
// mark.
func (p *Printer) Hang(mark string, text any) {
	p.wrap(text, utf8.RuneCountInString(mark), Visible(mark), SafeText)
}

// Styled is Wrap with a style for each line.
func (p *Printer) Styled(text any, indent int, style func(any) Safe) {
	p.wrap(text, indent, "", style)
}

func (p *Printer) wrap(text any, indent int, mark string, style func(any) Safe) {
	line, columns := "", 0
	end := func() {
		if columns > 0 {
			p.Line("%s", style(Safe(fmt.Sprintf("%*s%s", indent, mark, line))))
		}
		line, columns, mark = "", 0, ""
	}
	for _, word := range strings.FieldsFunc(fmt.Sprint(p.safe(text)), func(r rune) bool { return r == ' ' }) {
		n := utf8.RuneCountInString(word)
		if columns > 0 && indent+columns+1+n > p.Width {
			end()
		}
		if columns > 0 {
			line, columns = line+" ", columns+1
		}
		line, columns = line+word, columns+n
	}
	end()
}

// An Output is a writer for standard output that remembers the first error of writing.
type Output struct {
	w   io.Writer
	err error
}

// NewOutput returns the Output to w.
func NewOutput(w io.Writer) *Output { return &Output{w: w} }

// Write writes to the output. After an error it writes nothing more.
func (o *Output) Write(b []byte) (n int, err error) {
	if o.err == nil {
		if n, err = o.w.Write(b); err != nil {
			o.err = fmt.Errorf("standard output: %w", err)
		}
	}
	return n, o.err
}

// Err returns the first error of writing.
func (o *Output) Err() error { return o.err }
