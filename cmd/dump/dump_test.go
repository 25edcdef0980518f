package dump_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const metadata = `{"indexes":[{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":60}],"collectionName":"logs"}`

// document returns a document of 32 bytes or more in BSON.
func document(t *testing.T, name string) []byte {
	t.Helper()
	b, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "name", Value: policy.StringValue(name)}}))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// lines reads a dump to its end: a line for each document, and for each error the
// collection with the beginning of the error.
func lines(d *dump.Dump) (list []string) {
	for doc, err := range d.Documents() {
		name := "?"
		if doc.Collection != nil {
			name = doc.Collection.Name
		}
		if err != nil {
			list = append(list, name+" "+err.Error()+string(doc.Raw))
			continue
		}
		value, _ := policy.ParseBSON(doc.Raw)
		text, _ := value.Field("name").AsString()
		list = append(list, fmt.Sprintf("%s %s at %d", name, text, doc.Offset))
	}
	return list
}

// TestDamage: each kind of damage is an error about its place and its collection, and hides
// nothing of what can be read.
func TestDamage(t *testing.T) {
	a, b, c := document(t, "a"), document(t, "b"), document(t, "c")
	wrong := bytes.Clone(b)
	wrong[4] = 0x7e // no type of BSON
	archive := dumptest.Archive("8.0.4",
		dumptest.Collection{Name: "logs", Metadata: metadata, Blocks: [][]byte{a, b}},
		dumptest.Collection{Name: "carts", Metadata: metadata, Blocks: [][]byte{c}})
	flipped := bytes.Replace(archive, c, bytes.Replace(c, []byte("c\x00\x00"), []byte("d\x00\x00"), 1), 1)
	for _, tc := range []struct {
		name string
		data []byte
		want []string
	}{
		{"shop/logs.bson", bytes.Join([][]byte{a, b}, nil), []string{"logs a at 0", "logs b at 17"}},
		{"shop/logs.bson", nil, nil},
		{"shop/logs.bson", bytes.Join([][]byte{a, wrong, c}, nil), []string{"logs a at 0", "logs shop/logs.bson: document at byte 17: malformed BSON at byte 4, field \"name\": 0x7E is not an element type", "logs c at 34"}},
		{"shop/logs.bson", bytes.Join([][]byte{a, b[:9]}, nil), []string{"logs a at 0", "logs shop/logs.bson: document at byte 17: …"}},
		{"shop/logs.bson", []byte(`{"name":"a"}`), []string{"logs shop/logs.bson: document at byte 0: …"}},
		{"all.archive", archive, []string{"logs a at …", "carts c at …", "logs b at …"}},
		{"all.archive", flipped, []string{"logs a at …", "carts d at …", "carts all.archive: document at byte …", "logs b at …"}},
		{"all.archive", archive[:bytes.Index(archive, b)+9], []string{"logs a at …", "carts c at …", "logs all.archive: document at byte …"}},
	} {
		d, err := dump.Read(tc.name, bytes.NewReader(tc.data))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		got := lines(d)
		for i := range min(len(got), len(tc.want)) {
			if want, ok := strings.CutSuffix(tc.want[i], "…"); ok && strings.HasPrefix(got[i], want) {
				got[i] = tc.want[i]
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
		again := lines(d)
		if len(again) == 0 || !strings.Contains(again[0], "only once") {
			t.Errorf("%s: a second reading gives %q, want an error", tc.name, again)
		}
	}
	if _, err := dump.Read("all.archive", bytes.NewReader(archive[:60])); err == nil || !strings.Contains(err.Error(), "all.archive") {
		t.Errorf("Read of an archive that ends in its prelude = %v, want an error with the name", err)
	}
}

// TestSpec: a definition comes from the metadata, and without metadata there is none.
func TestSpec(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"prelude.json": `{"ServerVersion":"7.0.12"}`, "shop/logs.metadata.json": metadata, "shop/logs.bson": string(document(t, "a")),
		"shop/bare.bson": string(document(t, "b")), "shop/gone.metadata.json": metadata, "shop/odd.metadata.json": `{"indexes":7}`, "shop/odd.bson": "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	d, err := dump.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range d.Collections {
		spec, err := c.Spec()
		release, errRelease := c.Release()
		if errRelease != nil {
			t.Errorf("%s: %v", c.Name, errRelease)
		}
		got[c.Name] = fmt.Sprintf("%s %s %d %t", release, spec.Namespace, len(spec.Indexes), err == nil)
		if err != nil && !strings.Contains(err.Error(), c.Name) {
			t.Errorf("%s: %q does not name the collection", c.Name, err)
		}
	}
	want := map[string]string{"logs": "7.0.12 shop.logs 1 true", "bare": "7.0.12  0 false", "gone": "7.0.12 shop.gone 1 true", "odd": "7.0.12  0 false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	list := strings.Join(lines(d), "\n")
	for _, part := range []string{"logs a at 0", "bare b at 0", "gone no documents of shop.gone"} {
		if !strings.Contains(list, part) {
			t.Errorf("the documents are\n%s\nwithout %q", list, part)
		}
	}
	if _, err := dump.Open(filepath.Join(dir, "none")); err == nil {
		t.Error("Open of a path without a file gives no error")
	}
}
