package pattern_test

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
)

func TestLazy(t *testing.T) {
	digits := pattern.Lazy(`\d+`)
	if got := digits().FindString("a12"); got != "12" {
		t.Errorf("FindString(a12) = %q, want 12", got)
	}
	if first, second := digits(), digits(); first != second {
		t.Error("the pattern is compiled twice")
	}
	wrong := pattern.Lazy("(") // the error shows only when the expression is used
	defer func() {
		if recover() == nil {
			t.Error("a wrong pattern does not panic")
		}
	}()
	wrong()
}
