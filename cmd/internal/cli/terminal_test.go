package cli

import (
	"bytes"
	"os"
	"testing"
)

func TestPlainUnlessTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if IsTerminal(file) || HasColour(file) || HasColour(&bytes.Buffer{}) {
		t.Error("a file or a buffer gets colours, want plain text")
	}
	if got := StyleFor(file).Bold("x"); got != "x" {
		t.Errorf("StyleFor(file).Bold(x) = %q, want plain", got)
	}
	if got := Width(file, 77); got != 77 {
		t.Errorf("Width(file, 77) = %d, want the fallback", got)
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
