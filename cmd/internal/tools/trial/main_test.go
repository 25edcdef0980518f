package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// root is the checkout, as seen from this folder.
const root = "../../../.."

// TestTrialsFit: each edit fits once, and CONTRIBUTING.md names its file.
func TestTrialsFit(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(generators(string(page))); n < 4 {
		t.Errorf("CONTRIBUTING.md has %d commands that write what is generated, want at least 4", n)
	}
	for name, tr := range trials {
		checkout := t.TempDir()
		for _, e := range tr.edits {
			to := filepath.Join(checkout, e.file)
			if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(root, e.file))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		edited, err := tr.apply(checkout)
		if err == nil {
			err = tr.check(string(page), edited)
		}
		if err != nil {
			t.Errorf("a %s: %v", name, err)
		}
		if out, err := exec.Command("gofmt", "-l", checkout).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("a %s: gofmt %v: %s", name, err, out)
		}
	}
}

// TestCheck: check returns an error for one file too many, and for an unnamed file.
func TestCheck(t *testing.T) {
	const page = "x\n## A\n\nchange `cosmos/rules*.go`, `testdata/vectors`\n\n## B\n\n`mongo/a.go`\n"
	tests := []struct {
		edited []string
		want   string
	}{
		{[]string{"cosmos/rules_x.go", "testdata/vectors/a.json"}, ""},
		{[]string{"cosmos/rules.go", "testdata/vectors/a.json", "testdata/vectors/b.json"}, "3 files"},
		{[]string{"mongo/a.go"}, "does not name mongo/a.go"},
	}
	for _, tt := range tests {
		err := trial{heading: "A", most: 2}.check(page, tt.edited)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("check(%q) = %v, want %q", tt.edited, err, tt.want)
		}
	}
}

// TestEditFitsOnce: no edit is made where its pattern fits nowhere, or twice.
func TestEditFitsOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("a b b"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (trial{edits: []edit{{"f", `(a )(\d)`, "${1}NEXT"}}}).apply(dir); err == nil {
		t.Error("apply without a number succeeds")
	}
	for pattern, want := range map[string]bool{"a": true, "b": false, "c": false} {
		if _, err := (trial{edits: []edit{{"f", pattern, "$0"}}}).apply(dir); (err == nil) != want {
			t.Errorf("apply of %s to %q = %v, want that it fits: %t", pattern, "a b b", err, want)
		}
	}
}
