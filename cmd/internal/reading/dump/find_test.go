//go:build unix

package dump

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// describe returns the results of Find below a folder: the files, or the reasons why they
// are not read.
func describe(dir string, f Found) (list []string) {
	for _, in := range f.Inputs {
		why := ""
		if in.Err != nil {
			why = ": " + in.Err.Error()
		}
		list = append(list, strings.ReplaceAll(in.Path+why, dir+"/", ""))
	}
	return list
}

// TestFindRegularFiles: below a folder only regular files are read, and nothing outside it.
// Files that are not read are named.
func TestFindRegularFiles(t *testing.T) {
	outside := fixture.Files(t, map[string]string{"secret": "hunter2", "more/x.bson": "x"})
	dir := fixture.Files(t, map[string]string{"shop/a.bson": "x", "shop/b.bson": "y", "shop/c.metadata.json": "{}"})
	at := func(name string) string { return filepath.Join(dir, "shop", name) }
	for name, to := range map[string]string{
		"inside.bson": "a.bson", "absolute.bson": at("b.bson"), "leak.bson": filepath.Join(outside, "secret"), "up.bson": "../../../../../../../etc/hosts",
		"zero.bson": "/dev/zero", "folder": filepath.Join(outside, "more"), "self": ".", "round.bson": "round.bson", "lost.bson": "nowhere",
	} {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Skip(err)
		}
	}
	if err := syscall.Mkfifo(at("pipe.bson"), 0o600); err != nil {
		t.Skip(err)
	}
	f, err := Find([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	const leads = " is a link that leads out of "
	want := []string{
		"shop/a.bson", "shop/absolute.bson", "shop/b.bson", "shop/folder: shop/folder" + leads, "shop/inside.bson", "shop/leak.bson: shop/leak.bson" + leads, "shop/lost.bson: lstat ",
		"shop/pipe.bson: shop/pipe.bson is a named pipe", "shop/round.bson: EvalSymlinks: too many links", "shop/up.bson: shop/up.bson" + leads, "shop/zero.bson: shop/zero.bson" + leads,
		"shop/c.bson", // lost, see TestLost
	}
	got := describe(dir, f)
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("Find = %q, want %q", got, want)
	}
	// A path that the user names is read in any case.
	for _, path := range []string{at("leak.bson"), at("folder")} {
		if f, err := Find([]string{path}); err != nil || len(f.Inputs) != 1 || f.Inputs[0].Err != nil {
			t.Errorf("Find(%s) = %v, %v, want its file", path, describe(dir, f), err)
		}
	}
}

// TestBeside: the files that mongodump puts beside a dump are read only if they are
// files in that folder.
func TestBeside(t *testing.T) {
	outside := fixture.Files(t, map[string]string{"secret": "hunter2"})
	for name, put := range map[string]func(path string) error{
		"a link out": func(path string) error { return os.Symlink(filepath.Join(outside, "secret"), path) },
		"a pipe":     func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device":   func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		for _, given := range []string{"shop/logs.bson", ""} {
			dir := fixture.Files(t, map[string]string{"shop/logs.bson": "x"})
			for _, path := range []string{"shop/logs.metadata.json", "shop/prelude.json"} {
				if err := put(filepath.Join(dir, path)); err != nil {
					t.Skip(err)
				}
			}
			done := inBackground(func() {
				f, err := Find([]string{filepath.Join(dir, given)})
				if err != nil || len(f.Inputs) != 1 {
					t.Errorf("%s: Find = %v, %v", name, f, err)
					return
				}
				if text, err := f.Inputs[0].Metadata(); err == nil || text.Name != "" || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("%s beside %q: Metadata() = %q, %v, want an error", name, given, text.Text, err)
				}
				if text, err := f.Inputs[0].Prelude(); err == nil || text.Name != "" || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("%s beside %q: Prelude() = %q, %v, want an error", name, given, text.Text, err)
				}
			})
			select {
			case <-done:
			case <-time.After(10 * time.Second):
				t.Fatalf("%s beside %q: still waiting after 10 s", name, given)
			}
		}
	}
}

// inBackground runs f, and closes a channel at its end.
func inBackground(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

// TestFindIsBounded: Find ends soon among many links, and refuses too many levels or
// files.
func TestFindIsBounded(t *testing.T) {
	dir := t.TempDir()
	const folders = 31 // each with two links to the next one: two billion paths to the last
	for i := range folders {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprint("d", i)), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b"} {
			if err := os.Symlink(fmt.Sprint("../d", i+1), filepath.Join(dir, fmt.Sprint("d", i), name)); err != nil {
				t.Skip(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("d", folders-1), "x.bson"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Find([]string{dir})
	if got, want := describe(dir, f), []string{"d30/x.bson"}; err != nil || !slices.Equal(got[:min(len(got), 1)], want) {
		t.Errorf("Find = %q, %v, want %q", got, err, want)
	}
	deep := t.TempDir()
	if err := os.MkdirAll(filepath.Join(deep, strings.Repeat("d/", maxLevels+10)), 0o700); err != nil {
		t.Fatal(err)
	}
	if f, err := Find([]string{deep}); err != nil || len(f.Inputs) != 1 || f.Inputs[0].Err == nil || !strings.Contains(f.Inputs[0].Err.Error(), "101 levels below") {
		t.Errorf("Find of %d levels = %v, %v, want an error", maxLevels+10, describe(deep, f), err)
	}
	w := walk{folder: dir, most: 20, wanted: isDump}
	if _, err := w.files(); err == nil || !strings.Contains(err.Error(), "more than 20 lie below this folder") {
		t.Errorf("a walk of at most 20 entries = %v, want an error", err)
	}
}

// found returns collections of these names, each in an input of its own.
func found(titles ...string) *Found {
	var f Found
	for _, title := range titles {
		database, name, _ := strings.Cut(title, ".")
		in := &Input{File: File{Path: title + ".bson"}}
		in.Collections = []*Collection{newCollection(in, database, name)}
		f.Inputs = append(f.Inputs, in)
	}
	return &f
}

func TestSelection(t *testing.T) {
	f := found("shop.logs", "blog.logs", "shop.sessions")
	f.Inputs = append(f.Inputs, &Input{Err: errors.New("damaged")})
	if err := f.Select(namespace.Selection{Include: []string{"shop.*"}, Exclude: []string{"*.sessions"}}); err != nil {
		t.Fatal(err)
	}
	if c := f.Collections(); len(c) != 1 || c[0].Title() != "shop.logs" || len(f.Inputs) != 2 {
		t.Errorf("%d collections in %d inputs, the first %s; want shop.logs, and the input that cannot be read", len(c), len(f.Inputs), c[0].Title())
	}
	if err := f.Select(namespace.Selection{Include: []string{"blog.*"}}); err == nil {
		t.Error("a pattern that matches nothing is accepted")
	}
}

// TestLost: Find names the collections of which a folder or a tar file has only the metadata.
// Views, the server's own collections, and compressed files of either kind are no loss.
func TestLost(t *testing.T) {
	const table, view = `{"options":{},"indexes":[]}`, `{"options":{"viewOn":"a","pipeline":[]},"indexes":[]}`
	dir := fixture.Files(t, map[string]string{
		"shop/a.bson": "", "shop/a.metadata.json": table, "shop/b.bson.gz": "", "shop/b.metadata.json": table, "shop/c.bson": "", "shop/c.metadata.json.gz": string(gzipped(t, []byte(table))),
		"shop/d.metadata.json": table, "shop/e.metadata.json.gz": string(gzipped(t, []byte(table))), "shop/f%2Fg.metadata.json": table, "shop/bad.metadata.json": "{",
		"shop/v.metadata.json": view, "shop/w.metadata.json": `{"type":"view","options":{},"indexes":[]}`, "shop/system.views.metadata.json": table, "shop/$x.metadata.json": table,
		"shop/t.metadata.json": table, "shop/system.buckets.t.bson": "",
	})
	packed := filepath.Join(t.TempDir(), "x.tar")
	if err := os.WriteFile(packed, tarOf(t, dir), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, packed} {
		f, err := Find([]string{path})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range f.Collections() {
			if c.Err != nil {
				got = append(got, c.Title())
				if !strings.HasPrefix(c.Err.Error(), "no documents of "+c.Title()+": there is ") || cli.ExitCodeOf(c.Err) != cli.ExitIncomplete {
					t.Errorf("%s: the error of %s is %v", path, c.Title(), c.Err)
				}
			}
		}
		if want := []string{"shop.bad", "shop.d", "shop.e", "shop.f/g"}; !slices.Equal(got, want) {
			t.Errorf("%s lost %q, want %q", path, got, want)
		}
	}
}

// tarOf returns the files below a folder as a tar file.
func tarOf(t *testing.T, dir string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	if err := errors.Join(w.AddFS(os.DirFS(dir)), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
