//go:build unix

package output_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output/faulty"
)

// tree returns, by name, the contents of the files in a folder. For an entry that is no
// regular file, it returns the type in place of the contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range entries {
		body := []byte(e.Type().String())
		if e.Type().IsRegular() {
			if body, err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
		found[e.Name()] = string(body)
	}
	return found
}

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestRefusals(t *testing.T) {
	defer input.Forget()
	for _, tt := range []struct {
		why   string
		make  func(t *testing.T, path string)
		force bool
		want  error
	}{
		{"a file that exists", func(t *testing.T, path string) { put(t, path, "old", 0o644) }, false, output.ErrExists},
		{"a link that leads nowhere exists too", func(t *testing.T, path string) { os.Symlink("nowhere", path) }, false, output.ErrExists},
		{"a link by force", func(t *testing.T, path string) { os.Symlink("nowhere", path) }, true, output.ErrNotRegular},
		{"a pipe by force", func(t *testing.T, path string) { syscall.Mkfifo(path, 0o600) }, true, output.ErrNotRegular},
		{"a folder by force", func(t *testing.T, path string) { os.Mkdir(path, 0o700) }, true, output.ErrNotRegular},
		{"the input by force", func(t *testing.T, path string) { put(t, path, "old", 0o644); input.Add(path) }, true, output.ErrInput},
		{"the input under another name", func(t *testing.T, path string) {
			put(t, path, "old", 0o644)
			os.Link(path, path+".other")
			input.Add(path + ".other")
		}, true, output.ErrInput},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		tt.make(t, path)
		before := tree(t, dir)
		if err := output.WriteFile(path, []byte("new"), output.Options{Force: tt.force}); !errors.Is(err, tt.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %v and the file's name", tt.why, err, tt.want)
		}
		if after := tree(t, dir); len(after) != len(before) || after["out"] != before["out"] {
			t.Errorf("%s: the folder holds %q, want %q", tt.why, after, before)
		}
	}
	if err := output.WriteFile("/dev/null", nil, output.Options{Force: true}); !errors.Is(err, output.ErrNotRegular) {
		t.Errorf("a device: %v, want %v", err, output.ErrNotRegular)
	}
	if err := output.WriteFile("-", nil, output.Options{}); err == nil {
		t.Error("a file named - is made")
	}
}

// TestInputsOfLater: an output does not replace a file that is opened for reading after
// Create.
func TestInputsOfLater(t *testing.T) {
	defer input.Forget()
	path := filepath.Join(t.TempDir(), "out")
	put(t, path, "old", 0o644)
	f, err := output.Create(path, output.Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	in, err := input.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f.Write([]byte("new"))
	if err := f.Commit(); !errors.Is(err, output.ErrInput) {
		t.Errorf("Commit = %v, want %v", err, output.ErrInput)
	}
	if got := tree(t, filepath.Dir(path)); len(got) != 1 || got["out"] != "old" {
		t.Errorf("the folder holds %q", got)
	}
}

// TestReadBack: only a regular file is read.
func TestReadBack(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	syscall.Mkfifo(pipe, 0o600)
	if _, err := output.ReadBack(pipe, 1); !errors.Is(err, output.ErrNotRegular) {
		t.Errorf("ReadBack of a pipe: %v, want %v", err, output.ErrNotRegular)
	}
}

func TestModes(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	defer input.Forget()
	dir := t.TempDir()
	for _, tt := range []struct {
		input fs.FileMode // the permissions of the input; 0 without an input
		want  fs.FileMode
	}{{0, 0o640}, {0o644, 0o640}, {0o600, 0o600}, {0o640, 0o640}, {0o400, 0o600}} {
		path := filepath.Join(dir, tt.input.String()+".out")
		input.Forget()
		if tt.input != 0 {
			name := filepath.Join(dir, tt.input.String())
			put(t, name, "", tt.input)
			input.Add(name)
		}
		if err := output.WriteFile(path, []byte("x"), output.Options{}); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != tt.want {
			t.Errorf("from an input with %s: %s, %v, want %s", tt.input, info.Mode(), err, tt.want)
		}
	}
}

// TestModeOfTheReplaced: only users who could read the replaced file may read the new
// file.
func TestModeOfTheReplaced(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	for _, tt := range []struct{ replaced, want fs.FileMode }{{0o600, 0o600}, {0o640, 0o640}, {0o666, 0o666}, {0o755, 0o644}} {
		path := filepath.Join(t.TempDir(), "out")
		put(t, path, "old", tt.replaced)
		if err := output.WriteFile(path, []byte("new"), output.Options{Force: true}); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != tt.want {
			t.Errorf("in place of a file with %s: %s, %v, want %s", tt.replaced, info.Mode(), err, tt.want)
		}
	}
}

func TestNobodyElsesFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	f, err := output.Create(path, output.Options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, "somebody else's", 0o644) // another program creates the file after the check
	f.Write([]byte("new"))
	if err := f.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Commit = %v, want %v", err, fs.ErrExist)
	}
	if got := tree(t, dir); len(got) != 1 || got["out"] != "somebody else's" {
		t.Errorf("the folder holds %q", got)
	}
	if err := f.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Commit again = %v, want %v", err, fs.ErrClosed)
	}
}

func TestLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
	if err := output.WriteFile(path, []byte("x"), output.Options{}); err != nil {
		t.Error(err)
	}
}

// TestEveryCallFailsOnce: for each failing call of the disk and each kind of fault,
// either the old file or the new file is there, complete, and no temporary file is left.
func TestEveryCallFailsOnce(t *testing.T) {
	for _, o := range []output.Options{{}, {Force: true}} {
		for _, how := range []faulty.Fault{faulty.Once, faulty.Late, faulty.Short, faulty.Dead} {
			failed := map[string]bool{}
			for n := 1; ; n++ {
				call, ended := failOnce(t, o, faulty.Disk{At: n, How: how})
				if ended {
					break
				}
				failed[call] = true
			}
			if len(failed) < 7 {
				t.Errorf("force %t, %s: calls of %d kinds failed, want more: %v", o.Force, how, len(failed), failed)
			}
		}
	}
}

// failOnce writes a file on a disk with one fault, and returns the call that failed.
// ended is true if there were too few calls for a failure.
func failOnce(t *testing.T, o output.Options, d faulty.Disk) (call string, ended bool) {
	t.Helper()
	content := bytes.Repeat([]byte("new"), 700_000) // long enough for several writes
	path := filepath.Join(t.TempDir(), "out")
	old := ""
	if o.Force {
		old = "old"
		put(t, path, old, 0o644)
	}
	output.Use(&d)
	defer output.Use(output.System{})
	err := write(path, content, o)
	got := tree(t, filepath.Dir(path))
	if len(d.Calls) < d.At {
		return "", true
	}
	call = d.Calls[d.At-1]
	if text := got["out"]; text != old && text != string(content) {
		t.Errorf("force %t, call %d, %s, %s: the file holds %d bytes", o.Force, d.At, call, d.How, len(text))
	}
	if len(got) > 1 && call != "remove" && d.How != faulty.Dead {
		t.Errorf("force %t, call %d, %s, %s: the folder holds %d files", o.Force, d.At, call, d.How, len(got))
	}
	if err == nil && got["out"] != string(content) {
		t.Errorf("force %t, call %d, %s, %s: no error", o.Force, d.At, call, d.How)
	}
	if err == nil && call != "remove" && d.How != faulty.Short {
		t.Errorf("force %t, call %d, %s, %s: no error", o.Force, d.At, call, d.How)
	}
	return call, false
}

// write writes a file in two pieces, in the same way as long output.
func write(path string, content []byte, o output.Options) error {
	f, err := output.Create(path, o)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(content[:len(content)/2]); err != nil {
		return err
	}
	if _, err := f.Write(content[len(content)/2:]); err != nil {
		return err
	}
	return f.Commit()
}

// TestDiscardAll: DiscardAll removes unfinished files, and keeps committed files.
func TestDiscardAll(t *testing.T) {
	dir := t.TempDir()
	if err := output.WriteFile(filepath.Join(dir, "done"), []byte("x"), output.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := output.Create(filepath.Join(dir, "begun"), output.Options{})
	if err != nil {
		t.Fatal(err)
	}
	output.DiscardAll()
	if err := f.Commit(); err == nil {
		t.Error("what was thrown away is committed")
	}
	if got := tree(t, dir); len(got) != 1 || got["done"] != "x" {
		t.Errorf("the folder holds %q", got)
	}
}

// TestReplace: Replace creates a missing folder, and replaces an existing file.
func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a/b/file")
	for _, want := range []string{"one", "two"} {
		if err := output.Replace(path, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("after output.Replace(%q) the file holds %q, %v", want, got, err)
		}
	}
}

// TestIsSame: two paths are the same if they lead to one file, even if their spellings
// differ.
func TestIsSame(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.MkdirAll("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("there", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, "link"); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("there", "alias"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"new", "new", true}, {"new", "./new", true}, {"new", "sub/../new", true}, {"new", filepath.Join(dir, "new"), true}, {"new", "link/new", true}, {"there", "alias", true},
		{"new", "sub/new", false}, {"new", "there", false}, {"none/new", "new", false}, {"none/new", "./none/new", true},
	} {
		if got, err := output.IsSame(tt.a, tt.b); got != tt.want || err != nil {
			t.Errorf("IsSame(%q, %q) = %v, %v, want %v", tt.a, tt.b, got, err, tt.want)
		}
	}
}
