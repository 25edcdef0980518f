// Package output writes files completely or not at all. A file appears under its name
// only after all its data is on the disk; until then an old file with the name stays
// unchanged.
//
// The package never writes to a file on the list of package input, under any name or link.
// Only users who may read every file on the list at the time of [Create] may read the
// output.
package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
)

// Options configure the creation of a file. The zero Options create a new file, and refuse
// to replace an existing one.
type Options struct {
	// Force replaces a file that exists, unless it is being read.
	Force bool
}

// Errors that [Create] may wrap.
var (
	ErrExists     = errors.New("the file exists")
	ErrNotRegular = errors.New("not a regular file")
	ErrInput      = errors.New("the file is being read")
)

// A File is a file that is being written. Write to it, then call Commit or
// Discard. It is not for concurrent use.
type File struct {
	path, temp string
	force      bool
	file       *Handle
	buffer     *bufio.Writer
}

// Create begins to write the file at path. Until Commit the data is in a temporary file
// in the same folder. The error wraps [ErrExists], [ErrNotRegular] or [ErrInput], or is
// an error of the disk.
func Create(path string, o Options) (*File, error) { return create(path, o, streamBuffer) }

// ReadBack reads a file of at most limit bytes that will be replaced. It
// does not put the file on the list of inputs.
func ReadBack(path string, limit int) ([]byte, error) {
	there, err := stat(path)
	switch {
	case err != nil:
		return nil, err
	case !there.Mode().IsRegular(): // reading a pipe might never end
		return nil, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err == nil && len(text) > limit {
		err = fmt.Errorf("%s: larger than %d MiB", path, limit>>20)
	}
	return text, err
}

// Replace writes a whole file. It replaces an existing file, and creates the folder if
// necessary.
func Replace(path string, content []byte) error {
	if err := MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return WriteFile(path, content, Options{Force: true})
}

// MakeFolder creates a folder, and its parents, if they do not exist.
func MakeFolder(path string) error {
	path = filepath.Clean(path)
	there, err := stat(path)
	switch {
	case err == nil && there.IsDir():
		return nil
	case err == nil:
		return fmt.Errorf("%s: not a folder", path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	parent := filepath.Dir(path)
	if err := MakeFolder(parent); err != nil {
		return err
	}
	if err := mkdir(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}

// WriteFile writes a whole file. If it fails, an existing file stays unchanged.
func WriteFile(path string, content []byte, o Options) error {
	f, err := create(path, o, 0) // the data comes in one piece, so the default buffer of bufio will do
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Commit()
}

// streamBuffer is the size of the write buffer for a file of unknown length, in bytes.
const streamBuffer = 1 << 20

func create(path string, o Options, buffer int) (*File, error) {
	if path == "-" {
		return nil, fmt.Errorf("%q is not a file name here; write ./- for a file of that name", path)
	}
	allowed, err := check(path, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	mode, err := modeOfInputs()
	if err != nil {
		return nil, err
	}
	mode &= allowed
	f := &File{path: path, force: o.Force}
	f.temp, err = makeTemp(path, func(temp string) (err error) {
		f.file, err = open("create", temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: the folder %s does not exist", path, filepath.Dir(path))
	case err != nil:
		return nil, err
	}
	unfinished.Store(f.temp, nil)
	f.buffer = bufio.NewWriterSize(f.file, buffer)
	return f, nil
}

// check returns an error for a file that must not be replaced. Otherwise it returns the
// maximum permissions of the new file: those of the old file, and the permission of the
// owner to read and write.
func check(path string, o Options) (fs.FileMode, error) {
	there, err := lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0o666, nil
	case err != nil:
		return 0, err
	case !o.Force:
		return 0, ErrExists
	}
	if err := checkInput(there); err != nil {
		return 0, err
	}
	return there.Mode().Perm() | 0o600, nil
}

// checkInput returns an error for a file that is not regular or that is being read.
func checkInput(there fs.FileInfo) error {
	if !there.Mode().IsRegular() {
		return ErrNotRegular
	}
	inputs, err := input.Files(stat)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(inputs, func(other fs.FileInfo) bool { return os.SameFile(there, other) }) {
		return ErrInput
	}
	return nil
}

// IsSame reports whether two paths lead to the same file, or will do so after the file is
// written.
func IsSame(a, b string) (bool, error) {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true, nil
	}
	same, err := areOne(a, b)
	if same || err != nil || filepath.Base(a) != filepath.Base(b) {
		return same, err
	}
	return areOne(filepath.Dir(a), filepath.Dir(b))
}

// areOne reports whether two paths lead to one existing file.
func areOne(a, b string) (bool, error) {
	x, err := stat(a)
	if err != nil {
		return false, ignoreMissing(err)
	}
	y, err := stat(b)
	return err == nil && os.SameFile(x, y), ignoreMissing(err)
}

// ignoreMissing returns err, or nil if err means that a file does not exist.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// modeOfInputs returns the maximum permissions of an output: those that every input has,
// and the permission of the owner to read and write. The process's umask restricts them
// further.
func modeOfInputs() (fs.FileMode, error) {
	mode := fs.FileMode(0o666)
	inputs, err := input.Files(stat)
	for _, info := range inputs {
		if info.Mode().IsRegular() {
			mode &= info.Mode().Perm() | 0o600
		}
	}
	return mode, err
}

// makeTemp calls make with new names beside path until it succeeds, and returns the name.
// [IsUnfinished] reports true for the name. A long name is shortened, because file
// systems allow 255 bytes.
func makeTemp(path string, make func(temp string) error) (name string, err error) {
	base := filepath.Base(path)
	base = base[:min(len(base), 200)]
	for n := range 10000 {
		name = filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d-%d%s", base, os.Getpid(), n, unfinishedEnd))
		if err = make(name); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
	return name, err
}

const unfinishedEnd = ".part"

// IsUnfinished reports whether name is that of a temporary file, such as a killed process
// leaves behind.
func IsUnfinished(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, unfinishedEnd)
}

// Write appends to the file.
func (f *File) Write(b []byte) (int, error) { return f.buffer.Write(b) }

// Commit gives the file its name after all its data is on the disk. If Commit fails,
// nothing has changed, with one exception: after a failure to sync the folder, the
// complete new file may be there already.
func (f *File) Commit() error {
	if f.file == nil {
		return fs.ErrClosed
	}
	defer f.Discard()
	if err := f.buffer.Flush(); err != nil {
		return err
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	err := f.file.Close()
	f.file = nil
	if err != nil {
		return err
	}
	if f.force {
		if _, err := check(f.path, Options{Force: true}); err != nil { // an input may have been opened since Create
			return fmt.Errorf("%s: %w", f.path, err)
		}
		err = rename(f.temp, f.path)
	} else {
		err = link(f.temp, f.path) // unlike Rename, Link replaces no file
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(f.path))
}

// Discard removes the temporary file. After Commit it does nothing.
func (f *File) Discard() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
	if f.temp != "" {
		remove(f.temp) // an error of Remove is ignored
		unfinished.Delete(f.temp)
		f.temp = ""
	}
}

// unfinished is the set of the names of existing temporary files.
var unfinished sync.Map

// DiscardAll removes every temporary file. Call it before the process ends early.
func DiscardAll() {
	for name := range unfinished.Range {
		remove(name.(string))
	}
}
