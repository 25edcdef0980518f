package transfer

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/exit"
)

// A File is an output that appears under its name only once it is whole. The
// zero File throws away what is written to it.
type File struct {
	path string
	temp *os.File
	*bufio.Writer
}

// Create makes a file; an empty path is for counting only. A file that is there
// already is kept unless force is set.
func Create(path string, force bool) (*File, error) {
	if path == "" {
		return &File{Writer: bufio.NewWriter(io.Discard)}, nil
	}
	if _, err := os.Lstat(path); err == nil && !force {
		return nil, exit.Usagef("--out %s: the file exists; --force overwrites it", path)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	return &File{path: path, temp: temp, Writer: bufio.NewWriterSize(temp, 1<<20)}, nil
}

// Keep gives what was written its name.
func (f *File) Keep() error {
	if f.temp == nil {
		return nil
	}
	name := f.temp.Name()
	err := f.Flush()
	if err == nil {
		err = f.temp.Chmod(0o644)
	}
	if closing := f.temp.Close(); err == nil {
		err = closing
	}
	f.temp = nil
	if err == nil {
		err = os.Rename(name, f.path)
	}
	if err != nil {
		os.Remove(name)
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// Discard throws away what was written, unless it was kept.
func (f *File) Discard() {
	if f.temp != nil {
		f.temp.Close()
		os.Remove(f.temp.Name())
		f.temp = nil
	}
}
