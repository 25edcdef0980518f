// Package faulty has disks for tests: one with a call that fails, and one that does not
// sync.
package faulty

import (
	"errors"
	"io/fs"
	"os"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

// A Fault is the way in which a call fails.
type Fault string

// The faults. A write that fails has written half.
const (
	Once  Fault = ""      // it fails, and those after it work
	Dead  Fault = "dead"  // it fails, and so do all after it
	Late  Fault = "late"  // it takes effect, and fails all the same
	Short Fault = "short" // a write is cut without an error; other calls work
	Kill  Fault = "kill"  // the process ends in it
)

// Err is the error of calls that fail.
var Err = errors.New("input/output error")

// Unsynced is the real disk without syncs, which is many times as fast. A test could tell
// the difference only after a power failure.
type Unsynced struct{ output.System }

// Append opens a file to write at its end.
func (u Unsynced) Append(path string) (output.Handle, error) {
	return unsynced(u.System.Append(path))
}

// CreateNew makes a file.
func (u Unsynced) CreateNew(path string, mode fs.FileMode) (output.Handle, error) {
	return unsynced(u.System.CreateNew(path, mode))
}

// SyncDir only looks whether there is such a folder.
func (Unsynced) SyncDir(path string) error {
	_, err := os.Stat(path)
	return err
}

type unsyncedHandle struct{ output.Handle }

func (unsyncedHandle) Sync() error { return nil }

func unsynced(h output.Handle, err error) (output.Handle, error) {
	if err != nil {
		return h, err
	}
	return unsyncedHandle{h}, nil
}

// A Disk is Unsynced with one call that fails. It is not for concurrent use.
type Disk struct {
	Unsynced
	At    int // the number of the call that fails, from 1
	How   Fault
	Calls []string // the calls so far
}

// call does something on the disk, or fails.
func (d *Disk) call(name string, do func() error) error {
	d.Calls = append(d.Calls, name)
	n := len(d.Calls)
	switch {
	case n < d.At, n > d.At && d.How != Dead, d.How == Short:
		return do()
	case d.How == Kill:
		end()
	case d.How == Late:
		do()
	}
	return Err
}

// end ends the process at once.
func end() {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	self.Kill()
	select {}
}

// Lstat is a call.
func (d *Disk) Lstat(path string) (info fs.FileInfo, err error) {
	err = d.call("lstat", func() (err error) { info, err = d.Unsynced.Lstat(path); return err })
	return info, err
}

// Stat is a call.
func (d *Disk) Stat(path string) (info fs.FileInfo, err error) {
	err = d.call("stat", func() (err error) { info, err = d.Unsynced.Stat(path); return err })
	return info, err
}

// Append is a call, and so is each operation on the file.
func (d *Disk) Append(path string) (output.Handle, error) {
	var h output.Handle
	err := d.call("append", func() (err error) { h, err = d.Unsynced.Append(path); return err })
	if err != nil {
		if h != nil {
			h.Close()
		}
		return nil, err
	}
	return &handle{h, d}, nil
}

// CreateNew is a call, and so is each operation on the file.
func (d *Disk) CreateNew(path string, mode fs.FileMode) (output.Handle, error) {
	var h output.Handle
	err := d.call("create", func() (err error) { h, err = d.Unsynced.CreateNew(path, mode); return err })
	if err != nil {
		if h != nil {
			h.Close()
			d.Unsynced.Remove(path) // the caller cannot remove a file that it believes was not created
		}
		return nil, err
	}
	return &handle{h, d}, nil
}

// Link is a call.
func (d *Disk) Link(from, to string) error {
	return d.call("link", func() error { return d.Unsynced.Link(from, to) })
}

// Rename is a call.
func (d *Disk) Rename(from, to string) error {
	return d.call("rename", func() error { return d.Unsynced.Rename(from, to) })
}

// Remove is a call.
func (d *Disk) Remove(path string) error {
	return d.call("remove", func() error { return d.Unsynced.Remove(path) })
}

// Mkdir is a call.
func (d *Disk) Mkdir(path string) error {
	return d.call("mkdir", func() error { return d.Unsynced.Mkdir(path) })
}

// SyncDir is a call.
func (d *Disk) SyncDir(path string) error {
	return d.call("sync of the folder", func() error { return d.Unsynced.SyncDir(path) })
}

type handle struct {
	output.Handle
	disk *Disk
}

func (h *handle) Write(b []byte) (n int, err error) {
	if d := h.disk; len(d.Calls)+1 == d.At && d.How != Late {
		n, _ = h.Handle.Write(b[:len(b)/2])
		if d.How == Short {
			d.Calls = append(d.Calls, "write")
			return n, nil
		}
		return n, d.call("write", nil)
	}
	err = h.disk.call("write", func() error { n, err = h.Handle.Write(b); return err })
	return n, err
}

func (h *handle) Sync() error { return h.disk.call("sync", h.Handle.Sync) }

func (h *handle) Close() error {
	err := h.disk.call("close", func() error { return nil })
	return errors.Join(err, h.Handle.Close())
}
