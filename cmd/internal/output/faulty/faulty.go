// Package faulty has disks for tests: a disk with a call that fails, and a disk that does
// not sync.
package faulty

import (
	"errors"
	"io/fs"
	"os"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

// A Fault is the kind of failure of a call.
type Fault string

// The kinds of failure. A write that fails has written half of its data.
const (
	Once  Fault = ""      // the call fails, and later calls work
	Dead  Fault = "dead"  // the call fails, and all later calls fail too
	Late  Fault = "late"  // the call takes effect, but returns an error
	Short Fault = "short" // a write is incomplete without an error; other calls work
	Kill  Fault = "kill"  // the process ends during the call
)

// Err is the error of calls that fail.
var Err = errors.New("input/output error")

// Unsynced is the real disk without syncs, which makes it many times faster. A test could
// tell the difference only after a power failure.
type Unsynced struct{ output.System }

// Append opens a file for appending.
func (u Unsynced) Append(path string) (output.Handle, error) {
	return unsynced(u.System.Append(path))
}

// CreateNew creates a file. It is an error if the file exists.
func (u Unsynced) CreateNew(path string, mode fs.FileMode) (output.Handle, error) {
	return unsynced(u.System.CreateNew(path, mode))
}

// SyncDir only checks that the folder exists.
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
	At    int // the number of the call that fails, counted from 1
	How   Fault
	Calls []string // the calls so far
}

// call records a call, and runs do or fails.
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

// Lstat is [Unsynced.Lstat], counted as a call.
func (d *Disk) Lstat(path string) (info fs.FileInfo, err error) {
	err = d.call("lstat", func() (err error) { info, err = d.Unsynced.Lstat(path); return err })
	return info, err
}

// Stat is [Unsynced.Stat], counted as a call.
func (d *Disk) Stat(path string) (info fs.FileInfo, err error) {
	err = d.call("stat", func() (err error) { info, err = d.Unsynced.Stat(path); return err })
	return info, err
}

// Append is [Unsynced.Append], counted as a call. Each operation on the file is a call
// too.
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

// CreateNew is [Unsynced.CreateNew], counted as a call. Each operation on the file is a
// call too.
func (d *Disk) CreateNew(path string, mode fs.FileMode) (output.Handle, error) {
	var h output.Handle
	err := d.call("create", func() (err error) { h, err = d.Unsynced.CreateNew(path, mode); return err })
	if err != nil {
		if h != nil {
			h.Close()
			d.Unsynced.Remove(path) // the caller assumes that the file does not exist, and so does not remove it
		}
		return nil, err
	}
	return &handle{h, d}, nil
}

// Link is [Unsynced.Link], counted as a call.
func (d *Disk) Link(from, to string) error {
	return d.call("link", func() error { return d.Unsynced.Link(from, to) })
}

// Rename is [Unsynced.Rename], counted as a call.
func (d *Disk) Rename(from, to string) error {
	return d.call("rename", func() error { return d.Unsynced.Rename(from, to) })
}

// Remove is [Unsynced.Remove], counted as a call.
func (d *Disk) Remove(path string) error {
	return d.call("remove", func() error { return d.Unsynced.Remove(path) })
}

// Mkdir is [Unsynced.Mkdir], counted as a call.
func (d *Disk) Mkdir(path string) error {
	return d.call("mkdir", func() error { return d.Unsynced.Mkdir(path) })
}

// SyncDir is [Unsynced.SyncDir], counted as a call.
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
