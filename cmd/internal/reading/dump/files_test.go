package dump

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

func TestFind(t *testing.T) {
	dir := fixture.Files(t, map[string]string{
		"shop/logs.bson": "12345", "shop/logs.metadata.json": "{}", "shop/prelude.json": "{}",
		"shop/old.bson.gz": "", "shop/new.bson.zst": "", "shop/notes.txt": "",
		"shop/system.buckets.weather.bson": "", "admin/system.users.bson": "", "oplog.bson": "",
	})
	got, err := Find([]string{dir, filepath.Join(dir, "shop/notes.txt"), "-"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, in := range got.Inputs {
		names = append(names, strings.TrimPrefix(in.Path, dir+"/"))
	}
	want := []string{"shop/logs.bson", "shop/new.bson.zst", "shop/old.bson.gz", "shop/system.buckets.weather.bson", "shop/notes.txt", "-"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("Find (-want +got)\n%s", diff)
	}
	if in := got.Inputs; in[0].Size != 5 || in[5].Size != -1 {
		t.Errorf("sizes %d and %d, want 5 for five bytes and -1 for standard input", in[0].Size, in[5].Size)
	}
}

func TestFindRefuses(t *testing.T) {
	empty := fixture.Files(t, map[string]string{"admin/system.users.bson": ""})
	for _, path := range []string{empty, filepath.Join(empty, "gone.bson")} {
		if found, err := Find([]string{path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("Find(%s) = %v, %v, want an error that names it", path, found, err)
		}
	}
}

// TestNames: the name of a folder of mongodump is the name of the database.
func TestNames(t *testing.T) {
	for _, tt := range []struct{ path, title, namespace string }{
		{"dump/shop/logs.bson", "shop.logs", "shop.logs"},
		{"/logs.bson.gz", "logs", ""},
		{"/dump/shop/logs.2026.bson.zst", "shop.logs.2026", "shop.logs.2026"},
		{"dump/shop/a%2Fb.bson", "shop.a/b", "shop.a/b"},
		{"dump/shop/a+b%2B.bson", "shop.a b+", "shop.a b+"},
		{"dump/shop/100%.bson", "shop.100%", "shop.100%"},
		{"dump/100%25/a+b.bson", "100%25.a b", "100%25.a b"},
		{"dump/shop/system.buckets.weather.bson.gz", "shop.weather", "shop.system.buckets.weather"},
		{"dump/admin/system.users.bson", "admin.system.users", "admin.system.users"},
		{"dump/a.b/logs.bson", "logs", ""}, // no database has a dot in its name
		{"dump/shop/.bson", "", ""},
		{"exports/carts.jsonl", "carts", "exports.carts"},
		{"exports/carts.json.gz", "carts", "exports.carts"},
		{"-", "standard input", ""},
	} {
		c := NewInput(File{Path: tt.path}).Collections[0]
		if c.Title() != tt.title || c.Namespace() != tt.namespace {
			t.Errorf("%s is titled %q in %q, want %q in %q", tt.path, c.Title(), c.Namespace(), tt.title, tt.namespace)
		}
	}
}

func TestMetadata(t *testing.T) {
	dir := fixture.Files(t, map[string]string{
		"shop/logs.bson": "", "shop/logs.metadata.json": "L", "prelude.json": "P",
		"shop/old.bson.gz": "", "shop/old.metadata.json.gz": string(gzipped(t, []byte("O"))),
		"shop/system.buckets.weather.bson": "", "shop/weather.metadata.json": "W",
		"shop/bare.bson": "",
	})
	for name, want := range map[string][2]string{
		"shop/logs.bson":                   {"shop/logs.metadata.json", "L"},
		"shop/old.bson.gz":                 {"shop/old.metadata.json.gz", "O"},
		"shop/system.buckets.weather.bson": {"shop/weather.metadata.json", "W"},
		"shop/bare.bson":                   {"", ""},
	} {
		f := File{Path: filepath.Join(dir, name)}
		text, err := f.Metadata()
		if got := [2]string{strings.TrimPrefix(text.Name, dir+"/"), string(text.Text)}; got != want || err != nil {
			t.Errorf("Metadata of %s = %q, %v, want %q", name, got, err, want)
		}
		if text, err := f.Prelude(); text.Name != filepath.Join(dir, "prelude.json") || string(text.Text) != "P" || err != nil {
			t.Errorf("Prelude of %s = %s, %q, %v, want that of the folder above", name, text.Name, text.Text, err)
		}
	}
	if text, err := (File{Path: Stdin}).Metadata(); text.Name != "" || err != nil {
		t.Errorf("Metadata of standard input = %q, %v, want none", text.Name, err)
	}
}

func TestMetadataIsBounded(t *testing.T) {
	dir := fixture.Files(t, map[string]string{"a.bson": "", "a.metadata.json.gz": string(gzipped(t, make([]byte, MaxMetadata+1)))})
	if _, err := (File{Path: filepath.Join(dir, "a.bson")}).Metadata(); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("Metadata of a bomb: %v, want a refusal", err)
	}
}
