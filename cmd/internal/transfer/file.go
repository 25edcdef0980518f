package transfer

import (
	"errors"
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

// A File is an output that appears under its name only once it is whole. The
// zero File counts only: it throws away what is written to it.
type File struct{ file *output.File }

// Create makes a file from an input; an empty path is for counting only. A file
// that is there already is kept unless force is set, and so is the input.
func Create(path, input string, force bool) (File, error) {
	if path == "" {
		return File{}, nil
	}
	o := output.Options{Force: force}
	if input != "" {
		o.Inputs = []string{input}
	}
	file, err := output.Create(path, o)
	switch {
	case errors.Is(err, output.ErrExists):
		return File{}, cli.Usagef("--out %w; --force replaces it", err)
	case errors.Is(err, output.ErrNotRegular), errors.Is(err, output.ErrInput):
		return File{}, cli.Usagef("--out %w", err)
	case err != nil:
		return File{}, fmt.Errorf("--out: %w", err)
	}
	return File{file}, nil
}

// Write adds to the file.
func (f File) Write(b []byte) (int, error) {
	if f.file == nil {
		return io.Discard.Write(b)
	}
	return f.file.Write(b)
}

// Keep gives what was written its name.
func (f File) Keep() error {
	if f.file == nil {
		return nil
	}
	if err := f.file.Commit(); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// Discard throws away what was written, unless it was kept.
func (f File) Discard() {
	if f.file != nil {
		f.file.Discard()
	}
}
