package site

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(b)
}

func put(t *testing.T, text string, path ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(path...), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSaveAgain: files of an earlier site are replaced or removed.
func TestSaveAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	for _, s := range []Site{
		{"index.html": []byte("1"), "rules/a.html": []byte("a"), "rules/gone.html": []byte("gone")},
		{"index.html": []byte("2"), "rules/a.html": []byte("a"), "new.html": []byte("new")},
	} {
		if err := s.Save(dir); err != nil {
			t.Fatal(err)
		}
		for name, want := range s {
			if got := read(t, dir, name); got != string(want) {
				t.Errorf("%s holds %q, want %q", name, got, want)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "rules", "gone.html")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("rules/gone.html is still there: %v", err)
	}
}

// TestSaveTouchesNothing: files that are not of an earlier site stay.
func TestSaveTouchesNothing(t *testing.T) {
	s := Site{"index.html": []byte("ours"), "later.html": []byte("ours")}
	t.Run("a folder of others", func(t *testing.T) {
		dir := t.TempDir()
		put(t, "mine", dir, "notes.txt")
		if err := s.Save(dir); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "notes.txt") {
			t.Errorf("Save = %v, want %v and the file", err, ErrForeign)
		}
		if _, err := os.Stat(filepath.Join(dir, "index.html")); err == nil {
			t.Error("something was written")
		}
	})
	t.Run("a file of others beside an earlier site", func(t *testing.T) {
		dir := t.TempDir()
		if err := (Site{"index.html": []byte("old")}).Save(dir); err != nil {
			t.Fatal(err)
		}
		put(t, "mine", dir, "notes.txt")
		if err := (Site{"index.html": []byte("new")}).Save(dir); err != nil || read(t, dir, "notes.txt") != "mine" {
			t.Errorf("Save = %v, and the file holds %q", err, read(t, dir, "notes.txt"))
		}
		put(t, "mine", dir, "later.html")
		if err := s.Save(dir); !errors.Is(err, ErrForeign) || read(t, dir, "later.html") != "mine" || read(t, dir, "index.html") != "new" {
			t.Errorf("Save = %v, later.html holds %q", err, read(t, dir, "later.html"))
		}
	})
	t.Run("links that lead out of the folder", func(t *testing.T) {
		for _, link := range []string{"rules", "index.html"} {
			dir, outside := t.TempDir(), t.TempDir()
			put(t, "mine", outside, "a.html")
			s := Site{"index.html": []byte("new"), "rules/a.html": []byte("new")}
			if err := s.Save(dir); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, link)
			if err := errors.Join(os.RemoveAll(path), os.Symlink(outside, path)); err != nil {
				t.Skip(err)
			}
			for _, again := range []Site{s, {"other.html": nil}} { // written, and removed
				if err := again.Save(dir); !errors.Is(err, ErrForeign) || read(t, outside, "a.html") != "mine" {
					t.Errorf("%s is a link: Save = %v, and the file outside holds %q", link, err, read(t, outside, "a.html"))
				}
			}
		}
	})
	t.Run("a list that leads out of the folder", func(t *testing.T) {
		dir := t.TempDir()
		put(t, "mine", dir, "notes.txt")
		inner := filepath.Join(dir, "site")
		if err := s.Save(inner); err != nil {
			t.Fatal(err)
		}
		put(t, "index.html\n../notes.txt\n", inner, listed)
		if err := s.Save(inner); err == nil || read(t, dir, "notes.txt") != "mine" {
			t.Errorf("Save = %v, and the file holds %q", err, read(t, dir, "notes.txt"))
		}
	})
}
