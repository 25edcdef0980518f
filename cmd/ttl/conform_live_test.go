package main

import (
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
)

// TestServerThatCannotBeAsked: the exit code says that the server was not judged, and no
// text contains a password.
func TestServerThatCannotBeAsked(t *testing.T) {
	t.Setenv(live.Variable, "mongodb://u:hunter2@127.0.0.1:1/?serverSelectionTimeoutMS=100")
	for _, tt := range []struct {
		args []string
		code cli.ExitCode
		says string
	}{
		{[]string{"--mongodb-uri", "mongodb://u:hunter2@127.0.0.1:1"}, cli.ExitUsage, "has a password"},
		{[]string{"--mongodb-uri", "127.0.0.1:1"}, cli.ExitUsage, "begins with mongodb://"},
		{[]string{"--mongodb-uri", "mongodb://"}, cli.ExitUnable, "mongodb://127.0.0.1:1"},
		{[]string{"--mongodb-uri", "mongodb://", "--cleanup", "ttlconform_0123456789ab"}, cli.ExitUnable, "mongodb://127.0.0.1:1"},
		{[]string{"--mongodb-uri", "mongodb://", "--cleanup", "x", "--rule", "y"}, cli.ExitUsage, "--rule has no effect beside --cleanup"},
		{[]string{"--mongodb-uri", "mongodb://", "--server", "99.0"}, cli.ExitUsage, "--server: "},
		{[]string{"--mongodb-uri", "mongodb://", "--sweep-timeout", "0s"}, cli.ExitUsage, "--sweep-timeout must"},
		{[]string{"--mongodb-uri", "mongodb://", "--", "true"}, cli.ExitUsage, "true is a program"},
	} {
		r := ttl(t, "", append([]string{"conform", "run"}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.err, tt.says) || strings.Contains(r.out+r.err, "hunter2") {
			t.Errorf("%v: code %d, %q, want %d and %q", tt.args, r.code, r.err, tt.code, tt.says)
		}
	}
}

// TestSweepCommand: if the sweep command fails, Sweep returns an error with the command's
// output.
func TestSweepCommand(t *testing.T) {
	t.Parallel() // it waits for commands
	for _, tt := range []struct {
		command, says string
		timeout       time.Duration
	}{
		{"true", "", time.Minute},
		{"echo oh >&2; exit 3", "exit status 3: oh", time.Minute},
		{"sleep 20 & echo $! is started", "", time.Minute}, // the process holds the command's output open
		{"exec sleep 20", "the command did not end in 100ms", 100 * time.Millisecond},
	} {
		f, begun := serverFlags{sweepCommand: tt.command, sweepTimeout: tt.timeout}, time.Now()
		err := f.options().Sweep(t.Context())
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) || time.Since(begun) > 15*time.Second {
			t.Errorf("%s: %v after %s, want %q", tt.command, err, time.Since(begun), tt.says)
		}
	}
}
