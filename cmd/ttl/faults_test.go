package main

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output/faulty"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// If killVariable is set to a number, the tool ends during the call of the disk with that
// number.
const killVariable = "TTL_TEST_KILL"

// A writing is a use of a command that writes files.
type writing struct {
	name   string
	before map[string]string            // the files in the folder before the command
	args   func(folder string) []string // writes below the folder
}

// everyWriting returns uses of every command that writes files: to new files, and
// over old ones.
func everyWriting(t *testing.T) []writing {
	t.Helper()
	suite := smallSuite(t, thresholds)
	results := resultsOfOne(t, suite)
	run := append(slices.Clone(patience), "--suite", suite, "--id", "mongodb-date-on-deadline")
	program := []string{"--", os.Args[0], "adapter"}
	lockless := map[string]string{}
	for _, name := range []string{"suite.json", "sources.json", "vectors/" + thresholds, "ids.lock"} {
		lockless[name] = string(readFile(t, filepath.Join(suite, name)))
	}
	_, lockless["ids.lock"], _ = strings.Cut(lockless["ids.lock"], "\n") // without the first vector
	old := func(names ...string) map[string]string {
		files := map[string]string{}
		for _, name := range names {
			files[name] = "old " + name
		}
		return files
	}
	in := func(fixed []string, flags ...string) func(string) []string {
		return func(folder string) []string {
			args := slices.Clone(fixed)
			for _, f := range flags {
				args = append(args, strings.ReplaceAll(f, "FOLDER", folder))
			}
			return args
		}
	}
	lines := written(t, "lines.jsonl", `{"_id":1,"at":{"$date":"2026-12-19T23:00:00Z"}}`+"\n")
	migrate := []string{"migrate", "--now", "2026-12-01", "--to", "cosmos-nosql", "--index", `{"at":1}`, "--expire-after", "1h", lines}
	reports := []string{"--results", "FOLDER/results", "--report", "junit=FOLDER/junit"}
	return []writing{
		{"conform init", nil, in([]string{"conform", "init", "python"}, "--folder", "FOLDER")},
		{"conform lint", lockless, in([]string{"conform", "lint", "--lock"}, "FOLDER")},
		{"conform rejudge", nil, in([]string{"conform", "rejudge", "--suite", suite, results}, reports...)},
		{"conform run", old("results", "junit"), in(run, append(reports, program...)...)},
		{"forecast", nil, in([]string{"forecast", "--now", "2026-12-31", "--index", `{"at":1}`, "--expire-after", "1h", lines}, "--save-expired", "FOLDER/out")},
		{"migrate", nil, in(migrate, "--out", "FOLDER/out")},
		{"migrate", old("out"), in(migrate, "--force", "--out", "FOLDER/out")},
	}
}

// TestEveryWriterIsTried: each command with a flag or an argument for an output file
// is in the table of these tests.
func TestEveryWriterIsTried(t *testing.T) {
	known := map[string]bool{"completion": true}
	for _, w := range everyWriting(t) {
		known[w.name] = true
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		text := strings.ToLower(cmd.Short + cmd.Flags().FlagUsages())
		name := strings.TrimPrefix(cmd.CommandPath(), "ttl ")
		if (strings.Contains(text, "write") || strings.Contains(text, "append")) && !known[name] && !slices.Contains(notWriters, name) {
			t.Errorf("ttl %s seems to write files, and no test lets its disk fail", name)
		}
	}
	walk(newRootCommand())
}

// notWriters are commands that write only to standard output, or to programs.
var notWriters = []string{"audit", "conform diff", "plan init"}

// files returns the contents of the files in a folder, at any depth.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		found[filepath.ToSlash(name)] = string(readFile(t, path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// begin makes the folder for a writing, with the files before it.
func (w writing) begin(t *testing.T) string {
	t.Helper()
	return fixture.Files(t, w.before)
}

// isPart reports whether a file, or a folder that holds it, is unfinished.
func isPart(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), output.IsUnfinished)
}

// check compares the files after a fault with the files before, and with those of a run
// without a fault. It reports whether the command wrote its files despite the fault.
func (w writing) check(t *testing.T, where, folder string, want map[string]string, mayLeave bool) bool {
	t.Helper()
	got := files(t, folder)
	left := 0
	for name, text := range got {
		if isPart(name) {
			left++
			delete(got, name)
		} else if old, ok := w.before[name]; text != want[name] && (!ok || text != old) {
			t.Errorf("%s: %s holds %d bytes, neither the old nor the new", where, name, len(text))
		}
	}
	for name := range w.before {
		if _, ok := got[name]; !ok && want[name] != "" {
			t.Errorf("%s: %s is gone", where, name)
		}
	}
	if left > 0 && !mayLeave {
		t.Errorf("%s: %d unfinished files are left", where, left)
	}
	return maps.Equal(got, want)
}

// TestEveryCallOfTheDiskFails: whichever call of the disk fails, and in whichever way,
// each command reports the error, and leaves each file old or new, but whole. The command
// works when it is run again.
func TestEveryCallOfTheDiskFails(t *testing.T) {
	for _, w := range everyWriting(t) {
		folder := w.begin(t)
		d := faulty.Disk{}
		output.Use(&d)
		if r := ttl(t, "", w.args(folder)...); r.err != "" {
			t.Fatalf("ttl %q: exit %d, %s", w.args(folder), r.code, r.err)
		}
		if len(d.Calls) < 6 {
			t.Errorf("ttl %s calls the disk %d times, want more", w.name, len(d.Calls))
		}
		want := files(t, folder)
		for n := 1; n <= len(d.Calls); n += w.step() {
			for _, how := range w.faultsOf(n, d.Calls[n-1]) {
				w.fail(t, want, &faulty.Disk{At: n, How: how})
			}
		}
	}
}

// faultsOf returns the faults to try at the n-th call of the disk: all of them with -every,
// otherwise one of them in turn.
func (w writing) faultsOf(n int, call string) []faulty.Fault {
	ways := []faulty.Fault{faulty.Once, faulty.Late, faulty.Dead}
	if call == "write" {
		ways = append(ways, faulty.Short)
	}
	switch {
	case w.isSlow() && testing.Short():
		return nil
	case w.isSlow():
		return ways[:1]
	case !*every:
		return ways[n%len(ways):][:1]
	}
	return ways
}

// isSlow reports whether a command takes long, and one of the faster commands in this
// list writes in the same way.
func (w writing) isSlow() bool {
	return !slices.Contains([]string{"conform rejudge", "forecast", "migrate"}, w.name)
}

// step returns the number of calls from one that is tried to the next. It is 1, except for
// commands that write in the same way as another command.
func (w writing) step() int {
	switch {
	case w.name == "conform rejudge" && testing.Short():
		return 31
	case w.name == "conform run":
		return 3
	}
	return 1
}

// fail runs a command whose disk fails.
func (w writing) fail(t *testing.T, want map[string]string, d *faulty.Disk) {
	t.Helper()
	folder := w.begin(t)
	args := w.args(folder)
	output.Use(d)
	r := ttl(t, "", args...)
	output.Use(faulty.Unsynced{})
	call := d.Calls[d.At-1]
	where := strings.Join([]string{"ttl", w.name, "call", strconv.Itoa(d.At), call, string(d.How)}, " ")
	done := w.check(t, where, folder, want, call == "remove" || d.How == faulty.Dead)
	succeeded := r.err == "" // an audit has findings all the same
	if succeeded && !done {
		t.Errorf("%s: exit %d, and the files are not there", where, r.code)
	}
	if !succeeded && (strings.Count(r.err, "\n") != 1 || r.code == cli.ExitOK) {
		t.Errorf("%s: exit %d, %q, want one line", where, r.code, r.err)
	}
	if succeeded && call != "remove" && d.How != faulty.Short {
		t.Errorf("%s: exit %d, want another", where, r.code)
	}
	if !done {
		w.again(t, where, folder, want)
	}
}

// again runs a command once more, after a fault.
func (w writing) again(t *testing.T, where, folder string, want map[string]string) {
	t.Helper()
	r := ttl(t, "", w.args(folder)...)
	if done := w.check(t, where+", then again", folder, want, true); !done || r.err != "" {
		t.Errorf("%s: the second run ends with %d, %s, and the files are there: %t", where, r.code, r.err, done)
	}
}

// TestKilledAtEveryCall: the process is killed in each call of the disk; without -every,
// in each third. Afterwards each file is the old or the new one, and whole, and the
// command works when it is run again.
func TestKilledAtEveryCall(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each call of the disk")
	}
	for _, w := range everyWriting(t) {
		if !slices.Contains([]string{"conform run", "forecast", "migrate"}, w.name) { // other commands write as these do
			continue
		}
		folder := w.begin(t)
		if r := ttl(t, "", w.args(folder)...); r.err != "" {
			t.Fatalf("ttl %q: exit %d, %s", w.args(folder), r.code, r.err)
		}
		want := files(t, folder)
		n, stride := 1, 3
		if *every {
			stride = 1
		}
		for ; w.kill(t, want, n); n += stride * w.step() {
		}
		if n < 6 {
			t.Errorf("ttl %s was killed %d times, want more", w.name, n-1)
		}
	}
}

// kill runs a command and kills it in the n-th call of the disk. It reports false if the
// command ended before that call.
func (w writing) kill(t *testing.T, want map[string]string, n int) bool {
	t.Helper()
	folder := w.begin(t)
	cmd := exec.Command(os.Args[0], w.args(folder)...)
	cmd.Env = append(os.Environ(), killVariable+"="+strconv.Itoa(n))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Exited() { // it ended by itself
		if errs.Len() > 0 {
			t.Errorf("ttl %s: %v, %s", w.name, err, errs.String())
		}
		return false
	}
	where := "ttl " + w.name + " killed in call " + strconv.Itoa(n)
	done := w.check(t, where, folder, want, true)
	if !done {
		w.again(t, where, folder, want)
	}
	return true
}
