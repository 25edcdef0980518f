package cli

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	var b strings.Builder
	Wrap(&b, "one two  three\nincomprehensibilities é four", 2, 11)
	if want := "  one two\n  three\n  incomprehensibilities\n  é four\n"; b.String() != want {
		t.Errorf("Wrap wrote\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if Wrap(&b, " ", 2, 11); b.String() != "" {
		t.Errorf("Wrap of no words wrote %q", b.String())
	}
}
