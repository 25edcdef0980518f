package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/citations"
)

// TestChangesLine: a line is changed if a hunk of the diff covers it, on the side asked for.
func TestChangesLine(t *testing.T) {
	const diff = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -3 +3,2 @@ f\n-c\n+C\n+D\n@@ -9,2 +10,0 @@\n-i\n-j\n"
	for _, tt := range []struct {
		line    int
		removed bool
		want    bool
	}{
		{2, false, false}, {3, false, true}, {4, false, true}, {5, false, false}, {10, false, false},
		{3, true, true}, {4, true, false}, {8, true, false}, {9, true, true}, {10, true, true}, {11, true, false},
	} {
		if got := changesLine(diff, tt.line, tt.removed); got != tt.want {
			t.Errorf("changesLine(%d, removed %t) = %t, want %t", tt.line, tt.removed, got, tt.want)
		}
	}
}

// TestCheck: in a small history the checks accept what is right and find each mistake.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		command.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2020-01-02T12:00:00Z", "GIT_AUTHOR_DATE=2020-01-02T12:00:00Z")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(content, subject string) string {
		if err := os.WriteFile(filepath.Join(dir, "f.cpp"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", "f.cpp")
		git("commit", "-q", "-m", subject)
		return git("rev-parse", "HEAD")
	}
	git("init", "-q")
	first := commit("a\nb\n", "start")
	git("tag", "r3.4.0")
	second := commit("a\nc\nd\n", "SERVER-1 change it")
	git("tag", "r3.6.0")
	good := func() citations.Boundary {
		return citations.Boundary{Since: "3.6.0", Before: "r3.4.0 f.cpp:2", First: "r3.6.0 f.cpp:2",
			Commit: &citations.Commit{Hash: second, Parent: first, Date: "2020-01-02", Ticket: "SERVER-1", Line: "f.cpp:3"}}
	}
	if how, err := check([]string{dir}, good()); err != nil || !strings.Contains(how, "r3.6.0") {
		t.Errorf("check = %q, %v, want it right", how, err)
	}
	for what, spoil := range map[string]func(*citations.Boundary){
		"another line":       func(b *citations.Boundary) { b.Commit.Line = "f.cpp:1" },
		"another file":       func(b *citations.Boundary) { b.Commit.Line = "g.cpp:3" },
		"another parent":     func(b *citations.Boundary) { b.Commit.Parent = second },
		"another day":        func(b *citations.Boundary) { b.Commit.Date = "2020-01-03" },
		"another ticket":     func(b *citations.Boundary) { b.Commit.Ticket = "SERVER-2" },
		"an earlier release": func(b *citations.Boundary) { b.First = "r3.4.0 f.cpp:2" },
		"a commit too old":   func(b *citations.Boundary) { b.Before = "r3.6.0 f.cpp:2" },
		"no branch":          func(b *citations.Boundary) { b.Since = "4.4.0" },
		"no such commit":     func(b *citations.Boundary) { b.Commit.Hash = fmt.Sprintf("%040d", 1) },
		"no hash":            func(b *citations.Boundary) { b.Commit.Hash = "" },
	} {
		b := good()
		spoil(&b)
		if how, err := check([]string{dir}, b); err == nil {
			t.Errorf("%s: check = %q, want an error", what, how)
		}
	}
	if err := run(&strings.Builder{}, nil); err == nil {
		t.Error("run without a clone succeeds")
	}
}

// TestLog: the committed log has a line for each commit of testdata/boundaries, and none
// failed.
func TestLog(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/boundaries/commits.txt")
	if err != nil {
		t.Fatal(err)
	}
	commits := 0
	for _, behaviour := range citations.Boundaries() {
		for _, b := range behaviour.Boundaries {
			if b.Commit == nil {
				continue
			}
			commits++
			if line := fmt.Sprintf("%-34s %-7s %.10s %s %-12s ", behaviour.Name, b.Since, b.Commit.Hash, b.Commit.Date, b.Commit.Ticket); !strings.Contains(string(text), line) {
				t.Errorf("testdata/boundaries/commits.txt lacks %q; run the program again", line)
			}
		}
	}
	if strings.Contains(string(text), "FAILED") || strings.Count(string(text), "\n") != commits+1 {
		t.Errorf("the log has %d lines, want %d and one with the sums", strings.Count(string(text), "\n"), commits)
	}
}
