package main

import (
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// walked are the packages of the tool that `ttl forecast FILE` enters on the way from its
// argument to the report. Whoever looks for a mistake in a report has to know these.
var walked = []string{
	"cmd/internal/cli", "cmd/internal/input", "cmd/internal/judging/forecast", "cmd/internal/judging/report",
	"cmd/internal/reading/catalog", "cmd/internal/reading/dump", "cmd/internal/reading/live", "cmd/internal/reading/policyflags",
	"cmd/judging/reasons", "cmd/reading/pasted", "cmd/reading/reply", "cmd/ttl",
}

// mostWalked is the maximum number of these packages.
const mostWalked = 12

// TestForecastWalk runs a tool that records the statements that are executed. The statements
// of a run that only prints the version do not count: those are of the start of the program.
func TestForecastWalk(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the tool again")
	}
	program := filepath.Join(t.TempDir(), "ttl")
	if out, err := exec.Command("go", "build", "-cover", "-coverpkg="+modulePath+"/...", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build -cover: %v\n%s", err, out)
	}
	started := executed(t, program, "--version")
	var got []string
	for statement := range executed(t, program, "forecast", "--now", "2026-11-20T00:00:00Z", samples+"shop/logs.bson") {
		if !started[statement] {
			got = append(got, "cmd"+strings.TrimPrefix(path.Dir(statement), modulePath))
		}
	}
	slices.Sort(got)
	got = slices.Compact(got)
	if diff := cmp.Diff(walked, got); diff != "" || len(got) > mostWalked {
		t.Errorf("%d packages, want at most %d (-want +got):\n%s", len(got), mostWalked, diff)
	}
}

const modulePath = "github.com/ttlpolicy/ttlpolicy/cmd"

// executed returns the statements that a run of a program executes, by file and place.
func executed(t *testing.T, program string, args ...string) map[string]bool {
	t.Helper()
	folder := t.TempDir()
	run := exec.Command(program, args...)
	run.Env = append(run.Environ(), "GOCOVERDIR="+folder)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("ttl %q: %v\n%s", args, err, out)
	}
	profile := filepath.Join(folder, "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+folder, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("go tool covdata: %v\n%s", err, out)
	}
	all := map[string]bool{}
	for line := range strings.Lines(contents(t, profile)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[2] != "0" {
			all[fields[0]] = true
		}
	}
	if len(all) < 100 {
		t.Fatalf("ttl %q executes %d statements, want more", args, len(all))
	}
	return all
}
