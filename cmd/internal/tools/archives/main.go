// Command archives packs built binaries of ttl into release archives: one for each
// platform, a bill of materials for each binary, and the checksums of all. The same
// binaries give the same bytes, wherever and whenever the command runs.
//
//	archives VERSION DATE BINARIES OUT
//
// BINARIES holds linux_amd64/ttl, windows_arm64/ttl.exe and so on. DATE, such as
// 2026-11-22T00:00:00Z, is the date of the files in the archives. The command runs in the
// root of the checkout; .ci/release calls it.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: archives VERSION DATE BINARIES OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "archives:", err)
		os.Exit(1)
	}
}

// A file is one member of an archive.
type file struct {
	name string
	mode int64
	body []byte
}

// A release writes archives into the folder out, and collects their checksums.
type release struct {
	version string
	when    time.Time
	shared  []file // members of every archive
	out     string
	sums    strings.Builder
}

func run(version, date, binaries, out string) error {
	when, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(binaries, "*_*", "ttl*"))
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		return fmt.Errorf("%s holds no binaries", binaries)
	}
	r := &release{version: version, when: when, out: out}
	if r.shared, err = read("README.md", "LICENSE", "THIRD_PARTY.txt", "CHANGELOG.md"); err != nil {
		return err
	}
	slices.Sort(found)
	for _, path := range found {
		if err := r.add(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return output.Replace(filepath.Join(out, "checksums.txt"), []byte(r.sums.String()))
}

// add writes the archive of a binary, and its bill of materials.
func (r *release) add(path string) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	base := fmt.Sprintf("ttl_%s_%s", strings.TrimPrefix(r.version, "v"), filepath.Base(filepath.Dir(path)))
	name, archive, err := pack(base, append([]file{{filepath.Base(path), 0o755, body}}, r.shared...), r.when)
	if err != nil {
		return err
	}
	bill, err := billOf(body, r.version, r.when)
	if err != nil {
		return err
	}
	if err := r.write(name, archive); err != nil {
		return err
	}
	return r.write(base+".cdx.json", bill)
}

func (r *release) write(name string, body []byte) error {
	fmt.Fprintf(&r.sums, "%x  %s\n", sha256.Sum256(body), name)
	return output.Replace(filepath.Join(r.out, name), body)
}

// read returns files of the checkout as members of an archive.
func read(names ...string) (files []file, err error) {
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, 0o644, body})
	}
	return files, nil
}

// pack returns the archive in the form of its platform: .zip for Windows, else .tar.gz.
func pack(base string, files []file, when time.Time) (name string, archive []byte, err error) {
	var b bytes.Buffer
	if strings.Contains(base, "_windows_") {
		err = writeZip(&b, files, when)
		return base + ".zip", b.Bytes(), err
	}
	err = writeTar(&b, base, files, when)
	return base + ".tar.gz", b.Bytes(), err
}

func writeZip(w io.Writer, files []file, when time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when}
		header.SetMode(os.FileMode(f.mode))
		member, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := member.Write(f.body); err != nil {
			return err
		}
	}
	return z.Close()
}

func writeTar(w io.Writer, folder string, files []file, when time.Time) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{Name: folder + "/" + f.name, Mode: f.mode, Size: int64(len(f.body)), ModTime: when, Format: tar.FormatPAX}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.body); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

// billOf returns the CycloneDX bill of materials of a binary, from the build information
// that Go stores in it.
func billOf(binary []byte, version string, when time.Time) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, err
	}
	tool := component(&debug.Module{Path: info.Main.Path, Version: version})
	tool.Type = cyclonedx.ComponentTypeApplication
	parts := []cyclonedx.Component{{
		Type: cyclonedx.ComponentTypeLibrary, Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"),
		BOMRef: "pkg:golang/std@" + info.GoVersion, PackageURL: "pkg:golang/std@" + info.GoVersion,
	}}
	for _, m := range info.Deps {
		parts = append(parts, component(m))
	}
	bill := cyclonedx.NewBOM()
	bill.Metadata = &cyclonedx.Metadata{Timestamp: when.UTC().Format(time.RFC3339), Component: &tool}
	bill.Components = &parts
	var b bytes.Buffer
	e := cyclonedx.NewBOMEncoder(&b, cyclonedx.BOMFileFormatJSON)
	e.SetPretty(true)
	err = e.Encode(bill)
	return b.Bytes(), err
}

func component(m *debug.Module) cyclonedx.Component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	c := cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, BOMRef: url, PackageURL: url}
	if m.Sum != "" {
		c.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: m.Sum}}
	}
	return c
}
