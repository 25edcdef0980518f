package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

func TestCodeOf(t *testing.T) {
	plain := errors.New("no such file")
	for _, tc := range []struct {
		err  error
		want ExitCode
	}{
		{nil, ExitOK},
		{plain, ExitInput},
		{WithExit(ExitUsage, nil), ExitOK},
		{WithExit(ExitIncomplete, plain), ExitIncomplete},
		{fmt.Errorf("forecast: %w", WithExit(ExitInterrupted, plain)), ExitInterrupted},
		{Usagef("got %d", 3), ExitUsage},
	} {
		if got := ExitCodeOf(tc.err); got != tc.want {
			t.Errorf("ExitCodeOf(%v) = %d, want %d", tc.err, got, tc.want)
		}
	}
}

func TestWithKeepsTheError(t *testing.T) {
	cause := errors.New("cause")
	if err := WithExit(ExitUsage, cause); !errors.Is(err, cause) || err.Error() != "cause" {
		t.Errorf("WithExit(ExitUsage, cause) = %q, want an error that is cause and says so", err)
	}
}

func TestErrorLine(t *testing.T) {
	if got, want := ErrorLine(errors.New("unknown flag\n\nDid you mean\tthis?\n")), "unknown flag Did you mean this?"; got != want {
		t.Errorf("ErrorLine = %q, want %q", got, want)
	}
	if got := ErrorLine(errors.New(strings.Repeat("x ", 40<<20))); len(got) > maxErrorLine+3 || !strings.HasSuffix(got, "…") {
		t.Errorf("a long error has a line of %d bytes, want %d at most", len(got), maxErrorLine)
	}
}

func TestPlainUnlessTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if IsTerminal(file) {
		t.Error("a file is taken for a terminal")
	}
	for _, w := range []io.Writer{file, &bytes.Buffer{}} {
		if p := NewPrinter(w); p.Bold("x") != "x" || p.Width != 80 {
			t.Errorf("NewPrinter(%T) writes %q in %d columns, want plain text in 80", w, p.Bold("x"), p.Width)
		}
	}
}

func TestStyle(t *testing.T) {
	if got, want := Coloured().Expired("gone"), Safe("\x1b[31mgone\x1b[0m"); got != want {
		t.Errorf("Expired = %q, want %q", got, want)
	}
	if got := Coloured().Dim(""); got != "" {
		t.Errorf("Dim of nothing = %q, want nothing", got)
	}
	if got := (Style{}).Never("x"); got != "x" {
		t.Errorf("zero Style: Never(x) = %q, want plain", got)
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ got, want string }{
		{Number(0), "0"}, {Number(999), "999"}, {Number(1000), "1,000"}, {Number(-1234567), "-1,234,567"},
		{Documents(1), "1 document"}, {Documents(12031), "12,031 documents"},
		{Size(999), "999 B"}, {Size(1000), "1.0 kB"}, {Size(999_950), "1.0 MB"}, {Size(2_226_557_449), "2.2 GB"},
		{Clip("0123456789", 9), "01234567…"}, {Clip("ä123456789", 10), "ä123456789"},
		{Visible("Grüße, 👋"), "Grüße, 👋"}, {Visible("a\x1b[2J\x00\u202e\n"), `a\u{1b}[2J\u{0}\u{202e}\u{a}`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
