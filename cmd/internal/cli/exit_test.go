package cli

import (
	"errors"
	"fmt"
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
