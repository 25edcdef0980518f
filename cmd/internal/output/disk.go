package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// A Handle is an open file.
type Handle interface {
	io.Writer
	Sync() error
	Close() error
}

// A Disk is the set of system calls that this package uses. Package faulty has a disk whose
// calls fail.
type Disk interface {
	Lstat(path string) (fs.FileInfo, error)
	Stat(path string) (fs.FileInfo, error)
	CreateNew(path string, mode fs.FileMode) (Handle, error)
	Append(path string) (Handle, error)
	Link(from, to string) error
	Rename(from, to string) error
	Remove(path string) error
	Mkdir(path string) error
	SyncDir(path string) error
}

// disk is the disk on which this package writes files.
var disk Disk = System{}

// Use makes d the disk on which this package writes files. Only tests call Use, and they
// restore [System] afterwards.
func Use(d Disk) { disk = d }

// System is the real disk.
type System struct{}

// Lstat describes the file at path, and does not follow a link.
func (System) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

// Stat describes the file at path, and follows links.
func (System) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// Rename renames a file, and replaces an existing file with the new name.
func (System) Rename(from, to string) error { return os.Rename(from, to) }

// Remove removes a file or an empty folder.
func (System) Remove(path string) error { return os.Remove(path) }

// Mkdir makes a folder.
func (System) Mkdir(path string) error { return os.Mkdir(path, 0o777) }

// CreateNew creates a file. It is an error if the file exists.
func (System) CreateNew(path string, mode fs.FileMode) (Handle, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
}

// Append opens a file for appending, and creates it if it does not exist.
func (System) Append(path string) (Handle, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
}

// Link gives a file a second name. It is an error if that name exists. On a file system
// without links, Link first reserves the name with an empty file.
func (System) Link(from, to string) error {
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

// SyncDir makes new names in a folder durable. Some systems cannot do so, and do not need
// it.
func (System) SyncDir(path string) error {
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
