package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// A use is a command with arguments by which it writes to standard output.
type use struct {
	args  []string
	stdin string
}

// everyUse returns uses of every runnable command, in all its formats.
func everyUse(t *testing.T) (uses []use) {
	t.Helper()
	suite := smallSuite(t, thresholds)
	results := resultsOfOne(t, suite)
	adapter := append(slices.Clone(patience), "--suite", suite, "--id", "mongodb-date-on-deadline")
	index := []string{"--now", sampleAt, "--index", `{"at":1}`, "--expire-after", "1h"}
	arguments := map[string][]string{
		"adapter":         {},
		"audit":           {"--now", sampleAt, samples + "hazards"},
		"completion":      {"bash"},
		"conform copy":    {"--target", "mongodb@6.0.1"},
		"conform diff":    {"--n", "1", "--op", "mongodb.decide", "--", "self", "--", "self"},
		"conform explain": {"mongodb-date-on-deadline"},
		"conform init":    {"go", "--folder", t.TempDir()},
		"conform lint":    {suite},
		"conform list":    {},
		"conform rejudge": {"--suite", suite, results},
		"conform run":     append(adapter[2:], "--", os.Args[0], "adapter"),
		"explain":         append(index, `{"at":1}`),
		"forecast":        {"--now", sampleAt, samples + "shop"},
		"forecast merge":  {partOf(t, samples+"shop")},
		"help":            {"forecast"},
		"migrate":         append(index, "--to", "cosmos-nosql"),
		"plan":            {examplePolicy, samples + "shop"},
		"plan init":       {samples + "shop"},
		"rules":           {},
		"version":         {},
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		name := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "ttl"), " ")
		args, ok := arguments[name]
		if cmd.HasSubCommands() && !ok { // a command with subcommands shows its help
			uses = append(uses, use{args: strings.Fields(name)})
			return
		}
		if !ok {
			t.Errorf("ttl %s is not tried; add how it is used", name)
		}
		for _, format := range formatsOf(cmd) {
			one := use{args: append(strings.Fields(name), append(format, args...)...)}
			if name == "adapter" {
				one.stdin = `{"cmd":"hello","protocol":1}` + "\n"
			}
			uses = append(uses, one)
		}
	}
	root := newRootCommand()
	root.InitDefaultHelpCmd()
	walk(root)
	return append(uses, use{args: []string{"--version"}}, use{args: []string{"explain", "--help"}})
}

// formatsOf returns the flags for each format of a command.
func formatsOf(cmd *cobra.Command) (flags [][]string) {
	f := cmd.Flags().Lookup("format")
	if f == nil {
		return [][]string{nil}
	}
	_, choices, _ := strings.Cut(f.Usage, ": ")
	for choice := range strings.SplitSeq(choices, ", ") {
		flags = append(flags, []string{"--format", choice})
	}
	return flags
}

// A full output accepts a limited number of bytes.
type full struct{ room int }

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	if f.room -= n; n < len(b) {
		return n, errFull
	}
	return n, nil
}

// TestFullOutput: a command fails if its output was not written whole, with an error
// of one line.
func TestFullOutput(t *testing.T) {
	t.Parallel()
	for _, u := range everyUse(t) {
		if words := strings.Join(u.args, " "); testing.Short() && strings.HasPrefix(words, "conform run") && !strings.Contains(words, "--format text") {
			continue // such a command starts a program for each form
		}
		run := func(out io.Writer) (cli.ExitCode, string) {
			var errs bytes.Buffer
			code := runWith(t.Context(), strings.NewReader(u.stdin), out, &errs, u.args...)
			return code, errs.String()
		}
		for _, out := range outputsThatFail(u, run) {
			code, errs := run(out)
			if code == cli.ExitOK || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "ttl: standard output: ") {
				t.Errorf("ttl %q to %T %v: exit %d, %q; want another code, and one line", u.args, out, out, code, errs)
			}
		}
	}
}

// outputsThatFail returns an output that fails at the first byte. Without -short,
// for commands that are quick to run again, it also returns one that fails at the
// last byte.
func outputsThatFail(u use, run func(io.Writer) (cli.ExitCode, string)) []io.Writer {
	outputs := []io.Writer{&full{}}
	if testing.Short() {
		return outputs
	}
	for _, slow := range []string{"conform init", "conform run", "conform rejudge"} {
		if strings.HasPrefix(strings.Join(u.args, " "), slow) {
			return outputs
		}
	}
	var whole bytes.Buffer
	run(&whole)
	return append(outputs, &full{room: whole.Len() - 1})
}

// TestFullDisk: the tool as a process of its own also reports a full disk, and a limit on
// the size of files. If the reader of a pipe has gone, the tool writes no error, and only
// its exit code shows the failure.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	for _, tt := range []struct {
		script string
		lines  int
	}{
		{`"$0" rules > /dev/full`, 1},
		{`"$0" rules | :; exit ${PIPESTATUS[0]}`, 0},
		{`"$0" --help | :; exit ${PIPESTATUS[0]}`, 0},
		{`ulimit -f 1; "$0" rules > ` + filepath.Join(t.TempDir(), "out"), 1},
		{`ulimit -f 1; "$0" forecast --format html ` + samples + `shop > ` + filepath.Join(t.TempDir(), "out"), 1},
	} {
		cmd := exec.Command(bash, "-c", tt.script, os.Args[0])
		var errs bytes.Buffer
		cmd.Stderr = &errs
		err := cmd.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != int(cli.ExitInput) || strings.Count(errs.String(), "ttl: standard output: ") != tt.lines || strings.Count(errs.String(), "\n") != tt.lines {
			t.Errorf("%s: %v, %q; want exit %d and %d lines", tt.script, err, errs.String(), cli.ExitInput, tt.lines)
		}
	}
}
