package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Calls makes the system calls of this package. Package faulty has calls that fail.
type Calls interface {
	// Call makes the call do and returns its error. name says which call it is.
	Call(name string, do func() error) error
	// Write writes b to a file.
	Write(file io.Writer, b []byte) (int, error)
}

// System makes the calls of the real disk.
type System struct{}

// Call returns do().
func (System) Call(_ string, do func() error) error { return do() }

// Write writes b to a file.
func (System) Write(file io.Writer, b []byte) (int, error) { return file.Write(b) }

// disk makes the calls.
var disk Calls = System{}

// Use lets d make the calls. Only tests call Use, and they restore [System] afterwards.
func Use(d Calls) { disk = d }

// A Handle is an open file.
type Handle struct{ file *os.File }

// Write writes to the file.
func (h Handle) Write(b []byte) (int, error) { return disk.Write(h.file, b) }

// Sync makes the file's data durable.
func (h Handle) Sync() error { return disk.Call("sync", h.file.Sync) }

// Close closes the file.
func (h Handle) Close() error { return disk.Call("close", h.file.Close) }

// open opens a file. name is the name of the call.
func open(name, path string, flags int, mode fs.FileMode) (*Handle, error) {
	h := &Handle{}
	err := disk.Call(name, func() (err error) { h.file, err = os.OpenFile(path, flags, mode); return err })
	switch {
	case err == nil:
		return h, nil
	case h.file == nil:
		return nil, err
	case flags&os.O_EXCL != 0: // the call took effect, and the caller assumes that it did not
		return nil, errors.Join(err, h.file.Close(), os.Remove(path))
	}
	return nil, errors.Join(err, h.file.Close())
}

// lstat describes the file at path, and does not follow a link.
func lstat(path string) (info fs.FileInfo, err error) {
	err = disk.Call("lstat", func() (err error) { info, err = os.Lstat(path); return err })
	return info, err
}

// stat describes the file at path, and follows links.
func stat(path string) (info fs.FileInfo, err error) {
	err = disk.Call("stat", func() (err error) { info, err = os.Stat(path); return err })
	return info, err
}

func rename(from, to string) error {
	return disk.Call("rename", func() error { return os.Rename(from, to) })
}

func remove(path string) error { return disk.Call("remove", func() error { return os.Remove(path) }) }

func mkdir(path string) error {
	return disk.Call("mkdir", func() error { return os.Mkdir(path, 0o777) })
}

// link gives a file a second name. It is an error if that name exists. On a file system
// without links, link first reserves the name with an empty file.
func link(from, to string) error {
	return disk.Call("link", func() error {
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
	})
}

// syncDir makes new names in a folder durable. Some systems cannot do so, and do not need
// it.
func syncDir(path string) error {
	return disk.Call("sync of the folder", func() error {
		dir, err := os.Open(path)
		if err != nil {
			return err
		}
		defer dir.Close()
		if err := dir.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !isUnsupported(err) {
			return err
		}
		return nil
	})
}
