package cli

import (
	"errors"
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	var b strings.Builder
	p := Printer{W: &b, Width: 11}
	p.Wrap("one two  three incomprehensibilities é four", 2)
	p.Item("five six\nseven", 2)
	p.Styled("eight nine", 0, Coloured().Bold)
	want := "  one two\n  three\n  incomprehensibilities\n  é four\n- five\n  six\\u{a}seven\n\x1b[1meight nine\x1b[0m\n"
	if b.String() != want {
		t.Errorf("Wrap, Item and Styled wrote\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if p.Wrap(" ", 2); b.String() != "" {
		t.Errorf("Wrap of no words wrote %q", b.String())
	}
}

// named is a string type other than string.
type named string

// hostile is a name that somebody may give to an index.
const hostile = "\x1b[2J\a\n\r\u009b\u202e\u200b\x9b=cmd()|'`\"</script>"

// shown is the text that a terminal shows for hostile.
const shown = `\u{1b}[2J\u{7}\u{a}\u{d}\u{9b}\u{202e}\u{200b}\x9b=cmd()|'` + "`" + `"</script>`

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		arg  any
		want string
	}{
		{hostile, shown}, {[]byte(hostile), shown}, {named(hostile), shown}, {errors.New(hostile), shown}, {[]string{hostile}, "[" + shown + "]"},
		{Coloured().Bold(hostile), "\x1b[1m" + shown + "\x1b[0m"}, {Style{}.Dim(hostile), shown}, {SafeText(hostile), shown},
		{Coloured().Bold(Coloured().Dim("x")), "\x1b[1m\x1b[2mx\x1b[0m\x1b[0m"}, {Clip(hostile, 500), shown},
		{Visible(hostile), shown}, {3, "3"}, {nil, "<nil>"},
	} {
		var b strings.Builder
		p := Printer{W: &b}
		p.Line("<%v>", tt.arg)
		if got, want := b.String(), "<"+tt.want+">\n"; got != want {
			t.Errorf("Line(<%%v>, %#v) wrote %q, want %q", tt.arg, got, want)
		}
	}
	var b strings.Builder
	p := Printer{W: &b}
	p.Line("%3d %5.1f %-3s|", int8(7), 1.25, "é")
	p.Lines("a\n\x1bb\n", 2)
	if want := "  7   1.2 é  |\n  a\n  \\u{1b}b\n"; b.String() != want {
		t.Errorf("Line and Lines wrote %q, want %q", b.String(), want)
	}
}

func TestPrinterStopsAtTheFirstError(t *testing.T) {
	p := Printer{W: broken{}}
	p.Line("one")
	p.Line("two")
	if p.Err() != errBroken {
		t.Errorf("Err = %v, want %v", p.Err(), errBroken)
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }
