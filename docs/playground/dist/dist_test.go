package dist

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"regexp"
	"testing"
)

// TestBinary: the binary is WebAssembly, whole, and small enough for a telephone.
func TestBinary(t *testing.T) {
	packed, err := FS.ReadFile("playground.wasm.gz")
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) >= 1_420_000 {
		t.Errorf("%d bytes compressed, want less than 1.42 MB", len(packed))
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil || !bytes.HasPrefix(plain, []byte("\x00asm\x01\x00\x00\x00")) {
		t.Errorf("%v; it begins with %q, want a WebAssembly module", err, plain[:min(8, len(plain))])
	}
	if found := regexp.MustCompile(`/(?:home|root|tmp|Users)/[a-z]+/`).Find(plain); found != nil {
		t.Errorf("it holds the path %q of the machine that made it", found)
	}
}

// TestPageStaysAtHome: every file that the page names exists beside it.
func TestPageStaysAtHome(t *testing.T) {
	page, err := FS.ReadFile("index.html")
	if err != nil {
		t.Fatal(err)
	}
	loads := regexp.MustCompile(`<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"`).FindAllSubmatch(page, -1)
	if len(loads) < 1 {
		t.Errorf("%d files are loaded; has the form of the page changed?", len(loads))
	}
	for _, m := range loads {
		if _, err := fs.Stat(FS, string(m[1])); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"index.html", "style.css", "start.js", "app.js", "worker.js"} {
		text, err := FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := regexp.MustCompile(`https?://|@import|url\(|innerHTML|eval\(|style="`).Find(text); found != nil {
			t.Errorf("%s has %q", name, found)
		}
	}
}
