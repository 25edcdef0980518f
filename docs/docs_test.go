package docs

import (
	"io/fs"
	"os"
	"path"
	"testing"
)

// TestFilesHoldsEveryPage: no page is in a folder too deep for the patterns of [Files].
func TestFilesHoldsEveryPage(t *testing.T) {
	pages := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		pages++
		if _, err := fs.Stat(Files, name); err != nil {
			t.Errorf("Files lacks %s", name)
		}
		return nil
	})
	if err != nil || pages < 200 {
		t.Fatalf("%d pages, %v; want hundreds", pages, err)
	}
	for _, name := range []string{"results/mongomock.json", "images/forecast.png"} {
		if _, err := fs.Stat(Files, name); err != nil {
			t.Errorf("Files lacks %s", name)
		}
	}
}
