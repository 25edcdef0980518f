package main

import (
	"path/filepath"
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

// TestAnswersAreKept: a second run asks only the questions that the first has not
// answered, and gives the same verdict.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	suite := smallSuite(t, thresholds)
	path := filepath.Join(t.TempDir(), "answers")
	first := runConform(t, "--suite", suite, "--answers", path)
	kept := string(readFile(t, path))
	if strings.Count(kept, "\n") < 20 {
		t.Fatalf("code %d, %d lines are kept: %s", first.code, strings.Count(kept, "\n"), first.err)
	}
	cut := kept[:len(kept)/2]
	writeFile(t, path, []byte(cut))
	second := runConform(t, "--suite", suite, "--answers", path)
	if second.code != first.code || second.out != first.out {
		t.Errorf("the second run: code %d\n%s%s, want\n%s", second.code, second.out, second.err, first.out)
	}
	whole := string(readFile(t, path))
	if !strings.HasPrefix(whole, cut) || strings.Count(whole, `"seq"`) > 0 {
		t.Error("the second run does not go on with the file")
	}
	asked := strings.Count(whole, "\n") - strings.Count(cut, "\n")
	if all, answered := strings.Count(kept, "\n"), strings.Count(cut, "\n"); asked > all-answered+1 { // the cut line ends, too
		t.Errorf("the second run asks %d questions of %d, %d of which were answered", asked, all, answered)
	}
	writeFile(t, path, []byte("my notes\n"))
	if r := runConform(t, "--suite", suite, "--answers", path); r.code != cli.ExitInput || string(readFile(t, path)) != "my notes\n" {
		t.Errorf("another file: code %d, and it holds %q", r.code, readFile(t, path))
	}
}
