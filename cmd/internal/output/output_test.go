//go:build unix

package output

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// tree returns the names in a folder with what they hold, other than the inputs
// of the test.
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
	for _, tt := range []struct {
		why  string
		make func(t *testing.T, path string)
		o    func(path string) Options
		want error
	}{
		{"a file that exists", func(t *testing.T, path string) { put(t, path, "old", 0o644) }, func(string) Options { return Options{} }, ErrExists},
		{"a link that leads nowhere exists too", func(t *testing.T, path string) { os.Symlink("nowhere", path) }, func(string) Options { return Options{} }, ErrExists},
		{"a link by force", func(t *testing.T, path string) { os.Symlink("nowhere", path) }, func(string) Options { return Options{Force: true} }, ErrNotRegular},
		{"a pipe by force", func(t *testing.T, path string) { syscall.Mkfifo(path, 0o600) }, func(string) Options { return Options{Force: true} }, ErrNotRegular},
		{"a folder by force", func(t *testing.T, path string) { os.Mkdir(path, 0o700) }, func(string) Options { return Options{Force: true} }, ErrNotRegular},
		{"the input by force", func(t *testing.T, path string) { put(t, path, "old", 0o644) }, func(path string) Options { return Options{Force: true, Inputs: []string{path}} }, ErrInput},
		{"the input under another name", func(t *testing.T, path string) {
			put(t, path, "old", 0o644)
			os.Link(path, path+".other")
		}, func(path string) Options { return Options{Force: true, Inputs: []string{path + ".other"}} }, ErrInput},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		tt.make(t, path)
		before := tree(t, dir)
		if err := WriteFile(path, []byte("new"), tt.o(path)); !errors.Is(err, tt.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %v and the file's name", tt.why, err, tt.want)
		}
		if after := tree(t, dir); len(after) != len(before) || after["out"] != before["out"] {
			t.Errorf("%s: the folder holds %q, want %q", tt.why, after, before)
		}
	}
	if err := WriteFile("/dev/null", nil, Options{Force: true}); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device: %v, want %v", err, ErrNotRegular)
	}
	if err := WriteFile("-", nil, Options{}); err == nil {
		t.Error("a file named - is made")
	}
}

func TestModes(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	dir := t.TempDir()
	for _, tt := range []struct {
		input fs.FileMode // 0 is none
		want  fs.FileMode
	}{{0, 0o640}, {0o644, 0o640}, {0o600, 0o600}, {0o640, 0o640}, {0o400, 0o600}} {
		path := filepath.Join(dir, tt.input.String()+".out")
		var o Options
		if tt.input != 0 {
			o.Inputs = []string{filepath.Join(dir, tt.input.String())}
			put(t, o.Inputs[0], "", tt.input)
		}
		if err := WriteFile(path, []byte("x"), o); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != tt.want {
			t.Errorf("from an input with %s: %s, %v, want %s", tt.input, info.Mode(), err, tt.want)
		}
	}
}

func TestNobodyElsesFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	f, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, "somebody else's", 0o644) // after the check
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
	if err := WriteFile(path, []byte("x"), Options{}); err != nil {
		t.Error(err)
	}
}

// A failing disk fails its n-th call, and works otherwise.
type failing struct {
	system
	n     *int
	calls *[]string
}

var errDisk = errors.New("input/output error")

func (f failing) call(name string) error {
	*f.calls = append(*f.calls, name)
	if *f.n--; *f.n == 0 {
		return errDisk
	}
	return nil
}

func (f failing) Lstat(path string) (fs.FileInfo, error) {
	if err := f.call("lstat"); err != nil {
		return nil, err
	}
	return f.system.Lstat(path)
}

func (f failing) CreateNew(path string, mode fs.FileMode) (handle, error) {
	if err := f.call("create"); err != nil {
		return nil, err
	}
	h, err := f.system.CreateNew(path, mode)
	return failingHandle{h, f}, err
}

func (f failing) Link(from, to string) error {
	return errors.Join(f.call("link"), f.unless(func() error { return f.system.Link(from, to) }))
}

func (f failing) Rename(from, to string) error {
	return errors.Join(f.call("rename"), f.unless(func() error { return f.system.Rename(from, to) }))
}

func (f failing) SyncDir(path string) error {
	return errors.Join(f.call("sync folder"), f.unless(func() error { return f.system.SyncDir(path) }))
}

// unless does what the call that was just counted is for, if it has not failed.
func (f failing) unless(do func() error) error {
	if *f.n == 0 {
		return nil
	}
	return do()
}

type failingHandle struct {
	handle
	disk failing
}

func (h failingHandle) Write(b []byte) (int, error) {
	if err := h.disk.call("write"); err != nil {
		n, _ := h.handle.Write(b[:len(b)/2])
		return n, err
	}
	return h.handle.Write(b)
}

func (h failingHandle) Sync() error { return errors.Join(h.disk.call("sync"), h.handle.Sync()) }

func (h failingHandle) Close() error { return errors.Join(h.disk.call("close"), h.handle.Close()) }

// TestEveryCallFailsOnce: whichever call of the disk fails, the old file is
// there whole, or the new one is, and nothing is left beside it.
func TestEveryCallFailsOnce(t *testing.T) {
	for _, o := range []Options{{}, {Force: true}} {
		content := bytes.Repeat([]byte("new"), 700_000) // several writes
		failed := map[string]bool{}
		for n := 1; ; n++ {
			dir := t.TempDir()
			path := filepath.Join(dir, "out")
			want := map[string]bool{"": true, string(content): true}
			if o.Force {
				put(t, path, "old", 0o644)
				want = map[string]bool{"old": true, string(content): true}
			}
			count, calls := n, []string{}
			err := writeFile(failing{n: &count, calls: &calls}, path, content, o)
			got := tree(t, dir)
			if len(got) > 1 || !want[got["out"]] {
				t.Errorf("force %t, call %d of %q fails: the folder holds %d files, %d bytes", o.Force, n, calls, len(got), len(got["out"]))
			}
			if (err == nil) != (got["out"] == string(content)) && calls[len(calls)-1] != "sync folder" {
				t.Errorf("force %t, call %d of %q fails: %v, and %d bytes are there", o.Force, n, calls, err, len(got["out"]))
			}
			if count > 0 {
				break
			}
			failed[calls[n-1]] = true
		}
		if len(failed) < 7 {
			t.Errorf("force %t: calls of %d kinds failed, want more: %v", o.Force, len(failed), failed)
		}
	}
}

// TestReplace: the folder is made, and the file that is there is replaced.
func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a/b/file")
	for _, want := range []string{"one", "two"} {
		if err := Replace(path, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("after Replace(%q) the file holds %q, %v", want, got, err)
		}
	}
}
