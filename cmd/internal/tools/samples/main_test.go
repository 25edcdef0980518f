package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

const committed = "../../../../cmd/samples"

// TestCommittedSamples: the committed files are exactly the files that the generator
// writes, byte for byte.
func TestCommittedSamples(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{dir}, "", 0); err != nil {
		t.Fatal(err)
	}
	want, got := readAll(t, dir), readAll(t, committed)
	delete(got, "README.md") // written by hand
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("cmd/samples/%s: the generator does not write it", name)
		}
	}
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("cmd/samples/%s: %d bytes differ from the %d that the generator writes", name, len(got[name]), len(want[name]))
		}
	}
}

// TestPartWritesOnlyIt: -part, which is meant for big dumps, writes only that part, with
// the requested number of documents.
func TestPartWritesOnlyIt(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{dir}, "logs", 37); err != nil {
		t.Fatal(err)
	}
	files := readAll(t, dir)
	if len(files) != 2 {
		t.Errorf("-part logs wrote %d files, want 2", len(files))
	}
	if got := countBSON(t, files["shop/logs.bson"]); got != 37 {
		t.Errorf("-docs 37 wrote %d documents", got)
	}
}

func TestMistakes(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}} {
		if err := run(args, "", 0); err == nil {
			t.Errorf("run(%q) = nil, want an error", args)
		}
	}
	if err := run([]string{t.TempDir()}, "carts", 0); err == nil {
		t.Error(`run with -part carts = nil, want an error`)
	}
}

// TestDocumentsAreWellFormed reads the documents with readers of other projects.
func TestDocumentsAreWellFormed(t *testing.T) {
	files := readAll(t, committed)
	for _, p := range []part{logs, sessions, hazards, upgrade} {
		if got := countBSON(t, files[p.file]); got != p.docs {
			t.Errorf("%s holds %d documents, want %d", p.file, got, p.docs)
		}
	}
	lines := bytes.Split(bytes.TrimSuffix(files[items.file], []byte("\n")), []byte("\n"))
	if len(lines) != items.docs {
		t.Errorf("%s holds %d lines, want %d", items.file, len(lines), items.docs)
	}
	for i, line := range lines {
		if !json.Valid(line) {
			t.Errorf("%s, line %d is no JSON: %s", items.file, i+1, line)
		}
	}
	for name, text := range files {
		if filepath.Ext(name) == ".json" && !json.Valid(text) {
			t.Errorf("%s is no JSON", name)
		}
	}
}

// TestEveryCreatedAtOccurs: the sample holds each way of writing the field.
func TestEveryCreatedAtOccurs(t *testing.T) {
	kinds := map[bson.Type]int{}
	rest := readAll(t, committed)[logs.file]
	for len(rest) > 0 {
		doc := nextBSON(t, &rest)
		kinds[doc.Lookup("createdAt").Type]++
	}
	for _, k := range []bson.Type{
		bson.TypeDateTime, bson.TypeString, bson.TypeInt64, bson.TypeNull, bson.TypeArray,
		bson.TypeTimestamp, bson.TypeEmbeddedDocument, 0, // 0: no such field
	} {
		if kinds[k] == 0 {
			t.Errorf("no document of %s holds a createdAt of type %v", logs.file, k)
		}
	}
}

func TestBelowStaysBelow(t *testing.T) {
	r := newRandom("test")
	var seen [7]bool
	for range 1000 {
		seen[r.below(len(seen))] = true // panics when out of range
	}
	for n, ok := range seen {
		if !ok {
			t.Errorf("below(7) never was %d in 1000 calls", n)
		}
	}
}

func readAll(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(root, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func countBSON(t *testing.T, b []byte) (n int) {
	t.Helper()
	for ; len(b) > 0; n++ {
		nextBSON(t, &b)
	}
	return n
}

func nextBSON(t *testing.T, b *[]byte) bson.Raw {
	t.Helper()
	doc, err := bson.ReadDocument(bytes.NewReader(*b))
	if err == nil {
		err = doc.Validate()
	}
	if err != nil {
		t.Fatalf("with %d bytes left: %v", len(*b), err)
	}
	*b = (*b)[len(doc):]
	return doc
}
