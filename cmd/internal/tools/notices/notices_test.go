package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../../.."

// TestNoticesAreComplete: each product carries the terms of every module in it,
// at the version that it contains.
func TestNoticesAreComplete(t *testing.T) {
	if testing.Short() {
		t.Skip("the go command lists what is linked, for each platform")
	}
	for _, p := range products {
		want, err := p.notices(root)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, p.file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what is compiled into %s; run go run ./cmd/internal/tools/notices", p.file, p.name)
		}
	}
}

// TestNoticesName: the terms with the strongest obligations are there.
func TestNoticesName(t *testing.T) {
	for file, wants := range map[string][]string{
		"THIRD_PARTY.txt": {"pgregory.net/rapid v", "Mozilla Public License Version 2.0", "github.com/spf13/cobra v", "mousetrap", "zstd/internal/xxhash/LICENSE.txt", "Go standard library: LICENSE"},
		"docs/site/playground/page/THIRD_PARTY.txt": {"Go standard library: LICENSE"},
		"docs/site/ttlwasm/npm/THIRD_PARTY.txt":     {"Go standard library: LICENSE"},
	} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not contain %q", file, want)
			}
		}
	}
}

func TestModuleWithoutTerms(t *testing.T) {
	if err := (module{"example.org/bare", "v1.0.0", []string{t.TempDir()}}).append(new(bytes.Buffer)); err == nil {
		t.Error("a module without a licence is shipped")
	}
}

// TestInstalledVersions: go install builds the tool with the versions in go.mod
// of its module. The workspace of the checkout must not test other versions.
func TestInstalledVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("the go command lists what is linked, for each platform")
	}
	edit := exec.Command("go", "mod", "edit", "-json")
	edit.Dir = filepath.Join(root, "cmd")
	out, err := edit.Output()
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Require []module }
	if err := json.Unmarshal(out, &file); err != nil {
		t.Fatal(err)
	}
	required := map[string]string{}
	for _, m := range file.Require {
		required[m.Path] = m.Version
	}
	modules, err := products[0].modules(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if required[m.Path] != m.Version {
			t.Errorf("the workspace builds %s %s, go install builds %q", m.Path, m.Version, required[m.Path])
		}
	}
	if len(modules) < 8 {
		t.Errorf("%d modules are linked, want more", len(modules))
	}
}
