package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// runCommand runs the command in this process.
func runCommand(args ...string) (stdout, stderr string, err error) {
	var out, progress bytes.Buffer
	cmd := newCommand()
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&progress)
	err = cmd.Execute()
	return out.String(), progress.String(), err
}

// TestQuick runs one row. Standard output must contain the row's goals, met or not, and
// its measurements, and nothing else.
func TestQuick(t *testing.T) {
	stdout, stderr, err := runCommand("--quick", "--row", "g9", "--rounds", "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`G9 +20 +strconv\.ParseFloat +[0-9.]+x +≥`, `G9 +1e1000000000 +apd +[0-9.]+x +≥`, `G9 +1,000,000 digits, found and read +a byte +[0-9.]+ ns +≤`} {
		if !regexp.MustCompile(want).MatchString(stdout) {
			t.Errorf("no line like %q in\n%s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "G9…") {
		t.Errorf("progress %q, want the row", stderr)
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		args, want string
	}{
		{"--row G14", `no row "G14"; the rows are G1 to G13`},
		{"--rounds -1", "want a number of turns"},
		{"--quick --full", "quick full"},
		{"--write --row G1", "row write"},
		{"G1", "unknown command"},
	} {
		if _, _, err := runCommand(strings.Fields(tt.args)...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("peers %s: %v, want an error with %q", tt.args, err, tt.want)
		}
	}
}

func TestHelp(t *testing.T) {
	stdout, _, err := runCommand("--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--quick", "--row", "--rounds", "--write", "benchstat", "go run ./conformance/lab/peers"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the help does not mention %s", want)
		}
	}
}
