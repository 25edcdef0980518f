package site

import (
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

// TestSave: a site is written into a new or an empty folder, and into no other.
func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	s := Site{"index.html": []byte("1"), "rules/a.html": []byte("a")}
	if err := s.Save(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range s {
		if got := read(t, dir, name); got != string(want) {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	if err := (Site{"index.html": []byte("2")}).Save(dir); err == nil || !strings.Contains(err.Error(), "holds files already, such as index.html") || read(t, dir, "index.html") != "1" {
		t.Errorf("Save again = %v, index.html holds %q; want an error that names it, and the file as it was", err, read(t, dir, "index.html"))
	}
}
