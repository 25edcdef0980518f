// Command notices writes the licences of everything that is compiled into what
// this project ships: THIRD_PARTY.txt for the tool ttl on every platform that
// has release archives, docs/site/playground/page/THIRD_PARTY.txt for the playground, and
// docs/site/ttlwasm/npm/THIRD_PARTY.txt for the package of npm. Run it from the root of the
// checkout after a change of go.mod.
//
//	go run ./cmd/internal/tools/notices
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

// A product is one thing that is shipped as a binary.
type product struct {
	file      string // the path of its notices, below the root
	name      string
	pkg       string   // the path of its main package, below the root
	platforms []string // "os/arch"
}

// products are the programs whose notices are kept.
var products = []product{
	{"THIRD_PARTY.txt", "the tool ttl", "./cmd/ttl",
		[]string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}},
	{"docs/site/playground/page/THIRD_PARTY.txt", "the playground", "./docs/site/playground/wasm", []string{"js/wasm"}},
	{"docs/site/ttlwasm/npm/THIRD_PARTY.txt", "the WebAssembly module", "./docs/site/ttlwasm", []string{"wasip1/wasm"}},
}

// A module is a Go module that is compiled into the binary.
type module struct {
	Path, Version string
	dirs          []string // the module's folder, and the folders of its packages that are compiled in
}

func main() {
	for _, p := range products {
		text, err := p.notices(".")
		if err == nil {
			err = output.Replace(p.file, text)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "notices: %s: %v\n", p.file, err)
			os.Exit(1)
		}
	}
}

// notices returns the text for a product of the checkout at root.
func (p product) notices(root string) ([]byte, error) {
	modules, err := p.modules(root)
	if err != nil {
		return nil, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	modules = append([]module{{"Go standard library", "", []string{strings.TrimSpace(string(goroot))}}}, modules...)
	var b bytes.Buffer
	fmt.Fprintf(&b, "Software that is compiled into %s, with its licences.\nThe source of each module is at its path, at the version named here.\n", p.name)
	for _, m := range modules {
		if err := m.append(&b); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// modules returns the modules of other projects that are compiled in on any platform, in
// the order of their paths.
func (p product) modules(root string) ([]module, error) {
	known := map[string]module{}
	for _, platform := range p.platforms {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Version}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", p.pkg)
		goos, arch, _ := strings.Cut(platform, "/")
		list.Dir, list.Env = root, append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0")
		var stderr bytes.Buffer
		list.Stderr = &stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w: %s", platform, err, bytes.TrimSpace(stderr.Bytes()))
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 4 {
				known[f[0]] = module{f[0], f[1], append(known[f[0]].dirs, f[2:]...)}
			}
		}
	}
	return slices.SortedFunc(maps.Values(known), func(a, b module) int { return cmp.Compare(a.Path, b.Path) }), nil
}

// licence matches the names of files that state terms.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

var rule = strings.Repeat("=", 72)

// append adds the terms of a module. A module without terms may not be shipped.
func (m module) append(b *bytes.Buffer) error {
	found := 0
	slices.Sort(m.dirs)
	for _, dir := range slices.Compact(m.dirs) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() || !licence.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			name, err := filepath.Rel(m.dirs[0], filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
			title := strings.TrimSpace(m.Path + " " + m.Version)
			fmt.Fprintf(b, "\n%s\n%s: %s\n%s\n\n%s\n", rule, title, filepath.ToSlash(name), rule, text)
			found++
		}
	}
	if found == 0 {
		return fmt.Errorf("%s %s has no licence", m.Path, m.Version)
	}
	return nil
}
