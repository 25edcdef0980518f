package site

import (
	"flag"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "add the addresses of this build to testdata/addresses.txt")

// kept is the list of addresses that the site promises to keep.
const kept = "testdata/addresses.txt"

// TestAddressesStay: each address that the site ever promised leads to a page still.
func TestAddressesStay(t *testing.T) {
	if *update {
		before, _ := os.ReadFile(kept)
		all := map[string]bool{}
		for line := range strings.Lines(string(before)) {
			all[strings.TrimSuffix(line, "\n")] = true
		}
		for file := range built {
			if path.Ext(file) == ".html" && file != notFound || strings.HasPrefix(file, "rules/") {
				all["/"+folderOf(file)] = true
			}
		}
		if err := os.WriteFile(kept, []byte(strings.Join(slices.Sorted(maps.Keys(all)), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(list)) {
		n++
		address := strings.TrimSuffix(line, "\n")
		file := strings.TrimPrefix(address, "/")
		if file == "" || strings.HasSuffix(file, "/") {
			file += "index.html"
		}
		if built[file] == nil {
			t.Errorf("%s leads nowhere: the site promised to keep it, so let it redirect", address)
		}
	}
	if n < 1000 {
		t.Errorf("%d addresses, want all pages and what they were called", n)
	}
}

// TestAddressesHaveNoEnding: a page is a folder, except those that servers look for by
// name and the one for frames.
func TestAddressesHaveNoEnding(t *testing.T) {
	list, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	for file := range built {
		if path.Ext(file) != ".html" || hasMoved(file) || file == notFound || file == frame {
			continue
		}
		if path.Base(file) != "index.html" {
			t.Errorf("%s ends in .html: give it a place in the tree", file)
		}
		if address := "/" + folderOf(file); !strings.Contains("\n"+string(list), "\n"+address+"\n") {
			t.Errorf("%s is not in %s; go test -run AddressesStay -update adds it", address, kept)
		}
	}
}

// TestTree: each page lies in one of the branches, and every branch has an index.
func TestTree(t *testing.T) {
	branches := strings.Fields("start fix recipes compare rules tool implement contribute")
	for file := range built {
		branch, _, _ := strings.Cut(file, "/")
		if path.Ext(file) != ".html" || hasMoved(file) || slices.Contains(branches, branch) || slices.Contains([]string{"index.html", notFound, "playground", "r", "why"}, branch) {
			continue
		}
		t.Errorf("%s is in no branch of the tree", file)
	}
	for _, branch := range branches {
		if built[branch+"/index.html"] == nil {
			t.Errorf("the branch %s has no index", branch)
		}
	}
}

// TestMoved: an old address leads to the page by a script, which keeps the part behind
// the #, and without one.
func TestMoved(t *testing.T) {
	for _, tt := range []struct{ old, to string }{
		{"side-by-side.html", "compare/mongodb-and-cosmos-db/index.html"}, {"problems/array.html", "../fix/array/index.html"}, {"rules/mongo.date.html", "../rules/mongo.date/index.html"},
	} {
		for _, want := range []string{`<a id="moved" href="` + tt.to + `">`, `content="0; url=` + tt.to + `"`, "moved.js"} {
			if !strings.Contains(string(built[tt.old]), want) {
				t.Errorf("%s lacks %s: %s", tt.old, want, built[tt.old])
			}
		}
	}
	if want := "/problems/array.html /fix/array/ 301\n"; !strings.Contains(string(built["_redirects"]), want) {
		t.Errorf("_redirects lacks %q", want)
	}
}
