package exit

import (
	"errors"
	"fmt"
	"testing"
)

func TestCodeOf(t *testing.T) {
	plain := errors.New("no such file")
	for _, tc := range []struct {
		err  error
		want Code
	}{
		{nil, OK},
		{plain, Input},
		{With(Usage, nil), OK},
		{With(Incomplete, plain), Incomplete},
		{fmt.Errorf("forecast: %w", With(Interrupted, plain)), Interrupted},
		{Usagef("got %d", 3), Usage},
	} {
		if got := CodeOf(tc.err); got != tc.want {
			t.Errorf("CodeOf(%v) = %d, want %d", tc.err, got, tc.want)
		}
	}
}

func TestWithKeepsTheError(t *testing.T) {
	cause := errors.New("cause")
	if err := With(Usage, cause); !errors.Is(err, cause) || err.Error() != "cause" {
		t.Errorf("With(Usage, cause) = %q, want an error that is cause and says so", err)
	}
}

func TestLine(t *testing.T) {
	if got, want := Line(errors.New("no index \x1b[2J")), `no index \u{1b}[2J`; got != want {
		t.Errorf("Line = %q, want %q", got, want)
	}
	if got, want := Line(errors.New("unknown flag\n\nDid you mean\tthis?\n")), "unknown flag Did you mean this?"; got != want {
		t.Errorf("Line = %q, want %q", got, want)
	}
}
