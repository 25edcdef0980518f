package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestArchives packs a binary under the names of two platforms, twice.
func TestArchives(t *testing.T) {
	if testing.Short() {
		t.Skip("a tool is built, and packed four times")
	}
	bin := t.TempDir()
	tool := filepath.Join(bin, "linux_amd64/ttl")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.CopyFS(filepath.Join(bin, "windows_amd64"), os.DirFS(filepath.Dir(tool))); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(bin, "windows_amd64/ttl"), filepath.Join(bin, "windows_amd64/ttl.exe")); err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../../..")
	first, second := t.TempDir(), t.TempDir()
	for _, out := range []string{first, second} {
		if err := run("v1.2.3", "2026-11-22T00:00:00Z", bin, out); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"checksums.txt", "ttl_1.2.3_linux_amd64.cdx.json", "ttl_1.2.3_linux_amd64.tar.gz", "ttl_1.2.3_windows_amd64.cdx.json", "ttl_1.2.3_windows_amd64.zip"}
	var got []string
	for name, body := range contents(t, first) {
		got = append(got, name)
		if !bytes.Equal(body, contents(t, second)[name]) {
			t.Errorf("%s differs from one run to the next", name)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("packed %q, want %q", got, want)
	}
	checkMembers(t, first)
	checkBill(t, filepath.Join(first, "ttl_1.2.3_linux_amd64.cdx.json"))
	check := exec.Command("sha256sum", "--check", "--strict", "checksums.txt")
	check.Dir = first
	if out, err := check.CombinedOutput(); err != nil || strings.Count(string(out), ": OK") != 4 {
		t.Errorf("sha256sum: %v: %s", err, out)
	}
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// checkMembers: the .zip and the .tar.gz hold the executable tool and its terms.
func checkMembers(t *testing.T, dir string) {
	t.Helper()
	z, err := zip.OpenReader(filepath.Join(dir, "ttl_1.2.3_windows_amd64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Mode().String()+" "+f.Name)
	}
	if want := []string{"-rwxr-xr-x ttl.exe", "-rw-r--r-- README.md", "-rw-r--r-- LICENSE", "-rw-r--r-- THIRD_PARTY.txt", "-rw-r--r-- CHANGELOG.md"}; !slices.Equal(names, want) {
		t.Errorf("the zip holds %q, want %q", names, want)
	}
	f, err := os.Open(filepath.Join(dir, "ttl_1.2.3_linux_amd64.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	names = nil
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.FileInfo().Mode().String()+" "+h.Name)
	}
	if len(names) != 5 || names[0] != "-rwxr-xr-x ttl_1.2.3_linux_amd64/ttl" || names[3] != "-rw-r--r-- ttl_1.2.3_linux_amd64/THIRD_PARTY.txt" {
		t.Errorf("the tar holds %q", names)
	}
}

// checkBill: the bill names this package's only dependency, with its sum.
func checkBill(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var bill struct {
		BOMFormat  string `json:"bomFormat"`
		Metadata   struct{ Component struct{ Version string } }
		Components []struct {
			PURL       string `json:"purl"`
			Properties []struct{ Value string }
		}
	}
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range bill.Components {
		found = found || strings.HasPrefix(c.PURL, "pkg:golang/github.com/CycloneDX/cyclonedx-go@v") && strings.HasPrefix(c.Properties[0].Value, "h1:")
	}
	if bill.BOMFormat != "CycloneDX" || bill.Metadata.Component.Version != "v1.2.3" || !found {
		t.Errorf("the bill is %s", text)
	}
}

func TestNothingToPack(t *testing.T) {
	if err := run("v1.2.3", "2026-11-22T00:00:00Z", t.TempDir(), t.TempDir()); err == nil {
		t.Error("a release without binaries is packed")
	}
	if err := run("v1.2.3", "today", t.TempDir(), t.TempDir()); err == nil {
		t.Error("a date that is not one is taken")
	}
}

func TestNoBinaries(t *testing.T) {
	binaries := t.TempDir()
	err := run("v1.0.0", "2026-11-22T00:00:00Z", binaries, t.TempDir())
	if want := binaries + " holds no binaries"; err == nil || err.Error() != want {
		t.Errorf("run = %v, want %s", err, want)
	}
}
