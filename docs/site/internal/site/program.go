package site

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Program is the playground as browsers run it.
type Program struct {
	Packed  []byte // the program, compressed by gzip
	Starter []byte // the script of Go's that starts it
}

// Compile compiles the playground of a checkout. Nothing is inlined, and what only
// debuggers need is left out, which makes the program smaller once it is compressed.
func Compile(root string) (p Program, err error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "playground.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", name, "./docs/site/playground/wasm")
	build.Dir, build.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if text, err := build.CombinedOutput(); err != nil {
		return p, fmt.Errorf("go build: %w\n%s", err, text)
	}
	plain, err := os.ReadFile(name)
	if err != nil {
		return p, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return p, err
	}
	if _, err := w.Write(plain); err != nil {
		return p, err
	}
	if err := w.Close(); err != nil {
		return p, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return p, fmt.Errorf("go env: %w", err)
	}
	p.Packed = packed.Bytes()
	p.Starter, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	return p, err
}
