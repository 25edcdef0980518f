package main

import (
	"bytes"
	"encoding/json"
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

// TestQuickJSON runs one row as a program would ask for it: the goals by name,
// whatever this machine makes of them, and nothing else on standard output.
func TestQuickJSON(t *testing.T) {
	stdout, stderr, err := runCommand("--quick", "--format", "json", "--row", "g9", "--rounds", "1")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Lines []struct {
			Name  string
			Ratio *float64
			Goal  float64
		}
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("%v:\n%s", err, stdout)
	}
	names := map[string]bool{}
	for _, l := range got.Lines {
		names[l.Name] = true
		if l.Ratio == nil {
			t.Errorf("%s has no ratio", l.Name)
		}
	}
	for _, want := range []string{"G9 strconv.ParseFloat, 20", "G9 apd, 1e1000000000", "G9 a byte, 1,000,000 digits, found and read (at most)"} {
		if !names[want] {
			t.Errorf("no line %q among %v", want, names)
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
		{"--format xml", `no format "xml"`},
		{"--rounds -1", "at least one turn"},
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
	for _, want := range []string{"--quick", "--row", "--rounds", "--write", "--curves", "--format", "go run ./conformance/peers"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the help does not mention %s", want)
		}
	}
}
