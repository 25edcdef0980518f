package site

import (
	"strings"
	"testing"
)

// TestDrawings: a drawing replaces its line, and has a text for readers who cannot see
// it.
func TestDrawings(t *testing.T) {
	for _, tt := range []struct {
		file  string
		wants []string
	}{
		{"start.html", []string{`<ol class="flow">`, "Is expireAfterSeconds missing? Yes: stays.", "Does the item have a ttl?"}},
		{"side-by-side.html", []string{`<table class="matrix">`, "after 60 s"}},
	} {
		page := string(built[placeOfFile(tt.file)])
		for _, want := range tt.wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s", tt.file, want)
			}
		}
	}
	for file, page := range built {
		if strings.HasSuffix(file, ".html") && strings.Contains(string(page), "<!-- Drawing") {
			t.Errorf("%s has a line in place of a drawing", file)
		}
	}
}

// TestUnknownDrawings: a line that names no drawing is an error.
func TestUnknownDrawings(t *testing.T) {
	for _, line := range []string{"<!-- Drawing: flow oracle -->", "<!-- Drawing: question -->", "<!-- Drawing: moon -->"} {
		b := &builder{templates: templates(), book: book}
		if _, err := b.draw(&guide{b: b, text: []byte("no link")}, []byte(line)); err == nil {
			t.Errorf("draw(%s) gives no error", line)
		}
	}
}
