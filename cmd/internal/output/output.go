// Package output writes files so that nothing is lost and nothing that is half
// written looks whole. A file appears under its name only when all of it is on
// the disk; until then the old one, if any, stays as it is.
package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Options are how a file is made. The zero Options make a new file, and refuse
// to touch one that exists.
type Options struct {
	// Force replaces a file that exists.
	Force bool
	// Inputs are the files that are being read. Writing to one of them is
	// refused, and nobody may read the output who may not read all of them.
	Inputs []string
}

// What the error of [Create] may wrap.
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
	disk       disk
	file       handle
	buffer     *bufio.Writer
}

// Create begins to write the file at path. What is written goes to a file of
// another name in the same folder, which nobody else may read before Commit. The
// error wraps [ErrExists], [ErrNotRegular] or [ErrInput], or is of the disk.
func Create(path string, o Options) (*File, error) { return create(system{}, path, o, streamBuffer) }

// WriteFile writes a whole file, or leaves what is there as it is.
func WriteFile(path string, content []byte, o Options) error {
	return writeFile(system{}, path, content, o)
}

// Replace writes a whole file, in the place of one that may be there, and makes
// its folder if need be.
func Replace(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return WriteFile(path, content, Options{Force: true})
}

func writeFile(d disk, path string, content []byte, o Options) error {
	f, err := create(d, path, o, 0) // what is there whole needs no buffer
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Commit()
}

// streamBuffer is how many bytes of a file of unknown length are gathered before
// they are written.
const streamBuffer = 1 << 20

func create(d disk, path string, o Options, buffer int) (*File, error) {
	if path == "-" {
		return nil, fmt.Errorf("%q is no file name here; write ./- for a file of that name", path)
	}
	if err := check(d, path, o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	mode, err := modeOf(d, o.Inputs)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, force: o.Force, disk: d}
	if f.temp, f.file, err = createTemp(d, path, mode); err != nil {
		return nil, err
	}
	f.buffer = bufio.NewWriterSize(f.file, buffer)
	return f, nil
}

// check refuses what must not be replaced.
func check(d disk, path string, o Options) error {
	there, err := d.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !o.Force:
		return ErrExists
	case !there.Mode().IsRegular():
		return ErrNotRegular
	}
	for _, input := range o.Inputs {
		if other, err := d.Stat(input); err == nil && os.SameFile(there, other) {
			return ErrInput
		}
	}
	return nil
}

// modeOf returns the permissions of a file made from inputs: no more than each
// of them has. The process's umask takes its part when the file is made.
func modeOf(d disk, inputs []string) (fs.FileMode, error) {
	mode := fs.FileMode(0o666)
	for _, input := range inputs {
		info, err := d.Stat(input)
		if err != nil {
			return 0, err
		}
		if info.Mode().IsRegular() {
			mode &= info.Mode().Perm() | 0o600
		}
	}
	return mode, nil
}

// createTemp makes a file beside path that did not exist. A long name is cut,
// as folders allow 255 bytes.
func createTemp(d disk, path string, mode fs.FileMode) (name string, file handle, err error) {
	base := filepath.Base(path)
	base = base[:min(len(base), 200)]
	for n := range 10000 {
		name = filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d-%d.part", base, os.Getpid(), n))
		file, err = d.CreateNew(name, mode)
		if !errors.Is(err, fs.ErrExist) {
			return name, file, err
		}
	}
	return "", nil, err
}

// Write adds to the file.
func (f *File) Write(b []byte) (int, error) { return f.buffer.Write(b) }

// Commit gives the file its name, once all of it is on the disk. If it fails
// nothing has changed, except that after a failure to record the folder the new
// file may already be there, and whole.
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
		err = f.disk.Rename(f.temp, f.path)
	} else {
		err = f.disk.Link(f.temp, f.path) // unlike Rename it replaces nothing
	}
	if err != nil {
		return err
	}
	return f.disk.SyncDir(filepath.Dir(f.path))
}

// Discard throws away what was written and not committed. It may be called
// after Commit.
func (f *File) Discard() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
	if f.temp != "" {
		f.disk.Remove(f.temp) // there is nobody to tell
		f.temp = ""
	}
}

// A handle is an open file.
type handle interface {
	io.Writer
	Sync() error
	Close() error
}

// A disk is what this package asks of the operating system. Tests let the n-th
// call fail.
type disk interface {
	Lstat(path string) (fs.FileInfo, error)
	Stat(path string) (fs.FileInfo, error)
	CreateNew(path string, mode fs.FileMode) (handle, error)
	Link(from, to string) error
	Rename(from, to string) error
	Remove(path string) error
	SyncDir(path string) error
}

// system is the real disk.
type system struct{}

func (system) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }
func (system) Stat(path string) (fs.FileInfo, error)  { return os.Stat(path) }
func (system) Rename(from, to string) error           { return os.Rename(from, to) }
func (system) Remove(path string) error               { return os.Remove(path) }

func (system) CreateNew(path string, mode fs.FileMode) (handle, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
}

// Link gives a file a second name, which must not exist. Where the file system
// knows no links, it makes sure of the name with an empty file first.
func (system) Link(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	reserved, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(reserved.Close(), os.Rename(from, to)); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

// SyncDir records new names in a folder. Some systems cannot, and need not.
func (system) SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !isUnsupported(err) {
		return err
	}
	return nil
}
