//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShapes: every shape has a name of its own, and is made in two sizes.
func TestShapes(t *testing.T) {
	tool := script(t, "ttl", `echo '{"part":"NUMBER"}'`)
	names := map[string]bool{}
	for _, s := range allShapes() {
		if names[s.name] {
			t.Errorf("two shapes are called %s", s.name)
		}
		names[s.name] = true
		sizes := make([]int64, 2)
		for i := range sizes {
			dir := t.TempDir()
			args, err := s.make(tool, dir, (i+1)*min(s.n, 50))
			if err != nil || len(args) < 2 {
				t.Errorf("%s: %q, %v", s.name, args, err)
			}
			sizes[i] = below(t, dir)
		}
		if sizes[1] < sizes[0]*5/4 {
			t.Errorf("%s: %d bytes, and %d of twice the size", s.name, sizes[0], sizes[1])
		}
	}
	if len(names) < 60 {
		t.Errorf("%d shapes, want dozens", len(names))
	}
}

// below returns the bytes of all files in a folder.
func below(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// script writes a program of the shell, and returns its path.
func script(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRun: a shape whose cost grows with the square of its input is named.
func TestRun(t *testing.T) {
	counting := func(count string) string { // counts by the size of the last argument's file
		return `for last; do :; done
n=$( [ -f "$last" ] && wc -c <"$last" || echo 0 )
echo "I   refs: $(( 1000000 + ` + count + ` ))" >&2`
	}
	ttl := script(t, "ttl", "exit 0")
	for count, want := range map[string]string{"n * 1000": "", "n * n": "the cost of these shapes grows faster than their input: filter-in-dates"} {
		t.Setenv("PATH", filepath.Dir(script(t, "valgrind", counting(count)))+":"+os.Getenv("PATH"))
		var out strings.Builder
		err := run(&out, []string{ttl, "^filter-in-dates$"})
		if got := errText(err); got != want || !strings.Contains(out.String(), "n =   2000") || strings.Contains(out.String(), "FASTER") != (want != "") {
			t.Errorf("%s: %s%v, want %q", count, out.String(), err, want)
		}
	}
	if err := run(&strings.Builder{}, nil); err == nil {
		t.Error("without a program: want an error")
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
